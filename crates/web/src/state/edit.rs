//! What a person can change, one thing at a time.

use std::sync::Arc;

use elastiplan_policies::PolicySpec;
use elastiplan_scenario::fields::{Field, Value};

use crate::state::controls::set;
use crate::state::data::{Data, Origin};
use crate::state::inputs::Inputs;
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
    /// A field of the conditions, by its key, gets another value.
    Field(&'static str, Value),
    /// All nodes are always there again.
    RemoveLog,
    /// A preset in place of everything.
    Preset(Box<Inputs>),
    /// The built-in sample in place of what was loaded.
    UseSample,
    /// Data with jobs that were drawn with a seed, in place of what was loaded.
    Generate(Data, u64),
    /// Data with jobs that were drawn anew with another seed.
    Seed(Data, u64),
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
            Edit::Seed(..) => "seed",
            Edit::Field(key, _) => key,
            Edit::RemoveLog => "availability log",
            Edit::Preset(_) => "preset",
            Edit::UseSample => "sample",
            Edit::Load(..) => "files",
        }
    }

    /// Whether it stands alone, however quickly it follows another.
    pub fn is_one_step(&self) -> bool {
        matches!(
            self,
            Edit::Tick(..) | Edit::Field(_, Value::Placement(_)) | Edit::RemoveLog | Edit::Preset(_) | Edit::UseSample
        ) || matches!(self, Edit::Load(..) | Edit::Generate(..) | Edit::AddVariant(_) | Edit::RemoveVariant(_))
    }

    /// Whether other jobs take the place of these: what was asked of these says nothing about them.
    pub fn brings_other_jobs(&self, inputs: &Inputs) -> bool {
        match self {
            Edit::Preset(_) | Edit::UseSample | Edit::Generate(..) => true,
            Edit::Load(data, _) => !Arc::ptr_eq(&data.trace, &inputs.data.trace),
            _ => false,
        }
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
            Edit::Field(key, value) => {
                if let Some(Ok(conditions)) = Field::named(key).map(|field| set(field, &inputs.conditions, value)) {
                    inputs.conditions = conditions;
                }
            }
            Edit::RemoveLog => inputs.remove_log(),
            Edit::Preset(preset) => *inputs = *preset,
            Edit::UseSample => {
                let sample = Inputs::sample();
                let log = inputs.data.log.take();
                inputs.set_data(Data { log, ..sample.data });
                inputs.name = sample.name;
                inputs.conditions.seed = sample.conditions.seed;
            }
            Edit::Seed(data, seed) => {
                inputs.conditions.seed = seed;
                inputs.set_data(data);
            }
            Edit::Generate(data, seed) => {
                Edit::Seed(data, seed).apply(inputs);
                if let Origin::Generated(generator) = &inputs.data.trace_origin {
                    let jobs = words::counted(inputs.data.trace.jobs().len() as u64, "job", "jobs");
                    inputs.name = format!("Drawn by {}, {jobs}", generator.generator().name);
                }
            }
            Edit::Load(data, name) => {
                inputs.load(data);
                inputs.name = name.unwrap_or_else(|| inputs.name.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_scenario::fields::FIELDS;

    use super::*;

    #[test]
    fn what_is_out_of_range_is_not_applied() {
        let before = Inputs::sample();
        let field = |key, value| Edit::Field(key, Value::Number(value));
        let fields = [
            field("what_if.rescale_cost_s", f64::NAN),
            field("what_if.arrival_rate", -1.0),
            field("conditions.faults.bug_share", 1.01),
            field("no such field", 1.0),
        ];
        for edit in [Edit::Nodes(0), Edit::GpusPerNode(65)].into_iter().chain(fields) {
            let mut inputs = before.clone();
            edit.apply(&mut inputs);
            assert_eq!(inputs, before);
        }
    }

    #[test]
    fn every_field_with_a_control_is_set_by_its_key() {
        for field in FIELDS.iter().filter(|field| field.control.is_some()) {
            let mut inputs = Inputs::sample();
            inputs.data.log = None;
            Edit::Field(field.key, field.example()).apply(&mut inputs);
            assert_eq!(field.get(&inputs.scenario().conditions), field.example(), "{}", field.key);
        }
    }

    #[test]
    fn the_sample_comes_back_as_it_was_but_for_the_cluster() {
        let mut inputs = Inputs::sample();
        Edit::Nodes(20).apply(&mut inputs);
        Edit::Load(Inputs::sample().data, Some("other".into())).apply(&mut inputs);
        Edit::UseSample.apply(&mut inputs);
        assert_eq!((inputs.name.as_str(), inputs.cluster.nodes()), (elastiplan_scenario::sample::NAME, 20));
    }
}
