//! The decision strip: a row for each policy, a cell for each value of the axis of the question.

use super::names::{label, letter, short, whole, with_unit};
use super::positions::{across, position};
use super::{AnswerView, AxisView, Cell, StudyView};

/// The strip below a curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strip {
    /// The cells' places, from left to right.
    pub columns: Vec<StripColumn>,
    /// A row for each policy.
    pub rows: Vec<StripRow>,
}

/// The place of the cells of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct StripColumn {
    /// The value: `46`.
    pub shown: String,
    /// The left edge, as a share of the width of the curve's plot; the first is left of it.
    pub left: f64,
    /// The right edge.
    pub right: f64,
}

/// The row of a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct StripRow {
    /// The policy, by its place.
    pub policy: u32,
    /// The letter of its run.
    pub letter: String,
    /// Letter and name.
    pub label: String,
    /// Its cells, by columns.
    pub cells: Vec<StripCell>,
    /// The answer, by its column.
    pub answer: Option<usize>,
    /// The first and the last column at which the answer may be: enclosed by brackets where that is more than one. Not of
    /// a settled answer.
    pub bracket: Option<(usize, usize)>,
    /// Whether nothing more is going to be run for it.
    pub is_settled: bool,
    /// Beside it: `46, may be 42`.
    pub words: String,
    /// The row as a sentence, for those who cannot see it.
    pub spoken: String,
}

/// A cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StripCell {
    /// The point.
    pub point: u32,
    /// What is known about the goals there.
    pub known: Cell,
    /// Whether it meets the goals though one beyond it, on the answer's side, misses them.
    pub is_isolated: bool,
    /// Whether a run failed, or a goal's metric has no value: no seeds decide it.
    pub is_gap: bool,
}

/// The strip through a point: the other axes keep its values.
pub fn strip(view: &StudyView, slots: &[usize], through: usize) -> Strip {
    let Some(axis) = view.axes.get(view.find) else { return Strip::default() };
    let line = view.line(through, view.find);
    let row = |policy: usize| {
        let answer = view.answer_on(policy, &line);
        let is_isolated = |place: usize| answer.is_some_and(|answer| answer.isolated.contains(&(place as u32)));
        let cell = |(place, point): (usize, &usize)| StripCell {
            point: *point as u32,
            known: view.cells.get(view.at(policy, *point)).copied().unwrap_or_default(),
            is_isolated: is_isolated(place),
            is_gap: view.has_gap(policy, *point),
        };
        let cells: Vec<StripCell> = line.iter().enumerate().map(cell).collect();
        let in_line = |place: u32| Some(place as usize).filter(|place| *place < line.len());
        let label = label(view, slots, policy);
        StripRow {
            policy: policy as u32,
            letter: letter(slots, policy),
            spoken: spoken(view, axis, &label, &cells, answer),
            label,
            cells,
            answer: answer.and_then(|answer| in_line(answer.answer?)),
            bracket: answer
                .filter(|answer| !answer.is_settled)
                .and_then(|answer| answer.bracket)
                .and_then(|(a, b)| Some((in_line(a)?, in_line(b)?))),
            is_settled: answer.is_some_and(|answer| answer.is_settled),
            words: answer.map(|answer| answer_words(view, answer)).unwrap_or_default(),
        }
    };
    Strip { columns: columns(axis), rows: (0..view.policies.len()).map(row).collect() }
}

/// Cells reach half way to their neighbours; the outer ones as far out as in.
fn columns(axis: &AxisView) -> Vec<StripColumn> {
    let scale = across(axis);
    let shares: Vec<f64> = (0..axis.values.len()).map(|place| scale.share(position(axis, place))).collect();
    let between = |a: usize| Some((shares.get(a)? + shares.get(a + 1)?) / 2.0);
    let column = |(place, share): (usize, &f64)| {
        let (left, right) = (place.checked_sub(1).and_then(between), between(place));
        // One value alone is as wide as a tenth of the plot.
        let half = |edge: Option<f64>| edge.map_or(0.05, |edge| (edge - share).abs());
        StripColumn {
            shown: short(axis, place),
            left: left.unwrap_or(share - half(right)),
            right: right.unwrap_or(share + half(left)),
        }
    };
    shares.iter().enumerate().map(column).collect()
}

