//! Three axes and more: parallel axes, what was varied left and what came of it right, a line for each point and policy.

use elastiplan_model::order;
use elastiplan_scene::{Frame, Point};

use super::StudyView;
use super::names::{label, short, tone};
use super::positions::{across, position};
use super::table::{capital, points_table};
use super::values::Measure;
use crate::drawing::dots::place;
use crate::figure::axis::{Axis, Scale, Tick};
use crate::figure::points::{Curve, CurvePoint, CurveStyle, ParallelAxis, PointId, PointMark};
use crate::figure::{Figure, Guide, Series, Shape, Tone};

/// Lines at most; of more points, every so many are drawn.
const LINES_MAX: usize = 2_000;
/// Results at most.
const RESULTS_MAX: usize = 3;
/// A pointer means an axis from this far.
const REACH_PX: f64 = 24.0;
/// A pointer that moves less up or down is a click.
const DRAG_PX: f64 = 4.0;
/// Keys move an end of a chosen part of a result by this part of its axis.
const RESULT_STEPS: u32 = 20;
/// The height of a plot for which labels are chosen.
const HEIGHT_PX: f64 = 260.0;

/// A part of a parallel axis that was chosen, from its foot, 0, to its head, 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brush {
    /// The axis, from the left.
    pub axis: usize,
    /// The lower end.
    pub from: f64,
    /// The upper end.
    pub to: f64,
}

impl Brush {
    /// The part of an axis between two places of a pointer, the first of which is near it; `None` beside all axes, and for
    /// less than a few pixels.
    pub fn between(figure: &Figure, plot: &Frame, from: Point, to: Point) -> Option<Self> {
        let axes = parallel_axes(figure).map(|axis| place(figure, plot, (axis.x, 0.0)).x);
        let near = axes.enumerate().map(|(axis, x)| (axis, (x - from.x).abs()));
        let (axis, far) = near.min_by(|a, b| a.1.total_cmp(&b.1))?;
        if far > REACH_PX || (to.y - from.y).abs() < DRAG_PX {
            return None;
        }
        // About an end of the axis is meant to be that end.
        let share = |at: Point| match at.y {
            y if y <= plot.top + DRAG_PX => 1.0,
            y if y >= plot.bottom() - DRAG_PX => 0.0,
            y => (plot.bottom() - y) / plot.height,
        };
        let [one, other] = [from, to].map(share);
        Some(Self { axis, from: one.min(other), to: one.max(other) })
    }
}

/// Where a key moves an end of a chosen part of a parallel axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndMove {
    /// So many stops up, or down.
    By(i32),
    /// As far down as it goes.
    First,
    /// As far up as it goes.
    Last,
    /// The whole axis is chosen again.
    Whole,
}

impl Brush {
    /// Whether it leaves nothing out.
    pub fn is_whole(&self) -> bool {
        self.from <= 0.0 && self.to >= 1.0
    }

    /// The part of an axis after a key has moved one of its ends; the whole axis has ends at its foot and head. Neither
    /// end passes the other. `None` for an axis that is not there.
    pub fn with_end_moved(figure: &Figure, axis: usize, is_upper: bool, how: EndMove) -> Option<Self> {
        let of = parallel_axes(figure).nth(axis)?;
        let (from, to) = of.chosen.unwrap_or((0.0, 1.0));
        let (low, high) = if is_upper { (from, 1.0) } else { (0.0, to) };
        let now = if is_upper { to } else { from };
        let stops = || of.stops.iter().map(|stop| stop.value).filter(|stop| (low - 1e-9..=high + 1e-9).contains(stop));
        let end = match how {
            EndMove::Whole => return Some(Self { axis, from: 0.0, to: 1.0 }),
            EndMove::First => stops().next().unwrap_or(now),
            EndMove::Last => stops().next_back().unwrap_or(now),
            EndMove::By(steps) => {
                let is_ahead = |stop: &f64| if steps > 0 { *stop > now + 1e-9 } else { *stop < now - 1e-9 };
                let mut ahead: Vec<f64> = stops().filter(is_ahead).collect();
                if steps < 0 {
                    ahead.reverse();
                }
                let far = ahead.len().min(steps.unsigned_abs() as usize);
                far.checked_sub(1).and_then(|at| ahead.get(at)).copied().unwrap_or(now)
            }
        };
        Some(if is_upper { Self { axis, from, to: end } } else { Self { axis, from: end, to } })
    }
}

