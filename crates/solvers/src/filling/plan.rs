//! The planned GPUs of one job over time.

use super::{FreeGpus, Stretch};

/// From a time on, so many GPUs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Since when, in seconds.
    pub from_s: f64,
    /// How many.
    pub gpus: u32,
}

/// The planned GPUs of one job until it completes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// In order of time; none before the first.
    pub steps: Vec<Step>,
    /// When the job is done, in seconds; infinite if it never is.
    pub end_s: f64,
    /// Until when its GPUs are reserved: `end_s`, or somewhat later.
    pub release_s: f64,
}

/// A stretch of a plan in which it holds GPUs, always as many.
pub(super) struct Holding {
    pub from_s: f64,
    pub until_s: f64,
    pub gpus: u32,
}

impl Plan {
    /// The number of GPUs at a time.
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

    /// The stretches of time after `from_s` in which another plan holds more or less.
    pub fn differences(&self, other: &Plan, from_s: f64) -> impl Iterator<Item = Stretch> {
        let mut rest_s = Some(from_s);
        let stretches = std::iter::from_fn(move || {
            let from_s = rest_s?;
            rest_s = self.next_after(from_s).into_iter().chain(other.next_after(from_s)).min_by(f64::total_cmp);
            Some(Stretch { from_s, until_s: rest_s.unwrap_or(f64::INFINITY) })
        });
        stretches.filter(|stretch| self.gpus_at(stretch.from_s) != other.gpus_at(stretch.from_s))
    }

    /// GPUs times seconds reserved.
    pub fn gpu_seconds(&self) -> f64 {
        self.gpu_seconds_until(self.release_s)
    }

    /// The same, as the published artifact of ElasticFlow counts it: GPUs held at the end are counted until the number
    /// of free GPUs changes next, if that is before `before_s`.
    pub fn gpu_seconds_to_change(&self, free: &FreeGpus, before_s: f64) -> f64 {
        let next = free.next_from(self.release_s);
        self.gpu_seconds_until(next.filter(|change_s| *change_s < before_s).unwrap_or(self.release_s))
    }

    /// What it would reserve with another release.
    fn gpu_seconds_until(&self, release_s: f64) -> f64 {
        let ends = self.steps.iter().skip(1).map(|step| step.from_s).chain([release_s]);
        let held = |(step, end_s): (&Step, f64)| f64::from(step.gpus) * (end_s.min(release_s) - step.from_s).max(0.0);
        self.steps.iter().zip(ends).map(held).filter(|held| !held.is_nan()).sum()
    }

    /// When it holds GPUs, and how many.
    pub(super) fn holdings(&self) -> impl Iterator<Item = Holding> {
        let ends = self.steps.iter().skip(1).map(|step| step.from_s.min(self.release_s)).chain([self.release_s]);
        let holding = |(step, until_s): (&Step, f64)| Holding { from_s: step.from_s, until_s, gpus: step.gpus };
        self.steps.iter().zip(ends).map(holding).filter(|held| held.gpus > 0 && held.from_s < held.until_s)
    }
}
