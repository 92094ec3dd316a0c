//! Any table as a job trace, by a mapping: a line of text that says what its columns are.
//!
//! ```text
//! job_id=job submit_s=start_time duration_s=end_time-start_time gpus=gpu_request*worker_num where state=COMPLETED
//! ```
//!
//! The fields on the left are the columns of the plain job trace. On the right stand expressions over the columns of the
//! file, with units. The rows that they give are read as those of a plain trace, so that one set of rules holds for both.
//! docs/import.md describes the language.

mod bind;
mod content;
mod edit;
mod error;
mod evaluate;
mod expression;
pub(crate) mod guess;
mod names;
mod parse;
mod read;
mod reading;
mod remembered;
mod survey;
mod synonyms;
mod tokens;
mod uses;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

pub(crate) use bind::Bound;
pub(crate) use content::Sample;
pub use error::{MappingError, MappingProblem};
pub(crate) use evaluate::{moment, seconds};
pub use expression::{Comparison, Expression, Filter, Function, Operator, Test, Unit};
pub use guess::{Guess, GuessedField, Sureness};
pub(crate) use read::{NO_GPU, NO_TIME, read};
pub use reading::{Reading, Zone};
pub use remembered::{REMEMBERED_MAX, Remembered, RememberedMapping};
pub use survey::{
    Assumed, COLUMNS_MAX, Content, ConvertedJob, DISTINCT_MAX, Distinct, JobTotals, KINDS_SHOWN, KnownPoint, LeftOut,
    MappingIssue, NAMES_MAX, PEAK_JOBS_MAX, ROWS_MORE, ROWS_SHOWN, Repair, RowCounts, RowOutcome, Survey, SurveyColumn,
    SurveyError, SurveyRow, TimeSpan, ValueCount, survey,
};
pub use uses::{ColumnUse, FieldFormula, ReadAs, ReadForm, Role, Uses, WorkMeasure};

/// The fields that a mapping can give: the columns of the plain job trace.
pub const FIELDS: [&str; 22] = [
    "job_id",
    "submit_s",
    "model",
    "gpus",
    "samples",
    "iterations",
    "duration_s",
    "gpu_seconds",
    "epochs",
    "samples_per_epoch",
    "trainings",
    "batch_global",
    "batch_min",
    "batch_max",
    "gpus_min",
    "gpus_max",
    "deadline_s",
    "best_effort",
    "user",
    "rescale_up_s",
    "rescale_down_s",
    "priority",
];

/// Fields that are text; all others are numbers.
pub(crate) const TEXT_FIELDS: [&str; 3] = ["job_id", "model", "user"];

/// Fields that every mapping has to give.
const NEEDED: [&str; 2] = ["submit_s", "gpus"];

/// Fields of work: one of them is needed.
const WORK: [&str; 6] = ["samples", "iterations", "duration_s", "gpu_seconds", "epochs", "trainings"];

/// A mapping from the columns of a table to the fields of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Mapping {
    assignments: Vec<Assignment>,
    filters: Vec<Filter>,
    zone: Option<Zone>,
}

/// One field with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// One of [`FIELDS`].
    pub field: &'static str,
    /// Its value in each row.
    pub value: Expression,
}

impl Mapping {
    /// A mapping of these fields, each once, for the rows that pass all filters.
    pub fn new(assignments: Vec<Assignment>, filters: Vec<Filter>) -> Self {
        Self { assignments, filters, zone: None }
    }

    /// The fields with their values.
    pub fn assignments(&self) -> &[Assignment] {
        &self.assignments
    }

    /// The conditions for a row to be read.
    pub fn filters(&self) -> &[Filter] {
        &self.filters
    }

    /// The zone of dates that name none; `None` for UTC, as an assumption.
    pub fn zone(&self) -> Option<Zone> {
        self.zone
    }

    /// The value of a field.
    pub fn value(&self, field: &str) -> Option<&Expression> {
        self.assignments.iter().find(|assignment| assignment.field == field).map(|assignment| &assignment.value)
    }

    /// The columns that it names, as it spells them; some more than once.
    pub fn columns(&self) -> Vec<&str> {
        let fields = self.assignments.iter().flat_map(|assignment| assignment.value.columns());
        fields.chain(self.filters.iter().flat_map(|filter| filter.value.columns())).collect()
    }

    /// The needed fields that it does not give: `duration_s` stands for any kind of work.
    pub fn missing(&self) -> Vec<&'static str> {
        let has = |field: &str| self.value(field).is_some();
        let mut missing: Vec<&str> = NEEDED.into_iter().filter(|field| !has(field)).collect();
        if !WORK.into_iter().any(has) {
            missing.push("duration_s");
        }
        if has("epochs") && !has("samples_per_epoch") {
            missing.push("samples_per_epoch");
        }
        missing
    }
}

/// The text that [`Mapping::from_str`] reads back the same.
impl fmt::Display for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for Assignment { field, value } in &self.assignments {
            write!(f, "{separator}{field}={value}")?;
            separator = " ";
        }
        if let Some(zone) = self.zone {
            write!(f, "{separator}zone={zone}")?;
            separator = " ";
        }
        let mut word = "where";
        for filter in &self.filters {
            write!(f, "{separator}{word} {filter}")?;
            (word, separator) = ("and", " ");
        }
        Ok(())
    }
}

impl FromStr for Mapping {
    type Err = MappingError;

    fn from_str(text: &str) -> Result<Self, MappingError> {
        parse::mapping(text)
    }
}

impl TryFrom<String> for Mapping {
    type Error = MappingError;

    fn try_from(text: String) -> Result<Self, MappingError> {
        text.parse()
    }
}

impl From<Mapping> for String {
    fn from(mapping: Mapping) -> Self {
        mapping.to_string()
    }
}

/// Whether a column of this name holds numbers of GPUs.
pub(crate) fn names_gpus(name: &str) -> bool {
    names::meanings(name).iter().any(|named| ["gpus", synonyms::GPUS_PER_NODE].contains(&named.field))
}

/// A fingerprint of the columns of a table, by which its mapping can be remembered: the same for any order of the
/// columns, and however their names are spaced and capitalised.
pub fn fingerprint<'n>(columns: impl IntoIterator<Item = &'n str>) -> u64 {
    let plain = |name: &str| name.trim().to_lowercase().replace([' ', '-'], "_");
    // A sum does not depend on the order.
    columns.into_iter().map(|name| xxh3_64(plain(name).as_bytes())).fold(0, u64::wrapping_add)
}
