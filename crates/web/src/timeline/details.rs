//! Details of each run cached from frame to frame, so that frames cost no more than their pixels: GPU occupancy, and
//! levels of detail. It is made when it is first wanted.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use elastiplan_engine::{Outcome, Run};
use elastiplan_model::{JobId, Workload};
use elastiplan_planner::PolicyRun;
use elastiplan_present::runs::RunEntry;
use elastiplan_scene::{
    Banding, Detail, Frame, MissingDetail, PackedRows, Pitch, Stack, StripLayout, Tenancy, TimeWindow,
};

use super::picture::{Picture, phase_of};
use super::rows::{StripRows, unit_of};
use crate::dom;
use crate::state::order::Show;
use crate::state::runs::Runs;

/// Making levels of detail again, newer or finer, takes at most about this much of a frame: until then the ones that
/// there are serve. Those that are not there at all are made at once.
const BUDGET_MS: f64 = 6.0;
/// A zoom has ended when the length of the time in view has stayed the same for so long.
const ZOOM_ENDED_MS: f64 = 150.0;

/// Cached details from which a run's rows are drawn, besides its record.
#[derive(Clone, Default)]
pub struct Sources {
    /// GPU occupancy, made only for views that show it.
    pub tenancy: Option<Rc<Tenancy>>,
    /// Levels of detail.
    pub detail: Rc<Detail>,
    /// GPUs of each band over time.
    pub stack: Rc<Stack>,
    /// Which job has which packed row.
    pub packed: Rc<PackedRows>,
    /// How far packed rows are scrolled up.
    pub scroll_px: f64,
}

impl Sources {
    /// What one picture of a run needs, made at once.
    pub fn of(run: &Run, picture: &Picture) -> Self {
        match picture.show {
            Show::Stack => {
                let stack = Stack::of(run, picture.trace, picture.banding, picture.rows.jobs());
                Self { stack: Rc::new(stack), ..Self::default() }
            }
            _ => Self::default(),
        }
    }
}

#[derive(Default)]
struct Kept {
    record: Option<Rc<PolicyRun>>,
    tenancy: Option<Rc<Tenancy>>,
    details: [Rc<Detail>; Show::ALL.len()],
    stack: Option<KeptStack>,
    packed: Option<KeptRows>,
    scroll_px: f64,
    /// A job whose packed row is to be brought into view.
    sought: Option<JobId>,
}

/// A stack, and what it is of.
struct KeptStack {
    stack: Rc<Stack>,
    banding: Banding,
    rows_version: u64,
    is_stale: bool,
}

/// Packed rows, and what they are of.
struct KeptRows {
    packed: Rc<PackedRows>,
    rows_version: u64,
    width_px: f64,
    window: TimeWindow,
    /// The length of time for which rows were packed.
    packed_span_s: f64,
    /// When the length of the time in view changed last.
    zoomed_ms: f64,
    is_stale: bool,
}

/// The cached details of all runs.
#[derive(Default)]
pub struct Details {
    workload: RefCell<Option<Rc<Workload>>>,
    runs: RefCell<Vec<Kept>>,
    /// When making levels of detail again has to stop, in milliseconds.
    until_ms: Cell<f64>,
}

impl Details {
    /// Another frame begins.
    pub fn begin_frame(&self) {
        self.until_ms.set(dom::now_ms() + BUDGET_MS);
    }

    /// Follows runs that have come further.
    pub fn follow(&self, Runs { entries, workload }: &Runs) {
        let mut runs = self.runs.borrow_mut();
        let is_same = self.workload.borrow().as_ref().is_some_and(|known| Rc::ptr_eq(known, workload));
        if !is_same {
            runs.clear();
            *self.workload.borrow_mut() = Some(Rc::clone(workload));
        }
        runs.resize_with(entries.len(), Kept::default);
        for (kept, entry) in runs.iter_mut().zip(entries) {
            kept.follow(entry.result.as_ref());
        }
    }

    /// The details from which the rows of a run are drawn.
    pub fn sources(&self, run: usize, show: Show) -> Sources {
        let mut runs = self.runs.borrow_mut();
        let Some(kept) = runs.get_mut(run) else { return Sources::default() };
        if unit_of(show).is_some() {
            kept.make_tenancy(self.workload.borrow().as_deref());
        }
        Sources {
            tenancy: kept.tenancy.clone(),
            detail: kept.details.get(show as usize).cloned().unwrap_or_default(),
            stack: kept.stack.as_ref().map(|kept| Rc::clone(&kept.stack)).unwrap_or_default(),
            packed: kept.packed.as_ref().map(|kept| Rc::clone(&kept.packed)).unwrap_or_default(),
            scroll_px: kept.scroll_px,
        }
    }

