//! A trace bound to its curves: what the simulation runs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Cluster, Curve, CurveMatch, Curves, Diagnostic, Job, JobId, Place, Severity, Trace, Work};

/// What the simulation needs of a job, in columns' order of the trace, units resolved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkloadJob {
    /// Index into [`Workload::curves`].
    pub curve: u32,
    /// Samples to process.
    pub samples: f64,
    /// GPUs asked for, within what the model runs on.
    pub gpus_requested: u32,
    /// The fewest GPUs it runs on.
    pub gpus_min: u32,
    /// The most GPUs an elastic policy may give it.
    pub gpus_max: u32,
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
    /// diagnostics, one line for each kind and model.
    pub fn bind(trace: &Trace, curves: &Curves) -> (Self, Vec<Diagnostic>) {
        let mut findings = Findings::default();
        let bound: Vec<Option<WorkloadJob>> =
            trace.jobs().iter().map(|job| bind_job(trace, job, curves, &mut findings)).collect();
        let kept = trace.filtered(|id, _| bound.get(id.index()).is_some_and(Option::is_some));
        let jobs = bound.into_iter().flatten().collect();
        (Self { trace: kept, jobs, curves: curves.clone() }, findings.list)
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

    /// The curve of a job; `None` for an id from another trace.
    pub fn curve_of(&self, job: JobId) -> Option<&Curve> {
        self.jobs.get(job.index()).and_then(|job| self.curves.as_slice().get(job.curve as usize))
    }

    /// Jobs that ask for more GPUs than the cluster has, one line for all.
    pub fn check_against(&self, cluster: &Cluster) -> Vec<Diagnostic> {
        let total = cluster.gpus_total();
        let too_large = || {
            let pairs = self.trace.jobs().iter().zip(&self.jobs);
            pairs.filter(move |(_, bound)| bound.gpus_requested > total)
        };
        let Some((first, bound)) = too_large().next() else { return Vec::new() };
        let largest = too_large().map(|(_, bound)| bound.gpus_requested).max().unwrap_or(bound.gpus_requested);
        let nodes = largest.div_ceil(cluster.gpus_per_node());
        vec![Diagnostic {
            severity: Severity::Warning,
            place: Place {
                file: None,
                row: Some(first.source_row).filter(|&row| row > 0),
                column: Some("gpus".into()),
                more_rows: Vec::new(),
            },
            count: too_large().count() as u64,
            value: Some(format!("{} asks for {}", first.name, bound.gpus_requested)),
            rule: format!("At most the cluster's {total} GPUs"),
            outcome: "A policy that gives what is asked for drops it; an elastic one gives it fewer".into(),
            repair: format!("All fit on {nodes} nodes"),
        }]
    }
}

/// Diagnostics while they are counted: one for each kind of finding and curve.
#[derive(Default)]
struct Findings {
    list: Vec<Diagnostic>,
    known: BTreeMap<(String, String), usize>,
}

impl Findings {
    fn add(&mut self, job: &Job, found: Diagnostic) {
        let kind = (found.rule.clone(), found.outcome.clone());
        if let Some(known) = self.known.get(&kind).and_then(|&at| self.list.get_mut(at)) {
            known.count += 1;
            return;
        }
        self.known.insert(kind, self.list.len());
        let row = Some(job.source_row).filter(|&row| row > 0);
        self.list.push(Diagnostic { place: Place { row, ..found.place }, ..found });
    }
}

fn finding(severity: Severity, column: &str, value: String, rule: String, outcome: String, repair: &str) -> Diagnostic {
    let place = Place { column: Some(column.into()), ..Place::default() };
    Diagnostic { severity, place, count: 1, value: Some(value), rule, outcome, repair: repair.into() }
}

fn bind_job(trace: &Trace, job: &Job, curves: &Curves, findings: &mut Findings) -> Option<WorkloadJob> {
    let model = trace.model_name(job.model);
    let index = match curves.find(model, job.batch_global) {
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
            let value = job.batch_global.map_or("no batch size".into(), |batch| format!("{model} at batch {batch}"));
            let rule = format!("No throughput curve of {model} for {}", batch_words(job.batch_global));
            let repair = "Add the curve, or correct the batch size";
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
    let gpus_requested = request_within(job, curve, findings);
    let samples = samples_of(job, curve, gpus_requested, findings)?;
    let gpus_min = job.gpus_min.unwrap_or(1).max(curve.gpus_smallest());
    let gpus_max = job.gpus_max.unwrap_or(curve.gpus_largest()).min(curve.gpus_largest()).max(gpus_min);
    Some(WorkloadJob { curve: u32::try_from(index).ok()?, samples, gpus_requested, gpus_min, gpus_max })
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
        let rule = format!("{} is measured from {smallest} GPUs up", curve.key());
        let repair = "Add a measured point for fewer GPUs";
        findings.add(job, finding(Severity::Warning, "gpus", value, rule, format!("Given {smallest} GPUs"), repair));
        smallest
    } else if asked > largest && curve.runs_beyond() {
        let rule = format!("{} is measured up to {largest} GPUs", curve.key());
        let outcome = format!("Held at the {largest}-GPU speed");
        let repair = "Add a measured point for more GPUs";
        findings.add(job, finding(Severity::Warning, "gpus", value, rule, outcome, repair));
        asked
    } else if asked > largest {
        let rule = format!("{} does not run on more than {largest} GPUs", curve.key());
        let outcome = format!("Given {largest} GPUs");
        findings.add(job, finding(Severity::Warning, "gpus", value, rule, outcome, "Correct the request or the curve"));
        largest
    } else {
        asked
    }
}

/// The job's work in samples.
fn samples_of(job: &Job, curve: &Curve, gpus_requested: u32, findings: &mut Findings) -> Option<f64> {
    let samples = match job.work {
        Work::Samples(samples) => samples,
        Work::DurationOnRequested(duration_s) => duration_s * curve.samples_per_s(gpus_requested),
        Work::Iterations(iterations) => {
            let Some(batch) = job.batch_global.or(curve.key().batch_global) else {
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
