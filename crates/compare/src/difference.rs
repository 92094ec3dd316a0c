//! Differences between two runs of the same jobs: from when on, how much at any time, and for which jobs most.

mod divergence;
mod over_time;

use elastiplan_engine::Run;
use elastiplan_metrics::JobDifference;
use elastiplan_model::order::sort_by_number;
use elastiplan_model::{JobId, Workload};

pub use divergence::{Decided, Divergence, Doing, JobAtDivergence};
pub use over_time::{Quantity, difference_over_time};

/// A job and how its end differs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedJob {
    /// The job.
    pub job: JobId,
    /// How it ends beside the baseline.
    pub difference: JobDifference,
}

/// All jobs, those first whose completion differs most: jobs that complete under only one of the two, then by the
/// difference in seconds, whichever way, and last those that complete under neither. Ties keep the order of submission.
pub fn ranked(run: &Run, baseline: &Run, workload: &Workload) -> Vec<RankedJob> {
    let of = |(job, _)| RankedJob { job, difference: JobDifference::between(run, baseline, job) };
    let mut ranked: Vec<RankedJob> = workload.trace().iter().map(of).collect();
    let size = |difference| match difference {
        JobDifference::OnlyHere | JobDifference::OnlyInBaseline => f64::INFINITY,
        JobDifference::Both { difference_s } => difference_s.abs(),
        JobDifference::Neither => -1.0,
    };
    // The largest first.
    sort_by_number(&mut ranked, |ranked| -size(ranked.difference));
    ranked
}
