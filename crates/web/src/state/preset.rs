//! The built-in scenarios as inputs. A full worker sends them once the first comparison is painted.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use elastiplan_model::{Curves, Trace};
use elastiplan_scenario::{Conditions, sample};
use elastiplan_worker::messages::{MessageError, Request, unpack};
use elastiplan_workloads::PackedPreset;

use crate::state::controls::default_conditions;
use crate::state::data::{Data, Log, Origin, Reading};
use crate::state::inputs::Inputs;
use crate::state::page::Page;
use crate::state::pool::{Client, Pool};

/// The presets; none until the worker has sent them.
#[derive(Debug, Default)]
pub struct Presets {
    all: Vec<PackedPreset>,
    /// The inputs made so far, by name.
    inputs: RefCell<BTreeMap<String, Inputs>>,
}

impl Presets {
    /// Reads presets as the worker sends them.
    pub fn unpack(packed: &[u8]) -> Result<Self, MessageError> {
        Ok(Self { all: unpack(packed)?, inputs: RefCell::default() })
    }

    /// All presets, in the order of the list.
    pub fn all(&self) -> &[PackedPreset] {
        &self.all
    }

    /// The preset of this title.
    pub fn titled(&self, title: &str) -> Option<&PackedPreset> {
        self.all.iter().find(|preset| preset.title == title)
    }

    /// The inputs of a preset; `None` if no preset has this name. They are made once, so that inputs of the same preset
    /// share their data and compare quickly.
    pub fn inputs(&self, name: &str) -> Option<Inputs> {
        if let Some(inputs) = self.inputs.borrow().get(name) {
            return Some(inputs.clone());
        }
        let inputs = make(self.all.iter().find(|preset| preset.name == name)?);
        self.inputs.borrow_mut().insert(name.into(), inputs.clone());
        Some(inputs)
    }
}

impl Page {
    /// Has a full worker send the presets, unless one has been asked. That also starts this worker ahead of other
    /// requests.
    pub fn fetch_presets<C: Client>(&mut self, pool: &mut Pool<C>) {
        if self.needs_presets() {
            // If that fails, the next launch or the next look at the list asks again.
            self.presets_request = pool.send(|id| Request::Presets { id }).ok();
        }
    }

    /// Whether the presets are missing and have not been asked for.
    pub(super) fn needs_presets(&self) -> bool {
        self.presets.all.is_empty() && self.presets_request.is_none()
    }

    /// Receives the presets.
    pub fn presets_sent(&mut self, packed: &[u8]) {
        self.presets_request = None;
        match Presets::unpack(packed) {
            Ok(presets) => self.presets = Rc::new(presets),
            Err(error) => self.say(error.to_string()),
        }
    }

    /// Forgets the request for the presets if it is the one that failed, so that they can be asked for again. Returns
    /// whether it was.
    pub fn presets_failed(&mut self, request: u32) -> bool {
        self.presets_request.take_if(|asked| *asked == request).is_some()
    }
}

fn make(preset: &PackedPreset) -> Inputs {
    let scenario = preset.scenario();
    let mut inputs = Inputs::sample();
    inputs.name = preset.title.clone();
    let availability = scenario.conditions.availability.clone();
    inputs.conditions = conditions(scenario.conditions);
    // Nothing was read from files, so that there is nothing to report.
    let reading = Rc::new(Reading { number: 0, files: Vec::new(), diagnostics: Vec::new(), wall_ms: 0.0 });
    let trace_origin = match preset.generator() {
        Some(generator) => Origin::Generated(generator),
        None if is_sample_trace(&scenario.trace, inputs.conditions.seed) => Origin::Sample,
        None => Origin::Files(Rc::clone(&reading)),
    };
    let curves_origin = match preset.published() {
        Some(table) => Origin::Published(table),
        None if is_sample_curves(&scenario.curves) => Origin::Sample,
        None => Origin::Files(Rc::clone(&reading)),
    };
    let log = |availability| Log { availability, reading: Rc::clone(&reading) };
    inputs.data = Data {
        trace_origin,
        curves_origin,
        trace: scenario.trace,
        curves: scenario.curves,
        log: availability.map(log),
    };
    inputs.set_machines(scenario.cluster);
    inputs.set_policies(&preset.policies);
    inputs
}

fn is_sample_trace(trace: &Trace, seed: u64) -> bool {
    *trace == sample::trace(seed)
}

fn is_sample_curves(curves: &Curves) -> bool {
    *curves == sample::curves()
}

/// The conditions as the page holds them: without the log, and with durations of repairs and of bugs for when there are
/// some.
fn conditions(conditions: Conditions) -> Conditions {
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
    use crate::state::inputs::SLOTS_MAX;

    #[test]
    fn every_preset_runs_in_the_page_as_on_the_command_line() {
        let presets = Presets::unpack(elastiplan_worker::PRESETS).unwrap();
        assert_eq!(presets.all().len(), PRESETS.len());
        for preset in PRESETS {
            let told = preset.document().unwrap().resolve(&|_| None).unwrap();
            let inputs = presets.inputs(preset.name).unwrap();
            let scenario = inputs.scenario();
            // The others are there too, to be ticked.
            let shown: Vec<_> = told.policies.iter().take(SLOTS_MAX).cloned().collect();
            assert_eq!(inputs.policies(), shown, "{}", preset.name);
            assert!(told.policies.iter().all(|policy| inputs.specs().contains(policy)), "{}", preset.name);
            // Scenarios that are the same run the same: a policy that is fast is enough to see it.
            assert_eq!(scenario.trace, told.scenario.trace, "{}", preset.name);
            assert_eq!(scenario.conditions.prices, told.scenario.conditions.prices, "{}", preset.name);
            let digest = |scenario: &elastiplan_scenario::Scenario| {
                run(scenario, &scenario.workload().0, &"fixed".parse().unwrap()).unwrap().digest
            };
            assert_eq!(digest(&scenario), digest(&told.scenario), "{}", preset.name);
        }
        assert_eq!(presets.inputs("no such thing"), None);
    }
}
