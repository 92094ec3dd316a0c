//! Paints draw lists on a canvas.

use std::cell::RefCell;

use elastiplan_present::palette::Palette;
use elastiplan_scene::{Anchor, Cross, Dash, DrawList, Fill, Frame, Mark, Paint, Point, Quads, TextSize};
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CanvasPattern, CanvasRenderingContext2d, HtmlCanvasElement};

use super::canvas::loose_canvas;
use super::crowd::Crowd;

/// The family of all text on canvases.
pub const FONT: &str = "system-ui, -apple-system, \"Segoe UI\", Roboto, sans-serif";
/// Text that ends left of this is squeezed rather than cut off: labels of rows end in a gutter at most this wide.
const GUTTER_MAX_PX: f64 = 92.0;
/// Distance of the lines of a hatch.
const HATCH_PX: f64 = 5.0;

/// A canvas with its latest style. Coordinates are CSS pixels; the canvas has `ratio` times as many.
pub struct Painter<'a> {
    context: CanvasRenderingContext2d,
    palette: &'a Palette,
    ratio: f64,
    /// Where rectangles go that are not painted on the canvas but below it.
    below: Option<&'a RefCell<Quads>>,
    /// Where rectangles wait that may be too many to be painted one by one.
    crowd: Option<&'a RefCell<Crowd>>,
    fill: Option<Paint>,
    stroke: Option<(Paint, f64, Dash)>,
    /// Whether lines in the style of `stroke` wait to be stroked.
    is_path_open: bool,
    font: Option<TextSize>,
    hatches: RefCell<Vec<(Paint, Fill, CanvasPattern)>>,
}

impl<'a> Painter<'a> {
    /// Starts on an empty canvas.
    pub fn cleared(canvas: &HtmlCanvasElement, palette: &'a Palette, ratio: f64) -> Option<Self> {
        let painter = Self::over(canvas, palette, ratio)?;
        painter.context.clear_rect(0.0, 0.0, f64::from(canvas.width()) / ratio, f64::from(canvas.height()) / ratio);
        Some(painter)
    }

