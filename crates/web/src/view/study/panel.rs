//! Beside the curves: all policies at the point that is looked at, and the metric of the curve as a table.

use elastiplan_present::figure::table::{Copied, Table};
use elastiplan_present::study::{Cell, Judged, PanelRow, letter, panel, point_words, policy_name, table};
use yew::prelude::*;

use super::strip::pick;
use super::{Look, twin, worse};
use crate::dom;
use crate::elements::{badge, classes};
use crate::state::message::Msg;
use crate::state::study::StudyMsg;

/// The panel.
pub(super) fn beside_curves(look: &Look<'_>) -> Html {
    html! {
        <aside class="st-panel" aria-label="Point and table">
            { point(look) }
            { worse::worse(look) }
            { twin::twin_table(look) }
        </aside>
    }
}

/// All policies at the point.
pub(super) fn point(look: &Look<'_>) -> Html {
    let (slots, words) = (look.slots(), point_words(look.view, look.point));
    let rows = panel(look.view, &slots, &look.metric, look.point);
    let has_goals = !look.view.goals.is_empty();
    html! {
        <section aria-label="At the point">
            <div class="st-panel-head"><h3>{ format!("At {words}") }</h3>{ open_button(look) }</div>
            <table class="st-table">
                <caption class="visually-hidden">{ format!("All policies at {words}") }</caption>
                <thead><tr>
                    <th scope="col">{ "Policy" }</th>
                    <th scope="col">{ look.info().map(|info| info.label) }</th>
                    <th scope="col">{ format!("Paired, from {}", letter(&slots, 0)) }</th>
                    if has_goals { <th scope="col">{ "Goal" }</th> }
                </tr></thead>
                <tbody>{ for rows.iter().map(|row| policy_row(look, row, has_goals)) }</tbody>
            </table>
        </section>
    }
}

/// Opens the run of the policy and the point that are looked at.
fn open_button(look: &Look<'_>) -> Html {
    let onclick = look.send.reform(|_: MouseEvent| Msg::Study(StudyMsg::OpenHere { is_second: false }));
    let name = policy_name(look.view, look.policy);
    let title =
        format!("Opens the run of {name} that is nearest to the mean. Shift Enter at a second point opens both");
    html! {
        <button class="button button-small" {title} aria-keyshortcuts="Enter" {onclick}>
            { "Open in Compare" }<kbd aria-hidden="true">{ "Enter" }</kbd>
        </button>
    }
}

fn policy_row(look: &Look<'_>, row: &PanelRow, has_goals: bool) -> Html {
    let policy = row.id.policy as usize;
    let paired = match &row.paired {
        Some(text) => html! { <span class={tone(row.judged)}>{ with_half(text, row.paired_half.as_ref()) }</span> },
        None => "—".into(),
    };
    let is_chosen = policy == look.policy;
    let (slot, title) =
        look.entries.get(policy).map_or((usize::MAX, None), |entry| (entry.slot, Some(entry.policy.to_string())));
    html! {
        <tr class={classes("", is_chosen.then_some("st-selected"))}>
            <th scope="row">
                <button class="st-name" aria-pressed={is_chosen.to_string()} {title} onclick={on_pick(look, row)}>
                    { badge(slot) }<bdi>{ policy_name(look.view, policy) }</bdi>
                </button>
            </th>
            <td>{ with_half(&row.mean, row.half.as_ref()) }</td>
            <td>{ paired }</td>
            if has_goals { <td class={known_class(row.known)} title={row.gap.clone()}>{ &row.goal }</td> }
        </tr>
    }
}

/// Looks at a row's policy and point; with Shift, opens it beside what was looked at.
fn on_pick(look: &Look<'_>, row: &PanelRow) -> Callback<MouseEvent> {
    let (policy, point) = (row.id.policy, row.id.point);
    look.send.reform(move |event: MouseEvent| pick(event.shift_key(), policy, point))
}

/// A value, with how far its interval reaches in small print.
pub(super) fn with_half(text: &str, half: Option<&String>) -> Html {
    html! { <>{ text }if let Some(half) = half { <span class="st-half">{ " " }{ half }</span> }</> }
}

fn tone(judged: Judged) -> &'static str {
    match judged {
        Judged::Better => "better",
        Judged::Worse => "worse",
        Judged::Unclear => "ink-2",
    }
}

fn known_class(known: Cell) -> &'static str {
    match known {
        Cell::Failed | Cell::NoValue => "bad",
        Cell::Open => "warn",
        Cell::Meets => "better",
        Cell::Misses | Cell::Unknown => "ink-3",
    }
}

/// The whole table, with all numbers, as text: to a file, or to be pasted.
pub(super) fn copies(look: &Look<'_>) -> Html {
    let made = {
        let (view, metric) = (look.view.clone(), look.metric.clone());
        move || -> Table { table(&view, &metric) }
    };
    let copy = |copied: Copied| {
        let made = made.clone();
        Callback::from(move |_: MouseEvent| dom::copy_text(&made().copied(copied)))
    };
    let name = look.provenance().file_name(&format!("study-{}", look.metric), "csv");
    let made_to_save = made.clone();
    let save = Callback::from(move |_: MouseEvent| dom::download(&name, made_to_save().copied(Copied::Csv).as_bytes()));
    html! {
        <p class="st-copies" role="group" aria-label="Copy or save the table">
            { named("Save as CSV", "CSV", save) }
            { named("Copy as TSV", "TSV", copy(Copied::Tsv)) }
            { named("Copy as Markdown", "Markdown", copy(Copied::Markdown)) }
        </p>
    }
}

fn named(name: &'static str, words: &'static str, onclick: Callback<MouseEvent>) -> Html {
    html! { <button class="link" title={name} aria-label={name} {onclick}>{ words }</button> }
}
