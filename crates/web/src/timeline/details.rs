//! Details of each run cached from frame to frame, so that frames cost no more than their pixels: GPU occupancy, and
//! levels of detail. It is made when it is first wanted.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use elastiplan_engine::{Outcome, Run};
use elastiplan_model::{JobId, Workload};
use elastiplan_planner::PolicyRun;
use elastiplan_present::runs::RunEntry;
use elastiplan_scene::{Detail, Frame, MissingDetail, Tenancy};

use super::picture::{Picture, phase_of};
use super::rows::StripRows;
use crate::dom;
use crate::state::order::Show;
use crate::state::runs::Runs;

/// Making levels of detail again, newer or finer, takes at most about this much of a frame: until then the ones that
/// there are serve. Those that are not there at all are made at once.
const BUDGET_MS: f64 = 6.0;

/// Cached details from which a run's rows are drawn, besides its record.
#[derive(Clone, Default)]
pub struct Sources {
    /// GPU occupancy, made only for views that show it.
    pub tenancy: Option<Rc<Tenancy>>,
    /// Levels of detail.
    pub detail: Rc<Detail>,
}

#[derive(Default)]
struct Kept {
    record: Option<Rc<PolicyRun>>,
    tenancy: Option<Rc<Tenancy>>,
    details: [Rc<Detail>; 3],
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
        if show != Show::Jobs {
            kept.make_tenancy(self.workload.borrow().as_deref());
        }
        let detail = kept.details.get(show as usize).cloned().unwrap_or_default();
        Sources { tenancy: kept.tenancy.clone().filter(|_| show != Show::Jobs), detail }
    }

    /// Makes what the picture of a run wants, as far as the frame has time. Whether it is all there.
    pub fn prepare(&self, run: usize, entry: &RunEntry, picture: &Picture, frame: Frame) -> bool {
        let Some(result) = &entry.result else { return true };
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

    fn take(&self, run: usize, show: Show) -> Rc<Detail> {
        let mut runs = self.runs.borrow_mut();
        let place = runs.get_mut(run).and_then(|kept| kept.details.get_mut(show as usize));
        place.map(std::mem::take).unwrap_or_default()
    }

    /// About how many bytes are kept.
    pub fn bytes(&self) -> usize {
        let of_run = |kept: &Kept| {
            let tenancy = kept.tenancy.as_ref().map_or(0, |tenancy| tenancy.bytes());
            tenancy + kept.details.iter().map(|detail| detail.bytes()).sum::<usize>()
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
            _ => self.details = Default::default(),
        }
        self.tenancy = None;
        self.record = record.cloned();
    }

    fn make_tenancy(&mut self, workload: Option<&Workload>) {
        if let (None, Some(record), Some(workload)) = (&self.tenancy, &self.record, workload) {
            self.tenancy = Some(Rc::new(Tenancy::of(&record.run, workload.trace())));
        }
    }
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
