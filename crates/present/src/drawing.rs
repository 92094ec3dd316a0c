//! A figure as marks in device pixels, for any backend of plotters.

pub mod cells;
pub mod cursor;
mod curves;
mod dash;
pub mod dots;
pub mod hexes;
pub mod ink;
mod labels;
mod labels_of_curves;
pub mod layout;
mod marks;
mod names;
pub mod pointing;
pub mod points;
pub mod reading;
pub mod svg;
mod thin;

use elastiplan_model::Origin;
use elastiplan_scene::{Anchor, Dash, Frame, Point, TextSize, shortened};
use plotters::prelude::{DrawingAreaErrorKind, DrawingBackend};

use crate::drawing::dash::dashed;
use crate::drawing::dots::place;
use crate::drawing::ink::{Ink, Rgb};
use crate::drawing::layout::{Layout, bars_px, goal_at_axis, has_captions, print_px, print_up_px};
use crate::drawing::marks::{Mark, Pixel, paint};
use crate::drawing::thin::thinned;
use crate::figure::axis::Scale;
use crate::figure::{Figure, Guide, Series, Shape, Tone};
use crate::palette::Palette;

/// Size of a saved figure in CSS pixels: 148 mm wide in print, the text block of an A4 page.
const WIDTH_PX: f64 = 560.0;
const HEIGHT_PX: f64 = 340.0;
const MARGIN_PX: f64 = 6.0;
/// The font of small print.
const PRINT_FONT_PX: f64 = 9.0;
const DOT_PX: f64 = 2.3;
const CROSS_PX: f64 = 3.5;
const RING_PX: f64 = 3.5;
const DIAMOND_PX: f64 = 4.5;
/// The opacity of a tinted half.
const TINT: f64 = 0.08;
/// The opacity of a dot or a bar.
const FILL: f64 = 0.85;
/// The share of its place that a bar takes, alone and in a group.
const BAR_SHARE: f64 = 0.56;
const GROUPED_SHARE: f64 = 0.86;

/// The size of a saved figure in CSS pixels, with so many lines of small print.
pub fn saved_size(figure: &Figure, print_lines: usize) -> (f64, f64) {
    let has_diagonal = figure.guides.iter().any(|guide| matches!(guide, Guide::Diagonal { .. }));
    let height = match bars_px(figure, 36.0) {
        Some(bars_px) => bars_px + 62.0,
        None if has_diagonal => 420.0,
        None => HEIGHT_PX,
    };
    (WIDTH_PX, height + print_px(print_lines))
}

/// The width that small print has.
pub fn print_width_px() -> f64 {
    WIDTH_PX - 2.0 * MARGIN_PX
}

/// A figure with everything that decides its pixels.
pub struct Drawing<'a> {
    /// The figure.
    pub figure: &'a Figure,
    /// The colours.
    pub palette: &'a Palette,
    /// Width and height in CSS pixels.
    pub size: (f64, f64),
    /// Device pixels per CSS pixel.
    pub ratio: f64,
    /// Small print below a picture that stands alone, with a title and notes of its own; `None` on the page.
    pub print: Option<&'a [String]>,
    /// The size of fonts, as a factor, for a backend that writes another one than it is given.
    pub font_scale: f64,
}

