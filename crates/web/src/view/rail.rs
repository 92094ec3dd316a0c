//! The inputs at the side.

pub(super) mod add;
pub(super) mod assumed;
mod cluster;
pub(super) mod foot;
mod generate;
mod run_menu;
mod runs;
pub(super) mod settings;
pub(super) mod vary;
pub(super) mod what_if;
pub(super) mod workload;

use elastiplan_text::{format, words};
use yew::prelude::*;

use super::later::here;
use crate::elements::{caption, paragraph};
use crate::state::message::{Msg, Screen};
use crate::state::page::Page;

pub(super) fn rail(page: &Page) -> Html {
    let planner = &page.planner;
    let inputs = planner.inputs();
    let is_stale = planner.is_stale() || planner.shown.is_none();
    let is_busy = page.is_running() || page.importing.is_some();
    let run_class = if is_stale && !is_busy { "button run primary" } else { "button run" };
    let send = |msg: fn() -> Msg| page.send.reform(move |_| msg());
    // On a narrow page inputs are a screen of their own, and nothing else is shown.
    let role = if page.screen == Screen::Inputs { "main" } else { "complementary" };
    html! {
        <section class="rail" aria-label="Inputs" {role} inert={matches!(page.screen, Screen::Mapping | Screen::Kept) || page.opening_first.is_some()}>
            <div class="rail-scroll">
                { workload::workload(page) }
                { runs::runs(page) }
                { what_if::what_if(inputs, &page.send) }
            </div>
            <div class="rail-foot">
                if page.screen == Screen::Study { { here().map(|later| (later.study_foot)(page)).unwrap_or_default() } } else {
                <div class="rail-buttons">
                    <button class={run_class} title="Run (Ctrl Enter)" onclick={send(|| Msg::Run)}>
                        { "Run" }<kbd aria-hidden="true">{ "Ctrl Enter" }</kbd>
                    </button>
                    <button class="button" title="Cancel (Ctrl .)" disabled={!is_busy}
                        onclick={send(|| Msg::Cancel)}>{ "Cancel" }</button>
                </div>
                { run_note(page) }
                }
            </div>
        </section>
    }
}

/// A warning before a run, or the state of results.
fn run_note(page: &Page) -> Html {
    let is_idle = !page.is_running();
    match page.planner.warning().filter(|_| is_idle) {
        Some(warning) => paragraph("caption warn", warning.rule),
        None => caption(standing(page)),
    }
}

fn standing(page: &Page) -> String {
    let planner = &page.planner;
    // The page says why.
    if page.obstacle().is_some() {
        return "Nothing to run yet".into();
    }
    if page.is_running() {
        let (ended, total) = progress(page);
        let left = page.left_s().filter(|left_s| *left_s >= 1.0).map(|left_s| format::duration(left_s.round()));
        let left = left.map(|left| format!(", {left} left")).unwrap_or_default();
        return format!("Running, {ended} of {total} ended{left}");
    }
    if planner.is_stale() {
        return "Results are for earlier inputs".into();
    }
    let Some(set) = &planner.shown else { return String::new() };
    let runs = words::counted(set.entries.len() as u64, "run", "runs");
    match set.wall_ms() {
        _ if set.entries.is_empty() => "Add a policy".into(),
        Some(wall_ms) if set.is_whole() => format!("Up to date. {runs} in {}", words::wall(wall_ms)),
        _ => "Not all runs finished".into(),
    }
}

fn progress(page: &Page) -> (usize, usize) {
    let set = page.planner.coming.as_ref().or(page.planner.shown.as_ref());
    set.map_or((0, 0), |set| (set.entries.iter().filter(|entry| !entry.is_running()).count(), set.entries.len()))
}
