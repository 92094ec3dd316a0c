//! The built-in scenarios as inputs. A full worker sends them once the first comparison is painted.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use elastiplan_scenario::{Conditions, Scenario};
use elastiplan_worker::Packed;
use elastiplan_worker::messages::MessageError;
use elastiplan_workloads::{Drawn, PackedPreset};

use crate::state::controls::default_conditions;
use crate::state::data::{Data, Log, Origin, Reading};
use crate::state::inputs::Inputs;

/// The presets; none until the worker has sent them.
#[derive(Debug, Default)]
pub struct Presets {
    all: Vec<PackedPreset>,
    /// The inputs made so far, by name.
    inputs: RefCell<BTreeMap<String, Inputs>>,
}

impl Presets {
    /// Reads presets as the worker sends them.
    pub fn unpack(packed: &Packed) -> Result<Self, MessageError> {
        Ok(Self { all: packed.unpack()?, inputs: RefCell::default() })
    }

    /// All presets, in the order of the list.
    pub fn all(&self) -> &[PackedPreset] {
        &self.all
    }

    /// The preset of this title.
    pub fn titled(&self, title: &str) -> Option<&PackedPreset> {
        self.all.iter().find(|preset| preset.title == title)
    }

    /// The name of inputs: that of a preset whose inputs were changed says so.
    pub fn name_of(&self, inputs: &Inputs) -> String {
        let made = self.titled(&inputs.name).and_then(|preset| self.made(&preset.name));
        match made.is_some_and(|preset| !preset.same_scenario(inputs)) {
            true => format!("{}, edited", inputs.name),
            false => inputs.name.clone(),
        }
    }

    /// The preset of this name.
    pub fn named(&self, name: &str) -> Option<&PackedPreset> {
        self.all.iter().find(|preset| preset.name == name)
    }

    /// The inputs of a preset, if they have been made. They are made once, so that inputs of the same preset share their
    /// data and compare quickly.
    pub fn made(&self, name: &str) -> Option<Inputs> {
        self.inputs.borrow().get(name).cloned()
    }

    /// The name of the preset that these inputs are, unchanged.
    pub fn unchanged(&self, inputs: &Inputs) -> Option<String> {
        let is_same = |made: &Inputs| {
            made.name == inputs.name
                && made.same_scenario(inputs)
                && made.policies() == inputs.policies()
                && made.study == inputs.study
        };
        self.inputs.borrow().iter().find(|(_, made)| is_same(made)).map(|(name, _)| name.clone())
    }

    /// Keeps the inputs of a preset that was opened by its name, before the presets are there or after.
    pub fn keep(&self, name: &str, inputs: &Inputs) {
        self.inputs.borrow_mut().insert(name.into(), inputs.clone());
    }

    /// The presets of this list, with inputs that were made before it came.
    pub fn with_made(mut self, before: &Self) -> Self {
        self.inputs = RefCell::new(before.inputs.borrow().clone());
        self
    }

    /// Makes the inputs of a preset with its drawn parts; `None` if no preset has this name.
    pub fn make(&self, name: &str, drawn: Drawn) -> Option<Inputs> {
        let inputs = make(self.named(name)?, drawn);
        self.keep(name, &inputs);
        Some(inputs)
    }
}

fn make(preset: &PackedPreset, drawn: Drawn) -> Inputs {
    // Nothing was read from files, so that there is nothing to report.
    opened_inputs(preset, drawn, Reading::nothing())
}

/// The inputs of a scenario with its drawn parts and what was found in its data.
pub fn opened_inputs(preset: &PackedPreset, drawn: Drawn, reading: Reading) -> Inputs {
    let Scenario { trace, curves, cluster, conditions } = preset.packed.clone();
    let mut inputs = Inputs::sample();
    let reading = Rc::new(reading);
    let is_sample = *curves == *inputs.data.curves;
    let of_files = Origin::Files(Rc::clone(&reading));
    let curves_origin = if is_sample { Origin::Sample } else { of_files.clone() };
    let log = conditions.availability.clone().map(|availability| Log { availability, reading });
    let data = Data::new(trace, of_files, curves, curves_origin, log);
    inputs.data = data.with_drawn(&preset.drawing, drawn);
    inputs.name = preset.title.clone();
    inputs.conditions = page_conditions(conditions);
    inputs.set_machines(cluster);
    inputs.set_policies(&preset.policies);
    inputs.study = preset.study.clone();
    inputs
}

/// The conditions as the page holds them: without the log, and with durations of repairs and of bugs for when there are
/// some.
fn page_conditions(conditions: Conditions) -> Conditions {
    let mut faults = conditions.faults;
    let usual = default_conditions().faults;
    if faults.node_mtbf_s.is_none() {
        faults.node_repair_s = usual.node_repair_s;
    }
    if faults.bug_share == 0.0 {
        faults.bug_within_s = usual.bug_within_s;
    }
    Conditions { faults, availability: None, ..conditions }
}

#[cfg(test)]
mod tests {
    use elastiplan_documents::PRESETS;
    use elastiplan_planner::run;

    use super::*;

    #[test]
    fn every_preset_runs_in_the_page_as_on_the_command_line() {
        let presets = Presets::unpack(&elastiplan_worker::PRESETS.into()).unwrap();
        assert_eq!(presets.all().len(), PRESETS.len());
        for preset in PRESETS {
            let told = preset.document().unwrap().resolve(&|_| None).unwrap();
            let inputs = presets.drawn(preset.name);
            let scenario = inputs.scenario();
            assert_eq!(inputs.policies(), told.policies, "{}", preset.name);
            assert_eq!(inputs.study, preset.document().unwrap().study, "{}", preset.name);
            // Scenarios that are the same run the same: a policy that is fast is enough to see it.
            assert_eq!(scenario.trace, told.scenario.trace, "{}", preset.name);
            assert_eq!(scenario.conditions.prices, told.scenario.conditions.prices, "{}", preset.name);
            let digest = |scenario: &elastiplan_scenario::Scenario| {
                run(scenario, &scenario.workload().0, &"fixed".parse().unwrap()).unwrap().digest
            };
            assert_eq!(digest(&scenario), digest(&told.scenario), "{}", preset.name);
        }
        assert_eq!(presets.named("no such thing"), None);
    }
}
