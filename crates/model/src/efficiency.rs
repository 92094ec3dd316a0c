//! Statistical efficiency: the value of a sample at a batch size, in the course of training.

use serde::{Deserialize, Serialize};

use crate::limits;

/// Statistical efficiency: the value of a sample at a batch size, in the course of training (Pollux, eq. 7).
///
/// One sample at batch size `batch_base` counts 1. At batch size `b` it counts (noise + base) / (noise + b), where the
/// noise scale rises from stage to stage.
///
/// ```
/// use elastiplan_model::Efficiency;
///
/// let efficiency = Efficiency::of_noise(8, [(0.5, 0.0), (1.0, 24.0)]);
/// assert_eq!(efficiency.at(16, 100.0, 100.0), (0.5, 50.0)); // noise 0: twice the batch, half the worth
/// assert_eq!(efficiency.at(16, 50.0, 100.0), (0.8, 0.0));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Efficiency {
    /// The batch size at which work is counted, in samples.
    pub batch_base: u32,
    /// The largest batch size that the model is trained with, where that is known.
    pub batch_max: Option<u32>,
    /// The length of a whole training in samples of the base batch, if known.
    pub samples_total: Option<f64>,
    /// Rising; the last holds on.
    pub stages: Vec<Stage>,
}

/// A stretch of a training in which gradients are alike: an epoch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// Its end, as a share of the work: 0 to 1.
    pub until: f64,
    /// Measurements at some batch sizes, rising; at least one. Interpolated between them, held beyond.
    pub gradients: Vec<Gradients>,
}

/// Gradient statistics of a training at one batch size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gradients {
    /// Global batch size in samples.
    pub batch: u32,
    /// Squared norm of the mean gradient; 0 where noise is all that there is.
    pub square: f64,
    /// Variance of the gradient of a single sample. Divided by `square` it is the noise scale, in samples.
    pub variance: f64,
    /// Optimiser steps that a training at this batch size has made by the end of the stage, where that is known.
    pub steps: Option<f64>,
}

impl Gradients {
    /// The gradient noise scale, in samples. Beyond the largest amount of work it makes no difference how large it is.
    pub fn noise_scale(&self) -> f64 {
        (self.variance / self.square).min(limits::WORK_MAX)
    }
}

impl Stage {
    /// The gradients that would be measured at a batch size.
    pub fn at(&self, batch_global: u32) -> Option<Gradients> {
        let above = self.gradients.partition_point(|measured| measured.batch < batch_global);
        let below = above.checked_sub(1).and_then(|below| self.gradients.get(below));
        match (below, self.gradients.get(above)) {
            (Some(low), Some(high)) if high.batch > batch_global => {
                let share = f64::from(batch_global - low.batch) / f64::from(high.batch - low.batch);
                let between = |low: f64, high: f64| low + share * (high - low);
                Some(Gradients {
                    batch: batch_global,
                    square: between(low.square, high.square),
                    variance: between(low.variance, high.variance),
                    steps: low.steps.zip(high.steps).map(|(low, high)| between(low, high)),
                })
            }
            (_, Some(measured)) | (Some(measured), None) => Some(*measured),
            (None, None) => None,
        }
    }
}

impl Efficiency {
    /// Stages given as (until which share of the work, noise scale in samples), whatever the batch size.
    pub fn of_noise(batch_base: u32, stages: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let gradients = |noise| vec![Gradients { batch: batch_base, square: 1.0, variance: noise, steps: None }];
        let stages = stages.into_iter().map(|(until, noise)| Stage { until, gradients: gradients(noise) }).collect();
        Self { batch_base, batch_max: None, samples_total: None, stages }
    }

    /// The efficiency of a sample at a batch size with this noise scale.
    pub fn worth(&self, batch_global: u32, noise_scale: f64) -> f64 {
        (noise_scale + f64::from(self.batch_base)) / (noise_scale + f64::from(batch_global))
    }

    /// The efficiency at a batch size when `left` samples of `total` are left, and with how many left it changes; 0:
    /// it does not.
    pub fn at(&self, batch_global: u32, left: f64, total: f64) -> (f64, f64) {
        let Some((number, stage)) = self.stage(left, total) else { return (1.0, 0.0) };
        let worth = stage.at(batch_global).map_or(1.0, |found| self.worth(batch_global, found.noise_scale()));
        let is_last = number + 1 >= self.stages.len();
        (worth, if is_last { 0.0 } else { left_after(stage, total) })
    }

    /// The gradients at a batch size when `left` samples of `total` are left.
    pub fn gradients(&self, batch_global: u32, left: f64, total: f64) -> Option<Gradients> {
        self.stage(left, total)?.1.at(batch_global)
    }

    /// The stage when `left` samples of `total` are left, and its number.
    pub fn stage(&self, left: f64, total: f64) -> Option<(usize, &Stage)> {
        // Compared in the unit in which stage ends are reported: continuing from a reported end is in the next stage,
        // whatever the last digits.
        let number = self.stages.partition_point(|stage| left_after(stage, total) >= left);
        let number = number.min(self.stages.len().checked_sub(1)?);
        self.stages.get(number).map(|stage| (number, stage))
    }

    /// Optimiser steps that are left at a batch size.
    pub fn steps_left(&self, batch_global: u32, left: f64, total: f64) -> f64 {
        let Some((first, _)) = self.stage(left, total) else { return left / f64::from(batch_global) };
        let (mut steps, mut left) = (0.0, left);
        for (number, stage) in self.stages.iter().enumerate().skip(first) {
            let until_left = if number + 1 == self.stages.len() { 0.0 } else { left_after(stage, total).max(0.0) };
            let worth = stage.at(batch_global).map_or(1.0, |found| self.worth(batch_global, found.noise_scale()));
            steps += (left - until_left).max(0.0) / (worth * f64::from(batch_global));
            left = until_left;
        }
        steps
    }

    /// Whether stages rise from 0 to 1 and hold numbers of samples.
    pub(crate) fn is_sound(&self) -> bool {
        let amount = |value: f64| value > 0.0 && value <= limits::WORK_MAX;
        let sound = |measured: &Gradients| {
            measured.square >= 0.0
                && measured.square.is_finite()
                && measured.variance >= 0.0
                && measured.variance.is_finite()
                && measured.square + measured.variance > 0.0
                && (1..=limits::BATCH_MAX).contains(&measured.batch)
                && measured.steps.is_none_or(|steps| (0.0..=limits::WORK_MAX).contains(&steps))
        };
        self.stages.windows(2).all(|pair| pair[0].until < pair[1].until)
            && self.stages.iter().all(|stage| {
                (0.0..=1.0).contains(&stage.until)
                    && !stage.gradients.is_empty()
                    && stage.gradients.windows(2).all(|pair| pair[0].batch < pair[1].batch)
                    && stage.gradients.iter().all(sound)
            })
            && (1..=limits::BATCH_MAX).contains(&self.batch_base)
            && self.batch_max.is_none_or(|most| (self.batch_base..=limits::BATCH_MAX).contains(&most))
            && self.samples_total.is_none_or(amount)
    }
}

fn left_after(stage: &Stage, total: f64) -> f64 {
    (1.0 - stage.until) * total
}
