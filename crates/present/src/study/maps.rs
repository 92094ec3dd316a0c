//! Two axes: a map of a metric for each policy, with one scale for all, which parts at the goal.

use elastiplan_metrics::Better;

use super::names::{label, policy_name, tone};
use super::positions::cells;
use super::table::table;
use super::values::Measure;
use super::{Cell, StudyView};
use crate::figure::points::{Cells, MapCell, PointId};
use crate::figure::{Figure, Series, Shape};

/// The scale of colours that all maps of a metric share.
#[derive(Clone, Debug, PartialEq)]
pub struct MapScale {
    /// The worst value.
    pub worst: f64,
    /// The best one.
    pub best: f64,
    /// The limit of the goal; without one, colours part half way.
    pub goal: Option<f64>,
    /// The three as they are written.
    pub words: (String, String, Option<String>),
}

impl MapScale {
    /// The scale of a metric over all policies and both axes, the further axes with their values at a point. `None`
    /// where nothing is known yet.
    pub fn of(view: &StudyView, metric: &str, through: usize) -> Option<Self> {
        let measure = Measure::of(view, metric)?;
        let points = slice(view, through);
        let known = (0..view.policies.len()).flat_map(|policy| {
            points.iter().filter_map(move |(point, ..)| Some(view.estimate(metric, policy, *point)?.mean))
        });
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) =
            known.filter(|mean| mean.is_finite()).fold(none, |(low, high), mean| (low.min(mean), high.max(mean)));
        let is_higher = match measure.goal {
            Some(goal) => goal.is_least,
            None => measure.info.better != Better::Lower,
        };
        let (worst, best) = if is_higher { (low, high) } else { (high, low) };
        let goal = measure.goal.map(|goal| goal.limit);
        let words = (measure.cell_text(worst), measure.cell_text(best), measure.goal.map(|goal| goal.limit_text()));
        (low <= high).then_some(Self { worst, best, goal, words })
    }

    /// From -1 for the worst value over 0 at the goal to 1 for the best.
    pub fn shade(&self, value: f64) -> f64 {
        let goal = self.goal.unwrap_or((self.worst + self.best) / 2.0);
        let is_better = (value - goal) * (self.best - self.worst) >= 0.0;
        let end = if is_better { self.best } else { self.worst };
        let reach = (end - goal).abs();
        let share = if reach > 0.0 { ((value - goal).abs() / reach).min(1.0) } else { 0.0 };
        // What just misses the goal is on the side of what is worse.
        if is_better { share } else { -share.max(f64::MIN_POSITIVE) }
    }

    /// Where the goal lies from the worst value, 0, to the best, 1.
    pub fn goal_share(&self) -> Option<f64> {
        let reach = self.best - self.worst;
        let share = (self.goal? - self.worst) / reach;
        (reach != 0.0).then_some(share.clamp(0.0, 1.0))
    }
}

/// The map of a policy: the axis of the question across, the next one up, further ones with their values at a point.
pub fn heat(view: &StudyView, slots: &[usize], policy: usize, metric: &str, through: usize) -> Option<Figure> {
    let measure = Measure::of(view, metric)?;
    let scale = MapScale::of(view, metric, through);
    let across = view.axes.get(view.find)?;
    let up = second_axis(view).and_then(|axis| view.axes.get(axis));
    let cell = |(point, column, row): (usize, usize, usize)| {
        let estimate = view.estimate(metric, policy, point).filter(|estimate| estimate.mean.is_finite());
        let has_failed = view.cells.get(view.at(policy, point)) == Some(&Cell::Failed);
        let text = match estimate {
            Some(estimate) => measure.cell_text(estimate.mean),
            None if has_failed => "✕".into(),
            None => String::new(),
        };
        MapCell {
            id: PointId { policy: policy as u32, point: point as u32 },
            column: column as u32,
            row: row as u32,
            shade: estimate.zip(scale.as_ref()).map(|(estimate, scale)| scale.shade(estimate.mean)),
            text,
            meets: estimate.zip(measure.goal).map(|(estimate, goal)| goal.is_met_by(estimate.mean)),
        }
    };
    let map = Cells {
        columns: across.values.len() as u32,
        rows: up.map_or(1, |axis| axis.values.len()) as u32,
        cells: slice(view, through).into_iter().map(cell).collect(),
    };
    let name = policy_name(view, policy);
    let by = up.map_or(String::new(), |axis| format!("{} (up) and ", axis.label));
    let mut notes = vec![format!("By {by}{} (across)", across.label)];
    notes.extend(scale.map(|scale| match &scale.words {
        (worst, best, Some(goal)) => format!("Colours from {worst} to {best}; line: goal {goal}"),
        (worst, best, None) => format!("Colours from {worst} to {best}"),
    }));
    Some(Figure {
        name: format!("study-{metric}-{name}"),
        title: format!("{}, {name}", measure.title()),
        summary: format!("{} under {name}, by {by}{} (across)", measure.info.label, across.label),
        x: cells(across),
        y: up.map(cells).unwrap_or_default(),
        series: vec![Series { label: label(view, slots, policy), tone: tone(slots, policy), shape: Shape::Cells(map) }],
        notes,
        table: table(view, metric),
        ..Figure::default()
    })
}

/// The axis that goes up in maps: the first that is not that of the question.
pub fn second_axis(view: &StudyView) -> Option<usize> {
    (0..view.axes.len()).find(|axis| *axis != view.find)
}

/// The points of a map with their columns and rows.
fn slice(view: &StudyView, through: usize) -> Vec<(usize, usize, usize)> {
    let rows = match second_axis(view) {
        Some(axis) => view.line(through, axis),
        None => vec![through],
    };
    let row = |(row, first): (usize, usize)| {
        view.line(first, view.find).into_iter().enumerate().map(move |(column, point)| (point, column, row))
    };
    rows.into_iter().enumerate().flat_map(row).collect()
}
