//! The curves of several files as one set.

use std::collections::BTreeMap;

use elastiplan_model::order::sort_by_key;
use elastiplan_model::{Curve, CurveKey, Curves, Diagnostic, Severity};

/// Curves of several files.
#[derive(Default)]
pub(crate) struct CurveSet {
    curves: BTreeMap<CurveKey, (Curve, usize)>,
    files: Vec<String>,
}

impl CurveSet {
    /// Adds the curves of a file. They replace curves of earlier files, with a finding.
    pub fn add(&mut self, path: &str, curves: Vec<Curve>) -> Vec<Diagnostic> {
        let file = self.files.len();
        let mut replaced: BTreeMap<usize, Diagnostic> = BTreeMap::new();
        for curve in curves {
            let key = curve.key().clone();
            let old = self.curves.insert(key.clone(), (curve, file));
            if let Some(other) = old.and_then(|(_, other)| self.files.get(other).map(|path| (other, path))) {
                let (other, other_path) = other;
                replaced.entry(other).and_modify(|known| known.count += 1).or_insert_with(|| {
                    let rule = format!("One curve for a model and batch size: {other_path} has it too");
                    let repair = "Load only one of the two files";
                    let finding = Diagnostic::new(Severity::Warning, rule, "This file's curve is used", repair);
                    finding.in_file(path).with_value(key.to_string())
                });
            }
        }
        self.files.push(path.into());
        replaced.into_values().collect()
    }

    /// A warning where curves come from several folders: profiles of one GPU type usually share a folder.
    pub fn folders(&self) -> Option<Diagnostic> {
        let paths = self.files.iter().filter_map(|path| path.rsplit_once(['/', '\\']));
        let mut folders: Vec<&str> = paths.map(|(folder, _)| folder).collect();
        sort_by_key(&mut folders, |folder| *folder);
        folders.dedup();
        let [first, second, ..] = folders.as_slice() else { return None };
        let (rule, outcome) =
            ("Curves of one GPU type come from one folder", "Curves of all folders are used together");
        let repair = "Drop a single folder, if the folders are for different GPUs";
        let finding = Diagnostic::new(Severity::Warning, rule, outcome, repair);
        Some(finding.with_value(format!("{first}, {second}")).with_count(folders.len() as u64))
    }

    /// All of them.
    pub fn finish(self) -> Curves {
        self.curves.into_values().map(|(curve, _)| curve).collect()
    }
}
