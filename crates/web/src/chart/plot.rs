//! Draws the distribution with plotters.

use std::ops::Range;

use elastiplan_scene::{Dash, Frame, Paint, Point, TextSize, TimeScale, TimeWindow, axis, format as written};
use js_sys::Array;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters_canvas::CanvasBackend;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::curves::{Curve, axis_end_s};
use super::labels;
use crate::timeline::painter::FONT;
use crate::timeline::palette::Palette;

/// Labels left of the plot.
const LEFT_PX: f64 = 30.0;
/// Labels below the plot.
const BOTTOM_PX: f64 = 20.0;
/// Room above the plot, for half a label.
const TOP_PX: f64 = 8.0;
/// Room right of the plot, for half a label.
const RIGHT_PX: f64 = 12.0;
/// A title, where there is one.
const TITLE_PX: f64 = 26.0;
/// The least distance of two labels of the time axis.
const TICK_APART_PX: f64 = 62.0;

type Backend = CanvasBackend;
type DrawError = DrawingAreaErrorKind<<Backend as DrawingBackend>::ErrorType>;

/// An axis from 0 with labels at given values: plotters would put them at round numbers of seconds.
struct Ticked {
    end: f64,
    ticks: Vec<f64>,
}

impl Ranged for Ticked {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        from + (value / self.end * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        0.0..self.end
    }
}

/// What is drawn and how.
pub struct Plot<'a> {
    /// The lines.
    pub curves: &'a [Curve],
    /// The colours.
    pub palette: &'a Palette,
    /// Device pixels per CSS pixel.
    pub ratio: f64,
    /// Written above, for a picture that stands alone.
    pub title: Option<&'a str>,
}

