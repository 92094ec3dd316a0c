//! What became of one job in one run, as a list of events.

pub(crate) mod changes;
mod events;
mod series;
mod words;

use elastiplan_engine::{Outcome, Run};
use elastiplan_metrics::{Steps, completion_s, meets_deadline, over_time};
use elastiplan_model::{JobId, Workload};
use elastiplan_text::format;

pub use words::{lateness, outcome_word};

/// Changes of GPUs at most this far apart, in seconds, are one event.
pub const GROUPED_WITHIN_S: f64 = 600.0;

/// One job under one policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Story {
    /// What happened, in order of time.
    pub events: Vec<StoryEvent>,
    /// What it amounts to.
    pub summary: StorySummary,
    /// GPUs held, from submission on.
    pub gpus: Steps<u32>,
    /// Global batch size; `None` while it holds nothing, or where it is not known.
    pub batch_global: Steps<Option<u32>>,
    /// Throughput in samples per second: 0 while a change is paid for, `None` while it holds nothing.
    pub samples_per_s: Steps<Option<f64>>,
    /// Goodput in samples per second as they count: the same, and `None` where it is not known what they are worth.
    pub work_per_s: Steps<Option<f64>>,
    /// Statistical efficiency; `None` while it makes no progress, or where it is not known.
    pub efficiency: Steps<Option<f64>>,
    /// Gradient noise scale in samples; `None` while it holds nothing, or where it is not known.
    pub noise_samples: Steps<Option<f64>>,
    /// Goodput over that on one GPU; 0 while a change is paid for, `None` while it holds nothing.
    pub speed_up: Steps<Option<f64>>,
}

/// What a job's life amounts to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StorySummary {
    /// How it ended.
    pub outcome: Outcome,
    /// When it ended, if it did.
    pub end_s: Option<f64>,
    /// Time without GPUs between submission and end.
    pub waited_s: f64,
    /// Changes of its GPUs, and resumptions after a preemption.
    pub resizes: u32,
    /// How often it lost all its GPUs.
    pub preemptions: u32,
    /// GPUs held, times seconds.
    pub gpu_seconds: f64,
    /// The part of it in which it was being rescaled.
    pub rescale_gpu_seconds: f64,
    /// Completion minus submission, if it completed.
    pub jct_s: Option<f64>,
    /// Completion minus deadline, if it has one and completed: negative where it was early.
    pub late_s: Option<f64>,
    /// Whether it completed by its deadline; `None` without one.
    pub meets_deadline: Option<bool>,
}

/// Something that happened to a job.
#[derive(Clone, Debug, PartialEq)]
pub struct StoryEvent {
    /// When, in seconds on the clock of the trace.
    pub time_s: f64,
    /// What.
    pub what: Happening,
}

/// What a change cost before the job went on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Paid {
    /// Without progress.
    pub seconds: f64,
    /// The same, times the GPUs held.
    pub gpu_seconds: f64,
}

/// What the record says about why a job got no GPUs when it was submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitReason {
    /// No node was there.
    NoNodes,
    /// Fewer GPUs were free than it asked for, once the policy had decided.
    TooFewFree {
        /// How many were free.
        free: u32,
    },
    /// There were enough: the policy kept them.
    HeldBack {
        /// How many were free.
        free: u32,
    },
}

