//! A run over time, beyond the counts of its own series.

use elastiplan_engine::{Outcome, Run, Span, SpanState};
use elastiplan_model::{Curve, JobId, Workload};

use crate::steps::{Change, Line, Steps};
use crate::work::{batch_as_submitted, single_gpu_speed};

/// GPUs of the nodes that are there.
pub fn gpus_present(run: &Run) -> Steps {
    counts(run, &run.series.gpus_present)
}

/// GPUs held by jobs.
pub fn gpus_in_use(run: &Run) -> Steps {
    counts(run, &run.series.gpus_in_use)
}

/// Jobs that hold GPUs.
pub fn jobs_running(run: &Run) -> Steps {
    counts(run, &run.series.jobs_running)
}

/// Jobs submitted, not ended, holding nothing: the queue.
pub fn jobs_waiting(run: &Run) -> Steps {
    counts(run, &run.series.jobs_waiting)
}

fn counts(run: &Run, column: &[u32]) -> Steps {
    Steps::from_rows(run.series.time_s.iter().zip(column).map(|(time_s, count)| (*time_s, f64::from(*count))))
}

/// Throughput of the cluster in single GPUs: the sum over jobs of throughput / single-GPU throughput, which is IBM's
/// total throughput scaling factor (eq. 3). Samples of different models cannot be added; this can.
pub fn throughput(run: &Run, workload: &Workload) -> Steps {
    let mut changes = Vec::new();
    for job in ids(run) {
        let single = single_gpu_speed(workload, job);
        if single <= 0.0 {
            continue;
        }
        for span in run.spans.of(job).filter(|span| span.state == SpanState::Running) {
            add_span(&mut changes, &span, span.samples_per_s / single);
        }
    }
    Steps::from_changes(run.start_s, &changes)
}

/// Cluster efficiency (ElasticFlow, eq. 8): [`throughput`] over the GPUs there are; `None` where there are none.
pub fn cluster_efficiency(run: &Run, workload: &Workload) -> Steps<Option<f64>> {
    let (throughput, present) = (throughput(run, workload), gpus_present(run));
    let mut times_s: Vec<f64> = throughput.time_s.iter().chain(&present.time_s).copied().collect();
    times_s.sort_by(f64::total_cmp);
    Steps::from_rows(times_s.into_iter().map(|time_s| {
        let gpus = present.at(time_s).filter(|gpus| *gpus > 0.0);
        (time_s, gpus.zip(throughput.at(time_s)).map(|(gpus, throughput)| throughput / gpus))
    }))
}

/// Jobs submitted until then.
pub fn jobs_submitted(run: &Run, workload: &Workload) -> Steps {
    let submitted = workload.trace().jobs().iter().map(|job| job.submit_s);
    Steps::counting(run.start_s, submitted.filter(|submit_s| *submit_s <= run.end_s))
}

/// Jobs completed until then.
pub fn jobs_completed(run: &Run) -> Steps {
    ended(run, Outcome::Completed)
}

/// Jobs dropped until then.
pub fn jobs_dropped(run: &Run) -> Steps {
    ended(run, Outcome::Dropped)
}

/// Jobs admitted until then.
pub fn jobs_admitted(run: &Run) -> Steps {
    Steps::counting(run.start_s, run.jobs.admitted_s.iter().copied().flatten())
}

fn ended(run: &Run, wanted: Outcome) -> Steps {
    let ends = run.jobs.outcome.iter().zip(&run.jobs.end_s);
    Steps::counting(run.start_s, ends.filter(|(outcome, _)| **outcome == wanted).filter_map(|(_, end_s)| *end_s))
}

/// GPU-seconds without progress after changes, until then.
pub fn rescale_gpu_seconds(run: &Run) -> Line {
    Line::rising(run.start_s, run.end_s, &gpus_in_state(run, SpanState::Rescaling), &[])
}

