//! The layout of a figure, in CSS pixels.

use elastiplan_scene::{Frame, Point, TextSize, shortened};
use elastiplan_text::format;

use crate::drawing::dots::place;
use crate::drawing::hexes::is_dense;
use crate::drawing::labels::{self, Placed};
use crate::drawing::labels_of_curves;
use crate::drawing::reading::badge_of;
use crate::drawing::thin::thinned;
use crate::figure::axis::Scale;
use crate::figure::points::{Curve, CurveStyle};
use crate::figure::{Figure, Guide, Series, Shape, Tone};
use crate::study::parallel_axes;

/// Labels left of the plot.
const LEFT_PX: f64 = 30.0;
/// The share of the width that names left of bars take at most.
const LEFT_SHARE: f64 = 0.4;
/// Room right of it, for half a label.
const RIGHT_PX: f64 = 12.0;
/// Room right of a large curve from this width on: for the name of its goal, and answers beside a strip below it.
const WIDE_PX: f64 = 560.0;
const OUTSIDE_PX: f64 = 124.0;
/// Room right of parallel axes, for half of a name, at least.
const PARALLEL_PX: f64 = 44.0;
/// Room above a large curve, for a name.
const OVER_PX: f64 = 14.0;
/// The height of a plot for which labels of the axis up are measured.
const REFERENCE_PX: f64 = 220.0;
/// Room above it, for half a label.
const TOP_PX: f64 = 8.0;
/// Labels below it.
const BOTTOM_PX: f64 = 20.0;
/// A line of words below those, and a row of the key above the plot.
const CAPTION_PX: f64 = 16.0;
/// A title, where there is one.
const TITLE_PX: f64 = 26.0;
/// A line of small print, and what is between it and the rest.
const PRINT_PX: f64 = 12.0;
const PRINT_GAP_PX: f64 = 6.0;
/// From the mark of a name in the key to the name, and from a name to the next mark.
pub const KEY_MARK_PX: f64 = 22.0;
const KEY_GAP_PX: f64 = 14.0;
/// A name in the key at most.
const KEY_NAME_PX: f64 = 190.0;

/// A name in the key, with the place of its mark's left end.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyItem {
    /// The colour that it names; `None` for the darkness of hexagons.
    pub tone: Option<Tone>,
    /// The name, as much of it as there is room for.
    pub words: String,
    /// The left end of the mark, at its middle.
    pub at: Point,
}

/// Where the parts of a figure lie.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The plot.
    pub plot: Frame,
    /// Names of colours, above it.
    pub key: Vec<KeyItem>,
    /// Names beside lines: whole, or letters alone where the key has the names.
    pub names: Vec<Placed>,
}

impl Layout {
    /// The layout on a picture of this size. `print_lines`: lines of small print below a picture that stands alone, with
    /// a title and notes of its own; `None` on the page, which has them beside.
    pub fn of(figure: &Figure, (width, height): (f64, f64), print_lines: Option<usize>) -> Self {
        let (left, captions) = (left_px(figure, width), if has_captions(figure) { CAPTION_PX } else { 0.0 });
        let (title, below) = match print_lines {
            Some(lines) => (TITLE_PX, figure.notes.len() as f64 * CAPTION_PX + print_px(lines)),
            None => (0.0, 0.0),
        };
        let (right, over) = (right_px(figure, width), over_px(figure));
        let width = plot_width(width, left, right);
        let frame = |key_px: f64| {
            let top = TOP_PX + title + over + key_px;
            Frame { left, top, width, height: (height - top - (BOTTOM_PX + captions + below)).max(1.0).floor() }
        };
        let plot = frame(0.0);
        let whole: Vec<String> = figure.series.iter().map(|series| series.label.clone()).collect();
        let names = place_names(figure, &whole, &plot);
        let is_named = names.len() == figure.series.iter().filter(|series| is_named_line(series)).count();
        let (key, rows) = rows_of(key_names(figure, is_named), &plot, TOP_PX + title);
        if rows == 0 {
            return Self { plot, key, names };
        }
        let plot = frame(rows as f64 * CAPTION_PX);
        let letters: Vec<String> =
            figure.series.iter().map(|series| badge_of(series.tone, &series.label).to_string()).collect();
        let names = place_names(figure, &letters, &plot);
        Self { plot, key, names }
    }
}

/// The frame of the plot on the page.
pub fn plot_frame(figure: &Figure, size: (f64, f64)) -> Frame {
    Layout::of(figure, size, None).plot
}

