//! A training job as it stands in a trace.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::ModelId;

/// The ranges that values of a job must lie in. They are far beyond any real trace, and near enough that no
/// arithmetic on them loses its meaning.
pub mod limits {
    /// The largest number of GPUs a job may ask for.
    pub const GPUS_MAX: u32 = 65_536;
    /// The largest batch, in samples.
    pub const BATCH_MAX: u32 = 1 << 30;
    /// The latest time, in seconds: about 3,000 years.
    pub const TIME_MAX_S: f64 = 1e11;
    /// The largest amount of work, in samples, iterations or seconds.
    pub const WORK_MAX: f64 = 1e18;
    /// The largest priority.
    pub const PRIORITY_MAX: f64 = 1e6;
    /// The longest that one change of GPUs may cost, in seconds: a year.
    pub const RESCALE_MAX_S: f64 = 31_536_000.0;
    /// The most GPUs that formulas are computed for: every number up to it is.
    pub const LAW_GPUS_MAX: u32 = 4096;
    /// The longest time in a formula, in seconds.
    pub const LAW_TIME_MAX_S: f64 = 1e9;
}

/// Times at most this far apart, in seconds, are the same: a millisecond is the finest that times are written in, and
/// far coarser than what different orders of additions make of the last digits.
pub const SAME_TIME_S: f64 = 1e-3;

/// Whether a time is past a deadline, by more than [`SAME_TIME_S`].
pub fn is_late(time_s: f64, deadline_s: f64) -> bool {
    time_s > deadline_s + SAME_TIME_S
}

/// The work of a job.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Work {
    /// Training samples to process.
    Samples(f64),
    /// Optimiser iterations of one global batch each.
    Iterations(f64),
    /// Seconds that the job takes on the GPUs it asked for.
    DurationOnRequested(f64),
    /// GPUs times seconds that the job takes on the GPUs it asked for.
    GpuSeconds(f64),
    /// Passes over a data set.
    Epochs {
        /// The number of epochs.
        epochs: f64,
        /// Samples in the data set.
        samples_each: f64,
    },
    /// So many whole trainings, as long as the model's efficiency says that one takes.
    Trainings(f64),
}

impl Work {
    /// The number, in the unit of the variant.
    pub fn amount(mut self) -> f64 {
        *self.amount_mut()
    }

    /// The number, in the unit of the variant, to be changed.
    pub fn amount_mut(&mut self) -> &mut f64 {
        match self {
            Work::Samples(amount) | Work::Iterations(amount) => amount,
            Work::DurationOnRequested(amount) | Work::GpuSeconds(amount) | Work::Trainings(amount) => amount,
            Work::Epochs { epochs, .. } => epochs,
        }
    }
}

/// One job of a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The name that the trace gives it; unique within a trace.
    pub name: String,
    /// The line of the file it came from, counted from 1; 0 for a generated job.
    pub source_row: u64,
    /// When it was submitted, in seconds on the clock of the trace.
    pub submit_s: f64,
    /// The model that it trains.
    pub model: ModelId,
    /// Global batch size in samples, over all its GPUs together.
    pub batch_global: Option<u32>,
    /// Global batch sizes it may be trained with instead, without harm to what is learned, where the trace says so.
    pub batch_range: Option<BatchRange>,
    /// GPUs it asked for. Elastic policies may give fewer or more.
    pub gpus_requested: u32,
    /// The fewest GPUs it can run on, where the trace says so.
    pub gpus_min: Option<u32>,
    /// The most GPUs it can make use of, where the trace says so.
    pub gpus_max: Option<u32>,
    /// Its work.
    pub work: Work,
    /// When it should be done, in seconds on the clock of the trace. `None` is a best-effort job.
    pub deadline_s: Option<f64>,
    /// The user who submitted it.
    pub user: Option<String>,
    /// Its rescale cost, if the trace has it.
    pub rescale: Option<RescaleSeconds>,
    /// The weight of its speed relative to other jobs, if the trace has it; the default is 1.
    pub priority: Option<f64>,
}

