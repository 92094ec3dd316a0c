//! The settings of the timelines: the time in view, rows, cursor and selection. It does not know the DOM.

use elastiplan_compare::{Arrangement, Group};
use elastiplan_engine::Run;
use elastiplan_model::{JobId, Trace, Workload};
use elastiplan_present::runs::{RunEntry, RunState, shown};
use elastiplan_scene::{Banding, ModelSlots, Pitch, RowGroup, Rows, StackBy, StripLayout, TimeWindow};

use super::picture::{Picture, fitting_pitch, gpus_top};
use crate::state::order::{Focus, Show};

/// Factor of one press of a zoom key.
pub const KEY_ZOOM: f64 = 1.5;
/// Share of the window that one press of a pan key moves.
pub const KEY_PAN: f64 = 0.15;
/// Shown on each side of a span that fills the window.
const SPAN_MARGIN: f64 = 0.08;
/// With more jobs, strips open with stacked GPUs, and rows of jobs are packed.
const JOBS_WITH_ROWS: usize = 100;
/// Share of the time in view that may lie before the first submission or after the last end.
const BEYOND_ENDS: f64 = 0.05;
/// A window this much of the whole time is all of it.
const ALL_TIME: f64 = 0.999;

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
    /// What strips show, where there is room for a choice.
    pub show: Show,
    /// What GPUs are stacked by.
    pub stack_by: StackBy,
    /// Whether jobs share rows; `None` for as many jobs demand.
    pack: Option<bool>,
    /// Whether there is no room for rows: GPUs are stacked.
    pub is_narrow: bool,
    /// Whether GPUs are stacked in any strip: in all, or in those that are closed.
    pub has_stacks: bool,
    /// The bands of stacked GPUs.
    banding: Banding,
    /// What the bands are of: the jobs, what they are stacked by, and the records.
    banded: Option<(u64, StackBy, u64)>,
    /// Changes with the jobs that are shown.
    rows_version: u64,
    /// Changes with the records of runs.
    runs_version: u64,
    /// Colours of models.
    pub slots: ModelSlots,
    /// The jobs that are shown, in order.
    pub rows: Rows,
    /// Slots whose models are filtered out.
    hidden: [bool; elastiplan_scene::ModelSlot::COUNT],
    /// From the first submission to when the last run ends or may end.
    extent_s: (f64, f64),
    /// The most GPUs that any shown run had at once.
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
            show: default_show(trace),
            stack_by: StackBy::default(),
            pack: None,
            is_narrow: false,
            has_stacks: false,
            banding: Banding::default(),
            banded: None,
            rows_version: 0,
            runs_version: 0,
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
            show: self.shown(),
            is_packed: self.is_packed(),
            banding: &self.banding,
            rows_version: self.rows_version,
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

    /// What strips show.
    pub fn shown(&self) -> Show {
        if self.is_narrow { Show::Stack } else { self.show }
    }

    /// Whether jobs share rows.
    pub fn is_packed(&self) -> bool {
        self.shown() == Show::Jobs && self.pack.unwrap_or(self.rows.len() > JOBS_WITH_ROWS)
    }

    /// Lets jobs share rows, or gives each one of its own.
    pub fn pack_rows(&mut self, is_packed: bool) {
        self.show_rows_of(Show::Jobs);
        self.pack = Some(is_packed);
    }

    /// Makes the bands of stacked GPUs, if they are shown and of other jobs or records.
    pub fn make_banding(&mut self, workload: &Workload, runs: &[RunEntry]) {
        let of = (self.rows_version, self.stack_by, self.runs_version);
        let is_needed = self.shown() == Show::Stack || self.has_stacks || !self.is_fitted;
        if !is_needed || self.banded == Some(of) {
            return;
        }
        let records: Vec<&Run> = runs.iter().filter_map(|entry| Some(&entry.result.as_ref()?.run)).collect();
        self.banding = Banding::new(workload.trace(), &self.slots, self.stack_by, &records, self.rows.jobs());
        self.banded = Some(of);
    }

    /// What the pictures of all runs follow, besides their bands: time, jobs, heights and the selected job.
    pub fn pictured(&self) -> (TimeWindow, u64, [u32; 3], Option<JobId>) {
        (self.window, self.rows_version, [self.gpus_top, self.places.0, self.places.1], self.selected)
    }

    /// Where the cursor is pinned.
    pub fn pinned_s(&self) -> Option<f64> {
        self.cursor_s.filter(|_| self.is_pinned)
    }

    /// Changes with the jobs that are shown.
    pub fn rows_version(&self) -> u64 {
        self.rows_version
    }

    /// The bands of stacked GPUs.
    pub fn banding(&self) -> &Banding {
        &self.banding
    }

    /// Follows runs that have come further.
    pub fn follow_runs(&mut self, workload: &Workload, runs: &[RunEntry]) {
        self.extent_s = extent_s(workload.trace(), runs);
        self.gpus_top = gpus_top(runs);
        self.places = places_of(runs);
        self.runs_version += 1;
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
            self.show = default_show(after);
            self.pack = None;
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

    /// All time: from the first submission to the last end.
    pub fn all_time(&self) -> TimeWindow {
        TimeWindow::fit(self.extent_s.0, self.extent_s.1)
    }

    /// Shows all time and all rows.
    pub fn fit(&mut self) {
        self.window = self.all_time();
        self.is_fitted = true;
        self.pitch = None;
        self.scroll_px = 0.0;
    }

    /// Shows another part of time, between the first submission and the last end.
    pub fn show(&mut self, window: TimeWindow) {
        let all = self.all_time();
        self.is_fitted = window.span_s() >= all.span_s() * ALL_TIME;
        self.window = if self.is_fitted { all } else { kept_within(window, &all) };
    }

    /// Shows a range with a little on both sides.
    pub fn show_span(&mut self, start_s: f64, end_s: f64) {
        let margin_s = (end_s - start_s) * SPAN_MARGIN;
        self.show(TimeWindow::new(start_s - margin_s, end_s + margin_s));
    }

    /// Zooms by a key: about the cursor if it is in view, but never away from `life_s`, the time of the selected job.
    pub fn zoom_by_key(&mut self, factor: f64, life_s: Option<(f64, f64)>) {
        let (start_s, end_s) = (self.window.start_s(), self.window.end_s());
        let in_view = |time_s: &f64| (start_s..=end_s).contains(time_s);
        let (first_s, last_s) = life_s.map_or((start_s, end_s), |(first_s, last_s)| {
            (first_s.clamp(start_s, end_s), last_s.clamp(start_s, end_s))
        });
        let cursor_s = self.cursor_s.filter(in_view);
        let about_s = cursor_s.map_or((first_s + last_s) / 2.0, |cursor_s| cursor_s.clamp(first_s, last_s));
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
        if self.shown() == Show::Gpus { self.places.1 } else { 1 }
    }

    /// How many rows there are; none where GPUs are stacked or jobs share rows.
    pub fn row_count(&self) -> usize {
        let (nodes, gpus_per_node) = self.places;
        match self.shown() {
            Show::Stack => 0,
            Show::Jobs if self.is_packed() => 0,
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
        self.rows_version += 1;
    }
}

/// What strips show of a trace at first: rows of many jobs are too low to be read.
fn default_show(trace: &Trace) -> Show {
    if trace.jobs().len() > JOBS_WITH_ROWS { Show::Stack } else { Show::Jobs }
}

/// A window moved so that little of it lies outside of all time. The shorter it is, the more may: what ends at the end
/// of all time is then not at the edge.
fn kept_within(window: TimeWindow, all: &TimeWindow) -> TimeWindow {
    let span_s = window.span_s();
    let beyond_s = span_s * BEYOND_ENDS * (1.0 - span_s / all.span_s());
    let (first_s, last_s) = (all.start_s() - beyond_s, all.end_s() + beyond_s - span_s);
    let start_s = window.start_s();
    if start_s < first_s {
        window.panned(first_s - start_s)
    } else if start_s > last_s {
        window.panned(last_s - start_s)
    } else {
        window
    }
}

/// Nodes that the shown runs can have, and GPUs of each.
fn places_of(runs: &[RunEntry]) -> (u32, u32) {
    let runs = shown(runs).filter_map(|entry| Some(&entry.result.as_ref()?.run));
    let places = runs.map(|run| (run.holdings.first.len().saturating_sub(1) as u32, run.gpus_per_node.max(1)));
    places.max().unwrap_or((0, 1))
}

/// From the first submission to when the slowest shown run ends. Runs on their way are taken to last at least until the last
/// submission.
fn extent_s(trace: &Trace, runs: &[RunEntry]) -> (f64, f64) {
    let start_s = trace.start_s();
    let last_submit_s = trace.jobs().last().map_or(start_s, |job| job.submit_s);
    let ends = shown(runs).map(|entry| {
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
    fn scales_are_those_of_the_runs_that_are_shown() {
        let entry = |nodes: u32, is_hidden: bool| {
            let mut scenario = sample::scenario(sample::SEED);
            scenario.cluster = elastiplan_model::Cluster::new(nodes, 8).unwrap();
            let policy: elastiplan_policies::PolicySpec = "equal-share".parse().unwrap();
            let run = elastiplan_planner::run(&scenario, &scenario.workload().0, &policy).unwrap();
            let (state, result) = (RunState::Finished, Some(std::rc::Rc::new(run)));
            RunEntry { is_hidden, state, result, ..RunEntry::new(0, policy) }
        };
        let (workload, _) = sample_view();
        let scales = |runs: &[RunEntry]| {
            let view = View::new(&workload, runs, None);
            (view.all_time(), view.gpus_top, view.places)
        };
        let alone = scales(&[entry(12, false)]);
        assert_eq!((alone.1, alone.2), (96, (12, 8)));
        // The hidden run has more GPUs, or takes longer.
        assert_eq!(scales(&[entry(12, false), entry(20, true)]), alone);
        assert_eq!(scales(&[entry(12, false), entry(8, true)]), alone);
        assert_ne!(scales(&[entry(12, false), entry(20, false)]), alone);
        assert_ne!(scales(&[entry(12, false), entry(8, false)]), alone);
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
    fn time_stops_at_the_ends_of_the_runs() {
        let (_, mut view) = sample_view();
        let all = view.window;
        view.show(all.zoomed(0.0, 0.1));
        assert_eq!((view.window, view.is_fitted), (all, true));
        view.show(all.zoomed(0.0, 4.0));
        view.show(view.window.panned(-1e6));
        assert!(!view.is_fitted && view.window.start_s() >= all.start_s() - 0.05 * view.window.span_s());
        view.show(view.window.panned(1e9));
        assert!(view.window.end_s() <= all.end_s() + 0.05 * view.window.span_s());
    }

    #[test]
    fn zooming_in_by_key_stays_with_the_selected_job() {
        let check = |cursor_s: Option<f64>, life_s: (f64, f64)| {
            let (_, mut view) = sample_view();
            view.cursor_s = cursor_s;
            for _ in 0..8 {
                view.zoom_by_key(KEY_ZOOM, Some(life_s));
                let window = view.window;
                assert!(life_s.0 <= window.end_s() && life_s.1 >= window.start_s(), "{life_s:?} is not in {window:?}");
            }
        };
        check(None, (100.0, 300.0));
        check(Some(5000.0), (100.0, 300.0));
        check(Some(200.0), (100.0, 300.0));
        check(Some(100.0), (4000.0, 4100.0));
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
