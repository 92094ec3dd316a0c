//! From the rows of files to one trace and one set of curves.

use std::collections::BTreeMap;

use elastiplan_model::order::sort_by;
use elastiplan_model::{Curve, CurveKey, Curves, Diagnostic, Job, Place, Severity, Trace};

use crate::rows::{JobRows, hash};
use crate::{notes, values};

/// A trace, and what became of its rows.
pub(crate) struct Merged {
    /// `None` if the jobs do not make one.
    pub trace: Option<Trace>,
    /// Rows that were repaired here and had not been before.
    pub rows_defaulted: u64,
    pub diagnostic: Option<Diagnostic>,
}

/// Makes a trace. Repeated names get a number, so that every job stays.
pub(crate) fn trace(path: &str, rows: JobRows) -> Merged {
    let JobRows { models, mut jobs, mut defaulted } = rows;
    let before = defaulted.iter().filter(|&&row| row).count();
    let diagnostic = rename_repeated(path, &mut jobs, &mut defaulted);
    let rows_defaulted = (defaulted.iter().filter(|&&row| row).count() - before) as u64;
    match Trace::new(models.into_list(), jobs) {
        Ok(trace) => Merged { trace: Some(trace), rows_defaulted, diagnostic },
        Err(error) => {
            let place = Place { file: Some(path.into()), ..Place::default() };
            let refused = Diagnostic {
                severity: Severity::Error,
                place,
                count: 1,
                value: None,
                rule: error.to_string(),
                outcome: "File not used".into(),
                repair: "Correct the file and load it again".into(),
            };
            Merged { trace: None, rows_defaulted: 0, diagnostic: Some(refused) }
        }
    }
}

/// Gives every job whose name an earlier one has the first free of `name-2`, `name-3`, …
fn rename_repeated(path: &str, jobs: &mut [Job], defaulted: &mut [bool]) -> Option<Diagnostic> {
    // Sorted hashes instead of a set of names: half the memory and a fraction of the time for millions of jobs.
    let mut hashes: Vec<(u64, u32)> = jobs.iter().map(|job| hash(&job.name)).zip(0..).collect();
    hashes.sort_unstable();
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
    renamed.sort_unstable();
    for &index in &renamed {
        if let Some(row) = defaulted.get_mut(index as usize) {
            *row = true;
        }
    }
    first.map(|(_, old)| renamed_note(path, &old, &renamed, jobs))
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

fn renamed_note(path: &str, old: &str, renamed: &[u32], jobs: &[Job]) -> Diagnostic {
    let mut renamed_jobs = renamed.iter().filter_map(|&index| jobs.get(index as usize));
    let first = renamed_jobs.next();
    let row = first.map(|job| job.source_row);
    let new = first.map_or(String::new(), |job| values::shown(job.name.as_bytes()));
    let more_rows = renamed_jobs.take(notes::MORE_ROWS).map(|job| job.source_row).collect();
    Diagnostic {
        severity: Severity::Warning,
        place: Place { file: Some(path.into()), row, column: Some("job_id".into()), more_rows },
        count: renamed.len() as u64,
        value: Some(values::shown(old.as_bytes())),
        rule: "Job ids are unique".into(),
        outcome: format!("Renamed {new}"),
        repair: "Give each job an id of its own".into(),
    }
}

/// Curves of several files.
#[derive(Default)]
pub(crate) struct CurveSet {
    curves: BTreeMap<CurveKey, (Curve, usize)>,
    files: Vec<String>,
}

impl CurveSet {
    /// Adds the curves of a file. A curve that an earlier file gave is replaced, and told.
    pub fn add(&mut self, path: &str, curves: Vec<Curve>) -> Vec<Diagnostic> {
        let file = self.files.len();
        let mut replaced: BTreeMap<usize, Diagnostic> = BTreeMap::new();
        for curve in curves {
            let key = curve.key().clone();
            let old = self.curves.insert(key.clone(), (curve, file));
            if let Some(other) = old.and_then(|(_, other)| self.files.get(other).map(|path| (other, path))) {
                let (other, other_path) = other;
                replaced.entry(other).and_modify(|known| known.count += 1).or_insert_with(|| Diagnostic {
                    severity: Severity::Warning,
                    place: Place { file: Some(path.into()), ..Place::default() },
                    count: 1,
                    value: Some(key.to_string()),
                    rule: format!("One curve for a model and batch size: {other_path} has it too"),
                    outcome: "This file's curve is used".into(),
                    repair: "Load only one of the two files".into(),
                });
            }
        }
        self.files.push(path.into());
        replaced.into_values().collect()
    }

    /// A word on curves from several folders: profiles of one GPU type usually share a folder.
    pub fn folders(&self) -> Option<Diagnostic> {
        let paths = self.files.iter().filter_map(|path| path.rsplit_once(['/', '\\']));
        let mut folders: Vec<&str> = paths.map(|(folder, _)| folder).collect();
        sort_by(&mut folders, |a, b| a.cmp(b));
        folders.dedup();
        let [first, second, ..] = folders.as_slice() else { return None };
        Some(Diagnostic {
            severity: Severity::Warning,
            place: Place::default(),
            count: folders.len() as u64,
            value: Some(format!("{first}, {second}")),
            rule: "Curves of one GPU type come from one folder".into(),
            outcome: "Curves of all folders are used together".into(),
            repair: "Drop a single folder, if the folders are for different GPUs".into(),
        })
    }

    /// All of them.
    pub fn finish(self) -> Curves {
        self.curves.into_values().map(|(curve, _)| curve).collect()
    }
}
