//! Downey's model (A. B. Downey, "A model for speedup of parallel programs", UCB/CSD-97-933, 1997): a program has an
//! average parallelism, and a variation of it; both together span the space between the theoretical bounds of speedup.

use serde::{Deserialize, Serialize};

/// Downey's model of speedup.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Downey {
    /// The average parallelism A, from 1: the speedup on any number of GPUs is at most this.
    pub parallelism: f64,
    /// The coefficient of variance of parallelism, sigma: 0 is linear up to A GPUs; from 1 on variance is called high.
    pub variation: f64,
}

impl Downey {
    /// The speedup over one GPU: section 3.1 of the report for a variation up to 1, section 3.2 from 1 on.
    pub(super) fn speedup(&self, gpus: f64) -> f64 {
        let Self { parallelism, variation } = *self;
        let speedup = if variation <= 1.0 {
            self.low_variance(gpus)
        } else if gpus <= parallelism + parallelism * variation - variation {
            gpus * parallelism * (variation + 1.0) / (variation * (gpus + parallelism - 1.0) + parallelism)
        } else {
            parallelism
        };
        speedup.min(parallelism)
    }

    fn low_variance(&self, gpus: f64) -> f64 {
        let Self { parallelism, variation } = *self;
        if gpus <= parallelism {
            parallelism * gpus / (parallelism + variation / 2.0 * (gpus - 1.0))
        } else if gpus < 2.0 * parallelism - 1.0 {
            parallelism * gpus / (variation * (parallelism - 0.5) + gpus * (1.0 - variation / 2.0))
        } else {
            parallelism
        }
    }
}
