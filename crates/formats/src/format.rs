//! What every format provides: how its header is recognised, how its rows are read, and what comes of them.

use elastiplan_model::{Availability, Curve, Job};

use crate::profiles::parts::ProfilePart;
use crate::report::FileKind;
use crate::scalability::parts::ScalabilityPart;
use crate::text::header::{Fit, Header};
use crate::text::names::Names;
use crate::text::table::Table;

/// A format: how to know it and how to read it.
pub(crate) struct Format {
    pub kind: FileKind,
    /// How well a header fits.
    pub fit: fn(&Header) -> Fit,
    /// Whether the format has a use for a column.
    pub knows: fn(&str) -> bool,
    /// Reads the rows. The header fits completely.
    pub read: fn(&mut Table<'_, '_>, path: &str) -> Rows,
}

/// The rows of a file, read.
pub(crate) enum Rows {
    Jobs(JobRows),
    Curves(Vec<Curve>),
    /// Part of a profile, which is a curve only together with other files.
    Part(ProfilePart),
    /// Measurements of a job scalability analyzer, which may need another file.
    Scalability(ScalabilityPart),
    /// The log; or why there is none.
    Availability(Result<Availability, String>),
}

/// Jobs of a file, in its order; names may still repeat.
#[derive(Default)]
pub(crate) struct JobRows {
    pub models: Names,
    pub jobs: Vec<Job>,
    /// For each job, whether a value in its row was filled in or repaired.
    pub defaulted: Vec<bool>,
}
