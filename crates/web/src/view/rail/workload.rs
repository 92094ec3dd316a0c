//! The loaded workload, and ways to load another.

use elastiplan_formats::{Assumption, FileReport, FileRole};
use elastiplan_scenario::sample;
use elastiplan_text::{format, words};
use elastiplan_workloads::PackedPreset;
use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::generate::GenerateInputs;
use crate::state::data::Origin;
use crate::state::drawing::DrawnEdit;
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
    let show_report = page.send.reform(|_| Msg::Show(Screen::Report));
    let use_sample = page.send.reform(|_| Msg::Edit(Edit::UseSample));
    html! {
        <section class="rail-section" aria-labelledby="rail-workload">
            <div class="rail-head">
                <h2 id="rail-workload">{ "Workload" }</h2>
                { presets(page) }
            </div>
            <div class="card">
                <div class="card-row">
                    <p class="card-line"><span>{ "Jobs" }</span>
                        <span class="ink-2">
                            { jobs }
                            if has_report(&data.trace_origin) {
                                { " · " }<button class="link" onclick={show_report.clone()}>{ "report" }</button>
                            }
                        </span>
                    </p>
                    { trace_words(page) }
                </div>
                <div class="card-row">
                    <p class="card-line"><span>{ "Curves" }</span>
                        <span class="ink-2">
                            { models }
                            if has_report(&data.curves_origin) && data.trace_origin.is_drawn() {
                                { " · " }<button class="link" onclick={show_report.clone()}>{ "report" }</button>
                            }
                            if has_times(&data.curves) {
                                { " · " }<button class="link" aria-label="How the models scale" onclick={show_report}>
                                    { "scaling" }
                                </button>
                            }
                        </span>
                    </p>
                    { curve_words(page) }
                </div>
            </div>
            { about(page) }
            if !is_sample { <p><button class="link" onclick={use_sample}>{ "Use the sample" }</button></p> }
            { generate(page) }
            { choose(page) }
        </section>
    }
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
    let onchange = page.send.reform(|event: Event| Msg::Draw(DrawnEdit::Preset(chosen_in(&event))));
    // Opened before the presets are there, the list says so and asks for them.
    let onfocus = page.send.reform(|_| Msg::FetchPresets);
    let option = |preset: &PackedPreset| {
        html! { <option value={preset.name.clone()} selected={preset.title == *name}>{ &preset.title }</option> }
    };
    let is_preset = page.presets.titled(name).is_some();
    html! {
        <select class="select presets" aria-label="Presets" {onchange} {onfocus}>
            <option value="" disabled=true selected={!is_preset}>{ "Presets" }</option>
            if page.presets.all().is_empty() { <option value="" disabled=true>{ "Loading…" }</option> }
            { for page.presets.all().iter().map(option) }
        </select>
    }
}

fn chosen_in(event: &Event) -> String {
    let select = event.target().and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
    select.map(|select| select.value()).unwrap_or_default()
}

/// The description of the chosen preset.
fn about(page: &Page) -> Html {
    let name = &page.planner.inputs().name;
    match page.presets.titled(name).filter(|preset| !preset.about.is_empty()) {
        Some(preset) => {
            let more = preset.policies.len().saturating_sub(SLOTS_MAX) as u64;
            let waiting = words::counted(more, "policy of it waits", "policies of it wait");
            html! {
                <>
                    <p class="caption about">{ &preset.about }</p>
                    if more > 0 { <p class="caption">{ format!("{waiting} below to be ticked") }</p> }
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
        Origin::Sample => html! {
            <p class="caption">{ format!("Generated, seed {} · {arrivals}", inputs.conditions.seed) }</p>
        },
        Origin::Generated(generator) => {
            let name = generator.generator().name;
            html! {
                <p class="caption" title={generator.to_string()}>
                    { format!("Drawn by {name}, seed {} · {arrivals}", inputs.conditions.seed) }
                </p>
            }
        }
        // Curves only.
        Origin::Published(_) => html! {},
        Origin::Files(reading) => html! {
            <>
                { for reading.files_of(FileRole::Jobs).take(1).map(file_words) }
                <p class="caption">{ arrivals }</p>
                { for reading.files_of(FileRole::Jobs).take(1).map(|file| assumptions(page, file)) }
            </>
        },
    }
}

fn curve_words(page: &Page) -> Html {
    match &page.planner.inputs().data.curves_origin {
        Origin::Sample => html! { <p class="caption warn">{ format!("Assumed: {}", sample::ASSUMPTION) }</p> },
        Origin::Published(table) => html! { <p class="caption" title={table.source.clone()}>{ &table.summary }</p> },
        // Jobs only.
        Origin::Generated(_) => html! {},
        Origin::Files(reading) => {
            let files: Vec<&FileReport> = reading.files_of(FileRole::Curves).collect();
            match files.as_slice() {
                [] => html! {},
                [only] => html! { <>{ file_words(only) }{ assumptions(page, only) }</> },
                [first, ..] => html! {
                    <>
                        <p class="caption">
                            { format!("{}, {} files", first.kind.words(), format::count(files.len() as u64)) }
                        </p>
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
        html! { <p class="caption warn">{ format!("No {column} column in {files}") }</p> }
    };
    html! { { for columns.into_iter().take(ASSUMPTIONS_MAX).map(line) } }
}

fn file_words(file: &FileReport) -> Html {
    let name = file.path.rsplit('/').next().unwrap_or(&file.path);
    html! {
        <>
            <p class="caption file-name" title={file.path.clone()}>{ name }</p>
            <p class="caption">{ file.kind.words() }</p>
        </>
    }
}

/// Assumptions for missing columns: the first few, the rest in the report.
fn assumptions(page: &Page, file: &FileReport) -> Html {
    let line = |assumed: &Assumption| {
        html! { <p class="caption warn">{ format!("No {}: {}", assumed.column, assumed.used) }</p> }
    };
    let more = file.assumptions.len().saturating_sub(ASSUMPTIONS_MAX);
    html! {
        <>
            { for file.assumptions.iter().take(ASSUMPTIONS_MAX).map(line) }
            if more > 0 {
                <button class="link more" onclick={page.send.reform(|_| Msg::Show(Screen::Report))}>
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
            <p class="caption">{ "Drop files anywhere on this page, or choose" }</p>
            <div class="choices">
                { file_choice("Job trace", false, &page.send) }
                { file_choice("Throughput curves", false, &page.send) }
                { file_choice("Folder of files", true, &page.send) }
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
