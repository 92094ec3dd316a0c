//! Binding of a job of the trace to its curve.

use super::findings::{Findings, finding};
use super::ranges::Ranges;
use super::{Assumption, Assumptions, WorkloadJob};
use crate::curve::gpus_in_words;
use crate::speedup::{Assumed, Shape};
use crate::{Curve, CurveMatch, Curves, Job, Severity, Trace, Work};

/// The ways out where jobs that say how long they take have no curve.
const WITHOUT_LAW: &str = "Add a curve for this model, correct its name, or assume a law: --law amdahl:0.05, in the page \
                           Speed without a curve";

/// A job with its curve, units resolved; `None`, with a finding, if it cannot run.
pub(super) fn bind_job(
    trace: &Trace,
    job: &Job,
    curves: &Curves,
    ranges: &Ranges,
    assumed: Option<&Assumed>,
    findings: &mut Findings,
) -> Option<WorkloadJob> {
    let model = trace.model_name(job.model);
    let (batch_global, choice) = (ranges.own_batch(job), ranges.choice(job));
    // A batch size that fits nowhere is reported below.
    if choice.is_none_or(|choice| choice.gpus_least.is_some()) {
        report_batch(job, model, batch_global, choice.is_some(), findings);
    }
    let mut by = Assumptions::default();
    let index = match curves.find(model, batch_global) {
        CurveMatch::Exact(index) => index,
        CurveMatch::OnlyOne(index) => {
            if let Some((batch, curve)) = job.batch_global.zip(curves.as_slice().get(index))
                && curve.key().batch_global.is_none()
            {
                let rule = format!("The curve of {model} names no batch size");
                let outcome = "Used for every batch size".into();
                let repair = "Add a curve for the batch size to be exact";
                findings.add(job, finding(Severity::Info, "batch_global", batch.to_string(), rule, outcome, repair));
            }
            index
        }
        CurveMatch::OtherBatches => {
            let value = batch_global.map_or("no batch size".into(), |batch| format!("{model} at batch {batch}"));
            let of_times = curves.of_model(model).iter().find_map(Curve::scaling_times);
            let (rule, repair) = match of_times {
                Some(times) => {
                    let (samples, gpus) = (times.batch_per_gpu_max(), times.gpus_max());
                    let rule = format!("{model} was measured with up to {samples} samples on each of {gpus} GPUs");
                    (rule, "Lower the batch size (batch_min), or add measurements with more samples or GPUs")
                }
                None => (
                    format!("No throughput curve of {model} for {}", batch_words(batch_global)),
                    "Add the curve, or correct the batch size",
                ),
            };
            findings.add(job, finding(Severity::Error, "batch_global", value, rule, "Left out".into(), repair));
            return None;
        }
        CurveMatch::None => {
            let (index, is_rigid) = without_curve(job, model, curves, assumed, findings)?;
            by.add(Assumption::Speed);
            if is_rigid {
                return rigid(job, curves, index);
            }
            index
        }
    };
    let curve = curves.as_slice().get(index)?;
    let gpus_min = least_within(job, curve, findings);
    let gpus_requested = at_least_minimum(job, request_within(job, curve, findings), gpus_min, findings);
    let samples = samples_of(job, curve, batch_global, gpus_requested, findings)?;
    let gpus_max = most_within(job, curve, findings).max(gpus_min);
    let any_batch =
        choice.and_then(|choice| choice.gpus_least).map(|least| least.max(job.gpus_min.unwrap_or(1).min(gpus_min)));
    let batches = job.batch_range.filter(|_| any_batch.is_some());
    let gpus_least = any_batch.map_or(gpus_min, |least| least.min(gpus_min));
    let curve = u32::try_from(index).ok()?;
    Some(WorkloadJob { curve, samples, gpus_requested, gpus_min, gpus_max, batches, gpus_least, assumed: by })
}