/// What can happen to a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// It came.
    Submitted {
        /// GPUs that it asked for.
        gpus_requested: u32,
        /// Whether it ever got any.
        starts: bool,
        /// How long it then had no GPUs: until it started, or to its end. 0 if it started at once.
        waits_s: f64,
        /// Why, where it waited.
        reason: Option<WaitReason>,
    },
    /// The policy promised to run it, before it started.
    Admitted,
    /// It got its first GPUs.
    Started {
        /// How many.
        gpus: u32,
        /// Its batch size then.
        batch_global: Option<u32>,
        /// Throughput once it trained.
        samples_per_s: Option<f64>,
        /// What the start cost.
        paid: Paid,
    },
    /// It got more or fewer GPUs, once or several times within moments.
    Resized {
        /// How many it had, and how many it had after each change.
        gpus: Vec<u32>,
        /// Its batch size after the last.
        batch_global: Option<u32>,
        /// Throughput after the last.
        samples_per_s: Option<f64>,
        /// What each of them cost.
        paid: Vec<Paid>,
    },
    /// It got as many GPUs in another place.
    Moved {
        /// How many.
        gpus: u32,
        /// What that cost.
        paid: Paid,
    },
    /// The policy chose another batch size.
    Batch {
        /// Which, in samples.
        batch_global: u32,
    },
    /// It lost all its GPUs.
    Preempted {
        /// How many it had.
        gpus: u32,
        /// Because a node left, not because the policy wanted them.
        node_left: bool,
        /// Until it got some again, or to the end.
        away_s: f64,
    },
    /// It got GPUs again.
    Resumed {
        /// How many.
        gpus: u32,
        /// Throughput once it trained.
        samples_per_s: Option<f64>,
        /// What that cost.
        paid: Paid,
    },
    /// A node left, and it went on at once.
    NodeLeft {
        /// GPUs before.
        from: u32,
        /// GPUs after.
        to: u32,
        /// What that cost.
        paid: Paid,
    },
    /// Work was lost with a node.
    WorkLost {
        /// GPUs held, times the seconds of training that were lost.
        gpu_seconds: f64,
    },
    /// The policy noted something about it.
    Remarked {
        /// In the policy's words.
        text: String,
    },
    /// Its deadline passed before it completed.
    DeadlinePassed {
        /// GPUs it held then.
        gpus: u32,
    },
    /// It ended; or the run did, before it. A run that is on its way has no such event for jobs that are in it.
    Ended {
        /// How.
        outcome: Outcome,
        /// Completion minus deadline, if it has one and completed.
        late_s: Option<f64>,
    },
}

impl Story {
    /// Tells the life of a job; `None` if there is no such job. Changes of GPUs in one direction that are at most
    /// `grouped_within_s` apart become one event.
    pub fn of(run: &Run, workload: &Workload, job: JobId, grouped_within_s: f64) -> Option<Self> {
        let summary = StorySummary::of(run, workload, job)?;
        let series = series::Series::of(run, workload, job);
        let events = events::events(run, workload, job, &summary, &series, grouped_within_s)?;
        let series::Series { gpus, batch_global, samples_per_s } = series;
        Some(Self {
            events,
            summary,
            gpus,
            batch_global,
            samples_per_s,
            work_per_s: over_time::goodput_of_job(run, workload, job),
            efficiency: over_time::statistical_efficiency(run, workload, job),
            noise_samples: over_time::noise_scale(run, workload, job),
            speed_up: over_time::speed_up(run, workload, job),
        })
    }
}

impl Story {
    /// The times of its events since `zero_s` in words, with enough digits to tell them apart: one for each event.
    pub fn times(&self, zero_s: f64) -> Vec<String> {
        format::told_apart(&self.events.iter().map(|event| event.time_s - zero_s).collect::<Vec<f64>>())
    }
}

impl StorySummary {
    /// What a job's life amounts to; `None` if there is no such job.
    pub fn of(run: &Run, workload: &Workload, job: JobId) -> Option<Self> {
        let (at, records) = (job.index(), &run.jobs);
        let in_trace = workload.trace().jobs().get(at)?;
        let completed_s = completion_s(run, job);
        Some(Self {
            outcome: *records.outcome.get(at)?,
            end_s: *records.end_s.get(at)?,
            waited_s: *records.queueing_s.get(at)?,
            resizes: *records.rescales.get(at)?,
            preemptions: *records.preemptions.get(at)?,
            gpu_seconds: *records.gpu_seconds.get(at)?,
            rescale_gpu_seconds: *records.rescale_gpu_seconds.get(at)?,
            jct_s: completed_s.map(|end_s| end_s - in_trace.submit_s),
            late_s: completed_s.zip(in_trace.deadline_s).map(|(end_s, deadline_s)| end_s - deadline_s),
            meets_deadline: meets_deadline(run, workload, job),
        })
    }
}
