//! The numbers beside the pictures: a table with a row a run.

use std::rc::Rc;

use elastiplan_compare::Arrangement;
use elastiplan_present::goal::Goal;
use elastiplan_present::run_table::{Column, RunCell, RunRow, RunTable};
use elastiplan_present::runs::RunEntry;
use yew::prelude::*;

use crate::elements::{badge, classes};
use crate::state::message::Msg;
use crate::state::runs::Runs;
use crate::state::table::TableChoice;

#[derive(Properties, PartialEq)]
pub(super) struct MetricsProps {
    pub runs: Runs,
    /// The places of the shown runs, in order.
    pub places: Vec<usize>,
    pub choice: TableChoice,
    pub goal: Goal,
    /// The jobs that the numbers are about, if not all.
    pub only: Option<Rc<Arrangement>>,
    pub send: Callback<Msg>,
}

#[component]
pub(super) fn MetricsView(props: &MetricsProps) -> Html {
    let of = (props.runs.clone(), props.choice.columns.clone(), props.goal, props.only.clone());
    let table = use_memo(of, |(Runs { entries, workload }, columns, goal, only)| {
        let columns = columns.clone().unwrap_or_else(|| RunTable::default_columns(entries, goal));
        RunTable::of(entries, workload, goal, &columns, only.as_ref().map(|only| only.jobs.as_slice()))
    });
    let row = |place: &usize| {
        let entry = props.runs.entries.get(*place)?;
        let of_run = table.rows.iter().find(|row| row.slot == entry.slot)?;
        Some(row(*place, entry, &table.columns, of_run))
    };
    html! {
        <section class="numbers tl-beside" aria-label="Numbers">
            <table class="run-table">
                <caption class="visually-hidden">{ "Metrics" }</caption>
                <thead><tr>
                    <th scope="col" class="run"><span>{ "Run" }</span></th>
                    { for table.columns.iter().enumerate().map(|(at, column)| head(at, column, props)) }
                </tr></thead>
                <tbody>{ for props.places.iter().filter_map(row) }</tbody>
            </table>
        </section>
    }
}

/// Goals stick to the left, one beside the other.
fn column_class(at: usize, column: &Column) -> (Option<&'static str>, Option<String>) {
    (column.is_goal.then_some("of-goal"), column.is_goal.then(|| format!("--at: {at}")))
}

fn head(at: usize, column: &Column, props: &MetricsProps) -> Html {
    let key = column.key;
    let (sort, arrow) = match props.choice.order {
        Some((now, true)) if now == key => (Some("other"), "▾"),
        Some((now, false)) if now == key => (Some("other"), "▴"),
        _ => (None, ""),
    };
    let (class, style) = column_class(at, column);
    let onclick = props.send.reform(move |_| Msg::SortRuns(key));
    html! {
        <th scope="col" {class} {style} aria-sort={sort} data-key={key}>
            <button class="sort" title={column.help} data-help={column.help} {onclick}>
                { column.label }<span aria-hidden="true">{ arrow }</span>
            </button>
        </th>
    }
}

fn row(place: usize, entry: &RunEntry, columns: &[Column], of_run: &RunRow) -> Html {
    let cell = |(at, (column, cell)): (usize, (&Column, &RunCell))| {
        let (class, style) = column_class(at, column);
        let mut class = Classes::from(class.unwrap_or_default());
        class.push(cell.is_best.then_some("best"));
        class.push(cell.is_so_far.then_some("so-far"));
        let below = match &cell.difference {
            Some(difference) => {
                let tone = difference.is_better.map(|is_better| if is_better { "better" } else { "worse" });
                html! { <small class={classes("ink-3", tone)}>{ &difference.text }</small> }
            }
            None if at == 0 && of_run.is_baseline => html! { <small class="ink-3">{ "baseline" }</small> },
            None => Html::default(),
        };
        html! {
            <td {class} {style} title={cell.of.map(|of| of.to_string())}>
                if cell.meets_goal == Some(true) { <span class="meets" title="Meets the goal">{ "✓ " }</span> }
                { &cell.value }
                if cell.is_so_far { <span class="visually-hidden">{ " so far" }</span> }
                { below }
            </td>
        }
    };
    html! {
        <tr key={place} style={format!("--row: var(--row-{place}); --align: var(--align-{place})")} data-policy={entry.policy.to_string()}>
            <th scope="row" class="run" title={entry.policy.to_string()}>
                <span>{ badge(entry.slot) }{ " " }<bdi>{ &of_run.name }</bdi></span>
            </th>
            { for columns.iter().zip(&of_run.cells).enumerate().map(cell) }
        </tr>
    }
}