/// The curve of a job whose model has none, by the law that is assumed, and whether the job runs on the GPUs that it asks
/// for only; `None`, with a finding, if it cannot run.
fn without_curve(
    job: &Job,
    model: &str,
    curves: &Curves,
    assumed: Option<&Assumed>,
    findings: &mut Findings,
) -> Option<(usize, bool)> {
    let mut report = |severity, rule: String, outcome: String, repair: &str| {
        findings.add(job, finding(severity, "model", model.into(), rule, outcome, repair));
    };
    let no_curve = format!("{model} has no throughput curve");
    let Some(Assumed { law, gpus_max }) = assumed else {
        let repair = match job.work {
            Work::DurationOnRequested(_) | Work::GpuSeconds(_) => WITHOUT_LAW,
            _ => "Add a curve for this model, or correct its name",
        };
        report(Severity::Error, no_curve, "Left out".into(), repair);
        return None;
    };
    let repair = "Add a curve for this model to know its speed";
    let by_law = format!("{law} is assumed, up to {}", gpus_in_words(*gpus_max));
    let own_gpus_only = "Runs on the GPUs that it asks for only";
    let (name, is_rigid) = match assumed?.shape(job, model) {
        Shape::Curve { name, .. } => {
            report(Severity::Warning, no_curve, by_law, repair);
            (name, false)
        }
        Shape::Rigid(name) => {
            report(Severity::Warning, no_curve, own_gpus_only.into(), repair);
            (name, true)
        }
        Shape::TooShort(name) => {
            let rule = format!("{no_curve}, and the overheads of {law} take longer than the job");
            report(Severity::Warning, rule, own_gpus_only.into(), "Add a curve, or assume smaller overheads");
            (name, true)
        }
        Shape::Like(other) if curves.of_model(&other).is_empty() => {
            let rule = format!("{no_curve}, and neither has {other}");
            report(Severity::Error, rule, "Left out".into(), "Add a curve for one of the two");
            return None;
        }
        Shape::Like(other) => {
            report(Severity::Warning, no_curve, format!("The curve of {other} is used"), repair);
            (other, false)
        }
        Shape::NoDuration => {
            let rule = format!("{no_curve}, and the job no duration through which {law} could pass");
            let repair = "Add a curve for this model, or the time that the job takes (duration_s or gpu_seconds)";
            report(Severity::Error, rule, "Left out".into(), repair);
            return None;
        }
    };
    let index = match curves.find(&name, job.batch_global) {
        CurveMatch::Exact(index) | CurveMatch::OnlyOne(index) => Some(index),
        CurveMatch::OtherBatches | CurveMatch::None => {
            curves.as_slice().iter().position(|curve| curve.key().model == name)
        }
    };
    index.map(|index| (index, is_rigid))
}

/// A job that runs on the GPUs that it asks for and on no other number; its limits are theirs.
fn rigid(job: &Job, curves: &Curves, index: usize) -> Option<WorkloadJob> {
    let curve = curves.as_slice().get(index)?;
    let gpus = job.gpus_requested;
    let samples = samples_of(job, curve, None, gpus, &mut Findings::default())?;
    let curve = u32::try_from(index).ok()?;
    Some(WorkloadJob {
        curve,
        samples,
        gpus_requested: gpus,
        gpus_min: gpus,
        gpus_max: gpus,
        batches: None,
        gpus_least: gpus,
        assumed: Assumption::Speed.into(),
    })
}

/// Adds a finding about a batch size or a range of them that is changed or not used.
fn report_batch(job: &Job, model: &str, batch_global: Option<u32>, has_choice: bool, findings: &mut Findings) {
    let Some(range) = job.batch_range else { return };
    let value = format!("{} to {}", range.least, range.most);
    let (column, value, rule, outcome, repair) = match (has_choice, job.batch_global, batch_global) {
        (false, ..) => (
            "batch_min",
            value,
            format!("The speed of {model} at batch sizes of this range"),
            "Its batch size is not changed".to_string(),
            "Add processing and all-reduce times, or curves at several batch sizes",
        ),
        (true, None, Some(used)) => (
            "batch_global",
            value,
            "A batch size for policies that do not choose it".into(),
            format!("{used}, the smallest, is used"),
            "Add the column batch_global",
        ),
        (true, Some(own), Some(used)) if used < own => (
            "batch_global",
            own.to_string(),
            format!("At most {used} samples of {model} fit on the GPUs that were measured"),
            format!("{used} is used"),
            "Lower the batch size, or add measurements with more samples or GPUs",
        ),
        _ => return,
    };
    let severity = if has_choice && job.batch_global.is_none() { Severity::Info } else { Severity::Warning };
    findings.add(job, finding(severity, column, value, rule, outcome, repair));
}

fn batch_words(batch_global: Option<u32>) -> String {
    batch_global.map_or("jobs without a batch size".into(), |batch| format!("batch {batch}"))
}

