//! What a scheduling policy sees, and what it may ask for.

use dyn_clone::DynClone;
use elastiplan_model::{Cluster, Curve, Job, JobId, Workload, WorkloadJob};

use crate::state::State;

/// When a policy is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cadence {
    /// At every submission and completion; events at one time are answered together.
    OnEvents,
    /// Every so many seconds, counted from the first submission, and only where something happened since and a job is
    /// there to decide about.
    Every {
        /// The interval in seconds; above 0. With one that is no interval, the policy is asked at every event.
        interval_s: f64,
    },
}

/// What a policy asks for. Jobs that no action names keep what they have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Give a job this many GPUs: start, resize, or with 0 preempt it.
    Allocate {
        /// The job.
        job: JobId,
        /// GPUs from now on.
        gpus: u32,
    },
    /// Refuse a job that has never started.
    Drop {
        /// The job.
        job: JobId,
    },
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

    /// Decides. Actions take effect together: together they must fit the cluster.
    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>);
}

dyn_clone::clone_trait_object!(Policy);

/// A job as a policy sees it.
#[derive(Clone, Copy, Debug)]
pub struct JobView<'a> {
    /// Its id.
    pub id: JobId,
    /// As it stands in the trace.
    pub job: &'a Job,
    /// GPUs asked for and possible, samples in all.
    pub bound: &'a WorkloadJob,
    /// Its throughput curve.
    pub curve: &'a Curve,
    /// GPUs it holds now.
    pub gpus: u32,
    /// Whether it has ever held GPUs.
    pub started: bool,
    /// Samples still to process.
    pub samples_left: f64,
}

/// The cluster at the moment of a decision: read-only.
pub struct View<'a> {
    pub(crate) workload: &'a Workload,
    pub(crate) cluster: &'a Cluster,
    pub(crate) state: &'a State,
    pub(crate) time_s: f64,
    pub(crate) jobs_submitted: u32,
}

impl<'a> View<'a> {
    /// Now, in seconds on the clock of the trace.
    pub fn time_s(&self) -> f64 {
        self.time_s
    }

    /// How many jobs have been submitted until now, ended ones included: their ids are below this number.
    pub fn jobs_submitted(&self) -> u32 {
        self.jobs_submitted
    }

    /// GPUs of the cluster.
    pub fn gpus_total(&self) -> u32 {
        self.cluster.gpus_total()
    }

    /// GPUs that no job holds.
    pub fn gpus_free(&self) -> u32 {
        self.gpus_total().saturating_sub(self.state.gpus_in_use())
    }

    /// Jobs that hold GPUs, in order of submission.
    pub fn running(&self) -> impl Iterator<Item = JobView<'a>> + use<'a> {
        let (workload, state) = (self.workload, self.state);
        let time_s = self.time_s;
        state.running().filter_map(move |job| job_view(workload, state, time_s, job))
    }

    /// Jobs that hold none, in order of submission: those that wait and those that were preempted.
    pub fn waiting(&self) -> impl Iterator<Item = JobView<'a>> + use<'a> {
        let (workload, state) = (self.workload, self.state);
        let time_s = self.time_s;
        state.waiting().filter_map(move |job| job_view(workload, state, time_s, job))
    }

    /// One job; `None` if it was not submitted yet or has ended.
    pub fn job(&self, job: JobId) -> Option<JobView<'a>> {
        let present = self.state.is_present(job);
        present.then(|| job_view(self.workload, self.state, self.time_s, job)).flatten()
    }
}

fn job_view<'a>(workload: &'a Workload, state: &State, time_s: f64, id: JobId) -> Option<JobView<'a>> {
    let bound = workload.jobs().get(id.index())?;
    Some(JobView {
        id,
        job: workload.trace().jobs().get(id.index())?,
        bound,
        curve: workload.curves().get(bound.curve as usize)?,
        gpus: state.gpus(id),
        started: state.has_started(id),
        samples_left: state.samples_left(id, time_s),
    })
}
