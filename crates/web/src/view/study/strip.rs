//! The decision strip: a row a policy under the curve, a cell a value of the axis.

use std::rc::Rc;

use elastiplan_present::study::{Cell, Strip, StripCell, StripRow, strip};
use web_sys::Element;
use yew::prelude::*;

use super::Look;
use super::figure::Same;
use super::gradual::use_gradually;
use crate::elements::{badge, classes};
use crate::state::message::Msg;
use crate::state::study::StudyMsg;

/// The strip, with the legend under it. `beside_px`: the room left and right of the plot above it.
pub(super) fn decisions(look: &Look<'_>, beside_px: (f64, f64)) -> Html {
    if look.view.goals.is_empty() {
        return Html::default();
    }
    let (of, slots, slice) = (Same(Rc::clone(look.view)), look.slots(), look.slice(&[look.view.find]));
    let (place, policy, send) = (look.place(), look.policy, look.send.clone());
    html! { <Decisions {of} {slots} {slice} {place} {policy} {beside_px} {send} /> }
}

#[derive(Properties, PartialEq)]
struct DecisionsProps {
    of: Same,
    /// The slot of each policy in the list of runs.
    slots: Vec<usize>,
    /// A point of the line that is shown.
    slice: usize,
    /// The place on the axis that is looked at.
    place: usize,
    /// The policy that is looked at.
    policy: usize,
    /// The room left and right of the plot.
    beside_px: (f64, f64),
    send: Callback<Msg>,
}

/// The strip, made anew for another study only.
#[component]
fn Decisions(props: &DecisionsProps) -> Html {
    let DecisionsProps { of: Same(view), slots, .. } = props;
    let made = use_memo((props.of.clone(), slots.clone(), props.slice), |(Same(view), slots, slice)| {
        let strip = strip(view, slots, *slice);
        let extents = (0..strip.columns.len()).filter_map(|at| extent(&strip, (at, at), 0.0).map(AttrValue::from));
        let extents = extents.collect();
        (strip, extents)
    });
    let (strip, extents): &(Strip, Rc<[AttrValue]>) = &made;
    // Until it is its turn, a row has no cells.
    let there = use_gradually(strip.rows.len(), 1);
    if strip.rows.is_empty() {
        return Html::default();
    }
    let (left, right) = props.beside_px;
    let label = view.axes.get(view.find).map(|axis| axis.label.to_lowercase()).unwrap_or_default();
    let middle = strip.columns.get(props.place).map(|column| (column.left + column.right) / 2.0);
    let cursor = middle.map(|at| format!("left: {:.3}%", at.clamp(0.0, 1.0) * 100.0));
    let row = |(at, row): (usize, &StripRow)| {
        let bracket = row.bracket.filter(|(first, last)| first < last);
        let at_answer = row.answer.and_then(|at| strip.columns.get(at)).map(|column| column.shown.clone());
        let gaps = row.cells.iter().map(|cell| view.gap_words(row.policy as usize, cell.point as usize));
        let gaps: Vec<Option<String>> = gaps.collect();
        let extents = if at < there { Rc::clone(extents) } else { Rc::default() };
        html! {
            <DecisionRow key={row.policy} row={row.clone()} {extents} {gaps} {at_answer}
                bracket={bracket.and_then(|bracket| extent(strip, bracket, 1.0))}
                slot={slots.get(row.policy as usize).copied().unwrap_or(usize::MAX)}
                is_chosen={props.policy == row.policy as usize} send={&props.send} />
        }
    };
    html! {
        <>
            <div class="st-strip" role="list" aria-label={format!("Which {label} meet the goals")}
                style={format!("--left: {left:.0}px; --right: {right:.0}px")}>
                { for strip.rows.iter().enumerate().map(row) }
                <div class="st-strip-over" aria-hidden="true">
                    if let Some(style) = cursor { <span class="st-cursor" {style}></span> }
                </div>
            </div>
            { legend(strip) }
        </>
    }
}

/// From the first to the last of some columns, as a style.
fn extent(strip: &Strip, (first, last): (usize, usize), beyond_px: f64) -> Option<String> {
    let (from, to) = (strip.columns.get(first)?.left * 100.0, (1.0 - strip.columns.get(last)?.right) * 100.0);
    let (left_px, right_px) = (-22.0 - beyond_px, -14.0 - beyond_px);
    Some(format!("left: max({left_px:.1}px, {from:.3}%); right: max({right_px:.1}px, {to:.3}%)"))
}

#[derive(Properties, PartialEq)]
struct DecisionRowProps {
    row: StripRow,
    /// Where each cell lies, as a style.
    extents: Rc<[AttrValue]>,
    /// What each cell lacks, in words.
    gaps: Vec<Option<String>>,
    /// The value of the answer.
    at_answer: Option<String>,
    /// Where the answer may be, as a style.
    bracket: Option<String>,
    slot: usize,
    /// Whether its policy is looked at.
    is_chosen: bool,
    send: Callback<Msg>,
}

/// The row of a policy, made anew only if it is another one.
#[component]
fn DecisionRow(props: &DecisionRowProps) -> Html {
    let DecisionRowProps { row, slot, .. } = props;
    let cell = |((place, cell), style): ((usize, &StripCell), &AttrValue)| {
        let is_answer = row.answer == Some(place);
        let class = classes!("st-cell", class_of(cell.known, row.is_settled), is_answer.then_some("st-is-answer"));
        let words = match (is_answer, cell.known) {
            (true, _) => props.at_answer.as_deref().unwrap_or_default(),
            (false, Cell::Failed) => "✕",
            (false, Cell::NoValue) => "–",
            (false, Cell::Open) if cell.is_gap => "✕",
            _ => "",
        };
        let title = props.gaps.get(place).cloned().flatten();
        html! { <span {class} {style} {title} data-point={cell.point.to_string()}>{ words }</span> }
    };
    let policy = row.policy;
    // One listener for all cells.
    let onclick = on_clicked(&props.send, "data-point", move |is_second, point| pick(is_second, policy, point));
    html! {
        <div class={classes!("st-row", props.is_chosen.then_some("st-chosen"), run_class(*slot))} role="listitem">
            <span class="visually-hidden">{ &row.spoken }</span>
            <span class="st-row-name" aria-hidden="true" title={row.label.clone()}>{ badge(*slot) }</span>
            <span class="st-cells" aria-hidden="true" {onclick}>
                { for row.cells.iter().enumerate().zip(props.extents.iter()).map(cell) }
                if let Some(style) = &props.bracket { <span class="st-bracket" style={style.clone()}></span> }
            </span>
            <span class="st-row-words" aria-hidden="true" title={row.words.clone()}>{ &row.words }</span>
        </div>
    }
}

/// Sends what a click on one of many elements means, by the number in an attribute of it, and by whether Shift was held: one
/// listener for all of them.
pub(super) fn on_clicked(
    send: &Callback<Msg>,
    attribute: &'static str,
    meant: impl Fn(bool, u32) -> Msg + 'static,
) -> Callback<MouseEvent> {
    let send = send.clone();
    Callback::from(move |event: MouseEvent| {
        let target: Option<Element> = event.target_dyn_into();
        let found = target.and_then(|target| target.closest(&format!("[{attribute}]")).ok().flatten());
        let number = found.and_then(|found| found.get_attribute(attribute)).and_then(|text| text.parse().ok());
        if let Some(number) = number {
            send.emit(meant(event.shift_key(), number));
        }
    })
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
