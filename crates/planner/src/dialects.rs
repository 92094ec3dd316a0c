//! Results of a run in the dialect that its jobs were read in, for the tools that read such logs.

use std::fmt::Write;

use elastiplan_engine::Outcome;
use elastiplan_formats::Dialect;
use elastiplan_model::{Job, JobId, Workload};
use elastiplan_text::calendar::date_and_time;

use crate::PolicyRun;

/// What a run made of a job. Times are in whole seconds, on the clock of the trace.
struct JobResult<'a> {
    job: &'a Job,
    outcome: Outcome,
    submit_s: f64,
    start_s: Option<f64>,
    /// When it ended; of a job that still runs, when the run did.
    end_s: f64,
    /// The most GPUs that it held at a time.
    gpus: u32,
}

impl JobResult<'_> {
    /// Seconds from the first start to the end, with interruptions; a job that ran did so for a second at least, as both
    /// logs take 0 s for a job that never ran.
    fn elapsed_s(&self) -> f64 {
        self.start_s.map_or(0.0, |start_s| (self.end_s - start_s).max(1.0))
    }
}

/// The jobs of a run as a log of this dialect.
pub fn in_dialect(dialect: Dialect, run: &PolicyRun, workload: &Workload) -> Vec<u8> {
    let results: Vec<JobResult<'_>> =
        workload.trace().iter().filter_map(|(id, job)| job_result(run, id, job)).collect();
    match dialect {
        Dialect::Sacct => sacct(&results),
        Dialect::StandardWorkloadFormat => standard_workload_format(&results),
    }
    .into_bytes()
}

fn job_result<'a>(run: &PolicyRun, id: JobId, job: &'a Job) -> Option<JobResult<'a>> {
    let records = &run.run.jobs;
    let spans = run.run.spans.range_of(id);
    let gpus = run.run.spans.gpus.get(spans.clone()).unwrap_or_default();
    let last_s = run.run.spans.end_s.get(spans).and_then(|ends| ends.last()).copied();
    let start_s = records.start_s.get(id.index())?.map(f64::round);
    let end_s = records.end_s.get(id.index())?.or(last_s).unwrap_or(job.submit_s).round();
    Some(JobResult {
        job,
        outcome: *records.outcome.get(id.index())?,
        submit_s: job.submit_s.round(),
        start_s,
        end_s,
        gpus: gpus.iter().copied().max().unwrap_or_default(),
    })
}

/// As `sacct -X -P` writes jobs. The GPUs of a job that was resized are the most that it held at a time.
fn sacct(results: &[JobResult<'_>]) -> String {
    let mut text = String::from("JobID|User|State|Submit|Start|End|ElapsedRaw|ReqTRES|AllocTRES\n");
    for result in results {
        let is_running = result.outcome == Outcome::Unfinished;
        let state = match (result.outcome, result.start_s) {
            (Outcome::Completed, _) => "COMPLETED",
            (Outcome::Failed, _) => "FAILED",
            (Outcome::Dropped | Outcome::Cancelled, _) => "CANCELLED",
            (Outcome::Unfinished, Some(_)) => "RUNNING",
            (Outcome::Unfinished, None) => "PENDING",
        };
        let start = result.start_s.map_or("None".into(), date_and_time);
        let end = if is_running { "Unknown".into() } else { date_and_time(result.end_s) };
        let allocated = if result.gpus > 0 { format!("gres/gpu={}", result.gpus) } else { String::new() };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}|{}|{state}|{}|{start}|{end}|{}|gres/gpu={}|{allocated}",
            cell(&result.job.name),
            cell(result.job.user.as_deref().unwrap_or_default()),
            date_and_time(result.submit_s),
            result.elapsed_s(),
            result.job.gpus_requested,
        );
    }
    text
}

/// Text without what divides cells and rows of `sacct`.
fn cell(text: &str) -> String {
    text.replace(['|', '\n'], "_")
}

/// A log that says when it began has times from here on: the oldest of the archive are of 1993. Others count from 0.
const UNIX_TIME_S: f64 = 3e8;

/// As the Parallel Workloads Archive has it, in its 18 columns; processors are GPUs. Jobs and users have numbers there: a
/// job whose name is none has that of its line, and a user whose name is none has no number.
fn standard_workload_format(results: &[JobResult<'_>]) -> String {
    let first_s = results.first().map_or(0.0, |result| result.submit_s);
    let zero_s = if first_s >= UNIX_TIME_S { first_s } else { 0.0 };
    let mut text = String::from("; Version: 2.2\n");
    if zero_s > 0.0 {
        let _ = writeln!(text, "; UnixStartTime: {zero_s}");
    }
    text += "; Note: a processor is a GPU\n";
    let number = |text: &str| text.parse::<u64>().ok();
    let are_numbers = results.iter().all(|result| number(&result.job.name).is_some());
    for (line, result) in (1_u64..).zip(results) {
        let id = number(&result.job.name).filter(|_| are_numbers).unwrap_or(line);
        let wait = result.start_s.map_or(-1.0, |start_s| (start_s - result.submit_s).max(0.0));
        let took = if result.start_s.is_some() { result.elapsed_s() } else { -1.0 };
        let allocated = if result.gpus > 0 { i64::from(result.gpus) } else { -1 };
        let status = match result.outcome {
            Outcome::Completed => 1,
            Outcome::Failed => 0,
            Outcome::Dropped | Outcome::Cancelled => 5,
            Outcome::Unfinished => -1,
        };
        let user = result.job.user.as_deref().and_then(number).map_or("-1".into(), |user| user.to_string());
        let (submit, asked) = (result.submit_s - zero_s, result.job.gpus_requested);
        let _ = writeln!(
            text,
            "{id} {submit} {wait} {took} {allocated} -1 -1 {asked} -1 -1 {status} {user} -1 -1 -1 -1 -1 -1"
        );
    }
    text
}
