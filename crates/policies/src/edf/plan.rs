//! Plans of `edf`: when each job would end if all ran in order of their deadlines.

/// A job in a plan.
pub(crate) struct Planned {
    /// Infinite for a job that has none.
    pub deadline_s: f64,
    pub samples_left: f64,
    /// When the last change will be paid for.
    pub ready_s: f64,
    /// Samples a second on each number of GPUs that it may get, rising; empty if it does not run on this cluster.
    pub speeds: Vec<(u32, f64)>,
}

impl Planned {
    pub fn widest(&self) -> u32 {
        self.speeds.last().map_or(0, |(gpus, _)| *gpus)
    }

    /// The most GPUs that it can use of so many, and its speed on them.
    pub fn level(&self, free: u32) -> Option<(u32, f64)> {
        self.speeds.iter().copied().take_while(|(gpus, _)| *gpus <= free).last()
    }
}

/// Free GPUs from now on, while jobs are planned one after the other.
pub(crate) struct Plan {
    /// Times from which so many are free, in order; the last number holds for ever.
    free: Vec<(f64, u32)>,
}

impl Plan {
    pub fn new(now_s: f64, gpus_total: u32) -> Self {
        Self { free: vec![(now_s, gpus_total)] }
    }

    /// Gives a job the most free GPUs that it can use at every moment. Returns its end, infinite if there is none.
    pub fn end_s(&mut self, job: &Planned) -> f64 {
        let mut left = job.samples_left;
        for at in 0..self.free.len() {
            let Some((start_s, free)) = self.free.get(at).copied() else { break };
            let next_s = self.free.get(at + 1).map_or(f64::INFINITY, |(next_s, _)| *next_s);
            let Some((gpus, samples_per_s)) = job.level(free) else { continue };
            let from_s = start_s.max(job.ready_s);
            let end_s = from_s + left / samples_per_s;
            if let Some(interval) = self.free.get_mut(at) {
                interval.1 = free - gpus;
            }
            if end_s <= next_s {
                if end_s < next_s {
                    self.free.insert(at + 1, (end_s, free));
                }
                return end_s;
            }
            left -= (next_s - from_s).max(0.0) * samples_per_s;
        }
        f64::INFINITY
    }
}
