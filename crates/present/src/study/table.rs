//! Studies as tables: a metric at all points, all metrics at all points, the front.

use elastiplan_metrics::Metrics;
use elastiplan_text::format;

use super::front::trades;
use super::steps::is_known;
use super::values::Measure;
use super::{Cell as Known, StudyView};
use crate::figure::points::PointId;
use crate::figure::table::{Cell, Column, Table};

/// A metric at all points: mean, interval, difference from the baseline seed by seed, what is known about the goals, and
/// whether it is worse than at the left neighbour. A row for each point and policy with runs.
pub fn table(view: &StudyView, metric: &str) -> Table {
    let Some(measure) = Measure::of(view, metric) else { return Table::default() };
    let (label, key) = (measure.info.label, measure.info.key);
    let heads = [
        ("Policy".into(), "policy".into()),
        ("Seeds".into(), "seeds".into()),
        (label.to_string(), key.to_string()),
        ("95% from".into(), format!("{key}_low")),
        ("to".into(), format!("{key}_high")),
        (
            format!("Against {}", view.policies.first().map_or("", String::as_str)),
            format!("{key}_{}", against(view, key)),
        ),
        ("95% from".into(), format!("{key}_{}_low", against(view, key))),
        ("to".into(), format!("{key}_{}_high", against(view, key))),
        ("Goals".into(), "goals".into()),
        ("Got worse".into(), "got_worse".into()),
        ("Worst in seed".into(), "got_worse_in_seed".into()),
        ("Why not decided".into(), "gap".into()),
    ];
    let columns = axis_columns(view).chain(heads.into_iter().map(Column::from));
    let row = |id: PointId| {
        let (policy, at) = (id.policy as usize, id.point as usize);
        let estimate = view.estimate(metric, policy, at);
        let value = |value: Option<f64>| value.map_or(Cell::Missing, |value| Cell::Written(value, measure.text(value)));
        let paired = estimate.and_then(|estimate| estimate.against);
        let difference = paired.map_or(Cell::Missing, |paired| Cell::Written(paired.mean, measure.paired(&paired).0));
        let end = |end: Option<f64>| {
            let is_ratio = paired.is_some_and(|paired| paired.is_ratio);
            end.map_or(Cell::Missing, |end| Cell::Written(end, measure.difference_text(end, is_ratio)))
        };
        let seeds = estimate.map_or(0, |estimate| estimate.n);
        let interval = estimate.and_then(|estimate| estimate.interval);
        // Texts are within what is possible; numbers are those of the statistics.
        let shown = interval.map(|interval| measure.info.within_range(interval));
        let bound = |end: Option<f64>, shown: Option<f64>| {
            end.zip(shown).map_or(Cell::Missing, |(end, shown)| Cell::Written(end, measure.text(shown)))
        };
        let cells = [
            Cell::Text(view.policies.get(policy).cloned().unwrap_or_default()),
            Cell::Number(f64::from(seeds)),
            value(estimate.map(|estimate| estimate.mean)),
            bound(interval.map(|(low, _)| low), shown.map(|(low, _)| low)),
            bound(interval.map(|(_, high)| high), shown.map(|(_, high)| high)),
            difference,
            end(paired.map(|paired| paired.low)),
            end(paired.map(|paired| paired.high)),
            Cell::Text(verdict(view, id).into()),
            Cell::Text(if got_worse(view, id, key) { "yes" } else { "" }.into()),
            reversed(view, id, key).map_or(Cell::Missing, |seed| Cell::Written(seed as f64, seed.to_string())),
            Cell::Text(view.gap_words(policy, at).unwrap_or_default()),
        ];
        axis_cells(view, at).chain(cells).collect()
    };
    Table::new(columns, known(view).map(row))
}

/// A metric at all points as a table to be read on paper: a row for each point, a column for each policy, means with their
/// 95% intervals. Heads first.
pub fn side_by_side(view: &StudyView, metric: &str) -> Vec<Vec<String>> {
    let Some(measure) = Measure::of(view, metric) else { return Vec::new() };
    let cell = |policy: usize, at: usize| match view.estimate(metric, policy, at) {
        Some(estimate) if estimate.mean.is_finite() => {
            let interval = estimate.interval.map(|interval| measure.info.within_range(interval));
            let interval = interval.map(|(low, high)| format!(" ({} to {})", measure.text(low), measure.text(high)));
            format!("{}{}", measure.text(estimate.mean), interval.unwrap_or_default())
        }
        _ => format::DASH.into(),
    };
    let mut points: Vec<usize> = Vec::new();
    for id in known(view) {
        if !points.contains(&(id.point as usize)) {
            points.push(id.point as usize);
        }
    }
    let heads = axis_columns(view).map(|column| column.label).chain(view.policies.iter().cloned());
    let row = |at: &usize| {
        let values = (0..view.policies.len()).map(|policy| cell(policy, *at));
        axis_cells(view, *at).map(|cell| cell.words()).chain(values).collect()
    };
    std::iter::once(heads.collect()).chain(points.iter().map(row)).collect()
}

