//! What a change of a job's GPUs costs.

use std::collections::BTreeMap;

use elastiplan_model::{Job, RescaleSeconds, limits};
use serde::{Deserialize, Serialize};

/// Seconds without progress after a change, and what is lost when a node leaves.
///
/// Of a job's own times, those of its model and the general ones, the first that are known count. A move to other GPUs
/// costs as much as growing, and so does coming back after a preemption.
///
/// ```
/// use elastiplan_engine::Costs;
///
/// let costs = Costs { per_doubling_s: 2.0, ..Costs::constant(30.0) };
/// assert_eq!(costs.rescale_s(None, "resnet50", 4, 8), 36.0); // 30 + 2 x log2(8)
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Costs {
    /// For jobs and models of which nothing else is known.
    pub rescale: RescaleSeconds,
    /// By the name of the model.
    pub by_model: BTreeMap<String, RescaleSeconds>,
    /// More for every doubling of the GPUs that the job has after the change.
    pub per_doubling_s: f64,
    /// At the first start of a job.
    pub start_s: f64,
    /// Everything above times this.
    pub factor: f64,
    /// Seconds of training between checkpoints: what was done since the last one is lost when a node leaves. `None`:
    /// nothing is lost. A change that the policy asks for begins with a checkpoint.
    pub checkpoint_interval_s: Option<f64>,
}

impl Default for Costs {
    fn default() -> Self {
        Self::constant(30.0)
    }
}

impl Costs {
    /// The same for every job and change.
    pub fn constant(rescale_s: f64) -> Self {
        Self {
            rescale: RescaleSeconds { up_s: rescale_s, down_s: rescale_s },
            by_model: BTreeMap::new(),
            per_doubling_s: 0.0,
            start_s: 0.0,
            factor: 1.0,
            checkpoint_interval_s: None,
        }
    }

    /// Seconds without progress when a job goes from `gpus_before` to `gpus_after`, which is not 0.
    pub fn rescale_s(&self, job: Option<&Job>, model: &str, gpus_before: u32, gpus_after: u32) -> f64 {
        let own = job.and_then(|job| job.rescale);
        let RescaleSeconds { up_s, down_s } = own.or_else(|| self.by_model.get(model).copied()).unwrap_or(self.rescale);
        let base_s = if gpus_after < gpus_before { down_s } else { up_s };
        self.scaled_s(base_s, gpus_after)
    }

    /// Seconds without progress at the first start.
    pub fn first_start_s(&self, gpus: u32) -> f64 {
        if self.start_s > 0.0 { self.scaled_s(self.start_s, gpus) } else { 0.0 }
    }

    fn scaled_s(&self, base_s: f64, gpus: u32) -> f64 {
        let doublings = if self.per_doubling_s > 0.0 { libm::log2(f64::from(gpus.max(1))) } else { 0.0 };
        (base_s + self.per_doubling_s * doublings) * self.factor
    }

    /// The first value that is out of range.
    pub(crate) fn out_of_range(&self) -> Option<f64> {
        let models = self.by_model.values().flat_map(|seconds| [seconds.up_s, seconds.down_s]);
        let seconds = [self.rescale.up_s, self.rescale.down_s, self.per_doubling_s, self.start_s];
        let seconds = seconds.into_iter().chain(models).find(|s| !(0.0..=limits::RESCALE_MAX_S).contains(s));
        let factor = Some(self.factor).filter(|factor| !(0.0..=1e6).contains(factor));
        let interval = self.checkpoint_interval_s.filter(|s| !(*s > 0.0 && *s <= limits::TIME_MAX_S));
        seconds.or(factor).or(interval)
    }
}