impl Drawing<'_> {
    /// Draws it all. Returns where the plot lies.
    pub fn draw<B: DrawingBackend>(&self, backend: B) -> Result<Frame, DrawingAreaErrorKind<B::ErrorType>> {
        let layout = Layout::of(self.figure, self.size, self.print.map(<[String]>::len));
        paint(backend, self.rgb(Ink::Panel), &self.marks(&layout))?;
        Ok(layout.plot)
    }

    fn marks(&self, layout: &Layout) -> Vec<Mark> {
        let mut marks = Vec::new();
        let plot = layout.plot;
        self.guides(&mut marks, &plot);
        self.axes(&mut marks, &plot);
        self.bands(&mut marks, &plot);
        // The first series lies on top.
        for series in self.figure.series.iter().rev() {
            self.series(&mut marks, &plot, series);
        }
        self.dots(&mut marks, &plot);
        self.curve_marks(&mut marks, &plot);
        self.parallel_axes(&mut marks, &plot);
        self.names(&mut marks, layout);
        self.key(&mut marks, layout);
        self.halves_names(&mut marks, &plot);
        self.paper(&mut marks, &plot);
        self.words(&mut marks, &plot);
        marks
    }

    fn guides(&self, marks: &mut Vec<Mark>, plot: &Frame) {
        for guide in &self.figure.guides {
            match guide {
                Guide::Diagonal { .. } => self.halves(marks, plot),
                Guide::Goal { value, label, short } => self.goal(marks, plot, (*value, label, short)),
                // Above lines, which would cover their labels.
                Guide::Parallel(_) => {}
                Guide::Level { value, label } => {
                    let y = place(self.figure, plot, (self.figure.x.from, *value)).y;
                    let ends = [Point { x: plot.left, y }, Point { x: plot.right(), y }];
                    self.line(marks, &ends, Ink::Weak, 1.0, Dash::Dotted);
                    let at = Point { x: plot.right(), y: y - 8.0 };
                    self.text(marks, label, TextSize::Caption, Ink::Weak, at, Anchor::End);
                }
            }
        }
    }

    fn halves(&self, marks: &mut Vec<Mark>, plot: &Frame) {
        let corner = |x: f64, y: f64| Point { x, y };
        let (from, to) = (corner(plot.left, plot.bottom()), corner(plot.right(), plot.top));
        let halves = [(Tone::Worse, corner(plot.left, plot.top)), (Tone::Better, corner(plot.right(), plot.bottom()))];
        for (tone, corner) in halves {
            let corners = [from, corner, to].map(|corner| self.at(corner)).into();
            marks.push(Mark::Polygon(corners, self.rgb(Ink::Tone(tone)), TINT));
        }
        self.line(marks, &[from, to], Ink::Line, 1.0, Dash::Solid);
    }

    fn axes(&self, marks: &mut Vec<Mark>, plot: &Frame) {
        let figure = self.figure;
        // Where both axes are alike, the diagonal is the line to read by.
        let has_other = |guide: &Guide| matches!(guide, Guide::Diagonal { .. } | Guide::Parallel(_));
        let has_grid = !figure.guides.iter().any(has_other) && figure.cells().is_none();
        // Where values are read at points, lines across would only compete with curves.
        let has_grid_across = has_grid && figure.curves().next().is_none();
        for tick in figure.x.ticks_across(plot.width) {
            let x = plot.left + figure.x.share(tick.value) * plot.width;
            if has_grid_across {
                self.rule(marks, Ink::Grid, Frame { left: x, top: plot.top, width: 1.0, height: plot.height });
            }
            let at = Point { x, y: plot.bottom() + 11.0 };
            self.text(marks, &tick.label, TextSize::Caption, Ink::Weak, at, Anchor::Middle);
        }
        let goal_at_axis = goal_at_axis(figure, plot, self.size.0);
        for tick in figure.y.ticks_up(plot.height) {
            let y = plot.bottom() - figure.y.share(tick.value) * plot.height;
            if has_grid {
                self.rule(marks, Ink::Grid, Frame { left: plot.left, top: y, width: plot.width, height: 1.0 });
            }
            // The limit of a goal stands there already.
            if goal_at_axis.is_some_and(|goal| (goal - y).abs() < 12.0) {
                continue;
            }
            let at = Point { x: plot.left - 5.0, y };
            self.text(marks, &tick.label, TextSize::Caption, Ink::Weak, at, Anchor::End);
        }
        if has_grid {
            self.rule(marks, Ink::Line, Frame { top: plot.bottom(), height: 1.0, ..*plot });
        }
        if has_grid_across {
            self.rule(marks, Ink::Line, Frame { width: 1.0, ..*plot });
        }
    }

    fn series(&self, marks: &mut Vec<Mark>, plot: &Frame, series: &Series) {
        match &series.shape {
            Shape::Line(pieces) => {
                let dash = dash_of(series.tone);
                for piece in pieces {
                    let line = thinned(piece.iter().map(|corner| place(self.figure, plot, *corner)));
                    self.line(marks, &line, Ink::Tone(series.tone), 1.5, dash);
                }
            }
            Shape::Origins(found) => {
                for mark in found {
                    self.origin(marks, place(self.figure, plot, (mark.x, mark.y)), mark.origin, series.tone);
                }
            }
            Shape::Bar { place, value, text } => self.bar(marks, plot, series, (*place, *value, text)),
            Shape::Curve(curve) => self.curve(marks, plot, curve, series.tone),
            Shape::Cells(cells) => self.cells(marks, plot, cells),
            // Dots of all series are drawn together.
            Shape::Dots(_) => {}
        }
    }

    fn bar(
        &self,
        marks: &mut Vec<Mark>,
        plot: &Frame,
        series: &Series,
        (middle, value, text): (f64, Option<f64>, &str),
    ) {
        let ink = Ink::Tone(series.tone);
        let end = place(self.figure, plot, (value.unwrap_or(0.0), middle));
        let share = if self.figure.y.scale == Scale::Groups { GROUPED_SHARE } else { BAR_SHARE };
        let half = plot.height / self.figure.y.to * share / 2.0;
        let corners = [Point { x: plot.left, y: end.y - half }, Point { x: end.x, y: end.y + half }];
        marks.push(Mark::Rect(corners.map(|corner| self.at(corner)), self.rgb(ink), FILL));
        self.bar_name(marks, plot, series, end.y);
        // Inside the bar where there is no room beside it: the plot ends, or a diamond lies there.
        let width = TextSize::Caption.width_px(text) + 12.0;
        let diamonds = self.figure.paper.iter().filter(|mark| mark.y == middle);
        let mut diamonds = diamonds.map(|mark| place(self.figure, plot, (mark.x, mark.y)).x);
        let is_free = diamonds.all(|x| x + 7.0 < end.x || x - 7.0 > end.x + width);
        let (x, ink, anchor) = if is_free && end.x + width <= plot.right() {
            (end.x + 6.0, Ink::Strong, Anchor::Start)
        } else {
            (end.x - 6.0, Ink::Panel, Anchor::End)
        };
        self.text(marks, text, TextSize::Caption, ink, Point { x, y: end.y }, anchor);
    }

    fn cross(&self, marks: &mut Vec<Mark>, at: Point, ink: Ink) {
        for slope in [1.0, -1.0] {
            let tip = |way: f64| Point { x: at.x + way * CROSS_PX, y: at.y + way * slope * CROSS_PX };
            self.line(marks, &[tip(-1.0), tip(1.0)], ink, 1.5, Dash::Solid);
        }
    }

    /// A dot, a ring or a cross.
    fn origin(&self, marks: &mut Vec<Mark>, at: Point, origin: Origin, tone: Tone) {
        let ink = Ink::Tone(tone);
        let circle = |radius_px: f64, ink: Ink| Mark::Circle(self.at(at), self.px(radius_px), self.rgb(ink), 1.0);
        match origin {
            Origin::Measured => marks.push(circle(RING_PX, ink)),
            Origin::Interpolated => marks.extend([circle(RING_PX, ink), circle(RING_PX - 1.5, Ink::Panel)]),
            Origin::Assumed => self.cross(marks, at, ink),
        }
    }

    fn paper(&self, marks: &mut Vec<Mark>, plot: &Frame) {
        for mark in &self.figure.paper {
            let at = place(self.figure, plot, (mark.x, mark.y));
            let tips = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
            let outline = tips.map(|(x, y)| Point { x: at.x + x * DIAMOND_PX, y: at.y + y * DIAMOND_PX });
            let inside = outline.map(|tip| self.at(tip)).into();
            marks.push(Mark::Polygon(inside, self.rgb(Ink::Panel), 1.0));
            self.line(marks, &outline, Ink::Tone(mark.tone), 1.5, Dash::Solid);
        }
    }

    /// Title, captions of axes and notes.
    fn words(&self, marks: &mut Vec<Mark>, plot: &Frame) {
        let figure = self.figure;
        let mut y = plot.bottom() + 27.0;
        let left = if figure.y.scale.is_of_bars() { MARGIN_PX } else { plot.left };
        if has_captions(figure) {
            let (start, end) = (Point { x: left, y }, Point { x: plot.right(), y });
            self.text(marks, &figure.y.caption, TextSize::Caption, Ink::Weak, start, Anchor::Start);
            self.text(marks, &figure.x.caption, TextSize::Caption, Ink::Weak, end, Anchor::End);
            y += 16.0;
        }
        let Some(print) = self.print else { return };
        let title = shortened(&figure.title, TextSize::Dense, self.size.0 - left - MARGIN_PX).unwrap_or_default();
        self.text(marks, &title, TextSize::Dense, Ink::Strong, Point { x: left, y: 15.0 }, Anchor::Start);
        for note in &figure.notes {
            self.text(marks, note, TextSize::Caption, Ink::Weak, Point { x: left, y }, Anchor::Start);
            y += 16.0;
        }
        for (nth, line) in print.iter().enumerate() {
            let at = Point { x: MARGIN_PX, y: self.size.1 - print_up_px(print.len(), nth) };
            self.sized_text(marks, line, (PRINT_FONT_PX, false), Ink::Weak, at, Anchor::Start);
        }
    }

    fn line(&self, marks: &mut Vec<Mark>, line: &[Point], ink: Ink, width: f64, dash: Dash) {
        let width = (width * self.ratio).round().max(1.0) as u32;
        for piece in dashed(line, dash.pattern()) {
            let corners = piece.iter().map(|corner| self.at(*corner)).collect();
            marks.push(Mark::Line(corners, self.rgb(ink), width));
        }
    }

    /// A line along an axis; as a rectangle it is as sharp as the screen.
    fn rule(&self, marks: &mut Vec<Mark>, ink: Ink, frame: Frame) {
        let (left, top) = self.at(Point { x: frame.left, y: frame.top });
        let thick = |px: f64| if px == 1.0 { self.ratio.round().max(1.0) as i32 } else { self.px(px) };
        let corners = [(left, top), (left + thick(frame.width), top + thick(frame.height))];
        marks.push(Mark::Rect(corners, self.rgb(ink), 1.0));
    }

    fn text(&self, marks: &mut Vec<Mark>, words: &str, size: TextSize, ink: Ink, at: Point, anchor: Anchor) {
        self.sized_text(marks, words, (size.px(), size.weight() >= 500), ink, at, anchor);
    }

    fn sized_text(
        &self,
        marks: &mut Vec<Mark>,
        words: &str,
        (px, is_bold): (f64, bool),
        ink: Ink,
        at: Point,
        anchor: Anchor,
    ) {
        if words.is_empty() {
            return;
        }
        marks.push(Mark::Text {
            words: words.into(),
            size: px * self.ratio * self.font_scale,
            is_bold,
            rgb: self.rgb(ink),
            at: self.at(at),
            anchor,
        });
    }

    fn at(&self, point: Point) -> Pixel {
        (self.px(point.x), self.px(point.y))
    }

    fn px(&self, css_px: f64) -> i32 {
        (css_px * self.ratio).round() as i32
    }

    fn rgb(&self, ink: Ink) -> Rgb {
        ink.rgb(self.palette)
    }
}

/// The dashes of a line of this tone.
fn dash_of(tone: Tone) -> Dash {
    match tone {
        Tone::Policy(policy) => Dash::of_policy(policy),
        Tone::Second => Dash::Wide,
        _ => Dash::Solid,
    }
}