    /// Goes on with what a canvas shows.
    pub fn over(canvas: &HtmlCanvasElement, palette: &'a Palette, ratio: f64) -> Option<Self> {
        let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0).ok()?;
        context.set_global_alpha(1.0);
        context.set_text_baseline("middle");
        context.set_line_join("round");
        Some(Self {
            context,
            palette,
            ratio,
            below: None,
            crowd: None,
            fill: None,
            stroke: None,
            is_path_open: false,
            font: None,
            hatches: RefCell::default(),
        })
    }

    /// Rectangles, and lines that are as good as some, are not painted but put there.
    pub fn with_below(mut self, below: Option<&'a RefCell<Quads>>) -> Self {
        self.below = below;
        self
    }

    /// Rectangles that follow each other are gathered there, and computed here if they are many. For painting in place
    /// only: not for `list_at`.
    pub fn with_crowd(mut self, crowd: &'a RefCell<Crowd>) -> Self {
        self.crowd = Some(crowd);
        self
    }

    /// Paints everything `dx`, `dy` off its place.
    pub fn list_at(&mut self, list: &DrawList, dx: f64, dy: f64) {
        let ratio = self.ratio;
        let _ = self.context.set_transform(ratio, 0.0, 0.0, ratio, dx * ratio, dy * ratio);
        self.list(list);
        let _ = self.context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0);
    }

    /// Paints everything.
    pub fn list(&mut self, list: &DrawList) {
        for mark in &list.marks {
            self.mark(mark);
        }
        self.finish();
    }

    /// Paints one mark.
    pub fn mark(&mut self, mark: &Mark) {
        match mark {
            Mark::Line { from, to, paint, width, dash } => self.line(*from, *to, (*paint, *width, *dash)),
            Mark::Path { points, paint, width, dash } => {
                self.stroke_with((*paint, *width, *dash));
                self.trace(points);
                self.context.stroke();
            }
            Mark::Rect { frame, paint, fill } => self.rect(frame, *paint, *fill),
            Mark::Outline { frame, paint, width } => {
                self.stroke_with((*paint, *width, Dash::Solid));
                let (inset, width) = (width / 2.0, *width);
                self.context.stroke_rect(
                    frame.left + inset,
                    frame.top + inset,
                    (frame.width - width).max(0.0),
                    (frame.height - width).max(0.0),
                );
            }
            Mark::Area { points, base_y, paint, share } => self.area(points, *base_y, *paint, *share),
            Mark::Cross { at, reach, cross, paint } => self.cross(*at, *reach, *cross, *paint),
            Mark::Text { at, text, anchor, size, paint, backed } => {
                self.text(text, *at, *anchor, *size, *paint, *backed);
            }
        }
    }

    /// How wide a text is.
    pub fn text_width(&mut self, text: &str, size: TextSize) -> f64 {
        self.font_of(size);
        self.context.measure_text(text).map_or_else(|_| size.width_px(text), |metrics| metrics.width())
    }

    /// A filled rectangle with round corners.
    pub fn pill(&mut self, frame: &Frame, radius: f64, paint: Paint) {
        self.finish();
        self.fill_with(paint);
        self.context.begin_path();
        let _ = self.context.round_rect_with_f64(frame.left, frame.top, frame.width, frame.height, radius);
        self.context.fill();
    }

    fn line(&mut self, from: Point, to: Point, style: (Paint, f64, Dash)) {
        if let Some(frame) = rect_of(from, to, style).filter(|_| self.below.is_some()) {
            return self.rect(&frame, style.0, Fill::Solid);
        }
        self.finish_rects();
        if self.stroke != Some(style) || !self.is_path_open {
            self.stroke_with(style);
            self.context.begin_path();
            self.is_path_open = true;
        }
        self.context.move_to(from.x, from.y);
        self.context.line_to(to.x, to.y);
    }

    /// Paints what waits to be painted together with more of its kind.
    fn finish(&mut self) {
        self.finish_path();
        self.finish_rects();
    }

    fn finish_path(&mut self) {
        if self.is_path_open {
            self.context.stroke();
            self.is_path_open = false;
        }
    }

    fn finish_rects(&mut self) {
        let Some(crowd) = self.crowd else { return };
        let mut crowd = crowd.borrow_mut();
        if !crowd.paint(&self.context, self.palette, self.ratio) {
            for (frame, paint, share) in crowd.waiting() {
                self.plain_rect(frame, *paint, *share);
            }
        }
        crowd.forget();
    }

    /// A rectangle of one colour, at an opacity in percent.
    fn plain_rect(&mut self, frame: &Frame, paint: Paint, share: u8) {
        self.fill_with(paint);
        if share < 100 {
            self.context.set_global_alpha(f64::from(share) / 100.0);
        }
        self.context.fill_rect(frame.left, frame.top, frame.width, frame.height);
        if share < 100 {
            self.context.set_global_alpha(1.0);
        }
    }

    fn rect(&mut self, frame: &Frame, paint: Paint, fill: Fill) {
        self.finish_path();
        if let Some(below) = self.below {
            below.borrow_mut().rect(frame, self.palette.rgb(paint), fill);
            if paint == Paint::Select {
                // What is selected lies over the words of others.
                self.context.clear_rect(frame.left, frame.top, frame.width, frame.height);
            }
            return;
        }
        let share = match fill {
            Fill::Solid => Some(100),
            Fill::Share(percent) => Some(percent.min(100)),
            Fill::Hatch | Fill::CrossHatch => None,
        };
        match (share, self.crowd) {
            (Some(share), Some(crowd)) => crowd.borrow_mut().wait(*frame, paint, share),
            (Some(share), None) => self.plain_rect(frame, paint, share),
            (None, _) => self.hatched_rect(frame, paint, fill),
        }
    }

    fn hatched_rect(&mut self, frame: &Frame, paint: Paint, fill: Fill) {
        self.finish_rects();
        let Some(pattern) = self.hatch(paint, fill) else { return };
        self.context.set_fill_style_canvas_pattern(&pattern);
        self.fill = None;
        // The pattern has the screen's pixels: under the usual transform it would blur.
        self.context.save();
        let ratio = self.ratio;
        let _ = self.context.scale(1.0 / ratio, 1.0 / ratio);
        self.context.fill_rect(frame.left * ratio, frame.top * ratio, frame.width * ratio, frame.height * ratio);
        self.context.restore();
    }

    fn area(&mut self, points: &[Point], base_y: f64, paint: Paint, share: u8) {
        self.finish();
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
        self.fill_with(paint);
        self.trace(points);
        self.context.line_to(last.x, base_y);
        self.context.line_to(first.x, base_y);
        self.context.close_path();
        self.context.set_global_alpha(f64::from(share) / 100.0);
        self.context.fill();
        self.context.set_global_alpha(1.0);
    }

    fn cross(&mut self, at: Point, reach: f64, cross: Cross, paint: Paint) {
        let point = |dx: f64, dy: f64| Point { x: at.x + dx, y: at.y + dy };
        match cross {
            Cross::Missed => {
                let style = (paint, 1.5, Dash::Solid);
                self.line(point(-reach, -reach), point(reach, reach), style);
                self.line(point(-reach, reach), point(reach, -reach), style);
            }
            Cross::Hollow => {
                let notch = reach * 0.42;
                let outer = reach - notch;
                let corners = [
                    point(0.0, -notch),
                    point(outer, -reach),
                    point(reach, -outer),
                    point(notch, 0.0),
                    point(reach, outer),
                    point(outer, reach),
                    point(0.0, notch),
                    point(-outer, reach),
                    point(-reach, outer),
                    point(-notch, 0.0),
                    point(-reach, -outer),
                    point(-outer, -reach),
                ];
                self.stroke_with((paint, 1.0, Dash::Solid));
                self.trace(&corners);
                self.context.close_path();
                self.context.stroke();
            }
            Cross::Failed | Cross::Cancelled => self.square(at, reach, cross, paint),
        }
    }

    fn square(&mut self, at: Point, reach: f64, cross: Cross, paint: Paint) {
        // On whole pixels: a blurred square is a dot.
        let (left, top, side) = ((at.x - reach).round(), (at.y - reach).round(), (2.0 * reach).round());
        if cross == Cross::Failed {
            self.finish();
            self.fill_with(paint);
            return self.context.fill_rect(left, top, side, side);
        }
        self.stroke_with((paint, 1.0, Dash::Solid));
        self.context.stroke_rect(left + 0.5, top + 0.5, side - 1.0, side - 1.0);
    }

    fn text(&mut self, text: &str, at: Point, anchor: Anchor, size: TextSize, paint: Paint, backed: bool) {
        self.finish();
        if backed {
            let width = self.text_width(text, size);
            let left = match anchor {
                Anchor::Start => at.x,
                Anchor::Middle => at.x - width / 2.0,
                Anchor::End => at.x - width,
            };
            let height = size.px() + 3.0;
            let frame = Frame { left: left - 2.0, top: at.y - height / 2.0, width: width + 4.0, height };
            self.pill(&frame, 2.0, Paint::Panel);
        }
        self.font_of(size);
        self.fill_with(paint);
        self.context.set_text_align(match anchor {
            Anchor::Start => "left",
            Anchor::Middle => "center",
            Anchor::End => "right",
        });
        // The middle of the em box lies a little above the middle of figures and lower-case letters.
        let y = at.y + 0.5;
        // Fonts differ in width: what is laid out to end in a gutter must not begin left of the canvas.
        let _ = match anchor {
            Anchor::End if at.x < GUTTER_MAX_PX => self.context.fill_text_with_max_width(text, at.x, y, at.x - 1.0),
            _ => self.context.fill_text(text, at.x, y),
        };
    }

    fn trace(&self, points: &[Point]) {
        self.context.begin_path();
        for (at, point) in points.iter().enumerate() {
            if at == 0 {
                self.context.move_to(point.x, point.y);
            } else {
                self.context.line_to(point.x, point.y);
            }
        }
    }

    fn fill_with(&mut self, paint: Paint) {
        if self.fill != Some(paint) {
            self.context.set_fill_style_str(self.palette.css(paint));
            self.fill = Some(paint);
        }
    }

    fn stroke_with(&mut self, style: (Paint, f64, Dash)) {
        self.finish();
        if self.stroke == Some(style) {
            return;
        }
        let (paint, width, dash) = style;
        self.context.set_stroke_style_str(self.palette.css(paint));
        self.context.set_line_width(width);
        let lengths: Array = dash.pattern().iter().map(|&length| JsValue::from_f64(length)).collect();
        let _ = self.context.set_line_dash(&lengths);
        self.stroke = Some(style);
    }

    fn font_of(&mut self, size: TextSize) {
        if self.font != Some(size) {
            self.context.set_font(&format!("{} {}px {FONT}", size.weight(), size.px()));
            self.font = Some(size);
        }
    }

    /// A tile of lines from bottom left to top right, or in both directions.
    fn hatch(&self, paint: Paint, fill: Fill) -> Option<CanvasPattern> {
        let is_known = |known: &&(Paint, Fill, CanvasPattern)| (known.0, known.1) == (paint, fill);
        let known = self.hatches.borrow().iter().find(is_known).map(|known| known.2.clone());
        if known.is_some() {
            return known;
        }
        let size = (HATCH_PX * self.ratio).round().max(2.0);
        let tile = loose_canvas(size, size, 1.0)?;
        let context: CanvasRenderingContext2d = tile.get_context("2d").ok()??.dyn_into().ok()?;
        context.set_stroke_style_str(self.palette.css(paint));
        context.set_line_width(1.4 * self.ratio);
        context.begin_path();
        // Three lines, so that the corners of the tile are covered as well.
        for shift in [-size, 0.0, size] {
            context.move_to(shift - size, size * 2.0);
            context.line_to(shift + size * 2.0, -size);
            if fill == Fill::CrossHatch {
                context.move_to(shift - size, -size);
                context.line_to(shift + size * 2.0, size * 2.0);
            }
        }
        context.stroke();
        let pattern = self.context.create_pattern_with_html_canvas_element(&tile, "repeat").ok()??;
        self.hatches.borrow_mut().push((paint, fill, pattern.clone()));
        Some(pattern)
    }
}

/// The rectangle that a solid line along an axis is.
fn rect_of(from: Point, to: Point, (_, width, dash): (Paint, f64, Dash)) -> Option<Frame> {
    let (left, top) = (from.x.min(to.x), from.y.min(to.y));
    let (length_x, length_y) = ((to.x - from.x).abs(), (to.y - from.y).abs());
    match (dash, length_x == 0.0, length_y == 0.0) {
        (Dash::Solid, false, true) => Some(Frame { left, top: top - width / 2.0, width: length_x, height: width }),
        (Dash::Solid, true, false) => Some(Frame { left: left - width / 2.0, top, width, height: length_y }),
        _ => None,
    }
}

impl Drop for Painter<'_> {
    fn drop(&mut self) {
        self.finish();
    }
}
