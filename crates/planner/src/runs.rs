//! Running policies on a scenario.

use std::rc::Rc;

use elastiplan_engine::{ForkError, Policy, Run, RunError, Simulation};
use elastiplan_metrics::{Completions, Summary};
use elastiplan_model::Workload;
use elastiplan_policies::{PolicySpec, SpecError};
use elastiplan_scenario::{ForkChange, Scenario};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::decision_times::{DecisionTimes, Timed, TimesShared};

/// The reason why a run could not be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StartError {
    /// The conditions cannot be used.
    #[error(transparent)]
    Conditions(#[from] elastiplan_engine::StartError),
    /// The policy of a fork cannot be read, or is not in this build.
    #[error("fork to {0}: {1}")]
    ForkPolicy(String, SpecError),
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
    start(scenario, workload, policy, &|policy| policy.build(scenario.conditions.seed))
}

/// Starts one policy like [`simulation`], with policies that `build` makes, and times their decisions by a clock in
/// milliseconds.
pub fn timed_simulation<'a>(
    scenario: &Scenario,
    workload: &'a Workload,
    policy: &PolicySpec,
    build: fn(&PolicySpec, u64) -> Option<Box<dyn Policy>>,
    clock_ms: fn() -> f64,
) -> Result<(Simulation<'a>, TimesShared), StartError> {
    let times = TimesShared::default();
    let timed = |policy: &PolicySpec| {
        let policy = build(policy, scenario.conditions.seed)?;
        let timed: Box<dyn Policy> = Box::new(Timed { policy, clock_ms, times: Rc::clone(&times) });
        Some(timed)
    };
    let simulation = start(scenario, workload, policy, &timed)?;
    Ok((simulation, times))
}

/// Starts one policy and plans those that take over from it, all made by `build`.
pub(crate) fn start<'a>(
    scenario: &Scenario,
    workload: &'a Workload,
    policy: &PolicySpec,
    build: &dyn Fn(&PolicySpec) -> Option<Box<dyn Policy>>,
) -> Result<Simulation<'a>, StartError> {
    let mut conditions = scenario.conditions.clone();
    for fork in &mut conditions.forks {
        if let ForkChange::Policy(id) = &mut fork.change {
            // As policies are written: the one that decides already is known by its id.
            let spec: PolicySpec = id.parse().map_err(|error| StartError::ForkPolicy(id.clone(), error))?;
            *id = spec.to_string();
        }
    }
    let built = build(policy).ok_or_else(|| StartError::UnknownPolicy(policy.clone()))?;
    let simulation = Simulation::new(workload, scenario.cluster, conditions, policy.to_string(), built)?;
    let with_forks = simulation.with_fork_policies(&|id| build(&id.parse().ok()?));
    with_forks.map_err(|error: ForkError| StartError::Conditions(error.into()))
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

    /// The run with its metrics and digest, and of its record the size of the cluster only.
    pub fn without_record(self) -> Self {
        let Run { gpus_total, gpus_per_node, finished, .. } = self.run;
        Self { run: Run { gpus_total, gpus_per_node, finished, ..Run::default() }, ..self }
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
