//! When a run is given up because nothing gets further any more.

use std::collections::BTreeMap;

use elastiplan_model::JobId;

use crate::state::State;

/// So many instants may pass in which no job is submitted or ends.
const INSTANTS_MAX: u32 = 100_000;

/// Watches for runs that would go on for ever: a policy that resizes a job faster than the job can pay for it, nodes
/// that fail faster than anything gets done, a policy that asks to be woken and never starts anything.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stall {
    instants: u32,
    /// The least work that each job ever had left when it was looked at.
    least_left: BTreeMap<JobId, f64>,
    stalled: bool,
}

impl Stall {
    /// After an instant; `news`: something happened that cannot happen for ever.
    pub fn note(&mut self, news: bool, time_s: f64, state: &State) {
        if news {
            self.instants = 0;
            self.least_left.clear();
            return;
        }
        self.instants += 1;
        if self.instants.is_multiple_of(INSTANTS_MAX) {
            self.look(time_s, state);
        }
    }

    /// Stalled if, since the last look, no job got further than it had ever been.
    fn look(&mut self, time_s: f64, state: &State) {
        let first = self.least_left.is_empty();
        let mut further = false;
        for job in state.running().chain(state.waiting()) {
            let left = state.get(job).map_or(0.0, |state| state.work_left_at(time_s));
            let least = self.least_left.entry(job).or_insert(f64::INFINITY);
            further |= left < *least;
            *least = least.min(left);
        }
        self.stalled = !first && !further;
    }

    pub fn is_stalled(&self) -> bool {
        self.stalled
    }
}
