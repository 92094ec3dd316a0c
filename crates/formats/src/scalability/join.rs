//! From the files of a job scalability analyzer to curves: processing times of models and all-reduce times of the
//! cluster, by the formula of section III-B3 of Saxena et al.
//!
//! Any number of files may hold models; one holds the all-reduce times. Which of them are there shows only when all are
//! read.

use std::collections::BTreeMap;

use elastiplan_model::order::sort_by_key;
use elastiplan_model::{
    AllReduceGrid, Curve, CurveError, CurveKey, Diagnostic, Law, Origin, ProcessingTimes, ScalingTimes, Severity,
};

use crate::curves::set::CurveSet;
use crate::parts::{FilePart, about_file, in_rows, mark_not_used};
use crate::report::FileReport;
use crate::scalability::parts::{MeasuredAllReduce, MeasuredModel, ScalabilityPart};
use crate::text::values::first_names;

const HELD: &str = "The nearest measured number of weights is held: assumed";
const ALONE: &str = "Models run on a single GPU only";

/// Measurements while their files are read.
#[derive(Default)]
pub(crate) struct Measurements {
    processing: Vec<FilePart<Vec<MeasuredModel>>>,
    all_reduce: Option<FilePart<Vec<MeasuredAllReduce>>>,
}

impl Measurements {
    /// Adds a part, whose report comes next. All-reduce times replace earlier ones, with a finding.
    pub fn add(&mut self, files: &mut [FileReport], path: &str, part: ScalabilityPart) -> Option<Diagnostic> {
        let (file, place) = (files.len(), path.to_string());
        match part {
            ScalabilityPart::Processing(data) => {
                self.processing.push(FilePart { file, path: place, data });
                None
            }
            ScalabilityPart::AllReduce(data) => {
                let old = self.all_reduce.replace(FilePart { file, path: place, data })?;
                mark_not_used(files, old.file, &format!("{path} is used instead"));
                let rule = format!("One file of all-reduce times: {} is one too", old.path);
                Some(about_file(path, Severity::Warning, &rule, "This file is used", "Load only one of the two files"))
            }
        }
    }

    /// Adds the curves of all models to `curves`.
    pub fn finish(self, files: &mut [FileReport], curves: &mut CurveSet) -> Vec<Diagnostic> {
        let mut all = Vec::new();
        let mut grid = None;
        if let Some(part) = &self.all_reduce {
            if self.processing.is_empty() {
                return vec![without_processing(files, part)];
            }
            let rows = part.data.iter().map(|row| (row.weights, row.gpus, row.time_s));
            match AllReduceGrid::new(rows) {
                Ok(found) => {
                    all.extend(holes(&part.path, &found));
                    all.extend(fewest_gpus(&part.path, &found));
                    grid = Some(found);
                }
                // Rows were checked one by one, so that this is not to be expected.
                Err(error) => mark_not_used(files, part.file, &error.to_string()),
            }
        }
        for part in of_distinct_models(self.processing, files, &mut all) {
            let mut found = Vec::new();
            if grid.is_none() {
                found.push(without_all_reduce(&part));
            }
            found.extend(single_points(&part));
            found.extend(grid.as_ref().and_then(|grid| beyond_weights(&part, grid)));
            let made = curves_of(&part, grid.as_ref(), &mut found);
            match made.len() as u64 {
                0 => mark_not_used(files, part.file, "No model could be used"),
                count => files.get_mut(part.file).into_iter().for_each(|report| report.curves = count),
            }
            found.extend(curves.add(&part.path, made));
            sort_by_key(&mut found, |diagnostic| std::cmp::Reverse(diagnostic.severity));
            all.extend(found);
        }
        all
    }
}

/// The curves of a file's models, with findings about models that make none.
fn curves_of(
    part: &FilePart<Vec<MeasuredModel>>,
    grid: Option<&AllReduceGrid>,
    found: &mut Vec<Diagnostic>,
) -> Vec<Curve> {
    let mut made = Vec::new();
    for model in &part.data {
        match curve(model, grid) {
            Ok(curve) => made.push(curve),
            Err(rule) => {
                let finding = about_file(&part.path, Severity::Error, &rule, "Model left out", "Correct its rows");
                found.push(of_models(finding, [model].into_iter(), model.model.clone()));
            }
        }
    }
    made
}

/// The curve of a model, for the largest batch that fits on one GPU: the baseline of scaling factors (eq. 1).
fn curve(model: &MeasuredModel, grid: Option<&AllReduceGrid>) -> Result<Curve, String> {
    let processing = ProcessingTimes::new(model.weights, model.points.iter().copied());
    let processing = processing.map_err(|error| error.to_string())?;
    let key = CurveKey { model: model.model.clone(), batch_global: Some(processing.batch_per_gpu_max()) };
    let law = Law::Scaling(ScalingTimes::measured(&processing, grid));
    Curve::from_law(key, law).map_err(|error| match error {
        CurveError::Throughput { .. } => "Times that make at most 1e18 samples/s".into(),
        error => error.to_string(),
    })
}

