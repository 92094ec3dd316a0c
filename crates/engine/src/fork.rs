//! Changes in the middle of a run.
//!
//! A fork's change is applied at its time before everything else that happens then. The record until then is the
//! origin's to the bit: a fork that is still to come is no instant, and one that changes nothing leaves no trace.

use std::collections::VecDeque;
use std::sync::Arc;

use elastiplan_model::{Cluster, Job, JobId, order};
use elastiplan_scenario::{Conditions, Fork, ForkChange};
use elastiplan_text::format::duration;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::capacity::Change;
use crate::simulation::Simulation;
use crate::stall::Stall;
use crate::timing::Timing;
use crate::{Outcome, Policy, RunError, RunErrorKind};

/// A fork that cannot be made.
#[derive(Clone, Debug, PartialEq, Error, Serialize, Deserialize)]
#[error("fork {}: {kind}", fork.words())]
pub struct ForkError {
    /// The fork.
    pub fork: Fork,
    /// The reason.
    pub kind: ForkErrorKind,
}

/// The reason why a fork cannot be made. Times are in seconds after the first submission.
#[derive(Clone, Debug, PartialEq, Error, Serialize, Deserialize)]
pub enum ForkErrorKind {
    /// No job of this name.
    #[error("no job has this name")]
    UnknownJob,
    /// The job ended before.
    #[error("the job ended at {}", duration(*end_s))]
    JobEnded {
        /// When.
        end_s: f64,
    },
    /// The job comes later.
    #[error("the job is submitted only at {}", duration(*submit_s))]
    JobNotSubmitted {
        /// When.
        submit_s: f64,
    },
    /// The node does not exist, is away, or has failed.
    #[error("node {node} is not there then")]
    NodeAbsent {
        /// The node, counted from 0.
        node: u32,
    },
    /// A cluster without nodes, or one that is too large.
    #[error("a cluster has from 1 to {max} nodes", max = Cluster::NODES_MAX)]
    Nodes,
    /// Fewer nodes than the policy has to order.
    #[error("the policy orders at least {least} nodes")]
    FewerThanOrdered {
        /// The fewest nodes that a policy may order.
        least: u32,
    },
    /// The simulation stops before.
    #[error("the simulation stops at {}", duration(*until_s))]
    AfterStop {
        /// When.
        until_s: f64,
    },
    /// The run ended before.
    #[error("the run ends at {}: choose an earlier time", duration(*end_s))]
    AfterEnd {
        /// When.
        end_s: f64,
    },
    /// Nobody has built the policy that takes over.
    #[error("{0} is not a policy of this build")]
    UnknownPolicy(String),
}

/// A fork that is still to come.
#[derive(Clone)]
struct Pending<'a> {
    /// In seconds on the clock of the trace.
    at_s: f64,
    fork: Fork,
    /// The job that it is about.
    job: Option<JobId>,
    /// The policy that takes over.
    policy: Option<Box<dyn Policy + 'a>>,
}

/// The forks that are still to come, in order of time.
#[derive(Clone, Default)]
pub(crate) struct Forks<'a> {
    pending: VecDeque<Pending<'a>>,
}

/// What the forks of an instant did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Forked {
    /// A fork was due.
    pub due: bool,
    /// A job ended.
    pub ended: bool,
    /// Something else changed.
    pub changed: bool,
}

/// Builds a policy from its id; `None` if there is no such policy.
pub type BuildPolicy<'b, 'a> = &'b dyn Fn(&str) -> Option<Box<dyn Policy + 'a>>;

impl<'a> Simulation<'a> {
    /// Builds the policies that take over in forks of the conditions. A fork without its policy ends the run with an
    /// error.
    pub fn with_fork_policies(mut self, build: BuildPolicy<'_, 'a>) -> Result<Self, ForkError> {
        for pending in &mut self.forks.pending {
            if let ForkChange::Policy(id) = &pending.fork.change {
                let unknown = || fork_error(&pending.fork, ForkErrorKind::UnknownPolicy(id.clone()));
                pending.policy = Some(build(id).ok_or_else(unknown)?);
            }
        }
        Ok(self)
    }

