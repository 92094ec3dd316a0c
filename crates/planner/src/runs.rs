//! Running policies on a scenario.

use std::rc::Rc;

use elastiplan_engine::{Policy, Run, RunError, Simulation};
use elastiplan_metrics::{Completions, Summary};
use elastiplan_model::Workload;
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::{ConditionsError, Scenario};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::decision_times::{DecisionTimes, Timed, TimesShared};

/// The reason why a run could not be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StartError {
    /// The conditions cannot be used.
    #[error(transparent)]
    Conditions(#[from] ConditionsError),
    /// The policy is not in this build's registry.
    #[error("{0} is not a policy of this build")]
    UnknownPolicy(PolicySpec),
    /// The policy asked for something impossible.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Starts one policy on a scenario; no step has been made yet. `workload` is the result of [`Scenario::workload`].
pub fn simulation<'a>(
    scenario: &Scenario,
    workload: &'a Workload,
    policy: &PolicySpec,
) -> Result<Simulation<'a>, StartError> {
    start(scenario, workload, policy, build(scenario, policy)?)
}

/// Starts one policy like [`simulation`], with a policy that is already built, and times its decisions by a clock in
/// milliseconds.
pub fn timed_simulation<'a>(
    scenario: &Scenario,
    workload: &'a Workload,
    policy: &PolicySpec,
    built: Box<dyn Policy>,
    clock_ms: fn() -> f64,
) -> Result<(Simulation<'a>, TimesShared), StartError> {
    let times = TimesShared::default();
    let timed = Timed { policy: built, clock_ms, times: Rc::clone(&times) };
    Ok((start(scenario, workload, policy, Box::new(timed))?, times))
}

fn build(scenario: &Scenario, policy: &PolicySpec) -> Result<Box<dyn Policy>, StartError> {
    policy.build(scenario.conditions.seed).ok_or_else(|| StartError::UnknownPolicy(policy.clone()))
}

pub(crate) fn start<'a>(
    scenario: &Scenario,
    workload: &'a Workload,
    policy: &PolicySpec,
    built: Box<dyn Policy>,
) -> Result<Simulation<'a>, StartError> {
    let conditions = scenario.conditions.clone();
    Ok(Simulation::new(workload, scenario.cluster, conditions, policy.to_string(), built)?)
}

/// Runs one policy to its end.
pub fn run(scenario: &Scenario, workload: &Workload, policy: &PolicySpec) -> Result<PolicyRun, StartError> {
    let run = simulation(scenario, workload, policy)?.run_to_end()?;
    Ok(PolicyRun::of(policy.clone(), run, workload))
}

/// A run of one policy with its metrics.
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
    /// How long decisions took, where they were timed.
    pub decision_times: Option<DecisionTimes>,
}

impl PolicyRun {
    /// Sums up a record of `workload`.
    pub fn of(policy: PolicySpec, run: Run, workload: &Workload) -> Self {
        let decision_times = None;
        Self { policy, summary: Summary::of(&run, workload), digest: run.digest(), run, decision_times }
    }
}

/// Metrics of a run, without its record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyResult {
    /// The policy.
    pub policy: PolicySpec,
    /// The fingerprint of the record.
    pub digest: String,
    /// Its metrics.
    pub summary: Summary,
    /// When its jobs completed, for what compares two runs.
    pub completions: Completions,
}

impl From<&PolicyRun> for PolicyResult {
    fn from(run: &PolicyRun) -> Self {
        let PolicyRun { policy, digest, summary, run, .. } = run;
        let (policy, digest, summary) = (policy.clone(), digest.clone(), summary.clone());
        Self { policy, digest, summary, completions: Completions::of(run) }
    }
}
