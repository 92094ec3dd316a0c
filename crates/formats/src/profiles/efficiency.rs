//! From validation runs at several batch sizes to statistical efficiency: the epochs that all of them have, each with
//! the progress of the slowest run and the gradients of every run.

use std::collections::BTreeMap;

use elastiplan_model::{Diagnostic, Efficiency, Gradients, Severity, Stage, limits};

use crate::parts::{FilePart, about_file};
use crate::profiles::parts::{Epoch, Training};

/// The state at the end of an epoch, over all runs.
struct EpochEnd {
    /// The least progress of any run, in steps of the base batch.
    progress: f64,
    gradients: Vec<Gradients>,
}

/// The efficiency that follows from runs by batch size; `None` if no epoch is known.
pub(crate) fn efficiency(
    trainings: &BTreeMap<u32, FilePart<Training>>,
    found: &mut Vec<Diagnostic>,
) -> Option<Efficiency> {
    let (&base, first) = trainings.first_key_value()?;
    let (&most, _) = trainings.last_key_value()?;
    let epochs = trainings.values().map(|training| training.data.epochs.len()).min()?;
    report_longer(trainings, epochs, found);
    let ended: Vec<EpochEnd> = (0..epochs).filter_map(|epoch| ended(trainings, base, epoch)).collect();
    let gaps = epochs - ended.len();
    let last = ended.last()?.progress;
    let share = |ended: EpochEnd| (ended.progress / last, ended.gradients);
    let rising = rising(ended.into_iter().map(share).collect());
    let stages: Vec<Stage> = rising
        .into_iter()
        .filter(|(_, gradients)| !gradients.is_empty())
        .map(|(until, gradients)| Stage { until, gradients })
        .collect();
    let unknown = epochs - stages.len();
    if unknown > 0 {
        let rule = "Progress and gradients at the end of each epoch, at one batch size at least";
        let outcome = if gaps > 0 || !stages.is_empty() {
            "The epochs next to them stand for those that are not known"
        } else {
            "Samples count the same at every batch size"
        };
        let finding = about_file(&first.path, Severity::Warning, rule, outcome, "Complete the validation runs");
        found.push(Diagnostic {
            count: unknown as u64,
            value: Some(format!("{unknown} of {epochs} epochs")),
            ..finding
        });
    }
    let samples_total = Some(last * f64::from(base)).filter(|total| *total <= limits::WORK_MAX);
    if samples_total.is_none() {
        let rule = "A training of at most 1e18 samples";
        let outcome = "How long a training takes is not known";
        found.push(about_file(&first.path, Severity::Warning, rule, outcome, "Correct the progress"));
    }
    Some(Efficiency { batch_base: base, batch_max: Some(most), samples_total, stages })
}

/// Adds findings about runs that are longer than the shortest: beyond it, not all batch sizes are known.
fn report_longer(trainings: &BTreeMap<u32, FilePart<Training>>, epochs: usize, found: &mut Vec<Diagnostic>) {
    let shortest = trainings.values().find(|training| training.data.epochs.len() == epochs);
    let Some(shortest) = shortest.map(|training| training.path.as_str()) else { return };
    for FilePart { path, data, .. } in trainings.values() {
        let beyond = data.epochs.get(epochs..).unwrap_or_default();
        if beyond.is_empty() {
            continue;
        }
        let words = if epochs == 1 { "epoch" } else { "epochs" };
        let rule = format!("As many epochs as the shortest validation run has: {epochs} in {shortest}");
        let outcome = format!("Only the first {epochs} {words} used");
        let mut finding = about_file(path, Severity::Warning, &rule, &outcome, "Complete the shorter run");
        finding.count = beyond.len() as u64;
        finding.place.row = beyond.iter().flatten().next().map(|epoch| epoch.line);
        found.push(finding);
    }
}

fn ended(trainings: &BTreeMap<u32, FilePart<Training>>, base: u32, number: usize) -> Option<EpochEnd> {
    let known = || {
        trainings.iter().filter_map(|(&batch, training)| {
            let epoch: Epoch = (*training.data.epochs.get(number)?)?;
            Some((batch, epoch))
        })
    };
    let progress = known().map(|(_, epoch)| epoch.progress).fold(f64::INFINITY, f64::min);
    let gradients = known().filter_map(|(batch, epoch)| {
        let (square, of_base) = epoch.gradients?;
        // The variance of the mean over a batch is that of a sample, shared by all in it.
        Some(Gradients { batch, square, variance: of_base * f64::from(base), steps: epoch.steps })
    });
    progress.is_finite().then(|| EpochEnd { progress, gradients: gradients.collect() })
}

/// Leaves out stages that do not rise, from the end backwards: the length of the whole training is kept.
fn rising(mut stages: Vec<(f64, Vec<Gradients>)>) -> Vec<(f64, Vec<Gradients>)> {
    let mut above = f64::INFINITY;
    stages.reverse();
    stages.retain(|(until, _)| {
        let rises = *until < above;
        above = if rises { *until } else { above };
        rises
    });
    stages.reverse();
    stages
}
