//! The power law of ModelArts (section 5, with 0.8): every doubling of the GPUs multiplies the throughput per GPU.

use serde::{Deserialize, Serialize};

/// The power law: S(n) = n c^log2(n).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Power {
    /// The factor c, from 0.5, with which more GPUs are no faster, to 1.
    pub factor: f64,
}

impl Power {
    /// The speedup over one GPU.
    pub(super) fn speedup(&self, gpus: f64) -> f64 {
        gpus * libm::pow(self.factor, libm::log2(gpus))
    }
}
