//! Finding what differs, and which jobs are shown.

use std::rc::Rc;

use elastiplan_compare::{Arrangement, Badge, Jobs};
use elastiplan_metrics::EQUAL_WITHIN_S;
use elastiplan_model::JobId;

use super::{App, Screen};
use crate::state::wanted::Wanted;
use crate::timeline::Order;
use crate::verdict::Verdict;
use crate::view::Runs;

/// The rows as they were arranged last, and from what.
#[derive(Default)]
pub(crate) struct Arranged {
    from: Option<(Runs, Wanted)>,
    rows: Option<Rc<Arrangement>>,
}

impl App {
    /// The runs that are shown.
    pub(crate) fn runs(&self) -> Option<Runs> {
        let set = self.planner.shown.as_ref()?;
        Some(Runs { entries: set.entries.clone(), workload: Rc::clone(&set.bound.workload) })
    }

    /// The jobs that are shown, in order; `None` for all in order of submission.
    pub(crate) fn rows(&self) -> Option<Rc<Arrangement>> {
        if self.wanted.is_everything() {
            return None;
        }
        let from = (self.runs()?, self.wanted.clone());
        let mut last = self.arranged.borrow_mut();
        if last.from.as_ref() != Some(&from) {
            let rows = self.wanted.arrange(&Jobs::new(&from.0.workload, &from.0.records(), EQUAL_WITHIN_S));
            last.rows = Some(Rc::new(rows));
            last.from = Some(from);
        }
        last.rows.clone()
    }

    /// The policy that differences are about: the one that the verdict compares with the baseline, or the second.
    pub(crate) fn compared(&self) -> Badge {
        let verdict = self.planner.shown.as_ref().map(|set| Verdict::of(&set.entries, &set.bound.workload));
        let slot = verdict.and_then(|verdict| verdict.outcomes).map(|outcomes| outcomes.slot);
        slot.and_then(Badge::of_slot).or_else(|| Badge::of_slot(1)).unwrap_or(Badge::BASELINE)
    }

    /// When the verdict's two runs differ first.
    pub(crate) fn first_difference_s(&self) -> Option<f64> {
        let runs = self.runs()?;
        let mut last = self.first_difference.borrow_mut();
        if last.as_ref().is_none_or(|(of, _)| *of != runs) {
            let outcomes = Verdict::of(&runs.entries, &runs.workload).outcomes;
            *last = Some((runs, outcomes.and_then(|outcomes| outcomes.first_difference_s)));
        }
        last.as_ref().and_then(|(_, time_s)| *time_s)
    }

    /// Has the timelines go to where the verdict's two runs differ first.
    pub(super) fn go_to_first_difference(&mut self) {
        let first = self.planner.shown.as_ref().and_then(|set| {
            let outcomes = Verdict::of(&set.entries, &set.bound.workload).outcomes?;
            Some((outcomes.slot, outcomes.first_difference_s?))
        });
        match first {
            Some((slot, time_s)) => {
                self.screen = Screen::Compare;
                self.divergence = Some(slot);
                self.remote.send(Order::Deselect);
                self.remote.send(Order::Mark(None));
                self.remote.send(Order::GoTo(time_s));
            }
            None => self.say("There are no two runs that differ"),
        }
    }

    /// Selects the job whose completion differs most between the verdict's two runs.
    pub(super) fn select_most_changed(&mut self) {
        match self.most_changed() {
            Some(job) => {
                self.screen = Screen::Compare;
                self.remote.send(Order::Select(job));
            }
            None => self.say("No job completes at another time under another policy"),
        }
    }

    fn most_changed(&self) -> Option<JobId> {
        let runs = self.runs()?;
        let records = runs.records();
        let jobs = Jobs::new(&runs.workload, &records, EQUAL_WITHIN_S);
        let badge = self.compared();
        let changed = jobs.ids().filter_map(|job| Some((jobs.difference(badge, job)?.seconds()?.abs(), job)));
        // The first of several that changed as much.
        let most = changed.fold(None, |most: Option<(f64, JobId)>, (by_s, job)| match most {
            Some((most_s, _)) if most_s >= by_s => most,
            _ if by_s > 0.0 => Some((by_s, job)),
            _ => most,
        });
        most.map(|(_, job)| job)
    }
}
