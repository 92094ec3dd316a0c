//! The order of deadlines.

use std::cmp::Ordering;

use elastiplan_engine::JobView;
use elastiplan_model::JobId;

/// A job's place in the order of deadlines. Jobs without a deadline come last; of equal deadlines, the job submitted
/// first comes first.
#[derive(Clone, Copy)]
pub(crate) struct Due {
    /// Infinite for a job without deadline.
    pub deadline_s: f64,
    pub job: JobId,
}

impl Due {
    pub fn of(job: &JobView<'_>) -> Self {
        Self { deadline_s: job.job.deadline_s.unwrap_or(f64::INFINITY), job: job.id }
    }
}

impl Ord for Due {
    fn cmp(&self, other: &Self) -> Ordering {
        self.deadline_s.total_cmp(&other.deadline_s).then(self.job.cmp(&other.job))
    }
}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for Due {}

impl PartialEq for Due {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
