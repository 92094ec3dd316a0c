//! A model whose speed follows from processing and all-reduce times, whatever the batch size.

use elastiplan_model::{BatchRange, Curve, CurveKey, Law, Origin, ScalingTimes};

/// What a job scalability analyzer would tell of a model.
#[derive(Debug)]
pub struct PublishedScaling {
    /// The model.
    pub model: &'static str,
    /// The batch sizes that it is trained with.
    pub batches: BatchRange,
    /// (samples on a GPU, seconds), samples rising; more than the last do not fit.
    pub processing_s: &'static [(f64, f64)],
    /// (GPUs, seconds of an all-reduce), from 2 GPUs on.
    pub all_reduce_s: &'static [(u32, f64)],
    /// The GPUs for which that is a figure of the source; for others it is assumed.
    pub all_reduce_told: &'static [u32],
    /// Minutes that a job takes on one GPU.
    pub single_gpu_minutes: f64,
}

impl PublishedScaling {
    /// The times.
    pub fn times(&self) -> ScalingTimes {
        let untold = self.all_reduce_s.iter().filter(|(gpus, _)| !self.all_reduce_told.contains(gpus));
        ScalingTimes {
            processing_s: self.processing_s.to_vec(),
            all_reduce_s: self.all_reduce_s.to_vec(),
            all_reduce_estimated: untold.map(|(gpus, _)| (*gpus, Origin::Assumed)).collect(),
        }
    }

    /// Samples per second of one GPU with as much of the largest batch as fits: what scaling factors count from.
    pub fn samples_per_s_single(&self) -> f64 {
        self.times().samples_per_s_single(self.batches.most)
    }

    /// The fewest GPUs on which a batch fits.
    pub fn gpus_needed(&self, batch_global: u32) -> u32 {
        batch_global.div_ceil(self.times().batch_per_gpu_max().max(1))
    }

    /// The curve at the largest batch of one GPU, from which those at others follow.
    pub(super) fn curve(&self) -> Option<Curve> {
        let times = self.times();
        let batch_global = Some(self.batches.most.min(times.batch_per_gpu_max()));
        Curve::from_law(CurveKey { model: self.model.into(), batch_global }, Law::Scaling(times)).ok()
    }
}
