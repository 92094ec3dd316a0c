//! The scenarios that are built in, as inputs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::OnceLock;

use elastiplan_model::{Curves, Trace};
use elastiplan_scenario::{Conditions, sample};
use elastiplan_worker::messages::unpack;
use elastiplan_workloads::PackedPreset;

use crate::state::controls::default_conditions;
use crate::state::data::{Data, Log, Origin, Reading};
use crate::state::inputs::Inputs;

/// All of them, as the build script read them.
pub fn all() -> &'static [PackedPreset] {
    static ALL: OnceLock<Vec<PackedPreset>> = OnceLock::new();
    const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/presets.postcard"));
    // Packed and unpacked by one build, which a test does too: that there are none does not happen.
    ALL.get_or_init(|| unpack(PACKED).unwrap_or_default())
}

/// The inputs with everything that a preset says; `None` for a name that there is not. They are made once: whoever
/// asks again gets the same data, so that it can be told whether something else is there.
pub fn inputs(name: &str) -> Option<Inputs> {
    thread_local! {
        static MADE: RefCell<BTreeMap<String, Inputs>> = const { RefCell::new(BTreeMap::new()) };
    }
    MADE.with(|made| {
        if let Some(inputs) = made.borrow().get(name) {
            return Some(inputs.clone());
        }
        let inputs = make(all().iter().find(|preset| preset.name == name)?);
        made.borrow_mut().insert(name.into(), inputs.clone());
        Some(inputs)
    })
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
        assert_eq!(all().len(), PRESETS.len());
        for preset in PRESETS {
            let told = preset.document().unwrap().resolve(&|_| None).unwrap();
            let inputs = inputs(preset.name).unwrap();
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
        assert_eq!(super::inputs("no such thing"), None);
    }
}