/// The parallel axes of a figure, from the left.
pub fn parallel_axes(figure: &Figure) -> impl Iterator<Item = &ParallelAxis> {
    figure.guides.iter().filter_map(|guide| match guide {
        Guide::Parallel(axis) => Some(axis),
        _ => None,
    })
}

/// What a brush chooses, in words: `nodes 4 to 8`, `Deadlines met 90% to 100%`; `None` for an axis that is not there.
pub fn brush_words(view: &StudyView, brush: &Brush) -> Option<String> {
    if let Some(axis) = view.axes.get(brush.axis) {
        let scale = across(axis);
        let is_in =
            |place: &usize| (brush.from - 1e-9..=brush.to + 1e-9).contains(&scale.share(position(axis, *place)));
        let places: Vec<usize> = (0..axis.values.len()).filter(is_in).collect();
        return Some(match places.as_slice() {
            [] => format!("{}: no value", capital(&axis.label)),
            [only] => format!("{} {}", capital(&axis.label), short(axis, *only)),
            [first, .., last] => format!("{} {} to {}", capital(&axis.label), short(axis, *first), short(axis, *last)),
        });
    }
    let results = results(view);
    let measure = results.get(brush.axis - view.axes.len())?;
    let axis = result_axis(view, measure);
    let [from, to] = [brush.from, brush.to].map(|share| axis.scale.words(axis.value(share)));
    Some(format!("{} {from} to {to}", measure.info.label))
}

/// A line across all axes: where it crosses each.
struct Line {
    id: PointId,
    heights: Vec<Option<f64>>,
}

/// Lines that pass through all brushes in the colours of their runs, the others grey; all in colour without brushes.
pub fn parallel(view: &StudyView, slots: &[usize], brushes: &[Brush]) -> Figure {
    let results = results(view);
    let scales: Vec<(&Measure<'_>, Axis)> =
        results.iter().map(|measure| (measure, result_axis(view, measure))).collect();
    let each = view.points().div_ceil((LINES_MAX / view.policies.len().max(1)).max(1)).max(1);
    // Point by point, so that no policy hides all of another.
    let lines = (0..view.points()).step_by(each).flat_map(|point| {
        (0..view.policies.len()).map(move |policy| PointId { policy: policy as u32, point: point as u32 })
    });
    let lines = lines.map(|id| Line { id, heights: heights(view, &scales, id) });
    let known = lines.filter(|line| line.heights.iter().skip(view.axes.len()).any(Option::is_some));
    let is_chosen = |line: &Line| {
        brushes.iter().all(|brush| {
            let height = line.heights.get(brush.axis).copied().flatten();
            height.is_some_and(|height| (brush.from - 1e-9..=brush.to + 1e-9).contains(&height))
        })
    };
    let (chosen, others): (Vec<Line>, Vec<Line>) = known.partition(is_chosen);
    // The first series lies on top.
    let in_colour = chosen.into_iter().map(|line| series(view, slots, line, true));
    let grey: Vec<Series> = others.into_iter().map(|line| series(view, slots, line, false)).collect();
    let series: Vec<Series> = in_colour.chain(grey).collect();
    let key = (0..view.policies.len()).map(|policy| (tone(slots, policy), label(view, slots, policy)));
    let last = (view.axes.len() + results.len()).saturating_sub(1).max(1) as f64;
    Figure {
        name: "study-points".into(),
        title: "All points".into(),
        summary: format!("A line for each of {} points, across {} axes", series.len(), last + 1.0),
        // Half a step left of the first axis for its labels.
        x: Axis { scale: Scale::Number, from: -0.35, to: last, named: vec![blank()], ..Axis::default() },
        y: Axis { scale: Scale::Number, to: 1.0, named: vec![blank()], ..Axis::default() },
        series,
        guides: guides(view, &scales, brushes),
        key: key.collect(),
        notes: (each > 1).then(|| format!("One of {each} points is drawn")).into_iter().collect(),
        table: points_table(view),
        ..Figure::default()
    }
}

/// A label that is none: parallel axes have their own.
fn blank() -> Tick {
    Tick { value: 0.0, label: String::new() }
}

/// The metrics of the right axes: those of the goals, then cost and mean completion.
fn results(view: &StudyView) -> Vec<Measure<'_>> {
    let goals = view.goals.iter().map(|goal| goal.metric.as_str());
    let mut keys: Vec<&str> = Vec::new();
    for key in goals.chain(["cost_dollars", "avg_jct_s", "gpu_utilization", "p95_queueing_s"]) {
        let is_known = view.metric(key).is_some_and(|metric| metric.estimates.iter().any(Option::is_some));
        if is_known && !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys.into_iter().take(RESULTS_MAX).filter_map(|key| Measure::of(view, key)).collect()
}

fn result_axis(view: &StudyView, measure: &Measure<'_>) -> Axis {
    let estimates = view.metric(measure.info.key).map_or(&[][..], |metric| &metric.estimates);
    let means = estimates.iter().flatten().map(|estimate| measure.drawn(estimate.mean)).filter(|mean| mean.is_finite());
    let (low, high) =
        means.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), mean| (low.min(mean), high.max(mean)));
    Axis::about(measure.scale(), low, high)
}

