//! A run in the browser is the run that the command line makes, to the bit.
#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.
#![cfg(target_arch = "wasm32")]

use elastiplan_scenario::{run, sample};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Written by the native tests of the scenario crate: seed, policy, digest.
const NATIVE: &str = include_str!("../../scenario/tests/digests.txt");

#[wasm_bindgen_test]
fn digests_equal_the_native_ones() {
    let mut lines = 0;
    for line in NATIVE.lines() {
        let mut words = line.split(' ');
        let mut next = || words.next().unwrap();
        let (seed, policy, digest) = (next().parse().unwrap(), next().parse().unwrap(), next());
        let scenario = sample::scenario(seed);
        let (workload, _) = scenario.workload();
        assert_eq!(run(&scenario, &workload, &policy).unwrap().digest, digest, "{line}");
        lines += 1;
    }
    assert_eq!(lines, 40);
}
