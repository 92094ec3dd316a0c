//! The rules that actions must obey, and what a job runs on.

use std::collections::{BTreeMap, BTreeSet};

use elastiplan_model::{Configuration, Job, JobId, WorkloadJob};

use crate::invariants::{BrokenInvariant, Invariants};
use crate::simulation::Simulation;
use crate::{Action, HORIZON_S, NodeGpus, RunError, RunErrorKind};

impl Simulation<'_> {
    /// Rejects actions that are impossible alone or together, before any of them takes effect.
    pub(crate) fn check(&self, actions: &[Action]) -> Result<(), RunError> {
        let mut named = BTreeSet::new();
        let mut gpus_after = i64::from(self.state.gpus_in_use());
        let mut resize = |job: JobId, gpus: u32| {
            self.check_present(job)?;
            self.ensure(named.insert(job), job, RunErrorKind::TwoActions)?;
            gpus_after += i64::from(gpus) - i64::from(self.state.gpus(job));
            Ok::<(), RunError>(())
        };
        let mut batches: BTreeMap<JobId, u32> = BTreeMap::new();
        for action in actions {
            if let Action::SetBatch { job, batch_global } = action {
                let is_first = batches.insert(*job, *batch_global).is_none();
                self.ensure(is_first, *job, RunErrorKind::TwoBatchSizes)?;
            }
        }
        let mut last = JobId(0);
        for action in actions {
            match action {
                Action::Allocate { job, gpus } => {
                    last = *job;
                    resize(*job, *gpus)?;
                    self.check_size(*job, *gpus, 0, &batches)?;
                }
                Action::Place { job, on } => {
                    last = *job;
                    let gpus = self.check_nodes(*job, on)?;
                    resize(*job, gpus)?;
                    self.check_size(*job, gpus, on.len() as u32, &batches)?;
                }
                Action::Drop { job } => {
                    last = *job;
                    resize(*job, 0)?;
                    self.ensure(!self.state.has_started(*job), *job, RunErrorKind::DropAfterStart)?;
                }
                Action::Admit { job } => self.check_present(*job)?,
                Action::Remark { job, .. } => {
                    self.ensure(self.state.is_submitted(*job), *job, RunErrorKind::RemarkBeforeSubmission)?;
                }
                Action::SetBatch { job, batch_global } => {
                    self.check_present(*job)?;
                    let has_curve = *batch_global != 0 && self.workload.curve_at(*job, *batch_global).is_some();
                    self.ensure(has_curve, *job, RunErrorKind::NoCurve { batch_global: *batch_global })?;
                }
                Action::ResizeCluster { nodes } => self.check_resize(*nodes)?,
                Action::WakeAt { time_s } => {
                    if !(*time_s > self.time_s && *time_s <= HORIZON_S) {
                        return Err(self.error(RunErrorKind::WakeNotLater { wake_s: *time_s }));
                    }
                }
            }
        }
        let present = self.places.gpus_present();
        match u64::try_from(gpus_after) {
            Ok(requested) if requested > u64::from(present) => {
                Err(self.job_error(last, RunErrorKind::TooManyGpus { requested, present }))
            }
            _ => Ok(()),
        }
    }

    fn check_present(&self, job: JobId) -> Result<(), RunError> {
        self.ensure(self.state.is_present(job), job, RunErrorKind::JobNotPresent)
    }

    /// Rejects a number of GPUs on which a job does not run with the batch size it gets at the same time.
    fn check_size(&self, job: JobId, gpus: u32, nodes: u32, batches: &BTreeMap<JobId, u32>) -> Result<(), RunError> {
        let runs = gpus == 0 || self.runs_on(job, gpus, nodes, batches.get(&job).copied());
        self.ensure(runs, job, RunErrorKind::UnsupportedGpus { gpus })
    }

    /// Rejects nodes that are absent, repeated or too small; returns the number of GPUs.
    fn check_nodes(&self, job: JobId, on: &[NodeGpus]) -> Result<u32, RunError> {
        let mut known = BTreeSet::new();
        let mut gpus = 0;
        for place in on {
            let (NodeGpus { node, gpus: requested }, gpus_per_node) = (*place, self.places.gpus_per_node());
            let kind = if !self.places.is_present(node) {
                RunErrorKind::NodeAbsent { node }
            } else if !known.insert(node) {
                RunErrorKind::NodeNamedTwice { node }
            } else if !(1..=gpus_per_node).contains(&requested) {
                RunErrorKind::NodeSize { node, gpus_per_node, requested }
            } else {
                gpus += requested;
                continue;
            };
            return Err(self.job_error(job, kind));
        }
        Ok(gpus)
    }

    fn check_resize(&self, nodes: u32) -> Result<(), RunError> {
        let Some(cloud) = &self.conditions.cloud else {
            return Err(self.error(RunErrorKind::FixedCluster));
        };
        let (least, most) = (cloud.nodes_min, self.places.nodes());
        match (least..=most).contains(&nodes) {
            true => Ok(()),
            false => Err(self.error(RunErrorKind::ClusterSize { nodes, least, most })),
        }
    }

    /// Whether a job runs on so many GPUs of that many nodes (0: as few as possible), with the batch size that it gets
    /// or, if that stays, with the present one or its own.
    pub(crate) fn runs_on(&self, job: JobId, gpus: u32, nodes: u32, batch_next: Option<u32>) -> bool {
        let with_own = || self.own_batch(job).is_some_and(|own| self.runs_with(job, gpus, nodes, Some(own)));
        self.runs_with(job, gpus, nodes, batch_next) || batch_next.is_none() && with_own()
    }

    /// The batch size of a job before the policy chose another; `None` if it did not.
    pub(crate) fn own_batch(&self, job: JobId) -> Option<u32> {
        let curve = self.invariants.require(self.workload.curve_of(job), "a curve of the job", Some(job));
        let own = curve?.key().batch_global;
        own.filter(|_| self.state.get(job).is_some_and(|state| state.batch_global.is_some_and(|now| Some(now) != own)))
    }

    /// Whether a job runs so with this batch size or, without one, with that which it has now.
    pub(crate) fn runs_with(&self, job: JobId, gpus: u32, nodes: u32, batch_next: Option<u32>) -> bool {
        let needed = self.places.nodes_needed(gpus);
        let nodes = nodes.max(needed);
        let state = self.invariants.require(self.state.get(job), "the state of the job", Some(job));
        let (Some(state), Some(bound)) = (state, self.bound(job)) else { return false };
        let batch_global = batch_next.or(state.batch_global);
        let configuration = Configuration { gpus, nodes, packed: nodes == needed, batch_global, shape: &[] };
        let curve = batch_next.and_then(|batch| self.workload.curve_at(job, batch)).unwrap_or(state.curve);
        let curve = self.workload.curves().get(curve as usize);
        let curve = self.invariants.require(curve, "a curve of the job", Some(job));
        // With a chosen batch size, the curve says on how few GPUs it runs; the trace may ask for more.
        let gpus_min = match (bound.batches, batch_global) {
            (Some(_), Some(_)) => self.in_trace(job).and_then(|job| job.gpus_min).unwrap_or(1),
            _ => bound.gpus_min,
        };
        gpus >= gpus_min && curve.is_some_and(|curve| curve.samples_per_s_in(&configuration) > 0.0)
    }

    /// A job as it is in the trace; the job is known to exist.
    #[track_caller]
    pub(crate) fn in_trace(&self, job: JobId) -> Option<&Job> {
        self.invariants.require(self.workload.trace().jobs().get(job.index()), "the job in the trace", Some(job))
    }

    /// A job as it is bound to its curve; the job is known to exist.
    #[track_caller]
    pub(crate) fn bound(&self, job: JobId) -> Option<&WorkloadJob> {
        self.invariants.require(self.workload.jobs().get(job.index()), "the job in the workload", Some(job))
    }

    /// The error for a broken invariant, if there is one.
    pub(crate) fn internal_error(&self) -> Option<RunError> {
        let parts = [
            &self.invariants,
            self.state.invariants(),
            &self.places.invariants,
            &self.holdings.invariants,
            &self.absences.invariants,
            &self.capacity.invariants,
        ];
        let BrokenInvariant { place, expected, job } = parts.into_iter().find_map(Invariants::first_broken)?;
        let place = format!("{}:{}", place.file(), place.line());
        let kind = RunErrorKind::Internal { place, expected: expected.into() };
        Some(match job {
            Some(job) => self.job_error(job, kind),
            None => self.error(kind),
        })
    }

    /// The error of this kind unless a rule holds.
    fn ensure(&self, holds: bool, job: JobId, kind: RunErrorKind) -> Result<(), RunError> {
        if holds { Ok(()) } else { Err(self.job_error(job, kind)) }
    }

    /// An error about a job.
    pub(crate) fn job_error(&self, job: JobId, kind: RunErrorKind) -> RunError {
        let job_name = self.workload.trace().jobs().get(job.index()).map(|job| job.name.clone());
        RunError { job: Some(job), job_name, ..self.error(kind) }
    }

    /// An error about the cluster or the policy itself.
    pub(crate) fn error(&self, kind: RunErrorKind) -> RunError {
        RunError { policy: self.policy_id.clone(), job: None, job_name: None, time_s: self.time_s, kind }
    }
}
