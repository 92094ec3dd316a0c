//! Metrics of a run over time, beyond the counts of its own series.

use elastiplan_engine::{LossCause, Outcome, Run, Span, SpanState};
use elastiplan_model::{JobId, Workload, order};

use crate::efficiency::{Batches, Known, Trained, efficiency_by_span, spans_with_work_left, work_in_all};
use crate::jobs::ratio;
use crate::steps::{Change, Line, Steps};

/// GPUs of the nodes that are present.
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

/// Jobs submitted, not ended, holding no GPUs: the queue.
pub fn jobs_waiting(run: &Run) -> Steps {
    counts(run, &run.series.jobs_waiting)
}

fn counts(run: &Run, column: &[u32]) -> Steps {
    Steps::from_rows(run.series.time_s.iter().zip(column).map(|(time_s, count)| (*time_s, f64::from(*count))))
}

/// Throughput of the cluster in single GPUs: the sum over jobs of throughput / single-GPU throughput, which is IBM's
/// total throughput scaling factor (eq. 3). Samples of different models cannot be added, scaling factors can.
pub fn throughput(run: &Run, workload: &Workload) -> Steps {
    in_single_gpus(run, workload, |span| span.samples_per_s)
}

/// Goodput of the cluster in the same unit: the sum over jobs of goodput / single-GPU throughput, which is throughput
/// with every job's part times its statistical efficiency (Pollux, eq. 6).
pub fn goodput(run: &Run, workload: &Workload) -> Steps {
    in_single_gpus(run, workload, |span| span.work_per_s)
}

fn in_single_gpus(run: &Run, workload: &Workload, speed: fn(&Span) -> f64) -> Steps {
    let mut changes = Vec::new();
    for job in run.job_ids() {
        let single = workload.samples_per_s_single(job);
        if single <= 0.0 {
            continue;
        }
        for span in run.spans.of(job).filter(|span| span.state == SpanState::Running) {
            add_span(&mut changes, &span, speed(&span) / single);
        }
    }
    Steps::from_changes(run.start_s, &changes)
}

/// Cluster efficiency (ElasticFlow, eq. 8): [`throughput`] over the GPUs present; `None` while there are none.
pub fn cluster_efficiency(run: &Run, workload: &Workload) -> Steps<Option<f64>> {
    let (throughput, present) = (throughput(run, workload), gpus_present(run));
    quotient(&throughput, &present)
}

/// Statistical efficiency (Pollux, eq. 7), mean over the running jobs of which it is known; `None` while there is none.
pub fn mean_statistical_efficiency(run: &Run, workload: &Workload) -> Steps<Option<f64>> {
    let (mut worths, mut counts) = (Vec::new(), Vec::new());
    for (at, worth) in efficiency_by_span(run, workload).into_iter().enumerate() {
        if let Some((span, worth)) = run.spans.get(at).zip(worth) {
            add_span(&mut worths, &span, worth);
            add_span(&mut counts, &span, 1.0);
        }
    }
    quotient(&Steps::from_changes(run.start_s, &worths), &Steps::from_changes(run.start_s, &counts))
}

/// One value over another; `None` while that is not above 0.
fn quotient(parts: &Steps, wholes: &Steps) -> Steps<Option<f64>> {
    let mut times_s: Vec<f64> = parts.time_s.iter().chain(&wholes.time_s).copied().collect();
    order::sort_by_number(&mut times_s, |time_s| *time_s);
    let at = |time_s| parts.at(time_s).zip(wholes.at(time_s)).and_then(|(part, whole)| ratio(part, whole));
    Steps::from_rows(times_s.into_iter().map(|time_s| (time_s, at(time_s))))
}

/// Jobs submitted, cumulative.
pub fn jobs_submitted(run: &Run, workload: &Workload) -> Steps {
    let submitted = workload.trace().jobs().iter().map(|job| job.submit_s);
    Steps::counting(run.start_s, submitted.filter(|submit_s| *submit_s <= run.end_s))
}

/// Jobs completed, cumulative.
pub fn jobs_completed(run: &Run) -> Steps {
    ended(run, Outcome::Completed)
}

/// Jobs dropped, cumulative.
pub fn jobs_dropped(run: &Run) -> Steps {
    ended(run, Outcome::Dropped)
}

