//! The order of deadlines.

use elastiplan_engine::JobView;
use elastiplan_model::order::Number;
use elastiplan_model::{JobId, order};

/// A job's place in the order of deadlines. Jobs without a deadline come last; of equal deadlines, the job submitted
/// first comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Due {
    /// Infinite for a job without deadline.
    pub deadline_s: Number,
    pub job: JobId,
}

impl Due {
    pub fn of(job: &JobView<'_>) -> Self {
        Self { deadline_s: Number(job.job.deadline_s.unwrap_or(f64::INFINITY)), job: job.id }
    }

    /// The place as a number.
    pub fn rank(self) -> u128 {
        order::wide_rank(self.deadline_s.0, self.job.0.into())
    }
}
