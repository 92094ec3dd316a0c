//! Counts of rows and jobs.

use serde::{Deserialize, Serialize};

use super::column::Distinct;

/// Rows by what becomes of them.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct RowCounts {
    /// Rows below the header.
    pub rows: u64,
    /// Rows that become jobs; while fields are missing, those that would if the missing ones were good.
    pub jobs: u64,
    /// Rows left out, by reason, the most frequent first. Of a row with several reasons the first counts.
    pub left_out: Vec<LeftOut>,
    /// Values that are assumed, by reason, those for all rows first.
    pub assumed: Vec<Assumed>,
}

/// Rows that are left out for one reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The reason: "state is FAILED or CANCELLED".
    pub reason: String,
    /// How many.
    pub rows: u64,
    /// The first lines, at most 3.
    pub first_rows: Vec<u64>,
    /// The column with the cells at fault, where it is one.
    pub column: Option<u32>,
    /// How they could be kept.
    pub repair: Repair,
}

/// How rows that are left out could be kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Repair {
    /// By this mapping: without a condition, with GPUs rounded up.
    Mapping {
        /// What to offer: "Keep them".
        label: String,
        /// The whole mapping.
        mapping: String,
    },
    /// By the file alone: "Correct one of the two times".
    Advice(String),
}

/// A value that the file does not say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumed {
    /// The column of the table that lacks it, or the field that no column gives.
    pub field: String,
    /// What is assumed: "No job has a deadline".
    pub what: String,
    /// For how many rows.
    pub rows: u64,
    /// Whether these are all rows that become jobs.
    pub is_all: bool,
    /// The first lines, at most 3; none where it is all.
    pub first_rows: Vec<u64>,
}

/// The jobs of a table together. What the mapping does not give is missing.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct JobTotals {
    /// From the first submission to the last end.
    pub span: Option<TimeSpan>,
    /// GPU-hours of the jobs that tell them.
    pub gpu_hours: Option<f64>,
    /// The most GPUs in use at once if each job ran at its start, or at its submission where the mapping knows no
    /// start, for as long as it takes.
    pub peak_gpus: Option<u64>,
    /// The most GPUs of one job.
    pub gpus_max: Option<u32>,
    /// Different models.
    pub models: Distinct,
    /// Different users.
    pub users: Distinct,
    /// Jobs with a deadline.
    pub with_deadline: u64,
}

impl JobTotals {
    /// The smallest cluster of nodes with so many GPUs that holds the peak.
    pub fn nodes_needed(&self, gpus_per_node: u32) -> Option<u64> {
        self.peak_gpus.map(|gpus| gpus.div_ceil(u64::from(gpus_per_node.max(1))))
    }
}

/// Times of the jobs, in seconds on the clock of the file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeSpan {
    /// The first submission.
    pub first_submit_s: f64,
    /// The last submission.
    pub last_submit_s: f64,
    /// The last end of a job that runs at its start or submission; the last submission where no end is known.
    pub last_end_s: f64,
    /// Whether these are dates, in seconds since 1970.
    pub is_dates: bool,
}

/// A job whose speed on one number of GPUs is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KnownPoint {
    /// The job's name.
    pub name: String,
    /// The line it starts at, counted from 1.
    pub row: u64,
    /// Its GPUs, at least 2.
    pub gpus: u32,
    /// How long it takes on them, in seconds.
    pub duration_s: f64,
}
