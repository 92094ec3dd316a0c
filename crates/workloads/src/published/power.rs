//! A model whose speed is a power law.

use elastiplan_model::{Curve, CurveKey, Law, PowerLaw};

/// A model that every doubling of the GPUs makes less than twice as fast, whatever the batch size.
#[derive(Debug)]
pub struct PublishedPower {
    /// The model.
    pub model: &'static str,
    /// Throughput of one GPU.
    pub samples_per_s: f64,
    /// What every doubling multiplies the throughput per GPU by.
    pub factor: f64,
    /// The most GPUs that it runs on.
    pub gpus_max: u32,
}

impl PublishedPower {
    /// Throughput on so many GPUs.
    pub fn samples_per_s(&self, gpus: u32) -> f64 {
        self.law().samples_per_s(gpus, 1, None)
    }

    pub(super) fn curve(&self) -> Option<Curve> {
        Curve::from_law(CurveKey { model: self.model.into(), batch_global: None }, self.law()).ok()
    }

    fn law(&self) -> Law {
        let Self { samples_per_s, factor, gpus_max, .. } = *self;
        Law::Power(PowerLaw { samples_per_s, factor, gpus_max })
    }
}
