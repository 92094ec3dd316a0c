//! Curves of studies: bands, lines, marks of points, the goal, and parallel axes.

use elastiplan_scene::{Anchor, Dash, Frame, Point, TextSize};

use super::Drawing;
use crate::drawing::dots::place;
use crate::drawing::ink::{Ink, Rgb};
use crate::drawing::layout::{GoalPlace, goal_place};
use crate::drawing::marks::Mark;
use crate::figure::points::{Curve, CurvePoint, CurveStyle, PointMark};
use crate::figure::{Guide, Tone};

/// The opacity of a band.
const BAND: f64 = 0.13;
/// Radii: of a hollow point and of what is inside it, of a filled one, of an answer, of the ring about a point that got
/// worse.
const HOLLOW_PX: f64 = 2.8;
const INSIDE_PX: f64 = 1.5;
const FILLED_PX: f64 = 4.5;
const ANSWER_PX: f64 = 5.0;
const RING_PX: f64 = 7.5;
/// Half of the cross at a point that failed or has no value.
const CROSS_PX: f64 = 3.5;
/// How much of its colour a fine line keeps over the panel.
const FINE: f64 = 0.55;
/// The opacity of the ground below a label that lies on lines.
const PLATE: f64 = 0.8;
/// More lines across parallel axes than these are drawn finer.
const CROWD: usize = 150;

