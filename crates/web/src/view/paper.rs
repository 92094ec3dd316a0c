//! Published values of a paper beside ours.

use elastiplan_present::paper::{Paper, PaperRow};
use yew::prelude::*;

use crate::elements::{badge, caption, column_heads, docs_link, group_of_rows, scrolled};
use crate::state::published::fidelity_of;
use crate::state::runs::Runs;

/// The published values of these runs with ours; nothing where there are none.
pub(super) fn paper(paper: &Paper, runs: &Runs) -> Html {
    let rows = paper.rows(&runs.entries);
    if rows.is_empty() {
        return html! {};
    }
    let groups = rows.chunk_by(|a, b| a.heading == b.heading);
    html! {
        <section class="metrics paper" aria-label="The paper beside ours">
            { scrolled("Table of the paper's values", html! {
                <table class="metrics-table paper-table">
                    <caption class="visually-hidden">{ "The paper beside ours" }</caption>
                    <thead><tr>
                        <th scope="col" class="metric">{ "The paper beside ours" }</th>
                        { column_heads(["Paper", "Ours", "Difference"]) }
                    </tr></thead>
                    { for groups.map(group) }
                </table>
            }) }
            { caption(paper.note()) }
            { docs_link("link more", fidelity_of(paper.source()), "Fidelity notes: how near Elastiplan comes to this paper, and why not nearer") }
        </section>
    }
}

/// Rows of one metric from one place of the paper.
fn group(rows: &[PaperRow]) -> Html {
    let heading = rows.first().map(|row| row.heading.clone()).unwrap_or_default();
    group_of_rows(heading.into(), rows.iter().map(row).collect())
}

fn row(row: &PaperRow) -> Html {
    let (name, parameters) = row.policy.split_at(row.policy.find('[').unwrap_or(row.policy.len()));
    html! {
        <tr>
            <th scope="row" title={row.source.clone()}>
                { row.slot.map(badge).unwrap_or_default() }{ " " }{ name }
                if !parameters.is_empty() { <wbr /><span class="policy-parameters">{ parameters }</span> }
            </th>
            <td>{ &row.paper }</td>
            <td>{ &row.ours }</td>
            <td class="difference">{ &row.difference }</td>
        </tr>
    }
}
