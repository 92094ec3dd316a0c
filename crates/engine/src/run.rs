//! The record of a run: columns from which timelines, metrics and exports are derived.

use elastiplan_model::JobId;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

/// What a job was doing during a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpanState {
    /// Submitted, not yet started, holding nothing.
    Waiting,
    /// Holding GPUs, making no progress: the cost of a change.
    Rescaling,
    /// Holding GPUs and making progress.
    Running,
    /// Started before, holding nothing now.
    Preempted,
}

impl SpanState {
    /// The word used in exports.
    pub fn word(self) -> &'static str {
        match self {
            SpanState::Waiting => "waiting",
            SpanState::Rescaling => "rescaling",
            SpanState::Running => "running",
            SpanState::Preempted => "preempted",
        }
    }
}

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// All its work is done.
    Completed,
    /// The policy refused it.
    Dropped,
    /// The run ended before it did.
    Unfinished,
}

impl Outcome {
    /// The word used in exports.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Completed => "completed",
            Outcome::Dropped => "dropped",
            Outcome::Unfinished => "unfinished",
        }
    }
}

/// Spans of all jobs, grouped by job in order of submission, in order of time within a job. The spans of a job touch:
/// each begins where the one before ended. Zero-length spans are not recorded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spans {
    /// For job `j`, its spans are `first[j]..first[j + 1]`; one longer than there are jobs.
    pub first: Vec<u32>,
    /// Begin, in seconds on the clock of the trace.
    pub start_s: Vec<f64>,
    /// End, in seconds on the clock of the trace.
    pub end_s: Vec<f64>,
    /// GPUs held; 0 while waiting or preempted.
    pub gpus: Vec<u32>,
    /// What the job was doing.
    pub state: Vec<SpanState>,
}

/// One span, taken out of the columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Begin, in seconds on the clock of the trace.
    pub start_s: f64,
    /// End, in seconds on the clock of the trace.
    pub end_s: f64,
    /// GPUs held.
    pub gpus: u32,
    /// What the job was doing.
    pub state: SpanState,
}

impl Spans {
    /// How many spans there are, over all jobs.
    pub fn len(&self) -> usize {
        self.start_s.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.start_s.is_empty()
    }

    /// Where a job's spans lie in the columns; empty for an unknown job.
    pub fn range_of(&self, job: JobId) -> std::ops::Range<usize> {
        match (self.first.get(job.index()), self.first.get(job.index() + 1)) {
            (Some(&first), Some(&next)) => first as usize..next as usize,
            _ => 0..0,
        }
    }

    /// The span at a place in the columns.
    pub fn get(&self, at: usize) -> Option<Span> {
        Some(Span {
            start_s: *self.start_s.get(at)?,
            end_s: *self.end_s.get(at)?,
            gpus: *self.gpus.get(at)?,
            state: *self.state.get(at)?,
        })
    }

    /// The spans of one job.
    pub fn of(&self, job: JobId) -> impl Iterator<Item = Span> {
        self.range_of(job).filter_map(|at| self.get(at))
    }
}

/// What became of each job; one row a job, in order of submission.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobRecords {
    /// How it ended.
    pub outcome: Vec<Outcome>,
    /// When it first held GPUs.
    pub start_s: Vec<Option<f64>>,
    /// When it completed or was dropped.
    pub end_s: Vec<Option<f64>>,
    /// Time without GPUs between submission and end.
    pub queueing_s: Vec<f64>,
    /// GPUs held, times seconds.
    pub gpu_seconds: Vec<f64>,
    /// The part of `gpu_seconds` in which it made no progress because it was being rescaled or resumed.
    pub rescale_gpu_seconds: Vec<f64>,
    /// Changes of its GPU count while it held some, and resumptions after a preemption.
    pub rescales: Vec<u32>,
    /// How often it lost all its GPUs before it was done.
    pub preemptions: Vec<u32>,
}

/// Counts over time: a row holds from its time until the next. Times rise, and neighbouring rows differ.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// When, in seconds on the clock of the trace.
    pub time_s: Vec<f64>,
    /// GPUs held by jobs.
    pub gpus_in_use: Vec<u32>,
    /// Jobs that hold GPUs.
    pub jobs_running: Vec<u32>,
    /// Jobs submitted, not ended, holding nothing.
    pub jobs_waiting: Vec<u32>,
}

impl Series {
    /// The row that holds at `time_s`; `None` before the first.
    pub fn row_at(&self, time_s: f64) -> Option<usize> {
        self.time_s.partition_point(|&start_s| start_s <= time_s).checked_sub(1)
    }
}

/// Everything that a simulation leaves behind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// GPUs of the cluster.
    pub gpus_total: u32,
    /// When the first job was submitted.
    pub start_s: f64,
    /// When the last thing happened.
    pub end_s: f64,
    /// Whether the run came to its own end or to the time to stop, rather than being recorded on the way.
    pub finished: bool,
    /// What each job did when.
    pub spans: Spans,
    /// What became of each job.
    pub jobs: JobRecords,
    /// Counts over time.
    pub series: Series,
    /// When the policy was asked, and answered with a change.
    pub decisions_s: Vec<f64>,
}

impl Run {
    /// A fingerprint of the record, 16 hexadecimal digits: the same on every machine for the same run.
    pub fn digest(&self) -> String {
        let mut hash = Xxh3::new();
        hash.update(&self.gpus_total.to_le_bytes());
        hash_floats(&mut hash, &self.spans.start_s);
        hash_floats(&mut hash, &self.spans.end_s);
        hash_counts(&mut hash, &self.spans.first);
        hash_counts(&mut hash, &self.spans.gpus);
        for &state in &self.spans.state {
            hash.update(&[state as u8]);
        }
        for &outcome in &self.jobs.outcome {
            hash.update(&[outcome as u8]);
        }
        for &end_s in &self.jobs.end_s {
            hash.update(&end_s.map_or(u64::MAX, f64::to_bits).to_le_bytes());
        }
        format!("{:016x}", hash.digest())
    }
}

fn hash_floats(hash: &mut Xxh3, column: &[f64]) {
    for value in column {
        hash.update(&value.to_bits().to_le_bytes());
    }
}

fn hash_counts(hash: &mut Xxh3, column: &[u32]) {
    for value in column {
        hash.update(&value.to_le_bytes());
    }
}
