//! The scenario and its runs.

use elastiplan_engine::{Run, RunError, Settings, SettingsError, Simulation};
use elastiplan_metrics::Summary;
use elastiplan_model::{Cluster, Curves, Diagnostic, Job, Trace, TraceError, Workload, limits};
use elastiplan_policies::PolicySpec;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Everything that decides the outcome of a run, but for the policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    /// The jobs as they were loaded.
    pub trace: Trace,
    /// How fast each model trains.
    pub curves: Curves,
    /// The machines.
    pub cluster: Cluster,
    /// What is asked to be different from the files.
    pub what_if: WhatIf,
}

/// What a planner may want to be different from the files.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WhatIf {
    /// Seconds without progress after a running job's GPUs change or a preempted job resumes.
    pub rescale_cost_s: f64,
    /// Jobs arrive this many times as fast; gaps between submissions shrink by it.
    pub arrival_rate: f64,
    /// The time from submission to deadline, times this.
    pub deadline_slack: f64,
    /// The seed for policies that draw random numbers.
    pub seed: u64,
}

impl Default for WhatIf {
    fn default() -> Self {
        Self { rescale_cost_s: Settings::default().rescale_cost_s, arrival_rate: 1.0, deadline_slack: 1.0, seed: 0 }
    }
}

/// Why what-ifs cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum WhatIfError {
    /// The rescale cost.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The arrival rate.
    #[error("arrival rate: {0} is not a number from 0.01 to 100")]
    ArrivalRate(f64),
    /// The deadlines.
    #[error("deadlines: {0} is not a number from 0.01 to 100")]
    DeadlineSlack(f64),
}

impl WhatIf {
    /// Checks the values.
    pub fn validate(&self) -> Result<(), WhatIfError> {
        self.settings().validate()?;
        let factor = 0.01..=100.0;
        if !factor.contains(&self.arrival_rate) {
            return Err(WhatIfError::ArrivalRate(self.arrival_rate));
        }
        if !factor.contains(&self.deadline_slack) {
            return Err(WhatIfError::DeadlineSlack(self.deadline_slack));
        }
        Ok(())
    }

    fn settings(&self) -> Settings {
        Settings { rescale_cost_s: self.rescale_cost_s, seed: self.seed, until_s: None }
    }

    /// The job as it would be, in a trace that begins at `start_s`.
    fn apply(&self, job: &Job, start_s: f64) -> Job {
        let mut changed = job.clone();
        // Left alone where nothing is asked: dividing and multiplying would cost the last bit.
        if self.arrival_rate != 1.0 {
            changed.submit_s = start_s + (job.submit_s - start_s) / self.arrival_rate;
        }
        if self.arrival_rate != 1.0 || self.deadline_slack != 1.0 {
            let moved = |deadline_s: f64| changed.submit_s + (deadline_s - job.submit_s) * self.deadline_slack;
            changed.deadline_s = job.deadline_s.map(moved).map(|deadline_s| deadline_s.clamp(0.0, limits::TIME_MAX_S));
        }
        changed.submit_s = changed.submit_s.min(limits::TIME_MAX_S);
        changed
    }
}

impl Scenario {
    /// The jobs that will run, with the what-ifs applied, and what was left out or assumed on the way.
    pub fn workload(&self) -> (Workload, Vec<Diagnostic>) {
        let changed = self.changed_trace();
        let (workload, mut diagnostics) = Workload::bind(changed.as_ref().unwrap_or(&self.trace), &self.curves);
        diagnostics.extend(workload.check_against(&self.cluster));
        (workload, diagnostics)
    }

    /// The trace with the what-ifs applied. They cannot make a good trace bad: times stay in order and in range.
    fn changed_trace(&self) -> Result<Trace, TraceError> {
        let start_s = self.trace.start_s();
        let jobs = self.trace.jobs().iter().map(|job| self.what_if.apply(job, start_s)).collect();
        Trace::new(self.trace.models().to_vec(), jobs)
    }
}

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
    let settings = scenario.what_if.settings();
    let simulation = Simulation::new(workload, scenario.cluster, settings, policy.to_string(), built);
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
