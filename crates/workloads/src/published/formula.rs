//! A model whose speed and statistical efficiency are formulas, whatever the batch size.

use elastiplan_model::{Curve, CurveKey, Efficiency, Law, ThroughputModel};

/// A model by formula, with what a whole training takes.
#[derive(Debug)]
pub struct PublishedModel {
    /// The model.
    pub model: &'static str,
    /// How long steps take.
    pub times: ThroughputModel,
    /// The batch size that training starts with, in which work is counted.
    pub batch_base: u32,
    /// The largest batch size to be used.
    pub batch_max: u32,
    /// The fewest samples on a GPU at a time.
    pub batch_per_gpu_min: u32,
    /// What a whole training takes, in samples of the base batch.
    pub samples_total: f64,
    /// Until which share of the work which gradient noise scale holds, in samples.
    pub stages: &'static [(f64, f64)],
}

/// The best that can be done with some number of GPUs and one batch size throughout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestBatch {
    /// Global batch size in samples.
    pub batch_global: u32,
    /// Seconds that a whole training takes.
    pub training_s: f64,
}

impl PublishedModel {
    /// The batch sizes that jobs ask for: the base batch and every doubling up to the largest.
    pub fn batches(&self) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(self.batch_base), |batch| batch.checked_mul(2)).take_while(|b| *b <= self.batch_max)
    }

    /// The same, as far as so many GPUs have enough samples each.
    pub fn batches_on(&self, gpus: u32) -> impl Iterator<Item = u32> + '_ {
        self.batches().filter(move |batch| batch / gpus.max(1) >= self.batch_per_gpu_min)
    }

    /// What samples are worth.
    pub fn efficiency(&self) -> Efficiency {
        let stages = Efficiency::of_noise(self.batch_base, self.stages.iter().copied());
        Efficiency { batch_max: Some(self.batch_max), samples_total: Some(self.samples_total), ..stages }
    }

    /// The curve at the base batch, from which those at others follow.
    pub(super) fn curve(&self) -> Option<Curve> {
        let key = CurveKey { model: self.model.into(), batch_global: Some(self.batch_base) };
        Curve::from_law(key, Law::Throughput(self.times)).ok()?.with_efficiency(self.efficiency()).ok()
    }

    /// Samples that a whole training processes with one batch size throughout.
    pub fn samples(&self, batch_global: u32) -> f64 {
        let total = self.samples_total;
        self.efficiency().steps_left(batch_global, total, total) * f64::from(batch_global)
    }

    /// Seconds of a whole training on so many GPUs, packed, with one batch size throughout; `None` where it does not
    /// run.
    pub fn training_s(&self, gpus: u32, batch_global: u32) -> Option<f64> {
        let nodes = gpus.div_ceil(self.times.gpus_per_node);
        let samples_per_s = Law::Throughput(self.times).samples_per_s(gpus, nodes, Some(batch_global));
        (samples_per_s > 0.0).then(|| self.samples(batch_global) / samples_per_s)
    }

    /// The batch size with which a whole training on so many GPUs is shortest.
    pub fn best_batch(&self, gpus: u32) -> Option<BestBatch> {
        let all = self.batches_on(gpus).filter_map(|batch_global| {
            let training_s = self.training_s(gpus, batch_global)?;
            Some(BestBatch { batch_global, training_s })
        });
        all.min_by(|a, b| a.training_s.total_cmp(&b.training_s))
    }

    /// How many times as fast as on one GPU a training is on so many, each with its best batch size (Pollux, section
    /// 5.2).
    pub fn speedup(&self, gpus: u32) -> Option<f64> {
        Some(self.best_batch(1)?.training_s / self.best_batch(gpus)?.training_s)
    }
}
