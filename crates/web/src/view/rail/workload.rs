//! The loaded workload, and ways to load another.

use elastiplan_formats::{Assumption, FileReport, FileRole};
use elastiplan_scenario::sample;
use elastiplan_text::{format, words};
use elastiplan_workloads::PackedPreset;
use yew::prelude::*;

use super::generate::GenerateInputs;
use crate::elements::{caption, chosen, link, named_link, option, paragraph, titled_caption};
use crate::state::data::Origin;
use crate::state::drawn_edit::DrawnEdit;
use crate::state::edit::Edit;
use crate::state::inputs::SLOTS_MAX;
use crate::state::message::{Msg, Screen};
use crate::state::page::Page;
use crate::view::files::file_choice;
use crate::view::report::has_times;

/// Assumptions named on the card.
const ASSUMPTIONS_MAX: usize = 2;

pub(super) fn workload(page: &Page) -> Html {
    let data = &page.planner.inputs().data;
    let jobs = words::counted(data.trace.jobs().len() as u64, "job", "jobs");
    let models = words::counted(data.curves.models().len() as u64, "model", "models");
    let is_sample = data.trace_origin.is_sample() && data.curves_origin.is_sample();
    let use_sample = page.send.reform(|_| Msg::Edit(Edit::UseSample));
    let has_curve_report = has_report(&data.curves_origin) && data.trace_origin.is_drawn();
    let report = |is_there: bool| is_there.then(|| link("report", show_report(page)));
    let name_of_scaling = Some("How the models scale");
    let scaling = has_times(&data.curves).then(|| named_link(name_of_scaling, "scaling".into(), show_report(page)));
    let jobs_links = [report(has_report(&data.trace_origin)), None];
    let curves_links = [report(has_curve_report), scaling];
    html! {
        <section class="rail-section" aria-labelledby="rail-workload">
            <div class="rail-head">
                <h2 id="rail-workload">{ "Workload" }</h2>
                { presets(page) }
            </div>
            <div class="card">
                { card_row("Jobs", jobs, &jobs_links, trace_words(page)) }
                { card_row("Curves", models, &curves_links, curve_words(page)) }
            </div>
            { about(page) }
            if !is_sample { <p>{ link("Use the sample", use_sample) }</p> }
            { generate(page) }
            { choose(page) }
        </section>
    }
}

/// What is loaded, with buttons for more about it.
fn card_row(name: &'static str, count: String, links: &[Option<Html>], words: Html) -> Html {
    html! {
        <div class="card-row">
            <p class="card-line"><span>{ name }</span>
                <span class="ink-2">{ count }{ for links.iter().flatten().map(|link| html! { <>{ " · " }{ link.clone() }</> }) }</span>
            </p>
            { words }
        </div>
    }
}

fn show_report(page: &Page) -> Callback<MouseEvent> {
    page.send.reform(|_| Msg::Show(Screen::Report))
}

fn generate(page: &Page) -> Html {
    let inputs = page.planner.inputs();
    let applied = match &inputs.data.trace_origin {
        Origin::Generated(generator) => Some(generator.clone()),
        _ => None,
    };
    html! { <GenerateInputs {applied} seed={inputs.conditions.seed} send={page.send.clone()} /> }
}

/// Whether there is something to tell of how it was read: of what a preset brings there is not.
fn has_report(origin: &Origin) -> bool {
    origin.reading().is_some_and(|reading| !reading.files.is_empty())
}

/// The scenarios that are built in.
fn presets(page: &Page) -> Html {
    let name = &page.planner.inputs().name;
    let onchange = page.send.reform(|event: Event| Msg::Draw(DrawnEdit::Preset(chosen(&event))));
    // Opened before the presets are there, the list says so and asks for them.
    let onfocus = page.send.reform(|_| Msg::FetchPresets);
    let option = |preset: &PackedPreset| option(preset.name.clone(), preset.title.clone(), preset.title == *name);
    let is_preset = page.presets.titled(name).is_some();
    html! {
        <select class="select presets" aria-label="Presets" {onchange} {onfocus}>
            <option value="" disabled=true selected={!is_preset}>{ "Presets" }</option>
            if page.presets.all().is_empty() { <option value="" disabled=true>{ "Loading…" }</option> }
            { for page.presets.all().iter().map(option) }
        </select>
    }
}

/// The description of the chosen preset.
fn about(page: &Page) -> Html {
    let name = &page.planner.inputs().name;
    match page.presets.titled(name).filter(|preset| !preset.about.is_empty()) {
        Some(preset) => {
            let more = preset.policies.len().saturating_sub(SLOTS_MAX) as u64;
            let waiting = words::counted(more, "more of its policies", "more of its policies");
            html! {
                <>
                    { paragraph("caption about", preset.about.clone()) }
                    if more > 0 { { caption(format!("{waiting} can be ticked below")) } }
                </>
            }
        }
        None => html! {},
    }
}

