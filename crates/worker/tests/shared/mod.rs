//! Running what the native tests ran.

use elastiplan_policies::PolicySpec;
use elastiplan_scenario::{Preset, Scenario, run, sample};

/// Written by the native tests of the scenario crate: a seed of the sample or a preset, a policy, the digest.
const NATIVE: &str = include_str!("../../../scenario/tests/digests.txt");

/// Runs all and compares the digests.
pub fn assert_native_digests() {
    let mut lines = 0;
    for line in NATIVE.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [scenario, policy, digest] = words[..] else { panic!("{line}") };
        let (scenario, policy): (_, PolicySpec) = (scenario_of(scenario), policy.parse().unwrap());
        let (workload, _) = scenario.workload();
        assert_eq!(run(&scenario, &workload, &policy).unwrap().digest, digest, "{line}");
        lines += 1;
    }
    assert!(lines > 20, "only {lines} digests");
}

fn scenario_of(name: &str) -> Scenario {
    match name.parse() {
        Ok(seed) => sample::scenario(seed),
        Err(_) => Preset::named(name).unwrap().document().unwrap().resolve(&|_| None).unwrap().scenario,
    }
}
