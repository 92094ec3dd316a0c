//! The worth of samples in a document.

use elastiplan_model::limits::{BATCH_MAX, WORK_MAX};
use elastiplan_model::{Efficiency, Gradients, Stage};
use serde::{Deserialize, Serialize};

use super::place::{BATCH, Checked, Place};

/// The worth of samples by batch size and stage of the training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct EfficiencyPart {
    /// The batch size at which a sample counts 1.
    batch_base: u32,
    /// The largest batch size that the model is trained with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    batch_max: Option<u32>,
    /// The length of a whole training, in samples of the base batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    samples_total: Option<f64>,
    /// The stages in their order.
    stages: Vec<StagePart>,
}

/// A stage of the training: its noise, or gradients at several batch sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct StagePart {
    /// The share of the work at which it ends; the last one holds on.
    until_share: f64,
    /// Gradient noise scale in samples, whatever the batch size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    noise_samples: Option<f64>,
    /// Measurements, batch sizes rising.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gradients: Option<Vec<GradientsPart>>,
}

/// Global batch size, squared norm of the mean gradient, variance of that of a sample, and optimiser steps by the end of
/// the stage, where they are known. Without names: there are hundreds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct GradientsPart(u32, f64, f64, #[serde(default)] Option<f64>);

/// The gradients of a stage of which only the noise scale is known.
fn of_noise(batch_base: u32, noise_samples: f64) -> Gradients {
    Gradients { batch: batch_base, square: 1.0, variance: noise_samples, steps: None }
}

impl EfficiencyPart {
    pub fn of(efficiency: &Efficiency) -> Self {
        let Efficiency { batch_base, batch_max, samples_total, ref stages } = *efficiency;
        let stages = stages.iter().map(|stage| StagePart::of(stage, batch_base)).collect();
        Self { batch_base, batch_max, samples_total, stages }
    }

    pub fn efficiency(&self) -> Efficiency {
        let Self { batch_base, batch_max, samples_total, ref stages } = *self;
        let stages = stages.iter().map(|stage| stage.stage(batch_base)).collect();
        Efficiency { batch_base, batch_max, samples_total, stages }
    }

    pub fn check(&self, place: &Place) -> Checked {
        let base = self.batch_base;
        place.check("batch_base", base, (1..=BATCH_MAX).contains(&base), BATCH)?;
        if let Some(most) = self.batch_max {
            place.check("batch_max", most, (base..=BATCH_MAX).contains(&most), "from batch_base to 2^30")?;
        }
        if let Some(total) = self.samples_total {
            place.number("samples_total", total, total > 0.0 && total <= WORK_MAX, "above 0 and at most 1e18")?;
        }
        let mut before = f64::NEG_INFINITY;
        for (at, stage) in self.stages.iter().enumerate() {
            let (until, place) = (stage.until_share, place.entry("stages", at));
            place.number("until_share", until, (0.0..=1.0).contains(&until), "a number from 0 to 1")?;
            place.rises("until_share", until, before)?;
            stage.check(&place)?;
            before = until;
        }
        Ok(())
    }
}

impl StagePart {
    fn of(stage: &Stage, batch_base: u32) -> Self {
        let until_share = stage.until;
        if let [only] = stage.gradients.as_slice()
            && *only == of_noise(batch_base, only.variance)
            && only.variance <= WORK_MAX
        {
            return Self { until_share, noise_samples: Some(only.variance), gradients: None };
        }
        let part = |found: &Gradients| GradientsPart(found.batch, found.square, found.variance, found.steps);
        Self { until_share, noise_samples: None, gradients: Some(stage.gradients.iter().map(part).collect()) }
    }

    fn stage(&self, batch_base: u32) -> Stage {
        let of_noise = self.noise_samples.map(|noise| of_noise(batch_base, noise));
        let part = |&GradientsPart(batch, square, variance, steps): &_| Gradients { batch, square, variance, steps };
        let measured = self.gradients.iter().flatten().map(part);
        Stage { until: self.until_share, gradients: of_noise.into_iter().chain(measured).collect() }
    }

    fn check(&self, place: &Place) -> Checked {
        let one = "noise_samples or gradients, one of them";
        match (self.noise_samples, &self.gradients) {
            (Some(noise), None) => {
                place.number("noise_samples", noise, (0.0..=WORK_MAX).contains(&noise), "a number from 0 to 1e18")
            }
            (None, Some(gradients)) => check_gradients(place, gradients),
            (Some(_), Some(_)) => place.check("gradients", "a second value", false, one),
            (None, None) => place.check("noise_samples", "a missing value", false, one),
        }
    }
}

fn check_gradients(place: &Place, gradients: &[GradientsPart]) -> Checked {
    place.not_empty("gradients", gradients, "batch size")?;
    let mut before = 0.0;
    for (at, &GradientsPart(batch, square, variance, steps)) in gradients.iter().enumerate() {
        let (place, number) = (place.entry("gradients", at), f64::from(batch));
        place.value(0, number, (1..=BATCH_MAX).contains(&batch), BATCH)?;
        place.value_rises(0, number, before)?;
        place.value(1, square, square >= 0.0, "a number of 0 or more")?;
        place.value(2, variance, variance >= 0.0, "a number of 0 or more")?;
        place.value(2, variance, square + variance > 0.0, "above 0, which it must be where the gradient is 0")?;
        if let Some(steps) = steps {
            place.value(3, steps, (0.0..=WORK_MAX).contains(&steps), "a number from 0 to 1e18")?;
        }
        before = number;
    }
    Ok(())
}
