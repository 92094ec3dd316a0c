//! Results as CSV tables. Every table has a column `policy`, so that several runs go into one file.
//!
//! Times are in seconds on the clock of the trace. A value that does not apply is an empty cell.

use std::rc::Rc;

use elastiplan_engine::{LossCause, Outcome};
use elastiplan_formats::export::write_table;
use elastiplan_metrics::{METRICS, efficiency_by_span};
use elastiplan_model::{JobId, Trace, Workload, is_late};

use crate::{PolicyResult, PolicyRun};

/// A run with what the column `policy` calls it.
#[derive(Clone, Debug)]
pub struct NamedRun<'a> {
    /// The policy's id and, where runs of one policy differ, in what.
    pub name: String,
    /// The run.
    pub run: &'a PolicyRun,
}

impl<'a> From<&'a PolicyRun> for NamedRun<'a> {
    fn from(run: &'a PolicyRun) -> Self {
        Self { name: run.policy.to_string(), run }
    }
}

/// One row for each run, one column for each metric.
pub fn metrics<'a, R: Into<NamedRun<'a>>>(runs: impl IntoIterator<Item = R>) -> Vec<u8> {
    let header: Vec<&str> = ["policy", "digest"].into_iter().chain(METRICS.iter().map(|info| info.key)).collect();
    let row = |named: R| {
        let NamedRun { name, run } = named.into();
        let mut cells = vec![name, run.digest.clone()];
        cells.extend(METRICS.iter().map(|info| cell((info.value)(&run.summary.metrics))));
        cells
    };
    write_table(&header, runs.into_iter().map(row))
}

/// One row for each run of each seed, one column for each metric.
pub fn metrics_by_seed<'a>(results: impl IntoIterator<Item = (u64, &'a PolicyResult)>) -> Vec<u8> {
    let keys = METRICS.iter().map(|info| info.key);
    let header: Vec<&str> = ["policy", "seed", "digest"].into_iter().chain(keys).collect();
    let row = |(seed, result): (u64, &PolicyResult)| {
        let mut cells = vec![result.policy.to_string(), seed.to_string(), result.digest.clone()];
        cells.extend(METRICS.iter().map(|info| cell((info.value)(&result.summary.metrics))));
        cells
    };
    write_table(&header, results.into_iter().map(row))
}

/// One row for each job of each run.
pub fn jobs<'a, R: Into<NamedRun<'a>>>(runs: impl IntoIterator<Item = R>, workload: &Workload) -> Vec<u8> {
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
        "remark",
    ];
    let ids = || (0..workload.trace().jobs().len() as u32).map(JobId);
    let rows = runs.into_iter().flat_map(|named| {
        let NamedRun { name: policy, run } = named.into();
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
    let met = job.deadline_s.map(|deadline_s| completed_s.is_some_and(|end_s| !is_late(end_s, deadline_s)));
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
        run.run.remarks.of(id).unwrap_or_default().to_string(),
    ])
}

/// One row for each span of each job of each run. Goodput and efficiency are there where the job trains and it is known
/// what its samples are worth.
pub fn spans<'a, R: Into<NamedRun<'a>>>(runs: impl IntoIterator<Item = R>, workload: &Workload) -> Vec<u8> {
    let rows = runs.into_iter().flat_map(|named| {
        let NamedRun { name: policy, run } = named.into();
        let spans = &run.run.spans;
        let efficiency = Rc::new(efficiency_by_span(&run.run, workload));
        workload.trace().iter().flat_map(move |(id, job)| {
            let (policy, efficiency) = (policy.clone(), Rc::clone(&efficiency));
            spans.range_of(id).filter_map(move |at| {
                let span = spans.get(at)?;
                let efficiency = efficiency.get(at).copied().flatten();
                let (start, end, gpus) = (span.start_s.to_string(), span.end_s.to_string(), span.gpus.to_string());
                let (state, speed) = (span.state.word().to_string(), span.samples_per_s.to_string());
                let (goodput, efficiency) = (cell(efficiency.map(|_| span.work_per_s)), cell(efficiency));
                Some([policy.clone(), job.name.clone(), start, end, gpus, state, speed, goodput, efficiency])
            })
        })
    });
    let speeds = ["samples_per_s", "work_per_s", "efficiency"];
    write_table(&[&["policy", "job_id", "start_s", "end_s", "gpus", "state"][..], &speeds].concat(), rows)
}

