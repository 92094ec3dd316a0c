//! Distributions of values over jobs.

use elastiplan_engine::{Outcome, Run};
use elastiplan_model::{Trace, order};

use crate::jobs::completion_s;

/// The share of jobs at or below each value: a step curve.
///
/// The share is of all jobs: if jobs were dropped or are unfinished, the curve ends below 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distribution {
    /// Distinct values, rising.
    pub values: Vec<f64>,
    /// Share of all jobs at or below the value, 0 to 1.
    pub shares: Vec<f64>,
}

impl Distribution {
    fn of(mut values: Vec<f64>, jobs_total: usize) -> Self {
        order::sort_by_number(&mut values, |value| *value);
        let mut distribution = Self::default();
        for (at, &value) in values.iter().enumerate() {
            if values.get(at + 1) != Some(&value) {
                distribution.values.push(value);
                distribution.shares.push((at + 1) as f64 / jobs_total as f64);
            }
        }
        distribution
    }
}

/// Job completion times in seconds, of the jobs that completed.
pub fn completion_distribution(run: &Run, trace: &Trace) -> Distribution {
    let times_s = trace.iter().filter_map(|(id, job)| Some(completion_s(run, id)? - job.submit_s));
    Distribution::of(times_s.collect(), run.jobs.outcome.len())
}

/// Seconds without GPUs between submission and completion, of the jobs that completed.
pub fn waiting_distribution(run: &Run) -> Distribution {
    Distribution::of(completed(run, &run.jobs.queueing_s).collect(), run.jobs.outcome.len())
}

/// The values of completed jobs, in order of submission.
fn completed<'a>(run: &'a Run, column: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    let pairs = run.jobs.outcome.iter().zip(column);
    pairs.filter(|(outcome, _)| **outcome == Outcome::Completed).map(|(_, &value)| value)
}

/// The value below which `share` (0 to 1) of the values lie, on the straight line between neighbours (Hyndman and Fan's
/// type 7, the default of NumPy and R). `sorted` must rise; `None` if it is empty.
pub fn percentile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share.clamp(0.0, 1.0) * last as f64;
    let below = place.floor();
    let low = sorted.get(below as usize)?;
    let high = sorted.get(below as usize + 1).unwrap_or(low);
    Some(low + (place - below) * (high - low))
}