    /// Scrolls packed rows of a run, or of all runs, by pixels.
    pub fn scroll(&self, run: Option<usize>, by_px: f64, frame: Frame) {
        for (at, kept) in self.runs.borrow_mut().iter_mut().enumerate() {
            if run.is_none_or(|run| run == at) {
                kept.scroll_px += by_px;
                kept.limit_scroll(frame);
            }
        }
    }

    /// Brings the packed row of a job into view with the next frame.
    pub fn seek(&self, job: JobId) {
        self.runs.borrow_mut().iter_mut().for_each(|kept| kept.sought = Some(job));
    }

    /// Makes what the picture of a run wants, as far as the frame has time. Whether it is all there.
    pub fn prepare(&self, run: usize, entry: &RunEntry, picture: &Picture, frame: Frame) -> bool {
        let Some(result) = &entry.result else { return true };
        if picture.show == Show::Stack {
            return self.prepare_stack(run, &result.run, picture);
        }
        if picture.is_packed {
            return self.prepare_packed(run, &result.run, picture, frame);
        }
        let mut detail = self.take(run, picture.show);
        let sources = self.sources(run, picture.show);
        let rows = StripRows::of(picture, &result.run, phase_of(entry), frame, &sources);
        let may_make =
            |missing: MissingDetail| missing == MissingDetail::Everything || dom::now_ms() < self.until_ms.get();
        let is_complete = rows.prepare(Rc::make_mut(&mut detail), may_make);
        if let Some(place) =
            self.runs.borrow_mut().get_mut(run).and_then(|kept| kept.details.get_mut(picture.show as usize))
        {
            *place = detail;
        }
        is_complete
    }

    /// Makes the stack of a run: at once if it has none with these bands, and again as a frame has time for it.
    fn prepare_stack(&self, run: usize, record: &Run, picture: &Picture) -> bool {
        let mut runs = self.runs.borrow_mut();
        let Some(kept) = runs.get_mut(run) else { return true };
        let fits = |kept: &&KeptStack| kept.rows_version == picture.rows_version && kept.banding == *picture.banding;
        if let Some(stack) = kept.stack.as_ref().filter(fits) {
            if !stack.is_stale {
                return true;
            }
            if dom::now_ms() >= self.until_ms.get() {
                return false;
            }
        }
        let stack = Rc::new(Stack::of(record, picture.trace, picture.banding, picture.rows.jobs()));
        let (banding, rows_version) = (picture.banding.clone(), picture.rows_version);
        kept.stack = Some(KeptStack { stack, banding, rows_version, is_stale: false });
        true
    }

    /// Packs the rows of a run: anew for other jobs and when a zoom has ended; otherwise rows follow the time in view.
    /// Whether no zoom is under way.
    fn prepare_packed(&self, run: usize, record: &Run, picture: &Picture, frame: Frame) -> bool {
        let mut runs = self.runs.borrow_mut();
        let Some(kept) = runs.get_mut(run) else { return true };
        let (window, width_px, now_ms) = (picture.window, frame.width, dom::now_ms());
        let (jobs, rows_version) = (picture.rows, picture.rows_version);
        let mut is_complete = true;
        let is_of_these = |rows: &&mut KeptRows| rows.rows_version == rows_version && rows.width_px == width_px;
        let mut is_packed_anew = true;
        if let Some(rows) = kept.packed.as_mut().filter(is_of_these) {
            if !is_as_long(rows.window.span_s(), window.span_s()) {
                rows.zoomed_ms = now_ms;
            }
            let is_zoomed = !is_as_long(rows.packed_span_s, window.span_s());
            is_complete = !is_zoomed || now_ms - rows.zoomed_ms >= ZOOM_ENDED_MS;
            if !(is_zoomed && is_complete) {
                is_packed_anew = false;
                if rows.is_stale || rows.window != window {
                    Rc::make_mut(&mut rows.packed).follow(record, jobs, window, width_px);
                    (rows.window, rows.is_stale) = (window, false);
                }
            }
        }
        if is_packed_anew {
            let packed = Rc::new(PackedRows::pack(record, jobs, window, width_px));
            let (packed_span_s, zoomed_ms) = (window.span_s(), f64::NEG_INFINITY);
            let is_stale = false;
            kept.packed = Some(KeptRows { packed, rows_version, width_px, window, packed_span_s, zoomed_ms, is_stale });
            kept.scroll_px = 0.0;
            kept.sought = kept.sought.or(picture.selected);
        }
        kept.bring_sought(frame);
        kept.limit_scroll(frame);
        is_complete
    }

