//! What one job is to hold, as time goes on.

use super::FreeGpus;

/// From a time on, so many GPUs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Since when, in seconds.
    pub from_s: f64,
    /// How many.
    pub gpus: u32,
}

/// What one job is to hold, until it is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// In order of time; none before the first.
    pub steps: Vec<Step>,
    /// When the job is done, in seconds; infinite if it never is.
    pub end_s: f64,
    /// Until when its GPUs are reserved: `end_s`, or somewhat later.
    pub release_s: f64,
}

impl Plan {
    /// How many GPUs it holds at a time.
    pub fn gpus_at(&self, time_s: f64) -> u32 {
        if time_s >= self.release_s {
            return 0;
        }
        let next = self.steps.partition_point(|step| step.from_s <= time_s);
        next.checked_sub(1).and_then(|at| self.steps.get(at)).map_or(0, |step| step.gpus)
    }

    /// The first change after a time, its end included; `None` after that.
    pub fn next_after(&self, time_s: f64) -> Option<f64> {
        let next = self.steps.iter().map(|step| step.from_s).find(|from_s| *from_s > time_s);
        next.or(Some(self.release_s)).filter(|next_s| *next_s > time_s && next_s.is_finite())
    }

    /// GPUs times seconds reserved.
    pub fn gpu_seconds(&self) -> f64 {
        let ends = self.steps.iter().skip(1).map(|step| step.from_s).chain([self.release_s]);
        let held =
            |(step, end_s): (&Step, f64)| f64::from(step.gpus) * (end_s.min(self.release_s) - step.from_s).max(0.0);
        self.steps.iter().zip(ends).map(held).filter(|held| !held.is_nan()).sum()
    }

    /// The same, as the published artifact of ElasticFlow counts it: GPUs held at the end are counted until the number
    /// of free GPUs changes next, if that is before `before_s`.
    pub fn gpu_seconds_to_change(&self, free: &FreeGpus, before_s: f64) -> f64 {
        let mut changes = free.steps().iter().map(|step| step.from_s);
        let tail_s = changes.find(|change_s| *change_s >= self.release_s && *change_s < before_s);
        Self { release_s: tail_s.unwrap_or(self.release_s), ..self.clone() }.gpu_seconds()
    }
}