/// Words beside the row of an answer: `46, settled`, `46, may be 42`, `42 to 46, open`, `not within 80`.
pub fn answer_words(view: &StudyView, answer: &AnswerView) -> String {
    let Some(axis) = view.axes.get(view.find) else { return String::new() };
    let value = |place: u32| short(axis, place as usize);
    let also = match answer.isolated.as_slice() {
        [] => String::new(),
        [only] => format!("; {} alone also meets it", value(*only)),
        several => format!("; {} others also meet it", several.len()),
    };
    let words = match (answer.answer, answer.bracket) {
        (Some(at), _) if answer.is_settled => format!("{}, settled", value(at)),
        (Some(at), Some((from, to))) if from < at && to > at => {
            format!("{}, may be {} to {}", value(at), value(from), value(to))
        }
        (Some(at), Some((from, _))) if from < at => format!("{}, may be {}", value(at), value(from)),
        (Some(at), Some((_, to))) if to > at => format!("{}, may be {}", value(at), value(to)),
        (Some(at), _) => format!("{}, to be confirmed", value(at)),
        (None, Some((from, to))) if from == to => format!("{}, open", value(from)),
        (None, Some((from, to))) => format!("{} to {}, open", value(from), value(to)),
        (None, None) if answer.is_settled => not_within(view, axis),
        (None, None) => "open".into(),
    };
    words + &also
}

/// `not within 80`, or for a largest value `not even at 40`.
fn not_within(view: &StudyView, axis: &AxisView) -> String {
    match view.is_largest {
        true => format!("not even at {}", short(axis, 0)),
        false => format!("not within {}", short(axis, axis.values.len().saturating_sub(1))),
    }
}

fn spoken(view: &StudyView, axis: &AxisView, label: &str, cells: &[StripCell], answer: Option<&AnswerView>) -> String {
    let at = |known: Cell| {
        let places = cells.iter().enumerate().filter(move |(_, cell)| cell.known == known).map(|(place, _)| place);
        ranges(axis, &places.collect::<Vec<_>>())
    };
    let part = |known: Cell, words: &str| {
        let places = at(known);
        (!places.is_empty()).then(|| format!("{words} {places}"))
    };
    let words = answer.map(|answer| answer_words(view, answer));
    let parts = [
        words,
        part(Cell::Meets, if view.goals.is_empty() { "all seeds at" } else { "meets the goals at" }),
        part(Cell::Open, if answer.is_some_and(|answer| answer.is_settled) { "not sure at" } else { "open at" }),
        part(Cell::Misses, "misses them at"),
        part(Cell::Failed, "failed at"),
        part(Cell::NoValue, "no value at"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { format!("{label}: nothing known yet") } else { format!("{label}: {}", parts.join("; ")) }
}

/// Values in a row as ranges: `40 to 46, 50 nodes`.
fn ranges(axis: &AxisView, places: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for place in places {
        match runs.last_mut() {
            Some((_, to)) if *to + 1 == *place => *to = *place,
            _ => runs.push((*place, *place)),
        }
    }
    let last = runs.len().saturating_sub(1);
    let text = |(nth, (from, to)): (usize, &(usize, usize))| {
        let to_text = if nth == last { with_unit(axis, *to) } else { short(axis, *to) };
        if from == to { to_text } else { format!("{} to {to_text}", short(axis, *from)) }
    };
    let texts: Vec<String> = runs.iter().enumerate().map(text).collect();
    match runs.as_slice() {
        // Every value needs no list.
        [(0, to)] if *to + 1 == axis.values.len() && *to > 0 => "all values".into(),
        [(only, to)] if only == to => whole(axis, *only),
        _ => texts.join(", "),
    }
}
