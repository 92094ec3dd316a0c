//! How many more jobs one run has completed by the time at which another has completed some.

use elastiplan_engine::Run;
use elastiplan_model::JobId;
use serde::{Deserialize, Serialize};

use crate::jobs::completion_s;

/// After how many jobs of the other run two are compared (ModelArts, Figures 11 to 15).
pub const ADDITIONAL_AFTER_JOBS: usize = 100;

/// When the jobs of a run completed, in order of submission; those that did not are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Completions(Vec<f64>);

impl Completions {
    /// Those of a run.
    pub fn of(run: &Run) -> Self {
        let jobs = (0..run.jobs.outcome.len() as u32).map(JobId);
        Self(jobs.filter_map(|job| completion_s(run, job)).collect())
    }

    /// How many jobs have completed by this time.
    pub fn by(&self, time_s: f64) -> usize {
        self.0.iter().filter(|end_s| **end_s <= time_s).count()
    }

    /// When so many had completed; the last completion where they are fewer, `None` where there is none.
    pub fn reached_s(&self, jobs: usize) -> Option<f64> {
        let mut times_s = self.0.clone();
        let at = jobs.min(times_s.len()).checked_sub(1)?;
        Some(*times_s.select_nth_unstable_by(at, f64::total_cmp).1)
    }

    /// How many more jobs than `rival` this run has completed at the time at which `rival` has completed `jobs` of them,
    /// or all that it completes; below 0 where they are fewer. Both must have come to their end.
    ///
    /// "When the greedy resource allocator has trained 100 jobs, the optimal one can train more" (ModelArts, section
    /// 5.2): with 17 more, this run has completed 117 by then.
    pub fn additional_to(&self, rival: &Self, jobs: usize) -> Option<f64> {
        let time_s = rival.reached_s(jobs)?;
        Some(self.by(time_s) as f64 - rival.by(time_s) as f64)
    }
}
