//! Running what the native tests ran.

use std::collections::BTreeSet;

use elastiplan_documents::Preset;
use elastiplan_planner::run;
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::{Scenario, sample};

/// Written by the native tests of the documents crate: a seed of the sample or a preset, a policy, the digest.
const NATIVE: &str = include_str!("../../../documents/tests/digests.txt");

/// What to run again.
#[derive(Clone, Copy, PartialEq, Eq)]
#[allow(dead_code)] // Each of the tests that share this file takes one of them.
pub enum Runs {
    /// All that differ.
    All,
    /// Those of the sample, with every policy.
    Sample,
}

/// Runs them and compares the digests.
pub fn assert_native_digests(runs: Runs) {
    let mut lines = 0;
    let mut seen = BTreeSet::new();
    for line in NATIVE.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [scenario, policy, digest] = words[..] else { panic!("{line}") };
        let is_sample = scenario.parse::<u64>().is_ok();
        // Pollux does not care what users ask for: several presets have the same run.
        if !seen.insert(digest) || !(is_sample || runs == Runs::All) {
            continue;
        }
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
