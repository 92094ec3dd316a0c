//! Detection of runs without progress.

use std::collections::BTreeMap;

use elastiplan_model::JobId;

use crate::state::State;

/// Instants without a submission or an end of a job, after which progress is checked.
const INSTANTS_MAX: u32 = 100_000;

/// Detects runs that would never end: a policy that resizes a job faster than the job can pay for it, nodes that fail
/// faster than jobs make progress, a policy that asks to be woken and never starts a job.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stall {
    instants: u32,
    /// For each job, the least work left at any check.
    least_left: BTreeMap<JobId, f64>,
    stalled: bool,
}

impl Stall {
    /// Counts an instant. `news`: something happened that cannot happen forever.
    pub fn count_instant(&mut self, news: bool, time_s: f64, state: &State) {
        if news {
            self.instants = 0;
            self.least_left.clear();
            return;
        }
        self.instants += 1;
        if self.instants.is_multiple_of(INSTANTS_MAX) {
            self.check(time_s, state);
        }
    }

    /// Declares a stall if, since the last check, no job has less work left than ever before.
    fn check(&mut self, time_s: f64, state: &State) {
        let first = self.least_left.is_empty();
        let mut progressed = false;
        for job in state.running().chain(state.waiting()) {
            let left = state.get(job).map_or(0.0, |state| state.work_left_at(time_s));
            let least = self.least_left.entry(job).or_insert(f64::INFINITY);
            progressed |= left < *least;
            *least = least.min(left);
        }
        self.stalled = !first && !progressed;
    }

    pub fn is_stalled(&self) -> bool {
        self.stalled
    }
}