/// GPU-seconds that nodes which left have cost until then. What was lost counts when it was lost.
pub fn preemption_gpu_seconds(run: &Run) -> Line {
    let lost: Vec<(f64, f64)> = run.losses.time_s.iter().copied().zip(run.losses.gpu_seconds.iter().copied()).collect();
    Line::rising(run.start_s, run.end_s, &gpus_in_state(run, SpanState::Recovering), &lost)
}

fn gpus_in_state(run: &Run, state: SpanState) -> Steps {
    let mut changes = Vec::new();
    let spans = (0..run.spans.len()).filter_map(|at| run.spans.get(at));
    for span in spans.filter(|span| span.state == state) {
        add_span(&mut changes, &span, f64::from(span.gpus));
    }
    Steps::from_changes(run.start_s, &changes)
}

fn add_span(changes: &mut Vec<Change>, span: &Span, add: f64) {
    changes.push(Change { time_s: span.start_s, add, things: 1 });
    changes.push(Change { time_s: span.end_s, add: -add, things: -1 });
}

/// The share of the work that counts as done before it is: stages change between spans, where rounding may leave the
/// work just short of the next stage.
const ROUNDING: f64 = 1e-9;

/// Statistical efficiency of one job (Pollux, eq. 7): what a sample is worth, of what it is worth at the base batch
/// size; `None` where the job makes no progress.
pub fn statistical_efficiency(run: &Run, workload: &Workload, job: JobId) -> Steps<Option<f64>> {
    let mut lost = of_job(job, &run.losses.job, &run.losses.time_s, &run.losses.work).peekable();
    let batches = &run.batch_sizes;
    let mut chosen = of_job(job, &batches.job, &batches.time_s, &batches.batch_global).peekable();
    let (mut batch_global, mut done) = (None, 0.0);
    let mut steps = Steps::default();
    for span in run.spans.of(job) {
        while let Some((_, work)) = lost.next_if(|(time_s, _)| *time_s <= span.start_s) {
            done -= work;
        }
        while let Some((_, batch)) = chosen.next_if(|(time_s, _)| *time_s <= span.start_s) {
            batch_global = Some(batch);
        }
        let worth = (span.state == SpanState::Running).then(|| worth(workload, job, batch_global, span.gpus, done));
        steps.push(span.start_s, worth);
        done += span.samples_per_s * (span.end_s - span.start_s) * worth.unwrap_or(0.0);
    }
    if let Some(end_s) = run.spans.of(job).last().map(|span| span.end_s) {
        steps.push(end_s, None);
    }
    steps
}

/// The rows of one job, from columns of times and values.
fn of_job<T: Copy>(job: JobId, jobs: &[u32], times_s: &[f64], values: &[T]) -> impl Iterator<Item = (f64, T)> {
    let rows = jobs.iter().zip(times_s).zip(values);
    rows.filter(move |((of, _), _)| **of == job.0).map(|((_, time_s), value)| (*time_s, *value))
}

/// What a sample of a job is worth when so much work is done, at the batch size that the policy chose.
fn worth(workload: &Workload, job: JobId, chosen: Option<u32>, gpus: u32, done: f64) -> f64 {
    let (curve, batch_global) = match chosen {
        Some(batch) => (workload.curve_at(job, batch).and_then(|at| workload.curves().get(at as usize)), Some(batch)),
        None => (workload.curve_of(job), batch_as_submitted(workload, job)),
    };
    let total = workload.jobs().get(job.index()).map_or(0.0, |bound| bound.samples);
    let batch_global = curve.zip(batch_global).map(|(curve, batch)| curve.batch_on(gpus, batch));
    let efficiency = curve.and_then(Curve::efficiency).zip(batch_global);
    let left = total * (1.0 - ROUNDING) - done;
    efficiency.map_or(1.0, |(efficiency, batch_global)| efficiency.at(batch_global, left, total).0)
}

fn ids(run: &Run) -> impl Iterator<Item = JobId> {
    (0..run.jobs.outcome.len() as u32).map(JobId)
}
