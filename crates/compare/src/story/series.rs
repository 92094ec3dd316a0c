//! Quantities of a job over time.

use elastiplan_engine::Run;
use elastiplan_metrics::{Steps, batch_as_submitted};
use elastiplan_model::{JobId, Workload};

/// GPUs, batch size and speed of one job.
pub(super) struct Series {
    pub gpus: Steps<u32>,
    pub batch_global: Steps<Option<u32>>,
    pub samples_per_s: Steps<Option<f64>>,
}

impl Series {
    pub fn of(run: &Run, workload: &Workload, job: JobId) -> Self {
        let has_ended = run.jobs.end_s.get(job.index()).is_some_and(Option::is_some);
        let end_s = run.spans.of(job).last().map(|span| span.end_s).filter(|_| has_ended);
        let spans = || run.spans.of(job);
        let gpus = spans().map(|span| (span.start_s, span.gpus)).chain(end_s.map(|end_s| (end_s, 0)));
        let speed = spans().map(|span| (span.start_s, (span.gpus > 0).then_some(span.samples_per_s)));
        let gpus = Steps::from_rows(gpus);
        let batch_global = batches(run, workload, job, &gpus);
        Self { gpus, batch_global, samples_per_s: Steps::from_rows(speed.chain(end_s.map(|end_s| (end_s, None)))) }
    }
}

/// The batch sizes that the policy chose for a job, with their times.
pub(super) fn chosen(run: &Run, job: JobId) -> impl Iterator<Item = (f64, u32)> {
    let batches = &run.batch_sizes;
    let rows = batches.job.iter().zip(batches.time_s.iter().zip(&batches.batch_global));
    rows.filter(move |(of, _)| **of == job.0).map(|(_, (time_s, batch_global))| (*time_s, *batch_global))
}

/// Changes where the policy says so, and where the job gets its first or loses its last GPU.
fn batches(run: &Run, workload: &Workload, job: JobId, gpus: &Steps<u32>) -> Steps<Option<u32>> {
    let mut chosen = chosen(run, job).peekable();
    let mut batch_global = batch_as_submitted(workload, job);
    let mut rows: Vec<(f64, Option<u32>)> = Vec::new();
    let mut held = 0;
    for (time_s, gpus) in gpus.time_s.iter().zip(&gpus.value) {
        while let Some((chosen_s, batch)) = chosen.next_if(|(chosen_s, _)| chosen_s <= time_s) {
            batch_global = Some(batch);
            rows.push((chosen_s, batch_global.filter(|_| held > 0)));
        }
        held = *gpus;
        rows.push((*time_s, batch_global.filter(|_| held > 0)));
    }
    rows.extend(chosen.map(|(chosen_s, batch)| (chosen_s, Some(batch).filter(|_| held > 0))));
    Steps::from_rows(rows)
}
