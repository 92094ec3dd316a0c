//! What the page looks like: HTML from the app's state. The looks themselves are in `www/style.css`.

mod charts;
mod dialog;
mod divergence;
mod export;
mod fields;
mod files;
mod filter;
mod jobs;
mod keys;
mod life;
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

use elastiplan_model::Workload;
use yew::prelude::*;

use crate::app::{App, Msg, Screen};
use crate::state::published::{paper_of, provenance_of};
use crate::state::report::Report;
use crate::timeline::Timelines;
use elastiplan_present::provenance::Provenance;
use elastiplan_present::runs::RunEntry;

/// Runs as a property: equal if the records are the very same, which is quick to see.
#[derive(Clone)]
pub struct Runs {
    /// The runs.
    pub entries: Vec<RunEntry>,
    /// The jobs they ran.
    pub workload: Rc<Workload>,
}

impl PartialEq for Runs {
    fn eq(&self, other: &Self) -> bool {
        let same_result = |a: &RunEntry, b: &RunEntry| match (&a.result, &b.result) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        let same = |(a, b): (&RunEntry, &RunEntry)| {
            a.slot == b.slot && a.policy == b.policy && a.state == b.state && same_result(a, b)
        };
        Rc::ptr_eq(&self.workload, &other.workload)
            && self.entries.len() == other.entries.len()
            && self.entries.iter().zip(&other.entries).all(same)
    }
}

/// What lies above the page until it is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// Jobs and commands by what is typed.
    Palette,
    /// All keys.
    Keys,
    /// A decision as a program.
    Program,
}

fn sheet(app: &App) -> Html {
    match app.sheet {
        Some(Sheet::Palette) => {
            let query = app.wanted.query.clone();
            html! { <palette::Palette runs={app.runs()} recent={app.recent.clone()} {query} send={app.send.clone()} /> }
        }
        Some(Sheet::Keys) => html! { <keys::KeysSheet send={app.send.clone()} /> },
        Some(Sheet::Program) => match (&app.wording, app.runs()) {
            (Some(wording), Some(runs)) => {
                html! { <program::ProgramSheet wording={wording.clone()} {runs} send={app.send.clone()} /> }
            }
            _ => Html::default(),
        },
        None => Html::default(),
    }
}

/// The report on what was loaded last.
pub fn report_of(app: &App) -> Report {
    let planner = &app.planner;
    Report::of(planner.inputs(), &planner.bound, app.unused.as_ref())
}

/// The whole page.
pub fn page(app: &App) -> Html {
    let screen = match app.screen {
        Screen::Compare => "compare",
        Screen::Jobs => "jobs",
        Screen::Report => "report",
        Screen::Inputs => "inputs",
    };
    let hidden = [app.is_rail_hidden.then_some("without-rail"), app.is_panel_hidden.then_some("without-panel")];
    let hidden: Vec<&'static str> = hidden.into_iter().flatten().collect();
    html! {
        <div class={classes!("app", hidden)} data-screen={screen}>
            { topbar::topbar(app) }
            { rail::rail(app) }
            <main class="main">
                { warning::warning(app) }
                { if app.screen == Screen::Report { report::report(app) } else { compare(app) } }
                if app.screen == Screen::Jobs {
                    { jobs(app) }
                }
            </main>
            { status::status(app) }
            { bottom_bar(app) }
            { sheet(app) }
            if app.is_drag_over {
                <div class="drop-frame"><p>{ "Drop job traces, throughput curves and availability logs, as files or folders" }</p></div>
            }
        </div>
    }
}

fn compare(app: &App) -> Html {
    let planner = &app.planner;
    let is_stale = planner.is_stale();
    let obstacle = app.obstacle().map(|words| html! { <p class="notice">{ words }</p> });
    let Some(set) = &planner.shown else {
        return html! { { obstacle.unwrap_or_default() } };
    };
    let runs = Runs { entries: set.entries.clone(), workload: Rc::clone(&set.bound.workload) };
    let panel = match (app.focus.job, app.focus.range_s) {
        (Some(job), _) => {
            let slot = app.compared().slot();
            let (provenance, theme) = (provenance(app, &runs), app.theme);
            html! { <story::StoryView runs={runs.clone()} {job} {slot} {provenance} {theme} send={app.send.clone()} /> }
        }
        (None, Some(range_s)) => {
            html! { <selection::SelectionView runs={runs.clone()} {range_s} send={app.send.clone()} /> }
        }
        (None, None) => match app.divergence {
            Some(slot) => html! { <divergence::DivergenceView runs={runs.clone()} {slot} send={app.send.clone()} /> },
            None => results(app, runs.clone()),
        },
    };
    html! {
        <>
            { obstacle.unwrap_or_default() }
            if let Some(verdict) = app.verdict() {
                <verdict::VerdictView {verdict} {is_stale} send={app.send.clone()} />
            }
            <div class={classes!("compare", is_stale.then_some("stale"))}>
                <div class="timelines-slot">
                    { filter::filter(app, &runs) }
                    // The page itself says what is stale and fades it, all in one place.
                    <Timelines runs={set.entries.clone()} workload={Rc::clone(&set.bound.workload)} is_stale=false
                        stopping={set.places_of(&app.stopping)}
                        first_difference_s={app.first_difference_s()} arranged={app.rows()} remote={app.remote.clone()}
                        on_command={app.on_command.clone()} on_focus={app.on_focus.clone()} theme={app.theme} on_stop={app.on_stop.clone()} />
                </div>
                <aside class="panel" aria-label="Results">{ panel }</aside>
            </div>
        </>
    }
}

/// Where pictures of these runs come from.
fn provenance(app: &App, runs: &Runs) -> Rc<Provenance> {
    let inputs = app.planner.shown.as_ref().map(|set| &set.inputs);
    Rc::new(inputs.map(|inputs| provenance_of(inputs, &runs.entries, &app.build_id)).unwrap_or_default())
}

/// What the panel shows where nothing is selected.
fn results(app: &App, runs: Runs) -> Html {
    let inputs = app.planner.shown.as_ref().map(|set| &set.inputs);
    let paper = Rc::new(inputs.map(paper_of).unwrap_or_default());
    let provenance = provenance(app, &runs);
    html! {
        <>
            <paper::PaperView runs={runs.clone()} paper={Rc::clone(&paper)} />
            <metrics::MetricsView runs={runs.clone()} />
            <charts::Charts {runs} {paper} {provenance} compared={app.compared()}
                selected={app.focus.job} theme={app.theme} send={app.send.clone()} />
        </>
    }
}

fn jobs(app: &App) -> Html {
    let Some(runs) = app.runs() else { return Html::default() };
    html! {
        <>
            { filter::filter(app, &runs) }
            <jobs::JobsTable {runs} rows={app.rows()} wanted={app.wanted.clone()} selected={app.focus.job}
                send={app.send.clone()} />
        </>
    }
}

fn bottom_bar(app: &App) -> Html {
    let item = |screen: Screen, label: &'static str| {
        let is_current = app.screen == screen;
        let onclick = app.send.reform(move |_| Msg::Show(screen));
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

/// The letter of a policy in its colour.
pub fn badge(slot: usize) -> Html {
    let letter = ['A', 'B', 'C', 'D'].get(slot).copied().unwrap_or('?');
    html! { <span class={format!("badge badge-{}", letter.to_ascii_lowercase())}>{ letter }</span> }
}
