//! Metrics of each job of a run.

use elastiplan_engine::{Outcome, Run};
use elastiplan_model::{JobId, Workload, is_late};

use crate::capacity::Presence;
use crate::work::{alone_on_share_s, in_single_gpu_seconds};

/// Metrics of each job beyond the totals in the record; one row a job, in order of submission. `None` if a metric does
/// not apply.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JobMetrics {
    /// Completion minus submission, of jobs that completed.
    pub jct_s: Vec<Option<f64>>,
    /// Time with GPUs.
    pub run_s: Vec<f64>,
    /// Finish-time fairness rho (Themis): completion time over the time that the job takes with an equal share of the
    /// cluster for itself.
    pub rho: Vec<Option<f64>>,
    /// Single-GPU time of the samples processed over completion time: the number of single GPUs that would have been as
    /// fast over the life of the job.
    pub throughput: Vec<Option<f64>>,
    /// The same for effective samples, without those that were lost.
    pub goodput: Vec<Option<f64>>,
    /// Share of the work that was done and not lost, 0 to 1: served demand over demand (ModelArts, eq. 1).
    pub progress: Vec<f64>,
}

impl JobMetrics {
    /// Computes the metrics of each job. `workload` must be the one that was run.
    pub fn of(run: &Run, workload: &Workload) -> Self {
        Self::over(run, workload, &run.job_ids().collect::<Vec<_>>())
    }

    /// The same for some jobs, in their order.
    pub(crate) fn over(run: &Run, workload: &Workload, jobs: &[JobId]) -> Self {
        let presence = Presence::of(run);
        let mut table = Self::default();
        for id in jobs.iter().copied() {
            let job = workload.trace().jobs().get(id.index());
            let life = job.zip(completion_s(run, id)).map(|(job, end_s)| (job.submit_s, end_s));
            let jct_s = life.map(|(submit_s, end_s)| end_s - submit_s);
            let holding = run.spans.of(id).filter(|span| span.gpus > 0);
            table.jct_s.push(jct_s);
            table.run_s.push(holding.map(|span| span.end_s - span.start_s).sum());
            table.rho.push(life.and_then(|life| rho(run, workload, &presence, id, life)));
            let single_gpus = |samples: f64| ratio(in_single_gpu_seconds(workload, id, samples), jct_s?);
            table.throughput.push(run.jobs.samples.get(id.index()).and_then(|samples| single_gpus(*samples)));
            table.goodput.push(single_gpus(work_done(run, workload, id)));
            table.progress.push(progress(run, workload, id));
        }
        table
    }
}

/// Completion of a job; `None` if it did not complete.
pub fn completion_s(run: &Run, job: JobId) -> Option<f64> {
    let completed = run.jobs.outcome.get(job.index()) == Some(&Outcome::Completed);
    run.jobs.end_s.get(job.index()).copied().flatten().filter(|_| completed)
}

/// Whether a job completed by its deadline, to the millisecond ([`is_late`]); `None` for a job without one.
pub fn meets_deadline(run: &Run, workload: &Workload, job: JobId) -> Option<bool> {
    let deadline_s = workload.trace().jobs().get(job.index())?.deadline_s?;
    Some(completion_s(run, job).is_some_and(|end_s| !is_late(end_s, deadline_s)))
}

/// Work that was done and not lost, in effective samples.
pub(crate) fn work_done(run: &Run, workload: &Workload, job: JobId) -> f64 {
    let total = workload.jobs().get(job.index()).map_or(0.0, |bound| bound.samples);
    run.jobs.work_left.get(job.index()).map_or(0.0, |left| total - left)
}

fn progress(run: &Run, workload: &Workload, job: JobId) -> f64 {
    let total = workload.jobs().get(job.index()).map_or(0.0, |bound| bound.samples);
    ratio(work_done(run, workload, job), total).unwrap_or(0.0)
}

fn rho(run: &Run, workload: &Workload, presence: &Presence<'_>, job: JobId, (from_s, to_s): (f64, f64)) -> Option<f64> {
    let share = presence.gpus_per_job(from_s, to_s)?;
    ratio(to_s - from_s, alone_on_share_s(workload, job, share, run.gpus_total)?)
}

/// `part / whole`; `None` if `whole` is not above 0.
pub(crate) fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}
