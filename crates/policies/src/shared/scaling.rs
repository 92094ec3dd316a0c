//! How much faster a job is on more GPUs, and with which batch size.

use elastiplan_solvers::Bidder;

/// Speed-ups from the fewest GPUs that a job runs on.
#[derive(Debug)]
pub(crate) struct Scaling {
    gpus_min: u32,
    /// On so many GPUs more than the fewest: throughput over that of one GPU, times what the job counts.
    speedups: Vec<f64>,
    /// The batch size with which it is that; `None` where there is no choice.
    batches: Vec<Option<u32>>,
}

impl Scaling {
    /// Of (speed-up, batch size) on the fewest GPUs and on each number above it.
    pub fn new(gpus_min: u32, from_fewest: impl IntoIterator<Item = (f64, Option<u32>)>) -> Self {
        let (speedups, batches) = from_fewest.into_iter().unzip();
        Self { gpus_min, speedups, batches }
    }

    pub fn gpus_min(&self) -> u32 {
        self.gpus_min
    }

    pub fn bidder(&self) -> Bidder<'_> {
        Bidder { minimum: self.gpus_min, values: &self.speedups }
    }

    pub fn speedup(&self, gpus: u32) -> Option<f64> {
        self.speedups.get(gpus.checked_sub(self.gpus_min)? as usize).copied()
    }

    pub fn batch_global(&self, gpus: u32) -> Option<u32> {
        *self.batches.get(gpus.checked_sub(self.gpus_min)? as usize)?
    }
}