    /// Plans the forks of the conditions.
    pub(crate) fn plan_forks(&mut self) -> Result<(), ForkError> {
        let conditions = Arc::clone(&self.conditions);
        let start_s = self.workload.trace().start_s();
        let mut pending = Vec::with_capacity(conditions.forks.len());
        for fork in &conditions.forks {
            self.check_nodes_of(fork, &conditions)?;
            let at_s = start_s + fork.after_start_s;
            if let Some(until_s) = conditions.until_s.filter(|until_s| at_s > *until_s) {
                return Err(fork_error(fork, ForkErrorKind::AfterStop { until_s: until_s - start_s }));
            }
            let job = match &fork.change {
                ForkChange::EndJob { job } | ForkChange::Priority { job, .. } => Some(self.job_named(fork, job)?),
                _ => None,
            };
            pending.push(Pending { at_s, fork: fork.clone(), job, policy: None });
        }
        // Stable: of several at one time, the order of the list counts.
        order::sort_by(&mut pending, |a, b| a.at_s.total_cmp(&b.at_s));
        self.forks = Forks { pending: pending.into() };
        Ok(())
    }

    fn check_nodes_of(&self, fork: &Fork, conditions: &Conditions) -> Result<(), ForkError> {
        let ForkChange::Nodes(nodes) = fork.change else { return Ok(()) };
        if !(1..=Cluster::NODES_MAX).contains(&self.capacity.in_log().saturating_add(nodes)) {
            return Err(fork_error(fork, ForkErrorKind::Nodes));
        }
        let least = conditions.cloud.map_or(0, |cloud| cloud.nodes_min);
        match self.capacity.in_log() + nodes < least {
            true => Err(fork_error(fork, ForkErrorKind::FewerThanOrdered { least })),
            false => Ok(()),
        }
    }

    fn job_named(&self, fork: &Fork, name: &str) -> Result<JobId, ForkError> {
        let found = self.workload.trace().jobs().iter().position(|job| job.name == name);
        found.map(|at| JobId(at as u32)).ok_or_else(|| fork_error(fork, ForkErrorKind::UnknownJob))
    }

    /// Time of the next fork.
    pub(crate) fn next_fork_s(&self) -> Option<f64> {
        self.forks.pending.front().map(|pending| pending.at_s)
    }

    /// Applies the forks that are due.
    pub(crate) fn apply_forks(&mut self) -> Result<Forked, RunError> {
        let mut forked = Forked::default();
        while let Some(pending) = self.forks.pending.pop_front_if(|pending| pending.at_s <= self.time_s) {
            forked.due = true;
            let done = self.apply_fork(&pending.fork, pending.job, pending.policy);
            let done =
                done.map_err(|kind| self.error(RunErrorKind::Fork(Box::new(fork_error(&pending.fork, kind)))))?;
            forked.ended |= done.ended;
            forked.changed |= done.changed;
        }
        if forked.ended || forked.changed {
            self.stall = Stall::default();
        }
        Ok(forked)
    }

    /// The error of a run that ended before its forks.
    pub(crate) fn fork_never_reached(&self) -> Option<RunError> {
        let pending = self.forks.pending.front()?;
        let end_s = self.time_s - self.workload.trace().start_s();
        Some(self.error(RunErrorKind::Fork(Box::new(fork_error(&pending.fork, ForkErrorKind::AfterEnd { end_s })))))
    }

