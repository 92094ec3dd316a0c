//! What differs between two runs of one workload.

use elastiplan_engine::Run;
use elastiplan_model::{JobId, Workload};

use crate::jobs::{completion_s, meets_deadline};

/// Completions at most this far apart, in seconds, count as equal.
pub const EQUAL_WITHIN_S: f64 = 60.0;

/// Jobs counted by how their completion under one run compares with that under a baseline.
///
/// A job that completes under only one of the two is sooner there. A job that completes under neither is equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Jobs that complete earlier than under the baseline.
    pub sooner: u64,
    /// Jobs with no difference beyond the threshold.
    pub equal: u64,
    /// Jobs that complete later than under the baseline.
    pub later: u64,
    /// Deadlines met that the baseline missed.
    pub deadlines_gained: u64,
    /// Deadlines missed that the baseline met.
    pub deadlines_lost: u64,
}

impl Comparison {
    /// Compares job by job.
    pub fn between(run: &Run, baseline: &Run, workload: &Workload, equal_within_s: f64) -> Self {
        let mut comparison = Self::default();
        for (job, _) in workload.trace().iter() {
            let difference_s = match (completion_s(run, job), completion_s(baseline, job)) {
                (Some(end_s), Some(baseline_s)) => end_s - baseline_s,
                (Some(_), None) => f64::NEG_INFINITY,
                (None, Some(_)) => f64::INFINITY,
                (None, None) => 0.0,
            };
            match difference_s {
                difference_s if difference_s.abs() <= equal_within_s => comparison.equal += 1,
                difference_s if difference_s < 0.0 => comparison.sooner += 1,
                _ => comparison.later += 1,
            }
            match (meets_deadline(run, workload, job), meets_deadline(baseline, workload, job)) {
                (Some(true), Some(false)) => comparison.deadlines_gained += 1,
                (Some(false), Some(true)) => comparison.deadlines_lost += 1,
                _ => {}
            }
        }
        comparison
    }
}

/// The first moment at which two runs treat some job differently: the earliest time at which one has a span that the
/// other has not. `None` if they never do.
pub fn first_difference_s(a: &Run, b: &Run) -> Option<f64> {
    let jobs = (0..a.jobs.outcome.len().max(b.jobs.outcome.len()) as u32).map(JobId);
    let of_job = |job| {
        let (mut left, mut right) = (a.spans.of(job), b.spans.of(job));
        loop {
            match (left.next(), right.next()) {
                (Some(one), Some(other)) if one == other => {}
                (Some(one), Some(other)) => {
                    let same_until_end =
                        one.start_s == other.start_s && one.gpus == other.gpus && one.state == other.state;
                    let earlier_s =
                        if same_until_end { one.end_s.min(other.end_s) } else { one.start_s.min(other.start_s) };
                    return Some(earlier_s);
                }
                (Some(span), None) | (None, Some(span)) => return Some(span.start_s),
                (None, None) => return None,
            }
        }
    };
    jobs.filter_map(of_job).min_by(f64::total_cmp)
}
