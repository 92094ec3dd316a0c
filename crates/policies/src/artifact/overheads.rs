//! Overheads that ElasticFlow's published simulator charges at every decision, whether a job's GPUs change or not.
//!
//! The engine charges changes. Here a job pays by waiting without GPUs, which stay idle: it ends when it ends in the
//! published simulator if the scenario charges nothing.

use elastiplan_engine::{Action, View};
use elastiplan_model::JobId;

/// Clusters of so many GPUs have larger overheads.
const LARGE_CLUSTER_GPUS: u32 = 256;

/// All jobs restart every so many decisions as the interval has seconds, but no more often than this: with shorter
/// intervals than the published ones jobs would do nothing but restart.
const RESTART_DECISIONS_MIN: f64 = 60.0;

/// Counts decisions, to find those in which all jobs restart.
#[derive(Clone, Default)]
pub(crate) struct RoundCount {
    interval_s: f64,
    decisions: u32,
}

impl RoundCount {
    pub fn new(interval_s: f64) -> Self {
        Self { interval_s, decisions: 0 }
    }

    /// Call at every decision that charges.
    pub fn next(&mut self, gpus_total: u32) -> Round {
        let restarts =
            self.decisions > 0 && f64::from(self.decisions) % self.interval_s.max(RESTART_DECISIONS_MIN) == 0.0;
        self.decisions += 1;
        Round { is_large: gpus_total >= LARGE_CLUSTER_GPUS, restarts }
    }
}

/// Jobs that pay, and what they get afterwards.
#[derive(Clone, Default)]
pub(crate) struct ArtifactOverheads {
    rounds: RoundCount,
    /// When each job has paid, and what it gets then.
    owed: Vec<(f64, Action)>,
}

/// The overheads of one decision.
#[derive(Clone, Copy)]
pub(crate) struct Round {
    is_large: bool,
    /// Whether all jobs restart.
    pub restarts: bool,
}

impl Round {
    /// Seconds that a job pays. `reused`: its GPUs have been used together since the last restart.
    pub fn overhead_s(&self, gpus: u32, reused: bool) -> f64 {
        let (base_s, restart_s) = if self.is_large { (7.0, 47.0) } else { (2.0, 27.0) };
        if reused {
            return base_s;
        }
        base_s + if self.restarts { restart_s } else { 0.0 } + 2.0 * f64::from(gpus.max(1).ilog2() + 1)
    }
}

impl ArtifactOverheads {
    pub fn new(interval_s: f64) -> Self {
        Self { rounds: RoundCount::new(interval_s), owed: Vec::new() }
    }

    /// Call at every decision that charges.
    pub fn next_round(&mut self, view: &View<'_>) -> Round {
        self.rounds.next(view.gpus_total())
    }

    /// Starts the jobs that have paid, if their GPUs are still there and free.
    pub fn give(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let now_s = view.time_s();
        let mut free = view.gpus_free();
        for (_, action) in self.owed.extract_if(.., |(from_s, _)| *from_s <= now_s) {
            let (job, gpus, is_free) = match &action {
                Action::Allocate { job, gpus } => (*job, *gpus, true),
                Action::Place { job, on } => {
                    let is_free = on.iter().all(|place| view.gpus_free_on(place.node) >= place.gpus);
                    (*job, on.iter().map(|place| place.gpus).sum(), is_free)
                }
                _ => continue,
            };
            if is_free && gpus <= free && view.job(job).is_some() {
                free -= gpus;
                actions.push(action);
            }
        }
        self.wake(actions);
    }

    /// Forgets the starts of the last decision, and what was left to pay.
    pub fn forget(&mut self) {
        self.owed.clear();
    }

    /// Lets a job pay before `action` takes place.
    pub fn charge(&mut self, view: &View<'_>, job: JobId, overhead_s: f64, action: Action, actions: &mut Vec<Action>) {
        if view.job(job).is_some_and(|job| job.gpus > 0) {
            actions.push(Action::Allocate { job, gpus: 0 });
        }
        self.owed.push((view.time_s() + overhead_s, action));
    }

    /// Asks for a decision when the next job has paid.
    pub fn wake(&self, actions: &mut Vec<Action>) {
        let next_s = self.owed.iter().map(|(from_s, _)| *from_s).min_by(f64::total_cmp);
        actions.extend(next_s.map(|time_s| Action::WakeAt { time_s }));
    }
}
