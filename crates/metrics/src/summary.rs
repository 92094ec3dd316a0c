//! The numbers of one run.

use elastiplan_engine::{Outcome, Run, SpanState};
use elastiplan_model::{JobId, Workload};
use serde::{Deserialize, Serialize};

use crate::distribution::{completed, completion_times_s, percentile};

/// The metrics, by the keys of the command line's JSON. `None` where a metric does not apply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Jobs submitted.
    pub jobs_total: u64,
    /// Jobs that did all their work.
    pub jobs_completed: u64,
    /// Jobs that the policy refused.
    pub jobs_dropped: u64,
    /// Jobs that were still waiting or running when the run ended.
    pub jobs_unfinished: u64,
    /// Mean of completion minus submission, over completed jobs.
    pub avg_jct_s: Option<f64>,
    /// Half of the completed jobs took at most this long.
    pub p50_jct_s: Option<f64>,
    /// 95 % of the completed jobs took at most this long.
    pub p95_jct_s: Option<f64>,
    /// 99 % of the completed jobs took at most this long.
    pub p99_jct_s: Option<f64>,
    /// Mean time without GPUs between submission and completion, over completed jobs.
    pub avg_queueing_s: Option<f64>,
    /// Last completion minus first submission.
    pub makespan_s: Option<f64>,
    /// GPUs held, times hours, over all jobs.
    pub gpu_hours: f64,
    /// GPU time held over GPU time there was, from the first submission to the end of the run.
    pub gpu_utilization: Option<f64>,
    /// Changes of a job's GPUs while it held some, and resumptions after a preemption.
    pub rescale_count: u64,
    /// GPU-seconds held without progress because of those changes.
    pub rescale_gpu_s: f64,
    /// Jobs completed by their deadline over jobs with a deadline (ElasticFlow, section 6.1).
    pub deadline_satisfactory_ratio: Option<f64>,
    /// Single-GPU time of the work done over GPU time there was (ElasticFlow, eq. 8, averaged over time).
    pub cluster_efficiency: Option<f64>,
    /// Single-GPU time of the work done over GPU time held (IBM elastic scaling, section IV-C).
    pub sjs_efficiency: Option<f64>,
    /// Jobs dropped over jobs submitted (IBM elastic scaling, section IV-C).
    pub job_drop_ratio: Option<f64>,
}

/// The metrics of a run, and the counts behind some of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The metrics.
    pub metrics: Metrics,
    /// Jobs completed by their deadline.
    pub deadlines_met: u64,
    /// Jobs with a deadline.
    pub deadlines_total: u64,
    /// How often a job lost all its GPUs before it was done.
    pub preemption_count: u64,
}

impl Summary {
    /// Computes everything from the record. `workload` must be the one that was run.
    pub fn of(run: &Run, workload: &Workload) -> Self {
        let jobs = &run.jobs;
        let count = |wanted: Outcome| jobs.outcome.iter().filter(|outcome| **outcome == wanted).count() as u64;
        let mut completion_s = completion_times_s(run, workload.trace());
        let avg_jct_s = mean(completion_s.iter().copied());
        completion_s.sort_by(f64::total_cmp);
        let gpu_seconds: f64 = jobs.gpu_seconds.iter().sum();
        let available_gpu_seconds = f64::from(run.gpus_total) * (run.end_s - run.start_s);
        let single_gpu_seconds = single_gpu_seconds(run, workload);
        let (deadlines_met, deadlines_total) = deadlines(run, workload);
        let jobs_total = jobs.outcome.len() as u64;
        let jobs_dropped = count(Outcome::Dropped);
        let metrics = Metrics {
            jobs_total,
            jobs_completed: count(Outcome::Completed),
            jobs_dropped,
            jobs_unfinished: count(Outcome::Unfinished),
            avg_jct_s,
            p50_jct_s: percentile(&completion_s, 0.50),
            p95_jct_s: percentile(&completion_s, 0.95),
            p99_jct_s: percentile(&completion_s, 0.99),
            avg_queueing_s: mean(completed(run, &jobs.queueing_s)),
            makespan_s: last_completion_s(run).map(|end_s| end_s - run.start_s),
            gpu_hours: gpu_seconds / 3600.0,
            gpu_utilization: ratio(gpu_seconds, available_gpu_seconds),
            rescale_count: jobs.rescales.iter().map(|&rescales| u64::from(rescales)).sum(),
            rescale_gpu_s: jobs.rescale_gpu_seconds.iter().sum(),
            deadline_satisfactory_ratio: ratio(deadlines_met as f64, deadlines_total as f64),
            cluster_efficiency: ratio(single_gpu_seconds, available_gpu_seconds),
            sjs_efficiency: ratio(single_gpu_seconds, gpu_seconds),
            job_drop_ratio: ratio(jobs_dropped as f64, jobs_total as f64),
        };
        let preemption_count = jobs.preemptions.iter().map(|&preemptions| u64::from(preemptions)).sum();
        Self { metrics, deadlines_met, deadlines_total, preemption_count }
    }
}

/// What the work that was done would have taken on one GPU each.
fn single_gpu_seconds(run: &Run, workload: &Workload) -> f64 {
    let of_job = |job: JobId| {
        let Some(curve) = workload.curve_of(job) else { return 0.0 };
        let running = run.spans.of(job).filter(|span| span.state == SpanState::Running);
        let samples: f64 = running.map(|span| curve.samples_per_s(span.gpus) * (span.end_s - span.start_s)).sum();
        samples / curve.samples_per_s_single()
    };
    (0..run.jobs.outcome.len() as u32).map(JobId).map(of_job).sum()
}

/// Whether a job completed by its deadline; `None` for a job without one.
pub(crate) fn meets_deadline(run: &Run, workload: &Workload, job: JobId) -> Option<bool> {
    let deadline_s = workload.trace().jobs().get(job.index())?.deadline_s?;
    let completed = run.jobs.outcome.get(job.index()) == Some(&Outcome::Completed);
    let end_s = run.jobs.end_s.get(job.index()).copied().flatten();
    Some(completed && end_s.is_some_and(|end_s| end_s <= deadline_s))
}

fn deadlines(run: &Run, workload: &Workload) -> (u64, u64) {
    let mut met = 0;
    let mut total = 0;
    for (job, _) in workload.trace().iter() {
        if let Some(meets) = meets_deadline(run, workload, job) {
            met += u64::from(meets);
            total += 1;
        }
    }
    (met, total)
}

fn last_completion_s(run: &Run) -> Option<f64> {
    let ends = run.jobs.outcome.iter().zip(&run.jobs.end_s);
    let completions = ends.filter(|(outcome, _)| **outcome == Outcome::Completed).filter_map(|(_, end_s)| *end_s);
    completions.max_by(f64::total_cmp)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u64), |(sum, count), value| (sum + value, count + 1));
    ratio(sum, count as f64)
}

fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}
