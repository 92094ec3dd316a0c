//! The speed-up of a job on more GPUs, with the batch sizes that go with it.

use elastiplan_solvers::Bidder;

/// Speed-ups from the fewest GPUs that a job runs on.
#[derive(Debug)]
pub(crate) struct Scaling {
    gpus_min: u32,
    /// Throughput over that of one GPU, times the job's priority, on the fewest GPUs and each number above.
    speedups: Vec<f64>,
    /// The batch size for each of them; `None` where there is no choice.
    batches: Vec<Option<u32>>,
}

impl Scaling {
    /// Collects (speed-up, batch size) on the fewest GPUs and on each number above.
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
