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

use crate::artifact;
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
    parameters: &[INTERVAL, ARTIFACT],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    let rules = if parameters.flag(&ARTIFACT) { artifact::themis::RULES } else { PAPER };
    let interval_s = parameters.number(&INTERVAL);
    Box::new(Themis { interval_s, rules, shares: TimeShares::default(), now_s: 0.0 })
}

/// Rules that the paper and the public source do not share.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    /// The speed of a job alone on an equal share of the cluster, of the part of its GPUs in that share and its speed on
    /// all of them.
    pub speed_alone: fn(f64, f64) -> f64,
    /// The greatest come first.
    pub priority: fn(&Standing) -> f64,
    /// Whether time passes only in rounds before which a job arrived or ended.
    pub stands_still_without_changes: bool,
}

const PAPER: Rules =
    Rules { speed_alone: |part, speed| part * speed, priority: share_a_round, stands_still_without_changes: false };

#[derive(Clone)]
struct Themis {
    interval_s: f64,
    rules: Rules,
    shares: TimeShares,
    /// The time of the last round that counts.
    now_s: f64,
}

impl Policy for Themis {
    fn cadence(&self) -> Cadence {
        Cadence::Ticks { interval_s: self.interval_s }
    }

    fn explain(&self, _view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        self.shares.explain(job)
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let (jobs, changed) = self.shares.update_jobs(view, actions);
        if changed || !self.rules.stands_still_without_changes {
            self.now_s = view.time_s();
        }
        self.shares.share_time(&jobs, view, self.now_s, self.rules.speed_alone);
        self.shares.fill(&jobs, view, self.rules.priority, actions);
    }
}

/// The share of time over the rounds in which the job ran.
fn share_a_round(standing: &Standing) -> f64 {
    if standing.rounds == 0 { f64::INFINITY } else { standing.share / f64::from(standing.rounds) }
}