/// The GPUs asked for, moved into the range that the model runs on.
fn request_within(job: &Job, curve: &Curve, findings: &mut Findings) -> u32 {
    let asked = job.gpus_requested;
    let (smallest, largest) = (curve.gpus_smallest(), curve.gpus_largest());
    let value = asked.to_string();
    if asked < smallest {
        let (rule, repair) = match curve.scaling_times() {
            Some(_) => (
                format!("{} fits on {} or more", curve.key(), gpus_in_words(smallest)),
                "Ask for more GPUs or a smaller batch",
            ),
            None => (
                format!("{} is measured from {} up", curve.key(), gpus_in_words(smallest)),
                "Add a measured point for fewer GPUs",
            ),
        };
        let outcome = format!("Given {}", gpus_in_words(smallest));
        findings.add(job, finding(Severity::Warning, "gpus", value, rule, outcome, repair));
        smallest
    } else if asked > largest && curve.runs_beyond() {
        let rule = format!("{} is measured up to {}", curve.key(), gpus_in_words(largest));
        let outcome = format!("Held at the {largest}-GPU speed");
        let repair = "Add a measured point for more GPUs";
        findings.add(job, finding(Severity::Warning, "gpus", value, rule, outcome, repair));
        asked
    } else if asked > largest {
        let rule = format!("{} does not run on more than {}", curve.key(), gpus_in_words(largest));
        let outcome = format!("Given {}", gpus_in_words(largest));
        findings.add(job, finding(Severity::Warning, "gpus", value, rule, outcome, "Correct the request or the curve"));
        largest
    } else {
        asked
    }
}

/// The fewest GPUs the job runs on: its own minimum, moved into the range that the model runs on.
fn least_within(job: &Job, curve: &Curve, findings: &mut Findings) -> u32 {
    let (smallest, largest) = (curve.gpus_smallest(), curve.gpus_largest());
    let asked = job.gpus_min.unwrap_or(1);
    if asked > largest && !curve.runs_beyond() {
        let rule = format!("{} does not run on more than {}", curve.key(), gpus_in_words(largest));
        let outcome = format!("{largest} is used");
        let repair = "Correct the minimum or the curve";
        findings.add(job, finding(Severity::Warning, "gpus_min", asked.to_string(), rule, outcome, repair));
    }
    if curve.runs_beyond() { asked.max(smallest) } else { asked.clamp(smallest, largest) }
}

/// The most GPUs that help the job: its own maximum, or what the model is measured on if that is less.
fn most_within(job: &Job, curve: &Curve, findings: &mut Findings) -> u32 {
    let largest = curve.gpus_largest();
    let asked = job.gpus_max.unwrap_or(largest);
    if asked > largest {
        let (severity, verb) = match curve.runs_beyond() {
            true => (Severity::Info, "is measured up to"),
            false => (Severity::Warning, "does not run on more than"),
        };
        let rule = format!("{} {verb} {}", curve.key(), gpus_in_words(largest));
        let outcome = format!("At most {largest} are given by elastic policies");
        let repair = "Add a measured point for more GPUs, or lower the maximum";
        findings.add(job, finding(severity, "gpus_max", asked.to_string(), rule, outcome, repair));
    }
    asked.min(largest)
}

/// A request for fewer GPUs than the job's own minimum is raised to it.
fn at_least_minimum(job: &Job, asked: u32, gpus_min: u32, findings: &mut Findings) -> u32 {
    if asked < gpus_min {
        let rule = "At least the job's gpus_min".to_string();
        let outcome = format!("Given {}", gpus_in_words(gpus_min));
        let repair = "Correct one of the two";
        findings.add(job, finding(Severity::Warning, "gpus", asked.to_string(), rule, outcome, repair));
    }
    asked.max(gpus_min)
}

/// The job's work in samples.
fn samples_of(
    job: &Job,
    curve: &Curve,
    batch_global: Option<u32>,
    gpus_requested: u32,
    findings: &mut Findings,
) -> Option<f64> {
    let samples = match job.work {
        Work::Samples(samples) => samples,
        Work::DurationOnRequested(duration_s) => duration_s * curve.samples_per_s(gpus_requested),
        Work::GpuSeconds(gpu_seconds) => gpu_seconds / f64::from(gpus_requested) * curve.samples_per_s(gpus_requested),
        Work::Epochs { epochs, samples_each } => epochs * samples_each,
        Work::Trainings(trainings) => {
            let Some(total) = curve.efficiency().and_then(|efficiency| efficiency.samples_total) else {
                let rule = format!("The curve of {} does not say how long a training takes", curve.key().model);
                let value = format!("{trainings} trainings");
                let repair = "Add the samples that the job processes, or a profile with validation runs";
                findings.add(job, finding(Severity::Error, "work", value, rule, "Left out".into(), repair));
                return None;
            };
            trainings * total
        }
        Work::Iterations(iterations) => {
            let Some(batch) = batch_global.or(curve.key().batch_global) else {
                let rule = "Iterations need a batch size to become samples".to_string();
                let value = format!("{iterations} iterations");
                let repair = "Add the column batch_global";
                findings.add(job, finding(Severity::Error, "batch_global", value, rule, "Left out".into(), repair));
                return None;
            };
            iterations * f64::from(batch)
        }
    };
    Some(samples)
}
