//! The formats that can be read, and how a header chooses among them. A new format is a file and a line here.

use crate::header::{Fit, Header};
use crate::report::FileKind;
use crate::rows::Rows;
use crate::table::Table;
use crate::{
    availability_counts, availability_events, availability_intervals, availability_matrix, curves_bftrainer,
    curves_elasticflow, curves_elasticflow_long, curves_plain, jobs_bftrainer, jobs_elasticflow, jobs_plain,
    jobs_pollux, profile_steps, profile_validation, scalability_all_reduce, scalability_processing,
};

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

/// Where two formats fit a header equally well, the first is taken.
pub(crate) static FORMATS: &[&Format] = &[
    &jobs_plain::FORMAT,
    &jobs_elasticflow::PUBLISHED,
    &jobs_elasticflow::SIMULATOR,
    &jobs_pollux::FORMAT,
    &jobs_bftrainer::FORMAT,
    &curves_elasticflow_long::FORMAT,
    &curves_plain::FORMAT,
    &curves_bftrainer::FORMAT,
    &curves_elasticflow::FORMAT,
    &profile_steps::BY_PLACEMENT,
    &profile_steps::BY_COUNT,
    &profile_validation::FORMAT,
    &scalability_processing::FORMAT,
    &scalability_all_reduce::FORMAT,
    &availability_intervals::FORMAT,
    &availability_events::FORMAT,
    &availability_counts::FORMAT,
    &availability_matrix::FORMAT,
];

/// The format that fits a header best.
pub(crate) struct Choice {
    pub format: &'static Format,
    pub fit: Fit,
    /// Whether another format fits completely too.
    pub rivals: bool,
}

impl Choice {
    /// How good it is: complete before incomplete, then by needed columns found.
    pub fn rank(&self) -> (bool, usize) {
        (self.fit.is_complete(), self.fit.found)
    }
}

/// Whether a text names columns of some format: at least two needed ones.
pub(crate) fn names_columns(text: &str) -> bool {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').map(str::to_lowercase);
    // Where any column may be a node, every word names one.
    let telling = || FORMATS.iter().filter(|format| format.kind != FileKind::AvailabilityMatrix);
    let names = |word: &str| telling().any(|format| word.contains('_') && (format.knows)(word));
    words.filter(|word| names(word)).take(2).count() == 2
}

/// The best format for a header, if it has a needed column of any.
pub(crate) fn choose(header: &Header) -> Option<Choice> {
    let fits = || FORMATS.iter().map(|format| (*format, (format.fit)(header)));
    let complete = fits().filter(|(_, fit)| fit.is_complete()).count();
    let mut best: Option<Choice> = None;
    for (format, fit) in fits().filter(|(_, fit)| fit.found > 0) {
        let choice = Choice { format, fit, rivals: complete > 1 };
        let fewer_missing = |best: &Choice| choice.fit.missing.len() < best.fit.missing.len();
        let better = |best: &Choice| {
            choice.rank() > best.rank()
                || (choice.rank() == best.rank() && !choice.fit.is_complete() && fewer_missing(best))
        };
        if best.as_ref().is_none_or(better) {
            best = Some(choice);
        }
    }
    best
}
