//! Costs of changing a job's GPUs.

use elastiplan_model::{Job, RescaleSeconds};

use crate::Conditions;

impl Conditions {
    /// Returns the seconds without progress when a job goes from `gpus_before` to `gpus_after`, which is not 0.
    ///
    /// Of a job's own seconds, those of its model and the general ones, the first that are known count. A move to other
    /// GPUs costs as much as growing, and so does resuming after a preemption.
    ///
    /// ```
    /// use elastiplan_scenario::Conditions;
    ///
    /// let conditions = Conditions { rescale_per_doubling_s: 2.0, ..Conditions::with_rescale_cost_s(30.0) };
    /// assert_eq!(conditions.rescale_s(None, "resnet50", 4, 8), 36.0); // 30 + 2 x log2(8)
    /// ```
    pub fn rescale_s(&self, job: Option<&Job>, model: &str, gpus_before: u32, gpus_after: u32) -> f64 {
        let own = job.and_then(|job| job.rescale).or_else(|| self.rescale_by_model.get(model).copied());
        let base_s = match own {
            Some(RescaleSeconds { down_s, .. }) if gpus_after < gpus_before => down_s,
            Some(RescaleSeconds { up_s, .. }) => up_s,
            None if gpus_after < gpus_before => self.rescale_down_s.unwrap_or(self.rescale_cost_s),
            None => self.rescale_cost_s,
        };
        base_s + self.doublings_s(gpus_after)
    }

    /// Returns the seconds without progress at the first start of a job.
    pub fn first_start_s(&self, gpus: u32) -> f64 {
        if self.start_delay_s > 0.0 { self.start_delay_s + self.doublings_s(gpus) } else { 0.0 }
    }

    /// These conditions with the costs of others.
    pub fn with_costs_of(&self, other: &Conditions) -> Conditions {
        Conditions {
            rescale_cost_s: other.rescale_cost_s,
            rescale_down_s: other.rescale_down_s,
            rescale_by_model: other.rescale_by_model.clone(),
            rescale_per_doubling_s: other.rescale_per_doubling_s,
            start_delay_s: other.start_delay_s,
            checkpoint_interval_s: other.checkpoint_interval_s,
            ..self.clone()
        }
    }

    fn doublings_s(&self, gpus: u32) -> f64 {
        let doublings = if self.rescale_per_doubling_s > 0.0 { libm::log2(f64::from(gpus.max(1))) } else { 0.0 };
        self.rescale_per_doubling_s * doublings
    }
}
