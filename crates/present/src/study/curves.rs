//! A metric along the axis of the question, a curve for each policy.

use elastiplan_metrics::Unit;

use super::names::{label, tone};
use super::positions::{across, position};
use super::table::table;
use super::values::Measure;
use super::{AxisView, StudyView};
use crate::figure::axis::{Axis, Scale, Tick};
use crate::figure::points::{Curve, CurvePoint, CurveStyle, PointId, PointMark};
use crate::figure::{Figure, Guide, Series, Shape};

/// Small curves beside the large one.
pub const MULTIPLES: usize = 4;
/// A band reaches this part of the range of the means beyond it at most; the rest is cut off.
const BAND_BEYOND: f64 = 0.25;
/// Metrics of small curves, the most useful first.
pub const SMALL: [&str; 10] = [
    "avg_jct_s",
    "p95_queueing_s",
    "cost_dollars",
    "gpu_utilization",
    "job_drop_ratio",
    "deadline_satisfactory_ratio",
    "p95_jct_s",
    "makespan_s",
    "avg_queueing_s",
    "rescale_count",
];

/// The large curve of a metric through a point: the other axes keep its values. `slots` has the slot of each policy's
/// run in the list of runs. `None` for a metric that is not known.
pub fn curves(view: &StudyView, slots: &[usize], metric: &str, through: usize) -> Option<Figure> {
    with_table(view, metric, drawn_curves(view, slots, metric, through, CurveStyle::Large)?)
}

/// The same as a small picture without points and names, and without a goal.
pub fn small_curves(view: &StudyView, slots: &[usize], metric: &str, through: usize) -> Option<Figure> {
    with_table(view, metric, drawn_curves(view, slots, metric, through, CurveStyle::Small)?)
}

fn with_table(view: &StudyView, metric: &str, figure: Figure) -> Option<Figure> {
    Some(Figure { table: table(view, metric), ..figure })
}

/// The metrics of the small curves: those that the large one does not show, chosen by what the goals do not ask already.
pub fn multiples<'a>(view: &'a StudyView, large: &str) -> Vec<&'a str> {
    let is_asked = |key: &str| view.goals.iter().any(|goal| goal.metric == key);
    let known = || {
        let rank = |key: &str| SMALL.iter().position(|small| *small == key);
        let mut known: Vec<&str> = view.metrics.iter().map(|metric| metric.key.as_str()).collect();
        known.retain(|key| *key != large && rank(key).is_some() && has_values(view, key));
        elastiplan_model::order::sort_by_key(&mut known, |key| rank(key));
        known
    };
    // A metric that is the same everywhere is a line that says nothing.
    let (mut chosen, mut flat): (Vec<&str>, Vec<&str>) = known().into_iter().partition(|key| differs(view, key));
    for keys in [&mut chosen, &mut flat] {
        elastiplan_model::order::sort_by_key(keys, |key| u8::from(is_asked(key)));
    }
    chosen.into_iter().chain(flat).take(MULTIPLES).collect()
}

/// Whether a metric has more than one value.
fn differs(view: &StudyView, key: &str) -> bool {
    let estimates = view.metric(key).map_or(&[][..], |metric| &metric.estimates);
    let mut means = estimates.iter().flatten().map(|estimate| estimate.mean);
    means.next().is_some_and(|first| means.any(|mean| mean != first))
}

fn has_values(view: &StudyView, key: &str) -> bool {
    view.metric(key).is_some_and(|metric| metric.estimates.iter().any(Option::is_some))
}

/// Curves in a style without their [`table`], which costs more than all that is drawn: for a screen that changes several
/// times a second and shows the table when it is asked for.
pub fn drawn_curves(
    view: &StudyView,
    slots: &[usize],
    metric: &str,
    through: usize,
    style: CurveStyle,
) -> Option<Figure> {
    let measure = Measure::of(view, metric)?;
    let axis = view.axes.get(view.find)?;
    let line = view.line(through, view.find);
    let series: Vec<Series> = (0..view.policies.len())
        .map(|policy| Series {
            label: label(view, slots, policy),
            tone: tone(slots, policy),
            shape: Shape::Curve(Curve { style, points: points(view, &measure, axis, policy, &line, style) }),
        })
        .collect();
    let goal = measure.goal.filter(|_| style == CurveStyle::Large);
    let guides = goal.map(|goal| {
        let short = goal.limit_text();
        Guide::Goal { value: measure.drawn(goal.limit), label: format!("goal {short}"), short }
    });
    let y = up(&measure, &series, goal.map(|goal| measure.drawn(goal.limit)));
    let x = across(axis);
    let caption = if style == CurveStyle::Large && !ends_with_unit(axis) { axis.label.clone() } else { String::new() };
    let has_bands = |series: &Series| match &series.shape {
        Shape::Curve(curve) => curve.points.iter().any(|point| point.band.is_some()),
        _ => false,
    };
    let has_bands = series.iter().any(has_bands);
    Some(Figure {
        name: format!("study-{metric}"),
        title: measure.title(),
        summary: summary(view, &measure, axis, has_bands),
        x: x.captioned(caption),
        y,
        series,
        guides: guides.into_iter().collect(),
        notes: has_bands.then(|| "Bands: 95% intervals, each point by itself".to_string()).into_iter().collect(),
        ..Figure::default()
    })
}

