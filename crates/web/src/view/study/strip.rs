//! The decision strip: a row a policy under the curve, a cell a value of the axis.

use elastiplan_present::runs::RunEntry;
use elastiplan_present::study::{AnswerView, Cell, StudyView};
use yew::prelude::*;

use super::Look;
use crate::elements::badge;
use crate::state::message::Msg;
use crate::state::study::StudyMsg;

/// A row of the strip.
pub(super) struct Row<'a> {
    pub answer: &'a AnswerView,
    pub entry: &'a RunEntry,
}

/// Where the plot lies above the strip.
pub(super) struct Across {
    /// The room left and right of it, in pixels.
    pub beside_px: (f64, f64),
    /// Where each value lies, as a share of its width.
    pub at: Vec<f64>,
}

/// The strip, with the legend under it.
pub(super) fn strip(look: &Look<'_>, across: &Across) -> Html {
    let view = look.view;
    let row = |answer: &AnswerView| look.entries.get(answer.policy as usize).map(|entry| Row { answer, entry });
    let rows: Vec<Row<'_>> = look.answers().filter_map(row).collect();
    if rows.is_empty() {
        return Html::default();
    }
    let (left, right) = across.beside_px;
    let cursor = across.at.get(look.place()).map(|at| format!("left: {:.3}%", at * 100.0));
    html! {
        <>
            <div class="st-strip" role="list" aria-label={format!("Which {} meet the goals", label(view))}
                style={format!("--left: {left:.0}px; --right: {right:.0}px")}>
                { for rows.iter().map(|row| html_row(look, row, across)) }
                <div class="st-strip-over" aria-hidden="true">
                    if let Some(style) = cursor { <span class="st-cursor" {style}></span> }
                </div>
            </div>
            { legend() }
        </>
    }
}

fn label(view: &StudyView) -> String {
    view.axes.get(view.find).map(|axis| axis.label.to_lowercase()).unwrap_or_default()
}

fn html_row(look: &Look<'_>, row: &Row<'_>, across: &Across) -> Html {
    let Row { answer, entry } = row;
    let edges = edges(&across.at);
    let cell = |(place, &point): (usize, &u32)| -> Option<Html> {
        let (from, to) = *edges.get(place)?;
        let state = look.cell(answer.policy as usize, point as usize);
        let is_answer = answer.answer == Some(place as u32);
        let class = classes!("st-cell", class_of(state), is_answer.then_some("st-is-answer"));
        let style = format!("left: max(-22px, {:.3}%); right: max(-14px, {:.3}%)", from * 100.0, (1.0 - to) * 100.0);
        let (policy, point) = (answer.policy, point);
        let onclick = look.send.reform(move |event: MouseEvent| pick(event.shift_key(), policy, point));
        let words = if is_answer { look.value(place) } else { String::new() };
        let sign = if state == Cell::Failed { "✕" } else { "" };
        Some(html! { <span {class} {style} {onclick}>{ words }{ sign }</span> })
    };
    let bracket = answer.bracket.and_then(|(first, last)| {
        let (from, to) = (edges.get(first as usize)?.0, edges.get(last as usize)?.1);
        let style = format!("left: max(-23px, {:.3}%); right: max(-15px, {:.3}%)", from * 100.0, (1.0 - to) * 100.0);
        Some(html! { <span class="st-bracket" {style}></span> })
    });
    let colours = classes!("st-row", (look.policy == answer.policy as usize).then_some("st-chosen"), run_class(entry));
    html! {
        <div class={colours} role="listitem">
            <span class="visually-hidden">{ spoken(look, row) }</span>
            <span class="st-row-name" aria-hidden="true" title={entry.policy.to_string()}>{ badge(entry.slot) }</span>
            <span class="st-cells" aria-hidden="true">{ for answer.line.iter().enumerate().filter_map(cell) }{ bracket }</span>
            <span class="st-row-words" aria-hidden="true">{ &answer.words }</span>
        </div>
    }
}