    fn apply_fork(
        &mut self,
        fork: &Fork,
        job: Option<JobId>,
        policy: Option<Box<dyn Policy + 'a>>,
    ) -> Result<Forked, ForkErrorKind> {
        let changed = |changed| Ok(Forked { changed, ..Forked::default() });
        match (&fork.change, job) {
            (ForkChange::Nodes(nodes), _) => changed(self.fork_nodes(*nodes)),
            (ForkChange::Policy(id), _) if *id == self.policy_id => changed(false),
            (ForkChange::Policy(id), _) => {
                self.policy = policy.ok_or_else(|| ForkErrorKind::UnknownPolicy(id.clone()))?;
                self.policy_id = id.clone();
                self.timing = Timing::at_once(self.time_s);
                changed(true)
            }
            (ForkChange::NodeFails { node, for_s }, _) => {
                if !self.places.is_present(*node) {
                    return Err(ForkErrorKind::NodeAbsent { node: *node });
                }
                self.capacity.fail(*node, self.time_s + for_s);
                self.change_nodes(&[Change { node: *node, present: false }]);
                changed(true)
            }
            (ForkChange::EndJob { .. }, Some(job)) => {
                self.check_not_ended(job)?;
                if !self.state.is_submitted(job) {
                    let start_s = self.workload.trace().start_s();
                    let submit_s = self.workload.trace().jobs().get(job.index()).map_or(start_s, |job| job.submit_s);
                    return Err(ForkErrorKind::JobNotSubmitted { submit_s: submit_s - start_s });
                }
                self.state.end(job, Outcome::Cancelled, self.time_s);
                self.release_places_of(job);
                Ok(Forked { ended: true, ..Forked::default() })
            }
            (ForkChange::Priority { priority, .. }, Some(job)) => {
                self.check_not_ended(job)?;
                changed(self.set_priority(job, *priority))
            }
            (ForkChange::EndJob { .. } | ForkChange::Priority { .. }, None) => Err(ForkErrorKind::UnknownJob),
        }
    }

    fn check_not_ended(&self, job: JobId) -> Result<(), ForkErrorKind> {
        let ended = self.state.get(job).filter(|state| state.outcome().is_some());
        let start_s = self.workload.trace().start_s();
        ended.map_or(Ok(()), |state| Err(ForkErrorKind::JobEnded { end_s: state.since_s() - start_s }))
    }

    /// Sets the number of nodes beside those of the log; returns whether it differs.
    fn fork_nodes(&mut self, nodes: u32) -> bool {
        let nodes = self.capacity.in_log().saturating_add(nodes);
        if nodes == self.cluster.nodes() {
            return false;
        }
        let Ok(cluster) = self.cluster.resized(nodes, self.cluster.gpus_per_node()) else { return false };
        self.cluster = cluster;
        let changes = self.capacity.resize(nodes, self.conditions.cloud.is_some(), self.time_s);
        let leaving: Vec<Change> = changes.iter().filter(|change| !change.present).copied().collect();
        let joining: Vec<Change> = changes.iter().filter(|change| change.present).copied().collect();
        // Nodes leave the old cluster and join the new one.
        self.change_nodes(&leaving);
        self.places.resize(nodes);
        self.absences.extend(nodes, self.workload.trace().start_s());
        self.change_nodes(&joining);
        true
    }

    /// Sets the priority that policies see; returns whether it differs from before.
    fn set_priority(&mut self, job: JobId, priority: f64) -> bool {
        let Some(known) = self.job_as_changed(job) else { return false };
        if known.priority.unwrap_or(1.0) == priority {
            return false;
        }
        let mut changed = known.clone();
        changed.priority = Some(priority);
        self.changed_jobs.insert(job, Arc::new(changed));
        self.state.is_present(job)
    }

    fn job_as_changed(&self, job: JobId) -> Option<&Job> {
        let changed = self.changed_jobs.get(&job).map(AsRef::as_ref);
        changed.or_else(|| self.workload.trace().jobs().get(job.index()))
    }
}

fn fork_error(fork: &Fork, kind: ForkErrorKind) -> ForkError {
    ForkError { fork: fork.clone(), kind }
}