    fn take(&self, run: usize, show: Show) -> Rc<Detail> {
        let mut runs = self.runs.borrow_mut();
        let place = runs.get_mut(run).and_then(|kept| kept.details.get_mut(show as usize));
        place.map(std::mem::take).unwrap_or_default()
    }

    /// About how many bytes are kept.
    pub fn bytes(&self) -> usize {
        let of_run = |kept: &Kept| {
            let tenancy = kept.tenancy.as_ref().map_or(0, |tenancy| tenancy.bytes());
            let stack = kept.stack.as_ref().map_or(0, |kept| kept.stack.bytes());
            tenancy + stack + kept.details.iter().map(|detail| detail.bytes()).sum::<usize>()
        };
        self.runs.borrow().iter().map(of_run).sum()
    }
}

impl Kept {
    fn follow(&mut self, record: Option<&Rc<PolicyRun>>) {
        let is_same = match (&self.record, record) {
            (Some(known), Some(record)) => Rc::ptr_eq(known, record),
            (None, None) => true,
            _ => false,
        };
        if is_same {
            return;
        }
        match (&self.record, record) {
            (Some(before), Some(after)) => {
                let is_settled = |jobs: &[JobId]| jobs.iter().all(|&job| is_settled(&before.run, &after.run, job));
                self.details.iter_mut().for_each(|detail| Rc::make_mut(detail).outdate(is_settled));
            }
            _ => {
                self.details = Default::default();
                (self.stack, self.packed) = (None, None);
            }
        }
        if self.record.as_ref().is_some_and(|before| before.run.finished) {
            self.packed = None;
        }
        if let Some(stack) = &mut self.stack {
            stack.is_stale = true;
        }
        if let Some(rows) = &mut self.packed {
            rows.is_stale = true;
        }
        self.tenancy = None;
        self.record = record.cloned();
    }

    /// Where packed rows lie.
    fn packed_layout(&self, frame: Frame) -> StripLayout {
        let rows = self.packed.as_ref().map_or(0, |kept| kept.packed.len());
        let window = self.packed.as_ref().map_or(TimeWindow::new(0.0, 1.0), |kept| kept.window);
        StripLayout { rows, frame, window, pitch: Pitch::Packed, scroll_px: self.scroll_px }
    }

    fn limit_scroll(&mut self, frame: Frame) {
        self.scroll_px = self.packed_layout(frame).scrolled_px();
    }

    fn bring_sought(&mut self, frame: Frame) {
        let row = self.sought.take().zip(self.packed.as_ref()).and_then(|(job, kept)| kept.packed.row_of(job));
        if let Some(row) = row {
            self.scroll_px = self.packed_layout(frame).scroll_to(row);
        }
    }

    fn make_tenancy(&mut self, workload: Option<&Workload>) {
        if let (None, Some(record), Some(workload)) = (&self.tenancy, &self.record, workload) {
            self.tenancy = Some(Rc::new(Tenancy::of(&record.run, workload.trace())));
        }
    }
}

/// Whether two windows differ by rounding at most: panning does not change how long they are.
fn is_as_long(a_s: f64, b_s: f64) -> bool {
    (a_s - b_s).abs() <= 1e-6 * a_s.max(b_s)
}

/// Whether a job had ended in an earlier record, and the later one says the same of it.
fn is_settled(before: &Run, after: &Run, job: JobId) -> bool {
    let (old, new) = (before.spans.range_of(job), after.spans.range_of(job));
    let ended = before.jobs.outcome.get(job.index()).is_some_and(|outcome| *outcome != Outcome::Unfinished);
    ended
        && before.start_s == after.start_s
        && before.spans.start_s.get(old.clone()) == after.spans.start_s.get(new.clone())
        && before.spans.gpus.get(old.clone()) == after.spans.gpus.get(new.clone())
        && before.spans.state.get(old.clone()) == after.spans.state.get(new.clone())
        && before.spans.end_s.get(old) == after.spans.end_s.get(new)
}
