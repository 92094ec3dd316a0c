//! What a person can change, one thing at a time.

use std::sync::Arc;

use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Fork;
use elastiplan_scenario::fields::{Field, Value};

use crate::state::data::{Data, Origin};
use crate::state::inputs::Inputs;
use crate::state::study_open::OpenedRun;
use elastiplan_study::Spec;
use elastiplan_text::words;

/// The key of the time at which simulations end.
const UNTIL: &str = "conditions.until_s";
/// The longest name of a run.
const NAME_MAX: usize = 200;

/// One change of the inputs.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// How many nodes; with a log, how many besides those that come and go.
    Nodes(u32),
    /// GPUs in each.
    GpusPerNode(u32),
    /// A run of a policy is added.
    Add(PolicySpec),
    /// A run is put there once more.
    Duplicate(u32),
    /// A run is put after another that is the same until a fork.
    Fork(u32, Fork),
    /// A run is taken away.
    Remove(u32),
    /// A run is moved to a place in the list.
    Move(u32, usize),
    /// A run is given a name, or with an empty text none.
    Rename(u32, String),
    /// A run is left out of pictures and tables, or shown again.
    Hide(u32, bool),
    /// All runs but this one and the baseline are left out of pictures and tables; with `None` all are shown.
    Only(Option<u32>),
    /// A run is frozen with its inputs and becomes the baseline, or follows the inputs again.
    Pin(u32, bool),
    /// The inputs become those of a pinned run.
    BackTo(u32),
    /// The policy of a run gets other settings.
    Spec(u32, PolicySpec),
    /// A field, by its key, has another value for a run than in the inputs; or the same again.
    Differ(u32, &'static str, Option<Value>),
    /// A field goes back to this value.
    Restore(&'static str, Value),
    /// A field of the conditions, by its key, gets another value.
    Field(&'static str, Value),
    /// All runs end at this time, in seconds on the clock of the trace, whatever they had of their own.
    EndAll(f64),
    /// Curves that were there before the last ones go.
    KeepLastCurves,
    /// All nodes are always there again.
    RemoveLog,
    /// A preset in place of everything.
    Preset(Box<Inputs>),
    /// Kept work, or a scenario with a list of runs of its own, in place of everything.
    Work(Box<Inputs>),
    /// The built-in sample in place of what was loaded.
    UseSample,
    /// Data with jobs that were drawn with a seed, in place of what was loaded.
    Generate(Data, u64),
    /// Data with jobs that were drawn anew with another seed.
    Seed(Data, u64),
    /// Jobs, curves or a log from files, and what to call them.
    Load(Data, Option<String>),
    /// The same, with fields of the scenario, by their keys, that were chosen for them.
    LoadWith(Data, Option<String>, Vec<(&'static str, Value)>),
    /// What is varied and what is asked; `None` for no study.
    Study(Option<Spec>),
    /// The study while a part of it is typed.
    TypeStudy(Spec),
    /// Runs of a study are put into the list, two of them side by side.
    Open(Vec<OpenedRun>),
    /// Runs that were set aside for those of a study are shown again.
    EndSideBySide,
    /// These inputs with the shown runs of others pinned beside theirs ([`Inputs::compare_with`]).
    CompareWith(Box<Inputs>),
}

/// What an edit is about: a field, a run, a setting of a run.
pub type Topic = (&'static str, Option<u32>);

impl Edit {
    /// What it is about, before it is applied to these inputs: edits of one thing in quick succession are one step.
    pub fn what(&self, inputs: &Inputs) -> Topic {
        let of_run = match self {
            Edit::Rename(id, _) | Edit::Spec(id, _) | Edit::Differ(id, ..) => Some(*id),
            _ => None,
        };
        let setting = match self {
            Edit::Spec(id, spec) => inputs.run(*id).and_then(|run| changed_parameter(&run.policy, spec)),
            _ => None,
        };
        (setting.unwrap_or(self.subject()), of_run)
    }

    fn subject(&self) -> &'static str {
        match self {
            Edit::Nodes(_) => "nodes",
            Edit::GpusPerNode(_) => "GPUs per node",
            Edit::Add(_) | Edit::Duplicate(_) | Edit::Remove(_) | Edit::Move(..) => "runs",
            Edit::Hide(..) | Edit::Only(_) | Edit::Open(_) | Edit::EndSideBySide | Edit::Fork(..) => "runs",
            Edit::CompareWith(_) => "runs",
            Edit::Pin(..) | Edit::BackTo(_) => "pin",
            Edit::Rename(..) => "name",
            Edit::Spec(..) => "parameters",
            Edit::Differ(_, key, _) | Edit::Restore(key, _) => key,
            Edit::EndAll(_) => UNTIL,
            Edit::KeepLastCurves => "curves",
            Edit::Generate(..) => "generated jobs",
            Edit::Seed(..) => "seed",
            Edit::Field(key, _) => key,
            Edit::RemoveLog => "availability log",
            Edit::Preset(_) | Edit::Work(_) => "preset",
            Edit::UseSample => "sample",
            Edit::Load(..) | Edit::LoadWith(..) => "files",
            Edit::Study(_) | Edit::TypeStudy(_) => "study",
        }
    }

    /// Whether it stands alone, however quickly it follows another.
    pub fn is_one_step(&self) -> bool {
        match self {
            Edit::Field(_, Value::Placement(_)) | Edit::Differ(_, _, None | Some(Value::Placement(_))) => true,
            Edit::Nodes(_) | Edit::GpusPerNode(_) | Edit::Field(..) | Edit::Differ(..) => false,
            Edit::Spec(..) | Edit::Seed(..) | Edit::Rename(..) | Edit::TypeStudy(_) => false,
            _ => true,
        }
    }

    /// Whether runs start after it however long they take: something was chosen, not tried.
    pub fn is_choice(&self) -> bool {
        matches!(self, Edit::Preset(_) | Edit::UseSample | Edit::Generate(..) | Edit::Load(..) | Edit::KeepLastCurves)
            || matches!(
                self,
                Edit::RemoveLog
                    | Edit::EndAll(_)
                    | Edit::Add(_)
                    | Edit::Duplicate(_)
                    | Edit::Fork(..)
                    | Edit::Pin(..)
                    | Edit::BackTo(_)
            )
            || matches!(self, Edit::Open(_) | Edit::LoadWith(..) | Edit::CompareWith(_) | Edit::Work(_))
    }

    /// Whether it changes the list of runs and not what they have in common.
    fn is_about_runs(&self) -> bool {
        matches!(self, Edit::Add(_) | Edit::Duplicate(_) | Edit::Remove(_) | Edit::Move(..) | Edit::Rename(..))
            || matches!(self, Edit::Hide(..) | Edit::Pin(..) | Edit::BackTo(_) | Edit::Spec(..) | Edit::Differ(..))
            || matches!(self, Edit::Only(_) | Edit::Preset(_) | Edit::Work(_) | Edit::Study(_) | Edit::TypeStudy(_))
            || matches!(self, Edit::Open(_) | Edit::EndSideBySide | Edit::Fork(..) | Edit::CompareWith(_))
    }

    /// Whether other jobs take the place of these: what was asked of these says nothing about them.
    pub fn brings_other_jobs(&self, inputs: &Inputs) -> bool {
        match self {
            Edit::Preset(_) | Edit::Work(_) | Edit::UseSample | Edit::Generate(..) => true,
            Edit::Load(data, _) | Edit::LoadWith(data, ..) => !Arc::ptr_eq(&data.trace, &inputs.data.trace),
            _ => false,
        }
    }

    /// Applies it. What is out of range is not applied.
    pub fn apply(self, inputs: &mut Inputs) {
        let before = (!self.is_about_runs()).then(|| inputs.world());
        self.make(inputs);
        if before.is_some_and(|before| before != inputs.world()) {
            inputs.add_twins();
        }
    }

    fn make(self, inputs: &mut Inputs) {
        match self {
            Edit::Nodes(nodes) => inputs.set_cluster(nodes, inputs.cluster.gpus_per_node()),
            Edit::GpusPerNode(gpus) => inputs.set_cluster(inputs.nodes_always(), gpus),
            Edit::Add(policy) => inputs.add(policy),
            Edit::Duplicate(id) => inputs.duplicate(id),
            Edit::Fork(id, fork) => inputs.fork(id, fork),
            Edit::Remove(id) => inputs.remove(id),
            Edit::Move(id, to) => inputs.move_run(id, to),
            Edit::Rename(id, name) => {
                let name: String = name.trim().chars().take(NAME_MAX).collect();
                inputs.change_run(id, |run| run.name = Some(name).filter(|name| !name.is_empty()));
            }
            Edit::Hide(id, is_hidden) => {
                inputs.change_run(id, |run| (run.is_hidden, run.is_set_aside) = (is_hidden, false));
            }
            Edit::Only(id) => inputs.show_only(id),
            Edit::Pin(id, is_pinned) => inputs.pin(id, is_pinned),
            Edit::BackTo(id) => inputs.restore(id),
            Edit::Spec(id, spec) => inputs.change_run(id, |run| run.policy = spec),
            Edit::Differ(id, key, value) => inputs.differ(id, key, value),
            Edit::Field(key, value) | Edit::Restore(key, value) => {
                let mut world = inputs.world();
                if let Some(field) = Field::named(key) {
                    world.set(field, value);
                }
                (inputs.cluster, inputs.conditions) = (world.cluster, world.conditions);
            }
            Edit::EndAll(until_s) => {
                let ids: Vec<u32> = inputs.runs().iter().map(|run| run.id).collect();
                ids.into_iter().for_each(|id| inputs.differ(id, UNTIL, None));
                Edit::Field(UNTIL, Value::Number(until_s)).make(inputs);
            }
            Edit::KeepLastCurves => inputs.data.keep_last_curves(),
            Edit::RemoveLog => inputs.remove_log(),
            Edit::Preset(preset) => {
                let before = std::mem::replace(inputs, *preset);
                inputs.keep_pinned(&before);
            }
            Edit::Work(after) | Edit::CompareWith(after) => *inputs = *after,
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
                Edit::Seed(data, seed).make(inputs);
                if let Origin::Generated(generator) = &inputs.data.trace_origin {
                    let jobs = words::counted(inputs.data.trace.jobs().len() as u64, "job", "jobs");
                    inputs.name = format!("Generated by {}, {jobs}", generator.generator().name);
                }
            }
            Edit::Study(study) => inputs.study = study,
            Edit::TypeStudy(study) => inputs.study = Some(study),
            Edit::Open(runs) => inputs.open(&runs),
            Edit::EndSideBySide => inputs.end_side_by_side(),
            Edit::Load(data, name) => {
                inputs.load(data);
                inputs.name = name.unwrap_or_else(|| inputs.name.clone());
            }
            Edit::LoadWith(data, name, fields) => {
                Edit::Load(data, name).make(inputs);
                fields.into_iter().for_each(|(key, value)| Edit::Field(key, value).make(inputs));
            }
        }
    }
}

/// The first parameter of a policy whose value differs.
fn changed_parameter(before: &PolicySpec, after: &PolicySpec) -> Option<&'static str> {
    let names = before.entry()?.parameters.iter().map(|parameter| parameter.name);
    names.into_iter().find(|name| before.value(name) != after.value(name))
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
            assert_eq!(field.get(&inputs.world()), field.example(), "{}", field.key);
        }
    }

    #[test]
    fn a_field_of_one_run_is_checked_like_one_of_all() {
        let nodes = |value: Option<u64>| {
            let mut inputs = Inputs::sample();
            Edit::Differ(2, "cluster.nodes", Some(Value::Whole(30))).apply(&mut inputs);
            Edit::Differ(2, "cluster.nodes", value.map(Value::Whole)).apply(&mut inputs);
            inputs.worlds()[1].cluster.nodes()
        };
        assert_eq!([Some(20), Some(0), Some(70_000), Some(16), None].map(nodes), [20, 30, 30, 16, 16]);
    }

    #[test]
    fn all_runs_end_at_one_time() {
        let mut inputs = Inputs::sample();
        Edit::Differ(2, UNTIL, Some(Value::Number(90_000.0))).apply(&mut inputs);
        Edit::EndAll(7_200.0).apply(&mut inputs);
        let ends: Vec<Option<f64>> = inputs.worlds().iter().map(|world| world.conditions.until_s).collect();
        assert_eq!(ends, [Some(7_200.0); 3]);
    }

    #[test]
    fn names_are_short_and_none_when_empty() {
        let mut inputs = Inputs::sample();
        Edit::Rename(1, " as today ".into()).apply(&mut inputs);
        assert_eq!(inputs.runs()[0].name.as_deref(), Some("as today"));
        Edit::Rename(1, "ש".repeat(300)).apply(&mut inputs);
        assert_eq!(inputs.runs()[0].name.as_ref().unwrap().chars().count(), 200);
        Edit::Rename(1, "  ".into()).apply(&mut inputs);
        assert_eq!(inputs.runs()[0].name, None);
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