fn heights(view: &StudyView, scales: &[(&Measure<'_>, Axis)], id: PointId) -> Vec<Option<f64>> {
    let places = view.places(id.point as usize);
    let varied = view.axes.iter().zip(places).map(|(axis, place)| Some(across(axis).share(position(axis, place))));
    let results = scales.iter().map(|(measure, scale)| {
        let estimate = view.estimate(measure.info.key, id.policy as usize, id.point as usize)?;
        Some(scale.share(measure.drawn(estimate.mean))).filter(|share| share.is_finite())
    });
    varied.chain(results).collect()
}

fn series(view: &StudyView, slots: &[usize], line: Line, is_chosen: bool) -> Series {
    let policy = line.id.policy as usize;
    let point = |(at, y): (usize, Option<f64>)| CurvePoint {
        id: line.id,
        x: at as f64,
        y,
        band: None,
        mark: PointMark::Plain,
        got_worse: false,
    };
    let points = line.heights.iter().copied().enumerate().map(point).collect();
    Series {
        label: label(view, slots, policy),
        tone: if is_chosen { tone(slots, policy) } else { Tone::Equal },
        shape: Shape::Curve(Curve { style: CurveStyle::Path, points }),
    }
}

fn guides(view: &StudyView, scales: &[(&Measure<'_>, Axis)], brushes: &[Brush]) -> Vec<Guide> {
    let chosen = |at: usize| brushes.iter().find(|brush| brush.axis == at).map(|brush| (brush.from, brush.to));
    let varied = view.axes.iter().enumerate().map(|(at, axis)| {
        let scale = across(axis);
        let tick = |place: usize| Tick { value: scale.share(position(axis, place)), label: short(axis, place) };
        let ticks = Axis { scale: Scale::Number, to: 1.0, ..Axis::default() }
            .named((0..axis.values.len()).map(tick).collect())
            .ticks_up(HEIGHT_PX);
        let mut stops: Vec<Tick> = (0..axis.values.len()).map(tick).collect();
        order::sort_by_number(&mut stops, |stop| stop.value);
        ParallelAxis { x: at as f64, name: capital(&axis.label), ticks, stops, is_result: false, chosen: chosen(at) }
    });
    let results = scales.iter().enumerate().map(|(at, (measure, scale))| {
        let tick = |tick: Tick| Tick { value: scale.share(tick.value), ..tick };
        let ticks = scale.ticks_up(HEIGHT_PX).into_iter().map(tick).collect();
        let place = view.axes.len() + at;
        let stop = |step: u32| {
            let share = f64::from(step) / f64::from(RESULT_STEPS);
            Tick { value: share, label: scale.scale.words(scale.value(share)) }
        };
        let stops = (0..=RESULT_STEPS).map(stop).collect();
        let name = measure.info.label.into();
        ParallelAxis { x: place as f64, name, ticks, stops, is_result: true, chosen: chosen(place) }
    });
    varied.chain(results).map(Guide::Parallel).collect()
}
