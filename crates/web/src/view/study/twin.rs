//! The metric of the curve as a table: a row a value of the axis, a column a policy.

use std::rc::Rc;

use elastiplan_present::runs::RunEntry;
use elastiplan_present::study::{Cell, Measure, PanelRow, TwinRow, twin};
use yew::prelude::*;

use super::Look;
use super::figure::Same;
use super::gradual::use_gradually;
use super::panel::{copies, with_half};
use super::strip::{on_clicked, pick};
use crate::elements::{badge, classes, scrolled};
use crate::state::message::Msg;

/// So many rows are made in a frame: with five policies each takes about a millisecond.
const ROWS_A_FRAME: usize = 12;

/// The table with its title.
pub(super) fn twin_table(look: &Look<'_>) -> Html {
    let view = look.view;
    let Some(measure) = Measure::of(view, &look.metric) else { return Html::default() };
    let title = measure.title();
    let head = |entry: &RunEntry| html! { <th scope="col" title={entry.policy.to_string()}>{ badge(entry.slot) }</th> };
    let label = view.axes.get(view.find).map(|axis| axis.label.clone()).unwrap_or_default();
    let (of, slots, metric) = (Same(Rc::clone(view)), look.slots(), look.metric.clone());
    let (slice, selected, send) = (look.slice(&[view.find]), look.point, look.send.clone());
    let body = html! {
        <table class="st-table st-twin">
            <caption class="visually-hidden">{ title.clone() }</caption>
            <thead><tr><th scope="col">{ label }</th>{ for look.entries.iter().map(head) }</tr></thead>
            <TwinRows {of} {slots} {metric} {slice} {selected} {send} />
        </table>
    };
    html! {
        <section aria-label={format!("{title}, table")}>
            <div class="st-section-head"><h3>{ title }</h3>{ copies(look) }</div>
            <div class="st-twin-scroll">{ scrolled("Table of the curve", body) }</div>
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct TwinRowsProps {
    of: Same,
    /// The slot of each policy in the list of runs.
    slots: Vec<usize>,
    /// The key of the metric.
    metric: String,
    /// A point of the line that is shown.
    slice: usize,
    /// The point that is looked at.
    selected: usize,
    send: Callback<Msg>,
}

/// All rows, worked out anew for another study or metric only.
#[component]
fn TwinRows(props: &TwinRowsProps) -> Html {
    let of = (props.of.clone(), props.slots.clone(), props.metric.clone(), props.slice);
    let rows = use_memo(of, |(Same(view), slots, metric, slice)| {
        twin(view, slots, metric, *slice).into_iter().map(Rc::new).collect::<Vec<_>>()
    });
    let has_goals = !props.of.0.goals.is_empty();
    let there = use_gradually(rows.len(), ROWS_A_FRAME);
    let row = |row: &Rc<TwinRow>| {
        let is_selected = row.point as usize == props.selected;
        html! { <TwinRowView key={row.point} row={Rc::clone(row)} {is_selected} {has_goals} send={&props.send} /> }
    };
    html! { <tbody>{ for rows.iter().take(there).map(row) }</tbody> }
}

#[derive(Properties, PartialEq)]
struct TwinRowProps {
    row: Rc<TwinRow>,
    /// Whether its point is looked at.
    is_selected: bool,
    has_goals: bool,
    send: Callback<Msg>,
}

/// A row, made anew only if it is another one.
#[component]
fn TwinRowView(props: &TwinRowProps) -> Html {
    let row = &props.row;
    let point = row.point;
    // Looks at the cell's policy and point; with Shift, opens it beside what was looked at.
    let onclick = on_clicked(&props.send, "data-policy", move |is_second, policy| pick(is_second, policy, point));
    html! {
        <tr class={classes("", props.is_selected.then_some("st-selected"))} {onclick}>
            <th scope="row">{ &row.shown }</th>
            { for row.cells.iter().map(|cell| value(cell, props.has_goals)) }
        </tr>
    }
}

fn value(cell: &PanelRow, has_goals: bool) -> Html {
    let is_meeting = cell.known == Cell::Meets && has_goals;
    let half = cell.half.as_ref().map(|half| half.replace("± ", "±"));
    html! {
        <td class={classes("", is_meeting.then_some("st-meeting"))} data-policy={cell.id.policy.to_string()}>
            if cell.got_worse { <span class="worse" role="img" aria-label="Got worse" title="Worse than with less">{ "⚠ " }</span> }
            if let Some(seed) = cell.reversed.filter(|_| !cell.got_worse) {
                <span class="ink-3" role="img" aria-label={format!("Got worse in seed {seed}")}
                    title={format!("Worse than with less in seed {seed}")}>{ "⚠ " }</span>
            }
            if cell.known == Cell::Failed {
                <span class="bad" title={cell.gap.clone()}>{ "✕ failed" }</span>
            } else if cell.known == Cell::NoValue {
                <span class="ink-3" title={cell.gap.clone()}>{ "no value" }</span>
            } else { { with_half(cell.mean.trim_end_matches('%'), half.as_ref()) } }
        </td>
    }
}
