//! The advice of a job scalability analyzer on a model with known times: the best batch size and the scaling factor for
//! each number of GPUs (Saxena et al., sections III-B3 and III-C1), and which batch sizes finish in time (V-A).

use crate::{BatchRange, Estimate, ScalingTimes};

/// A model on so many GPUs with the batch size that is best there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScalingRow {
    /// GPUs.
    pub gpus: u32,
    /// Seconds of an all-reduce among them.
    pub all_reduce: Estimate,
    /// The batch size with the highest throughput, on all GPUs together (eq. 2).
    pub batch_global: u32,
    /// Samples of it on the GPU that has most of them.
    pub batch_per_gpu: u32,
    /// Seconds of an iteration (section III-B3).
    pub iteration: Estimate,
    /// T(b, k), in samples per second.
    pub samples_per_s: f64,
    /// Speed relative to the largest batch on one GPU (eq. 1).
    pub scaling_factor: f64,
    /// The factor for each GPU: 1 where nothing is lost to all-reduces.
    pub efficiency: f64,
}

/// Times of a training with a batch size.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchTimes {
    /// The batch size, on all GPUs together.
    pub batch_global: u32,
    /// Seconds on one GPU, two, and so on; `None` where it does not run.
    pub training: Vec<Option<Estimate>>,
}

/// The numbers of GPUs on which a batch size keeps a time limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchVerdict {
    /// In time on every number of GPUs that it runs on: safe even if the cluster has few to give.
    Always,
    /// In time on these numbers of GPUs, rising.
    On(Vec<u32>),
    /// Too late on every number of GPUs: to be ruled out.
    Late,
    /// It runs on no number of GPUs.
    RunsNowhere,
}

impl std::fmt::Display for BatchVerdict {
    /// `always`, `on 1, 3 to 8`, `never: rule out`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BatchVerdict::Always => f.write_str("always"),
            BatchVerdict::On(gpus) => write!(f, "on {}", in_runs(gpus)),
            BatchVerdict::Late => f.write_str("never: rule out"),
            BatchVerdict::RunsNowhere => f.write_str("does not run: rule out"),
        }
    }
}

/// Rising numbers as `1, 3 to 8`.
fn in_runs(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let words = runs.filter_map(|run| match (run.first()?, run.last()?) {
        (first, last) if first == last => Some(first.to_string()),
        (first, last) => Some(format!("{first} to {last}")),
    });
    words.collect::<Vec<_>>().join(", ")
}

impl BatchTimes {
    /// The numbers of GPUs on which the training takes at most this long.
    pub fn verdict(&self, within_s: f64) -> BatchVerdict {
        let times = || (1_u32..).zip(&self.training).filter_map(|(gpus, time)| Some((gpus, (*time)?.time_s)));
        let in_time: Vec<u32> = times().filter(|(_, time_s)| *time_s <= within_s).map(|(gpus, _)| gpus).collect();
        match (times().count(), in_time.len()) {
            (0, _) => BatchVerdict::RunsNowhere,
            (_, 0) => BatchVerdict::Late,
            (runs, on) if on == runs => BatchVerdict::Always,
            _ => BatchVerdict::On(in_time),
        }
    }
}

impl BatchRange {
    /// The smallest, the powers of two between, and the largest.
    ///
    /// ```
    /// use elastiplan_model::BatchRange;
    ///
    /// assert_eq!(BatchRange { least: 24, most: 200 }.ladder(), [24, 32, 64, 128, 200]);
    /// ```
    pub fn ladder(&self) -> Vec<u32> {
        let powers = (0..u32::BITS).map(|power| 1_u32 << power);
        let between = powers.filter(|batch| (self.least.saturating_add(1)..self.most).contains(batch));
        let mut ladder: Vec<u32> = std::iter::once(self.least).chain(between).chain([self.most]).collect();
        ladder.dedup();
        ladder
    }
}

impl ScalingTimes {
    /// Every batch size of which something was measured: from the fewest samples on one GPU to the most on all.
    pub fn batch_range(&self) -> BatchRange {
        let least = self.processing_s.first().map_or(1, |(samples, _)| libm::ceil(*samples) as u32).max(1);
        let most = self.batch_per_gpu_max().saturating_mul(self.gpus_max());
        BatchRange { least, most: most.max(least) }
    }

    /// Seconds of an iteration, with the GPU that has most samples of the batch (section III-B3); `None` where it does
    /// not run. It is no more certain than the less certain of its two parts.
    pub fn iteration(&self, gpus: u32, batch_global: u32) -> Option<Estimate> {
        let all_reduce = self.all_reduce(gpus)?;
        let processing = self.processing(batch_global.div_ceil(gpus.max(1)))?;
        let origin = processing.origin.max(all_reduce.origin);
        Some(Estimate { time_s: processing.time_s + all_reduce.time_s, origin })
    }

    /// T(b, 1) with the largest batch that fits on one GPU: the baseline of scaling factors, in samples per second.
    pub fn baseline_samples_per_s(&self) -> f64 {
        self.samples_per_s_single(u32::MAX)
    }

    /// The model on so many GPUs with the best batch size of a range; `None` where none of them runs.
    pub fn scaling_row(&self, range: BatchRange, gpus: u32) -> Option<ScalingRow> {
        let best = self.best_batch(range, gpus)?;
        let (batch_global, samples_per_s) = (best.batch_global, best.samples_per_s);
        let scaling_factor = samples_per_s / self.baseline_samples_per_s();
        Some(ScalingRow {
            gpus,
            all_reduce: self.all_reduce(gpus)?,
            batch_global,
            batch_per_gpu: batch_global.div_ceil(gpus),
            iteration: self.iteration(gpus, batch_global)?,
            samples_per_s,
            scaling_factor,
            efficiency: scaling_factor / f64::from(gpus),
        })
    }

    /// The time of a training of this number of samples with each batch size of the range's ladder, on every number of
    /// GPUs up to a largest one.
    pub fn training_times(&self, range: BatchRange, gpus_max: u32, samples: f64) -> Vec<BatchTimes> {
        let gpus_max = gpus_max.min(self.gpus_max());
        let training = |gpus, batch_global: u32| {
            let iteration = self.iteration(gpus, batch_global)?;
            let time_s = samples / f64::from(batch_global) * iteration.time_s;
            Some(Estimate { time_s, ..iteration })
        };
        let times = |batch_global| BatchTimes {
            batch_global,
            training: (1..=gpus_max).map(|gpus| training(gpus, batch_global)).collect(),
        };
        range.ladder().into_iter().map(times).collect()
    }
}
