//! `themis`: rounds in which the jobs run that would otherwise be treated least fairly.
//!
//! Finish-time fairness (Mahajan et al., NSDI 2020) is the time that a job takes here over the time that it would take
//! with an equal share of the cluster for itself. Every job runs on the GPUs it asks for or not at all. Every
//! `interval_s` seconds, shares of time are computed that make the largest ratio as small as can be: Gavel's form of
//! Themis (Narayanan et al., OSDI 2020), which ElasticFlow compares with. A job's priority is its share over the rounds
//! that it ran; jobs that never ran come before all others. From the highest priority down, every job runs that fits.
//!
//! `artifact=true` takes the ratio and the priority of ElasticFlow's public source: `artifact/themis.rs`.
//!
//! ```text
//! 2 GPUs, rounds of 1 s; a needs both GPUs for 4 s, b and c one each for 2 s
//! a .2-222     b and c would else be treated worse, and come first; then a, which never ran, and so on in turns
//! b 1-1
//! c 1-1
//! ```

pub(crate) mod shares;

use elastiplan_engine::{Action, Cadence, JobView, Policy, View};

use crate::artifact::themis::Themis as PublishedThemis;
use crate::parameters::{Entry, Parameter, Parameters, YEAR_S};
use shares::{Standing, TimeShares};

const INTERVAL: Parameter = Parameter::number("interval_s", "Seconds between decisions", 240.0, 1.0..=YEAR_S);
const ARTIFACT: Parameter = Parameter::flag("artifact", "Ratio and priority as in ElasticFlow's public source", false);

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "themis",
    summary: "Rounds for the jobs that would else be treated least fairly, on the GPUs each asked for",
    source: "Themis (Mahajan et al., NSDI 2020) in Gavel's form, as ElasticFlow compares with it, section 6.1",
    is_elastic: true,
    has_program: false,
    parameters: &[INTERVAL, ARTIFACT],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    let interval_s = parameters.number(&INTERVAL);
    if parameters.flag(&ARTIFACT) {
        return Box::new(PublishedThemis::new(interval_s));
    }
    Box::new(Themis { interval_s, shares: TimeShares::default() })
}

#[derive(Clone)]
struct Themis {
    interval_s: f64,
    shares: TimeShares,
}

impl Policy for Themis {
    fn cadence(&self) -> Cadence {
        Cadence::Ticks { interval_s: self.interval_s }
    }

    fn explain(&self, _view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        self.shares.explain(job)
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let (jobs, _) = self.shares.update_jobs(view, actions);
        let speed_alone = |part: f64, speed: f64| part * speed;
        self.shares.share_time(&jobs, view, view.time_s(), speed_alone);
        self.shares.fill(&jobs, view, priority, actions);
    }
}

/// The share of time over the rounds in which the job ran.
fn priority(standing: &Standing) -> f64 {
    if standing.rounds == 0 { f64::INFINITY } else { standing.share / f64::from(standing.rounds) }
}
