//! The decision strip: a row a policy under the curve, a cell a value of the axis.

use elastiplan_present::study::{Cell, Strip, StripCell, StripRow, strip};
use yew::prelude::*;

use super::Look;
use crate::elements::{badge, classes};
use crate::state::message::Msg;
use crate::state::study::StudyMsg;

/// The strip, with the legend under it. `beside_px`: the room left and right of the plot above it.
pub(super) fn decisions(look: &Look<'_>, beside_px: (f64, f64)) -> Html {
    let strip = strip(look.view, &look.slots(), look.point);
    if strip.rows.is_empty() || look.view.goals.is_empty() {
        return Html::default();
    }
    let (left, right) = beside_px;
    let label = look.view.axes.get(look.view.find).map(|axis| axis.label.to_lowercase()).unwrap_or_default();
    let middle = strip.columns.get(look.place()).map(|column| (column.left + column.right) / 2.0);
    let cursor = middle.map(|at| format!("left: {:.3}%", at.clamp(0.0, 1.0) * 100.0));
    html! {
        <>
            <div class="st-strip" role="list" aria-label={format!("Which {label} meet the goals")}
                style={format!("--left: {left:.0}px; --right: {right:.0}px")}>
                { for strip.rows.iter().map(|row| html_row(look, &strip, row)) }
                <div class="st-strip-over" aria-hidden="true">
                    if let Some(style) = cursor { <span class="st-cursor" {style}></span> }
                </div>
            </div>
            { legend(&strip) }
        </>
    }
}

fn html_row(look: &Look<'_>, strip: &Strip, row: &StripRow) -> Html {
    let slot = look.entries.get(row.policy as usize).map_or(usize::MAX, |entry| entry.slot);
    let extent = |first: usize, last: usize, beyond_px: f64| {
        let (from, to) = (strip.columns.get(first)?.left * 100.0, (1.0 - strip.columns.get(last)?.right) * 100.0);
        Some(format!(
            "left: max({:.1}px, {from:.3}%); right: max({:.1}px, {to:.3}%)",
            -22.0 - beyond_px,
            -14.0 - beyond_px
        ))
    };
    let cell = |(place, cell): (usize, &StripCell)| {
        let is_answer = row.answer == Some(place);
        let class = classes!("st-cell", class_of(cell.known, row.is_settled), is_answer.then_some("st-is-answer"));
        let (policy, point) = (row.policy, cell.point);
        let onclick = look.send.reform(move |event: MouseEvent| pick(event.shift_key(), policy, point));
        let words = match (is_answer, cell.known) {
            (true, _) => strip.columns.get(place).map_or("", |column| &column.shown),
            (false, Cell::Failed) => "✕",
            (false, Cell::NoValue) => "–",
            (false, Cell::Open) if cell.is_gap => "✕",
            _ => "",
        };
        let title = look.view.gap_words(policy as usize, point as usize);
        html! { <span {class} style={extent(place, place, 0.0)} {title} {onclick}>{ words }</span> }
    };
    let bracket = row.bracket.filter(|(first, last)| first < last).and_then(|(first, last)| extent(first, last, 1.0));
    let is_chosen = look.policy == row.policy as usize;
    html! {
        <div class={classes!("st-row", is_chosen.then_some("st-chosen"), run_class(slot))} role="listitem" key={row.policy}>
            <span class="visually-hidden">{ &row.spoken }</span>
            <span class="st-row-name" aria-hidden="true" title={row.label.clone()}>{ badge(slot) }</span>
            <span class="st-cells" aria-hidden="true">
                { for row.cells.iter().enumerate().map(cell) }
                if let Some(style) = bracket { <span class="st-bracket" {style}></span> }
            </span>
            <span class="st-row-words" aria-hidden="true" title={row.words.clone()}>{ &row.words }</span>
        </div>
    }
}

/// The class that sets the colours of a run.
pub(super) fn run_class(slot: usize) -> String {
    format!("st-run-{}", ('a'..='h').nth(slot).unwrap_or('i'))
}

/// Whether some of its points are not decided.
fn has_open(row: &StripRow) -> bool {
    row.cells.iter().any(|cell| cell.known == Cell::Open && !cell.is_gap)
}

/// Looks at a point; as the second of two, opens both.
pub(super) fn pick(is_second: bool, policy: u32, point: u32) -> Msg {
    Msg::Study(match is_second {
        true => StudyMsg::OpenBeside { policy, point },
        false => StudyMsg::Select { policy, point },
    })
}

fn class_of(cell: Cell, is_settled: bool) -> &'static str {
    match cell {
        Cell::Open if is_settled => "st-unsure",
        Cell::Unknown => "st-unknown",
        Cell::Open => "st-open",
        Cell::Misses => "st-misses",
        Cell::Meets => "st-meets",
        Cell::Failed => "st-failed",
        Cell::NoValue => "st-no-value",
    }
}

fn legend(strip: &Strip) -> Html {
    let is_any = |is: fn(&StripRow) -> bool| strip.rows.iter().any(is);
    let has = |known: Cell| strip.rows.iter().any(|row| row.cells.iter().any(|cell| cell.known == known));

    let item = |class: &'static str, words: &'static str| {
        html! { <span class="st-legend-item"><i class={classes("st-cell", Some(class))} aria-hidden="true"></i>{ words }</span> }
    };
    html! {
        <p class="st-legend">
            { item("st-misses", "misses") }
            if is_any(|row| !row.is_settled && has_open(row)) { { item("st-open", "open") } }
            if is_any(|row| row.is_settled && has_open(row)) { { item("st-unsure", "not sure with these seeds") } }
            { item("st-meets", "meets every goal") }
            if has(Cell::Failed) { { item("st-failed", "failed") } }
            if has(Cell::NoValue) { { item("st-no-value", "no value") } }
            if is_any(|row| row.bracket.is_some_and(|(first, last)| first < last)) {
                { item("st-bracketed", "where the answer lies") }
            }
        </p>
    }
}
