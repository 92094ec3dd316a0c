//! What every format provides: how its header is recognised, how its rows are read, and what comes of them.

use elastiplan_model::{Availability, Curve, Job};

use crate::profiles::parts::ProfilePart;
use crate::report::FileKind;
use crate::scalability::parts::ScalabilityPart;
use crate::text::header::{Fit, Header, Spec};
use crate::text::names::Names;
use crate::text::refusal::Refusal;
use crate::text::table::Table;

/// A format: how to know it and how to read it.
pub(crate) struct Format {
    pub kind: FileKind,
    /// The columns by their names; none where names alone do not say what a column is.
    pub spec: &'static Spec,
    /// How well a header fits.
    pub fit: fn(&Spec, &Header) -> Fit,
    /// Whether the format has a use for a column.
    pub knows: fn(&Spec, &str) -> bool,
    /// Reads the rows. The header fits completely.
    pub read: fn(&mut Table<'_, '_>, path: &str) -> Rows,
}

impl Format {
    /// A format that is known by the names of its columns.
    pub const fn of(kind: FileKind, spec: &'static Spec, read: fn(&mut Table<'_, '_>, &str) -> Rows) -> Self {
        Self { kind, spec, fit: Spec::fit, knows: Spec::knows, read }
    }

    /// How well a header fits.
    pub fn fit(&self, header: &Header) -> Fit {
        (self.fit)(self.spec, header)
    }

    /// Whether the format has a use for a column.
    pub fn knows(&self, column: &str) -> bool {
        (self.knows)(self.spec, column)
    }
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
    /// Nothing, for a reason of the file as a whole.
    None(Refusal),
}

/// Jobs of a file, in its order; names may still repeat.
#[derive(Default)]
pub(crate) struct JobRows {
    pub models: Names,
    pub jobs: Vec<Job>,
    /// For each job, whether a value in its row was filled in or repaired.
    pub defaulted: Vec<bool>,
}
