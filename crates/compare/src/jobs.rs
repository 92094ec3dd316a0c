//! Jobs under each of several runs: the columns that search, groups and orders read.

use elastiplan_engine::{Outcome, Run};
use elastiplan_metrics::{Ending, JobDifference, completion_s, meets_deadline};
use elastiplan_model::{Job, JobId, Trace, Workload};

use crate::badge::Badge;

/// The jobs of a workload and what became of them, run by run. Cheap to make: it only borrows.
///
/// A run that is recorded on its way has nothing to say yet about jobs that have not ended: they are neither late nor
/// have they missed a deadline that is still to come.
#[derive(Clone, Copy, Debug)]
pub struct Jobs<'a> {
    workload: &'a Workload,
    runs: &'a [Option<&'a Run>],
    equal_within_s: f64,
}

impl<'a> Jobs<'a> {
    /// The runs in the order of their badges, `None` where there is none yet. All are of `workload`; the first is the
    /// baseline. Completions at most `equal_within_s` apart count as equal.
    pub fn new(workload: &'a Workload, runs: &'a [Option<&'a Run>], equal_within_s: f64) -> Self {
        Self { workload, runs, equal_within_s }
    }

    /// The trace.
    pub fn trace(&self) -> &'a Trace {
        self.workload.trace()
    }

    /// All jobs, in order of submission.
    pub fn ids(&self) -> impl Iterator<Item = JobId> + use<> {
        (0..self.workload.trace().jobs().len() as u32).map(JobId)
    }

    /// Every run that there is.
    pub fn badges(&self) -> impl Iterator<Item = Badge> + use<'a> {
        let there = self.runs.iter().enumerate().filter(|(_, run)| run.is_some());
        there.filter_map(|(slot, _)| Badge::of_slot(slot))
    }

    /// A run.
    pub fn run(&self, badge: Badge) -> Option<&'a Run> {
        self.runs.get(badge.slot()).copied().flatten()
    }

    /// A job as it stands in the trace.
    pub fn job(&self, job: JobId) -> Option<&'a Job> {
        self.workload.trace().jobs().get(job.index())
    }

    /// When it was submitted, since the first submission of all.
    pub fn submit_s(&self, job: JobId) -> Option<f64> {
        self.job(job).map(|job| job.submit_s - self.workload.trace().start_s())
    }

    /// How it ended.
    pub fn outcome(&self, badge: Badge, job: JobId) -> Option<Outcome> {
        self.run(badge)?.jobs.outcome.get(job.index()).copied()
    }

    /// Completion minus submission; `None` if it did not complete.
    pub fn jct_s(&self, badge: Badge, job: JobId) -> Option<f64> {
        Some(completion_s(self.run(badge)?, job)? - self.job(job)?.submit_s)
    }

    /// Time without GPUs between submission and end.
    pub fn wait_s(&self, badge: Badge, job: JobId) -> Option<f64> {
        self.run(badge)?.jobs.queueing_s.get(job.index()).copied()
    }

    /// Changes of its GPUs, and resumptions after a preemption.
    pub fn resizes(&self, badge: Badge, job: JobId) -> Option<u32> {
        self.run(badge)?.jobs.rescales.get(job.index()).copied()
    }

    /// How often it lost all its GPUs.
    pub fn preemptions(&self, badge: Badge, job: JobId) -> Option<u32> {
        self.run(badge)?.jobs.preemptions.get(job.index()).copied()
    }

    /// Whether it completed by its deadline; `None` for a job without one, and where that is not known yet.
    pub fn meets_deadline(&self, badge: Badge, job: JobId) -> Option<bool> {
        let run = self.run(badge)?;
        let is_to_come =
            || self.job(job).and_then(|job| job.deadline_s).is_some_and(|deadline_s| deadline_s > run.end_s);
        meets_deadline(run, self.workload, job).filter(|_| !(is_open(run, job) && is_to_come()))
    }

    /// How it ends beside the baseline; `None` where that is not known yet.
    pub fn difference(&self, badge: Badge, job: JobId) -> Option<JobDifference> {
        let (run, baseline) = (self.run(badge)?, self.run(Badge::BASELINE)?);
        (!is_open(run, job) && !is_open(baseline, job)).then(|| JobDifference::between(run, baseline, job))
    }

    /// Which way that goes.
    pub fn ending(&self, badge: Badge, job: JobId) -> Option<Ending> {
        self.difference(badge, job).map(|difference| difference.ending(self.equal_within_s))
    }
}

/// Whether a job may still complete in a run that is on its way.
fn is_open(run: &Run, job: JobId) -> bool {
    !run.finished && run.jobs.outcome.get(job.index()) == Some(&Outcome::Unfinished)
}
