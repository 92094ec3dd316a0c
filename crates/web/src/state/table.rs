//! The table of runs as the user wants it: its columns, and the order of the runs, in which their pictures are shown too.

use std::rc::Rc;

use elastiplan_compare::Arrangement;
use elastiplan_model::{JobId, Workload};
use elastiplan_present::goal::Goal;
use elastiplan_present::of_jobs::OfJobs;
use elastiplan_present::run_table::RunTable;
use elastiplan_present::runs::RunEntry;

use super::message::Screen;
use super::page::Page;
use super::runs::Runs;
use crate::part::{self, Slot};

thread_local! {
    // Jobs are searched for in dialogs and panels, which are for later like the metrics of what is found.
    static OF_JOBS: Slot<MakeOfJobs> = const { Slot::new(OfJobs::of) };
}

type MakeOfJobs = fn(&[RunEntry], &Workload, &[JobId], OfJobs, usize) -> OfJobs;

/// Puts in what metrics of some jobs need.
pub fn fill() {
    OF_JOBS.with(|slot| slot.fill(OfJobs::of));
}

/// What was chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableChoice {
    /// The keys of the columns; `None` for those that are there at first.
    pub columns: Option<Vec<&'static str>>,
    /// The column by which runs are ordered, and whether the best comes first; `None` for the order of the list.
    pub order: Option<(&'static str, bool)>,
}

impl TableChoice {
    /// Orders runs by a column: the best first, asked again the worst first, and then as they are in the list.
    pub fn sort(&mut self, key: &'static str) {
        self.order = match self.order {
            Some((now, true)) if now == key => Some((key, false)),
            Some((now, false)) if now == key => None,
            _ => Some((key, true)),
        };
    }

    /// The places of the runs of a table, in order.
    pub fn places(&self, table: &RunTable) -> Vec<usize> {
        // Without a key there is no such column, and the order is that of the list.
        let (key, is_best_first) = self.order.unwrap_or_default();
        table.order(key, is_best_first)
    }
}

/// What a table is made from: runs, columns, goal, and the jobs that are searched for.
type MadeFrom = (Runs, Option<Vec<&'static str>>, Goal, Option<Rc<Arrangement>>);

/// The table as it was last made, with what it was made from.
#[derive(Default)]
pub(super) struct LastTable {
    from: Option<MadeFrom>,
    of_jobs: OfJobs,
    table: Rc<RunTable>,
}

impl Page {
    /// The table of the shown runs, of all jobs or of those that are searched for. It is made anew only where runs,
    /// columns, goal or jobs are others; metrics of some jobs only of records that are new, one record at a time.
    pub fn run_table(&self) -> Rc<RunTable> {
        let Some(runs) = self.compared_runs() else { return Rc::default() };
        let only = self.rows().filter(|_| !self.wanted.query.is_empty());
        let from = (runs, self.table.columns.clone(), self.goal(), only);
        let mut last = self.tabled.borrow_mut();
        if last.of_jobs.has_more() || last.from.as_ref() != Some(&from) {
            let (Runs { entries, workload }, columns, goal, only) = &from;
            let columns = columns.clone().unwrap_or_else(|| RunTable::default_columns(entries, goal));
            let before = std::mem::take(&mut last.of_jobs);
            let of = only.as_ref().zip(part::get(&OF_JOBS));
            let of_jobs = of.map(|(only, of)| of(entries, workload, &only.jobs, before, 1));
            last.table = Rc::new(RunTable::of(entries, workload, goal, &columns, of_jobs.as_ref()));
            last.of_jobs = of_jobs.unwrap_or_default();
            last.from = Some(from);
        }
        Rc::clone(&last.table)
    }
}

impl Page {
    /// Whether the table, where it is shown, lacks numbers that are still to be computed.
    pub fn lacks_numbers(&self) -> bool {
        self.screen != Screen::Report && self.tabled.borrow().of_jobs.has_more()
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_planner::run;
    use elastiplan_present::goal::GoalKind;
    use elastiplan_scenario::sample;

    use super::*;

    fn sample_runs() -> (Vec<RunEntry>, Workload) {
        let scenario = sample::scenario(sample::SEED);
        let (workload, _) = scenario.workload();
        let entry = |(slot, policy): (usize, &str)| {
            RunEntry::finished(slot, run(&scenario, &workload, &policy.parse().unwrap()).unwrap())
        };
        (["fixed", "equal-share", "elastic-dp"].into_iter().enumerate().map(entry).collect(), workload)
    }

    #[test]
    fn runs_are_ordered_by_a_column_and_back() {
        let (entries, workload) = sample_runs();
        let table = RunTable::of(&entries, &workload, &Goal::best(GoalKind::MeanCompletion), &[], None);
        let mut choice = TableChoice::default();
        let mut check = |expected: Vec<usize>| {
            choice.sort("avg_jct_s");
            assert_eq!(choice.places(&table), expected, "{:?}", choice.order);
        };
        check(table.order("avg_jct_s", true));
        check(table.order("avg_jct_s", false));
        check(vec![0, 1, 2]);
    }
}
