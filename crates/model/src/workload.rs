//! A trace bound to its curves: what the simulation runs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::curve::gpus_in_words;
use crate::order::sort_by_key;
use crate::{
    BatchChoices, BatchRange, Cluster, Curve, CurveMatch, Curves, Detail, Diagnostic, Job, JobId, ModelId, Place,
    Severity, Trace, Work,
};

/// What the simulation needs of a job, in columns' order of the trace, units resolved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkloadJob {
    /// Index into [`Workload::curves`].
    pub curve: u32,
    /// Samples to process.
    pub samples: f64,
    /// GPUs asked for, within what the model runs on, and at least `gpus_min`.
    pub gpus_requested: u32,
    /// The fewest GPUs it runs on with the batch size that it has unless a policy chooses another.
    pub gpus_min: u32,
    /// The most GPUs an elastic policy may give it with that batch size.
    pub gpus_max: u32,
    /// The batch sizes among which a policy may choose; `None` where there is no choice, or speed says nothing about it.
    pub batches: Option<BatchRange>,
    /// The fewest GPUs it runs on with any of them.
    pub gpus_least: u32,
}

/// Jobs that can run, each with its curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Workload {
    trace: Trace,
    jobs: Vec<WorkloadJob>,
    curves: Curves,
}

impl Workload {
    /// Binds jobs to curves. Jobs that cannot be bound are left out; what was left out or assumed is in the
    /// diagnostics, one line for each kind and model, in order of the rows they were found in.
    pub fn bind(trace: &Trace, curves: &Curves) -> (Self, Vec<Diagnostic>) {
        let mut findings = Findings::default();
        let mut bound: Vec<Option<WorkloadJob>> = vec![None; trace.jobs().len()];
        let ranges = Ranges::of(trace, curves);
        let curves = with_batches_of(trace, curves, &ranges);
        for (id, job) in by_row(trace.iter()) {
            if let Some(place) = bound.get_mut(id.index()) {
                *place = bind_job(trace, job, &curves, &ranges, &mut findings);
            }
        }
        let kept = trace.filtered(|id, _| bound.get(id.index()).is_some_and(Option::is_some));
        let jobs = bound.into_iter().flatten().collect();
        (Self { trace: kept, jobs, curves }, findings.list)
    }

    /// The jobs as the trace has them, without those left out.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The jobs as the simulation has them, in the same order.
    pub fn jobs(&self) -> &[WorkloadJob] {
        &self.jobs
    }

    /// The curves that [`WorkloadJob::curve`] counts in.
    pub fn curves(&self) -> &[Curve] {
        self.curves.as_slice()
    }

    /// The same as a set.
    pub fn curve_set(&self) -> &Curves {
        &self.curves
    }

    /// The curve of a job; `None` for an id from another trace.
    pub fn curve_of(&self, job: JobId) -> Option<&Curve> {
        self.jobs.get(job.index()).and_then(|job| self.curves.as_slice().get(job.curve as usize))
    }

    /// Throughput of a job on one GPU: the baseline of its scaling factors. 0 for an id from another trace.
    pub fn samples_per_s_single(&self, job: JobId) -> f64 {
        let batch_most = self.jobs.get(job.index()).and_then(|job| job.batches).map(|range| range.most);
        self.curve_of(job).map_or(0.0, |curve| curve.samples_per_s_single_at(batch_most))
    }

    /// The index of the curve for a job at another batch size: that of the same model measured at it, or its own if
    /// that is a formula. `None` if there is none.
    pub fn curve_at(&self, job: JobId, batch_global: u32) -> Option<u32> {
        let own = self.jobs.get(job.index())?.curve;
        let curve = self.curve_of(job)?;
        match curve.detail() {
            Detail::Law(law) => {
                let runs = (1..=law.gpus_max()).any(|gpus| law.samples_per_s(gpus, 1, Some(batch_global)) > 0.0);
                return runs.then_some(own);
            }
            Detail::Profile(profile) => {
                let limits = curve.batch_limits()?;
                let runs = (1..=profile.gpus_max()).any(|gpus| limits.split(gpus, batch_global).is_some());
                return runs.then_some(own);
            }
            Detail::CountOnly | Detail::Spread(_) | Detail::ByNodes(_) => {}
        }
        match self.curves.find(&curve.key().model, Some(batch_global)) {
            CurveMatch::Exact(index) => u32::try_from(index).ok(),
            CurveMatch::OnlyOne(_) | CurveMatch::OtherBatches | CurveMatch::None => None,
        }
    }

