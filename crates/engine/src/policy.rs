//! What a scheduling policy may ask for, and when it is asked.

use std::any::Any;

use dyn_clone::DynClone;
use elastiplan_model::JobId;

use crate::View;

/// When a policy is asked.
///
/// Events are submissions, the ends of jobs, and nodes that appear or go while jobs are there. What happens at one time
/// is answered together. An interval that is no number above 0 means: at every event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cadence {
    /// At every event.
    OnEvents,
    /// In rounds, counted from the first submission, and only where something happened since and a job is there.
    Every {
        /// From round to round, in seconds.
        interval_s: f64,
    },
    /// At every event, but not sooner after the last decision than this.
    AtMostEvery {
        /// From decision to decision, in seconds.
        interval_s: f64,
    },
    /// In every round, counted from the first submission, while a job is there, whether something happened or not.
    Ticks {
        /// From round to round, in seconds.
        interval_s: f64,
    },
    /// At every event, and in every round while a job is there.
    OnEventsAndTicks {
        /// From round to round, in seconds.
        interval_s: f64,
    },
}

/// GPUs of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeGpus {
    /// The node, counted from 0.
    pub node: u32,
    /// How many of its GPUs; at least 1.
    pub gpus: u32,
}

/// What a policy asks for. Jobs that no action names keep what they have.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Give a job this many GPUs, wherever the placer finds them: start, resize, or with 0 suspend it.
    Allocate {
        /// The job.
        job: JobId,
        /// GPUs from now on.
        gpus: u32,
    },
    /// Give a job these GPUs: start, resize or move it. Without nodes: suspend it.
    Place {
        /// The job.
        job: JobId,
        /// GPUs from now on, each node once.
        on: Vec<NodeGpus>,
    },
    /// Train a job with this batch size from now on. A change of the batch size alone costs nothing. A job that is put on
    /// GPUs on which it does not run with what was chosen for it before takes its own batch size again.
    SetBatch {
        /// The job.
        job: JobId,
        /// Global batch size in samples.
        batch_global: u32,
    },
    /// Promise to run a job. It counts as admitted at the latest when it starts.
    Admit {
        /// The job.
        job: JobId,
    },
    /// Refuse a job that has never started.
    Drop {
        /// The job.
        job: JobId,
    },
    /// Note something about a job for whoever looks at the run: why it was refused, and what would help. Its last
    /// remark counts.
    Remark {
        /// The job.
        job: JobId,
        /// A sentence or two, without a full stop at the end.
        text: String,
    },
    /// Order nodes, or give some back: first those on the way, then the ones with the fewest GPUs in use.
    ResizeCluster {
        /// Nodes from now on, those on the way included.
        nodes: u32,
    },
    /// Ask again at this time, whatever happens until then.
    WakeAt {
        /// In seconds on the clock of the trace; later than now.
        time_s: f64,
    },
}

/// What becomes of a job of which a node that leaves takes only a part of the GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnLoss {
    /// It loses the others too, and waits.
    Preempt,
    /// It goes on with the others, if it runs on so few.
    Shrink,
}

/// What a job pays for a change of its GPUs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charging {
    /// Seconds in which it makes no progress.
    Time,
    /// The progress that it would have made in these seconds on what it had before, taken away at once. It trains on
    /// without a pause; who had nothing pays nothing. So counts the published replayer of BFTrainer.
    Work,
}

/// A scheduling policy: looks at the cluster, answers with actions.
///
/// A policy keeps no copy of what the view tells; it may keep what it learns. It must answer equal histories with equal
/// actions: no clock, no randomness but from the seed it was made with, no iteration over hash maps.
///
/// A clone goes on as the original would: checkpoints rest on it. `#[derive(Clone)]` is right for any policy that shares
/// nothing mutable.
pub trait Policy: DynClone {
    /// When to ask.
    fn cadence(&self) -> Cadence {
        Cadence::OnEvents
    }

    /// Whether jobs go on with what a leaving node leaves them.
    fn on_loss(&self) -> OnLoss {
        OnLoss::Preempt
    }

    /// What changes are paid for in. For policies that follow a published simulator which counts otherwise.
    fn charging(&self) -> Charging {
        Charging::Time
    }

    /// Decides. Actions take effect together: together they must fit the cluster.
    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>);

    /// Says, if somebody asks, why a job has now what it has. `None`: nothing to say.
    fn explain(&self, _view: &View<'_>, _job: JobId) -> Option<String> {
        None
    }

    /// The problem that the last call of [`Self::decide`] solved, for callers that know its type. `None` unless the
    /// policy was built to keep it.
    fn last_decision(&self) -> Option<&dyn Any> {
        None
    }
}

dyn_clone::clone_trait_object!(Policy);
