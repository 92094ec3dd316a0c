//! Marks that move with the pointer, on a canvas above all others: axis labels, cursor, readouts, the outline of the
//! job pointed at, the range being dragged. Strips are not painted again for any of it.

use elastiplan_model::Workload;
use elastiplan_present::runs::RunEntry;
use elastiplan_scene::{Anchor, Dash, Fill, Frame, Mark, Paint, Point, TextSize, TimeScale, axis};
use elastiplan_text::format;

use super::details::Details;
use super::overview::Overview;
use super::picture::phase_of;
use super::rows::StripRows;
use super::stage::Stage;
use super::view::View;
use crate::paint::painter::Painter;

/// Everything that the overlay needs to know.
pub struct Overlay<'a> {
    /// The runs.
    pub runs: &'a [RunEntry],
    /// The workload they ran.
    pub workload: &'a Workload,
    /// The settings.
    pub view: &'a View,
    /// The cached details of runs.
    pub details: &'a Details,
    /// Where things lie.
    pub stage: &'a Stage,
    /// When two runs differ first.
    pub first_difference_s: Option<f64>,
    /// Whether the selected time is being dragged.
    pub is_dragging: bool,
    /// The strip that shows all time, where the view does not.
    pub overview: Option<Overview>,
}

impl Overlay<'_> {
    /// Paints it all on a cleared canvas.
    pub fn paint(&self, painter: &mut Painter) {
        let scale = TimeScale::over(self.view.window, &self.stage.axis);
        // The ends of a range that is being dragged say more than a cursor among them.
        let cursor_s = self.view.cursor_s.filter(|&time_s| scale.shows(time_s) && !self.is_dragging);
        let cursor_x = cursor_s.map(|time_s| scale.x_of(time_s));
        let picture = self.view.picture(self.workload);
        painter.list(&axis::labels(&picture.ticks(&self.stage.axis), &self.stage.axis, cursor_x));
        if let Some(overview) = self.overview {
            let frame = overview.frame_of(self.view.window);
            let frame = Frame { top: frame.top - 1.0, height: frame.height + 2.0, ..frame };
            painter.mark(&Mark::Rect { frame, paint: Paint::Accent, fill: Fill::Share(14) });
            painter.mark(&Mark::Outline { frame, paint: Paint::Accent, width: 2.0 });
        }
        if let Some(time_s) = self.first_difference_s.filter(|&time_s| scale.shows(time_s)) {
            self.paint_diamond(painter, scale.x_of(time_s));
        }
        self.paint_forks(painter, &scale);
        if let Some(range_s) = self.view.range_s {
            self.paint_range(painter, &scale, range_s);
        }
        if !self.is_dragging {
            self.paint_hovered(painter);
        }
        if let Some(time_s) = cursor_s {
            self.paint_cursor(painter, &scale, time_s);
        }
    }

    /// A line in the strips of a fork and of its origin, at the time of the fork.
    fn paint_forks(&self, painter: &mut Painter, scale: &TimeScale) {
        for strip in &self.stage.strips {
            let marks_s = self.runs.get(strip.run).map_or(&[][..], |entry| &entry.marks_s);
            let top = strip.place.top.max(self.stage.visible.0);
            let bottom = (strip.place.top + strip.place.height).min(self.stage.visible.1);
            for time_s in marks_s.iter().filter(|time_s| scale.shows(**time_s) && bottom > top) {
                let x = scale.x_of(*time_s).floor() + 0.5;
                let (from, to) = (Point { x, y: top }, Point { x, y: bottom });
                painter.mark(&Mark::Line { from, to, paint: Paint::Accent, width: 2.0, dash: Dash::Solid });
            }
        }
    }

    /// The mark of the first difference, below the labels of the axis.
    fn paint_diamond(&self, painter: &mut Painter, x: f64) {
        let (x, y) = (x.round(), self.stage.axis.bottom() - 4.0);
        let corner = |dx: f64, dy: f64| Point { x: x + dx, y: y + dy };
        let points = vec![corner(-4.0, 0.0), corner(0.0, -4.0), corner(4.0, 0.0)];
        painter.mark(&Mark::Area { points, base_y: y, paint: Paint::Accent, share: 100 });
        let points = vec![corner(-4.0, 0.0), corner(0.0, 4.0), corner(4.0, 0.0)];
        painter.mark(&Mark::Area { points, base_y: y, paint: Paint::Accent, share: 100 });
    }

    fn paint_hovered(&self, painter: &mut Painter) {
        let Some(job) = self.view.hovered.filter(|_| !self.stage.is_narrow) else { return };
        let picture = self.view.picture(self.workload);
        for strip in &self.stage.strips {
            let picture = picture.of_strip(strip.is_open);
            let Some(entry) = self.runs.get(strip.run) else { continue };
            let Some(result) = &entry.result else { continue };
            let sources = self.details.sources(strip.run, picture.show);
            let rows = StripRows::of(&picture, &result.run, phase_of(entry), strip.frames.rows, &sources);
            for frame in rows.outlines(&picture, job) {
                let (left, top) = (frame.left + strip.place.left, frame.top + strip.place.top);
                let frame = Frame { left: left.round(), top: top.round(), ..frame };
                if frame.top < self.stage.visible.0 || frame.bottom() > self.stage.visible.1 {
                    continue;
                }
                painter.mark(&Mark::Outline { frame, paint: Paint::Ink1, width: 1.0 });
            }
        }
    }

    fn paint_cursor(&self, painter: &mut Painter, scale: &TimeScale, time_s: f64) {
        let x = scale.x_of(time_s).floor() + 0.5;
        for (top, bottom) in self.stage.reaches() {
            let (from, to) = (Point { x, y: top - 2.0 }, Point { x, y: bottom });
            painter.mark(&Mark::Line { from, to, paint: Paint::Ink1, width: 1.0, dash: Dash::Solid });
        }
        let zero_s = self.workload.trace().start_s();
        let label = format::moment(time_s - zero_s, scale.s_per_px());
        self.paint_pill(painter, x, &label);
    }

    /// Words on ink, on the axis.
    fn paint_pill(&self, painter: &mut Painter, x: f64, words: &str) {
        let width = painter.text_width(words, TextSize::CaptionStrong) + 14.0;
        let axis = &self.stage.axis;
        let left = (x - width / 2.0).clamp(0.0, (self.stage.width - width).max(0.0)).round();
        let frame = Frame { left, top: axis.top + 3.0, width, height: axis.height - 6.0 };
        painter.pill(&frame, 3.0, Paint::Ink1);
        let at = Point { x: left + width / 2.0, y: axis.top + axis.height / 2.0 };
        let (anchor, size) = (Anchor::Middle, TextSize::CaptionStrong);
        painter.mark(&Mark::Text { at, text: words.into(), anchor, size, paint: Paint::Panel, backed: false });
    }

    fn paint_range(&self, painter: &mut Painter, scale: &TimeScale, (from_s, to_s): (f64, f64)) {
        let (left, right) = (scale.x_within(from_s.min(to_s)).round(), scale.x_within(from_s.max(to_s)).round());
        for (top, bottom) in self.stage.reaches() {
            let frame = Frame { left, top, width: (right - left).max(0.0), height: (bottom - top).max(0.0) };
            painter.mark(&Mark::Rect { frame, paint: Paint::Accent, fill: Fill::Share(14) });
            for x in [left + 0.5, right - 0.5] {
                let (from, to) = (Point { x, y: top }, Point { x, y: bottom });
                painter.mark(&Mark::Line { from, to, paint: Paint::Accent, width: 1.0, dash: Dash::Solid });
            }
        }
        let length = format::duration((to_s - from_s).abs());
        let zero_s = self.workload.trace().start_s();
        let moment = |time_s: f64| format::moment(time_s - zero_s, scale.s_per_px());
        let words = format!("{} to {} · {length}", moment(from_s.min(to_s)), moment(from_s.max(to_s)));
        self.paint_pill(painter, (left + right) / 2.0, &words);
    }
}