/// The class that sets the colours of a run.
pub(super) fn run_class(entry: &RunEntry) -> String {
    format!("badge-{}", ('a'..='h').nth(entry.slot).unwrap_or('i'))
}

/// Looks at a point; as the second of two, opens both.
pub(super) fn pick(is_second: bool, policy: u32, point: u32) -> Msg {
    Msg::Study(match is_second {
        true => StudyMsg::OpenBeside { policy, point },
        false => StudyMsg::Select { policy, point },
    })
}

fn class_of(cell: Cell) -> &'static str {
    match cell {
        Cell::Unknown => "st-unknown",
        Cell::Open => "st-open",
        Cell::Misses => "st-misses",
        Cell::Meets => "st-meets",
        Cell::Failed => "st-failed",
    }
}

/// From where to where each cell reaches, as shares of the plot's width: half way to its neighbours.
fn edges(at: &[f64]) -> Vec<(f64, f64)> {
    let middle = |left: usize| Some((at.get(left)? + at.get(left + 1)?) / 2.0);
    let edge = |(place, own): (usize, &f64)| {
        let before = place.checked_sub(1).and_then(middle);
        let after = middle(place);
        // The outer ones reach as far to both sides.
        let from = before.or(after.map(|after| 2.0 * own - after)).unwrap_or(own - 0.5);
        let to = after.or(before.map(|before| 2.0 * own - before)).unwrap_or(own + 0.5);
        (from, to)
    };
    at.iter().enumerate().map(edge).collect()
}

/// A row in words: `A fixed: misses 40 to 70, open 72 to 74, meets 76 to 80. 76, may be 72`.
fn spoken(look: &Look<'_>, row: &Row<'_>) -> String {
    let mut spans: Vec<(Cell, usize, usize)> = Vec::new();
    for (place, &point) in row.answer.line.iter().enumerate() {
        let cell = look.cell(row.answer.policy as usize, point as usize);
        match spans.last_mut().filter(|(last, ..)| *last == cell) {
            Some(span) => span.2 = place,
            None => spans.push((cell, place, place)),
        }
    }
    let words = |(cell, first, last): &(Cell, usize, usize)| {
        let verb = match cell {
            Cell::Unknown => "not run yet",
            Cell::Open => "open",
            Cell::Misses => "misses",
            Cell::Meets => "meets",
            Cell::Failed => "failed",
        };
        match first == last {
            true => format!("{verb} {}", look.value(*first)),
            false => format!("{verb} {} to {}", look.value(*first), look.value(*last)),
        }
    };
    let spans: Vec<String> = spans.iter().map(words).collect();
    format!("{} {}: {}. {}", row.entry.letter(), row.entry.name(), spans.join(", "), row.answer.words)
}

fn legend() -> Html {
    let item = |class: &'static str, words: &'static str| {
        html! { <span class="st-legend-item"><i class={classes!("st-cell", class)} aria-hidden="true"></i>{ words }</span> }
    };
    html! {
        <p class="st-legend">
            { item("st-misses", "misses") }
            { item("st-open", "open, more seeds are run") }
            { item("st-meets", "meets every goal") }
            { item("st-bracketed", "where the answer lies") }
        </p>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(at: &[f64], expected: &[(f64, f64)]) {
        assert_eq!(edges(at), expected, "{at:?}");
    }

    #[test]
    fn cells_reach_half_way_to_their_neighbours() {
        check(&[], &[]);
        check(&[0.5], &[(0.0, 1.0)]);
        check(&[0.0, 0.5, 1.0], &[(-0.25, 0.25), (0.25, 0.75), (0.75, 1.25)]);
        // Where values are doubled or listed, cells are as wide as their distances.
        check(&[0.0, 0.25, 1.0], &[(-0.125, 0.125), (0.125, 0.625), (0.625, 1.375)]);
    }
}
