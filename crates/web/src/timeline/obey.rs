//! Doing what the rest of the page asks for.

use elastiplan_model::JobId;
use elastiplan_scene::Counts;
use elastiplan_text::format;

use super::component::Timelines;
use super::props::TimelinesProps;
use super::view::KEY_ZOOM;
use crate::state::order::Order;

/// How far an arrow key moves the cursor.
const ARROW_PX: f64 = 8.0;
/// And with `Shift`.
const FAR_PX: f64 = 80.0;

impl Timelines {
    /// Does what is asked for. Whether anything but canvases changes.
    pub(super) fn obey(&mut self, props: &TimelinesProps, order: Order) -> bool {
        if !matches!(order, Order::Point(_)) {
            self.tip_target = None;
            self.hide_tip();
        }
        let mut renders = match order {
            // The height of rows decides how much room their labels need.
            Order::Fit | Order::Rows { .. } | Order::Show(_) | Order::NextShow => true,
            Order::MoveCursor { .. } | Order::GoTo(_) => true,
            _ => false,
        };
        match order {
            Order::Zoom { closer: true } => self.view.zoom_by_key(KEY_ZOOM),
            Order::Zoom { closer: false } => self.view.zoom_by_key(1.0 / KEY_ZOOM),
            Order::Pan { later } => self.view.pan_by_key(if later { 1.0 } else { -1.0 }),
            Order::Fit => self.view.fit_next(),
            Order::Back | Order::Forward => renders = self.walk(order == Order::Back),
            Order::MoveCursor { right, far } => {
                let reach_px = if far { FAR_PX } else { ARROW_PX };
                self.move_cursor(props, if right { reach_px } else { -reach_px });
            }
            Order::Decision { next } => renders = self.go_to_decision(props, next),
            Order::Neighbour { next } => {
                if let Some(job) = self.view.neighbour(next) {
                    self.select(props, job);
                }
            }
            Order::MarkJob => self.mark_job(props),
            Order::Release => {
                let was_dragged = self.dragged_s.take().is_some();
                if was_dragged {
                    self.view.range_s = None;
                }
                if !self.gesture.cancel() {
                    self.view.release();
                }
            }
            Order::Rows { higher } => {
                if let Some(height_px) = self.stage.rows_height() {
                    self.view.step_rows(higher, height_px);
                }
            }
            Order::Show(show) => self.view.show_rows_of(show),
            Order::NextShow => self.view.show_rows_of(self.view.show.next()),
            Order::GoTo(time_s) => self.pin_cursor(props, time_s),
            Order::Select(job) => self.select(props, job),
            Order::Deselect => self.view.selected = None,
            Order::Point(job) => {
                self.view.hovered = job;
                self.repaint_overlay();
                return false;
            }
            Order::Mark(range_s) => self.view.range_s = range_s,
        }
        self.repaint_all();
        renders
    }

    /// Goes back or forward through what was seen.
    fn walk(&mut self, back: bool) -> bool {
        let is_other = if back { self.trail.undo() } else { self.trail.redo() };
        if is_other {
            self.view.see(*self.trail.present());
        }
        is_other
    }

    /// The time from a job's submission to its last end under any policy.
    fn life_s(&self, props: &TimelinesProps, job: JobId) -> Option<(f64, f64)> {
        let first_s = props.runs.workload.trace().jobs().get(job.index())?.submit_s;
        let ends_s = props.runs.entries.iter().filter_map(|entry| {
            let spans = &entry.result.as_ref()?.run.spans;
            spans.get(spans.range_of(job).last()?).map(|span| span.end_s)
        });
        Some((first_s, ends_s.fold(first_s, f64::max)))
    }

    fn select(&mut self, props: &TimelinesProps, job: JobId) {
        let rows_height = self.stage.rows_height().filter(|_| !self.stage.is_narrow);
        self.view.select(job, rows_height);
        // A job that lies outside the time in view is brought there by its submission.
        let Some((first_s, last_s)) = self.life_s(props, job) else { return };
        let window = self.view.window;
        if last_s < window.start_s() || first_s > window.end_s() {
            self.view.show(window.panned(first_s - window.start_s() - window.span_s() * 0.1));
        }
    }

    fn mark_job(&mut self, props: &TimelinesProps) {
        let range_s = self.view.selected.and_then(|job| self.life_s(props, job));
        self.view.range_s = range_s.filter(|(first_s, last_s)| last_s > first_s);
    }

    /// Moves the cursor by pixels and says what is there.
    fn move_cursor(&mut self, props: &TimelinesProps, by_px: f64) {
        let window = self.view.window;
        let middle_s = (window.start_s() + window.end_s()) / 2.0;
        let from_s = self.view.cursor_s.unwrap_or(middle_s);
        let time_s = (from_s + by_px * self.scale().s_per_px()).max(props.runs.workload.trace().start_s());
        self.pin_cursor(props, time_s);
    }

    /// The cursor to where the next policy decides. Whether there is such a place.
    fn go_to_decision(&mut self, props: &TimelinesProps, next: bool) -> bool {
        let window = self.view.window;
        let from_s = self.view.cursor_s.unwrap_or(if next { window.start_s() } else { window.end_s() });
        let beside = |times_s: &[f64]| match next {
            true => times_s.get(times_s.partition_point(|&time_s| time_s <= from_s)).copied(),
            false => times_s.get(times_s.partition_point(|&time_s| time_s < from_s).checked_sub(1)?).copied(),
        };
        let runs = props.runs.entries.iter().filter_map(|entry| entry.result.as_ref());
        let times_s = runs.filter_map(|result| beside(&result.run.decisions.time_s));
        let nearest = times_s.min_by(|a, b| (a - from_s).abs().total_cmp(&(b - from_s).abs()));
        if let Some(time_s) = nearest {
            self.pin_cursor(props, time_s);
        }
        nearest.is_some()
    }

    /// Pins the cursor at a time and says what is there.
    fn pin_cursor(&mut self, props: &TimelinesProps, time_s: f64) {
        self.view.pin(time_s);
        let zero_s = props.runs.workload.trace().start_s();
        let mut parts = vec![format::moment(time_s - zero_s, self.scale().s_per_px())];
        for entry in &props.runs.entries {
            let counts = entry.result.as_ref().and_then(|result| Counts::at(&result.run, time_s));
            parts.extend(counts.map(|counts| format!("{}: {}", entry.policy, counts.readout())));
        }
        self.live = parts.join(". ");
    }
}
