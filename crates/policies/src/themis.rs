//! `themis`: rounds in which the jobs run that would else be treated least fairly.
//!
//! Finish-time fairness (Mahajan et al., NSDI 2020) is the time that a job takes here over the time that it would take
//! with an equal share of the cluster for itself. Every job runs on the GPUs it asks for or not at all. Every
//! `interval_s` seconds, shares of time are computed that make the largest ratio as small as can be: Gavel's form of
//! Themis (Narayanan et al., OSDI 2020), which ElasticFlow compares with. A job's priority is its share over the rounds
//! that it ran; jobs that never ran come before all others. From the highest priority down, every job runs that fits.
//!
//! With `artifact=true` the ratio and the priority are those of ElasticFlow's public source: the time alone is in
//! samples instead of seconds, time passes only when a job comes or ends, and rounds are not counted.
//!
//! ```text
//! 2 GPUs, rounds of 1 s; a needs both GPUs for 4 s, b and c one each for 2 s
//! a .2-222     b and c would else be treated worse, and come first; then a, who never ran, and so on in turns
//! b 1-1
//! c 1-1
//! ```

use std::collections::BTreeMap;

use elastiplan_engine::{Action, Cadence, JobView, Policy, View};
use elastiplan_model::JobId;
use elastiplan_solvers::{Taker, fair_shares};

use crate::parameters::{Entry, Parameter, Parameters, YEAR_S};
use crate::shared::arrivals::{Arrivals, gpus_rigid};
use crate::shared::settling::Start;

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
    Box::new(Themis {
        interval_s: parameters.number(&INTERVAL),
        artifact: parameters.flag(&ARTIFACT),
        told: BTreeMap::new(),
        changed_s: 0.0,
        arrivals: Arrivals::new(),
    })
}

#[derive(Clone)]
struct Themis {
    interval_s: f64,
    artifact: bool,
    /// What is known of each job that is there.
    told: BTreeMap<JobId, Told>,
    /// The last round before which a job came or ended.
    changed_s: f64,
    arrivals: Arrivals,
}

/// What is known of a job from one round to the next.
#[derive(Clone, Copy, Default)]
struct Told {
    /// Its work left and its speed alone on an equal share, in the last round.
    last: Option<(f64, f64)>,
    /// How long its work until the last round would have taken on an equal share.
    alone: f64,
    /// Rounds in which it ran.
    rounds: u32,
    /// The share of time that it was given in the last round.
    share: f64,
    start: Start,
}

impl Told {
    fn priority(&self, artifact: bool) -> f64 {
        match self.rounds {
            // Where rounds are not counted, everybody is as new as the others.
            _ if artifact => self.share,
            0 => f64::INFINITY,
            rounds => self.share / f64::from(rounds),
        }
    }
}

impl Policy for Themis {
    fn cadence(&self) -> Cadence {
        Cadence::Ticks { interval_s: self.interval_s }
    }

    fn explain(&self, view: &View<'_>, job: JobId) -> Option<String> {
        let job = view.job(job)?;
        let Some(told) = self.told.get(&job.id) else { return Some("Waits for the next round".into()) };
        let percent = (told.share * 100.0).round();
        let has = if job.gpus > 0 { "Runs" } else { "Waits" };
        let rounds = if told.rounds == 1 { "round" } else { "rounds" };
        Some(format!("{has}: fair would be {percent}% of the time from now on, and it had {} {rounds}", told.rounds))
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let came = !self.arrivals.admit(view, |job| job.bound.gpus_requested, actions).is_empty();
        let most = view.gpus_most();
        let mut jobs: Vec<JobView<'_>> = view.running().chain(view.waiting()).collect();
        jobs.retain(|job| gpus_rigid(job, most) <= most);
        jobs.sort_by_key(|job| job.id);
        let known = self.told.len();
        self.told.retain(|id, _| jobs.binary_search_by_key(id, |job| job.id).is_ok());
        if came || self.told.len() < known {
            self.changed_s = view.time_s();
        }
        self.share_time(&jobs, view);
        self.fill(&jobs, view, actions);
    }
}

impl Themis {
    /// Brings what is known of the jobs to this round, with the share of time that each ought to get.
    fn share_time(&mut self, jobs: &[JobView<'_>], view: &View<'_>) {
        let (most, total) = (view.gpus_most(), view.gpus_total());
        let equal_share = f64::from(total.div_ceil(jobs.len().max(1) as u32).max(1));
        let now_s = if self.artifact { self.changed_s } else { view.time_s() };
        let mut takers = Vec::with_capacity(jobs.len());
        for job in jobs {
            let gpus = gpus_rigid(job, most);
            let speed = job.curve.samples_per_s(gpus);
            let part = (equal_share / f64::from(gpus)).min(1.0);
            let speed_alone = if self.artifact { part } else { part * speed };
            let new = || Told { start: Start::of(job, view.time_s()), ..Told::default() };
            let told = self.told.entry(job.id).or_insert_with(new);
            if let Some((left, speed)) = told.last.replace((job.samples_left, speed_alone)) {
                told.alone += (left - job.samples_left) / speed;
            }
            takers.push(Taker {
                waited: (now_s - job.job.submit_s).max(0.0),
                needed: job.samples_left / speed,
                alone: told.alone + job.samples_left / speed_alone,
                units: f64::from(gpus),
            });
        }
        let shares = fair_shares(&takers, f64::from(total));
        for (told, share) in self.told.values_mut().zip(shares) {
            told.share = share;
        }
    }

    /// From the highest priority down, every job runs that fits.
    fn fill(&mut self, jobs: &[JobView<'_>], view: &View<'_>, actions: &mut Vec<Action>) {
        let (mut free, most, now_s) = (view.gpus_total(), view.gpus_most(), view.time_s());
        let mut ranked: Vec<(&JobView<'_>, u32, (bool, f64, f64))> = Vec::with_capacity(jobs.len());
        for (job, told) in jobs.iter().zip(self.told.values_mut()) {
            let gpus = gpus_rigid(job, most);
            let stays = job.gpus == gpus && told.start.is_settling(job, now_s);
            ranked.push((job, gpus, (stays, told.priority(self.artifact), told.share)));
        }
        ranked.sort_by(|(_, _, a), (_, _, b)| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(b.2.total_cmp(&a.2)));
        for (job, gpus, _) in ranked {
            let runs = gpus <= free;
            let gpus = if runs { gpus } else { 0 };
            free -= gpus;
            let Some(told) = self.told.get_mut(&job.id) else { continue };
            told.rounds += u32::from(runs);
            if gpus != job.gpus {
                told.start = Start::of(job, now_s);
                actions.push(Action::Allocate { job: job.id, gpus });
            }
        }
    }
}
