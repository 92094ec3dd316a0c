//! A table as the mapping step shows it: its columns with what they are used for, its first rows before and after, one
//! row of each kind that is left out, and what would be loaded.
//!
//! A survey reads the table once and keeps counts, not rows, so that its memory does not grow with the file: of
//! different values at most [`DISTINCT_MAX`] are counted for each column, and the GPUs in use at once for at most
//! [`PEAK_JOBS_MAX`] jobs. The mapping may still lack fields; what does not depend on them is told all the same.

mod column;
mod issue;
mod row;
mod totals;

pub use column::{Content, Distinct, SurveyColumn, ValueCount};
pub use issue::MappingIssue;
pub use row::{ConvertedJob, RowOutcome, SurveyRow};
pub use totals::{Assumed, JobTotals, KnownPoint, LeftOut, Repair, RowCounts, TimeSpan};

use serde::{Deserialize, Serialize};

use super::Uses;

/// Different values of a column that are counted.
pub const DISTINCT_MAX: u32 = 1_000;
/// Different names of jobs that are counted.
pub const NAMES_MAX: u32 = 100_000;
/// Jobs whose GPUs in use at once are counted.
pub const PEAK_JOBS_MAX: usize = 4_000_000;
/// Columns that are looked at; wider tables are not job traces.
pub const COLUMNS_MAX: usize = 256;
/// Rows with jobs that are shown.
pub const ROWS_SHOWN: usize = 6;
/// Kinds of rows left out of which one is shown.
pub const KINDS_SHOWN: usize = 16;

/// What a mapping makes of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// The file.
    pub path: String,
    /// The sign between columns.
    pub delimiter: char,
    /// The line with the names of the columns, counted from 1; `None` where there is none, and they are called
    /// `column 1`, `column 2`, ….
    pub header_row: Option<u64>,
    /// The fingerprint of the columns, by which the mapping can be remembered ([`super::fingerprint`]).
    #[serde(with = "super::remembered::as_hex")]
    pub fingerprint: u64,
    /// The mapping that was surveyed, as text; of a survey without one, the guess. It may lack fields.
    pub mapping: String,
    /// Whether the mapping is the guess, unchanged.
    pub is_guess: bool,
    /// The mapping as roles of columns.
    pub uses: Uses,
    /// The columns in their order, at most [`COLUMNS_MAX`].
    pub columns: Vec<SurveyColumn>,
    /// Columns beyond those.
    pub columns_more: u32,
    /// The first rows that become jobs, at most [`ROWS_SHOWN`], then the first of each kind that is left out.
    pub rows: Vec<SurveyRow>,
    /// The rows, by what becomes of them.
    pub counts: RowCounts,
    /// The jobs together.
    pub jobs: JobTotals,
    /// A job with several GPUs and the most GPU-hours: the known point of a law of speedup.
    pub known_point: Option<KnownPoint>,
    /// What stands in the way of loading, the first to be mended first.
    pub issues: Vec<MappingIssue>,
}
