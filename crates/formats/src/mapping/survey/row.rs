//! Rows before and after conversion.

use serde::{Deserialize, Serialize};

/// A row as the file has it, and what becomes of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurveyRow {
    /// The line it starts at, counted from 1.
    pub row: u64,
    /// Its cells by column, shortened if long; empty cells are empty.
    pub cells: Vec<String>,
    /// What becomes of it.
    pub outcome: RowOutcome,
}

/// What becomes of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RowOutcome {
    /// A job.
    Job(ConvertedJob),
    /// Nothing.
    LeftOut {
        /// The reason: "state is FAILED".
        reason: String,
        /// The column with the cell at fault, where it is one.
        column: Option<u32>,
    },
}

/// A job as a row gives it. What the mapping does not give yet is missing.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct ConvertedJob {
    /// Its name.
    pub name: String,
    /// Its submission, in seconds on the clock of the file; of dates since 1970.
    pub submit_s: Option<f64>,
    /// The GPUs that it asks for.
    pub gpus: Option<u32>,
    /// How long it takes on them, in seconds, where the row tells.
    pub duration_s: Option<f64>,
    /// GPU-hours, where the row tells.
    pub gpu_hours: Option<f64>,
    /// Its deadline, on the clock of the submission.
    pub deadline_s: Option<f64>,
    /// Its model.
    pub model: Option<String>,
    /// Its user.
    pub user: Option<String>,
    /// Whether a value was filled in or repaired.
    pub is_defaulted: bool,
}
