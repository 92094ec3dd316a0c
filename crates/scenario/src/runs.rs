//! Running policies on a scenario.

use elastiplan_engine::{Run, RunError, Simulation};
use elastiplan_metrics::Summary;
use elastiplan_model::Workload;
use elastiplan_policies::PolicySpec;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Scenario, WhatIfError};

/// Why a run could not be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StartError {
    /// What-ifs out of range.
    #[error(transparent)]
    WhatIf(#[from] WhatIfError),
    /// The policy is not in this build's registry.
    #[error("{0} is not a policy of this build")]
    UnknownPolicy(PolicySpec),
    /// The policy asked for something impossible.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// One policy on the scenario, before its first step. `workload` is what [`Scenario::workload`] gave.
pub fn simulation<'a>(
    scenario: &Scenario,
    workload: &'a Workload,
    policy: &PolicySpec,
) -> Result<Simulation<'a>, StartError> {
    scenario.what_if.validate()?;
    let built = policy.build(scenario.what_if.seed).ok_or_else(|| StartError::UnknownPolicy(policy.clone()))?;
    let simulation = Simulation::new(workload, scenario.cluster, scenario.settings(), policy.to_string(), built);
    Ok(simulation.map_err(WhatIfError::from)?)
}

/// Runs one policy to its end.
pub fn run(scenario: &Scenario, workload: &Workload, policy: &PolicySpec) -> Result<PolicyRun, StartError> {
    let run = simulation(scenario, workload, policy)?.run_to_end()?;
    Ok(PolicyRun::of(policy.clone(), run, workload))
}

/// What a policy did, and what that amounts to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyRun {
    /// The policy.
    pub policy: PolicySpec,
    /// The record.
    pub run: Run,
    /// Its metrics.
    pub summary: Summary,
    /// The fingerprint of the record.
    pub digest: String,
}

impl PolicyRun {
    /// Sums up a record of `workload`.
    pub fn of(policy: PolicySpec, run: Run, workload: &Workload) -> Self {
        Self { policy, summary: Summary::of(&run, workload), digest: run.digest(), run }
    }
}

/// What a run amounts to, without its record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyResult {
    /// The policy.
    pub policy: PolicySpec,
    /// The fingerprint of the record.
    pub digest: String,
    /// Its metrics.
    pub summary: Summary,
}

impl From<&PolicyRun> for PolicyResult {
    fn from(run: &PolicyRun) -> Self {
        Self { policy: run.policy.clone(), digest: run.digest.clone(), summary: run.summary.clone() }
    }
}
