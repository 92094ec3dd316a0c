//! The scenario crate, as the command line and the page use it.
#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.

#[path = "../../../../tests/data_pack.rs"]
mod data_pack;
mod digests;
mod document;
mod faults_text;
mod generate;
mod given;
mod given_data;
mod given_properties;
mod ibm;
mod idle_nodes;
mod memory;
mod modelarts;
mod paper;
mod pollux_orderings;
mod presets;
mod prices;
mod record;
mod scenario;

use elastiplan_model::Workload;
use elastiplan_scenario::{PolicyRun, Scenario, run};

/// Runs policies, and gives the workload they ran.
fn run_all(scenario: &Scenario, policies: &[&str]) -> (Vec<PolicyRun>, Workload) {
    let (workload, _) = scenario.workload();
    let result = |policy: &&str| run(scenario, &workload, &policy.parse().unwrap()).unwrap();
    (policies.iter().map(result).collect(), workload)
}