/// The room left and right of the plot in a picture of this width.
pub fn beside_plot_px(figure: &Figure, width: f64) -> (f64, f64) {
    let (left, right) = (left_px(figure, width), right_px(figure, width));
    (left, width - left - plot_width(width, left, right))
}

fn plot_width(width: f64, left: f64, right: f64) -> f64 {
    (width - left - right).max(1.0).floor()
}

/// The height of small print.
pub fn print_px(lines: usize) -> f64 {
    if lines == 0 { 0.0 } else { PRINT_GAP_PX + lines as f64 * PRINT_PX }
}

/// The vertical middle of a line of small print from the lower edge of a picture.
pub fn print_up_px(lines: usize, nth: usize) -> f64 {
    (lines.saturating_sub(nth)) as f64 * PRINT_PX - PRINT_PX / 2.0 + 3.0
}

/// The height that bars need with their axis: `pitch_px` for each. `None` for figures without bars.
pub fn bars_px(figure: &Figure, pitch_px: f64) -> Option<f64> {
    let bars = figure.series.iter().filter(|series| matches!(series.shape, Shape::Bar { .. })).count();
    let around = TOP_PX + BOTTOM_PX;
    match figure.y.scale {
        Scale::Places => Some(around + bars as f64 * pitch_px),
        // Two rows of names of colours find room on the page.
        Scale::Groups => Some(around + 2.0 * CAPTION_PX + figure.y.to * 14.0),
        _ => None,
    }
}

/// Whether something stands below the labels of the axis across.
pub fn has_captions(figure: &Figure) -> bool {
    !figure.x.caption.is_empty() || !figure.y.caption.is_empty()
}

/// The name of a bar as it stands left of a plot.
pub fn bar_name(label: &str, plot: &Frame) -> String {
    shortened(label, TextSize::CaptionStrong, (plot.left - 5.0).max(30.0)).unwrap_or_default()
}

fn left_px(figure: &Figure, width: f64) -> f64 {
    if !figure.y.scale.is_of_bars() {
        // The heights of the plot and of the picture differ little: about the same values are labelled.
        let ticks = figure.y.ticks_up(REFERENCE_PX);
        // A taller picture has labels that this height has no room for.
        let labels = ticks.iter().chain(&figure.y.named).map(|tick| TextSize::Caption.width_px(&tick.label) + 9.0);
        let is_of_study = figure.curves().next().is_some() || figure.cells().is_some();
        return if is_of_study { labels.fold(LEFT_PX, f64::max).ceil() } else { LEFT_PX };
    }
    let bars = figure.series.iter().filter(|series| matches!(series.shape, Shape::Bar { .. }));
    let names = bars.map(|series| TextSize::CaptionStrong.width_px(&series.label) + 10.0).fold(LEFT_PX, f64::max);
    names.min((width * LEFT_SHARE).max(LEFT_PX)).ceil()
}

/// Room right of the plot: for the name of the goal and what stands beside a large curve, where that is wide enough.
fn right_px(figure: &Figure, width: f64) -> f64 {
    match goal_place(figure, width) {
        Some(GoalPlace::Outside) => OUTSIDE_PX,
        _ if parallel_axes(figure).next().is_some() => {
            let name = parallel_axes(figure).last().map_or("", |axis| &axis.name);
            (TextSize::CaptionStrong.width_px(name) / 2.0 + 4.0).max(PARALLEL_PX).ceil()
        }
        _ => {
            // Half of the last label, which says what is counted.
            let last = figure.x.named.last().filter(|_| figure.cells().is_none());
            let usual = if figure.curves().next().is_some() { RIGHT_PX + 6.0 } else { RIGHT_PX };
            last.map_or(usual, |tick| (TextSize::Caption.width_px(&tick.label) / 2.0 + 2.0).max(RIGHT_PX)).ceil()
        }
    }
}

/// Room above the plot for names of curves that lie at its top, and for those of parallel axes.
fn over_px(figure: &Figure) -> f64 {
    let is_large = |curve: &Curve| curve.style == CurveStyle::Large;
    let is_parallel = parallel_axes(figure).next().is_some();
    if is_parallel || figure.curves().any(|(_, curve)| is_large(curve)) { OVER_PX } else { 0.0 }
}

/// Where the name of a goal stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalPlace {
    /// Right of the plot.
    Outside,
    /// Above its line, at the right end.
    Inside,
    /// Among the labels of the axis, its value alone.
    AtAxis,
}

