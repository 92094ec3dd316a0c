//! What a policy may not ask for.

use std::collections::{BTreeMap, BTreeSet};

use elastiplan_model::{Configuration, JobId};

use crate::simulation::Simulation;
use crate::{Action, HORIZON_S, NodeGpus, RunError};

impl Simulation<'_> {
    /// Refuses actions that are impossible alone or together, before any of them takes effect.
    pub(crate) fn check(&self, actions: &[Action]) -> Result<(), RunError> {
        let mut sizes = Sizes { named: BTreeSet::new(), gpus_after: i64::from(self.state.gpus_in_use()) };
        let mut batches: BTreeMap<JobId, u32> = BTreeMap::new();
        for action in actions {
            if let Action::SetBatch { job, batch_global } = action
                && batches.insert(*job, *batch_global).is_some()
            {
                return Err(self.refusal(*job, "two batch sizes for one job".into()));
            }
        }
        let mut last = JobId(0);
        for action in actions {
            match action {
                Action::Allocate { job, gpus } => {
                    last = *job;
                    sizes.note(self, *job, *gpus)?;
                    self.check_size(*job, *gpus, 0, &batches)?;
                }
                Action::Place { job, on } => {
                    last = *job;
                    let gpus = self.check_nodes(*job, on)?;
                    sizes.note(self, *job, gpus)?;
                    self.check_size(*job, gpus, on.len() as u32, &batches)?;
                }
                Action::Drop { job } => {
                    last = *job;
                    sizes.note(self, *job, 0)?;
                    if self.state.has_started(*job) {
                        return Err(self.refusal(*job, "only a job that never started can be dropped".into()));
                    }
                }
                Action::Admit { job } => self.check_present(*job)?,
                Action::Remark { job, .. } if self.state.is_submitted(*job) => {}
                Action::Remark { job, .. } => {
                    return Err(self.refusal(*job, "there is nothing to note before it is submitted".into()));
                }
                Action::SetBatch { job, batch_global } => {
                    self.check_present(*job)?;
                    if *batch_global == 0 || self.workload.curve_at(*job, *batch_global).is_none() {
                        return Err(self.refusal(*job, format!("there is no curve for batch size {batch_global}")));
                    }
                }
                Action::ResizeCluster { nodes } => self.check_resize(*nodes)?,
                Action::WakeAt { time_s } => {
                    if !(*time_s > self.time_s && *time_s <= HORIZON_S) {
                        return Err(self.refusal_of("when to be asked", format!("{time_s} s is not later than now")));
                    }
                }
            }
        }
        let total = self.places.gpus_present();
        if sizes.gpus_after > i64::from(total) {
            return Err(self.refusal(last, format!("{} GPUs would be held, the cluster has {total}", sizes.gpus_after)));
        }
        Ok(())
    }

    fn check_present(&self, job: JobId) -> Result<(), RunError> {
        match self.state.is_present(job) {
            true => Ok(()),
            false => Err(self.refusal(job, "the job is not in the cluster".into())),
        }
    }

    /// Whether a job runs on so many GPUs, with the batch size that it is given at the same time.
    fn check_size(&self, job: JobId, gpus: u32, nodes: u32, batches: &BTreeMap<JobId, u32>) -> Result<(), RunError> {
        match gpus == 0 || self.runs_on_at(job, gpus, nodes, batches.get(&job).copied()) {
            true => Ok(()),
            false => Err(self.refusal(job, format!("it does not run on {}", gpus_in_words(gpus)))),
        }
    }

    /// Each node once, there, with so many GPUs; gives their number.
    fn check_nodes(&self, job: JobId, on: &[NodeGpus]) -> Result<u32, RunError> {
        let mut known = BTreeSet::new();
        let mut gpus = 0;
        for place in on {
            let NodeGpus { node, gpus: wanted } = *place;
            let rule = if !self.places.is_present(node) {
                format!("node {node} is not there")
            } else if !known.insert(node) {
                format!("node {node} is named twice")
            } else if !(1..=self.places.gpus_per_node()).contains(&wanted) {
                format!("node {node} has {}, not {wanted}", gpus_in_words(self.places.gpus_per_node()))
            } else {
                gpus += wanted;
                continue;
            };
            return Err(self.refusal(job, rule));
        }
        Ok(gpus)
    }

    fn check_resize(&self, nodes: u32) -> Result<(), RunError> {
        let Some(cloud) = &self.conditions.cloud else {
            return Err(self.refusal_of("the cluster", "its size is fixed".into()));
        };
        let possible = cloud.nodes_min..=self.places.nodes();
        match possible.contains(&nodes) {
            true => Ok(()),
            false => {
                let (least, most) = (possible.start(), possible.end());
                Err(self.refusal_of("the cluster", format!("{nodes} nodes is not from {least} to {most}")))
            }
        }
    }

    /// Whether a job runs on so many GPUs, on that many nodes (0: as few as possible).
    pub(crate) fn runs_on(&self, job: JobId, gpus: u32, nodes: u32) -> bool {
        self.runs_on_at(job, gpus, nodes, None)
    }

    /// With the batch size that it is given, or else with the one that it has or its own.
    fn runs_on_at(&self, job: JobId, gpus: u32, nodes: u32, batch_next: Option<u32>) -> bool {
        match batch_next {
            Some(_) => self.runs_with(job, gpus, nodes, batch_next),
            None => {
                self.runs_with_its_batch(job, gpus, nodes)
                    || self.own_batch(job).is_some_and(|own| self.runs_with(job, gpus, nodes, Some(own)))
            }
        }
    }

    /// With the batch size that it has now.
    pub(crate) fn runs_with_its_batch(&self, job: JobId, gpus: u32, nodes: u32) -> bool {
        self.runs_with(job, gpus, nodes, None)
    }

    /// The batch size that a job has where nobody chooses, if that was changed.
    pub(crate) fn own_batch(&self, job: JobId) -> Option<u32> {
        let own = self.workload.curve_of(job)?.key().batch_global;
        own.filter(|_| self.state.get(job).is_some_and(|state| state.batch_global.is_some_and(|now| Some(now) != own)))
    }

    fn runs_with(&self, job: JobId, gpus: u32, nodes: u32, batch_next: Option<u32>) -> bool {
        let needed = self.places.nodes_needed(gpus);
        let nodes = nodes.max(needed);
        let (Some(state), Some(bound)) = (self.state.get(job), self.workload.jobs().get(job.index())) else {
            return false;
        };
        let batch_global = batch_next.or(state.batch_global);
        let configuration = Configuration { gpus, nodes, packed: nodes == needed, batch_global, shape: &[] };
        let curve = batch_next.and_then(|batch| self.workload.curve_at(job, batch)).unwrap_or(state.curve);
        let curve = self.workload.curves().get(curve as usize);
        // Of the fewest GPUs, only what the batch size decides changes with it.
        let gpus_min = match (bound.batches, batch_global) {
            (Some(_), Some(_)) => {
                self.workload.trace().jobs().get(job.index()).and_then(|job| job.gpus_min).unwrap_or(1)
            }
            _ => bound.gpus_min,
        };
        gpus >= gpus_min && curve.is_some_and(|curve| curve.samples_per_s_in(&configuration) > 0.0)
    }

    pub(crate) fn refusal(&self, job: JobId, rule: String) -> RunError {
        let name = self.workload.trace().jobs().get(job.index()).map(|job| job.name.clone());
        let name = name.unwrap_or_else(|| format!("number {}", job.0));
        self.refusal_of(&format!("job {name}"), rule)
    }

    fn refusal_of(&self, about: &str, rule: String) -> RunError {
        RunError { policy: self.policy_id.clone(), about: about.into(), time_s: self.time_s, rule }
    }
}

/// What jobs would hold, while the actions are gone through.
struct Sizes {
    named: BTreeSet<JobId>,
    gpus_after: i64,
}

impl Sizes {
    fn note(&mut self, simulation: &Simulation<'_>, job: JobId, gpus: u32) -> Result<(), RunError> {
        simulation.check_present(job)?;
        if !self.named.insert(job) {
            return Err(simulation.refusal(job, "two actions for one job".into()));
        }
        self.gpus_after += i64::from(gpus) - i64::from(simulation.state.gpus(job));
        Ok(())
    }
}

pub(crate) fn gpus_in_words(gpus: u32) -> String {
    format!("{gpus} GPU{}", if gpus == 1 { "" } else { "s" })
}
