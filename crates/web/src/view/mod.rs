//! What the page looks like: HTML from the app's state. The looks themselves are in `www/style.css`.

mod export;
mod fields;
mod files;
mod metrics;
mod rail;
mod report;
mod status;
mod topbar;
mod verdict;

use std::rc::Rc;

use elastiplan_model::Workload;
use yew::prelude::*;

use crate::app::{App, Msg, Screen};
use crate::chart::Distribution;
use crate::runs::RunEntry;
use crate::state::report::Report;
use crate::timeline::Timelines;

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

/// The report on what was loaded last.
pub fn report_of(app: &App) -> Report {
    let planner = &app.planner;
    Report::of(&planner.inputs().data, &planner.bound, app.unused.as_ref())
}

/// The whole page.
pub fn page(app: &App) -> Html {
    let screen = match app.screen {
        Screen::Compare => "compare",
        Screen::Report => "report",
        Screen::Inputs => "inputs",
    };
    html! {
        <div class="app" data-screen={screen}>
            { topbar::topbar(app) }
            { rail::rail(app) }
            <main class="main">
                { if app.screen == Screen::Report { report::report(app) } else { compare(app) } }
            </main>
            { status::status(app) }
            { bottom_bar(app) }
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
    let on_stop = app.send.reform(Msg::Stop);
    html! {
        <>
            { obstacle.unwrap_or_default() }
            <verdict::VerdictView runs={runs.clone()} {is_stale} send={app.send.clone()} />
            <div class={classes!("compare", is_stale.then_some("stale"))}>
                <div class="timelines-slot">
                    // The page itself says what is stale and fades it, all in one place.
                    <Timelines runs={set.entries.clone()} workload={Rc::clone(&set.bound.workload)} is_stale=false
                        cursor_s={app.cursor_s} theme={app.theme} on_stop={on_stop} />
                </div>
                <aside class="panel" aria-label="Results">
                    <metrics::MetricsView runs={runs} />
                    if !set.entries.is_empty() {
                        <div class="panel-chart">
                            <Distribution runs={set.entries.clone()} workload={Rc::clone(&set.bound.workload)}
                                theme={app.theme} />
                        </div>
                    }
                </aside>
            </div>
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
            { item(Screen::Inputs, "Inputs") }
        </nav>
    }
}

/// The letter of a policy in its colour.
pub fn badge(slot: usize) -> Html {
    let letter = ['A', 'B', 'C', 'D'].get(slot).copied().unwrap_or('?');
    html! { <span class={format!("badge badge-{}", letter.to_ascii_lowercase())}>{ letter }</span> }
}
