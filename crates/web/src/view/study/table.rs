//! A table of a study, as its figure or sentence has it.

use elastiplan_present::figure::table::{Cell, Copied, Table};
use yew::prelude::*;

use crate::dom;
use crate::elements::{column_heads, link, scrolled};

/// A titled table that can be copied.
pub(super) fn section(title: &'static str, table: &Table) -> Html {
    let cell = |(at, cell): (usize, &Cell)| match at {
        0 => html! { <th scope="row">{ cell.words() }</th> },
        _ => html! { <td>{ cell.words() }</td> },
    };
    let row = |cells: &Vec<Cell>| html! { <tr>{ for cells.iter().enumerate().map(cell) }</tr> };
    let copied = table.clone();
    let copy = Callback::from(move |_: MouseEvent| dom::copy_text(&copied.copied(Copied::Csv)));
    let body = html! {
        <table class="st-table">
            <caption class="visually-hidden">{ title }</caption>
            <thead><tr>{ column_heads(table.columns.iter().map(|column| column.label.clone())) }</tr></thead>
            <tbody>{ for table.rows.iter().map(row) }</tbody>
        </table>
    };
    html! {
        <section class="st-smallest" aria-label={title}>
            <div class="st-section-head"><h3>{ title }</h3><p class="st-copies">{ link("copy", copy) }</p></div>
            { scrolled(title, body) }
        </section>
    }
}
