//! Findings about jobs while they are bound to curves: one diagnostic for each kind.

use std::collections::BTreeMap;

use crate::order::sort_by_key;
use crate::{Diagnostic, Job, JobId, Place, Severity};

/// Jobs in order of their rows, so that a finding names the rows that come first.
pub(super) fn by_row<'a>(jobs: impl Iterator<Item = (JobId, &'a Job)>) -> Vec<(JobId, &'a Job)> {
    let mut jobs: Vec<(JobId, &Job)> = jobs.collect();
    sort_by_key(&mut jobs, |(_, job)| job.source_row);
    jobs
}

/// Diagnostics while they are counted: one for each kind of finding and curve. Jobs come in order of their rows.
#[derive(Default)]
pub(super) struct Findings {
    pub list: Vec<Diagnostic>,
    known: BTreeMap<(String, String), usize>,
}

impl Findings {
    pub fn add(&mut self, job: &Job, found: Diagnostic) {
        let kind = (found.rule.clone(), found.outcome.clone());
        let row = Some(job.source_row).filter(|&row| row > 0);
        if let Some(known) = self.known.get(&kind).and_then(|&at| self.list.get_mut(at)) {
            return known.add_row(row);
        }
        self.known.insert(kind, self.list.len());
        self.list.push(Diagnostic { place: Place { row, ..found.place }, ..found });
    }
}

/// A finding about the value that a job has in a column.
pub(super) fn finding(
    severity: Severity,
    column: &str,
    value: String,
    rule: String,
    outcome: String,
    repair: &str,
) -> Diagnostic {
    Diagnostic::new(severity, rule, outcome, repair).in_column(column).with_value(value)
}
