//! The interface of scheduling policies: when they decide, and the actions they may return.

use std::any::Any;

use dyn_clone::DynClone;
use elastiplan_model::JobId;

use crate::{JobView, View};

/// The times at which a policy decides.
///
/// Events are submissions, ends of jobs, and nodes that join or leave while jobs are present. Events at one time are
/// answered together. An interval that is not a number above 0 means: at every event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cadence {
    /// At every event.
    OnEvents,
    /// In rounds, counted from the first submission, but only after an event and while a job is present.
    Every {
        /// From round to round, in seconds.
        interval_s: f64,
    },
    /// At every event, but with at least an interval between decisions.
    AtMostEvery {
        /// From decision to decision, in seconds.
        interval_s: f64,
    },
    /// In every round, counted from the first submission, while a job is present.
    Ticks {
        /// From round to round, in seconds.
        interval_s: f64,
    },
    /// At every event, and in every round while a job is present.
    OnEventsAndTicks {
        /// From round to round, in seconds.
        interval_s: f64,
    },
}

/// A number of GPUs of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeGpus {
    /// The node, counted from 0.
    pub node: u32,
    /// Number of GPUs; at least 1.
    pub gpus: u32,
}

/// A change that a policy requests. Jobs without an action keep their GPUs.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Start, resize or, with 0 GPUs, suspend a job; the placer chooses the GPUs.
    Allocate {
        /// The job.
        job: JobId,
        /// GPUs from now on.
        gpus: u32,
    },
    /// Start, resize or move a job to these GPUs; without nodes, suspend it.
    Place {
        /// The job.
        job: JobId,
        /// GPUs from now on, each node once.
        on: Vec<NodeGpus>,
    },
    /// Set the batch size of a job. A change of the batch size alone costs nothing. A job that is later placed on GPUs
    /// on which it does not run with the chosen batch size returns to its own.
    SetBatch {
        /// The job.
        job: JobId,
        /// Global batch size in samples.
        batch_global: u32,
    },
    /// Admit a job. A job that starts is admitted in any case.
    Admit {
        /// The job.
        job: JobId,
    },
    /// Decline a job that has never started.
    Drop {
        /// The job.
        job: JobId,
    },
    /// Leave a remark about a job for readers of the run: why it was declined, and what would help. The last remark
    /// counts.
    Remark {
        /// The job.
        job: JobId,
        /// A sentence or two, without a full stop at the end.
        text: String,
    },
    /// Order nodes, or return some: first those being provisioned, then the ones with the fewest GPUs in use.
    ResizeCluster {
        /// Nodes from now on, those being provisioned included.
        nodes: u32,
    },
    /// Request a decision at this time.
    WakeAt {
        /// In seconds on the clock of the trace; later than now.
        time_s: f64,
    },
}

/// The effect on a job of losing a part of its GPUs to a leaving node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnLoss {
    /// The job is preempted.
    Preempt,
    /// The job continues on the others, if it runs on so few.
    Shrink,
}

/// The currency in which a job pays for a change of its GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charging {
    /// A pause without progress.
    Time,
    /// The progress that the job would have made during the pause on its GPUs before, taken back at once. The job does
    /// not pause; a job without GPUs pays nothing. The published replayer of BFTrainer counts so.
    Work,
}

/// A scheduling policy: maps the state of the cluster to actions.
///
/// A policy keeps no copy of the view; it may keep what it learns. It must answer equal histories with equal actions:
/// no clock, no randomness but from the seed it was made with, no iteration over hash maps.
///
/// A clone must continue as the original would, since checkpoints are clones. `#[derive(Clone)]` is right for any
/// policy that shares nothing mutable.
pub trait Policy: DynClone {
    /// The times at which the policy decides.
    fn cadence(&self) -> Cadence {
        Cadence::OnEvents
    }

    /// The effect of losing a part of its GPUs on a job.
    fn on_loss(&self) -> OnLoss {
        OnLoss::Preempt
    }

    /// The currency of rescale costs, for policies that follow a published simulator which counts otherwise.
    fn charging(&self) -> Charging {
        Charging::Time
    }

    /// Decides. Actions take effect together, and must fit the cluster together.
    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>);

    /// Explains the present allocation of a job, on request; `None` if the policy has no explanation.
    fn explain(&self, _view: &View<'_>, _job: &JobView<'_>) -> Option<String> {
        None
    }

    /// The problem that the last call of [`Self::decide`] solved, for callers that know its type. `None` unless the
    /// policy was built to keep it.
    fn last_decision(&self) -> Option<&dyn Any> {
        None
    }
}

dyn_clone::clone_trait_object!(Policy);