/// The files of processing times, each with the models that no later one has.
fn of_distinct_models(
    parts: Vec<FilePart<Vec<MeasuredModel>>>,
    files: &mut [FileReport],
    found: &mut Vec<Diagnostic>,
) -> Vec<FilePart<Vec<MeasuredModel>>> {
    let mut last: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for part in &parts {
        for model in &part.data {
            last.insert(model.model.clone(), (part.file, part.path.clone()));
        }
    }
    let mut distinct = Vec::new();
    for FilePart { file, path, data } in parts {
        let is_last = |model: &MeasuredModel| last.get(&model.model).is_none_or(|(last, _)| *last == file);
        let (data, replaced): (Vec<_>, Vec<_>) = data.into_iter().partition(is_last);
        if let Some((first, (_, later))) = replaced.first().and_then(|first| Some((first, last.get(&first.model)?))) {
            let rule = format!("One file with the processing times of a model: {later} has them too");
            let repair = "Load only one of the two files";
            let finding = about_file(&path, Severity::Warning, &rule, "The later file is used", repair);
            found.push(of_models(finding, replaced.iter(), first.model.clone()));
            if data.is_empty() {
                mark_not_used(files, file, &format!("{later} is used instead"));
            }
        }
        if !data.is_empty() {
            distinct.push(FilePart { file, path, data });
        }
    }
    distinct
}

/// A finding about models of a file, with the rows where they begin.
fn of_models<'m>(finding: Diagnostic, models: impl Iterator<Item = &'m MeasuredModel>, value: String) -> Diagnostic {
    let mut lines: Vec<u64> = models.map(|model| model.line).collect();
    sort_by_key(&mut lines, |line| *line);
    let finding = finding.with_value(value);
    in_rows(finding.clone(), lines.into_iter()).unwrap_or(finding)
}

fn without_processing(files: &mut [FileReport], part: &FilePart<Vec<MeasuredAllReduce>>) -> Diagnostic {
    let reason = "There are no processing times beside the all-reduce times";
    mark_not_used(files, part.file, reason);
    let repair = "Load a file with the columns model, weights, batch_per_gpu and time_s too";
    about_file(&part.path, Severity::Error, reason, "File not used", repair)
}

fn without_all_reduce(part: &FilePart<Vec<MeasuredModel>>) -> Diagnostic {
    let rule = "All-reduce times beside the processing times";
    let repair = "Load a file with the columns weights, gpus and time_s too";
    let finding = about_file(&part.path, Severity::Warning, rule, ALONE, repair);
    Diagnostic { count: part.data.len() as u64, ..finding }
}

/// A finding about models with a single number of samples, from which no other follows.
fn single_points(part: &FilePart<Vec<MeasuredModel>>) -> Option<Diagnostic> {
    let single = || part.data.iter().filter(|model| model.points.len() == 1);
    let first = single().min_by_key(|model| model.line)?;
    let (batch, _) = first.points.first()?;
    let rule = "Two numbers of samples or more say how the time grows";
    let outcome = "Fewer samples take as long: assumed";
    let finding = about_file(&part.path, Severity::Warning, rule, outcome, "Measure other numbers of samples too");
    Some(of_models(finding, single(), format!("{}: {batch} only", first.model)))
}

/// A finding about models with more or fewer weights than any measured all-reduce.
fn beyond_weights(part: &FilePart<Vec<MeasuredModel>>, grid: &AllReduceGrid) -> Option<Diagnostic> {
    let held = |model: &MeasuredModel| -> Vec<String> {
        let estimates = grid.of_weights(model.weights);
        let assumed = estimates.iter().filter(|(_, estimate)| estimate.origin == Origin::Assumed);
        assumed.map(|(gpus, _)| gpus.to_string()).collect()
    };
    let beyond: Vec<(&MeasuredModel, Vec<String>)> =
        part.data.iter().map(|model| (model, held(model))).filter(|(_, gpus)| !gpus.is_empty()).collect();
    let (first, gpus) = beyond.iter().min_by_key(|(model, _)| model.line)?;
    let gpus: Vec<&str> = gpus.iter().map(String::as_str).collect();
    let value = format!("{}: {} weights on {} GPUs", first.model, first.weights, first_names(&gpus));
    let rule = "All-reduces of at least and of at most as many weights as a model has";
    let finding =
        about_file(&part.path, Severity::Warning, rule, HELD, "Measure all-reduces of such numbers of weights");
    Some(of_models(finding, beyond.iter().map(|(model, _)| *model), value))
}

/// A finding about numbers of weights and GPUs that were measured, but not together.
fn holes(path: &str, grid: &AllReduceGrid) -> Option<Diagnostic> {
    let weights = grid.weights();
    let missing = || {
        let pairs = grid.gpus().flat_map(|gpus| weights.iter().map(move |weights| (*weights, gpus)));
        pairs.filter(|(weights, gpus)| grid.measured(*weights, *gpus).is_none())
    };
    let (first, gpus) = missing().next()?;
    let all = weights.len() as u64 * grid.gpus().count() as u64;
    let count = missing().count() as u64;
    let rule = "All measured numbers of weights on all measured numbers of GPUs";
    let outcome = "On the straight line between measurements; beyond them the nearest is held";
    let finding = about_file(path, Severity::Info, rule, outcome, "Measure the missing ones, if models need them");
    let value = format!("{count} of {all} missing, such as {first} weights on {gpus} GPUs");
    Some(Diagnostic { value: Some(value), count, ..finding })
}

/// A finding where two GPUs were not measured.
fn fewest_gpus(path: &str, grid: &AllReduceGrid) -> Option<Diagnostic> {
    let fewest = grid.gpus().next().filter(|gpus| *gpus > 2)?;
    let outcome = format!("On fewer than {fewest}, all-reduces take as long as on {fewest}: assumed");
    let repair = "Measure all-reduces on 2 GPUs, too";
    let finding = about_file(path, Severity::Warning, "All-reduces on 2 GPUs or more", &outcome, repair);
    Some(Diagnostic { value: Some(format!("on {fewest} GPUs or more")), ..finding })
}
