//! What each metric is called, in what unit it is, and which direction is better.

use crate::{Metrics, Summary};

/// The unit of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A number of things.
    Count,
    /// A time in seconds.
    Seconds,
    /// GPUs times hours.
    GpuHours,
    /// GPUs times seconds.
    GpuSeconds,
    /// A share, 0 to 1.
    Ratio,
}

/// Which direction a planner wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Less is better.
    Lower,
    /// More is better.
    Higher,
    /// It says what happened, not how good that is.
    Neither,
}

/// What there is to know about a metric.
pub struct MetricInfo {
    /// Its key in JSON and CSV.
    pub key: &'static str,
    /// Its name for a person, in sentence case.
    pub label: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// Which direction is better.
    pub better: Better,
    /// Whether it means something only when every job has ended: a stopped run shows a dash.
    pub needs_all_jobs: bool,
    /// What it is, in one sentence.
    pub help: &'static str,
    /// Takes it out of a summary.
    pub value: fn(&Summary) -> Option<f64>,
}

const fn info(
    key: &'static str,
    label: &'static str,
    unit: Unit,
    better: Better,
    needs_all_jobs: bool,
    help: &'static str,
    value: fn(&Summary) -> Option<f64>,
) -> MetricInfo {
    MetricInfo { key, label, unit, better, needs_all_jobs, help, value }
}

use Better::{Higher, Lower, Neither};
use Unit::{Count, GpuHours, GpuSeconds, Ratio, Seconds};

/// Every metric, in the order of [`Metrics`]; the last is not among the keys of the JSON.
pub const METRICS: &[MetricInfo] = &[
    info("jobs_total", "Jobs", Count, Neither, false, "Jobs submitted", |s| count(s.metrics.jobs_total)),
    info("jobs_completed", "Completed", Count, Higher, true, "Jobs that did all their work", |s| {
        count(s.metrics.jobs_completed)
    }),
    info("jobs_dropped", "Dropped", Count, Lower, true, "Jobs that the policy refused", |s| {
        count(s.metrics.jobs_dropped)
    }),
    info("jobs_unfinished", "Unfinished", Count, Lower, true, "Jobs still in the cluster when the run ended", |s| {
        count(s.metrics.jobs_unfinished)
    }),
    info(
        "avg_jct_s",
        "Mean completion",
        Seconds,
        Lower,
        true,
        "Completion minus submission, mean over completed jobs",
        |s| s.metrics.avg_jct_s,
    ),
    info(
        "p50_jct_s",
        "p50 completion",
        Seconds,
        Lower,
        true,
        "Half of the completed jobs took at most this long",
        |s| s.metrics.p50_jct_s,
    ),
    info(
        "p95_jct_s",
        "p95 completion",
        Seconds,
        Lower,
        true,
        "95% of the completed jobs took at most this long",
        |s| s.metrics.p95_jct_s,
    ),
    info(
        "p99_jct_s",
        "p99 completion",
        Seconds,
        Lower,
        true,
        "99% of the completed jobs took at most this long",
        |s| s.metrics.p99_jct_s,
    ),
    info("avg_queueing_s", "Mean waiting", Seconds, Lower, true, "Time without GPUs, mean over completed jobs", |s| {
        s.metrics.avg_queueing_s
    }),
    info("makespan_s", "Makespan", Seconds, Lower, true, "Last completion minus first submission", |s| {
        s.metrics.makespan_s
    }),
    info("gpu_hours", "GPU time", GpuHours, Lower, true, "GPUs held, times hours", |s| Some(s.metrics.gpu_hours)),
    info("gpu_utilization", "Utilisation", Ratio, Higher, true, "GPU time held over GPU time there was", |s| {
        s.metrics.gpu_utilization
    }),
    info("rescale_count", "Rescales", Count, Neither, true, "Changes of a running job's GPUs, and resumptions", |s| {
        count(s.metrics.rescale_count)
    }),
    info(
        "rescale_gpu_s",
        "Rescale GPU time",
        GpuSeconds,
        Lower,
        true,
        "GPU time without progress after changes",
        |s| Some(s.metrics.rescale_gpu_s),
    ),
    info(
        "deadline_satisfactory_ratio",
        "Deadlines met",
        Ratio,
        Higher,
        true,
        "Of the jobs that have a deadline",
        |s| s.metrics.deadline_satisfactory_ratio,
    ),
    info(
        "cluster_efficiency",
        "Cluster efficiency",
        Ratio,
        Higher,
        true,
        "Single-GPU time of the work over GPU time there was",
        |s| s.metrics.cluster_efficiency,
    ),
    info(
        "sjs_efficiency",
        "SJS efficiency",
        Ratio,
        Higher,
        true,
        "Single-GPU time of the work over GPU time held",
        |s| s.metrics.sjs_efficiency,
    ),
    info("job_drop_ratio", "Job drop ratio", Ratio, Lower, true, "Jobs dropped over jobs submitted", |s| {
        s.metrics.job_drop_ratio
    }),
    info("preemption_count", "Preemptions", Count, Neither, true, "How often a job lost all its GPUs", |s| {
        count(s.preemption_count)
    }),
];

fn count(value: u64) -> Option<f64> {
    Some(value as f64)
}

impl Metrics {
    /// The catalogue's entry for a key.
    pub fn info(key: &str) -> Option<&'static MetricInfo> {
        METRICS.iter().find(|info| info.key == key)
    }
}
