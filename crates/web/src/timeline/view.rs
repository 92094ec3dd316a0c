//! The settings of the timelines: the time in view, rows, cursor and selection. It does not know the DOM.

use elastiplan_compare::{Arrangement, Group};
use elastiplan_engine::Run;
use elastiplan_model::{JobId, Trace, Workload};
use elastiplan_present::runs::{RunEntry, RunState};
use elastiplan_scene::{ModelSlots, Pitch, RowGroup, Rows, StripLayout, TimeWindow};

use super::picture::{Picture, fitting_pitch, gpus_top};
use crate::state::order::{Focus, Show};

/// Factor of one press of a zoom key.
pub const KEY_ZOOM: f64 = 1.5;
/// Share of the window that one press of a pan key moves.
pub const KEY_PAN: f64 = 0.15;
/// Shown on each side of a span that fills the window.
const SPAN_MARGIN: f64 = 0.08;

/// The settings of the timelines.
#[derive(Clone, Debug)]
pub struct View {
    /// The time in view.
    pub window: TimeWindow,
    /// Whether the window follows the runs: it has not been zoomed or panned.
    pub is_fitted: bool,
    /// The height of a row; `None` for as large as fits.
    pub pitch: Option<Pitch>,
    /// How far rows are scrolled up.
    pub scroll_px: f64,
    /// Where the cursor is.
    pub cursor_s: Option<f64>,
    /// Whether it stays when the pointer moves.
    pub is_pinned: bool,
    /// The job under the pointer.
    pub hovered: Option<JobId>,
    /// The selected job.
    pub selected: Option<JobId>,
    /// The selected time.
    pub range_s: Option<(f64, f64)>,
    /// The kind of rows.
    pub show: Show,
    /// Colours of models.
    pub slots: ModelSlots,
    /// The jobs that are shown, in order.
    pub rows: Rows,
    /// Slots whose models are filtered out.
    hidden: [bool; elastiplan_scene::ModelSlot::COUNT],
    /// From the first submission to when the last run ends or may end.
    extent_s: (f64, f64),
    /// The most GPUs that any run had at once.
    gpus_top: u32,
    /// Nodes that there can be, and GPUs of each.
    places: (u32, u32),
}

/// The part of the settings that back and forward restore.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// The time in view; `None` for all.
    window: Option<TimeWindow>,
    pitch: Option<Pitch>,
    scroll_px: f64,
    selected: Option<JobId>,
    range_s: Option<(f64, f64)>,
    show: Show,
}

impl View {
    /// Everything in view.
    pub fn new(workload: &Workload, runs: &[RunEntry], arranged: Option<&Arrangement>) -> Self {
        let trace = workload.trace();
        let extent_s = extent_s(trace, runs);
        let mut view = Self {
            window: TimeWindow::fit(extent_s.0, extent_s.1),
            is_fitted: true,
            pitch: None,
            scroll_px: 0.0,
            cursor_s: None,
            is_pinned: false,
            hovered: None,
            selected: None,
            range_s: None,
            show: Show::Jobs,
            slots: ModelSlots::new(trace),
            rows: Rows::by_submission(trace),
            hidden: Default::default(),
            extent_s,
            gpus_top: gpus_top(runs),
            places: places_of(runs),
        };
        view.arrange_rows(trace, arranged);
        view
    }

    /// The picture that all strips share.
    pub fn picture<'a>(&'a self, workload: &'a Workload) -> Picture<'a> {
        Picture {
            trace: workload.trace(),
            slots: &self.slots,
            show: self.show,
            rows: &self.rows,
            row_count: self.row_count(),
            row_group: self.row_group(),
            window: self.window,
            pitch: self.pitch,
            scroll_px: self.scroll_px,
            selected: self.selected,
            gpus_top: self.gpus_top,
        }
    }

    /// When the slowest run ends or may end.
    pub fn horizon_s(&self) -> f64 {
        self.extent_s.1
    }

    /// Follows runs that have come further.
    pub fn follow_runs(&mut self, workload: &Workload, runs: &[RunEntry]) {
        self.extent_s = extent_s(workload.trace(), runs);
        self.gpus_top = gpus_top(runs);
        self.places = places_of(runs);
        if self.is_fitted {
            self.window = TimeWindow::fit(self.extent_s.0, self.extent_s.1);
        }
    }