/// Whether labels of values say what is counted.
fn ends_with_unit(axis: &AxisView) -> bool {
    axis.key == "cluster.nodes"
}

fn points(
    view: &StudyView,
    measure: &Measure<'_>,
    axis: &AxisView,
    policy: usize,
    line: &[usize],
    style: CurveStyle,
) -> Vec<CurvePoint> {
    let answer = view.answer_on(policy, line).and_then(|answer| answer.answer);
    let got_worse = |point: usize| {
        let is_this = |worse: &super::WorseView| {
            (worse.policy as usize, worse.point as usize) == (policy, point) && worse.metric == measure.info.key
        };
        style == CurveStyle::Large && view.worse.iter().any(is_this)
    };
    let each = |(place, point): (usize, &usize)| {
        let estimate = view.estimate(measure.info.key, policy, *point);
        let is_gap = style == CurveStyle::Large && view.has_gap(policy, *point);
        let mark = match (style, answer == Some(place as u32)) {
            _ if is_gap => PointMark::Gap,
            (CurveStyle::Large, true) => PointMark::Answer,
            (CurveStyle::Large, false) => PointMark::Hollow,
            _ => PointMark::Plain,
        };
        CurvePoint {
            id: PointId { policy: policy as u32, point: *point as u32 },
            x: position(axis, place),
            y: estimate.map(|estimate| measure.drawn(estimate.mean)).filter(|y| y.is_finite()),
            band: estimate
                .and_then(|estimate| estimate.interval)
                .map(|interval| measure.info.within_range(interval))
                .map(|(low, high)| (measure.drawn(low), measure.drawn(high))),
            mark,
            got_worse: got_worse(*point),
        }
    };
    // A line passes over points whose first run is still to come, and breaks at those that have no value.
    let is_begun = |point: usize| view.seeds.get(policy * view.points() + point).is_none_or(|runs| *runs > 0);
    line.iter().enumerate().filter(|(_, point)| is_begun(**point)).map(each).collect()
}

/// The axis up: about all means and the goal, with room for bands.
fn up(measure: &Measure<'_>, series: &[Series], goal: Option<f64>) -> Axis {
    let points = || {
        series.iter().flat_map(|series| match &series.shape {
            Shape::Curve(curve) => curve.points.as_slice(),
            _ => &[],
        })
    };
    let ends = |(low, high): (f64, f64), value: f64| (low.min(value), high.max(value));
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = points().filter_map(|point| point.y).chain(goal).fold(none, ends);
    let beyond = (high - low).max(0.0) * BAND_BEYOND;
    let bands = points().filter_map(|point| point.band).flat_map(|(from, to)| [from, to]);
    let bands =
        bands.filter(|end| end.is_finite()).map(|end| end.clamp(low - beyond, (high + beyond).max(low - beyond)));
    let (low, high) = if low <= high { bands.fold((low, high), ends) } else { (0.0, 1.0) };
    // Nothing that is measured here is below 0, though an interval may be.
    let low = if measure.info.unit == Unit::Jobs { low } else { low.max(0.0) };
    let high = if measure.info.unit == Unit::Ratio { high.min(100.0) } else { high };
    let axis = Axis::about(measure.scale(), low, high.max(low));
    match (axis.scale, axis.from, axis.to) {
        (Scale::Percent, 0.0, 100.0) => {
            let tick = |fifth: u32| {
                let value = f64::from(fifth) * 20.0;
                Tick { value, label: format!("{value}%") }
            };
            axis.named((0..=5).map(tick).collect())
        }
        _ => axis,
    }
}

fn summary(view: &StudyView, measure: &Measure<'_>, axis: &AxisView, has_bands: bool) -> String {
    let last = axis.values.len().saturating_sub(1);
    let (from, to) = (super::names::short(axis, 0), super::names::whole(axis, last));
    let policies = elastiplan_text::words::counted(view.policies.len() as u64, "policy", "policies");
    let bands = if has_bands { ", with bands of 95% confidence" } else { "" };
    let range = if last == 0 { to } else { format!("{from} to {to}") };
    format!("{} at {range} under {policies}{bands}. {}", measure.info.label, view.words.headline)
}
