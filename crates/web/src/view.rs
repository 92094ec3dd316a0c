//! The HTML of the page, made from its state. The looks themselves are in `www/style.css`.

mod before;
mod bounds;
mod charts;
mod columns;
mod dialog;
mod divergence;
mod embed;
mod export;
mod fields;
mod files;
mod filter;
mod fork;
mod from_study;
mod gallery;
mod history;
mod introduction;
mod jobs;
mod kept;
mod keys;
mod later;
mod mapping;
mod metrics;
mod palette;
mod paper;
mod program;
mod rail;
mod report;
mod selection;
mod share;
mod status;
mod story;
mod study;
mod topbar;
mod turned;
mod update;
mod verdict;
mod warning;

use std::rc::Rc;

use elastiplan_present::comparable::notes;
use elastiplan_present::provenance::Provenance;
use yew::prelude::*;

pub use self::charts::chart_named;
pub use self::later::fill;
use self::later::{here, later, soon};
use crate::state::message::{Msg, Screen, Sheet};
use crate::state::page::Page;
use crate::state::published::{paper_of, provenance_of};
use crate::state::runs::Runs;
use crate::timeline::{Beside, Timelines};
use crate::{dom, elements, part};

fn sheet(page: &Page) -> Html {
    match page.sheet {
        Some(Sheet::Palette) => {
            let typed = page.typed_ahead.clone();
            let query = if typed.is_empty() { page.wanted.query.clone() } else { typed.clone() };
            html! {
                <palette::Palette runs={page.runs()} recent={page.recent.clone()} {query} is_typed={!typed.is_empty()}
                    send={page.send.clone()} />
            }
        }
        Some(Sheet::Keys) => html! { <keys::KeysSheet send={page.send.clone()} /> },
        Some(Sheet::Program) => match (&page.program, page.runs()) {
            (Some(program), Some(runs)) => program::program_sheet(program, &runs, &page.send),
            _ => Html::default(),
        },
        Some(Sheet::Fork) => match page.fork {
            Some((slot, after_start_s)) => fork::fork_sheet(page, slot, after_start_s),
            None => Html::default(),
        },
        Some(Sheet::Share) => share::share_sheet(page),
        Some(Sheet::Opened) => share::opened_sheet(page),
        Some(Sheet::History) => history::history_sheet(page),
        None => Html::default(),
    }
}

fn later_sheet(page: &Page) -> Html {
    if page.sheet.is_none() && !page.awaits_sheet {
        return Html::default();
    }
    let sheet = later(&page.send, |later| (later.sheet)(page));
    // Keys belong to the dialog before it is there (`app::listen`).
    if later::here().is_some() {
        sheet
    } else {
        html! { <div class="dialog-awaited">{ sheet }</div> }
    }
}

/// The whole page.
pub fn page(page: &Page) -> Html {
    if dom::is_embed() {
        return later(&page.send, |later| (later.embed)(page));
    }
    let screen = match page.screen {
        Screen::Compare => "compare",
        Screen::Jobs => "jobs",
        Screen::Study => "study",
        Screen::Report => "report",
        Screen::Inputs => "inputs",
        Screen::Mapping => "mapping",
        Screen::Kept => "kept",
    };
    let mut class = elements::classes("app", page.is_rail_hidden.then_some("without-rail"));
    class.push(page.is_panel_hidden.then_some("without-panel"));
    html! {
        <div {class} data-screen={screen}>
            { topbar::topbar(page) }
            { rail::rail(page) }
            <main class="main">
                { here().map(|later| (later.update)(page)).unwrap_or_default() }
                { warning::warning(page) }
                if page.screen == Screen::Compare {
                    <introduction::Introduction />
                }
                if let Some(words) = &page.opening_first {
                    <p class="notice" role="status">{ words }</p>
                }
                { if page.screen == Screen::Report { later(&page.send, |later| (later.report)(page)) } else { compare(page) } }
                if page.screen == Screen::Jobs {
                    { later(&page.send, |later| (later.jobs)(page)) }
                }
                if page.screen == Screen::Mapping {
                    { later(&page.send, |later| (later.mapping)(page)) }
                }
                if page.screen == Screen::Study {
                    { later(&page.send, |later| (later.study)(page)) }
                }
                if page.screen == Screen::Kept {
                    { later(&page.send, |later| (later.kept)(page)) }
                }
            </main>
            { status::status(page) }
            { bottom_bar(page) }
            { later_sheet(page) }
            if page.is_drag_over {
                <div class="drop-frame"><p>{ "Drop job traces, throughput curves and availability logs, as files or folders" }</p></div>
            }
        </div>
    }
}