/// One row for each change of the counts of each run; a row holds until the next.
pub fn series<'a, R: Into<NamedRun<'a>>>(runs: impl IntoIterator<Item = R>) -> Vec<u8> {
    let rows = runs.into_iter().flat_map(|named| {
        let NamedRun { name: policy, run } = named.into();
        let series = &run.run.series;
        let jobs = series.jobs_running.iter().zip(&series.jobs_waiting);
        let counts = series.gpus_in_use.iter().zip(jobs).zip(&series.gpus_present);
        series.time_s.iter().zip(counts).map(move |(time_s, ((gpus, (running, waiting)), present))| {
            let counts = [gpus, running, waiting, present].map(u32::to_string);
            [policy.clone(), time_s.to_string()].into_iter().chain(counts)
        })
    });
    write_table(&["policy", "time_s", "gpus_in_use", "jobs_running", "jobs_waiting", "gpus_present"], rows)
}

/// One row for each time that a job held GPUs of a node, node by node; nodes count from 0, and have a name if the availability log has one. `first_gpu` is the lowest of
/// the GPUs, counted from 0; `gpu_mask` tells all, bit by bit.
pub fn nodes<'a>(runs: impl IntoIterator<Item = &'a PolicyRun>, trace: &Trace) -> Vec<u8> {
    let rows = runs.into_iter().flat_map(|run| {
        let policy = run.policy.to_string();
        let holdings = &run.run.holdings;
        (0..holdings.first.len() as u32).flat_map(move |node| {
            let policy = policy.clone();
            holdings.range_of(node).filter_map(move |at| {
                let mask = *holdings.mask.get(at)?;
                Some([
                    policy.clone(),
                    node.to_string(),
                    run.run.node_names.get(node as usize).cloned().unwrap_or_default(),
                    job_name(trace, *holdings.job.get(at)?),
                    mask.count_ones().to_string(),
                    mask.trailing_zeros().to_string(),
                    format!("{mask:#x}"),
                    holdings.start_s.get(at)?.to_string(),
                    holdings.end_s.get(at)?.to_string(),
                ])
            })
        })
    });
    write_table(&["policy", "node", "node_name", "job_id", "gpus", "first_gpu", "gpu_mask", "start_s", "end_s"], rows)
}

/// One row for each time that a policy changed something.
pub fn decisions<'a>(runs: impl IntoIterator<Item = &'a PolicyRun>) -> Vec<u8> {
    let rows = runs.into_iter().flat_map(|run| {
        let policy = run.policy.to_string();
        let decisions = &run.run.decisions;
        let gave = decisions.started.iter().zip(&decisions.rescaled);
        let took = decisions.preempted.iter().zip(&decisions.dropped);
        let counts = gave.zip(took);
        decisions.time_s.iter().zip(counts).map(move |(time_s, ((started, rescaled), (preempted, dropped)))| {
            let counts = [started, rescaled, preempted, dropped].map(u32::to_string);
            [policy.clone(), time_s.to_string()].into_iter().chain(counts)
        })
    });
    write_table(&["policy", "time_s", "started", "rescaled", "preempted", "dropped"], rows)
}

/// One row for each time that a job lost work: because a node left, or, with policies that follow a simulator which
/// charges changes so, because it was rescaled. `None` if nobody ever did.
pub fn losses<'a>(runs: impl IntoIterator<Item = &'a PolicyRun>, trace: &Trace) -> Option<Vec<u8>> {
    let rows = runs.into_iter().flat_map(|run| {
        let policy = run.policy.to_string();
        let losses = &run.run.losses;
        let lost = losses.gpu_seconds.iter().zip(&losses.work).zip(&losses.cause);
        losses.time_s.iter().zip(&losses.job).zip(lost).map(move |((time_s, job), ((gpu_seconds, work), cause))| {
            let (time, gpu_seconds, work) = (time_s.to_string(), gpu_seconds.to_string(), work.to_string());
            [policy.clone(), time, job_name(trace, *job), gpu_seconds, work, cause_word(*cause).into()]
        })
    });
    let mut rows = rows.peekable();
    rows.peek()?;
    Some(write_table(&["policy", "time_s", "job_id", "lost_gpu_seconds", "lost_samples", "cause"], rows))
}

fn cause_word(cause: LossCause) -> &'static str {
    match cause {
        LossCause::NodeLeft => "node-left",
        LossCause::Rescale => "rescale",
    }
}

/// Every table of these runs, by the name of its file.
pub fn all(runs: &[PolicyRun], workload: &Workload) -> Vec<(&'static str, Vec<u8>)> {
    let trace = workload.trace();
    let always = [
        ("jobs.csv", jobs(runs, workload)),
        ("spans.csv", spans(runs, workload)),
        ("series.csv", series(runs)),
        ("nodes.csv", nodes(runs, trace)),
        ("decisions.csv", decisions(runs)),
    ];
    always.into_iter().chain(losses(runs, trace).map(|table| ("losses.csv", table))).collect()
}

fn job_name(trace: &Trace, job: u32) -> String {
    trace.jobs().get(JobId(job).index()).map(|job| job.name.clone()).unwrap_or_default()
}

fn cell(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}
