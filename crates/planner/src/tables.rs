//! Results as CSV tables. Every table has a column `policy`, so that several runs go into one file.
//!
//! Times are in seconds on the clock of the trace. A value that does not apply is an empty cell.

use std::rc::Rc;

use elastiplan_engine::{LossCause, Outcome};
use elastiplan_formats::export::write_table;
use elastiplan_metrics::{METRICS, efficiency_by_span};
use elastiplan_model::{JobId, Trace, Workload, is_late};

use crate::{PolicyResult, PolicyRun};

/// A run of a table.
#[derive(Clone, Debug)]
pub struct Listed<'a> {
    /// The run.
    pub run: &'a PolicyRun,
    /// Its jobs, where they are not those of the other runs.
    pub own_workload: Option<&'a Workload>,
    /// What else differs about it than its policy: `20 nodes, seed 7`. If any run has something, all have a column.
    pub differs: String,
}

impl<'a> From<&'a PolicyRun> for Listed<'a> {
    fn from(run: &'a PolicyRun) -> Self {
        Self { run, own_workload: None, differs: String::new() }
    }
}

impl<'a> Listed<'a> {
    /// Its jobs, where `common` are those of most runs.
    pub(crate) fn workload(&self, common: &'a Workload) -> &'a Workload {
        self.own_workload.unwrap_or(common)
    }
}

/// The column for what was assumed of jobs.
const ASSUMED: &str = "assumed";

/// A table whose first columns say which run a row is of.
fn table<'a, I, R>(columns: &[&str], runs: I, rows: impl Fn(&Listed<'a>) -> R) -> Vec<u8>
where
    I: IntoIterator<Item: Into<Listed<'a>>>,
    R: Iterator<Item: IntoIterator<Item = String>>,
{
    let runs: Vec<Listed<'a>> = runs.into_iter().map(Into::into).collect();
    let is_named = runs.iter().any(|listed| !listed.differs.is_empty());
    let named = |listed: &Listed<'a>| {
        let differs = is_named.then(|| listed.differs.clone());
        let names: Vec<String> = std::iter::once(listed.run.policy.to_string()).chain(differs).collect();
        rows(listed).map(move |cells| names.clone().into_iter().chain(cells))
    };
    let first: &[&str] = if is_named { &["policy", "differs"] } else { &["policy"] };
    write_table(&[first, columns].concat(), runs.iter().flat_map(named))
}

/// One row for each run, one column for each metric; and one for what was assumed of jobs, if something was.
pub fn metrics<'a>(runs: impl IntoIterator<Item: Into<Listed<'a>>>, workload: &'a Workload) -> Vec<u8> {
    let runs: Vec<Listed<'a>> = runs.into_iter().map(Into::into).collect();
    let assumed = |listed: &Listed<'a>| listed.workload(workload).assumptions_in_words().join("; ");
    let has_assumed = runs.iter().any(|listed| !assumed(listed).is_empty());
    let mut header: Vec<&str> = std::iter::once("digest").chain(METRICS.iter().map(|info| info.key)).collect();
    header.extend(has_assumed.then_some(ASSUMED));
    table(&header, runs, |listed| {
        let values = METRICS.iter().map(|info| cell((info.value)(&listed.run.summary.metrics)));
        let cells = std::iter::once(listed.run.digest.clone()).chain(values);
        std::iter::once(cells.chain(has_assumed.then(|| assumed(listed))).collect::<Vec<String>>())
    })
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

/// One row for each job of each run; with a column for what was assumed of it, if something was of any.
pub fn jobs<'a>(runs: impl IntoIterator<Item: Into<Listed<'a>>>, workload: &'a Workload) -> Vec<u8> {
    let runs: Vec<Listed<'a>> = runs.into_iter().map(Into::into).collect();
    let is_assumed = |listed: &Listed<'a>| listed.workload(workload).jobs().iter().any(|job| !job.assumed.is_empty());
    let has_assumed = runs.iter().any(is_assumed);
    let mut header = vec![
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
    header.extend(has_assumed.then_some(ASSUMED));
    table(&header, runs, |listed| {
        let (run, workload) = (listed.run, listed.workload(workload));
        let trace = workload.trace();
        trace.iter().filter_map(move |(job, _)| {
            let assumed = has_assumed.then(|| workload.assumed_in_words(job));
            Some(job_row(run, trace, job)?.into_iter().chain(assumed))
        })
    })
}

fn job_row(run: &PolicyRun, trace: &Trace, id: JobId) -> Option<Vec<String>> {
    let job = trace.jobs().get(id.index())?;
    let records = &run.run.jobs;
    let outcome = *records.outcome.get(id.index())?;
    let end_s = *records.end_s.get(id.index())?;
    let completed_s = end_s.filter(|_| outcome == Outcome::Completed);
    let met = job.deadline_s.map(|deadline_s| completed_s.is_some_and(|end_s| !is_late(end_s, deadline_s)));
    Some(vec![
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
pub fn spans<'a>(runs: impl IntoIterator<Item: Into<Listed<'a>>>, workload: &'a Workload) -> Vec<u8> {
    let rows = |listed: &Listed<'a>| {
        let (run, workload) = (listed.run, listed.workload(workload));
        let spans = &run.run.spans;
        let efficiency = Rc::new(efficiency_by_span(&run.run, workload));
        workload.trace().iter().flat_map(move |(id, job)| {
            let efficiency = Rc::clone(&efficiency);
            spans.range_of(id).filter_map(move |at| {
                let span = spans.get(at)?;
                let efficiency = efficiency.get(at).copied().flatten();
                let (start, end, gpus) = (span.start_s.to_string(), span.end_s.to_string(), span.gpus.to_string());
                let (state, speed) = (span.state.word().to_string(), span.samples_per_s.to_string());
                let (goodput, efficiency) = (cell(efficiency.map(|_| span.work_per_s)), cell(efficiency));
                Some([job.name.clone(), start, end, gpus, state, speed, goodput, efficiency])
            })
        })
    };
    let speeds = ["samples_per_s", "work_per_s", "efficiency"];
    table(&[&["job_id", "start_s", "end_s", "gpus", "state"][..], &speeds].concat(), runs, rows)
}

/// One row for each change of the counts of each run; a row holds until the next.
pub fn series<'a>(runs: impl IntoIterator<Item: Into<Listed<'a>>>) -> Vec<u8> {
    let rows = |listed: &Listed<'a>| {
        let series = &listed.run.run.series;
        let jobs = series.jobs_running.iter().zip(&series.jobs_waiting);
        let counts = series.gpus_in_use.iter().zip(jobs).zip(&series.gpus_present);
        series.time_s.iter().zip(counts).map(move |(time_s, ((gpus, (running, waiting)), present))| {
            let counts = [gpus, running, waiting, present].map(u32::to_string);
            std::iter::once(time_s.to_string()).chain(counts)
        })
    };
    table(&["time_s", "gpus_in_use", "jobs_running", "jobs_waiting", "gpus_present"], runs, rows)
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
