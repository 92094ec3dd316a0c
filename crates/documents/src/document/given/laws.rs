//! Formulas for the speed of a curve in a document.

use elastiplan_model::{Curve, CurveError, CurveKey, Efficiency, Law, Origin, PowerLaw, ScalingTimes, ThroughputModel};
use serde::{Deserialize, Serialize};

use super::Speed;
use super::place::{Checked, Place};

/// Measurements of a job scalability analyzer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct ScalingPart {
    /// Samples rising. More than the last do not fit on a GPU.
    processing: Vec<ProcessingPart>,
    /// GPUs rising. It runs on no more than the last; on one GPU if there is none.
    #[serde(default)]
    all_reduce: Vec<AllReducePart>,
}

/// Processing time of one GPU for its part of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct ProcessingPart {
    samples_per_gpu: f64,
    time_s: f64,
}

/// Time of an all-reduce among GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct AllReducePart {
    gpus: u32,
    time_s: f64,
    /// Whether it was measured with as many weights as the model has: `measured`, `interpolated` or `assumed`.
    #[serde(default, skip_serializing_if = "is_measured")]
    origin: Origin,
}

fn is_measured(origin: &Origin) -> bool {
    *origin == Origin::Measured
}

impl ScalingPart {
    pub fn of(times: &ScalingTimes) -> Self {
        let ScalingTimes { processing_s, all_reduce_s, all_reduce_estimated } = times;
        let processing = |&(samples_per_gpu, time_s): &(f64, f64)| ProcessingPart { samples_per_gpu, time_s };
        let all_reduce = |&(gpus, time_s): &(u32, f64)| {
            let estimated = all_reduce_estimated.iter().find(|(estimated, _)| *estimated == gpus);
            AllReducePart { gpus, time_s, origin: estimated.map_or(Origin::Measured, |(_, origin)| *origin) }
        };
        Self {
            processing: processing_s.iter().map(processing).collect(),
            all_reduce: all_reduce_s.iter().map(all_reduce).collect(),
        }
    }
}

impl Speed for ScalingPart {
    fn check(&self, place: &Place, batch_global: Option<u32>) -> Checked {
        place.not_empty("processing", &self.processing, "time")?;
        let mut most_samples = 0.0;
        for (at, part) in self.processing.iter().enumerate() {
            let (samples, place) = (part.samples_per_gpu, place.entry("processing", at));
            place.positive("samples_per_gpu", samples)?;
            place.rises("samples_per_gpu", samples, most_samples)?;
            place.positive("time_s", part.time_s)?;
            most_samples = samples;
        }
        let mut most_gpus = 0;
        for (at, part) in self.all_reduce.iter().enumerate() {
            let place = place.entry("all_reduce", at);
            place.law_gpus("gpus", part.gpus)?;
            place.rises("gpus", f64::from(part.gpus), f64::from(most_gpus))?;
            place.seconds("time_s", part.time_s)?;
            most_gpus = part.gpus;
        }
        let (gpus, batch) = (most_gpus.max(1), batch_global.unwrap_or_default());
        let last = place.entry("processing", self.processing.len().saturating_sub(1));
        let fits = f64::from(batch) / f64::from(gpus) <= most_samples;
        let enough = format!("enough for a batch of {batch} on {gpus} GPU{}", if gpus == 1 { "" } else { "s" });
        last.number("samples_per_gpu", most_samples, fits, &enough)
    }

    fn curve(&self, key: CurveKey, _: Option<&Efficiency>) -> Result<Curve, CurveError> {
        let Self { processing, all_reduce } = self;
        let estimated = all_reduce.iter().filter(|part| part.origin != Origin::Measured);
        let times = ScalingTimes {
            processing_s: processing.iter().map(|part| (part.samples_per_gpu, part.time_s)).collect(),
            all_reduce_s: all_reduce.iter().map(|part| (part.gpus, part.time_s)).collect(),
            all_reduce_estimated: estimated.map(|part| (part.gpus, part.origin)).collect(),
        };
        Curve::from_law(key, Law::Scaling(times))
    }
}

impl Speed for PowerLaw {
    fn check(&self, place: &Place, _: Option<u32>) -> Checked {
        place.positive("samples_per_s", self.samples_per_s)?;
        place.number("factor", self.factor, (0.5..=1.0).contains(&self.factor), "a number from 0.5 to 1")?;
        place.law_gpus("gpus_max", self.gpus_max)
    }

    fn curve(&self, key: CurveKey, _: Option<&Efficiency>) -> Result<Curve, CurveError> {
        Curve::from_law(key, Law::Power(*self))
    }
}

impl Speed for ThroughputModel {
    fn check(&self, place: &Place, _: Option<u32>) -> Checked {
        let times = [
            ("gradient_s", self.gradient_s),
            ("gradient_s_per_sample", self.gradient_s_per_sample),
            ("local_sync_s", self.local_sync_s),
            ("local_sync_s_per_gpu", self.local_sync_s_per_gpu),
            ("node_sync_s", self.node_sync_s),
            ("node_sync_s_per_gpu", self.node_sync_s_per_gpu),
        ];
        times.into_iter().try_for_each(|(field, time_s)| place.seconds(field, time_s))?;
        let takes_time = self.gradient_s + self.gradient_s_per_sample > 0.0;
        place.check("gradient_s_per_sample", 0, takes_time, "above 0, which it must be where gradient_s is 0")?;
        place.number("overlap", self.overlap, (1.0..=10.0).contains(&self.overlap), "a number from 1 to 10")?;
        for (field, count) in [("batch_per_gpu_max", self.batch_per_gpu_max), ("gpus_per_node", self.gpus_per_node)] {
            place.check(field, count, count > 0, "a whole number from 1")?;
        }
        place.law_gpus("gpus_max", self.gpus_max)
    }

    fn curve(&self, key: CurveKey, _: Option<&Efficiency>) -> Result<Curve, CurveError> {
        Curve::from_law(key, Law::Throughput(*self))
    }
}
