//! The numbers beside the pictures: a table with a row a run, or of two runs with a row a metric.

use std::rc::Rc;

use elastiplan_present::metric_text::Difference;
use elastiplan_present::run_table::{Column, RunCell, RunRow, RunTable};
use elastiplan_present::runs::RunEntry;
use yew::prelude::*;

use super::turned;
use crate::elements::{badge, classes};
use crate::state::message::Msg;
use crate::state::runs::Runs;

#[derive(Properties)]
pub(super) struct MetricsProps {
    pub runs: Runs,
    pub table: Rc<RunTable>,
    /// The places of the shown runs, in order.
    pub places: Vec<usize>,
    /// The column by which they are ordered, and whether the best comes first.
    pub order: Option<(&'static str, bool)>,
    pub send: Callback<Msg>,
}

impl PartialEq for MetricsProps {
    /// The table is made anew where a number is another one.
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.table, &other.table) && (&self.places, self.order) == (&other.places, other.order)
    }
}

#[component]
pub(super) fn MetricsView(props: &MetricsProps) -> Html {
    let MetricsProps { runs, table, places, .. } = props;
    if let Some(turned) = table.turned(&runs.entries) {
        return turned::table(&turned, &runs.entries);
    }
    let row = |place: &usize| {
        let entry = runs.entries.get(*place)?;
        let of_run = table.rows.iter().find(|row| row.slot == entry.slot)?;
        Some(row(*place, entry, &table.columns, of_run))
    };
    numbers(
        "numbers tl-beside",
        html! {
            <table class="run-table">
                { caption() }
                <thead><tr>
                    <th scope="col" class="run"><span>{ "Run" }</span></th>
                    { for table.columns.iter().enumerate().map(|(at, column)| head(at, column, props)) }
                </tr></thead>
                <tbody>{ for places.iter().filter_map(row) }</tbody>
            </table>
        },
    )
}

/// The room beside the pictures.
pub(super) fn numbers(class: &'static str, table: Html) -> Html {
    html! { <section {class} aria-label="Numbers">{ table }</section> }
}

/// The name of the table.
pub(super) fn caption() -> Html {
    html! { <caption class="visually-hidden">{ "Metrics" }</caption> }
}

/// Goals stick to the left, one beside the other.
fn column_class(at: usize, column: &Column) -> (Option<&'static str>, Option<String>) {
    (column.is_goal.then_some("of-goal"), column.is_goal.then(|| format!("--at: {at}")))
}

fn head(at: usize, column: &Column, props: &MetricsProps) -> Html {
    let key = column.key;
    let (sort, arrow) = match props.order {
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
        let below = match &cell.difference {
            Some(difference) => html! { <small class={tone(difference)}>{ &difference.text }</small> },
            None if at == 0 && of_run.is_baseline => html! { <small class="ink-3">{ "baseline" }</small> },
            None => Html::default(),
        };
        value(cell, class, style, below)
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

/// A value, with what stands below it.
pub(super) fn value(cell: &RunCell, class: Option<&'static str>, style: Option<String>, below: Html) -> Html {
    let mut class = Classes::from(class.unwrap_or_default());
    class.push(cell.is_best.then_some("best"));
    class.push(cell.is_so_far.then_some("so-far"));
    html! {
        <td {class} {style} title={cell.of.map(|of| of.to_string())}>
            if cell.meets_goal == Some(true) { <span class="meets" title="Meets the goal">{ "✓ " }</span> }
            { &cell.value }
            if cell.is_so_far { <span class="visually-hidden">{ " so far" }</span> }
            { below }
        </td>
    }
}

/// The colour of a difference.
pub(super) fn tone(difference: &Difference) -> Classes {
    classes("ink-3", difference.is_better.map(|is_better| if is_better { "better" } else { "worse" }))
}
