//! Runs of scenarios, and what is said about them.
#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.

mod dialects;
mod memory;
mod paper;
mod scenario;

use elastiplan_model::Workload;
use elastiplan_planner::{PolicyRun, run};
use elastiplan_scenario::Scenario;

/// Runs policies, and gives the workload they ran.
fn run_all(scenario: &Scenario, policies: &[&str]) -> (Vec<PolicyRun>, Workload) {
    let (workload, _) = scenario.workload();
    let result = |policy: &&str| run(scenario, &workload, &policy.parse().unwrap()).unwrap();
    (policies.iter().map(result).collect(), workload)
}
