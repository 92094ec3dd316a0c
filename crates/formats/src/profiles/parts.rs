//! Parts of a profile: the data of one file about a model that takes several files.

use elastiplan_model::ProfileStep;

use crate::report::Assumption;
use crate::text::findings::Findings;
use crate::text::paths;

/// The data of a file about a model.
pub(crate) struct ProfilePart {
    pub of: ProfileName,
    pub data: PartData,
    /// Why none of it can be used, where that is known.
    pub refused: Option<&'static str>,
}

/// The data by kind of part.
pub(crate) enum PartData {
    /// Step times by placement.
    Placements(MeasuredSteps),
    /// Step times by numbers of nodes and GPUs.
    Counts(MeasuredSteps),
    /// A training at one batch size.
    Validation(Training),
}

/// Measured steps of one GPU type.
pub(crate) struct MeasuredSteps {
    /// The words of the file's name other than its kind, where a folder holds several GPU types: `rtx` of
    /// `placements-rtx.csv`.
    pub variant: String,
    pub steps: Vec<MeasuredStep>,
}

/// A measured step and its line.
pub(crate) struct MeasuredStep {
    pub line: u64,
    pub step: ProfileStep,
}

/// A whole training, epoch after epoch.
#[derive(Default)]
pub(crate) struct Training {
    /// Global batch size in samples; `None` where the file's name does not say.
    pub batch: Option<u32>,
    /// One for each row, in order. A row that cannot be used leaves a gap.
    pub epochs: Vec<Option<Epoch>>,
}

/// The state at the end of an epoch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Epoch {
    pub line: u64,
    /// Progress, in steps of the base batch.
    pub progress: f64,
    /// Optimiser steps.
    pub steps: Option<f64>,
    /// Squared norm of the mean gradient, and variance of the mean of a base batch.
    pub gradients: Option<(f64, f64)>,
}

impl ProfilePart {
    /// The number of measurements that can be used.
    pub fn points(&self) -> u64 {
        match &self.data {
            PartData::Placements(measured) | PartData::Counts(measured) => measured.steps.len() as u64,
            PartData::Validation(training) if training.batch.is_some() => {
                training.epochs.iter().flatten().count() as u64
            }
            PartData::Validation(_) => 0,
        }
    }

    /// Whether it cannot be used because its file's name has no batch size.
    pub fn is_nameless(&self) -> bool {
        matches!(&self.data, PartData::Validation(training) if training.batch.is_none())
    }
}

/// The model that a part is of. Parts with equal names belong together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ProfileName {
    /// The folder; empty for a file without one.
    pub folder: String,
    pub model: String,
}

impl ProfileName {
    /// By the folder's name: `traces/bert/placements.csv` is of `bert`. Without a folder, by what else the file's name
    /// says: `bert-placements.csv`.
    pub fn of(path: &str) -> Self {
        let folder = path.rsplit_once(['/', '\\']).map_or("", |(folder, _)| folder);
        let name = folder.rsplit(['/', '\\']).next().unwrap_or(folder).trim();
        if !matches!(name, "" | "." | "..") {
            return Self { folder: folder.into(), model: name.into() };
        }
        let words = words_beside_kind(path);
        Self { folder: String::new(), model: if words.is_empty() { "unnamed".into() } else { words } }
    }

    /// By the file's own name: `profiles/bert.csv` is of `bert`. So are tables that name their GPU type in a column and
    /// whose names have no word for their kind.
    pub fn of_file(path: &str) -> Self {
        let folder = path.rsplit_once(['/', '\\']).map_or("", |(folder, _)| folder);
        let model = paths::stem(path);
        let folder = if folder.is_empty() { String::new() } else { format!("{folder}/{model}") };
        Self { folder, model }
    }

    /// Records the name as an assumption, with its source.
    pub fn assume(&self, findings: &mut Findings, rows: usize) {
        let source = match (self.folder.is_empty(), self.model.as_str()) {
            (false, _) => "by the folder's name",
            (true, "unnamed") => "as no folder names it",
            (true, _) => "by the file's name",
        };
        self.assume_by(source, findings, rows);
    }

    /// Records the name as an assumption with this source, in words.
    pub fn assume_by(&self, source: &str, findings: &mut Findings, rows: usize) {
        let used = format!("{}, {source}", self.model);
        findings.assumptions.push(Assumption { column: "model".into(), used, rows: rows as u64 });
    }

    /// The path of the profile among the files with curves.
    pub fn path(&self) -> &str {
        if self.folder.is_empty() { &self.model } else { &self.folder }
    }
}

/// The words of a file's name other than its kind of part: `dgx-ext` of `placements-dgx-ext.csv`.
pub(crate) fn words_beside_kind(path: &str) -> String {
    let stem = paths::stem(path);
    let words = words_of(&stem).filter(|word| !is_kind(word));
    words.collect::<Vec<_>>().join("-")
}

/// Whether a file's name has a word for its kind of part.
pub(crate) fn names_kind(path: &str) -> bool {
    words_of(&paths::stem(path)).any(is_kind)
}

fn words_of(stem: &str) -> impl Iterator<Item = &str> {
    let is_mark = |letter: char| matches!(letter, '-' | '_' | '.' | ' ' | '(' | ')');
    stem.split(is_mark).filter(|word| !word.is_empty())
}

/// Whether a word of a file's name says what kind of part it is, and not of which model.
fn is_kind(word: &str) -> bool {
    let kinds = ["placement", "placements", "scalability", "validation"];
    kinds.iter().any(|kind| word.eq_ignore_ascii_case(kind)) || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number at the end of a file's name: `validation-384.csv` is of batch size 384.
pub(crate) fn batch_of(path: &str) -> Option<u32> {
    let stem = paths::stem(path);
    let digits = stem.len() - stem.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
    let (_, number) = stem.split_at_checked(stem.len() - digits)?;
    number.parse().ok().filter(|batch| (1..=elastiplan_model::limits::BATCH_MAX).contains(batch))
}

#[cfg(test)]
mod tests {
    use super::{ProfileName, batch_of};

    #[test]
    fn the_folder_names_the_model() {
        let cases = [
            ("traces/bert/placements.csv", "traces/bert", "bert"),
            ("bert\\validation-12.csv", "bert", "bert"),
            ("./placements.csv", "", "unnamed"),
            ("placements.csv", "", "unnamed"),
            ("validation-12.csv", "", "unnamed"),
            ("scalability (2).csv", "", "unnamed"),
            ("bert-placements.csv", "", "bert"),
            ("yolo_v3.validation-64.csv", "", "yolo-v3"),
            ("", "", "unnamed"),
        ];
        for (path, folder, model) in cases {
            assert_eq!(ProfileName::of(path), ProfileName { folder: folder.into(), model: model.into() }, "{path}");
        }
    }

    #[test]
    fn the_end_of_the_name_is_the_batch() {
        let cases = [
            ("bert/validation-384.csv", Some(384)),
            ("validation384", Some(384)),
            ("validation.csv", None),
            ("validation-0.csv", None),
            ("validation-99999999999.csv", None),
            ("384/validation.csv", None),
            ("ä12.csv", Some(12)),
        ];
        for (path, batch) in cases {
            assert_eq!(batch_of(path), batch, "{path}");
        }
    }
}
