//! A trace bound to its curves: what the simulation runs.

mod assumed;
mod bind;
mod findings;
mod ranges;

use serde::{Deserialize, Serialize};

use crate::curve::gpus_in_words;
use crate::speedup::{Assumed, SpeedupLaw};
use crate::{BatchRange, Cluster, Curve, CurveMatch, Curves, Detail, Diagnostic, Job, JobId, Severity, Trace};
pub use assumed::{Assumption, Assumptions};
use bind::bind_job;
use findings::{Findings, by_row, finding};
use ranges::{Ranges, with_batches_of};

/// A job as the simulation needs it, with units resolved.
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
    /// The batch sizes among which a policy may choose; `None` where there is no choice, or speed says nothing about
    /// it.
    pub batches: Option<BatchRange>,
    /// The fewest GPUs it runs on with any of them.
    pub gpus_least: u32,
    /// What of it the trace does not say.
    pub assumed: Assumptions,
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
        Self::bind_with(trace, curves, None)
    }

    /// The same, with the speed of jobs whose model has no curve as a law gives it, on a cluster with so many GPUs.
    pub fn bind_assuming(trace: &Trace, curves: &Curves, law: SpeedupLaw, gpus_total: u32) -> (Self, Vec<Diagnostic>) {
        Self::bind_with(trace, curves, Some(&Assumed::new(law, trace, gpus_total)))
    }

    fn bind_with(trace: &Trace, curves: &Curves, assumed: Option<&Assumed>) -> (Self, Vec<Diagnostic>) {
        let mut findings = Findings::default();
        let mut bound: Vec<Option<WorkloadJob>> = vec![None; trace.jobs().len()];
        let ranges = Ranges::of(trace, curves);
        let mut curves = with_batches_of(trace, curves, &ranges);
        if let Some(assumed) = assumed {
            assumed.add_curves(trace, &mut curves);
        }
        for (id, job) in by_row(trace.iter()) {
            if let Some(place) = bound.get_mut(id.index()) {
                *place = bind_job(trace, job, &curves, &ranges, assumed, &mut findings);
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

    /// All curves as a set.
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
                    "No policy can run it: it is declined, or waits until the end and may hold up others",
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