impl Drawing<'_> {
    /// The bands of all curves, below all lines.
    pub(super) fn bands(&self, marks: &mut Vec<Mark>, plot: &Frame) {
        for (at, curve) in self.figure.curves() {
            let Some(series) = self.figure.series.get(at) else { continue };
            for piece in curve.points.split(|point| point.y.is_none() || point.band.is_none()) {
                let edge = |end: fn((f64, f64)) -> f64| {
                    piece.iter().filter_map(move |point| Some(self.clipped(plot, point.x, end(point.band?))))
                };
                let mut outline: Vec<Point> = edge(|band| band.1).collect();
                let lower: Vec<Point> = edge(|band| band.0).collect();
                outline.extend(lower.into_iter().rev());
                if piece.len() > 1 {
                    let corners = outline.into_iter().map(|corner| self.at(corner)).collect();
                    marks.push(Mark::Polygon(corners, self.rgb(Ink::Tone(series.tone)), BAND));
                } else if let [from, to] = outline.as_slice() {
                    // A point between unknown ones: a bar.
                    self.line(marks, &[*from, *to], Ink::Tone(series.tone), 1.0, Dash::Solid);
                }
            }
        }
    }

    /// A place in the plot, or at its edge what lies above or below it.
    fn clipped(&self, plot: &Frame, x: f64, y: f64) -> Point {
        let at = place(self.figure, plot, (x, y));
        Point { y: at.y.clamp(plot.top, plot.bottom()), ..at }
    }

    /// The line of a curve, in pieces where points are unknown.
    pub(super) fn curve(&self, marks: &mut Vec<Mark>, plot: &Frame, curve: &Curve, tone: Tone) {
        let rgb = self.rgb(Ink::Tone(tone));
        let (rgb, width) = match curve.style {
            CurveStyle::Large => (rgb, 1.7),
            CurveStyle::Small => (rgb, 1.4),
            CurveStyle::Scatter => (self.over_panel(rgb, FINE), 1.0),
            CurveStyle::Path if tone == Tone::Equal => (self.over_panel(rgb, 0.35), 1.0),
            CurveStyle::Path if self.figure.series.len() > CROWD => (self.over_panel(rgb, 0.6), 1.0),
            CurveStyle::Path => (self.over_panel(rgb, 0.8), 1.2),
        };
        // Across axes, dashes of hundreds of lines would be noise.
        let dash = if curve.style == CurveStyle::Path { Dash::Solid } else { super::dash_of(tone) };
        for piece in curve.points.split(|point| point.y.is_none()) {
            let line: Vec<Point> =
                piece.iter().filter_map(|point| Some(self.clipped(plot, point.x, point.y?))).collect();
            if line.len() > 1 {
                self.coloured_line(marks, &line, rgb, width, dash);
            }
        }
    }

    /// The marks of all points, above all lines.
    pub(super) fn curve_marks(&self, marks: &mut Vec<Mark>, plot: &Frame) {
        let each = || {
            let series = self.figure.curves().collect::<Vec<_>>();
            series.into_iter().rev().filter_map(|(at, curve)| Some((self.figure.series.get(at)?.tone, curve)))
        };
        for (tone, curve) in each() {
            for point in curve.points.iter().filter(|point| point.mark == PointMark::Answer) {
                let Some(at) = point.y.map(|y| self.clipped(plot, point.x, y)) else { continue };
                let foot = Point { y: plot.bottom(), ..at };
                self.line(marks, &[at, foot], Ink::Tone(tone), 1.0, Dash::Dotted);
            }
        }
        for (tone, curve) in each() {
            let last = curve.points.len().saturating_sub(1);
            let is_known = |at: usize| curve.points.get(at).is_some_and(|point| point.y.is_some());
            for (nth, point) in curve.points.iter().enumerate() {
                // A point that no line reaches has a mark whatever the style.
                let is_alone = !((nth > 0 && is_known(nth - 1)) || (nth < last && is_known(nth + 1)));
                self.point(marks, plot, point, tone, is_alone && curve.style != CurveStyle::Path);
            }
        }
    }

    fn point(&self, marks: &mut Vec<Mark>, plot: &Frame, point: &CurvePoint, tone: Tone, is_alone: bool) {
        if point.mark == PointMark::Gap {
            let foot =
                Point { y: plot.bottom() - CROSS_PX - 2.0, ..place(self.figure, plot, (point.x, self.figure.y.from)) };
            let at = point.y.map_or(foot, |y| self.clipped(plot, point.x, y));
            for rise in [CROSS_PX, -CROSS_PX] {
                let line = [Point { x: at.x - CROSS_PX, y: at.y + rise }, Point { x: at.x + CROSS_PX, y: at.y - rise }];
                self.line(marks, &line, Ink::Tone(tone), 1.7, Dash::Solid);
            }
            return;
        }
        let Some(at) = point.y.map(|y| self.clipped(plot, point.x, y)) else { return };
        let ink = Ink::Tone(tone);
        let mut disc = |radius_px: f64, ink: Ink| {
            marks.push(Mark::Circle(self.at(at), self.px(radius_px).max(1), self.rgb(ink), 1.0));
        };
        match point.mark {
            PointMark::Gap => {}
            PointMark::Plain if !is_alone => {}
            PointMark::Plain | PointMark::Hollow => {
                disc(HOLLOW_PX, ink);
                disc(INSIDE_PX, Ink::Panel);
            }
            // A rim of the ground parts dots that touch.
            PointMark::Filled => {
                disc(FILLED_PX + 1.0, Ink::Panel);
                disc(FILLED_PX, ink);
            }
            PointMark::Answer => {
                disc(ANSWER_PX + 1.0, Ink::Panel);
                disc(ANSWER_PX, ink);
            }
        }
        if point.got_worse {
            let corner = |nth: u32| {
                let angle = f64::from(nth) * std::f64::consts::TAU / 36.0;
                Point { x: at.x + RING_PX * libm::cos(angle), y: at.y + RING_PX * libm::sin(angle) }
            };
            let ring: Vec<Point> = (0..=36).map(corner).collect();
            self.line(marks, &ring, Ink::Tone(Tone::Worse), 1.7, Dash::Solid);
        }
    }

    /// The limit of a goal.
    pub(super) fn goal(&self, marks: &mut Vec<Mark>, plot: &Frame, (value, label, short): (f64, &str, &str)) {
        let y = place(self.figure, plot, (self.figure.x.from, value)).y;
        if !(plot.top - 1.0..=plot.bottom() + 1.0).contains(&y) {
            return;
        }
        self.line(marks, &[Point { x: plot.left, y }, Point { x: plot.right(), y }], Ink::Strong, 1.0, Dash::Medium);
        let (words, at, anchor) = match goal_place(self.figure, self.size.0) {
            Some(GoalPlace::Outside) => (label, Point { x: plot.right() + 20.0, y: y + 3.0 }, Anchor::Start),
            Some(GoalPlace::AtAxis) => (short, Point { x: plot.left - 5.0, y }, Anchor::End),
            _ => (label, Point { x: plot.right(), y: y - 9.0 }, Anchor::End),
        };
        self.text(marks, words, TextSize::CaptionStrong, Ink::Strong, at, anchor);
    }

    /// Parallel axes, with a plate below each label: lines cross there.
    pub(super) fn parallel_axes(&self, marks: &mut Vec<Mark>, plot: &Frame) {
        let axes = self.figure.guides.iter().filter_map(|guide| match guide {
            Guide::Parallel(axis) => Some(axis),
            _ => None,
        });
        for axis in axes {
            let x = place(self.figure, plot, (axis.x, 0.0)).x;
            self.rule(marks, Ink::Weak, Frame { left: x, top: plot.top, width: 1.0, height: plot.height });
            if let Some((from, to)) = axis.chosen {
                let (top, height) = (plot.bottom() - to * plot.height, ((to - from) * plot.height).max(2.0));
                self.rule(marks, Ink::Strong, Frame { left: x - 2.0, top, width: 5.0, height });
            }
            let ink = if axis.is_result { Ink::Strong } else { Ink::Weak };
            self.text(marks, &axis.name, TextSize::CaptionStrong, ink, Point { x, y: plot.top - 10.0 }, Anchor::Middle);
            for tick in axis.ticks.iter().filter(|tick| !tick.label.is_empty()) {
                let y = plot.bottom() - tick.value * plot.height;
                let width = TextSize::Caption.width_px(&tick.label);
                let plate = [Point { x: x - 7.0 - width, y: y - 7.0 }, Point { x: x - 4.0, y: y + 7.0 }];
                marks.push(Mark::Rect(plate.map(|corner| self.at(corner)), self.rgb(Ink::Panel), PLATE));
                self.rule(marks, Ink::Weak, Frame { left: x - 3.0, top: y, width: 3.0, height: 1.0 });
                self.text(marks, &tick.label, TextSize::Caption, Ink::Strong, Point { x: x - 6.0, y }, Anchor::End);
            }
        }
    }

    pub(super) fn coloured_line(&self, marks: &mut Vec<Mark>, line: &[Point], rgb: Rgb, width: f64, dash: Dash) {
        let before = marks.len();
        self.line(marks, line, Ink::Strong, width, dash);
        for mark in marks.iter_mut().skip(before) {
            if let Mark::Line(_, own, _) = mark {
                *own = rgb;
            }
        }
    }

    /// A colour of which so much lies over the panel.
    pub(super) fn over_panel(&self, rgb: Rgb, share: f64) -> Rgb {
        let ground = self.rgb(Ink::Panel);
        let mix = |own: u8, ground: u8| (f64::from(own) * share + f64::from(ground) * (1.0 - share)).round() as u8;
        (mix(rgb.0, ground.0), mix(rgb.1, ground.1), mix(rgb.2, ground.2))
    }
}
