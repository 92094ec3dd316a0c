//! A decision as a program.

use elastiplan_planner::program_at;
use elastiplan_policies::PolicySpec;

use crate::messages::{BoundScenario, JobShare, ShownProgram};

/// Makes the run anew up to a time and writes what was decided there last. It goes on without a pause: a page that no
/// longer wants to know ends the worker.
pub(crate) fn program(
    scenario: BoundScenario,
    policy: &str,
    time_s: f64,
    node_by_node: bool,
) -> Result<ShownProgram, String> {
    let (scenario, workload) = scenario.unpack()?;
    let policy: PolicySpec = policy.parse().map_err(|error| format!("{error}"))?;
    let found = program_at(&scenario, &workload, &policy, time_s, node_by_node);
    let (decision, program) = found.map_err(|error| error.to_string())?;
    let shares = decision.jobs.iter().zip(decision.best().1);
    let jobs = shares.map(|((job, before), after)| JobShare { job: *job, before: *before, after }).collect();
    Ok(ShownProgram { time_s: decision.time_s, optimum: program.optimum(), jobs, text: program.to_lp() })
}
