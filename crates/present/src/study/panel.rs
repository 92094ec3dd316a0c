//! What stands beside the curves: all policies at a point, the table twin, and the smallest cluster by load.

use super::maps::second_axis;
use super::names::{label, letter, short};
use super::table::{got_worse, reversed, verdict};
use super::values::{Judged, Measure};
use super::{AnswerView, Cell, StudyView, means};
use crate::figure::points::PointId;
use crate::figure::table::{Cell as TableCell, Column, Table};

/// A policy at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelRow {
    /// The policy and the point.
    pub id: PointId,
    /// The letter of its run.
    pub letter: String,
    /// The mean: `52.0%`; a dash where it is unknown.
    pub mean: String,
    /// How far its interval reaches: `± 5.0`.
    pub half: Option<String>,
    /// The difference from the baseline seed by seed: `+28.3pt`.
    pub paired: Option<String>,
    /// How far the interval of that reaches.
    pub paired_half: Option<String>,
    /// Whether the difference is for the better.
    pub judged: Judged,
    /// What is known about the goals.
    pub known: Cell,
    /// The same in a word, and by how much the mean misses the goal where runs are too few to be sure.
    pub goal: String,
    /// Why nothing is decided there: runs failed, or a goal's metric has no value.
    pub gap: Option<String>,
    /// Whether it is worse than at its left neighbour.
    pub got_worse: bool,
    /// The seed in which it is worse than at its left neighbour, where that is the worst such step along the axis.
    pub reversed: Option<u64>,
}

/// All policies at a point, in their order.
pub fn panel(view: &StudyView, slots: &[usize], metric: &str, point: usize) -> Vec<PanelRow> {
    let Some(measure) = Measure::of(view, metric) else { return Vec::new() };
    (0..view.policies.len()).map(|policy| panel_row(view, slots, &measure, policy, point)).collect()
}

fn panel_row(view: &StudyView, slots: &[usize], measure: &Measure<'_>, policy: usize, point: usize) -> PanelRow {
    let id = PointId { policy: policy as u32, point: point as u32 };
    let estimate = view.estimate(measure.info.key, policy, point);
    let paired = estimate.and_then(|estimate| estimate.against).filter(|_| policy > 0);
    let texts = paired.map(|paired| measure.paired(&paired));
    PanelRow {
        id,
        letter: letter(slots, policy),
        mean: estimate.map_or_else(|| elastiplan_text::format::DASH.into(), |estimate| measure.text(estimate.mean)),
        half: estimate.and_then(|estimate| measure.half(estimate)),
        paired: texts.as_ref().map(|(text, ..)| text.clone()),
        paired_half: texts.as_ref().and_then(|(_, half, _)| half.clone()),
        judged: texts.as_ref().map_or(Judged::Unclear, |(.., judged)| *judged),
        known: view.cells.get(view.at(policy, point)).copied().unwrap_or_default(),
        goal: verdict(view, id).into(),
        gap: view.gap_words(policy, point),
        got_worse: got_worse(view, id, measure.info.key),
        reversed: reversed(view, id, measure.info.key),
    }
}

/// The panel's rows as a table to copy: values in full.
pub fn panel_table(view: &StudyView, slots: &[usize], metric: &str, point: usize) -> Table {
    let Some(measure) = Measure::of(view, metric) else { return Table::default() };
    let key = measure.info.key;
    let columns = [
        ("Policy".to_string(), "policy".to_string()),
        (measure.info.label.into(), key.into()),
        ("95% within".into(), format!("{key}_half_width")),
        (format!("Paired, from {}", letter(slots, 0)), format!("{key}_paired")),
        ("Goal".into(), "goals".into()),
    ];
    let row = |row: PanelRow| {
        let estimate = view.estimate(metric, row.id.policy as usize, point);
        let half = estimate.and_then(|estimate| estimate.interval).map(|(low, high)| (high - low) / 2.0);
        let written = |value: Option<f64>, text: Option<String>| match (value, text) {
            (Some(value), Some(text)) => TableCell::Written(value, text),
            _ => TableCell::Missing,
        };
        vec![
            TableCell::Text(label(view, slots, row.id.policy as usize)),
            written(estimate.map(|estimate| estimate.mean), Some(row.mean)),
            written(half, row.half),
            written(estimate.and_then(|estimate| estimate.against).map(|against| against.mean), row.paired),
            TableCell::Text(row.goal),
        ]
    };
    Table::new(columns, panel(view, slots, metric, point).into_iter().map(row))
}

/// A row of the table twin: a value of the axis of the question, with all policies there.
#[derive(Clone, Debug, PartialEq)]
pub struct TwinRow {
    /// The point.
    pub point: u32,
    /// The value: `54`.
    pub shown: String,
    /// All policies there, in their order.
    pub cells: Vec<PanelRow>,
}

