//! Who is due first.

use std::cmp::Ordering;

use elastiplan_engine::JobView;
use elastiplan_model::JobId;

/// When a job is due: those without a deadline last, and of equal ones the one submitted first.
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
