//! The HTML of the page, made from its state. The looks themselves are in `www/style.css`.

mod before;
mod charts;
mod dialog;
mod divergence;
mod export;
mod fields;
mod files;
mod filter;
mod introduction;
mod jobs;
mod keys;
mod metrics;
mod palette;
mod paper;
mod program;
mod rail;
mod report;
mod selection;
mod status;
mod story;
mod topbar;
mod verdict;
mod warning;

use std::rc::Rc;

use elastiplan_present::provenance::Provenance;
use yew::prelude::*;

use crate::elements;
use crate::state::message::{Msg, Screen, Sheet};
use crate::state::page::Page;
use crate::state::published::{paper_of, provenance_of};
use crate::state::runs::Runs;
use crate::timeline::Timelines;

fn sheet(page: &Page) -> Html {
    match page.sheet {
        Some(Sheet::Palette) => {
            let query = page.wanted.query.clone();
            html! { <palette::Palette runs={page.runs()} recent={page.recent.clone()} {query} send={page.send.clone()} /> }
        }
        Some(Sheet::Keys) => html! { <keys::KeysSheet send={page.send.clone()} /> },
        Some(Sheet::Program) => match (&page.program, page.runs()) {
            (Some(program), Some(runs)) => program::program_sheet(program, &runs, &page.send),
            _ => Html::default(),
        },
        None => Html::default(),
    }
}

/// The whole page.
pub fn page(page: &Page) -> Html {
    let screen = match page.screen {
        Screen::Compare => "compare",
        Screen::Jobs => "jobs",
        Screen::Report => "report",
        Screen::Inputs => "inputs",
    };
    let mut class = elements::classes("app", page.is_rail_hidden.then_some("without-rail"));
    class.push(page.is_panel_hidden.then_some("without-panel"));
    html! {
        <div {class} data-screen={screen}>
            { topbar::topbar(page) }
            { rail::rail(page) }
            <main class="main">
                { warning::warning(page) }
                if page.screen == Screen::Compare {
                    <introduction::Introduction />
                }
                { if page.screen == Screen::Report { report::report(page) } else { compare(page) } }
                if page.screen == Screen::Jobs {
                    { jobs(page) }
                }
            </main>
            { status::status(page) }
            { bottom_bar(page) }
            { sheet(page) }
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
    let panel = match (page.focus.job, page.focus.range_s) {
        (Some(job), _) => {
            let slot = page.compared().slot();
            let (provenance, theme) = (provenance(page, &runs), page.theme);
            html! { <story::StoryView runs={runs.clone()} {job} {slot} {provenance} {theme} send={page.send.clone()} /> }
        }
        (None, Some(range_s)) => {
            html! { <selection::SelectionView runs={runs.clone()} {range_s} send={page.send.clone()} /> }
        }
        (None, None) => match page.divergence {
            Some(slot) => html! { <divergence::DivergenceView runs={runs.clone()} {slot} send={page.send.clone()} /> },
            None => results(page, runs.clone()),
        },
    };
    html! {
        <>
            { obstacle }
            if let Some(verdict) = page.verdict() {
                { verdict::verdict(page, &verdict, is_stale) }
            }
            { before::what_changed(page) }
            <div class={elements::classes("compare", is_stale.then_some("stale"))}>
                <div class="timelines-slot">
                    { filter::filter(page, &runs) }
                    <Timelines {runs} stopping={set.places_of(&page.stopping)}
                        first_difference_s={page.first_difference_s()} arranged={page.rows()} remote={page.remote.clone()}
                        on_command={page.on_command.clone()} send={page.send.clone()} on_focus={page.on_focus.clone()} theme={page.theme} on_stop={page.on_stop.clone()} />
                </div>
                <aside class="panel" aria-label="Results">{ panel }</aside>
            </div>
        </>
    }
}

/// Where pictures of these runs come from.
fn provenance(page: &Page, runs: &Runs) -> Rc<Provenance> {
    let inputs = page.planner.shown.as_ref().map(|set| &set.inputs);
    Rc::new(inputs.map(|inputs| provenance_of(inputs, &runs.entries, &page.build_id)).unwrap_or_default())
}

/// The panel where nothing is selected.
fn results(page: &Page, runs: Runs) -> Html {
    let inputs = page.planner.shown.as_ref().map(|set| &set.inputs);
    let paper = Rc::new(inputs.map(|inputs| paper_of(&page.presets, inputs)).unwrap_or_default());
    let provenance = provenance(page, &runs);
    html! {
        <>
            { paper::paper(&paper, &runs) }
            <metrics::MetricsView runs={runs.clone()} />
            <charts::Charts {runs} {paper} {provenance} compared={page.compared()} selected={page.focus.job}
                theme={page.theme} send={page.send.clone()} />
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
            { item(Screen::Inputs, "Inputs") }
        </nav>
    }
}