fn trace_words(page: &Page) -> Html {
    let inputs = page.planner.inputs();
    let data = &inputs.data;
    let arrivals = arrivals(data.arrivals_s());
    match &data.trace_origin {
        Origin::Sample => caption(format!("Generated, seed {} · {arrivals}", inputs.conditions.seed)),
        Origin::Generated(generator) => {
            let name = generator.generator().name;
            let words = format!("Generated by {name}, seed {} · {arrivals}", inputs.conditions.seed);
            titled_caption(generator.to_string().into(), words.into())
        }
        // Curves only.
        Origin::Published(_) => html! {},
        Origin::Files(reading) => html! {
            <>
                { for reading.files_of(FileRole::Jobs).take(1).map(file_words) }
                { caption(arrivals) }
                { for reading.files_of(FileRole::Jobs).take(1).map(|file| assumptions(page, file)) }
            </>
        },
    }
}

fn curve_words(page: &Page) -> Html {
    match &page.planner.inputs().data.curves_origin {
        Origin::Sample => paragraph("caption warn", format!("Assumed: {}", sample::ASSUMPTION)),
        Origin::Published(table) => titled_caption(table.source.clone().into(), table.summary.clone().into()),
        // Jobs only.
        Origin::Generated(_) => html! {},
        Origin::Files(reading) => {
            let files: Vec<&FileReport> = reading.files_of(FileRole::Curves).collect();
            match files.as_slice() {
                [] => html! {},
                [only] => html! { <>{ file_words(only) }{ assumptions(page, only) }</> },
                [first, ..] => html! {
                    <>
                        { caption(format!("{}, {} files", first.kind.words(), format::count(files.len() as u64))) }
                        { shared_assumptions(&files) }
                    </>
                },
            }
        }
    }
}

/// Assumptions in several files, a line for each column.
fn shared_assumptions(files: &[&FileReport]) -> Html {
    let mut columns: Vec<(&str, u64)> = Vec::new();
    for assumed in files.iter().flat_map(|file| &file.assumptions) {
        match columns.iter_mut().find(|(column, _)| *column == assumed.column) {
            Some((_, count)) => *count += 1,
            None => columns.push((&assumed.column, 1)),
        }
    }
    let line = |(column, count): (&str, u64)| {
        let files = words::counted(count, "file", "files");
        paragraph("caption warn", format!("No {column} column in {files}"))
    };
    columns.into_iter().take(ASSUMPTIONS_MAX).map(line).collect()
}

fn file_words(file: &FileReport) -> Html {
    let name = file.path.rsplit('/').next().unwrap_or(&file.path);
    html! {
        <>
            <p class="caption file-name" title={file.path.clone()}>{ name }</p>
            { caption(file.kind.words()) }
        </>
    }
}

/// Assumptions for missing columns: the first few, the rest in the report.
fn assumptions(page: &Page, file: &FileReport) -> Html {
    let line = |assumed: &Assumption| paragraph("caption warn", format!("No {}: {}", assumed.column, assumed.used));
    let more = file.assumptions.len().saturating_sub(ASSUMPTIONS_MAX);
    html! {
        <>
            { for file.assumptions.iter().take(ASSUMPTIONS_MAX).map(line) }
            if more > 0 {
                <button class="link more" onclick={show_report(page)}>
                    { words::counted(more as u64, "more assumption", "more assumptions") }
                </button>
            }
        </>
    }
}

/// `5h of arrivals`: one unit is enough here.
fn arrivals(seconds: f64) -> String {
    let rounded = match seconds {
        seconds if seconds >= 172_800.0 => (seconds / 86_400.0).round() * 86_400.0,
        seconds if seconds >= 7_200.0 => (seconds / 3_600.0).round() * 3_600.0,
        seconds => seconds,
    };
    let text = format::duration(rounded);
    let text = text.strip_suffix(" 00m").or(text.strip_suffix(" 00h")).unwrap_or(&text);
    format!("{text} of arrivals")
}

fn choose(page: &Page) -> Html {
    html! {
        <div class="choose">
            { caption("Drop files anywhere on this page, or choose") }
            <div class="choices">
                { file_choice("Job trace", false, &page.send) }
                { file_choice("Throughput curves", false, &page.send) }
                { file_choice("Folder", true, &page.send) }
            </div>
            if let Some(importing) = &page.importing {
                <div class="importing">
                    <label for="reading">{ format!("Reading {}", words::counted(importing.files.len() as u64, "file", "files")) }</label>
                    <progress id="reading" max="1" value={importing.share.to_string()}></progress>
                    <button class="button button-small" onclick={page.send.reform(|_| Msg::Cancel)}>{ "Stop reading" }</button>
                </div>
            }
        </div>
    }
}
