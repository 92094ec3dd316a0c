//! Doing what the rest of the page asks for.

use elastiplan_compare::Decided;
use elastiplan_model::JobId;
use elastiplan_present::runs::RunEntry;
use elastiplan_scene::Counts;
use elastiplan_text::format;

use super::component::Timelines;
use super::props::TimelinesProps;
use super::view::KEY_ZOOM;
use super::words::{self, missed_deadlines};
use crate::state::message;
use crate::state::order::{Order, Show};

/// How far an arrow key moves the cursor.
const ARROW_PX: f64 = 8.0;
/// Share of the rows in view by which they are scrolled.
const PAGE: f64 = 0.9;
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
            Order::StackBy(_) | Order::Pack(_) => true,
            Order::WorstQueue | Order::FirstMissedDeadline | Order::MostPreemptions => true,
            Order::MoveCursor { .. } | Order::GoTo(_) => true,
            _ => false,
        };
        match order {
            Order::Zoom { closer } => {
                let life_s = self.view.selected.and_then(|job| self.life_s(props, job));
                self.view.zoom_by_key(if closer { KEY_ZOOM } else { 1.0 / KEY_ZOOM }, life_s);
            }
            Order::Pan { later } => self.view.pan_by_key(if later { 1.0 } else { -1.0 }),
            Order::Fit => self.view.fit_next(),
            Order::Back | Order::Forward => renders = self.walk(order == Order::Back),
            Order::MoveCursor { right, far } => {
                let reach_px = if far { FAR_PX } else { ARROW_PX };
                self.move_cursor(props, if right { reach_px } else { -reach_px });
            }
            Order::Decision { next } => renders = self.go_to_decision(props, None, next),
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
            Order::StackBy(by) => {
                self.view.stack_by = by;
                self.view.show_rows_of(Show::Stack);
            }
            Order::Pack(is_packed) => self.view.pack_rows(is_packed),
            Order::Page { down } => self.page_rows(if down { PAGE } else { -PAGE }),
            Order::WorstQueue => self.go_to_worst_queue(props, None),
            Order::MostPreemptions => self.select_most_preempted(props),
            Order::FirstMissedDeadline => self.go_to_first_missed(props),
            Order::GoTo(time_s) => self.pin_cursor(props, time_s),
            Order::Select(job) => self.select(props, job),
            Order::Fork(slot) => self.fork(props, slot),
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
        self.details.seek(job);
    }

    fn page_rows(&mut self, pages: f64) {
        let Some(frame) = self.stage.strips.first().map(|strip| strip.frames.rows) else { return };
        let by_px = pages * frame.height;
        if self.view.is_packed() {
            self.details.scroll(None, by_px, frame);
        } else {
            let most_px = self.view.scroll_max_px(frame.height);
            self.view.scroll_px = (self.view.scroll_px + by_px).clamp(0.0, most_px);
        }
    }

    /// The cursor to when most jobs wait under any policy, or in one run.
    pub(super) fn go_to_worst_queue(&mut self, props: &TimelinesProps, run: Option<usize>) {
        let runs = of_runs(props, run).filter_map(|entry| Some((entry, &entry.result.as_ref()?.run)));
        let worst = runs.filter_map(|(entry, run)| {
            let (row, waiting) = first_greatest(&run.series.jobs_waiting)?;
            Some((waiting, *run.series.time_s.get(row)?, entry.policy.to_string()))
        });
        match worst.reduce(|best, other| if other.0 > best.0 { other } else { best }) {
            Some((waiting, time_s, policy)) if waiting > 0 => {
                self.pin_cursor(props, time_s);
                self.live = format!("Most jobs wait under {policy}: {}. {}", format::count(waiting.into()), self.live);
            }
            _ => self.live = "No job waits".into(),
        }
    }

    /// Selects the job that loses its GPUs most often under any policy.
    fn select_most_preempted(&mut self, props: &TimelinesProps) {
        let runs = props.runs.entries.iter().filter_map(|entry| Some(&entry.result.as_ref()?.run));
        let most = runs.filter_map(|run| first_greatest(&run.jobs.preemptions));
        match most.reduce(|best, other| if other.1 > best.1 { other } else { best }) {
            Some((job, preemptions)) if preemptions > 0 => self.select(props, JobId(job as u32)),
            _ => self.live = "No job is preempted".into(),
        }
    }

    /// Selects the job whose deadline is missed first under any policy, and pins the cursor at that deadline.
    fn go_to_first_missed(&mut self, props: &TimelinesProps) {
        let workload = &props.runs.workload;
        let runs = props.runs.entries.iter().filter_map(|entry| Some(&entry.result.as_ref()?.run));
        let missed = runs.flat_map(|run| missed_deadlines(run, workload));
        match missed.min_by(|a, b| a.1.total_cmp(&b.1)) {
            Some((job, deadline_s)) => {
                self.select(props, job);
                self.pin_cursor(props, deadline_s);
            }
            None => self.live = "No job misses its deadline".into(),
        }
    }

    fn mark_job(&mut self, props: &TimelinesProps) {
        let range_s = self.view.selected.and_then(|job| self.life_s(props, job));
        self.view.range_s = range_s.filter(|(first_s, last_s)| last_s > first_s);
    }

    /// Opens the sheet that forks a run at the cursor, else where the selected time begins, else in the middle of the view.
    pub(super) fn fork(&self, props: &TimelinesProps, slot: Option<usize>) {
        let middle_s = (self.view.window.start_s() + self.view.window.end_s()) / 2.0;
        let range_s = self.view.range_s.map(|(first_s, last_s)| first_s.min(last_s));
        let time_s = self.view.cursor_s.or(range_s).unwrap_or(middle_s);
        props.send.emit(message::Msg::Fork(slot, time_s));
    }

    /// Moves the cursor by pixels and says what is there.
    fn move_cursor(&mut self, props: &TimelinesProps, by_px: f64) {
        let window = self.view.window;
        let middle_s = (window.start_s() + window.end_s()) / 2.0;
        let from_s = self.view.cursor_s.unwrap_or(middle_s);
        let time_s = (from_s + by_px * self.scale().s_per_px()).max(props.runs.workload.trace().start_s());
        self.pin_cursor(props, time_s);
    }

    /// The cursor to where the next policy decides, or that of one run. Whether there is such a place.
    pub(super) fn go_to_decision(&mut self, props: &TimelinesProps, run: Option<usize>, next: bool) -> bool {
        let window = self.view.window;
        let from_s = self.view.cursor_s.unwrap_or(if next { window.start_s() } else { window.end_s() });
        let beside = |times_s: &[f64]| match next {
            true => times_s.get(times_s.partition_point(|&time_s| time_s <= from_s)).copied(),
            false => times_s.get(times_s.partition_point(|&time_s| time_s < from_s).checked_sub(1)?).copied(),
        };
        let runs = of_runs(props, run).filter_map(|entry| entry.result.as_ref());
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
            let Some(result) = &entry.result else { continue };
            let counts = Counts::at(&result.run, time_s).map(|counts| counts.readout());
            let decided = Decided::at(&result.run, time_s).as_ref().map(words::decided);
            let said: Vec<String> = counts.into_iter().chain(decided).collect();
            parts.extend((!said.is_empty()).then(|| format!("{}: {}", entry.policy, said.join(", "))));
        }
        self.live = parts.join(". ");
    }
}

/// All runs, or one.
fn of_runs(props: &TimelinesProps, run: Option<usize>) -> impl Iterator<Item = &RunEntry> {
    let entries = props.runs.entries.iter().enumerate();
    entries.filter(move |(at, _)| run.is_none_or(|run| run == *at)).map(|(_, entry)| entry)
}

/// The first of the greatest values, with its place; `None` if there is none.
pub(super) fn first_greatest(values: &[u32]) -> Option<(usize, u32)> {
    let placed = values.iter().copied().enumerate();
    placed.reduce(|best, other| if other.1 > best.1 { other } else { best })
}
