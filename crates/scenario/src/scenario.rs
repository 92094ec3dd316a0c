//! The scenario.

use std::sync::Arc;

use elastiplan_model::{Cluster, Curves, Diagnostic, Job, SpeedupLaw, Trace, Workload, limits};
use serde::{Deserialize, Serialize};

use crate::drawn::Drawn;
use crate::{Conditions, ConditionsError};

/// All inputs of a run but the policy: a comparison runs several policies on one scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    /// The jobs as they were loaded.
    pub trace: Arc<Trace>,
    /// Throughput curves of the models.
    pub curves: Arc<Curves>,
    /// The machines, those of the availability log first.
    pub cluster: Cluster,
    /// Conditions that all policies meet.
    pub conditions: Conditions,
}

impl Scenario {
    /// Creates a scenario with default conditions.
    pub fn new(trace: impl Into<Arc<Trace>>, curves: impl Into<Arc<Curves>>, cluster: Cluster) -> Self {
        Self { trace: trace.into(), curves: curves.into(), cluster, conditions: Conditions::default() }
    }

    /// The same without jobs and curves: what a run needs beside its bound workload.
    pub fn without_data(&self) -> Self {
        let Self { cluster, ref conditions, .. } = *self;
        Self { trace: Arc::default(), curves: Arc::default(), cluster, conditions: conditions.clone() }
    }

    /// Checks everything but the data, which are checked when they are made.
    pub fn validate(&self) -> Result<(), ConditionsError> {
        self.conditions.validate_for(&self.cluster)
    }

    /// Binds jobs to curves, with the what-ifs about jobs applied. Returns the jobs that can run, and what was
    /// left out or assumed.
    pub fn workload(&self) -> (Workload, Vec<Diagnostic>) {
        let changed = self.changed_trace();
        let trace = changed.as_ref().unwrap_or(&self.trace);
        let drawn = self.conditions.drawn();
        let mut findings = Vec::new();
        let completed = drawn.completed(trace, &self.curves, &mut findings);
        let trace = completed.as_ref().unwrap_or(trace);
        let (mut workload, diagnostics) = match self.conditions.law {
            None => Workload::bind(trace, &self.curves),
            Some(law) => Workload::bind_assuming(trace, &self.curves, law, self.cluster.gpus_total()),
        };
        findings.extend(diagnostics);
        drawn.note(&self.trace, &mut workload);
        drawn.add_deadlines(&self.conditions, &mut workload, &mut findings);
        findings.extend(workload.check_against(&self.cluster, self.nodes_at_once()));
        (workload, findings)
    }

    /// The largest number of nodes that are present at once: those of the log, and those that always are.
    fn nodes_at_once(&self) -> u32 {
        let nodes = self.cluster.nodes();
        let log = self.conditions.availability.as_ref();
        log.map_or(nodes, |log| nodes.saturating_sub(log.nodes()) + log.nodes_at_once())
    }

    /// The trace with the what-ifs about jobs applied; `None` where all are neutral. They cannot make a good trace bad:
    /// times stay in order and in range.
    fn changed_trace(&self) -> Option<Trace> {
        if self.conditions.job_factors().are_neutral() {
            return None;
        }
        let start_s = self.trace.start_s();
        let jobs = self.trace.jobs().iter().map(|job| self.conditions.changed_job(job, start_s)).collect();
        Trace::new(self.trace.models().to_vec(), jobs).ok()
    }
}

/// The conditions that binding depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JobFactors {
    /// Factors of arrival rate, deadline slack and work, 1 where they leave jobs alone.
    factors: [f64; 3],
    /// The law for jobs without a curve.
    law: Option<SpeedupLaw>,
    /// What is drawn for jobs that lack it.
    drawn: Drawn,
}

impl JobFactors {
    /// Whether they leave all jobs alone.
    fn are_neutral(&self) -> bool {
        self.factors.iter().all(|&factor| factor == 1.0)
    }
}

impl Conditions {
    /// The factors that change jobs before they are bound: scenarios that agree in data, cluster and factors bind to the
    /// same workload.
    pub fn job_factors(&self) -> JobFactors {
        JobFactors { factors: [self.arrival_rate, self.deadline_slack, self.work], law: self.law, drawn: self.drawn() }
    }

    /// The job with the factors applied, in a trace that begins at `start_s`.
    fn changed_job(&self, job: &Job, start_s: f64) -> Job {
        let mut changed = job.clone();
        // Left alone where it is neutral: dividing and multiplying would cost the last bit.
        if self.arrival_rate != 1.0 {
            changed.submit_s = start_s + (job.submit_s - start_s) / self.arrival_rate;
        }
        let moved = |deadline_s: f64| changed.submit_s + (deadline_s - job.submit_s) * self.deadline_slack;
        changed.deadline_s = job.deadline_s.map(moved).map(|deadline_s| deadline_s.clamp(0.0, limits::TIME_MAX_S));
        changed.submit_s = changed.submit_s.min(limits::TIME_MAX_S);
        let amount = changed.work.amount_mut();
        *amount = (*amount * self.work).min(limits::WORK_MAX);
        changed
    }
}
