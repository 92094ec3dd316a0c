//! The numbers of two runs: metrics down, runs across, one column of differences; what changed comes first.

use elastiplan_present::run_table::{TurnedRow, TurnedTable};
use elastiplan_present::runs::RunEntry;
use yew::prelude::*;

use super::metrics::{caption, numbers, tone, value};
use crate::elements::badge;

pub(super) fn table(turned: &TurnedTable, entries: &[RunEntry]) -> Html {
    let head = |((slot, name), words): ((&usize, &String), &String)| {
        let is_pinned = entries.get(*slot).is_some_and(|entry| entry.is_pinned);
        html! {
            <th scope="col" title={name.clone()}>
                { badge(*slot) }{ " " }<bdi>{ words }</bdi>{ if is_pinned { " pinned" } else { "" } }
            </th>
        }
    };
    let heads = turned.slots.iter().zip(&turned.names).zip(&turned.heads).map(head);
    numbers(
        "numbers turned tl-beside",
        html! {
            <table class="turned-table">
                { caption() }
                <thead><tr>
                    <th scope="col">{ "Metric" }</th>{ for heads }<th scope="col">{ "Difference" }</th>
                </tr></thead>
                <tbody>{ for turned.rows.iter().map(row) }</tbody>
            </table>
        },
    )
}

fn row(row: &TurnedRow) -> Html {
    let class = match (row.is_changed, row.is_goal) {
        (true, _) => Some("is-changed"),
        (_, true) => Some("of-goal"),
        _ => None,
    };
    let help = (!row.help.is_empty()).then_some(row.help);
    html! {
        <tr {class} data-key={row.key}>
            <th scope="row" title={help}>
                { &row.label }if row.is_changed { <small class="ink-3">{ " changed" }</small> }
            </th>
            { for row.cells.iter().map(|cell| value(cell, None, None, Html::default())) }
            <td class={tone(&row.difference)}>{ &row.difference.text }</td>
        </tr>
    }
}