    /// Jobs that ask for more GPUs than the cluster has, or than are there at once where a log says that not all nodes
    /// ever are; one line for all of a kind.
    pub fn check_against(&self, cluster: &Cluster, nodes_at_once: u32) -> Vec<Diagnostic> {
        let total = cluster.gpus_total();
        let at_once = total.min(nodes_at_once.saturating_mul(cluster.gpus_per_node()));
        let requested = |id: JobId| self.jobs.get(id.index()).map_or(0, |bound| bound.gpus_requested);
        let least = |id: JobId| self.jobs.get(id.index()).map_or(0, |bound| bound.gpus_least);
        let too_large: Vec<(JobId, &Job)> = by_row(self.trace.iter().filter(|(id, _)| requested(*id) > at_once));
        let largest = too_large.iter().map(|(id, _)| requested(*id)).max().unwrap_or(0);
        let more_nodes = format!("All fit on {} nodes", largest.div_ceil(cluster.gpus_per_node()));
        let mut findings = Findings::default();
        for (id, job) in too_large {
            let (requested, least) = (requested(id), least(id));
            let (rule, repair) = match requested > total {
                true => (format!("At most the cluster's {}", gpus_in_words(total)), &*more_nodes),
                false => (
                    format!("At most the {} that are there at once", gpus_in_words(at_once)),
                    "Add nodes that are always there, or lower the request",
                ),
            };
            let (value, outcome) = match (least > at_once, requested > total) {
                (true, _) => (
                    format!("needs {least}"),
                    "No policy can run it: it is dropped, or waits until the end and may hold up others",
                ),
                (false, true) => (
                    format!("asks for {requested}"),
                    "A policy that gives what is asked for drops it; an elastic one gives it fewer",
                ),
                (false, false) => (
                    format!("asks for {requested}"),
                    "A policy that gives what is asked for lets it wait until the end, and maybe others; an elastic one gives it fewer",
                ),
            };
            let value = format!("{} {value}", job.name);
            findings.add(job, finding(Severity::Warning, "gpus", value, rule, outcome.into(), repair));
        }
        findings.list
    }
}

/// The curves, with those that follow from a formula or from step times for the batch sizes of the jobs.
fn with_batches_of(trace: &Trace, curves: &Curves, ranges: &Ranges) -> Curves {
    let wanted = |job: &Job| Some((job.model, ranges.own_batch(job)?));
    let mut wanted: Vec<(ModelId, u32)> = trace.jobs().iter().filter_map(wanted).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut all = curves.clone();
    for (model, batch_global) in wanted {
        let model = trace.model_name(model);
        if matches!(curves.find(model, Some(batch_global)), CurveMatch::Exact(_)) {
            continue;
        }
        let of_model = curves.as_slice().iter().filter(|curve| curve.key().model == model);
        if let Some(curve) = of_model.filter_map(|curve| curve.at_batch(batch_global)).next() {
            all.insert(curve);
        }
    }
    all
}

/// What there is to choose from between the limits of a model's batch sizes.
#[derive(Clone, Copy)]
struct Choice {
    least: u32,
    most: Option<u32>,
    /// The fewest GPUs on which any of them runs; `None` if none does.
    gpus_least: Option<u32>,
}

/// The choices of jobs, where the speeds of several batch sizes are known: few models and ranges, many jobs.
struct Ranges(BTreeMap<(ModelId, BatchRange), Choice>);

impl Ranges {
    fn of(trace: &Trace, curves: &Curves) -> Self {
        let mut wanted: Vec<(ModelId, BatchRange)> =
            trace.jobs().iter().filter_map(|job| Some((job.model, job.batch_range?))).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let choice = |(model, range): (ModelId, BatchRange)| {
            let choices = BatchChoices::of(curves, trace.model_name(model), range)?;
            let choice = Choice { least: choices.least(), most: choices.most(), gpus_least: choices.gpus_least() };
            Some(((model, range), choice))
        };
        Self(wanted.into_iter().filter_map(choice).collect())
    }