fn compare(page: &Page) -> Html {
    let planner = &page.planner;
    let is_stale = planner.is_stale();
    let obstacle = page.obstacle().map(|words| elements::paragraph("notice", words)).unwrap_or_default();
    let Some(set) = &planner.shown else { return obstacle };
    let runs = Runs { entries: set.entries.clone(), workload: Rc::clone(&set.bound.workload) };
    let table = page.run_table();
    let places = page.table.places(&table);
    let is_detailed = page.focus.job.is_some() || page.focus.range_s.is_some() || page.divergence.is_some();
    let panel = if is_detailed {
        later(&page.send, |later| (later.detail)(page, &runs))
    } else {
        soon(&page.send, |later| (later.results)(page, runs.clone()))
    };
    let compared = page.compared_runs().unwrap_or_else(|| runs.clone());
    let (order, goal, send) = (page.table.order, page.goal(), page.send.clone());
    let numbers = html! { <metrics::MetricsView runs={compared} table={Rc::clone(&table)} places={places.clone()} {order} send={send.clone()} /> };
    let beside = Beside {
        tools: html! { <columns::ColumnsMenu runs={runs.clone()} {table} {goal} {send} parts={part::state()} /> },
        above: filter::none_found(page),
        numbers: if is_detailed { Html::default() } else { numbers },
        panel: html! { <aside class="panel tl-beside" aria-label="Results">{ panel }</aside> },
        is_detailed,
    };
    html! {
        <>
            { obstacle }
            { here().map(|later| (later.from_study)(page)).unwrap_or_default() }
            if let Some(verdict) = page.verdict() {
                { verdict::verdict(page, &verdict, is_stale) }
            }
            { before::what_changed(page) }
            <div class={elements::classes("compare", is_stale.then_some("stale"))}>
                { filter::filter(page, &runs) }
                { timelines(page, runs, beside) }
            </div>
        </>
    }
}

/// The timelines of the shown runs, with what lies beside them.
fn timelines(page: &Page, runs: Runs, beside: Beside) -> Html {
    let places = page.table.places(&page.run_table());
    let stopping = page.planner.shown.as_ref().map(|set| set.places_of(&page.stopping)).unwrap_or_default();
    html! {
        <Timelines {runs} {places} best={page.compared().slot()} {stopping}
            first_difference_s={page.first_difference_s()} arranged={page.rows()} in_force={page.wanted.commands()} remote={page.remote.clone()}
            on_command={page.on_command.clone()} send={page.send.clone()} on_focus={page.on_focus.clone()} theme={page.theme}
            on_stop={page.on_stop.clone()} {beside} />
    }
}

/// What is selected: a job, a time, or the first difference.
fn detail(page: &Page, runs: &Runs) -> Html {
    let (runs, send) = (runs.clone(), page.send.clone());
    match (page.focus.job, page.focus.range_s, page.divergence) {
        (Some(job), ..) => {
            // Jobs that are ordered by a run are looked at under that run.
            let slot = page.wanted.ordered_by().unwrap_or_else(|| page.compared()).slot();
            let (provenance, theme) = (provenance(page, &runs), page.theme);
            html! { <story::StoryView {runs} {job} {slot} {provenance} {theme} {send} /> }
        }
        (None, Some(range_s), _) => html! { <selection::SelectionView {runs} {range_s} {send} /> },
        (None, None, Some(slot)) => html! { <divergence::DivergenceView {runs} {slot} {send} /> },
        (None, None, None) => Html::default(),
    }
}

/// Where pictures of these runs come from.
fn provenance(page: &Page, runs: &Runs) -> Rc<Provenance> {
    let inputs = page.planner.shown.as_ref().map(|set| &set.inputs);
    Rc::new(inputs.map(|inputs| provenance_of(inputs, &runs.entries, &page.build_id)).unwrap_or_default())
}

/// Notes that are shown at once.
const NOTES_MAX: usize = 3;

/// Why some differences are missing: the first few notes, and the rest on demand.
fn comparability(runs: &Runs) -> Html {
    let mut first = notes(&runs.entries, &runs.workload);
    let rest = first.split_off(first.len().min(NOTES_MAX));
    let more = elastiplan_text::words::counted(rest.len() as u64, "more note", "more notes");
    html! {
        <>
            { for first.into_iter().map(elements::caption) }
            if !rest.is_empty() {
                <details><summary class="caption">{ more }</summary>{ for rest.into_iter().map(elements::caption) }</details>
            }
        </>
    }
}

/// The panel below the numbers: what can be compared, published values, charts, bounds.
fn results(page: &Page, runs: Runs) -> Html {
    let inputs = page.planner.shown.as_ref().map(|set| &set.inputs);
    let paper = Rc::new(inputs.map(|inputs| paper_of(&page.presets, inputs)).unwrap_or_default());
    let provenance = provenance(page, &runs);
    html! {
        <>
            { comparability(&runs) }
            { paper::paper(&paper, &runs) }
            <charts::Charts runs={runs.clone()} {paper} {provenance} compared={page.compared()} selected={page.focus.job} chosen={page.chart}
                theme={page.theme} send={page.send.clone()} />
            <bounds::BoundsView {runs} />
            { elements::docs_link("link more", "docs/metrics.html", "Definitions") }
        </>
    }
}

fn jobs(page: &Page) -> Html {
    let Some(runs) = page.runs() else { return Html::default() };
    html! {
        <>
            { filter::filter(page, &runs) }
            <jobs::JobsTable {runs} rows={page.rows()} wanted={page.wanted.clone()} selected={page.focus.job}
                send={page.send.clone()} />
        </>
    }
}

fn bottom_bar(page: &Page) -> Html {
    let item = |screen: Screen, label: &'static str| {
        let is_current = page.screen == screen;
        let onclick = page.send.reform(move |_| Msg::Show(screen));
        html! { <button aria-current={is_current.then_some("page")} {onclick}>{ label }</button> }
    };
    html! {
        <nav class="bottom-bar" aria-label="Screens">
            { item(Screen::Compare, "Compare") }
            { item(Screen::Jobs, "Jobs") }
            { item(Screen::Study, "Study") }
            { item(Screen::Inputs, "Inputs") }
        </nav>
    }
}
