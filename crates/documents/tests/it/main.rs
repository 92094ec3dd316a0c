//! Documents, presets and records, as the command line and the page use them.
#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.

mod bundle;
#[path = "../../../../tests/data_pack.rs"]
mod data_pack;
mod digests;
mod document;
mod frozen;
mod given;
mod given_data;
mod given_properties;
mod modelarts;
mod own;
mod pollux_orderings;
mod presets;
mod prices;
mod record;
mod round_trips;
#[path = "../../../../tests/samples.rs"]
mod samples;
mod share;
#[path = "../../../../tests/to_the_bit.rs"]
mod to_the_bit;

use elastiplan_model::Workload;
use elastiplan_planner::{PolicyRun, run};
use elastiplan_scenario::Scenario;

/// Runs policies, and gives the workload they ran.
fn run_all(scenario: &Scenario, policies: &[&str]) -> (Vec<PolicyRun>, Workload) {
    let (workload, _) = scenario.workload();
    let result = |policy: &&str| run(scenario, &workload, &policy.parse().unwrap()).unwrap();
    (policies.iter().map(result).collect(), workload)
}
