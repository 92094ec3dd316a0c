//! The metrics table.

use std::rc::Rc;

use elastiplan_metrics::{Bounds, Group};
use elastiplan_present::comparable::notes;
use elastiplan_present::metrics_table::{Cell, Row, Table};
use elastiplan_text::format;
use yew::prelude::*;

use crate::elements::{caption, docs_link, group_of_rows, policy_head, scrolled, titled_caption};
use crate::state::runs::Runs;

#[derive(Properties, PartialEq)]
pub(super) struct MetricsProps {
    pub runs: Runs,
}

#[component]
pub(super) fn MetricsView(props: &MetricsProps) -> Html {
    let shows_all = use_state(|| false);
    let gpus_total = props.runs.entries.iter().find_map(|entry| Some(entry.result.as_ref()?.run.gpus_total));
    // No run changes them: they are not computed again while runs go on.
    let bounds = use_memo((Rc::as_ptr(&props.runs.workload), gpus_total), |(_, gpus_total)| {
        gpus_total.and_then(|gpus_total| Bounds::of(&props.runs.workload, gpus_total))
    });
    let toggle = {
        let shows_all = shows_all.clone();
        Callback::from(move |_| shows_all.set(!*shows_all))
    };
    if props.runs.entries.is_empty() {
        return html! {};
    }
    let table = Table::of(&props.runs.entries);
    let head = |entry: &elastiplan_present::runs::RunEntry| {
        let spec = entry.policy.to_string();
        policy_head(entry, spec.strip_prefix(entry.policy.name()).unwrap_or_default().into())
    };
    let more = if *shows_all { "Fewer metrics" } else { "All metrics" };
    html! {
        <section class="metrics" aria-label="Metrics">
            { scrolled("Metrics table", html! {
                <table class="metrics-table" data-policies={props.runs.entries.len().to_string()}>
                    <caption class="visually-hidden">{ "Metrics" }</caption>
                    <thead><tr>
                        <th scope="col" class="metric">{ "Metric" }</th>
                        { for props.runs.entries.iter().map(head) }
                    </tr></thead>
                    if *shows_all {
                        { for table.groups.iter().map(group_of) }
                    } else {
                        <tbody>{ for table.first.iter().map(row) }</tbody>
                    }
                </table>
            }) }
            { for notes(&props.runs.entries, &props.runs.workload).into_iter().map(caption) }
            { for bounds.iter().map(bounds_words) }
            <button class="link more" aria-expanded={shows_all.to_string()} onclick={toggle}>{ more }</button>
            { docs_link("link more", "docs/metrics.html", "Definitions") }
        </section>
    }
}

/// How good any policy could be.
fn bounds_words(bounds: &Bounds) -> Html {
    let title =
        "As if GPUs could be divided at will, every job ran at its best speed per GPU, and changes cost nothing";
    let (avg_jct, makespan) = (format::duration(bounds.avg_jct_s), format::duration(bounds.makespan_s));
    let words = format!("Lower bound for any policy: mean completion {avg_jct}, makespan {makespan}");
    titled_caption(title.into(), words.into())
}

fn group_of((group, rows): &(Group, Vec<Row>)) -> Html {
    group_of_rows(group.label().into(), rows.iter().map(row).collect())
}

fn row(row: &Row) -> Html {
    html! {
        <tr>
            <th scope="row" title={row.help}>{ row.label }</th>
            { for row.cells.iter().map(cell) }
        </tr>
    }
}

fn cell(cell: &Cell) -> Html {
    let class = match (cell.is_best, cell.is_so_far) {
        (true, true) => Some("best so-far"),
        (true, false) => Some("best"),
        (false, true) => Some("so-far"),
        (false, false) => None,
    };
    let difference = cell.difference.as_ref().map(|difference| {
        let tone = match difference.is_better {
            Some(true) => "difference better",
            Some(false) => "difference worse",
            None => "difference",
        };
        html! { <td class={tone}>{ &difference.text }</td> }
    });
    html! {
        <>
            <td {class}>
                { &cell.value }
                if cell.is_so_far { <span class="visually-hidden">{ " so far" }</span> }
            </td>
            { difference.unwrap_or_default() }
        </>
    }
}
