//! The record of a run: columns from which timelines, metrics and exports are derived.

mod digest;

use std::borrow::Cow;

use elastiplan_model::{JobId, Prices};
use serde::{Deserialize, Serialize};

/// The state of a job during a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpanState {
    /// Submitted, not yet started, holding no GPUs.
    Waiting,
    /// Holding GPUs, making no progress: the cost of a change that the policy asked for.
    Rescaling,
    /// Holding GPUs and making progress.
    Running,
    /// Started before, holding no GPUs.
    Preempted,
    /// Holding GPUs, making no progress: the cost of a node that left.
    Recovering,
}

impl SpanState {
    /// The word used in exports.
    pub fn word(self) -> &'static str {
        match self {
            SpanState::Waiting => "waiting",
            SpanState::Rescaling => "rescaling",
            SpanState::Running => "running",
            SpanState::Preempted => "preempted",
            SpanState::Recovering => "recovering",
        }
    }
}

/// The outcome of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The job did all its work.
    Completed,
    /// The policy declined the job.
    Dropped,
    /// The run ended before the job did.
    Unfinished,
    /// The job died of a bug.
    Failed,
    /// The user cancelled the job.
    Cancelled,
}

impl Outcome {
    /// The word used in exports.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Completed => "completed",
            Outcome::Dropped => "dropped",
            Outcome::Unfinished => "unfinished",
            Outcome::Failed => "failed",
            Outcome::Cancelled => "cancelled",
        }
    }
}

/// Spans of all jobs, grouped by job in order of submission, in order of time within a job. The spans of a job are
/// contiguous. Zero-length spans are not recorded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spans {
    /// For job `j`, its spans are `first[j]..first[j + 1]`; one longer than there are jobs.
    pub first: Vec<u32>,
    /// Start, in seconds on the clock of the trace.
    pub start_s: Vec<f64>,
    /// End, in seconds on the clock of the trace.
    pub end_s: Vec<f64>,
    /// GPUs held; 0 while waiting or preempted.
    pub gpus: Vec<u32>,
    /// The state of the job.
    pub state: Vec<SpanState>,
    /// Throughput in samples per second; 0 where the job makes no progress.
    pub samples_per_s: Vec<f64>,
    /// Goodput: throughput times statistical efficiency, in effective samples per second. Empty if it equals the
    /// throughput in every span.
    pub work_per_s: Vec<f64>,
}

/// One span, taken out of the columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Start, in seconds on the clock of the trace.
    pub start_s: f64,
    /// End, in seconds on the clock of the trace.
    pub end_s: f64,
    /// GPUs held.
    pub gpus: u32,
    /// The state of the job.
    pub state: SpanState,
    /// Throughput in samples per second; 0 where the job makes no progress.
    pub samples_per_s: f64,
    /// Goodput: throughput times statistical efficiency, in effective samples per second.
    pub work_per_s: f64,
}

/// The rows of a job or node, whose first rows are `first`.
fn range_in(first: &[u32], at: usize) -> std::ops::Range<usize> {
    match (first.get(at), first.get(at + 1)) {
        (Some(&first), Some(&next)) => first as usize..next as usize,
        _ => 0..0,
    }
}

impl Spans {
    /// Number of spans of all jobs.
    pub fn len(&self) -> usize {
        self.start_s.len()
    }

    /// Whether there are no spans.
    pub fn is_empty(&self) -> bool {
        self.start_s.is_empty()
    }

    /// Rows of a job's spans; empty for an unknown job.
    pub fn range_of(&self, job: JobId) -> std::ops::Range<usize> {
        range_in(&self.first, job.index())
    }

    /// The span in a row.
    pub fn get(&self, at: usize) -> Option<Span> {
        let samples_per_s = *self.samples_per_s.get(at)?;
        Some(Span {
            start_s: *self.start_s.get(at)?,
            end_s: *self.end_s.get(at)?,
            gpus: *self.gpus.get(at)?,
            state: *self.state.get(at)?,
            samples_per_s,
            work_per_s: self.work_per_s.get(at).copied().unwrap_or(samples_per_s),
        })
    }

    /// The spans of all jobs.
    pub fn iter(&self) -> impl Iterator<Item = Span> {
        (0..self.len()).filter_map(|at| self.get(at))
    }

