//! The shown runs: their rows, their verdict, and where they differ.

use std::rc::Rc;

use elastiplan_compare::{Arrangement, Badge, Jobs, ranked};
use elastiplan_metrics::EQUAL_WITHIN_S;
use elastiplan_model::JobId;
use elastiplan_present::goal::Goal;
use elastiplan_present::verdict::{Changed, Verdict};

use super::differences::{changes_since, chips};
use super::message::Screen;
use super::order::Order;
use super::page::Page;
use super::runs::Runs;

impl Page {
    /// The runs that are shown.
    pub fn runs(&self) -> Option<Runs> {
        let set = self.planner.shown.as_ref()?;
        Some(Runs { entries: set.entries.clone(), workload: Rc::clone(&set.bound.workload) })
    }

    /// The runs that are shown. Of two, what differs is told of one beside the other, and not beside the inputs: one of
    /// them may be the inputs' own.
    pub fn compared_runs(&self) -> Option<Runs> {
        let mut runs = self.runs()?;
        let shown = runs.entries.iter().filter(|entry| !entry.is_hidden).map(|entry| entry.slot);
        if let [one, other] = *shown.collect::<Vec<_>>() {
            let worlds = self.planner.shown.as_ref()?.inputs.worlds();
            let (a, b) = (worlds.get(one)?, worlds.get(other)?);
            for (slot, differs) in [(one, chips(a, b)), (other, chips(b, a))] {
                runs.entries.get_mut(slot)?.differs = differs;
            }
        }
        Some(runs)
    }

    /// The jobs that are shown, in order; `None` for all in order of submission.
    pub fn rows(&self) -> Option<Rc<Arrangement>> {
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

    /// The verdict on the shown runs, computed once for each set of records.
    pub fn verdict(&self) -> Option<Rc<Verdict>> {
        let (runs, goal) = (self.compared_runs()?, self.goal());
        let mut last = self.judged.borrow_mut();
        if let Some((.., verdict)) = last.as_ref().filter(|(of, by, _)| *of == runs && *by == goal) {
            return Some(Rc::clone(verdict));
        }
        let verdict = Rc::new(Verdict::of(&runs.entries, &runs.workload, &goal));
        *last = Some((runs, goal, Rc::clone(&verdict)));
        Some(verdict)
    }

    /// The goal by which runs are judged: the one that was chosen, or what the jobs suggest.
    pub fn goal(&self) -> Goal {
        let workload = self.planner.shown.as_ref().map_or(&self.planner.bound.workload, |set| &set.bound.workload);
        self.goal.unwrap_or_else(|| Goal::guess(workload))
    }

    /// What is no longer as it was when the shown runs were made.
    pub fn changes(&self) -> Vec<Changed> {
        let now = self.planner.inputs().world();
        self.planner.shown.as_ref().map(|set| changes_since(&set.inputs.world(), &now)).unwrap_or_default()
    }

    /// The policy that differences are about: the one that the verdict compares with the baseline, or the second.
    pub fn compared(&self) -> Badge {
        let second = || {
            self.planner.shown.as_ref()?.entries.iter().skip(1).find(|entry| !entry.is_hidden).map(|entry| entry.slot)
        };
        let of_verdict = self.verdict().and_then(|verdict| Some(verdict.outcomes.as_ref()?.slot));
        let slot = of_verdict.or_else(second).unwrap_or(1);
        Badge::of_slot(slot).unwrap_or(Badge::BASELINE)
    }

    /// When the verdict's two runs differ first.
    pub fn first_difference_s(&self) -> Option<f64> {
        self.verdict()?.outcomes.as_ref()?.first_difference_s
    }

    /// Moves the timelines to where the verdict's two runs differ first.
    pub fn go_to_first_difference(&mut self) {
        let Some(time_s) = self.first_difference_s() else {
            return self.say("There are no two runs that differ");
        };
        self.screen = Screen::Compare;
        self.divergence = Some(self.compared().slot());
        self.remote.send(Order::Deselect);
        self.remote.send(Order::Mark(None));
        self.remote.send(Order::GoTo(time_s));
    }

    /// Selects the job whose completion differs most between the verdict's two runs.
    pub fn select_most_changed(&mut self) {
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
        let record = |badge: Badge| records.get(badge.slot()).copied().flatten();
        let ranked = ranked(record(self.compared())?, record(Badge::BASELINE)?, &runs.workload);
        ranked.iter().find(|job| job.difference.seconds().is_some_and(|by_s| by_s != 0.0)).map(|job| job.job)
    }
}
