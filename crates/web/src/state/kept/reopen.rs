//! Opened scenarios with all runs of their list, as inputs.

use std::rc::Rc;

use elastiplan_scenario::fields::{Field, Value};
use elastiplan_worker::keeping::{ListedRun, OpenedPinned};

use crate::state::data::{Data, Reading};
use crate::state::inputs::Inputs;
use crate::state::preset::opened_inputs;
use crate::state::run_spec::{Pinned, RunSpec, StudyPoint};

impl Inputs {
    /// Takes over a list of runs, with the inputs of pinned ones. What cannot be read is named.
    pub fn take_list(&mut self, runs: &[ListedRun], pinned: Vec<(u32, OpenedPinned)>, faults: &mut Vec<String>) {
        if runs.is_empty() {
            return;
        }
        let mut worlds: Vec<(u32, Inputs)> = vec![(0, self.clone())];
        for (number, OpenedPinned { scenario, drawn, shared }) in pinned {
            let mut inputs = opened_inputs(&scenario, drawn, Reading::nothing());
            let of =
                |place: Option<u32>| place.and_then(|place| worlds.get(place as usize)).map(|(_, inputs)| &inputs.data);
            share(&mut inputs.data, shared.map(of));
            worlds.push((number, inputs));
        }
        let mut specs: Vec<RunSpec> = Vec::new();
        for (place, run) in runs.iter().enumerate() {
            let id = place as u32 + 1;
            let mut spec = RunSpec::new(id, run.policy.clone());
            spec.name.clone_from(&run.name);
            (spec.is_hidden, spec.is_set_aside) = (run.hidden, run.set_aside);
            spec.forks.clone_from(&run.forks);
            spec.origin = run.origin.map(|origin| origin as u32 + 1);
            for text in &run.fields {
                match read_field(text) {
                    Some((key, value)) => spec.override_field(key, Some(value)),
                    None => faults.push(format!("run {id} of the list: {text} is not a field with a value")),
                }
            }
            spec.pinned = run.pinned.as_ref().and_then(|pinned| {
                let (_, inputs) = worlds.iter().find(|(number, _)| *number == pinned.document)?;
                let point = pinned.point.as_ref();
                let from_study = point.map(|point| StudyPoint { values: point.values.clone(), seed: point.seed });
                let name = inputs.name.clone();
                Some(Rc::new(Pinned { world: inputs.world(), name, wants_twin: pinned.wants_twin, from_study }))
            });
            specs.push(spec);
        }
        self.set_runs(specs);
    }
}

/// Takes over data that other inputs have: jobs, curves, log.
fn share(data: &mut Data, [jobs, curves, log]: [Option<&Data>; 3]) {
    if let Some(other) = jobs {
        data.trace = other.trace.clone();
        data.trace_origin = other.trace_origin.clone();
    }
    if let Some(other) = curves {
        data.curves = other.curves.clone();
        data.curves_origin = other.curves_origin.clone();
    }
    if let Some(other) = log {
        data.log.clone_from(&other.log);
    }
}

/// A field with its value: `cluster.nodes=20`; nothing after the `=` for no value.
fn read_field(text: &str) -> Option<(&'static str, Value)> {
    let (key, value) = text.split_once('=')?;
    let field = Field::named(key)?;
    let value = match value {
        "" if field.access.is_optional() => Value::Absent,
        value => field.parse(value).ok()?,
    };
    Some((field.key, value))
}