    /// Goes over to other jobs. If they are as many of the same models it is taken for the same trace under other
    /// what-ifs, and what was set stands.
    pub fn follow_workload(&mut self, before: &Workload, after: &Workload, arranged: Option<&Arrangement>) {
        let (before, after) = (before.trace(), after.trace());
        let is_alike = before.models() == after.models() && before.jobs().len() == after.jobs().len();
        if !is_alike {
            self.fit();
            self.hidden = Default::default();
            self.selected = None;
            self.range_s = None;
            self.hovered = None;
            self.cursor_s = None;
            self.is_pinned = false;
        }
        self.slots = ModelSlots::new(after);
        self.arrange_rows(after, arranged);
    }

    /// Shows all time and all rows.
    pub fn fit(&mut self) {
        self.window = TimeWindow::fit(self.extent_s.0, self.extent_s.1);
        self.is_fitted = true;
        self.pitch = None;
        self.scroll_px = 0.0;
    }

    /// Shows another part of time.
    pub fn show(&mut self, window: TimeWindow) {
        self.window = window;
        self.is_fitted = false;
    }

    /// Shows a range with a little on both sides.
    pub fn show_span(&mut self, start_s: f64, end_s: f64) {
        let margin_s = (end_s - start_s) * SPAN_MARGIN;
        self.show(TimeWindow::new(start_s - margin_s, end_s + margin_s));
    }

    /// Zooms by a key: about the cursor if it is in view.
    pub fn zoom_by_key(&mut self, factor: f64) {
        let middle_s = (self.window.start_s() + self.window.end_s()) / 2.0;
        let in_view = |time_s: &f64| (self.window.start_s()..=self.window.end_s()).contains(time_s);
        let about_s = self.cursor_s.filter(in_view).unwrap_or(middle_s);
        self.show(self.window.zoomed(about_s, factor));
    }

    /// Pans by a key: -1 for earlier, 1 for later.
    pub fn pan_by_key(&mut self, direction: f64) {
        self.show(self.window.panned(self.window.span_s() * KEY_PAN * direction));
    }

    /// Pins the cursor, and brings it into view.
    pub fn pin(&mut self, time_s: f64) {
        self.cursor_s = Some(time_s);
        self.is_pinned = true;
        if !(self.window.start_s()..=self.window.end_s()).contains(&time_s) {
            let middle_s = (self.window.start_s() + self.window.end_s()) / 2.0;
            self.show(self.window.panned(time_s - middle_s));
        }
    }

    /// Shows the selected time if it does not fill the view already, or everything.
    pub fn fit_next(&mut self) {
        let before = self.window;
        if let Some((start_s, end_s)) = self.range_s {
            self.show_span(start_s, end_s);
        }
        if self.window == before {
            self.fit();
        }
    }

    /// The selection.
    pub fn focus(&self) -> Focus {
        Focus { job: self.selected, range_s: self.range_s }
    }

    /// The settings to be restored later.
    pub fn seen(&self) -> Seen {
        let Self { pitch, scroll_px, selected, range_s, show, .. } = *self;
        Seen { window: (!self.is_fitted).then_some(self.window), pitch, scroll_px, selected, range_s, show }
    }

    /// Comes back to what was seen.
    pub fn see(&mut self, seen: Seen) {
        match seen.window {
            Some(window) => self.show(window),
            None => self.fit(),
        }
        self.pitch = seen.pitch;
        self.scroll_px = seen.scroll_px;
        self.selected = seen.selected;
        self.range_s = seen.range_s;
        self.show = seen.show;
    }

    /// Gives rows to something else.
    pub fn show_rows_of(&mut self, show: Show) {
        self.show = show;
        self.scroll_px = 0.0;
        self.pitch = None;
    }

    /// Frees the cursor, or else clears the selected time, or else the selected job.
    pub fn release(&mut self) {
        if self.is_pinned {
            self.is_pinned = false;
            self.cursor_s = None;
        } else if self.range_s.take().is_none() {
            self.selected = None;
        }
    }

    /// Whether a slot's models are shown.
    pub fn is_shown(&self, slot: usize) -> bool {
        !self.hidden.get(slot).copied().unwrap_or(false)
    }