    /// The spans of one job.
    pub fn of(&self, job: JobId) -> impl Iterator<Item = Span> {
        self.range_of(job).filter_map(|at| self.get(at))
    }
}

/// Totals of each job; one row a job, in order of submission.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobRecords {
    /// Outcome.
    pub outcome: Vec<Outcome>,
    /// Time at which the job first held GPUs.
    pub start_s: Vec<Option<f64>>,
    /// Time at which the policy admitted the job: at the latest when it first held GPUs.
    pub admitted_s: Vec<Option<f64>>,
    /// Time at which the job completed, failed, was cancelled or dropped.
    pub end_s: Vec<Option<f64>>,
    /// Time without GPUs between submission and end.
    pub queueing_s: Vec<f64>,
    /// GPU-seconds held.
    pub gpu_seconds: Vec<f64>,
    /// The part of `gpu_seconds` without progress because the job was being rescaled or resumed.
    pub rescale_gpu_seconds: Vec<f64>,
    /// The part of `gpu_seconds` that leaving nodes cost: without progress, or with progress that was lost.
    pub preemption_gpu_seconds: Vec<f64>,
    /// Samples processed, lost ones included.
    pub samples: Vec<f64>,
    /// Work that was done and lost, in effective samples.
    pub work_lost: Vec<f64>,
    /// Work left, in effective samples.
    pub work_left: Vec<f64>,
    /// Changes of the job's GPUs while it held some, and resumptions after a preemption.
    pub rescales: Vec<u32>,
    /// How often the job lost all its GPUs before its end.
    pub preemptions: Vec<u32>,
    /// How often leaving nodes took some or all of the job's GPUs.
    pub evictions: Vec<u32>,
}

/// Counts over time: a row is valid from its time until the next. Times rise, and neighbouring rows differ.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Time, in seconds on the clock of the trace.
    pub time_s: Vec<f64>,
    /// GPUs of the nodes that are present.
    pub gpus_present: Vec<u32>,
    /// GPUs held by jobs.
    pub gpus_in_use: Vec<u32>,
    /// Jobs that hold GPUs.
    pub jobs_running: Vec<u32>,
    /// Jobs submitted, not ended, holding no GPUs.
    pub jobs_waiting: Vec<u32>,
}

impl Series {
    /// The row that is valid at `time_s`; `None` before the first.
    pub fn row_at(&self, time_s: f64) -> Option<usize> {
        self.time_s.partition_point(|&start_s| start_s <= time_s).checked_sub(1)
    }
}

/// Decisions that changed something; one row a decision.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Decisions {
    /// Time, in seconds on the clock of the trace. Times do not fall.
    pub time_s: Vec<f64>,
    /// Jobs started or resumed.
    pub started: Vec<u32>,
    /// Jobs resized or moved.
    pub rescaled: Vec<u32>,
    /// Jobs preempted.
    pub preempted: Vec<u32>,
    /// Jobs dropped.
    pub dropped: Vec<u32>,
}

/// GPUs of nodes held by jobs, grouped by node; within a node in order of the ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Holdings {
    /// For node `n`, its rows are `first[n]..first[n + 1]`; one longer than there are nodes.
    pub first: Vec<u32>,
    /// The job.
    pub job: Vec<u32>,
    /// The GPUs: bit `k` is GPU `k` of the node.
    pub mask: Vec<u64>,
    /// Start, in seconds on the clock of the trace.
    pub start_s: Vec<f64>,
    /// End, in seconds on the clock of the trace.
    pub end_s: Vec<f64>,
}

impl Holdings {
    /// Rows of a node; empty for an unknown node.
    pub fn range_of(&self, node: u32) -> std::ops::Range<usize> {
        range_in(&self.first, node as usize)
    }
}

/// Absences of nodes: not ordered yet, failed, returned or away. Grouped by node; within a node in order of time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Absences {
    /// For node `n`, its rows are `first[n]..first[n + 1]`; one longer than there are nodes.
    pub first: Vec<u32>,
    /// Start, in seconds on the clock of the trace.
    pub start_s: Vec<f64>,
    /// End, in seconds on the clock of the trace.
    pub end_s: Vec<f64>,
}

impl Absences {
    /// Start and end of each absence of a node; none for an unknown node.
    pub fn of(&self, node: u32) -> impl Iterator<Item = (f64, f64)> + '_ {
        let range = range_in(&self.first, node as usize);
        let starts_s = self.start_s.get(range.clone()).unwrap_or_default();
        starts_s.iter().copied().zip(self.end_s.get(range).unwrap_or_default().iter().copied())
    }
}

