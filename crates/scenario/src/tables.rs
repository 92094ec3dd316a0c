//! Results as CSV tables. Every table has a column `policy`, so that several runs go into one file.
//!
//! Times are in seconds on the clock of the trace. A value that does not apply is an empty cell.

use elastiplan_engine::Outcome;
use elastiplan_formats::export::write_table;
use elastiplan_metrics::METRICS;
use elastiplan_model::{JobId, Trace, Workload};

use crate::PolicyRun;

/// One row for each run, one column for each metric.
pub fn metrics<'a>(runs: impl IntoIterator<Item = &'a PolicyRun>) -> Vec<u8> {
    let header: Vec<&str> = ["policy", "digest"].into_iter().chain(METRICS.iter().map(|info| info.key)).collect();
    let row = |run: &PolicyRun| {
        let mut cells = vec![run.policy.to_string(), run.digest.clone()];
        cells.extend(METRICS.iter().map(|info| cell((info.value)(&run.summary))));
        cells
    };
    write_table(&header, runs.into_iter().map(row))
}

/// One row for each job of each run.
pub fn jobs<'a>(runs: impl IntoIterator<Item = &'a PolicyRun>, workload: &Workload) -> Vec<u8> {
    let header = [
        "policy",
        "job_id",
        "model",
        "gpus_requested",
        "submit_s",
        "deadline_s",
        "outcome",
        "start_s",
        "end_s",
        "jct_s",
        "deadline_met",
        "queueing_s",
        "gpu_seconds",
        "rescale_gpu_seconds",
        "rescales",
        "preemptions",
    ];
    let ids = || (0..workload.trace().jobs().len() as u32).map(JobId);
    let rows = runs.into_iter().flat_map(|run| {
        let policy = run.policy.to_string();
        ids().filter_map(move |job| job_row(&policy, run, workload.trace(), job))
    });
    write_table(&header, rows)
}

fn job_row(policy: &str, run: &PolicyRun, trace: &Trace, id: JobId) -> Option<Vec<String>> {
    let job = trace.jobs().get(id.index())?;
    let records = &run.run.jobs;
    let outcome = *records.outcome.get(id.index())?;
    let end_s = *records.end_s.get(id.index())?;
    let completed_s = end_s.filter(|_| outcome == Outcome::Completed);
    let met = job.deadline_s.map(|deadline_s| completed_s.is_some_and(|end_s| end_s <= deadline_s));
    Some(vec![
        policy.to_string(),
        job.name.clone(),
        trace.model_name(job.model).to_string(),
        job.gpus_requested.to_string(),
        job.submit_s.to_string(),
        cell(job.deadline_s),
        outcome.word().to_string(),
        cell(*records.start_s.get(id.index())?),
        cell(end_s),
        cell(completed_s.map(|end_s| end_s - job.submit_s)),
        cell(met),
        records.queueing_s.get(id.index())?.to_string(),
        records.gpu_seconds.get(id.index())?.to_string(),
        records.rescale_gpu_seconds.get(id.index())?.to_string(),
        records.rescales.get(id.index())?.to_string(),
        records.preemptions.get(id.index())?.to_string(),
    ])
}

/// One row for each span of each job of each run.
pub fn spans<'a>(runs: impl IntoIterator<Item = &'a PolicyRun>, trace: &Trace) -> Vec<u8> {
    let rows = runs.into_iter().flat_map(|run| {
        let policy = run.policy.to_string();
        trace.iter().flat_map(move |(id, job)| {
            let policy = policy.clone();
            run.run.spans.of(id).map(move |span| {
                let (start, end, gpus) = (span.start_s.to_string(), span.end_s.to_string(), span.gpus.to_string());
                [policy.clone(), job.name.clone(), start, end, gpus, span.state.word().to_string()]
            })
        })
    });
    write_table(&["policy", "job_id", "start_s", "end_s", "gpus", "state"], rows)
}

/// One row for each change of the counts of each run; a row holds until the next.
pub fn series<'a>(runs: impl IntoIterator<Item = &'a PolicyRun>) -> Vec<u8> {
    let rows = runs.into_iter().flat_map(|run| {
        let policy = run.policy.to_string();
        let series = &run.run.series;
        let counts = series.gpus_in_use.iter().zip(&series.jobs_running).zip(&series.jobs_waiting);
        series.time_s.iter().zip(counts).map(move |(time_s, ((gpus, running), waiting))| {
            [policy.clone(), time_s.to_string(), gpus.to_string(), running.to_string(), waiting.to_string()]
        })
    });
    write_table(&["policy", "time_s", "gpus_in_use", "jobs_running", "jobs_waiting"], rows)
}

fn cell(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}