    /// Shows or hides a slot's models. With the last one hidden there would be nothing to see: then all are shown.
    pub fn toggle_slot(&mut self, slot: usize, trace: &Trace, arranged: Option<&Arrangement>) {
        if let Some(hidden) = self.hidden.get_mut(slot) {
            *hidden = !*hidden;
        }
        self.arrange_rows(trace, arranged);
        if self.rows.is_empty() {
            self.hidden = Default::default();
            self.arrange_rows(trace, arranged);
        }
    }

    /// Makes rows larger or smaller, in a plot of this height. At "as large as fits" it stays there.
    pub fn step_rows(&mut self, larger: bool, height_px: f64) {
        let fitting = fitting_pitch(self.row_count(), self.row_group(), height_px);
        let now = self.pitch.unwrap_or(fitting);
        let next = now.stepped(larger);
        if larger && next == now {
            return;
        }
        let is_above_fit = next != now && (matches!(fitting, Pitch::Bands { .. }) || next.px() > fitting.px());
        self.pitch = is_above_fit.then_some(next);
    }

    /// The selected job's neighbour among the rows.
    pub fn neighbour(&self, forward: bool) -> Option<JobId> {
        let row = self.selected.and_then(|job| self.rows.row_of(job));
        let last = self.rows.len().checked_sub(1)?;
        let next = match (row, forward) {
            (Some(row), true) => (row + 1).min(last),
            (Some(row), false) => row.saturating_sub(1),
            (None, true) => 0,
            (None, false) => last,
        };
        self.rows.job_at(next)
    }

    /// Selects a job and brings its row into view.
    pub fn select(&mut self, job: JobId, layout: Option<f64>) {
        self.selected = Some(job);
        if let (Some(height_px), Some(row)) = (layout, self.rows.row_of(job)) {
            self.scroll_px = self.layout_of(height_px).scroll_to(row);
        }
    }

    /// How far rows may be scrolled in a plot of this height.
    pub fn scroll_max_px(&self, height_px: f64) -> f64 {
        self.layout_of(height_px).scroll_max_px()
    }

    /// How many rows belong together.
    fn row_group(&self) -> u32 {
        if self.show == Show::Gpus { self.places.1 } else { 1 }
    }

    /// How many rows there are.
    pub fn row_count(&self) -> usize {
        let (nodes, gpus_per_node) = self.places;
        match self.show {
            Show::Jobs => self.rows.len(),
            Show::Gpus => (nodes * gpus_per_node) as usize,
            Show::Nodes => nodes as usize,
        }
    }

    fn layout_of(&self, height: f64) -> StripLayout {
        let frame = elastiplan_scene::Frame { left: 0.0, top: 0.0, width: 1.0, height };
        let pitch = self.pitch.unwrap_or_else(|| fitting_pitch(self.row_count(), self.row_group(), height));
        StripLayout { rows: self.row_count(), frame, window: self.window, pitch, scroll_px: self.scroll_px }
    }

    fn arrange_rows(&mut self, trace: &Trace, arranged: Option<&Arrangement>) {
        let all = match arranged {
            Some(arranged) => {
                let group = |group: &Group| RowGroup { name: group.name.clone(), first: group.first };
                // One group needs no name.
                let groups = arranged.groups.iter().filter(|_| arranged.groups.len() > 1).map(group);
                Rows::from_jobs(trace, arranged.jobs.clone()).in_groups(groups.collect())
            }
            None => Rows::by_submission(trace),
        };
        let shown = |model| self.is_shown(self.slots.of(model).index());
        self.rows = all.of_models(trace, shown);
    }
}

/// Nodes that the runs can have, and GPUs of each.
fn places_of(runs: &[RunEntry]) -> (u32, u32) {
    let runs = runs.iter().filter_map(|entry| Some(&entry.result.as_ref()?.run));
    let places = runs.map(|run| (run.holdings.first.len().saturating_sub(1) as u32, run.gpus_per_node.max(1)));
    places.max().unwrap_or((0, 1))
}

