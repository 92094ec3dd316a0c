//! Parts of curves that take several files, and what becomes of files when all are read.

use elastiplan_model::{Diagnostic, Place, Severity};

use crate::report::FileReport;
use crate::text::findings::MORE_ROWS;

/// Data with the file that they come from.
pub(crate) struct FilePart<T> {
    /// The index of the file's report.
    pub file: usize,
    pub path: String,
    pub data: T,
}

/// Marks the file with a report as not used.
pub(crate) fn mark_not_used(files: &mut [FileReport], file: usize, reason: &str) {
    if let Some(report) = files.get_mut(file) {
        report.not_used = Some(reason.into());
        report.points = 0;
        report.summarize();
    }
}

/// A finding about rows of a file, rising; none without rows.
pub(crate) fn in_rows(finding: Diagnostic, mut rows: impl Iterator<Item = u64>) -> Option<Diagnostic> {
    let row = Some(rows.next()?);
    let more_rows: Vec<u64> = rows.by_ref().take(MORE_ROWS).collect();
    let count = 1 + more_rows.len() as u64 + rows.count() as u64;
    Some(Diagnostic { place: Place { row, more_rows, ..finding.place }, count, ..finding })
}

/// A finding about a file as a whole.
pub(crate) fn about_file(path: &str, severity: Severity, rule: &str, outcome: &str, repair: &str) -> Diagnostic {
    Diagnostic::new(severity, rule, outcome, repair).in_file(path)
}