    fn choice(&self, job: &Job) -> Option<Choice> {
        self.0.get(&(job.model, job.batch_range?)).copied()
    }

    /// The batch size that a job has unless a policy chooses another: its own, or else the smallest that it may have,
    /// which runs on the fewest GPUs. One that fits nowhere gives way to the largest that does, if there is a choice.
    fn own_batch(&self, job: &Job) -> Option<u32> {
        let Some(choice) = self.choice(job) else { return job.batch_global };
        Some(job.batch_global.unwrap_or(choice.least).min(choice.most.unwrap_or(u32::MAX)))
    }
}

/// Jobs in order of their rows, so that a finding names the rows that come first.
fn by_row<'a>(jobs: impl Iterator<Item = (JobId, &'a Job)>) -> Vec<(JobId, &'a Job)> {
    let mut jobs: Vec<(JobId, &Job)> = jobs.collect();
    sort_by_key(&mut jobs, |(_, job)| job.source_row);
    jobs
}

/// Diagnostics while they are counted: one for each kind of finding and curve. Jobs come in order of their rows.
#[derive(Default)]
struct Findings {
    list: Vec<Diagnostic>,
    known: BTreeMap<(String, String), usize>,
}

impl Findings {
    /// Rows that a diagnostic names after the first, as many as the importers name.
    const MORE_ROWS: usize = 3;

    fn add(&mut self, job: &Job, found: Diagnostic) {
        let kind = (found.rule.clone(), found.outcome.clone());
        let row = Some(job.source_row).filter(|&row| row > 0);
        if let Some(known) = self.known.get(&kind).and_then(|&at| self.list.get_mut(at)) {
            known.count += 1;
            let more_rows = &mut known.place.more_rows;
            if known.place.row.is_none() {
                known.place.row = row;
            } else if more_rows.len() < Self::MORE_ROWS {
                more_rows.extend(row);
            }
            return;
        }
        self.known.insert(kind, self.list.len());
        self.list.push(Diagnostic { place: Place { row, ..found.place }, ..found });
    }
}

fn finding(severity: Severity, column: &str, value: String, rule: String, outcome: String, repair: &str) -> Diagnostic {
    let place = Place { column: Some(column.into()), ..Place::default() };
    Diagnostic { severity, place, count: 1, value: Some(value), rule, outcome, repair: repair.into() }
}

fn bind_job(
    trace: &Trace,
    job: &Job,
    curves: &Curves,
    ranges: &Ranges,
    findings: &mut Findings,
) -> Option<WorkloadJob> {
    let model = trace.model_name(job.model);
    let (batch_global, choice) = (ranges.own_batch(job), ranges.choice(job));
    // A batch size that fits nowhere is told below.
    if choice.is_none_or(|choice| choice.gpus_least.is_some()) {
        tell_batch(job, model, batch_global, choice.is_some(), findings);
    }
    let index = match curves.find(model, batch_global) {
        CurveMatch::Exact(index) => index,
        CurveMatch::OnlyOne(index) => {
            if let Some((batch, curve)) = job.batch_global.zip(curves.as_slice().get(index))
                && curve.key().batch_global.is_none()
            {
                let rule = format!("The curve of {model} names no batch size");
                let outcome = "Used for every batch size".into();
                findings.add(
                    job,
                    finding(
                        Severity::Info,
                        "batch_global",
                        batch.to_string(),
                        rule,
                        outcome,
                        "Add a curve for the batch size to be exact",
                    ),
                );
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
            let rule = format!("{model} has no throughput curve");
            let repair = "Add a curve for this model, or correct its name";
            findings.add(job, finding(Severity::Error, "model", model.into(), rule, "Left out".into(), repair));
            return None;
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
    Some(WorkloadJob { curve, samples, gpus_requested, gpus_min, gpus_max, batches, gpus_least })
}

/// Tells what becomes of a batch size and of a range of them.
fn tell_batch(job: &Job, model: &str, batch_global: Option<u32>, has_choice: bool, findings: &mut Findings) {
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
        findings.add(
            job,
            finding(Severity::Warning, "gpus", value, rule, format!("Given {}", gpus_in_words(smallest)), repair),
        );
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