impl Plot<'_> {
    /// Draws it all over a canvas. Nothing but the ground if no job has completed.
    pub fn draw(&self, canvas: &HtmlCanvasElement) {
        let Some(context) = context_of(canvas) else { return };
        let (Some(backend), Some(end_s)) = (Backend::with_canvas_object(canvas.clone()), axis_end_s(self.curves))
        else {
            return;
        };
        let root = backend.into_drawing_area();
        // A canvas that refuses to be drawn on stays as it is.
        let _ = self.try_draw(&root, &context, end_s);
    }

    fn try_draw(
        &self,
        root: &DrawingArea<Backend, plotters::coord::Shift>,
        context: &CanvasRenderingContext2d,
        end_s: f64,
    ) -> Result<(), DrawError> {
        let (width, _) = root.dim_in_pixel();
        let plot_width = f64::from(width) / self.ratio - LEFT_PX - RIGHT_PX;
        let scale = TimeScale::new(TimeWindow::new(0.0, end_s), 0.0, plot_width);
        let ticks: Vec<f64> = axis::ticks(&scale, 0.0, TICK_APART_PX).iter().map(|tick| tick.time_s).collect();
        let step_s = axis::step_s(&scale, TICK_APART_PX);
        let title_px = if self.title.is_some() { TITLE_PX } else { 0.0 };

        set_dashes(context, &[]);
        root.fill(&self.colour(Paint::Panel))?;
        if let Some(title) = self.title {
            let style = self.text(TextSize::CaptionStrong, Paint::Ink1);
            root.draw_text(title, &style, (self.px(LEFT_PX), self.px(8.0)))?;
        }
        let mut chart = ChartBuilder::on(root)
            .margin_top(self.px(TOP_PX + title_px))
            .margin_right(self.px(RIGHT_PX))
            .x_label_area_size(self.px(BOTTOM_PX))
            .y_label_area_size(self.px(LEFT_PX))
            .build_cartesian_2d(
                Ticked { end: end_s, ticks },
                Ticked { end: 100.0, ticks: vec![0.0, 25.0, 50.0, 75.0, 100.0] },
            )?;
        let grid = self.colour(Paint::Grid).stroke_width(self.px(1.0) as u32);
        let caption = self.text(TextSize::Caption, Paint::Ink3);
        chart
            .configure_mesh()
            .x_labels(16)
            .y_labels(5)
            .bold_line_style(grid)
            .light_line_style(TRANSPARENT)
            .axis_style(self.colour(Paint::LineStrong).stroke_width(self.px(1.0) as u32))
            .x_label_style(caption.clone())
            .y_label_style(caption)
            .x_label_formatter(&|&time_s| written::axis_label(time_s, step_s))
            .y_label_formatter(&|&percent| {
                if percent == 25.0 || percent == 75.0 { String::new() } else { percent.to_string() }
            })
            .set_all_tick_mark_size(self.px(3.0))
            .draw()?;

        // The first policy lies on top.
        for curve in self.curves.iter().rev() {
            let paint = Paint::Policy(curve.policy);
            let lengths: Vec<f64> = Dash::of_policy(curve.policy).pattern().iter().map(|px| px * self.ratio).collect();
            set_dashes(context, &lengths);
            let style = self.colour(paint).stroke_width((1.5 * self.ratio).round() as u32);
            let line = PathElement::new(curve.corners(end_s), style);
            chart.draw_series(std::iter::once(line))?;
        }
        set_dashes(context, &[]);

        let (columns, rows) = chart.plotting_area().get_pixel_range();
        let css = |px: i32| f64::from(px) / self.ratio;
        let plot = Frame {
            left: css(columns.start),
            top: css(rows.start),
            width: css(columns.end - columns.start),
            height: css(rows.end - rows.start),
        };
        self.draw_names(root, &plot, end_s)
    }

    fn draw_names(
        &self,
        root: &DrawingArea<Backend, plotters::coord::Shift>,
        plot: &Frame,
        end_s: f64,
    ) -> Result<(), DrawError> {
        let place = |(time_s, percent): (f64, f64)| Point {
            x: plot.left + time_s / end_s * plot.width,
            y: plot.bottom() - percent / 100.0 * plot.height,
        };
        let lines: Vec<Vec<Point>> =
            self.curves.iter().map(|curve| thinned(curve.corners(end_s).into_iter().map(place))).collect();
        let names: Vec<String> = self.curves.iter().map(Curve::label).collect();
        for name in labels::place(&lines, &names, plot) {
            let (Some(curve), Some(words)) = (self.curves.get(name.line), names.get(name.line)) else { continue };
            let paint = Paint::Policy(curve.policy);
            if let Some((from, to)) = name.leader {
                let ends = [from, to].map(|end| (self.px(end.x), self.px(end.y)));
                let style = self.colour(paint).stroke_width((0.8 * self.ratio).round().max(1.0) as u32);
                root.draw(&PathElement::new(ends.to_vec(), style))?;
            }
            let style = self.text(TextSize::CaptionStrong, paint).pos(Pos::new(HPos::Left, VPos::Center));
            root.draw_text(words, &style, (self.px(name.at.x), self.px(name.at.y)))?;
        }
        Ok(())
    }

    fn px(&self, css_px: f64) -> i32 {
        (css_px * self.ratio).round() as i32
    }

    fn colour(&self, paint: Paint) -> RGBColor {
        let (red, green, blue) = self.palette.rgb(paint);
        RGBColor(red, green, blue)
    }

    fn text(&self, size: TextSize, paint: Paint) -> TextStyle<'static> {
        let weight = if size.weight() >= 600 { FontStyle::Bold } else { FontStyle::Normal };
        let mut style = TextStyle::from((FONT, size.px() * self.ratio, weight).into_font());
        style.color = self.colour(paint).to_backend_color();
        style
    }
}

/// Corners that can be told apart on the screen.
fn thinned(corners: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for corner in corners {
        let is_same = |last: &Point| (last.x - corner.x).abs() < 0.5 && (last.y - corner.y).abs() < 0.5;
        if !kept.last().is_some_and(is_same) {
            kept.push(corner);
        }
    }
    kept
}

fn context_of(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    context.set_transform(1.0, 0.0, 0.0, 1.0, 0.0, 0.0).ok()?;
    context.clear_rect(0.0, 0.0, f64::from(canvas.width()), f64::from(canvas.height()));
    Some(context)
}

/// Plotters knows no dashes on this backend, but leaves the canvas' own alone.
fn set_dashes(context: &CanvasRenderingContext2d, lengths: &[f64]) {
    let lengths: Array = lengths.iter().map(|&length| JsValue::from_f64(length)).collect();
    let _ = context.set_line_dash(&lengths);
}
