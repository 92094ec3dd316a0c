//! Statistical efficiency, from the goodput in the record.

use elastiplan_engine::{Run, Span, SpanState};
use elastiplan_model::order::sort_by_rank;
use elastiplan_model::{Curve, Efficiency, JobId, Workload};

use crate::work::batch_as_submitted;

/// Tolerance for stages of training, as a share of the work: stages change between spans, where rounding may leave the
/// work just short of the next stage.
const ROUNDING: f64 = 1e-9;

/// Whether the statistical efficiency of some job is known.
pub fn has_efficiency(workload: &Workload) -> bool {
    let is_known = |curve: &Curve| curve.efficiency().is_some();
    // Most workloads have no such curve: then there is no need to go through all jobs.
    let mut curves = workload.trace().iter().filter_map(|(job, _)| workload.curve_of(job));
    workload.curves().iter().any(is_known) && curves.any(is_known)
}

/// Statistical efficiency in each span of a run (Pollux, eq. 7), relative to the base batch size; `None` if the job
/// made no progress, or if it is unknown. Empty if it is unknown of all jobs.
pub fn efficiency_by_span(run: &Run, workload: &Workload) -> Vec<Option<f64>> {
    if !has_efficiency(workload) {
        return Vec::new();
    }
    let batches = Batches::of(run);
    run.job_ids()
        .flat_map(|job| batches.spans(run, workload, job).map(|trained| trained.worth()).collect::<Vec<_>>())
        .collect()
}

/// Batch sizes that the policy chose, by job and in order of time within a job.
pub(crate) struct Batches {
    rows: Vec<(u32, f64, u32)>,
}

impl Batches {
    pub fn of(run: &Run) -> Self {
        let mut rows: Vec<(u32, f64, u32)> = Self::rows(run).collect();
        sort_by_rank(&mut rows, |(job, ..)| u64::from(*job));
        Self { rows }
    }

    /// Batch sizes of one job.
    pub fn of_job(run: &Run, job: JobId) -> Self {
        Self { rows: Self::rows(run).filter(|(of, ..)| *of == job.0).collect() }
    }

    fn rows(run: &Run) -> impl Iterator<Item = (u32, f64, u32)> {
        let batches = &run.batch_sizes;
        let columns = batches.job.iter().zip(&batches.time_s).zip(&batches.batch_global);
        columns.map(|((job, time_s), batch)| (*job, *time_s, *batch))
    }

    /// The spans of a job, each with the statistical efficiency that it has then.
    pub fn spans<'a>(&self, run: &Run, workload: &'a Workload, job: JobId) -> impl Iterator<Item = Trained<'a>> {
        let first = self.rows.partition_point(|(other, ..)| *other < job.0);
        let rows = self.rows.get(first..).unwrap_or_default().iter();
        let mut chosen = rows.take_while(move |(other, ..)| *other == job.0).peekable();
        let mut known = Known::as_submitted(workload, job);
        run.spans.of(job).map(move |span| {
            while let Some((_, _, batch)) = chosen.next_if(|(_, time_s, _)| *time_s <= span.start_s) {
                let curve = workload.curve_at(job, *batch).and_then(|at| workload.curves().get(at as usize));
                known = Known::at(curve, Some(*batch));
            }
            Trained { span, known }
        })
    }
}

/// Statistical efficiency of a job at a batch size.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    curve: &'a Curve,
    efficiency: &'a Efficiency,
    batch_global: u32,
}

impl<'a> Known<'a> {
    pub fn as_submitted(workload: &'a Workload, job: JobId) -> Option<Self> {
        Self::at(workload.curve_of(job), batch_as_submitted(workload, job))
    }

    /// `None` without a batch size: the engine then counts each sample in full.
    fn at(curve: Option<&'a Curve>, batch_global: Option<u32>) -> Option<Self> {
        let (curve, batch_global) = curve.zip(batch_global)?;
        Some(Self { curve, efficiency: curve.efficiency()?, batch_global })
    }

    /// Statistical efficiency on so many GPUs when `left` samples of `total` are left.
    pub fn worth(&self, gpus: u32, left: f64, total: f64) -> f64 {
        self.efficiency.at(self.curve.batch_on(gpus, self.batch_global), left, total).0
    }

    /// The same on the fewest GPUs that the job runs on, from which single-GPU speed is known.
    pub fn worth_single(&self, left: f64, total: f64) -> f64 {
        self.worth(self.curve.gpus_smallest(), left, total)
    }

    /// The gradient noise scale in samples, as measured at the batch size on so many GPUs.
    fn noise_scale(&self, gpus: u32, left: f64, total: f64) -> Option<f64> {
        let batch_global = self.curve.batch_on(gpus, self.batch_global);
        self.efficiency.gradients(batch_global, left, total).map(|found| found.noise_scale())
    }
}

/// A span with the statistical efficiency of the job.
pub(crate) struct Trained<'a> {
    pub span: Span,
    pub known: Option<Known<'a>>,
}

impl Trained<'_> {
    /// Statistical efficiency in the span.
    pub fn worth(&self) -> Option<f64> {
        let Span { state, samples_per_s, work_per_s, .. } = self.span;
        let trains = state == SpanState::Running && samples_per_s > 0.0;
        self.known.filter(|_| trains).map(|_| work_per_s / samples_per_s)
    }

    /// The gradient noise scale (Pollux, section 2.2) of the stage of training in which the work is; `None` if the job
    /// holds no GPUs or if it is unknown.
    pub fn noise_scale(&self, left: f64, total: f64) -> Option<f64> {
        let gpus = self.span.gpus;
        self.known.filter(|_| gpus > 0).and_then(|known| known.noise_scale(gpus, left, total))
    }
}

/// The spans of a job, each with the work left at its start.
pub(crate) fn spans_with_work_left<'a>(run: &Run, workload: &'a Workload, job: JobId) -> Vec<(Trained<'a>, f64)> {
    let losses = &run.losses;
    let lost = losses.job.iter().zip(&losses.time_s).zip(&losses.work).filter(|((of, _), _)| **of == job.0);
    let mut lost = lost.map(|((_, time_s), work)| (*time_s, *work)).peekable();
    let mut left = work_in_all(workload, job) * (1.0 - ROUNDING);
    let batches = Batches::of_job(run, job);
    let with_left = |trained: Trained<'a>| {
        let Span { start_s, end_s, work_per_s, .. } = trained.span;
        while let Some((_, work)) = lost.next_if(|(time_s, _)| *time_s <= start_s) {
            left += work;
        }
        let left_now = left;
        left -= work_per_s * (end_s - start_s);
        (trained, left_now)
    };
    batches.spans(run, workload, job).map(with_left).collect()
}

/// The work of a job, in effective samples; 0 for an unknown job.
pub(crate) fn work_in_all(workload: &Workload, job: JobId) -> f64 {
    workload.jobs().get(job.index()).map_or(0.0, |bound| bound.samples)
}
