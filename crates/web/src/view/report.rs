//! The report on files: what each was taken for, what was left out or filled in, and what there is now.

mod excerpt;
mod findings;
mod gains;
mod idle_nodes;
mod merge;
mod scaling;

use std::rc::Rc;
use std::sync::Arc;

use elastiplan_formats::{Confidence, FileKind, FileReport, FileRole};
use elastiplan_model::order::sort_by_key;
use elastiplan_present::provenance::Provenance;
use elastiplan_text::{calendar, format, words};
use yew::prelude::*;

use crate::elements::docs_link;
use crate::state::data::{Origin, Reading};
use crate::state::mapping::MappingMsg;
use crate::state::message::{Msg, Screen};
use crate::state::page::Page;
use crate::state::published::provenance_of;
use crate::state::report::Report;

pub(super) use scaling::has_times;

/// Cards shown one by one; profiles come in dozens.
const CARDS_MAX: usize = 12;
/// How the names of tables end.
const TABLES: [&str; 4] = [".csv", ".tsv", ".txt", ".gz"];
const DAY_S: f64 = 86_400.0;

pub(super) fn report(page: &Page) -> Html {
    let report = page.report();
    let files: Vec<&FileReport> = report.readings.iter().flat_map(|reading| &reading.files).collect();
    let mut shown = files.clone();
    // What needs a look comes first.
    sort_by_key(&mut shown, |file| (std::cmp::Reverse(file.confidence), file.rows_rejected == 0, file.kind.role()));
    let more = shown.len().saturating_sub(CARDS_MAX) as u64;
    let send = |msg: fn() -> Msg| page.send.reform(move |_| msg());
    html! {
        <div class="report">
            <section class="report-head">
                <div>
                    <h2>{ heading(page, &report) }</h2>
                    <p>{ second(page, &report) }</p>
                </div>
                <div class="report-buttons">
                    { docs_link("link", "docs/formats.html", "File formats") }
                    if !report.is_unused && !report.readings.is_empty() {
                        <button class="button" disabled={!page.planner.history().can_undo()} onclick={send(|| Msg::Undo)}>
                            { "Undo" }
                        </button>
                    }
                    <button class="button primary" onclick={send(|| Msg::Show(Screen::Compare))}>
                        { "Back to the comparison" }
                    </button>
                </div>
            </section>
            <div class="report-body">
                <div class="report-main">
                    <ul class="file-cards" aria-label="Files">
                        { for shown.into_iter().take(CARDS_MAX).map(|file| card(page, file)) }
                        if more > 0 {
                            <li class="file-card"><p>{ format!("And {}, read without a finding or with those below",
                                words::counted(more, "more file", "more files")) }</p></li>
                        }
                    </ul>
                    { merge::merge(page, &report) }
                    <findings::Findings found={report.found.clone()} chosen={page.chosen} send={page.send.clone()} />
                    { excerpt::excerpt(page, &report) }
                    if let Some(log) = page.planner.inputs().data.log.clone().filter(|_| !report.is_unused) {
                        <idle_nodes::LogChart {log} provenance={provenance(page)} theme={page.theme} />
                    }
                    if !report.is_unused && scaling::has_times(&page.planner.inputs().data.curves) {
                        <scaling::Scaling curves={Arc::clone(&page.planner.inputs().data.curves)}
                            trace={Arc::clone(&page.planner.inputs().data.trace)} source={source(page)}
                            provenance={provenance(page)} theme={page.theme} />
                    }
                </div>
                if !report.is_unused {
                    { gains::gains(page) }
                }
            </div>
        </div>
    }
}

/// The publication of the curves.
fn source(page: &Page) -> Option<String> {
    match &page.planner.inputs().data.curves_origin {
        Origin::Published(table) => Some(table.source.clone()),
        _ => None,
    }
}

/// Of a figure of the log: it comes from no run.
fn provenance(page: &Page) -> Rc<Provenance> {
    Rc::new(provenance_of(page.planner.inputs(), &[], &page.build_id))
}

fn heading(page: &Page, report: &Report) -> String {
    let (loaded, read) = (format::count(report.jobs_loaded), words::counted(report.jobs_read, "job", "jobs"));
    if report.is_unused {
        return "Nothing was loaded".into();
    }
    if report.readings.is_empty() {
        return if is_sample(page) { format!("The sample, {read}") } else { read };
    }
    let has_work = report.has(FileRole::Jobs) || report.has(FileRole::Curves);
    if report.has(FileRole::Availability) && !has_work {
        let nodes = words::counted(page.planner.inputs().nodes_in_log().into(), "node comes", "nodes come");
        return format!("{nodes} and go");
    }
    if report.jobs_loaded == report.jobs_read {
        return format!("{read} loaded");
    }
    format!("{loaded} of {read} can run")
}

fn is_sample(page: &Page) -> bool {
    let data = &page.planner.inputs().data;
    data.trace_origin.is_sample() && data.curves_origin.is_sample()
}

