//! The inputs at the side.

mod add;
mod cluster;
mod generate;
mod run_menu;
mod runs;
mod settings;
mod vary;
mod what_if;
mod workload;

use elastiplan_text::{format, words};
use yew::prelude::*;

use crate::elements::{caption, classes, paragraph};
use crate::state::message::{Msg, Screen};
use crate::state::page::Page;
use crate::state::study::StudyMsg;
use crate::state::study_progress;

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
        <section class="rail" aria-label="Inputs" {role}>
            <div class="rail-scroll">
                { workload::workload(page) }
                { runs::runs(page) }
                { what_if::what_if(inputs, &page.send) }
            </div>
            <div class="rail-foot">
                if page.screen == Screen::Study { { study_foot(page) } } else {
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

/// On the Study screen: the button that runs or stops the study, and how far it is.
fn study_foot(page: &Page) -> Html {
    let shown = page.study.shown.as_ref();
    let (is_running, is_stale) = (page.study.is_running, shown.is_none_or(|shown| shown.is_stale));
    let (words, key, message): (_, _, fn() -> StudyMsg) = match is_running {
        true => ("Stop and keep", "Ctrl .", || StudyMsg::Stop),
        false => ("Run study", "Ctrl Enter", || StudyMsg::Run),
    };
    let class = classes("button run", (is_stale && !is_running).then_some("primary"));
    let note = match shown {
        Some(_) if is_stale && !is_running => "The curves are for earlier inputs".into(),
        Some(shown) => {
            study_progress::runs(&shown.view.progress) + &study_progress::time(&shown.view.progress, is_running)
        }
        None => String::new(),
    };
    html! {
        <>
            <div class="rail-buttons">
                <button {class} onclick={page.send.reform(move |_| Msg::Study(message()))}>
                    { words }<kbd aria-hidden="true">{ key }</kbd>
                </button>
            </div>
            { caption(note) }
        </>
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