/// Jobs admitted, cumulative.
pub fn jobs_admitted(run: &Run) -> Steps {
    Steps::counting(run.start_s, run.jobs.admitted_s.iter().copied().flatten())
}

fn ended(run: &Run, wanted: Outcome) -> Steps {
    let ends = run.jobs.outcome.iter().zip(&run.jobs.end_s);
    Steps::counting(run.start_s, ends.filter(|(outcome, _)| **outcome == wanted).filter_map(|(_, end_s)| *end_s))
}

/// GPU-seconds that changes cost, cumulative: without progress, or with progress that was taken back for them.
pub fn rescale_gpu_seconds(run: &Run) -> Line {
    let lost: Vec<(f64, f64)> = run.losses.by_cause(LossCause::Rescale).collect();
    Line::rising(run.start_s, run.end_s, &gpus_in_state(run, SpanState::Rescaling), &lost)
}

/// GPU-seconds that leaving nodes cost, cumulative. A loss counts at its time.
pub fn preemption_gpu_seconds(run: &Run) -> Line {
    let lost: Vec<(f64, f64)> = run.losses.by_cause(LossCause::NodeLeft).collect();
    Line::rising(run.start_s, run.end_s, &gpus_in_state(run, SpanState::Recovering), &lost)
}

fn gpus_in_state(run: &Run, state: SpanState) -> Steps {
    let mut changes = Vec::new();
    for span in run.spans.iter().filter(|span| span.state == state) {
        add_span(&mut changes, &span, f64::from(span.gpus));
    }
    Steps::from_changes(run.start_s, &changes)
}

fn add_span(changes: &mut Vec<Change>, span: &Span, add: f64) {
    changes.push(Change { time_s: span.start_s, add, things: 1 });
    changes.push(Change { time_s: span.end_s, add: -add, things: -1 });
}

/// Statistical efficiency of one job (Pollux, eq. 7), relative to the base batch size; `None` while the job makes no
/// progress, or if it is unknown.
pub fn statistical_efficiency(run: &Run, workload: &Workload, job: JobId) -> Steps<Option<f64>> {
    let batches = Batches::of_job(run, job);
    let known = batches.spans(run, workload, job).map(|trained| (trained.span, trained.worth()));
    until_the_end(known.collect())
}

/// Goodput of one job in effective samples per second: 0 during a pause, `None` while it holds no GPUs, or if its
/// statistical efficiency is unknown.
pub fn goodput_of_job(run: &Run, workload: &Workload, job: JobId) -> Steps<Option<f64>> {
    let batches = Batches::of_job(run, job);
    let known = batches.spans(run, workload, job).map(|Trained { span, known }| {
        let goodput = known.filter(|_| span.gpus > 0).map(|_| span.work_per_s);
        (span, goodput)
    });
    until_the_end(known.collect())
}

/// Gradient noise scale of one job, in samples; `None` while it holds no GPUs, or if it is unknown.
pub fn noise_scale(run: &Run, workload: &Workload, job: JobId) -> Steps<Option<f64>> {
    let total = work_in_all(workload, job);
    let spans = spans_with_work_left(run, workload, job).into_iter();
    until_the_end(spans.map(|(trained, left)| (trained.span, trained.noise_scale(left, total))).collect())
}

/// Speed-up of one job: its goodput over that on one GPU at the batch size it was submitted with, at the same stage of
/// training; 0 during a pause, `None` while it holds no GPUs.
pub fn speed_up(run: &Run, workload: &Workload, job: JobId) -> Steps<Option<f64>> {
    let (single, total) = (workload.samples_per_s_single(job), work_in_all(workload, job));
    let as_submitted = Known::as_submitted(workload, job);
    let speed_up = |(Trained { span, .. }, left): (Trained<'_>, f64)| {
        let worth = as_submitted.map_or(1.0, |known| known.worth_single(left, total));
        (span, (span.gpus > 0 && single > 0.0).then(|| span.work_per_s / (single * worth)))
    };
    until_the_end(spans_with_work_left(run, workload, job).into_iter().map(speed_up).collect())
}

/// Values of contiguous spans, and `None` after them.
fn until_the_end(rows: Vec<(Span, Option<f64>)>) -> Steps<Option<f64>> {
    let end = rows.last().map(|(span, _)| (span.end_s, None));
    Steps::from_rows(rows.into_iter().map(|(span, value)| (span.start_s, value)).chain(end))
}