/// Where the name of a figure's goal stands in a picture of this width; `None` without a goal.
pub fn goal_place(figure: &Figure, width: f64) -> Option<GoalPlace> {
    figure.guides.iter().find(|guide| matches!(guide, Guide::Goal { .. }))?;
    let (_, curve) = figure.curves().next()?;
    Some(match curve.style {
        CurveStyle::Large if width >= WIDE_PX => GoalPlace::Outside,
        CurveStyle::Large => GoalPlace::AtAxis,
        _ => GoalPlace::Inside,
    })
}

/// How far down the goal lies whose value stands among the labels of the axis.
pub fn goal_at_axis(figure: &Figure, plot: &Frame, width: f64) -> Option<f64> {
    goal_place(figure, width).filter(|at| *at == GoalPlace::AtAxis)?;
    figure.guides.iter().find_map(|guide| match guide {
        Guide::Goal { value, .. } => Some(place(figure, plot, (figure.x.from, *value)).y),
        _ => None,
    })
}

/// Names beside the lines of a figure, in steps or as curves.
fn place_names(figure: &Figure, names: &[String], plot: &Frame) -> Vec<Placed> {
    let lines = lines_of(figure, plot);
    if figure.curves().next().is_none() {
        return labels::place(&lines, names, plot);
    }
    let area = Frame { top: plot.top - over_px(figure), height: plot.height + over_px(figure), ..*plot };
    labels_of_curves::place(&lines, names, &area)
}

fn is_named_line(series: &Series) -> bool {
    let has_line = match &series.shape {
        Shape::Line(pieces) => pieces.iter().any(|piece| !piece.is_empty()),
        Shape::Curve(Curve { style: CurveStyle::Large | CurveStyle::Scatter, points }) => {
            points.iter().any(|point| point.y.is_some())
        }
        _ => false,
    };
    has_line && !series.label.is_empty()
}

/// The lines of a figure in pixels, each from left to right; empty for series that need no name.
fn lines_of(figure: &Figure, plot: &Frame) -> Vec<Vec<Point>> {
    let line = |series: &Series| match &series.shape {
        Shape::Line(pieces) if is_named_line(series) => {
            thinned(pieces.iter().flatten().map(|corner| place(figure, plot, *corner)))
        }
        Shape::Curve(curve) if is_named_line(series) => {
            curve.points.iter().filter_map(|point| Some(place(figure, plot, (point.x, point.y?)))).collect()
        }
        _ => Vec::new(),
    };
    figure.series.iter().map(line).collect()
}

/// What the key names: its own colours, those of lines that find no room for their names, or those of hexagons.
fn key_names(figure: &Figure, is_named: bool) -> Vec<(Option<Tone>, String)> {
    if !figure.key.is_empty() {
        return figure.key.iter().map(|(tone, name)| (Some(*tone), name.clone())).collect();
    }
    let of_series = |series: &Series| (Some(series.tone), series.label.clone());
    if is_dense(figure) {
        let is_there = |series: &&Series| matches!(&series.shape, Shape::Dots(dots) if !dots.is_empty());
        let jobs = format!("1 to {} jobs", format::count(figure.dots().count() as u64));
        return figure.series.iter().filter(is_there).map(of_series).chain([(None, jobs)]).collect();
    }
    if is_named {
        return Vec::new();
    }
    figure.series.iter().filter(|series| is_named_line(series)).map(of_series).collect()
}