/// The table beside a curve through a point, as it is shown: a row for each value, a column for each policy.
pub fn twin(view: &StudyView, slots: &[usize], metric: &str, through: usize) -> Vec<TwinRow> {
    let Some(axis) = view.axes.get(view.find) else { return Vec::new() };
    let row = |(place, point): (usize, usize)| TwinRow {
        point: point as u32,
        shown: short(axis, place),
        cells: panel(view, slots, metric, point),
    };
    view.line(through, view.find).into_iter().enumerate().map(row).collect()
}

/// The values of a metric at a point for the head of a small curve: letter and value.
pub fn head_values(view: &StudyView, slots: &[usize], metric: &str, point: usize) -> Vec<(String, String)> {
    panel(view, slots, metric, point).into_iter().map(|row| (row.letter, row.mean)).collect()
}

/// With two axes: the smallest value for each policy by the values of the other axis, as a table. A smallest value that
/// is the first of all is `≤ 40`, one that is not decided yet `42 to 46?`, one beyond all `> 80`. Below five seeds it is the
/// smallest by means.
pub fn smallest_by(view: &StudyView, slots: &[usize], through: usize) -> Table {
    let Some(up) = second_axis(view) else { return Table::default() };
    let (Some(axis), Some(other)) = (view.axes.get(view.find), view.axes.get(up)) else { return Table::default() };
    let columns = (0..other.values.len()).map(|place| {
        let text = other.values.get(place).map_or("", |value| value.text.as_str());
        Column::from((short(other, place), format!("{}={text}", other.key)))
    });
    let first = Column::from((super::table::capital(&other.label), "policy".to_string()));
    let row = |policy: usize| -> Vec<TableCell> {
        let cell = |row: usize| {
            let line = view.line(row, view.find);
            let Some(answer) = view.answer_on(policy, &line) else { return TableCell::Missing };
            // With few seeds, means say what is likely.
            let by_means = means::answer(view, policy, &line).filter(|_| means::are_few(view));
            match by_means.filter(|_| answer.answer.is_none()) {
                Some(found) => {
                    let answer = found.map(|place| place as u32);
                    answer_cell(view, axis, &AnswerView { answer, bracket: None, is_settled: true, ..bare(policy) })
                }
                None => answer_cell(view, axis, answer),
            }
        };
        let name = TableCell::Text(label(view, slots, policy));
        std::iter::once(name).chain(view.line(through, up).into_iter().map(cell)).collect()
    };
    let rows = order_of(view, through, up).into_iter().map(row);
    Table::new(std::iter::once(first).chain(columns), rows)
}

/// An answer of a policy that says nothing.
fn bare(policy: usize) -> AnswerView {
    AnswerView {
        policy: policy as u32,
        line: Vec::new(),
        answer: None,
        bracket: None,
        isolated: Vec::new(),
        confirmed: None,
        is_settled: false,
        words: String::new(),
    }
}

fn answer_cell(view: &StudyView, axis: &super::AxisView, answer: &AnswerView) -> TableCell {
    let value = |place: u32| short(axis, place as usize);
    let last = axis.values.len().saturating_sub(1) as u32;
    let (end, at_end, beyond, below) = if view.is_largest { (last, "≥", 0, "<") } else { (0, "≤", last, ">") };
    match (answer.answer, answer.bracket) {
        (Some(at), _) => {
            let text = if at == end { format!("{at_end} {}", value(at)) } else { value(at) };
            match axis.values.get(at as usize).and_then(|value| value.number) {
                Some(number) => TableCell::Written(number, text),
                None => TableCell::Text(text),
            }
        }
        (None, Some((from, to))) if from == to => TableCell::Text(format!("{}?", value(from))),
        (None, Some((from, to))) => TableCell::Text(format!("{} to {}?", value(from), value(to))),
        (None, None) if answer.is_settled => TableCell::Text(format!("{below} {}", value(beyond))),
        (None, None) => TableCell::Missing,
    }
}

/// Policies by how small their answers are, summed over the other axis; without an answer counts as beyond all.
fn order_of(view: &StudyView, through: usize, up: usize) -> Vec<usize> {
    let last = view.axes.get(view.find).map_or(0, |axis| axis.values.len()) as u32;
    let sum = |policy: &usize| -> u32 {
        let answer = |row: usize| {
            let found = view.answer_on(*policy, &view.line(row, view.find)).and_then(|answer| answer.answer);
            if view.is_largest { found.map_or(last, |at| last - at.min(last)) } else { found.unwrap_or(last) }
        };
        view.line(through, up).into_iter().map(answer).sum()
    };
    let mut order: Vec<usize> = (0..view.policies.len()).collect();
    elastiplan_model::order::sort_by_key(&mut order, sum);
    order
}