/// The smallest and the largest of some batch sizes, in samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BatchRange {
    /// The smallest; at least 1.
    pub least: u32,
    /// The largest; not less.
    pub most: u32,
}

impl BatchRange {
    /// Whether it has a batch size.
    pub fn contains(&self, batch_global: u32) -> bool {
        (self.least..=self.most).contains(&batch_global)
    }
}

/// Seconds without progress after a change of GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RescaleSeconds {
    /// To more GPUs, or from none.
    pub up_s: f64,
    /// To fewer.
    pub down_s: f64,
}

/// The reason why a job is not valid: the column of the plain format and the rule.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("job {job}: {column} must be {rule}")]
pub struct JobError {
    /// The job's name.
    pub job: String,
    /// The value that breaks the rule, named as in the plain format.
    pub column: &'static str,
    /// The rule for its value.
    pub rule: &'static str,
}

impl Job {
    /// Checks every value against [`limits`].
    pub fn validate(&self) -> Result<(), JobError> {
        let check = |holds: bool, column, rule| {
            if holds {
                return Ok(());
            }
            let job = if self.name.is_empty() { "without a name".into() } else { self.name.clone() };
            Err(JobError { job, column, rule })
        };
        let gpus = 1..=limits::GPUS_MAX;
        let time = 0.0..=limits::TIME_MAX_S;
        check(!self.name.is_empty(), "job_id", "not empty")?;
        check(time.contains(&self.submit_s), "submit_s", "a number of seconds from 0 to 1e11")?;
        check(gpus.contains(&self.gpus_requested), "gpus", "a whole number from 1 to 65,536")?;
        let optional = |value: Option<u32>| value.is_none_or(|value| gpus.contains(&value));
        check(optional(self.gpus_min), "gpus_min", "a whole number from 1 to 65,536")?;
        check(optional(self.gpus_max), "gpus_max", "a whole number from 1 to 65,536")?;
        let ordered = self.gpus_min.zip(self.gpus_max).is_none_or(|(min, max)| min <= max);
        check(ordered, "gpus_min", "at most gpus_max")?;
        let batch = 1..=limits::BATCH_MAX;
        check(self.batch_global.is_none_or(|b| batch.contains(&b)), "batch_global", "a whole number from 1 to 2^30")?;
        if let Some(range) = self.batch_range {
            check(batch.contains(&range.least), "batch_min", "a whole number from 1 to 2^30")?;
            check(batch.contains(&range.most), "batch_max", "a whole number from 1 to 2^30")?;
            check(range.least <= range.most, "batch_min", "at most batch_max")?;
            let within = self.batch_global.is_none_or(|own| range.contains(own));
            check(within, "batch_global", "from batch_min to batch_max")?;
        }
        let priority = self.priority.is_none_or(|priority| priority > 0.0 && priority <= limits::PRIORITY_MAX);
        check(priority, "priority", "above 0 and at most 1e6")?;
        let amount = self.work.amount();
        check(amount > 0.0 && amount <= limits::WORK_MAX, "work", "above 0 and at most 1e18")?;
        if let Work::Epochs { samples_each, .. } = self.work {
            let good = samples_each > 0.0 && samples_each <= limits::WORK_MAX;
            check(good, "samples_per_epoch", "above 0 and at most 1e18")?;
        }
        if let Some(RescaleSeconds { up_s, down_s }) = self.rescale {
            let seconds = 0.0..=limits::RESCALE_MAX_S;
            check(seconds.contains(&up_s), "rescale_up_s", "a number of seconds from 0 to 31,536,000")?;
            check(seconds.contains(&down_s), "rescale_down_s", "a number of seconds from 0 to 31,536,000")?;
        }
        check(self.deadline_s.is_none_or(|d| time.contains(&d)), "deadline_s", "a number of seconds from 0 to 1e11")
    }
}
