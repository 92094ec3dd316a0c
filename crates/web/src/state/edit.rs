//! What a person can change, one thing at a time.

use elastiplan_engine::Placement;
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::generate::GeneratorSpec;

use crate::state::condition::Condition;
use crate::state::data::Data;
use crate::state::inputs::Inputs;
use crate::state::preset;
use elastiplan_text::words;

/// One change of the inputs.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// How many nodes; with a log, how many besides those that come and go.
    Nodes(u32),
    /// GPUs in each.
    GpusPerNode(u32),
    /// The policy at a place is ticked or unticked.
    Tick(usize, bool),
    /// The parameters of the policy at a place.
    Spec(usize, PolicySpec),
    /// The policy at a place is put there once more, with other parameters.
    AddVariant(usize),
    /// A policy that is there more than once is taken away.
    RemoveVariant(usize),
    /// Seconds that a change of GPUs costs.
    RescaleCost(f64),
    /// Jobs arrive this many times as fast.
    ArrivalRate(f64),
    /// The time to the deadline, times this.
    Deadlines(f64),
    /// Where GPUs are taken.
    Placement(Placement),
    /// Something that runs meet, in the unit of its field.
    Condition(Condition, Option<f64>),
    /// The sample's seed, or the policies'.
    Seed(u64),
    /// All nodes are always there again.
    RemoveLog,
    /// A scenario that is built in, by its name, in place of everything.
    Preset(String),
    /// The built-in sample in place of what was loaded.
    UseSample,
    /// Jobs that are drawn with a seed, in place of what was loaded.
    Generate(GeneratorSpec, u64),
    /// Jobs, curves or a log from files, and what to call them.
    Load(Data, Option<String>),
}

impl Edit {
    /// What it is about: edits of one thing in quick succession are one step.
    pub fn what(&self) -> &'static str {
        match self {
            Edit::Nodes(_) => "nodes",
            Edit::GpusPerNode(_) => "GPUs per node",
            Edit::Tick(..) => "policies",
            Edit::Spec(..) => "parameters",
            Edit::AddVariant(_) | Edit::RemoveVariant(_) => "policies",
            Edit::Generate(..) => "generated jobs",
            Edit::RescaleCost(_) => "rescale cost",
            Edit::ArrivalRate(_) => "arrival rate",
            Edit::Deadlines(_) => "deadlines",
            Edit::Placement(_) => "placement",
            Edit::Condition(condition, _) => condition.label(),
            Edit::Seed(_) => "seed",
            Edit::RemoveLog => "availability log",
            Edit::Preset(_) => "preset",
            Edit::UseSample => "sample",
            Edit::Load(..) => "files",
        }
    }

    /// Whether it stands alone, however quickly it follows another.
    pub fn is_one_step(&self) -> bool {
        matches!(self, Edit::Tick(..) | Edit::Placement(_) | Edit::RemoveLog | Edit::Preset(_) | Edit::UseSample)
            || matches!(self, Edit::Load(..) | Edit::Generate(..) | Edit::AddVariant(_) | Edit::RemoveVariant(_))
    }

    /// Applies it. What is out of range is not applied.
    pub fn apply(self, inputs: &mut Inputs) {
        match self {
            Edit::Nodes(nodes) => inputs.set_cluster(nodes, inputs.cluster.gpus_per_node()),
            Edit::GpusPerNode(gpus) => inputs.set_cluster(inputs.nodes_always(), gpus),
            Edit::Tick(at, is_ticked) => inputs.tick(at, is_ticked),
            Edit::Spec(at, spec) => inputs.set_spec(at, spec),
            Edit::AddVariant(at) => inputs.add_variant(at),
            Edit::RemoveVariant(at) => inputs.remove_variant(at),
            Edit::RescaleCost(seconds) => set_what_if(inputs, |what_if| what_if.rescale_cost_s = seconds),
            Edit::ArrivalRate(factor) => set_what_if(inputs, |what_if| what_if.arrival_rate = factor),
            Edit::Deadlines(factor) => set_what_if(inputs, |what_if| what_if.deadline_slack = factor),
            Edit::Placement(placement) => inputs.conditions.placement = placement,
            Edit::Condition(condition, value) => {
                if let Ok(conditions) = condition.set(&inputs.conditions, value) {
                    inputs.conditions = conditions;
                }
            }
            Edit::Seed(seed) => inputs.set_seed(seed),
            Edit::RemoveLog => inputs.remove_log(),
            Edit::Preset(name) => *inputs = preset::inputs(&name).unwrap_or_else(|| inputs.clone()),
            Edit::UseSample => {
                let sample = Inputs::sample();
                let log = inputs.data.log.take();
                inputs.data = Data { log, ..sample.data };
                inputs.name = sample.name;
                inputs.what_if.seed = sample.what_if.seed;
            }
            Edit::Generate(generator, seed) => {
                inputs.what_if.seed = seed;
                inputs.generate(&generator);
                let jobs = words::counted(inputs.data.trace.jobs().len() as u64, "job", "jobs");
                inputs.name = format!("Drawn by {}, {jobs}", generator.generator().name);
            }
            Edit::Load(data, name) => {
                inputs.load(data);
                inputs.name = name.unwrap_or_else(|| inputs.name.clone());
            }
        }
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

    const BUGS: Edit = Edit::Condition(Condition::Bugs, Some(101.0));

    #[test]
    fn what_is_out_of_range_is_not_applied() {
        let before = Inputs::sample();
        for edit in [Edit::Nodes(0), Edit::GpusPerNode(65), Edit::RescaleCost(f64::NAN), Edit::ArrivalRate(-1.0), BUGS]
        {
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
