//! Parts of curves that take several files, and what becomes of files when all are read.

use elastiplan_model::{Diagnostic, Severity};

use crate::report::FileReport;

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
pub(crate) fn in_rows(mut finding: Diagnostic, mut rows: impl Iterator<Item = u64>) -> Option<Diagnostic> {
    finding.place.row = Some(rows.next()?);
    rows.for_each(|row| finding.add_row(row));
    Some(finding)
}

/// A finding about a file as a whole.
pub(crate) fn about_file(path: &str, severity: Severity, rule: &str, outcome: &str, repair: &str) -> Diagnostic {
    Diagnostic::new(severity, rule, outcome, repair).in_file(path)
}