/// From the first submission to when the slowest run ends. Runs on their way are taken to last at least until the last
/// submission.
fn extent_s(trace: &Trace, runs: &[RunEntry]) -> (f64, f64) {
    let start_s = trace.start_s();
    let last_submit_s = trace.jobs().last().map_or(start_s, |job| job.submit_s);
    let ends = runs.iter().map(|entry| {
        let known_s = entry.result.as_ref().map_or(start_s, |result| recorded_until_s(&result.run));
        match entry.state {
            RunState::Running(progress) => known_s.max(progress.time_s).max(last_submit_s),
            RunState::Started => last_submit_s,
            _ => known_s,
        }
    });
    let end_s = ends.fold(start_s, f64::max);
    (start_s, if end_s > start_s { end_s } else { last_submit_s.max(start_s + 3600.0) })
}

/// When a run ends; of one that was given up, when counts changed for the last time: it may have waited for years.
fn recorded_until_s(run: &Run) -> f64 {
    let last_s = run.series.time_s.last().copied().filter(|_| run.stalled);
    last_s.map_or(run.end_s, |last_s| run.end_s.min(run.start_s + (last_s - run.start_s) * 1.05))
}

#[cfg(test)]
mod tests {
    use elastiplan_scenario::sample;

    use super::*;

    fn sample_view() -> (Workload, View) {
        let (workload, _) = sample::scenario(sample::SEED).workload();
        let view = View::new(&workload, &[], None);
        (workload, view)
    }

    #[test]
    fn hiding_the_last_model_shows_all() {
        let (workload, mut view) = sample_view();
        let all = view.rows.len();
        for slot in 0..7 {
            view.toggle_slot(slot, workload.trace(), None);
        }
        assert_eq!(view.rows.len(), all);
        assert!((0..7).all(|slot| view.is_shown(slot)));
    }

    #[test]
    fn rows_step_up_from_the_fitting_height_and_back() {
        let (_, mut view) = sample_view();
        view.step_rows(true, 100.0);
        assert_eq!(view.pitch, Some(Pitch::Rows { row_px: 3 }));
        view.step_rows(true, 100.0);
        assert_eq!(view.pitch, Some(Pitch::Rows { row_px: 4 }));
        assert!(view.scroll_max_px(100.0) > 0.0);
        view.step_rows(false, 100.0);
        view.step_rows(false, 100.0);
        assert_eq!(view.pitch, None);
        for _ in 0..9 {
            view.step_rows(true, 300.0);
        }
        assert_eq!(view.pitch, Some(Pitch::Rows { row_px: 17 }));
    }

    #[test]
    fn selection_walks_along_the_rows() {
        let (_, mut view) = sample_view();
        assert_eq!(view.neighbour(true), Some(JobId(0)));
        view.select(JobId(0), None);
        assert_eq!(view.neighbour(false), Some(JobId(0)));
        assert_eq!(view.neighbour(true), Some(JobId(1)));
    }

    #[test]
    fn the_cursor_is_freed_before_the_time_and_that_before_the_job() {
        let (_, mut view) = sample_view();
        view.select(JobId(3), None);
        view.pin(60.0);
        view.range_s = Some((0.0, 60.0));
        view.release();
        assert_eq!((view.cursor_s, view.selected), (None, Some(JobId(3))));
        view.release();
        assert_eq!(view.focus(), Focus { job: Some(JobId(3)), range_s: None });
        view.release();
        assert_eq!(view.focus(), Focus::default());
    }

    #[test]
    fn fit_shows_the_selected_time_and_then_everything() {
        let (_, mut view) = sample_view();
        let all = view.window;
        view.range_s = Some((600.0, 1200.0));
        view.fit_next();
        assert!(view.window.start_s() < 600.0 && view.window.span_s() < 1000.0);
        view.fit_next();
        assert_eq!(view.window, all);
    }

    #[test]
    fn a_view_is_come_back_to() {
        let (_, mut view) = sample_view();
        let seen = view.seen();
        view.show_span(0.0, 100.0);
        view.select(JobId(2), None);
        view.show_rows_of(Show::Nodes);
        view.see(seen);
        assert_eq!(view.seen(), seen);
    }

    #[test]
    fn pinning_out_of_view_brings_it_there() {
        let (_, mut view) = sample_view();
        view.show_span(0.0, 100.0);
        view.pin(5000.0);
        assert!((view.window.start_s()..view.window.end_s()).contains(&5000.0));
    }
}
