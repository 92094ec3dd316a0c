//! What a person can change, one thing at a time.

use elastiplan_model::Cluster;
use elastiplan_policies::PolicySpec;

use crate::state::data::Data;
use crate::state::inputs::Inputs;

/// One change of the inputs.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// How many nodes.
    Nodes(u32),
    /// GPUs in each.
    GpusPerNode(u32),
    /// A policy is ticked or unticked.
    Tick(String, bool),
    /// A policy's parameters.
    Spec(PolicySpec),
    /// Seconds that a change of GPUs costs.
    RescaleCost(f64),
    /// Jobs arrive this many times as fast.
    ArrivalRate(f64),
    /// The time to the deadline, times this.
    Deadlines(f64),
    /// The sample's seed, or the policies'.
    Seed(u64),
    /// The built-in sample in place of what was loaded.
    UseSample,
    /// Jobs and curves from files, and what to call them.
    Load(Data, Option<String>),
}

impl Edit {
    /// What it is about: edits of one thing in quick succession are one step.
    pub fn what(&self) -> &'static str {
        match self {
            Edit::Nodes(_) => "nodes",
            Edit::GpusPerNode(_) => "GPUs per node",
            Edit::Tick(..) => "policies",
            Edit::Spec(_) => "parameters",
            Edit::RescaleCost(_) => "rescale cost",
            Edit::ArrivalRate(_) => "arrival rate",
            Edit::Deadlines(_) => "deadlines",
            Edit::Seed(_) => "seed",
            Edit::UseSample => "sample",
            Edit::Load(..) => "files",
        }
    }

    /// Whether it stands alone, however quickly it follows another.
    pub fn is_one_step(&self) -> bool {
        matches!(self, Edit::Tick(..) | Edit::UseSample | Edit::Load(..))
    }

    /// Applies it. What is out of range is not applied.
    pub fn apply(self, inputs: &mut Inputs) {
        match self {
            Edit::Nodes(nodes) => set_cluster(inputs, nodes, inputs.cluster.gpus_per_node()),
            Edit::GpusPerNode(gpus) => set_cluster(inputs, inputs.cluster.nodes(), gpus),
            Edit::Tick(name, is_ticked) => inputs.tick(&name, is_ticked),
            Edit::Spec(spec) => inputs.set_spec(spec),
            Edit::RescaleCost(seconds) => set_what_if(inputs, |what_if| what_if.rescale_cost_s = seconds),
            Edit::ArrivalRate(factor) => set_what_if(inputs, |what_if| what_if.arrival_rate = factor),
            Edit::Deadlines(factor) => set_what_if(inputs, |what_if| what_if.deadline_slack = factor),
            Edit::Seed(seed) => inputs.set_seed(seed),
            Edit::UseSample => {
                let sample = Inputs::sample();
                inputs.data = sample.data;
                inputs.name = sample.name;
                inputs.what_if.seed = sample.what_if.seed;
            }
            Edit::Load(data, name) => {
                inputs.data = data;
                inputs.name = name.unwrap_or_else(|| inputs.name.clone());
            }
        }
    }
}

fn set_cluster(inputs: &mut Inputs, nodes: u32, gpus_per_node: u32) {
    if let Ok(cluster) = Cluster::new(nodes, gpus_per_node) {
        inputs.cluster = cluster;
    }
}

fn set_what_if(inputs: &mut Inputs, set: impl FnOnce(&mut elastiplan_scenario::WhatIf)) {
    let mut what_if = inputs.what_if;
    set(&mut what_if);
    if what_if.validate().is_ok() {
        inputs.what_if = what_if;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_range_is_not_applied() {
        let before = Inputs::sample();
        for edit in [Edit::Nodes(0), Edit::GpusPerNode(65), Edit::RescaleCost(f64::NAN), Edit::ArrivalRate(-1.0)] {
            let mut inputs = before.clone();
            edit.apply(&mut inputs);
            assert_eq!(inputs, before);
        }
    }

    #[test]
    fn the_sample_comes_back_as_it_was_but_for_the_cluster() {
        let mut inputs = Inputs::sample();
        Edit::Nodes(20).apply(&mut inputs);
        Edit::Load(Data::sample(9), Some("other".into())).apply(&mut inputs);
        Edit::UseSample.apply(&mut inputs);
        assert_eq!((inputs.name.as_str(), inputs.cluster.nodes()), (elastiplan_scenario::sample::NAME, 20));
    }
}