/// Names in rows from the top down, and how many rows there are.
fn rows_of(names: Vec<(Option<Tone>, String)>, plot: &Frame, top: f64) -> (Vec<KeyItem>, usize) {
    let mut items = Vec::new();
    let (mut x, mut row) = (plot.left, 0);
    for (tone, name) in names {
        let words = shortened(&name, TextSize::Caption, KEY_NAME_PX).unwrap_or_default();
        let width = KEY_MARK_PX + TextSize::Caption.width_px(&words);
        if x > plot.left && x + width > plot.right() {
            x = plot.left;
            row += 1;
        }
        items.push(KeyItem { tone, words, at: Point { x, y: top - 4.0 + CAPTION_PX * (f64::from(row) + 0.5) } });
        x += width + KEY_GAP_PX;
    }
    let rows = if items.is_empty() { 0 } else { row as usize + 1 };
    (items, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::{against, over_time};
    use crate::course::Course;
    use crate::figure::axis::Spacing;
    use crate::testing::sample_runs;

    const SIZE: (f64, f64) = (380.0, 186.0);

    fn frame_of(name: &Placed, words: &str) -> Frame {
        let width = TextSize::CaptionStrong.width_px(words);
        Frame { left: name.at.x, top: name.at.y - 5.0, width, height: 10.0 }
    }

    fn overlap(a: &Frame, b: &Frame) -> bool {
        a.left < b.right() && b.left < a.right() && a.top < b.bottom() && b.top < a.bottom()
    }

    #[test]
    fn every_line_is_named_beside_it_or_in_the_key_and_no_names_overlap() {
        let policies = ["fixed", "equal-share", "elastic-dp", "edf", "shortest-first", "tiresias"];
        for count in 1..=policies.len() {
            let (runs, workload) = sample_runs(&policies[..count]);
            for course in [Course::GpusInUse, Course::JobsWaiting, Course::JobsCompleted] {
                let figure = over_time(course, &runs, &workload);
                let Layout { plot, key, names } = Layout::of(&figure, SIZE, None);
                let named: Vec<&str> = match key.is_empty() {
                    true => names.iter().map(|name| figure.series[name.line].label.as_str()).collect(),
                    false => key.iter().map(|item| item.words.as_str()).collect(),
                };
                let labels: Vec<&str> = figure.series.iter().map(|series| series.label.as_str()).collect();
                assert_eq!(named.len(), labels.len(), "{count} {course:?}: {named:?}");
                assert!(labels.iter().all(|label| named.contains(label)), "{count} {course:?}: {named:?}");
                let words = |name: &Placed| {
                    let label = &figure.series[name.line].label;
                    if key.is_empty() { label.clone() } else { badge_of(figure.series[name.line].tone, label).into() }
                };
                let frames: Vec<Frame> = names.iter().map(|name| frame_of(name, &words(name))).collect();
                for (at, frame) in frames.iter().enumerate() {
                    assert!(!frames[..at].iter().any(|other| overlap(frame, other)), "{count} {course:?}");
                }
                let lowest = key.iter().map(|item| item.at.y).fold(0.0, f64::max);
                assert!(lowest + 6.0 <= plot.top, "{lowest} {plot:?}");
            }
        }
    }

    #[test]
    fn what_is_beside_the_plot_is_known_without_names() {
        use crate::study::testing::nodes_study;
        let view = nodes_study();
        for width in [300.0, 380.5, 784.0] {
            let metrics = view.metrics.iter().map(|metric| &metric.key);
            for figure in metrics.filter_map(|key| crate::study::curves(&view, &[0, 1, 2, 3], key, 0)) {
                let plot = plot_frame(&figure, (width, 280.0));
                assert_eq!(beside_plot_px(&figure, width), (plot.left, width - plot.right()));
            }
        }
    }

    #[test]
    fn names_of_bars_leave_room_for_bars() {
        let series = Series {
            label: "x".repeat(200),
            tone: Tone::Policy(0),
            shape: Shape::Bar { place: 0.5, value: Some(1.0), text: String::new() },
        };
        let y = crate::figure::axis::Axis { scale: Scale::Places, to: 1.0, ..Default::default() };
        let figure = Figure { y, series: vec![series], ..Figure::default() };
        let plot = plot_frame(&figure, SIZE);
        assert!(plot.left <= SIZE.0 * LEFT_SHARE + 1.0 && plot.width > SIZE.0 / 2.0, "{plot:?}");
        let name = bar_name(&figure.series[0].label, &plot);
        assert!(name.contains('…') && TextSize::CaptionStrong.width_px(&name) <= plot.left, "{name}");
    }

    #[test]
    fn dots_have_a_key_only_where_they_are_counted() {
        let (runs, workload) = sample_runs(&["fixed", "elastic-dp"]);
        let badge = elastiplan_compare::Badge::of_slot(1).unwrap();
        let figure = against(&runs, &workload, badge, Spacing::Log).unwrap();
        assert_eq!(Layout::of(&figure, SIZE, None).key, []);
        let mut dense = figure.clone();
        for series in &mut dense.series {
            if let Shape::Dots(dots) = &mut series.shape {
                *dots = dots.repeat(12);
            }
        }
        let key = Layout::of(&dense, SIZE, None).key;
        assert_eq!(key.last().map(|item| (item.tone, &*item.words)), Some((None, "1 to 576 jobs")));
        assert!(key.len() >= 3 && key[0].tone.is_some());
    }
}
