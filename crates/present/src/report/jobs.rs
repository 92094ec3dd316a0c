//! The table of jobs: what each asked for, and how long it took under each run.

use elastiplan_engine::Outcome;
use elastiplan_model::{JobId, Workload};
use elastiplan_text::{format, words};

use super::html::{escaped, isolated, section, tag};
use super::tables::badge;
use crate::runs::{RunEntry, shown};

/// Runs that have a column.
const RUNS_MAX: usize = 6;

/// The first jobs by submission.
pub fn jobs(entries: &[RunEntry], workload: &Workload, rows_max: usize) -> String {
    let trace = workload.trace();
    let runs: Vec<&RunEntry> = shown(entries).filter(|entry| entry.own_workload.is_none()).take(RUNS_MAX).collect();
    let left_out = shown(entries).count() - runs.len();
    let heads = runs.iter().map(|entry| format!("<th scope=\"col\">{}</th>", badge(entry.slot, &entry.letter())));
    let row = |at: usize| {
        let job = trace.jobs().get(at)?;
        let cells = [
            format!("<th scope=\"row\">{}</th>", isolated(&job.name)),
            tag("td", "words", &isolated(trace.model_name(job.model))),
            tag("td", "", &format::count(job.gpus_requested.into())),
            tag("td", "", &format::duration(job.submit_s - trace.start_s())),
        ];
        let took = runs.iter().map(|entry| tag("td", "", &escaped(&completion(entry, at, job.submit_s))));
        Some(tag("tr", "", &cells.into_iter().chain(took).collect::<String>()))
    };
    let all = trace.jobs().len();
    let rows: String = (0..all.min(rows_max)).filter_map(row).collect();
    let mut about = vec![format!(
        "Completion time under each run; the first {} of {} by submission",
        format::count(all.min(rows_max) as u64),
        words::counted(all as u64, "job", "jobs")
    )];
    if left_out > 0 {
        about.push(format!("{} not shown", words::counted(left_out as u64, "run is", "runs are")));
    }
    let table = format!(
        "<div class=\"scroll\"><table class=\"jobs\"><thead><tr><th scope=\"col\">Job</th><th scope=\"col\" class=\"words\">Model</th>\
         <th scope=\"col\">GPUs</th><th scope=\"col\">Submitted</th>{}</tr></thead>\n<tbody>{rows}</tbody></table></div>\n",
        heads.collect::<String>()
    );
    section("Jobs", &(tag("p", "caption", &escaped(&about.join(". "))) + &table))
}

/// How long a job took, or what became of it.
fn completion(entry: &RunEntry, at: usize, submit_s: f64) -> String {
    let Some(result) = &entry.result else { return format::DASH.into() };
    let records = &result.run.jobs;
    let job = JobId(at as u32);
    match (records.outcome.get(job.index()), records.end_s.get(job.index())) {
        (Some(Outcome::Completed), Some(Some(end_s))) => format::duration(end_s - submit_s),
        (Some(outcome), _) => outcome.word().into(),
        (None, _) => format::DASH.into(),
    }
}
