//! The tables of metrics: names, units and better directions.

use crate::info::{MetricInfo, PairMetricInfo, info};
use crate::{ADDITIONAL_AFTER_JOBS, Better, Group, Metrics, Summary, Unit};

use Group::{Changes, Completion, Deadlines, Fairness, Progress, Resources};
use Unit::{
    Count, Dollars, Factor, GpuHours, GpuSeconds, Jobs, NodeHours, Nodes, Ratio, Samples, SamplesPerSecond, Seconds,
};

/// Every metric, in the order of [`Metrics`](crate::Metrics). Groups stay together.
pub const METRICS: &[MetricInfo] = &[
    info("jobs_total", "Jobs", Count, Completion, "Jobs submitted", |s| count(s.metrics.jobs_total)).known_at_once(),
    info("jobs_admitted", "Admitted", Count, Completion, "Jobs promised to run, or started", |s| {
        count(s.metrics.jobs_admitted)
    })
    .higher()
    .where_it_applies(|s| s.finished && s.metrics.jobs_admitted < s.metrics.jobs_total),
    info("jobs_completed", "Completed", Count, Completion, "Jobs that did all their work", |s| {
        count(s.metrics.jobs_completed)
    })
    .higher(),
    info("jobs_dropped", "Dropped", Count, Completion, "Jobs that the policy refused", |s| {
        count(s.metrics.jobs_dropped)
    })
    .lower(),
    info("jobs_failed", "Failed", Count, Completion, "Jobs that died of a bug", |s| count(s.metrics.jobs_failed))
        .where_it_applies(|s| s.metrics.jobs_failed > 0),
    info("jobs_cancelled", "Cancelled", Count, Completion, "Jobs that their users cancelled", |s| {
        count(s.metrics.jobs_cancelled)
    })
    .where_it_applies(|s| s.metrics.jobs_cancelled > 0),
    info("jobs_unfinished", "Unfinished", Count, Completion, "Jobs still in the cluster when the run ended", |s| {
        count(s.metrics.jobs_unfinished)
    })
    .lower(),
    info("job_drop_ratio", "Job drop ratio", Ratio, Completion, "Jobs dropped over jobs submitted", |s| {
        s.metrics.job_drop_ratio
    })
    .lower(),
    info(
        "avg_jct_s",
        "Mean completion",
        Seconds,
        Completion,
        "Completion minus submission, mean over completed jobs",
        |s| s.metrics.avg_jct_s,
    )
    .lower(),
    info(
        "p50_jct_s",
        "p50 completion",
        Seconds,
        Completion,
        "Half of the completed jobs took at most this long",
        |s| s.metrics.p50_jct_s,
    )
    .lower(),
    info("p95_jct_s", "p95 completion", Seconds, Completion, "95% of the completed jobs took at most this long", |s| {
        s.metrics.p95_jct_s
    })
    .lower(),
    info("p99_jct_s", "p99 completion", Seconds, Completion, "99% of the completed jobs took at most this long", |s| {
        s.metrics.p99_jct_s
    })
    .lower(),
    info("avg_queueing_s", "Mean waiting", Seconds, Completion, "Time without GPUs, mean over completed jobs", |s| {
        s.metrics.avg_queueing_s
    })
    .lower(),
    info("avg_run_s", "Mean training", Seconds, Completion, "Time with GPUs, mean over completed jobs", |s| {
        s.metrics.avg_run_s
    })
    .lower(),
    info("makespan_s", "Makespan", Seconds, Completion, "Last completion minus first submission", |s| {
        s.metrics.makespan_s
    })
    .lower(),
    info("deadline_satisfactory_ratio", "Deadlines met", Ratio, Deadlines, "Of the jobs that have a deadline", |s| {
        s.metrics.deadline_satisfactory_ratio
    })
    .higher(),
    info(
        "deadline_ratio_bound",
        "Deadlines met at most",
        Ratio,
        Deadlines,
        "Of the jobs that have a deadline: no policy could meet more",
        |s| s.metrics.deadline_ratio_bound,
    )
    .known_at_once()
    .where_it_applies(|s| s.metrics.deadline_ratio_bound.is_some()),
    info(
        "best_effort_avg_jct_s",
        "Mean best-effort completion",
        Seconds,
        Deadlines,
        "Completion minus submission, mean over completed jobs without a deadline",
        |s| s.metrics.best_effort_avg_jct_s,
    )
    .lower()
    .where_it_applies(|s| s.metrics.best_effort_avg_jct_s.is_some()),
    info("gpu_hours", "GPU time", GpuHours, Resources, "GPUs held, times hours", |s| Some(s.metrics.gpu_hours)).lower(),
    info("single_gpu_hours", "Single-GPU time", GpuHours, Resources, "What the work done takes on one GPU", |s| {
        Some(s.metrics.single_gpu_hours)
    }),
    info("gpu_utilization", "Utilisation", Ratio, Resources, "GPU time held over GPU time there was", |s| {
        s.metrics.gpu_utilization
    })
    .higher(),
    info(
        "cluster_efficiency",
        "Cluster efficiency",
        Ratio,
        Resources,
        "Single-GPU time of the work over GPU time there was",
        |s| s.metrics.cluster_efficiency,
    )
    .higher(),
    info(
        "sjs_efficiency",
        "SJS efficiency",
        Ratio,
        Resources,
        "Single-GPU time of the work that was not lost over GPU time held",
        |s| s.metrics.sjs_efficiency,
    )
    .higher(),
    info(
        "scaling_efficiency",
        "Scaling efficiency",
        Ratio,
        Resources,
        "Single-GPU time of the work over GPU time held with progress",
        |s| s.metrics.scaling_efficiency,
    )
    .higher(),
    info(
        "resource_integral_gpu_h",
        "GPU time there was",
        GpuHours,
        Resources,
        "GPUs of the nodes that were there, times hours",
        |s| Some(s.metrics.resource_integral_gpu_h),
    )
    .lower()
    .where_it_applies(capacity_varies),
    info(
        "resource_integral_node_h",
        "Node time there was",
        NodeHours,
        Resources,
        "Nodes that were there, times hours",
        |s| s.metrics.resource_integral_node_h,
    )
    .lower()
    .where_it_applies(capacity_varies),
    info(
        "equivalent_nodes",
        "Equivalent nodes",
        Nodes,
        Resources,
        "So many nodes that are always there give as many node-hours",
        |s| s.metrics.equivalent_nodes,
    )
    .where_it_applies(capacity_varies),
    info(
        "cost_dollars",
        "Cost",
        Dollars,
        Resources,
        "Price of the nodes that were there; at prices that change, of the GPUs that jobs held",
        |s| s.metrics.cost_dollars,
    )
    .lower()
    .where_it_applies(|s| s.metrics.cost_dollars.is_some()),
    info("rescale_count", "Rescales", Count, Changes, "Changes of a running job's GPUs, and resumptions", |s| {
        count(s.metrics.rescale_count)
    }),
    info("rescale_gpu_s", "Rescale GPU time", GpuSeconds, Changes, "GPU time without progress after changes", |s| {
        Some(s.metrics.rescale_gpu_s)
    })
    .lower(),
    info("preemption_count", "Preemptions", Count, Changes, "How often a job lost all its GPUs", |s| {
        count(s.metrics.preemption_count)
    }),
    info("eviction_count", "Evictions", Count, Changes, "How often a node that left took GPUs from a job", |s| {
        count(s.metrics.eviction_count)
    })
    .where_it_applies(|s| s.metrics.eviction_count > 0),
    info(
        "preemption_gpu_s",
        "Preemption GPU time",
        GpuSeconds,
        Changes,
        "GPU time that nodes which left cost: without progress, or with progress that was lost",
        |s| Some(s.metrics.preemption_gpu_s),
    )
    .lower()
    .where_it_applies(|s| s.metrics.preemption_gpu_s > 0.0),
    info(
        "lost_gpu_s",
        "Lost GPU time",
        GpuSeconds,
        Changes,
        "GPU time whose progress was lost when a node left",
        |s| Some(s.metrics.lost_gpu_s),
    )
    .lower()
    .where_it_applies(|s| s.metrics.lost_gpu_s > 0.0),
    info(
        "rescale_cost_samples",
        "Rescale cost",
        Samples,
        Changes,
        "Time without progress after changes, times the speed before",
        |s| Some(s.metrics.rescale_cost_samples),
    )
    .lower()
    .where_it_applies(capacity_varies),
    info(
        "preemption_cost_samples",
        "Preemption cost",
        Samples,
        Changes,
        "Time without progress because of nodes that left, times the speed before",
        |s| Some(s.metrics.preemption_cost_samples),
    )
    .lower()
    .where_it_applies(capacity_varies),
    info(
        "throughput_samples_per_s",
        "Throughput",
        SamplesPerSecond,
        Progress,
        "Samples processed in a second, all models together",
        |s| s.metrics.throughput_samples_per_s,
    )
    .higher(),
    info(
        "goodput_samples_per_s",
        "Goodput",
        SamplesPerSecond,
        Progress,
        "Samples in a second as they count: worth less at larger batch sizes, and nothing when lost",
        |s| s.metrics.goodput_samples_per_s,
    )
    .higher()
    .where_it_applies(|s| s.efficiency_varies || s.metrics.lost_gpu_s > 0.0),
    info(
        "statistical_efficiency",
        "Statistical efficiency",
        Ratio,
        Progress,
        "What the samples were worth, of what they would be at the base batch size",
        |s| s.metrics.statistical_efficiency,
    )
    .higher()
    .where_it_applies(|s| s.efficiency_varies),
    info(
        "avg_statistical_efficiency",
        "Mean statistical efficiency",
        Ratio,
        Progress,
        "What a sample is worth, mean over running jobs and time: every second in which a job trains counts alike",
        |s| s.metrics.avg_statistical_efficiency,
    )
    .higher()
    .where_it_applies(|s| s.efficiency_varies),
    info(
        "avg_job_throughput",
        "Mean throughput of a job",
        Factor,
        Progress,
        "Throughput over its life, waiting included, of that on one GPU, mean over completed jobs",
        |s| s.metrics.avg_job_throughput,
    )
    .higher()
    .where_it_applies(|s| s.efficiency_varies),
    info(
        "avg_job_goodput",
        "Mean goodput of a job",
        Factor,
        Progress,
        "Goodput over its life, waiting included, of the throughput on one GPU, mean over completed jobs",
        |s| s.metrics.avg_job_goodput,
    )
    .higher()
    .where_it_applies(|s| s.efficiency_varies),
    info(
        "served_demand",
        "Served demand",
        Ratio,
        Progress,
        "Share of a job's work that was done, mean over jobs",
        |s| s.metrics.served_demand,
    )
    .higher()
    .where_it_applies(|s| s.finished && s.metrics.jobs_completed < s.metrics.jobs_total),
    info(
        "avg_finish_time_fairness",
        "Mean finish-time fairness",
        Factor,
        Fairness,
        "Completion time over that with an equal share of the cluster, mean over completed jobs; above 1 is worse",
        |s| s.metrics.avg_finish_time_fairness,
    )
    .lower(),
    info(
        "max_finish_time_fairness",
        "Worst finish-time fairness",
        Factor,
        Fairness,
        "Completion time over that with an equal share of the cluster, of the job that was treated worst",
        |s| s.metrics.max_finish_time_fairness,
    )
    .lower(),
];

/// Every metric of two runs.
pub const PAIR_METRICS: &[PairMetricInfo] = &[PairMetricInfo {
    key: "additional_jobs",
    label: "Additional jobs",
    unit: Jobs,
    better: Better::Higher,
    group: Completion,
    help: "Jobs completed more than under the other by the time at which that has completed 100, or all it completes",
    value: |own, other| own.additional_to(other, ADDITIONAL_AFTER_JOBS),
}];

impl Metrics {
    /// The entry of [`METRICS`] for a key.
    pub fn info(key: &str) -> Option<&'static MetricInfo> {
        METRICS.iter().find(|info| info.key == key)
    }
}

impl PairMetricInfo {
    /// The entry of [`PAIR_METRICS`] for a key.
    pub fn named(key: &str) -> Option<&'static PairMetricInfo> {
        PAIR_METRICS.iter().find(|info| info.key == key)
    }
}

fn count(value: u64) -> Option<f64> {
    Some(value as f64)
}

fn capacity_varies(summary: &Summary) -> bool {
    summary.capacity_varies
}
