//! Metrics of some jobs under every run of a comparison.

use std::rc::Rc;

use elastiplan_metrics::Summary;
use elastiplan_model::{JobId, Workload};
use elastiplan_planner::PolicyRun;

use crate::runs::RunEntry;

/// Metrics of some jobs, such as those that a filter finds, computed once for each record: with 82,000 jobs it takes as
/// long as many frames, and neither the order of runs nor the chosen columns have a part in it.
#[derive(Clone, Debug, Default)]
pub struct OfJobs {
    jobs: Vec<JobId>,
    /// Records, and the metrics of the jobs in them.
    known: Vec<(Rc<PolicyRun>, Summary)>,
}

impl OfJobs {
    /// Computes the metrics of `jobs` under runs of `workload`, hidden ones left out. What is known of the same jobs in
    /// the same records is taken over from `before`. A run with other jobs has none: what a filter finds says nothing
    /// about them.
    pub fn of(entries: &[RunEntry], workload: &Workload, jobs: &[JobId], before: Self) -> Self {
        let mut before = if before.jobs == jobs { before } else { Self { jobs: jobs.to_vec(), known: Vec::new() } };
        let shown = entries.iter().filter(|entry| !entry.is_hidden && entry.own_workload.is_none());
        let mut known = Vec::new();
        for record in shown.filter_map(|entry| entry.result.as_ref()) {
            let place = before.known.iter().position(|(of, _)| Rc::ptr_eq(of, record));
            let summary = match place {
                Some(place) => before.known.swap_remove(place).1,
                None => Summary::of_jobs(&record.run, workload, jobs),
            };
            known.push((Rc::clone(record), summary));
        }
        Self { jobs: before.jobs, known }
    }

    /// The jobs.
    pub fn jobs(&self) -> &[JobId] {
        &self.jobs
    }

    /// The metrics of the jobs under a run; `None` for a run with other jobs or without a record.
    pub fn summary(&self, entry: &RunEntry) -> Option<&Summary> {
        let record = entry.result.as_ref().filter(|_| entry.own_workload.is_none())?;
        self.known.iter().find(|(of, _)| Rc::ptr_eq(of, record)).map(|(_, summary)| summary)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::sample_runs;

    use super::*;

    /// Whether each summary is the very one of `before`: a mark in it is still there.
    fn taken_over(entries: &[RunEntry], workload: &Workload, jobs: &[JobId], before: &OfJobs) -> Vec<bool> {
        let mut marked = before.clone();
        marked.known.iter_mut().for_each(|(_, summary)| summary.deadlines_total = 4_711);
        let now = OfJobs::of(entries, workload, jobs, marked);
        entries.iter().filter_map(|entry| now.summary(entry)).map(|summary| summary.deadlines_total == 4_711).collect()
    }

    #[test]
    fn only_what_is_not_known_is_computed() {
        let (mut entries, workload) = sample_runs(&["fixed", "elastic-dp", "equal-share"]);
        let jobs: Vec<JobId> = (0..5).map(JobId).collect();
        let before = OfJobs::of(&entries, &workload, &jobs, OfJobs::default());
        let check = |entries: &[RunEntry], jobs: &[JobId], expected: &[bool]| {
            assert_eq!(taken_over(entries, &workload, jobs, &before), expected);
        };
        for entry in &entries {
            let record = entry.result.as_ref().unwrap();
            assert_eq!(before.summary(entry), Some(&Summary::of_jobs(&record.run, &workload, &jobs)));
        }
        check(&entries, &jobs, &[true, true, true]);
        entries.swap(0, 2);
        check(&entries, &jobs, &[true, true, true]);
        entries[1].result = entries[1].result.as_ref().map(|record| Rc::new(PolicyRun::clone(record)));
        check(&entries, &jobs, &[true, false, true]);
        check(&entries, &jobs[..4], &[false, false, false]);
        entries[0].is_hidden = true;
        check(&entries, &jobs, &[false, true]);
    }
}