fn second(page: &Page, report: &Report) -> String {
    if report.is_unused {
        return "What was loaded before stays".into();
    }
    if let Some(words) = page.obstacle() {
        return words;
    }
    if report.readings.is_empty() {
        let of_sample = "The jobs are drawn at random from the seed; the curves are those of BFTrainer, Table 2";
        return if is_sample(page) { of_sample.into() } else { "No file was read".into() };
    }
    let (rejected, defaulted) = report.rows(FileRole::Jobs);
    let of_others = [FileRole::Availability, FileRole::Curves].map(|role| report.rows(role));
    let (rejected_of_others, defaulted_of_others) =
        of_others.iter().fold((0, 0), |sum, rows| (sum.0 + rows.0, sum.1 + rows.1));
    let unbound = report.jobs_read.saturating_sub(report.jobs_loaded).saturating_sub(rejected);
    let mut parts = Vec::new();
    if rejected + rejected_of_others > 0 {
        let rows = words::counted(rejected + rejected_of_others, "row", "rows");
        parts.push(format!("{rows} left out"));
    }
    if unbound > 0 {
        parts.push(format!("{} without a fitting curve left out", words::counted(unbound, "job", "jobs")));
    }
    if defaulted + defaulted_of_others > 0 {
        let rows = words::counted(defaulted + defaulted_of_others, "row", "rows");
        parts.push(format!("{rows} repaired or filled in"));
    }
    let words: Vec<&str> = parts.iter().map(String::as_str).collect();
    if parts.is_empty() {
        "Every row is in use".into()
    } else {
        format!("{}. Undo brings back what was there", words::list(&words))
    }
}

/// A way to say what the columns of a table are, where its report is of a table; and that it was read as last time.
fn mapped(page: &Page, file: &FileReport) -> Html {
    // Of a refused file little is known; the step says so, where it is no table.
    let is_refused = file.kind == FileKind::Unrecognised && file.source.is_none() && file.bytes > 0;
    let is_table = file.mapping.is_some()
        || (is_refused && TABLES.iter().any(|end| file.path.ends_with(end)))
        || (file.columns > 1 && file.kind.role() == FileRole::Jobs);
    if !is_table {
        return Html::default();
    }
    let report = page.report();
    let holds = |reading: &&Rc<Reading>| reading.files.iter().any(|known| std::ptr::eq(known, file) || known == file);
    let Some(reading) = report.readings.iter().find(holds).map(|reading| reading.number) else {
        return Html::default();
    };
    let act = |msg: MappingMsg| page.send.reform(move |_: MouseEvent| Msg::Mapping(Box::new(msg.clone())));
    let date = |epoch_s: f64| calendar::axis_label((epoch_s / DAY_S).floor() * DAY_S, DAY_S);
    let change = act(MappingMsg::Open(reading, file.path.clone()));
    let known = page.as_last_time.iter().find(|known| known.reading == reading && known.last_time.path == file.path);
    html! {
        <p class="card-mapped">
            if let Some(known) = known {
                <span>{ format!("Read as last time ({}). ", date(known.last_time.used_epoch_s)) }</span>
            }
            <button class="link" aria-label={format!("Change how {} is read", file.path)} onclick={change}>{ "Change…" }</button>
            if let Some(known) = known {
                if known.is_forgotten { <span>{ "Forgotten" }</span> } else {
                    <button class="link" aria-label={format!("Forget how {} is read", file.path)}
                        onclick={act(MappingMsg::Forget(known.last_time.fingerprint))}>{ "Forget" }</button>
                }
            }
        </p>
    }
}

fn card(page: &Page, file: &FileReport) -> Html {
    let (class, mark) = match (file.confidence, &file.not_used) {
        (Confidence::Refused, _) => ("bad", "✕ refused"),
        (_, Some(_)) => ("warn", "not used"),
        (Confidence::Unsure, None) => ("warn", "? not certain"),
        (Confidence::Sure, None) => ("better", "✓ recognised"),
    };
    let role = match (file.not_used.is_some(), file.kind.role()) {
        (true, _) | (_, FileRole::None) => "Not used",
        (false, FileRole::Jobs) => "Job trace",
        (false, FileRole::Curves) => "Throughput curves",
        (false, FileRole::Availability) => "Node availability",
    };
    let rows = format!(
        "{} read, {} filled in, {} left out",
        words::counted(file.rows_read, "row", "rows"),
        format::count(file.rows_defaulted),
        format::count(file.rows_rejected)
    );
    html! {
        <li class="file-card">
            <p class="card-line"><span class="file-name" title={file.path.clone()}>{ &file.path }</span>
                <span class={class}>{ mark }</span></p>
            <h3>{ role }</h3>
            <p class="ink-2">
                { if file.not_used.is_some() { file.words() } else { file.summary.as_str() } }
            </p>
            <p class="card-rows">
                if let Some(reason) = &file.not_used { <span class="bad">{ reason }</span> } else { { rows } }
            </p>
            { mapped(page, file) }
        </li>
    }
}
