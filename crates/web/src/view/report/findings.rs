//! The table of findings.

use elastiplan_model::{Place, Severity};
use elastiplan_text::format;
use yew::prelude::*;

use crate::elements::{caption, classes, column_heads, paragraph, pressable};
use crate::state::message::Msg;
use crate::state::report::{Filter, Found};

/// Rows of the table; kinds of findings are few, but a hundred broken profiles bring a hundred each.
const SHOWN_MAX: usize = 200;

#[derive(Properties, PartialEq)]
pub(super) struct FindingsProps {
    pub found: Vec<Found>,
    pub chosen: Option<usize>,
    pub send: Callback<Msg>,
}

#[component]
pub(super) fn Findings(props: &FindingsProps) -> Html {
    let filter = use_state(Filter::default);
    let count =
        |wanted: Filter| props.found.iter().filter(|found| wanted.shows(found.diagnostic.severity)).count() as u64;
    if props.found.is_empty() {
        return paragraph("ink-2 report-note", "Nothing was left out, repaired or filled in");
    }
    let choice = |wanted: Filter| {
        let set = filter.setter();
        let onclick = Callback::from(move |_| set.set(wanted));
        let words = format!("{} {}", wanted.word(), format::count(count(wanted)));
        pressable(*filter == wanted, None, words.into(), onclick)
    };
    let shown = props.found.iter().enumerate().filter(|(_, found)| filter.shows(found.diagnostic.severity));
    let hidden = (count(*filter) as usize).saturating_sub(SHOWN_MAX);
    html! {
        <section class="findings" aria-labelledby="findings-title">
            <div class="findings-head">
                <h3 id="findings-title">{ "Diagnostics" }</h3>
                <div class="segments" role="group" aria-label="Show">{ for Filter::ALL.into_iter().map(choice) }</div>
            </div>
            <div class="table-scroll">
                <table class="findings-table">
                    <caption class="visually-hidden">{ "Diagnostics" }</caption>
                    <thead><tr>
                        <th scope="col"><span class="visually-hidden">{ "Severity" }</span></th>
                        { column_heads(["File", "Row", "Column", "Value", "Rule", "What happens"]) }
                    </tr></thead>
                    <tbody>{ for shown.take(SHOWN_MAX).map(|(place, found)| row(props, place, found)) }</tbody>
                </table>
            </div>
            if hidden > 0 { { caption(format!("And {} more", format::count(hidden as u64))) } }
        </section>
    }
}

fn row(props: &FindingsProps, place: usize, found: &Found) -> Html {
    let diagnostic = &found.diagnostic;
    let (class, mark, word) = match diagnostic.severity {
        Severity::Error => ("bad", "✕", "Left out"),
        Severity::Warning => ("warn", "!", "Warning"),
        Severity::Info => ("ink-2", "i", "Filled in"),
    };
    let rows = rows(&diagnostic.place, diagnostic.count);
    let is_chosen = props.chosen == Some(place);
    let onclick = props.send.reform(move |_| Msg::Choose(place));
    let file = diagnostic.place.file.as_deref().unwrap_or("");
    html! {
        <tr class={is_chosen.then_some("chosen")}>
            <td><span class={classes("mark", Some(class))} aria-hidden="true">{ mark }</span>
                <span class="visually-hidden">{ word }</span></td>
            <td class="file-name" title={file.to_string()}>{ file.rsplit('/').next().unwrap_or(file) }</td>
            <td>
                if found.place().is_some() {
                    <button class="link" aria-pressed={is_chosen.to_string()} title="Show the rows around it" {onclick}>
                        { rows }
                    </button>
                } else { { rows } }
            </td>
            <td>{ diagnostic.place.column.as_deref().unwrap_or("") }</td>
            <td>if let Some(value) = &diagnostic.value { <code>{ value }</code> }</td>
            <td>{ &diagnostic.rule }</td>
            <td><strong>{ &diagnostic.outcome }</strong><br /><span class="ink-2">{ &diagnostic.repair }</span></td>
        </tr>
    }
}

/// `212`, `90, 91, 1102 and 12 more`, or how many jobs.
fn rows(place: &Place, count: u64) -> String {
    let Some(first) = place.row else {
        return if count > 1 { format!("{} in all", format::count(count)) } else { "all".into() };
    };
    let named: Vec<String> = std::iter::once(first).chain(place.more_rows.iter().copied()).map(format::count).collect();
    let more = count.saturating_sub(named.len() as u64);
    let text = named.join(", ");
    if more > 0 { format!("{text} and {} more", format::count(more)) } else { text }
}
