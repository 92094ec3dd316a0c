//! The error that ends a run.

use std::fmt;

use elastiplan_model::{JobId, gpus_in_words};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::ForkError;

/// The error that ends a run: a rule that a policy's decision broke, or a defect of the engine.
#[derive(Clone, Debug, PartialEq, Error, Serialize, Deserialize)]
pub struct RunError {
    /// The policy's id.
    pub policy: String,
    /// The job concerned; `None` for a rule about the cluster or about the policy itself.
    pub job: Option<JobId>,
    /// The job's name; `None` if the trace has no such job.
    pub job_name: Option<String>,
    /// Time of the decision, in seconds on the clock of the trace.
    pub time_s: f64,
    /// The rule that was broken.
    pub kind: RunErrorKind,
}

/// The rule that a decision broke. Its text completes a sentence that names policy, time and job.
#[derive(Clone, Debug, PartialEq, Error, Serialize, Deserialize)]
pub enum RunErrorKind {
    /// An action for a job that is not submitted yet, has ended, or does not exist.
    #[error("the job is not in the cluster")]
    JobNotPresent,
    /// More than one action that sets the GPUs of one job.
    #[error("two actions for one job")]
    TwoActions,
    /// More than one batch size for one job.
    #[error("two batch sizes for one job")]
    TwoBatchSizes,
    /// A drop of a job that has held GPUs.
    #[error("only a job that never started can be dropped")]
    DropAfterStart,
    /// A remark about a job that is not submitted yet, or does not exist.
    #[error("there is nothing to note before it is submitted")]
    RemarkBeforeSubmission,
    /// A batch size without a throughput curve.
    #[error("there is no curve for batch size {batch_global}")]
    NoCurve {
        /// The batch size, in samples.
        batch_global: u32,
    },
    /// A number of GPUs that the job does not run on.
    #[error("it does not run on {}", gpus_in_words(*gpus))]
    UnsupportedGpus {
        /// GPUs requested.
        gpus: u32,
    },
    /// More GPUs allocated than the cluster has.
    #[error("{requested} GPUs would be held, the cluster has {present}")]
    TooManyGpus {
        /// GPUs that all jobs would hold after the decision.
        requested: u64,
        /// GPUs of the nodes that are present.
        present: u32,
    },
    /// GPUs of a node that is absent or does not exist.
    #[error("node {node} is not there")]
    NodeAbsent {
        /// The node, counted from 0.
        node: u32,
    },
    /// One node listed twice in one placement.
    #[error("node {node} is named twice")]
    NodeNamedTwice {
        /// The node, counted from 0.
        node: u32,
    },
    /// No GPUs of a node, or more than a node has.
    #[error("node {node} has {}, not {requested}", gpus_in_words(*gpus_per_node))]
    NodeSize {
        /// The node, counted from 0.
        node: u32,
        /// GPUs of each node.
        gpus_per_node: u32,
        /// GPUs requested on it.
        requested: u32,
    },
    /// GPUs of a node that other jobs hold.
    #[error("node {node} has only {available} free for it")]
    NodeOccupied {
        /// The node, counted from 0.
        node: u32,
        /// GPUs of it that are free or held by the job itself.
        available: u32,
    },
    /// A placement on which the job's throughput is 0.
    #[error("it makes no progress there")]
    NoProgress,
    /// A resize of a cluster that is not elastic.
    #[error("its size is fixed")]
    FixedCluster,
    /// A number of nodes outside the limits of the cloud.
    #[error("{nodes} nodes is not from {least} to {most}")]
    ClusterSize {
        /// Nodes requested.
        nodes: u32,
        /// The fewest nodes possible.
        least: u32,
        /// The most nodes possible.
        most: u32,
    },
    /// A wake-up that is not in the future, or beyond the end of time.
    #[error("{wake_s} s is not later than now")]
    WakeNotLater {
        /// Time requested, in seconds on the clock of the trace.
        wake_s: f64,
    },
    /// A fork that cannot be made at its time.
    #[error(transparent)]
    Fork(Box<ForkError>),
    /// A broken invariant: a defect of the engine, not of the policy.
    #[error(
        "internal error at {place}: {expected} expected. This is a defect of the simulator: please report it, with the scenario"
    )]
    Internal {
        /// File and line of the check.
        place: String,
        /// What should have held.
        expected: String,
    },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { policy, time_s, kind, .. } = self;
        if let RunErrorKind::Fork(error) = kind {
            return write!(f, "{policy}, {error}");
        }
        let deciding = if matches!(kind, RunErrorKind::Internal { .. }) { "" } else { "deciding " };
        write!(f, "{policy} failed at {time_s} s")?;
        match (self.job, &self.job_name, kind) {
            (_, Some(name), _) => write!(f, " {deciding}for job {name}")?,
            (Some(JobId(number)), None, _) => write!(f, " {deciding}for job number {number}")?,
            (None, None, RunErrorKind::Internal { .. }) => {}
            (None, None, RunErrorKind::WakeNotLater { .. }) => write!(f, " deciding for when to be asked")?,
            (None, None, _) => write!(f, " deciding for the cluster")?,
        }
        write!(f, ": {kind}")
    }
}
