//! The shown runs, cheap to clone and to compare.

use std::rc::Rc;

use elastiplan_engine::Run;
use elastiplan_model::Workload;
use elastiplan_present::runs::RunEntry;

/// Runs with their workload. Equal if the records are identical objects, which is quick to check.
#[derive(Clone)]
pub struct Runs {
    /// The runs.
    pub entries: Vec<RunEntry>,
    /// The jobs they ran.
    pub workload: Rc<Workload>,
}

impl Runs {
    /// The records by badge, those of hidden runs too; `None` for runs that have none yet, or that ran other jobs.
    pub fn records(&self) -> Vec<Option<&Run>> {
        let same_jobs = |entry: &RunEntry| entry.own_workload.is_none();
        self.entries
            .iter()
            .map(|entry| entry.result.as_ref().filter(|_| same_jobs(entry)).map(|result| &result.run))
            .collect()
    }
}

impl PartialEq for Runs {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.workload, &other.workload) && same_runs(&self.entries, &other.entries)
    }
}

/// Whether two lists hold the same runs. Records are compared by identity: they may hold a hundred thousand spans.
pub fn same_runs(a: &[RunEntry], b: &[RunEntry]) -> bool {
    let same_result = |a: &RunEntry, b: &RunEntry| match (&a.result, &b.result) {
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    };
    let same = |(a, b): (&RunEntry, &RunEntry)| {
        let named = |entry: &RunEntry| {
            let marks = (entry.is_hidden, entry.is_pinned, entry.own_workload.is_some());
            (entry.slot, entry.label.clone(), entry.differs.clone(), marks)
        };
        named(a) == named(b) && a.policy == b.policy && a.state == b.state && same_result(a, b)
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}
