//! Additional jobs that one run has completed by the time at which another has completed a given number.

use elastiplan_engine::Run;
use elastiplan_model::order;
use serde::{Deserialize, Serialize};

use crate::jobs::completion_s;

/// Completed jobs of the other run after which two runs are compared (ModelArts, Figures 11 to 15).
pub const ADDITIONAL_AFTER_JOBS: usize = 100;

/// Completion times of the jobs of a run, in order of submission; jobs that did not complete are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Completions(Vec<f64>);

impl Completions {
    /// The completions of a run.
    pub fn of(run: &Run) -> Self {
        Self(run.job_ids().filter_map(|job| completion_s(run, job)).collect())
    }

    /// Number of jobs that have completed by this time.
    pub fn by(&self, time_s: f64) -> usize {
        self.0.iter().filter(|end_s| **end_s <= time_s).count()
    }

    /// Time at which so many jobs had completed; the last completion if there are fewer, `None` if there is none.
    pub fn reached_s(&self, jobs: usize) -> Option<f64> {
        let mut times_s = self.0.clone();
        let at = jobs.min(times_s.len()).checked_sub(1)?;
        order::sort_by_number(&mut times_s, |time_s| *time_s);
        times_s.get(at).copied()
    }

    /// Jobs that this run has completed more than `rival` at the time at which `rival` has completed `jobs` jobs, or
    /// all that it completes; negative if there are fewer. Both runs must be finished.
    ///
    /// "When the greedy resource allocator has trained 100 jobs, the optimal one can train more" (ModelArts, section
    /// 5.2): with 17 more, this run has completed 117 by then.
    pub fn additional_to(&self, rival: &Self, jobs: usize) -> Option<f64> {
        let time_s = rival.reached_s(jobs)?;
        Some(self.by(time_s) as f64 - rival.by(time_s) as f64)
    }
}