/// The cause of a loss of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LossCause {
    /// A node left.
    NodeLeft,
    /// The policy changed the job's GPUs, under `Charging::Work`.
    Rescale,
}

/// Work that was done and lost, in order of time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// Time, in seconds on the clock of the trace.
    pub time_s: Vec<f64>,
    /// The job.
    pub job: Vec<u32>,
    /// GPUs held times the seconds of training that were lost.
    pub gpu_seconds: Vec<f64>,
    /// Samples lost: those seconds at the speed at the time of the loss.
    pub samples: Vec<f64>,
    /// Work lost, in effective samples.
    pub work: Vec<f64>,
    /// The cause.
    pub cause: Vec<LossCause>,
}

impl Losses {
    /// Time and GPU-seconds of the losses with this cause.
    pub fn by_cause(&self, cause: LossCause) -> impl Iterator<Item = (f64, f64)> {
        let rows = self.time_s.iter().copied().zip(self.gpu_seconds.iter().copied()).zip(&self.cause);
        rows.filter(move |(_, own)| **own == cause).map(|(row, _)| row)
    }
}

/// Batch sizes that the policy chose, in order of time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BatchSizes {
    /// Time, in seconds on the clock of the trace.
    pub time_s: Vec<f64>,
    /// The job.
    pub job: Vec<u32>,
    /// Global batch size in samples.
    pub batch_global: Vec<u32>,
}

/// Remarks of the policy about jobs, in order of time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Remarks {
    /// Time, in seconds on the clock of the trace.
    pub time_s: Vec<f64>,
    /// The job.
    pub job: Vec<u32>,
    /// The remark, in the policy's words.
    pub text: Vec<String>,
}

impl Remarks {
    /// The last remark about a job.
    pub fn of(&self, job: JobId) -> Option<&str> {
        let at = self.job.iter().rposition(|other| *other == job.0)?;
        self.text.get(at).map(String::as_str)
    }
}

/// The record of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// GPUs of all nodes of the cluster; those present at each time are in the series.
    pub gpus_total: u32,
    /// GPUs of each node.
    pub gpus_per_node: u32,
    /// Names of the first nodes, those of the availability log; nodes beyond them have a number only.
    pub node_names: Vec<String>,
    /// Price of a GPU in dollars an hour, if a policy sizes the cluster.
    pub price_per_gpu_hour: Option<f64>,
    /// Prices of a GPU over time, in a scenario with such prices.
    pub prices: Option<Prices>,
    /// Fixed price of a GPU in dollars an hour, if the scenario has one. It decides nothing in a run, and is no part of its
    /// digest.
    pub list_price_per_gpu_hour: Option<f64>,
    /// First submission.
    pub start_s: f64,
    /// Time of the last instant, or the time to stop.
    pub end_s: f64,
    /// Whether the run reached its end or the time to stop, rather than being recorded on the way.
    pub finished: bool,
    /// Spans of all jobs.
    pub spans: Spans,
    /// Totals of each job.
    pub jobs: JobRecords,
    /// Counts over time.
    pub series: Series,
    /// Decisions that changed something.
    pub decisions: Decisions,
    /// GPUs of nodes held by jobs.
    pub holdings: Holdings,
    /// Absences of nodes.
    pub absences: Absences,
    /// Batch sizes that the policy chose.
    pub batch_sizes: BatchSizes,
    /// Work that was done and lost.
    pub losses: Losses,
    /// Remarks of the policy about jobs.
    pub remarks: Remarks,
    /// Whether the run was ended because no job made progress any more.
    pub stalled: bool,
}

impl Run {
    /// A node's name in the availability log; `node 3`, counted from 0, where it has none.
    pub fn node_name(&self, node: u32) -> Cow<'_, str> {
        let name = self.node_names.get(node as usize).filter(|name| !name.is_empty());
        name.map_or_else(|| format!("node {node}").into(), |name| name.as_str().into())
    }

    /// The jobs, in order of submission.
    pub fn job_ids(&self) -> impl Iterator<Item = JobId> + use<> {
        (0..self.jobs.outcome.len() as u32).map(JobId)
    }
}
