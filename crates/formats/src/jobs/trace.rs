//! From the rows of a job trace to a trace.

use std::collections::BTreeMap;

use elastiplan_model::order::sort_by_rank;
use elastiplan_model::{Diagnostic, Job, Severity, Trace, names_rise};

use crate::format::JobRows;
use crate::parts::in_rows;
use crate::text::names::hash;
use crate::text::values;

/// A trace, with what happened to its rows.
pub(crate) struct Merged {
    /// `None` if the jobs do not make one.
    pub trace: Option<Trace>,
    /// Rows that were repaired here and had not been before.
    pub rows_defaulted: u64,
    pub diagnostic: Option<Diagnostic>,
}

/// Makes a trace. Repeated names get a number, so that no job is lost.
pub(crate) fn trace(path: &str, rows: JobRows) -> Merged {
    let JobRows { models, mut jobs, mut defaulted } = rows;
    let before = defaulted.iter().filter(|&&row| row).count();
    let diagnostic = rename_repeated(path, &mut jobs, &mut defaulted);
    let rows_defaulted = (defaulted.iter().filter(|&&row| row).count() - before) as u64;
    match Trace::new(models.into_list(), jobs) {
        Ok(trace) => Merged { trace: Some(trace), rows_defaulted, diagnostic },
        Err(error) => {
            let repair = "Correct the file and load it again";
            let refused = Diagnostic::new(Severity::Error, error.to_string(), "File not used", repair);
            Merged { trace: None, rows_defaulted: 0, diagnostic: Some(refused.in_file(path)) }
        }
    }
}

/// Renames every job that has the name of an earlier one, to the first free of `name-2`, `name-3`, …
fn rename_repeated(path: &str, jobs: &mut [Job], defaulted: &mut [bool]) -> Option<Diagnostic> {
    if names_rise(jobs) {
        return None;
    }
    // Sorted hashes instead of a set of names: half the memory and a fraction of the time for millions of jobs.
    let mut hashes: Vec<(u64, u32)> = jobs.iter().map(|job| hash(&job.name)).zip(0..).collect();
    sort_by_rank(&mut hashes, |(hash, _)| *hash);
    let mut renamed: Vec<u32> = Vec::new();
    // The row renamed first, with its old name.
    let mut first: Option<(u32, String)> = None;
    for group in hashes.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
        for same in same_names(jobs, group) {
            let number_from = &mut 2;
            for index in same.into_iter().skip(1) {
                let Some(job) = jobs.get_mut(index as usize) else { continue };
                let free = free_name(&job.name, number_from, &hashes);
                let old = std::mem::replace(&mut job.name, free);
                if first.as_ref().is_none_or(|(earlier, _)| index < *earlier) {
                    first = Some((index, old));
                }
                renamed.push(index);
            }
        }
    }
    sort_by_rank(&mut renamed, |index| u64::from(*index));
    for &index in &renamed {
        if let Some(row) = defaulted.get_mut(index as usize) {
            *row = true;
        }
    }
    first.and_then(|(_, old)| renamed_finding(path, &old, &renamed, jobs))
}

/// The jobs of a group with one hash by their names, in order: names with one hash are nearly always one name.
fn same_names(jobs: &[Job], group: &[(u64, u32)]) -> Vec<Vec<u32>> {
    let mut by_name: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for &(_, index) in group {
        let name = jobs.get(index as usize).map_or("", |job| job.name.as_str());
        by_name.entry(name).or_default().push(index);
    }
    by_name.into_values().collect()
}

/// The first free of `name-2`, `name-3`, … from a number on, and the number after it. Names that are given here cannot
/// meet: what stands before the last hyphen differs, or the number does.
fn free_name(name: &str, number: &mut u64, hashes: &[(u64, u32)]) -> String {
    loop {
        let candidate = format!("{name}-{number}");
        *number += 1;
        if hashes.binary_search_by_key(&hash(&candidate), |entry| entry.0).is_err() {
            return candidate;
        }
    }
}

fn renamed_finding(path: &str, old: &str, renamed: &[u32], jobs: &[Job]) -> Option<Diagnostic> {
    let jobs = || renamed.iter().filter_map(|&index| jobs.get(index as usize));
    let outcome = format!("Renamed {}", values::short(&jobs().next()?.name));
    let finding = Diagnostic::new(Severity::Warning, "Job ids are unique", outcome, "Give each job an id of its own");
    let finding = finding.in_file(path).in_column("job_id").with_value(values::short(old));
    in_rows(finding, jobs().map(|job| job.source_row))
}
