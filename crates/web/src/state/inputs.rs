//! Everything a person can set: what undo goes back to, and what makes results stale.

use elastiplan_model::Cluster;
use elastiplan_policies::{PolicySpec, REGISTRY};
use elastiplan_scenario::{WhatIf, sample};

use crate::state::data::Data;

/// The most policies in one comparison: there are four badges.
pub const SLOTS_MAX: usize = 4;

/// The inputs. Cheap to clone: data are shared.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// What the scenario is called.
    pub name: String,
    /// Jobs and curves.
    pub data: Data,
    /// The machines.
    pub cluster: Cluster,
    /// What is asked to be different from the files.
    pub what_if: WhatIf,
    /// Every policy of the registry with its parameters, ticked or not.
    specs: Vec<PolicySpec>,
    /// The names of the ticked ones, in the order ticked.
    ticked: Vec<String>,
}

impl Inputs {
    /// What is there before anybody has done anything: the sample, and every policy that there is a badge for.
    pub fn sample() -> Self {
        let scenario = sample::scenario(sample::SEED);
        let specs: Vec<PolicySpec> = REGISTRY.iter().filter_map(|entry| entry.name.parse().ok()).collect();
        let first = ["fixed", "equal-share", "elastic-dp"];
        let ticked = specs.iter().map(|spec| spec.name().to_string()).filter(|name| first.contains(&name.as_str()));
        Self {
            name: sample::NAME.into(),
            data: Data::sample(sample::SEED),
            cluster: scenario.cluster,
            what_if: scenario.what_if,
            ticked: ticked.collect(),
            specs,
        }
    }

    /// Every policy, as it is set.
    pub fn specs(&self) -> &[PolicySpec] {
        &self.specs
    }

    /// The ticked policies, in the order ticked.
    pub fn policies(&self) -> Vec<PolicySpec> {
        let spec = |name: &String| self.specs.iter().find(|spec| spec.name() == name).cloned();
        self.ticked.iter().filter_map(spec).collect()
    }

    /// Whether another policy can be ticked.
    pub fn has_free_slot(&self) -> bool {
        self.ticked.len() < SLOTS_MAX
    }

    /// Ticks or unticks a policy.
    pub fn tick(&mut self, name: &str, is_ticked: bool) {
        self.ticked.retain(|ticked| ticked != name);
        if is_ticked && self.has_free_slot() {
            self.ticked.push(name.into());
        }
    }

    /// Changes the parameters of a policy.
    pub fn set_spec(&mut self, spec: PolicySpec) {
        if let Some(place) = self.specs.iter_mut().find(|known| known.name() == spec.name()) {
            *place = spec;
        }
    }

    /// Draws the sample anew, or gives the policies another seed.
    pub fn set_seed(&mut self, seed: u64) {
        self.what_if.seed = seed;
        if self.data.trace_origin.is_sample() {
            self.data.trace = Data::sample(seed).trace;
        }
    }

    /// Whether everything but the policies is the same.
    pub fn same_scenario(&self, other: &Self) -> bool {
        self.data == other.data && self.cluster == other.cluster && self.what_if == other.what_if
    }

    /// Whether runs of the one are runs of the other.
    pub fn same_runs(&self, other: &Self) -> bool {
        self.same_scenario(other) && self.policies() == other.policies()
    }

    /// The what-ifs as they are if nobody touches them.
    pub fn what_if_default(&self) -> WhatIf {
        WhatIf { seed: self.what_if.seed, ..WhatIf::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_keep_the_order_in_which_they_were_ticked() {
        let mut inputs = Inputs::sample();
        inputs.tick("fixed", false);
        inputs.tick("fixed", true);
        let names: Vec<String> = inputs.policies().iter().map(ToString::to_string).collect();
        assert_eq!(names, ["equal-share", "elastic-dp", "fixed"]);
    }

    #[test]
    fn parameters_outlive_unticking() {
        let mut inputs = Inputs::sample();
        inputs.set_spec("elastic-dp[delta_s=60]".parse().unwrap());
        inputs.tick("elastic-dp", false);
        assert_eq!(inputs.policies().len(), 2);
        inputs.tick("elastic-dp", true);
        assert_eq!(inputs.policies()[2].to_string(), "elastic-dp[delta_s=60]");
    }

    #[test]
    fn another_name_or_an_unticked_parameter_makes_nothing_stale() {
        let before = Inputs::sample();
        let mut after = before.clone();
        after.name = "other".into();
        assert!(after.same_runs(&before));
        after.tick("elastic-dp", false);
        assert!(!after.same_runs(&before) && after.same_scenario(&before));
        after.set_seed(4);
        assert!(!after.same_scenario(&before), "the seed draws other jobs");
    }
}
