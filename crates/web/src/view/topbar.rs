//! The bar at the top: what is open, undo and redo, files to take away, docs, light and dark.

use yew::prelude::*;

use super::export::export_menu;
use super::later::here;
use crate::elements::{docs_link, enabled_icon_button, icon_button};
use crate::state::kept::{KeptMsg, KeptState};
use crate::state::message::{Msg, Screen, Sheet};
use crate::state::page::Page;

pub(super) fn topbar(page: &Page) -> Html {
    let planner = &page.planner;
    let inputs = planner.inputs();
    let is_sample = inputs.data.trace_origin.is_sample() && inputs.data.curves_origin.is_sample();
    let history = planner.history();
    let has_results = planner.shown.as_ref().is_some_and(|set| set.has_results());
    let theme_label = AttrValue::from(format!("Theme: {}", page.choice.word()));
    let [undone, redone] = here().map(|later| (later.step_names)(page)).unwrap_or_default();
    let named = |verb: &str, step: Option<String>, key: &str| {
        let step = step.map(|step| format!(" {step}")).unwrap_or_default();
        AttrValue::from(format!("{verb}{step} ({key})"))
    };
    let send = |msg: fn() -> Msg| page.send.reform(move |_| msg());
    html! {
        <header class="topbar">
            { mark() }
            <h1>{ "Elastiplan" }</h1>
            <p class="scenario-name">
                <button title="Work that is kept in this browser (Ctrl O)" aria-keyshortcuts="Control+O"
                    onclick={send(|| Msg::Kept(Box::new(KeptMsg::Show)))}><span>{ page.presets.name_of(inputs) }</span></button>
                <span class="ink-3">{ kept_word(page, is_sample) }</span>
            </p>
            { views(page) }
            <span class="grow"></span>
            <button class="search-button" aria-keyshortcuts="Control+K" onclick={send(|| Msg::Open(Sheet::Palette))}>
                <span>{ "Search jobs or run a command" }</span><kbd aria-hidden="true">{ "Ctrl K" }</kbd>
            </button>
            { enabled_icon_button("Undo".into(), named("Undo", undone, "Ctrl Z"), icon("M7 5 3.5 8.5 7 12M3.5 8.5H10a3 3 0 0 1 0 6H7"),
                history.can_undo(), send(|| Msg::Undo)) }
            { enabled_icon_button("History".into(), "History: all steps (H)".into(), icon("M5 7l3 3 3-3"),
                history.can_undo() || history.can_redo(), send(|| Msg::Open(Sheet::History))) }
            { enabled_icon_button("Redo".into(), named("Redo", redone, "Ctrl Shift Z"), icon("M9 5l3.5 3.5L9 12M12.5 8.5H6a3 3 0 0 0 0 6h3"),
                history.can_redo(), send(|| Msg::Redo)) }
            <button class="button share-button" title="Share as a link or a file (Ctrl S)" aria-keyshortcuts="Control+S" onclick={send(|| Msg::Share)}>{ "Share" }</button>
            { export_menu(&page.send, has_results) }
            { docs_link("docs-link", "docs/", "Docs") }
            { icon_button(theme_label.clone(), theme_label, theme_icon(page), send(|| Msg::NextTheme)) }
            { icon_button("All keys".into(), "All keys (?)".into(), "?".into(), send(|| Msg::Open(Sheet::Keys))) }
        </header>
    }
}

/// Whether what is open is kept.
fn kept_word(page: &Page, is_sample: bool) -> &'static str {
    match page.kept {
        KeptState::Saved => "saved",
        KeptState::Unsaved => "unsaved",
        KeptState::Full(_) | KeptState::Failed(..) | KeptState::NoStore => "not saved",
        KeptState::Nothing if is_sample => "Sample",
        KeptState::Nothing => "",
    }
}

/// Ways to look at the results.
fn views(page: &Page) -> Html {
    let view = |screen: Screen, label: &'static str, key: &'static str| {
        let onclick = page.send.reform(move |_| Msg::Show(screen));
        let is_current = page.screen == screen;
        html! {
            <button aria-current={is_current.then_some("page")} aria-keyshortcuts={key} {onclick}>{ label }</button>
        }
    };
    html! {
        <nav class="views" aria-label="Views">
            { view(Screen::Compare, "Compare", "1") }
            { view(Screen::Jobs, "Jobs", "2") }
            { view(Screen::Study, "Study", "3") }
        </nav>
    }
}

fn mark() -> Html {
    html! {
        <svg class="mark" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
            <rect class="mark-1" x="3" y="4" width="11" height="4" rx="1" />
            <rect class="mark-2" x="8" y="10" width="13" height="4" rx="1" />
            <rect class="mark-3" x="5" y="16" width="8" height="4" rx="1" />
        </svg>
    }
}

fn theme_icon(page: &Page) -> Html {
    match page.choice.word() {
        "light" => icon(
            "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1",
        ),
        "dark" => icon("M13 10A5.5 5.5 0 0 1 6 3a5.5 5.5 0 1 0 7 7z"),
        _ => icon("M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11"),
    }
}

fn icon(path: &'static str) -> Html {
    html! {
        <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d={path} /></svg>
    }
}
