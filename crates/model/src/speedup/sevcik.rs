//! Sevcik's model (K. C. Sevcik, "Application scheduling and processor allocation in multiprogrammed parallel
//! processing systems", Performance Evaluation 19, 1994): work that is divided unevenly, a fixed overhead, and one that
//! grows with the GPUs. The Parallel Workloads Archive uses (1.02, 0.05 s, 0) for programs that are near ideal and
//! (1.3, 25 s, 25 s) for programs that scale poorly when small.

use serde::{Deserialize, Serialize};

/// Sevcik's model: T(n) = phi W / n + alpha + beta n.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sevcik {
    /// The imbalance phi, from 1: how many times the average share of the work the GPU with most of it has.
    pub imbalance: f64,
    /// The overhead alpha whatever the number of GPUs, in seconds.
    pub fixed_s: f64,
    /// The overhead beta for each GPU, in seconds. Where it is above 0, too many GPUs are slower.
    pub per_gpu_s: f64,
}

impl Sevcik {
    /// Logarithmic distance of the amounts of work that share a curve: one per cent.
    const CLASS: f64 = 0.01;

    /// The seconds that a job with so many seconds of work takes.
    pub fn time_s(&self, gpus: f64, work_s: f64) -> f64 {
        self.imbalance * work_s / gpus + self.fixed_s + self.per_gpu_s * gpus
    }

    /// The speedup over one GPU.
    pub(super) fn speedup(&self, gpus: f64, work_s: f64) -> f64 {
        self.time_s(1.0, work_s) / self.time_s(gpus, work_s)
    }

    /// The seconds of work of a job that takes so long on so many GPUs; `None` where its overheads alone take as long.
    pub fn work_s(&self, gpus: f64, time_s: f64) -> Option<f64> {
        let work_s = (time_s - self.fixed_s - self.per_gpu_s * gpus) * gpus / self.imbalance;
        (work_s > 0.0).then_some(work_s)
    }

    /// The amount of work whose curve jobs with about so much of it share: as the shape depends on the work, each job
    /// would need a curve of its own.
    pub(super) fn class_of(&self, work_s: f64) -> f64 {
        libm::exp(libm::round(libm::log(work_s) / Self::CLASS) * Self::CLASS)
    }
}
