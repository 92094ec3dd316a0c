//! The row that a finding is about, among its neighbours.

use elastiplan_formats::ExcerptRow;
use elastiplan_text::format;
use yew::prelude::*;

use crate::elements::column_heads;
use crate::state::page::Page;
use crate::state::report::Report;

pub(super) fn excerpt(page: &Page, report: &Report) -> Html {
    let found = page.chosen.and_then(|place| report.found.get(place));
    let Some(((_, path, row), diagnostic)) = found.and_then(|found| Some((found.place()?, &found.diagnostic))) else {
        return html! {};
    };
    let Some(excerpt) = &page.excerpt else { return html! {} };
    let column = diagnostic.place.column.as_deref();
    let is_bad_column = |at: usize| column.is_some() && excerpt.header.get(at).map(String::as_str) == column;
    let is_bad_row = |shown: &ExcerptRow| shown.row == row || diagnostic.place.more_rows.contains(&shown.row);
    let line = |shown: &ExcerptRow| {
        let is_bad = is_bad_row(shown);
        let cell = |(at, text): (usize, &String)| {
            html! { <td class={(is_bad && is_bad_column(at)).then_some("bad-cell")}>{ text }</td> }
        };
        html! {
            <tr class={is_bad.then_some("bad-row")}>
                <th scope="row">{ format::count(shown.row) }</th>
                if shown.cells.is_empty() {
                    <td colspan={excerpt.header.len().to_string()} class="ink-3">{ "This line cannot be shown as a row" }</td>
                } else { { for shown.cells.iter().enumerate().map(cell) } }
            </tr>
        }
    };
    html! {
        <section class="excerpt" aria-labelledby="excerpt-title">
            <div class="findings-head">
                <h3 id="excerpt-title">{ format!("{path}, around row {}", format::count(row)) }</h3>
                <span class="caption">{ "line numbers as in your file" }</span>
            </div>
            <div class="table-scroll">
                <table class="excerpt-table">
                    <thead><tr>
                        { column_heads(["row"]) }
                        { column_heads(excerpt.header.iter().cloned()) }
                    </tr></thead>
                    <tbody>{ for excerpt.rows.iter().map(line) }</tbody>
                </table>
            </div>
        </section>
    }
}
