//! Differences between two runs of one workload.

use elastiplan_engine::{Run, Span};
use elastiplan_model::{JobId, Workload};

use crate::jobs::{completion_s, meets_deadline};

/// Completions at most this far apart, in seconds, count as equal.
pub const EQUAL_WITHIN_S: f64 = 60.0;

/// The end of one job under a run, compared with that under a baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JobDifference {
    /// It completes under both.
    Both {
        /// Completion under the run minus completion under the baseline: negative if it is sooner.
        difference_s: f64,
    },
    /// It completes under the run only.
    OnlyHere,
    /// It completes under the baseline only.
    OnlyInBaseline,
    /// It completes under neither.
    Neither,
}

/// Which way a job's end differs from that under a baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// It completes earlier, or only here.
    Sooner,
    /// No difference beyond the threshold, or it completes under neither.
    Equal,
    /// It completes later, or only under the baseline.
    Later,
}

impl JobDifference {
    /// Compares one job of two runs.
    pub fn between(run: &Run, baseline: &Run, job: JobId) -> Self {
        match (completion_s(run, job), completion_s(baseline, job)) {
            (Some(end_s), Some(baseline_s)) => Self::Both { difference_s: end_s - baseline_s },
            (Some(_), None) => Self::OnlyHere,
            (None, Some(_)) => Self::OnlyInBaseline,
            (None, None) => Self::Neither,
        }
    }

    /// The difference in seconds, where the job completes under both.
    pub fn seconds(self) -> Option<f64> {
        match self {
            Self::Both { difference_s } => Some(difference_s),
            Self::OnlyHere | Self::OnlyInBaseline | Self::Neither => None,
        }
    }

    /// The direction of the difference; differences of at most `equal_within_s` count as none.
    pub fn ending(self, equal_within_s: f64) -> Ending {
        match self {
            Self::Both { difference_s } if difference_s.abs() <= equal_within_s => Ending::Equal,
            Self::Both { difference_s } if difference_s < 0.0 => Ending::Sooner,
            Self::Both { .. } | Self::OnlyInBaseline => Ending::Later,
            Self::OnlyHere => Ending::Sooner,
            Self::Neither => Ending::Equal,
        }
    }
}

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
            match JobDifference::between(run, baseline, job).ending(equal_within_s) {
                Ending::Sooner => comparison.sooner += 1,
                Ending::Equal => comparison.equal += 1,
                Ending::Later => comparison.later += 1,
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

/// The first time at which two runs treat some job differently: from then on it has another number of GPUs, speed or
/// state under one than under the other. `None` if they do not differ for as long as both are recorded.
pub fn first_difference_s(a: &Run, b: &Run) -> Option<f64> {
    let jobs = (0..a.jobs.outcome.len().max(b.jobs.outcome.len()) as u32).map(JobId);
    jobs.filter_map(|job| first_difference_of_job_s(a, b, job)).min_by(f64::total_cmp)
}

/// The same of one job.
pub fn first_difference_of_job_s(a: &Run, b: &Run, job: JobId) -> Option<f64> {
    // Beyond the end of an unfinished record there is no difference.
    let open_s = [a, b].into_iter().filter(|run| !run.finished).map(|run| run.end_s);
    let until_s = open_s.min_by(f64::total_cmp).unwrap_or(f64::INFINITY);
    let (mut left, mut right) = (merged(a, job), merged(b, job));
    let time_s = loop {
        match (left.next(), right.next()) {
            (Some(one), Some(other)) if one == other => {}
            (Some(one), Some(other)) => {
                let is_same_at_first = one.start_s == other.start_s && is_alike(&one, &other);
                let starts_s = one.start_s.min(other.start_s);
                break if is_same_at_first { one.end_s.min(other.end_s) } else { starts_s };
            }
            (Some(span), None) | (None, Some(span)) => break span.start_s,
            (None, None) => return None,
        }
    };
    (time_s < until_s).then_some(time_s)
}

/// The spans of a job; adjacent spans that are alike are merged.
fn merged(run: &Run, job: JobId) -> impl Iterator<Item = Span> {
    let mut spans = run.spans.of(job).peekable();
    std::iter::from_fn(move || {
        let mut span = spans.next()?;
        while let Some(next) = spans.next_if(|next| is_alike(&span, next)) {
            span.end_s = next.end_s;
        }
        Some(span)
    })
}

fn is_alike(one: &Span, other: &Span) -> bool {
    one.gpus == other.gpus && one.state == other.state && one.samples_per_s == other.samples_per_s
}
