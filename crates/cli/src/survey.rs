//! What a mapping makes of a table, as tables of text.

use elastiplan_formats::Options;
use std::path::PathBuf;

use elastiplan_formats::mapping::{
    ColumnUse, Mapping, Repair, RowOutcome, Sureness, Survey, SurveyColumn, SurveyRow, survey,
};
use elastiplan_text::calendar::first_label;
use elastiplan_text::format::{DASH, count, duration, number};
use elastiplan_text::words::counted;

use crate::table::aligned;
use crate::{CommandError, files};

/// What a mapping makes of each of the files that are tables.
pub fn surveys(paths: &[PathBuf], mapping: &Mapping) -> Result<Vec<Survey>, CommandError> {
    let options = Options { bytes_max: None };
    let sources = files::sources(paths)?.into_iter();
    // A file that is no table has its message among those of the import.
    Ok(sources.filter_map(|source| survey(source, Some(mapping), &options, &mut |_| {}).ok()).collect())
}

/// The survey of a file: columns, rows before and after, and what loads.
pub fn text(survey: &Survey) -> String {
    let issues = survey.issues.iter().map(|issue| format!("{issue}\n"));
    format!(
        "\n{}{}\nColumns of {}\n{}\nRows\n{}\nWhat loads\n{}",
        heading(survey),
        issues.collect::<String>(),
        survey.path,
        columns(survey),
        rows(survey),
        totals(survey)
    )
}

/// `7,228 of 8,214 rows become jobs`.
fn heading(Survey { counts, .. }: &Survey) -> String {
    let verb = if counts.jobs == 1 { "becomes a job" } else { "become jobs" };
    format!("{} of {} {verb}\n", count(counts.jobs), counted(counts.rows, "row", "rows"))
}

fn columns(survey: &Survey) -> String {
    let titles = ["in the file", "first values", "use as", "read as", "", "what follows"].map(String::from).to_vec();
    let line = |(column, own): (&SurveyColumn, &ColumnUse)| {
        let sureness = match column.sureness {
            Some(Sureness::Sure) => "sure",
            Some(Sureness::Guessed) => "guessed",
            None => "",
        };
        vec![
            column.name.clone(),
            column.first_values.join(", "),
            own.role.label(),
            own.read_as.label(&own.role, column.content, survey.uses.zone),
            sureness.into(),
            column.follows.clone(),
        ]
    };
    let lines = survey.columns.iter().zip(&survey.uses.columns).map(line);
    let table = aligned(&[titles].into_iter().chain(lines).collect::<Vec<_>>(), 6);
    match survey.columns_more {
        0 => table,
        more => format!("{table}and {}\n", counted(more.into(), "column more", "columns more")),
    }
}

fn rows(survey: &Survey) -> String {
    let names = survey.columns.iter().map(|column| column.name.clone());
    let results = ["|", "submitted", "run time", "GPUs", "GPU-h", "deadline"].map(String::from);
    let titles: Vec<String> = ["row".to_string()].into_iter().chain(names).chain(results).collect();
    let is_dates = survey.jobs.span.is_some_and(|span| span.is_dates);
    let time = |seconds: Option<f64>| match seconds {
        Some(seconds) if is_dates => first_label(seconds, 1.0),
        Some(seconds) => seconds.to_string(),
        None => DASH.into(),
    };
    let line = |row: &SurveyRow| {
        let mut cells = row.cells.clone();
        cells.resize(survey.columns.len(), String::new());
        let outcome = match &row.outcome {
            RowOutcome::Job(job) => vec![
                time(job.submit_s),
                job.duration_s.map_or(DASH.into(), duration),
                job.gpus.map_or(DASH.into(), |gpus| count(gpus.into())),
                job.gpu_hours.map_or(DASH.into(), number),
                time(job.deadline_s),
            ],
            RowOutcome::LeftOut { reason, column } => {
                let at = column.and_then(|column| cells.get_mut(column as usize));
                if let Some(cell) = at {
                    *cell = format!("[{cell}]");
                }
                vec![format!("left out: {reason}")]
            }
        };
        [row.row.to_string()].into_iter().chain(cells).chain(["|".into()]).chain(outcome).collect()
    };
    aligned(&[titles].into_iter().chain(survey.rows.iter().map(line)).collect::<Vec<_>>(), usize::MAX)
}

fn totals(survey: &Survey) -> String {
    let Survey { counts, jobs, .. } = survey;
    let first = |rows: &[u64], all: u64| match rows {
        [] => String::new(),
        rows => {
            let more = if (rows.len() as u64) < all { ", …" } else { "" };
            let rows: Vec<String> = rows.iter().map(|row| count(*row)).collect();
            format!("rows {}{more}", rows.join("; "))
        }
    };
    let assumed = counts.assumed.iter().map(|assumed| {
        let rows = if assumed.is_all { "all".into() } else { first(&assumed.first_rows, assumed.rows) };
        vec!["assumed".into(), format!("{}: {}", assumed.field, assumed.what), count(assumed.rows), rows]
    });
    let left_out = counts.left_out.iter().map(|out| {
        let repair = match &out.repair {
            Repair::Mapping { label, .. } => label.clone(),
            Repair::Advice(advice) => advice.clone(),
        };
        vec![
            "left out".into(),
            out.reason.clone(),
            count(out.rows),
            format!("{}. {repair}", first(&out.first_rows, out.rows)),
        ]
    });
    let mut lines = vec![vec!["jobs".into(), String::new(), count(counts.jobs)]];
    let mut fact = |name: &str, value: Option<String>| {
        lines.extend(value.map(|value| vec![name.to_string(), String::new(), value]));
    };
    fact("GPU-hours", jobs.gpu_hours.map(number));
    fact("time span", jobs.span.map(|span| duration(span.last_end_s - span.first_submit_s)));
    fact("GPUs in use at once, at most", jobs.peak_gpus.map(count));
    fact("nodes of 8 GPUs that hold them", jobs.nodes_needed(8).map(count));
    let point = survey.known_point.as_ref();
    fact(
        "largest job with several GPUs",
        point.map(|point| {
            format!("{}, {} for {}", point.name, counted(point.gpus.into(), "GPU", "GPUs"), duration(point.duration_s))
        }),
    );
    aligned(&lines, usize::MAX) + &aligned(&left_out.chain(assumed).collect::<Vec<_>>(), usize::MAX)
}
