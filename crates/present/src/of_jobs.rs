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
    /// Whether records are left whose metrics are not known yet.
    has_more: bool,
}

impl OfJobs {
    /// Computes the metrics of `jobs` under runs of `workload`, hidden ones left out: those of at most `at_once` records,
    /// so that a page answers meanwhile. What is known of the same jobs in the same records is taken over from `before`.
    /// A run with other jobs has none: what a filter finds says nothing about them.
    pub fn of(entries: &[RunEntry], workload: &Workload, jobs: &[JobId], before: Self, at_once: usize) -> Self {
        let mut now = if before.jobs == jobs { before } else { Self { jobs: jobs.to_vec(), ..Self::default() } };
        let shown = entries.iter().filter(|entry| !entry.is_hidden && entry.own_workload.is_none());
        let records: Vec<&Rc<PolicyRun>> = shown.filter_map(|entry| entry.result.as_ref()).collect();
        now.known.retain(|(of, _)| records.iter().any(|record| Rc::ptr_eq(of, record)));
        let is_known = |known: &[(Rc<PolicyRun>, Summary)], record: &Rc<PolicyRun>| {
            known.iter().any(|(of, _)| Rc::ptr_eq(of, record))
        };
        let room = now.known.len() + at_once;
        now.has_more = false;
        for record in records {
            if !is_known(&now.known, record) {
                now.has_more = now.known.len() >= room;
                if now.has_more {
                    break;
                }
                now.known.push((Rc::clone(record), Summary::of_jobs(&record.run, workload, jobs)));
            }
        }
        now
    }

    /// Whether the metrics of some records are not known yet: make it anew from what is known.
    pub fn has_more(&self) -> bool {
        self.has_more
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
        let now = OfJobs::of(entries, workload, jobs, marked, 9);
        entries.iter().filter_map(|entry| now.summary(entry)).map(|summary| summary.deadlines_total == 4_711).collect()
    }

    #[test]
    fn only_what_is_not_known_is_computed() {
        let (mut entries, workload) = sample_runs(&["fixed", "elastic-dp", "equal-share"]);
        let jobs: Vec<JobId> = (0..5).map(JobId).collect();
        let before = OfJobs::of(&entries, &workload, &jobs, OfJobs::default(), 9);
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
    #[test]
    fn a_few_records_at_a_time_come_to_the_same() {
        let (entries, workload) = sample_runs(&["fixed", "elastic-dp", "equal-share"]);
        let jobs: Vec<JobId> = (0..5).map(JobId).collect();
        let whole = OfJobs::of(&entries, &workload, &jobs, OfJobs::default(), 9);
        let mut part = OfJobs::default();
        for known in 1..=3 {
            part = OfJobs::of(&entries, &workload, &jobs, part, 1);
            assert_eq!(entries.iter().filter(|entry| part.summary(entry).is_some()).count(), known);
            assert_eq!(part.has_more(), known < 3);
        }
        assert!(entries.iter().all(|entry| part.summary(entry) == whole.summary(entry)));
        assert!(!whole.has_more());
    }
}