/// All metrics at all points, a row for each point and policy.
pub fn points_table(view: &StudyView) -> Table {
    let head = |key: &str| (Metrics::info(key).map_or(key, |info| info.label).to_string(), key.to_string());
    let metrics = || view.metrics.iter().map(|metric| metric.key.as_str());
    let heads = [("Policy".to_string(), "policy".to_string())].into_iter().chain(metrics().map(head));
    let columns = axis_columns(view).chain(heads.map(Column::from));
    let row = |id: PointId| {
        let (policy, at) = (id.policy as usize, id.point as usize);
        let value = |key: &str| match (view.estimate(key, policy, at), Measure::of(view, key)) {
            (Some(estimate), Some(measure)) => Cell::Written(estimate.mean, measure.text(estimate.mean)),
            _ => Cell::Missing,
        };
        let name = Cell::Text(view.policies.get(policy).cloned().unwrap_or_default());
        axis_cells(view, at).chain([name]).chain(metrics().map(value)).collect()
    };
    Table::new(columns, known(view).map(row))
}

/// The points of the front and the others along the axis of the question: cost, what is missed, and whether a point is
/// on the front.
pub fn front_table(view: &StudyView, through: usize) -> Table {
    let heads = [("Policy", "policy"), ("Cost", "cost"), ("Missed", "missed"), ("On the front", "is_on_front")];
    let columns = axis_columns(view).chain(heads.into_iter().map(Column::from));
    let row = |trade: super::front::Trade| {
        let cells = [
            Cell::Text(view.policies.get(trade.id.policy as usize).cloned().unwrap_or_default()),
            Cell::Number(trade.cost),
            Cell::Number(trade.missed),
            Cell::Text(if trade.is_on_front { "yes" } else { "" }.into()),
        ];
        axis_cells(view, trade.id.point as usize).chain(cells).collect()
    };
    Table::new(columns, trades(view, through).into_iter().map(row))
}

/// What is known about the goals at a point, in a word; nothing without goals.
pub fn verdict(view: &StudyView, id: PointId) -> &'static str {
    let known = view.cells.get(view.at(id.policy as usize, id.point as usize));
    match known {
        Some(Known::Failed) => "failed",
        Some(Known::NoValue) => "no value",
        Some(Known::Open) if view.has_gap(id.policy as usize, id.point as usize) => "open, some failed",
        _ if view.goals.is_empty() => "",
        Some(Known::Meets) => "meets",
        Some(Known::Misses) => "misses",
        Some(Known::Open) => "open",
        Some(Known::Unknown) | None => "",
    }
}

/// Whether a metric at a point is worse than at its left neighbour, with confidence.
pub fn got_worse(view: &StudyView, id: PointId, metric: &str) -> bool {
    let is_this =
        |worse: &super::WorseView| (worse.policy, worse.point, worse.metric.as_str()) == (id.policy, id.point, metric);
    view.worse.iter().any(is_this)
}

/// The seed in which a point is worse than its left neighbour, if of all points along the axis it is worst there.
pub fn reversed(view: &StudyView, id: PointId, metric: &str) -> Option<u64> {
    let is_this = |of: &&super::WorseView| (of.policy, of.point, of.metric.as_str()) == (id.policy, id.point, metric);
    view.reversals.iter().find(is_this).map(|of| of.seed_number)
}

/// Points with runs, policy by policy at each point.
fn known(view: &StudyView) -> impl Iterator<Item = PointId> + '_ {
    let policies = view.policies.len() as u32;
    let ids =
        (0..view.points() as u32).flat_map(move |point| (0..policies).map(move |policy| PointId { policy, point }));
    ids.filter(|id| is_known(view, *id))
}

fn axis_columns(view: &StudyView) -> impl Iterator<Item = Column> + '_ {
    view.axes.iter().map(|axis| Column::from((capital(&axis.label), axis.key.clone())))
}

fn axis_cells(view: &StudyView, point: usize) -> impl Iterator<Item = Cell> + '_ {
    let value = |(axis, place): (&super::AxisView, usize)| match axis.values.get(place) {
        Some(value) => value.number.map_or(Cell::Text(value.text.clone()), |n| Cell::Written(n, value.shown.clone())),
        None => Cell::Missing,
    };
    view.axes.iter().zip(view.places(point)).map(value)
}

/// Whether differences of a metric are ratios, as a part of the keys of columns.
fn against(view: &StudyView, metric: &str) -> &'static str {
    let estimates = view.metric(metric).into_iter().flat_map(|metric| metric.estimates.iter().flatten());
    let is_ratio = estimates.filter_map(|estimate| estimate.against).any(|against| against.is_ratio);
    if is_ratio { "ratio" } else { "difference" }
}

/// The same with a capital letter.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
