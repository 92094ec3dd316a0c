//! The tables of metrics: names, units and better directions.

use crate::info::{MetricInfo, PairMetricInfo, info};
use crate::{ADDITIONAL_AFTER_JOBS, Better, Group, Metrics, Summary, Unit};

use Group::{Changes, Completion, Deadlines, Fairness, Progress, Resources};
use Unit::{
    Count, Dollars, Factor, GpuHours, GpuSeconds, Jobs, NodeHours, Nodes, Ratio, Samples, SamplesPerSecond, Seconds,
};

/// Metrics over completed jobs only: runs that complete other jobs cannot be ranked by them.
pub const OVER_COMPLETED: [&str; 12] = [
    "avg_jct_s",
    "p50_jct_s",
    "p95_jct_s",
    "p99_jct_s",
    "avg_queueing_s",
    "p95_queueing_s",
    "p99_queueing_s",
    "avg_run_s",
    "makespan_s",
    "best_effort_avg_jct_s",
    "avg_finish_time_fairness",
    "max_finish_time_fairness",
];

/// Every metric, in the order of [`Metrics`](crate::Metrics). Groups stay together.
pub const METRICS: &[MetricInfo] = &[
    info("jobs_total", "Jobs", Count, Completion, |m| count(m.jobs_total)).neither("Jobs submitted").known_at_once(),
    info("jobs_admitted", "Admitted", Count, Completion, |m| count(m.jobs_admitted))
        .higher("Jobs promised to run, or started")
        .where_it_applies(|s| s.finished && s.metrics.jobs_admitted < s.metrics.jobs_total),
    info("jobs_completed", "Completed", Count, Completion, |m| count(m.jobs_completed))
        .higher("Jobs that did all their work"),
    info("jobs_dropped", "Declined", Count, Completion, |m| count(m.jobs_dropped)).lower("Jobs that the policy declined"),
    info("jobs_failed", "Failed", Count, Completion, |m| count(m.jobs_failed))
        .neither("Jobs that failed by an error of their own")
        .where_it_applies(|s| s.metrics.jobs_failed > 0),
    info("jobs_cancelled", "Cancelled", Count, Completion, |m| count(m.jobs_cancelled))
        .neither("Jobs that their users cancelled")
        .where_it_applies(|s| s.metrics.jobs_cancelled > 0),
    info("jobs_unfinished", "Unfinished", Count, Completion, |m| count(m.jobs_unfinished))
        .lower("Jobs still in the cluster when the run ended"),
    info("job_drop_ratio", "Share declined", Ratio, Completion, |m| m.job_drop_ratio)
        .lower("Jobs that the policy declined, of the jobs submitted"),
    info("avg_jct_s", "Mean completion", Seconds, Completion, |m| m.avg_jct_s)
        .lower("Completion minus submission, mean over completed jobs"),
    info("p50_jct_s", "p50 completion", Seconds, Completion, |m| m.p50_jct_s)
        .lower("Half of the completed jobs took at most this long"),
    info("p95_jct_s", "p95 completion", Seconds, Completion, |m| m.p95_jct_s)
        .lower("95% of the completed jobs took at most this long"),
    info("p99_jct_s", "p99 completion", Seconds, Completion, |m| m.p99_jct_s)
        .lower("99% of the completed jobs took at most this long"),
    info("avg_queueing_s", "Mean waiting", Seconds, Completion, |m| m.avg_queueing_s)
        .lower("Time without GPUs, mean over completed jobs"),
    info("p95_queueing_s", "p95 waiting", Seconds, Completion, |m| m.p95_queueing_s)
        .lower("95% of the completed jobs were without GPUs at most this long"),
    info("p99_queueing_s", "p99 waiting", Seconds, Completion, |m| m.p99_queueing_s)
        .lower("99% of the completed jobs were without GPUs at most this long"),
    info("avg_run_s", "Mean training", Seconds, Completion, |m| m.avg_run_s)
        .lower("Time with GPUs, mean over completed jobs"),
    info("makespan_s", "Makespan", Seconds, Completion, |m| m.makespan_s)
        .lower("Last completion minus first submission"),
    info("deadline_satisfactory_ratio", "Deadlines met", Ratio, Deadlines, |m| m.deadline_satisfactory_ratio)
        .higher("Jobs completed by their deadline, of the jobs that have one"),
    info("deadline_ratio_bound", "Deadlines achievable (upper bound)", Ratio, Deadlines, |m| m.deadline_ratio_bound)
        .neither("Deadlines that any policy can meet at most, of the jobs that have one")
        .known_at_once()
        .where_it_applies(|s| s.metrics.deadline_ratio_bound.is_some()),
    info("best_effort_avg_jct_s", "Mean best-effort completion", Seconds, Deadlines, |m| m.best_effort_avg_jct_s)
        .lower("Completion minus submission, mean over completed jobs without a deadline")
        .where_it_applies(|s| s.metrics.best_effort_avg_jct_s.is_some()),
    info("gpu_hours", "GPU time", GpuHours, Resources, |m| Some(m.gpu_hours)).lower("GPUs held, times hours"),
    info("single_gpu_hours", "Single-GPU time", GpuHours, Resources, |m| Some(m.single_gpu_hours))
        .neither("What the work done takes on one GPU"),
    info("gpu_utilization", "Utilisation", Ratio, Resources, |m| m.gpu_utilization)
        .higher("GPU time held, of the GPU time of the nodes that were present"),
    info("cluster_efficiency", "Cluster efficiency", Ratio, Resources, |m| m.cluster_efficiency)
        .higher("Single-GPU time of the work, of the GPU time of the nodes that were present"),
    info("sjs_efficiency", "SJS efficiency", Ratio, Resources, |m| m.sjs_efficiency)
        .higher("Single-GPU time of the work that was not lost over GPU time held"),
    info("scaling_efficiency", "Scaling efficiency", Ratio, Resources, |m| m.scaling_efficiency)
        .higher("Single-GPU time of the work over GPU time held with progress"),
    info("resource_integral_gpu_h", "Resource integral", GpuHours, Resources, |m| Some(m.resource_integral_gpu_h))
        .lower("GPUs of the nodes that were present, times hours")
        .where_it_applies(capacity_varies),
    info("resource_integral_node_h", "Resource integral in nodes", NodeHours, Resources, |m| m.resource_integral_node_h)
        .lower("Nodes that were present, times hours")
        .where_it_applies(capacity_varies),
    info("equivalent_nodes", "Equivalent nodes", Nodes, Resources, |m| m.equivalent_nodes)
        .neither("As many nodes that never leave give the same node-hours")
        .where_it_applies(capacity_varies),
    info("cost_dollars", "Cost", Dollars, Resources, |m| m.cost_dollars)
        .lower("Price of all GPUs present until the run's end, idle or not; at prices that change, of the GPUs that jobs held")
        .where_it_applies(|s| s.metrics.cost_dollars.is_some()),
    info("rescale_count", "Rescales", Count, Changes, |m| count(m.rescale_count))
        .neither("Changes of a running job's GPUs, and resumptions"),
    info("rescale_gpu_s", "Rescale GPU time", GpuSeconds, Changes, |m| Some(m.rescale_gpu_s))
        .lower("GPU time without progress after changes"),
    info("preemption_count", "Preemptions", Count, Changes, |m| count(m.preemption_count))
        .neither("How often a job lost all its GPUs"),
    info("eviction_count", "Evictions", Count, Changes, |m| count(m.eviction_count))
        .neither("How often a node that left took GPUs from a job")
        .where_it_applies(|s| s.metrics.eviction_count > 0),
    info("preemption_gpu_s", "Preemption GPU time", GpuSeconds, Changes, |m| Some(m.preemption_gpu_s))
        .lower("GPU time that nodes which left cost: without progress, or with progress that was lost")
        .where_it_applies(|s| s.metrics.preemption_gpu_s > 0.0),
    info("lost_gpu_s", "Lost GPU time", GpuSeconds, Changes, |m| Some(m.lost_gpu_s))
        .lower("GPU time whose progress was lost when a node left")
        .where_it_applies(|s| s.metrics.lost_gpu_s > 0.0),
    info("rescale_cost_samples", "Rescale cost", Samples, Changes, |m| Some(m.rescale_cost_samples))
        .lower("Time without progress after changes, times the speed before")
        .where_it_applies(capacity_varies),
    info("preemption_cost_samples", "Preemption cost", Samples, Changes, |m| Some(m.preemption_cost_samples))
        .lower("Time without progress because of nodes that left, times the speed before")
        .where_it_applies(capacity_varies),
    info("throughput_samples_per_s", "Throughput", SamplesPerSecond, Progress, |m| m.throughput_samples_per_s)
        .higher("Samples processed in a second, all models together"),
    info("goodput_samples_per_s", "Goodput", SamplesPerSecond, Progress, |m| m.goodput_samples_per_s)
        .higher("Samples in a second as they count: worth less at larger batch sizes, and nothing when lost")
        .where_it_applies(|s| s.efficiency_varies || s.metrics.lost_gpu_s > 0.0),
    info("statistical_efficiency", "Statistical efficiency", Ratio, Progress, |m| m.statistical_efficiency)
        .higher("What the samples were worth, of what they would be at the base batch size")
        .where_it_applies(|s| s.efficiency_varies),
    info("avg_statistical_efficiency", "Mean statistical efficiency", Ratio, Progress, |m| {
        m.avg_statistical_efficiency
    })
    .higher("What a sample is worth, mean over running jobs and time: every second in which a job trains counts alike")
    .where_it_applies(|s| s.efficiency_varies),
    info("avg_job_throughput", "Mean throughput of a job", Factor, Progress, |m| m.avg_job_throughput)
        .higher("Throughput over its life, waiting included, of that on one GPU, mean over completed jobs")
        .where_it_applies(|s| s.efficiency_varies),
    info("avg_job_goodput", "Mean goodput of a job", Factor, Progress, |m| m.avg_job_goodput)
        .higher("Goodput over its life, waiting included, of the throughput on one GPU, mean over completed jobs")
        .where_it_applies(|s| s.efficiency_varies),
    info("served_demand", "Served demand", Ratio, Progress, |m| m.served_demand)
        .higher("Share of a job's work that was done, mean over jobs")
        .where_it_applies(|s| s.finished && s.metrics.jobs_completed < s.metrics.jobs_total),
    info("avg_finish_time_fairness", "Mean finish-time fairness", Factor, Fairness, |m| m.avg_finish_time_fairness)
        .lower(
            "Completion time over that with an equal share of the cluster, mean over completed jobs; above 1 is worse",
        ),
    info("max_finish_time_fairness", "Worst finish-time fairness", Factor, Fairness, |m| m.max_finish_time_fairness)
        .lower("Completion time over that with an equal share of the cluster, of the job that was treated worst"),
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

impl MetricInfo {
    /// Why a run has no value of it, where it has none: `no job completed`.
    pub fn reason_absent(&self) -> &'static str {
        match self.key {
            "best_effort_avg_jct_s" => "no job without a deadline completed beside jobs with one",
            key if OVER_COMPLETED.contains(&key) => "no job completed",
            "deadline_satisfactory_ratio" | "deadline_ratio_bound" => "no job has a deadline",
            "cost_dollars" => "no price is set",
            "gpu_utilization" | "cluster_efficiency" => "no node was present",
            "sjs_efficiency" | "scaling_efficiency" => "no job held GPUs",
            "statistical_efficiency" | "avg_statistical_efficiency" => "no job has a known statistical efficiency",
            "avg_job_throughput" | "avg_job_goodput" => "no job completed",
            "job_drop_ratio" | "served_demand" => "there are no jobs",
            _ => "it does not apply to the run",
        }
    }

    /// The least and the greatest value that it can have. Efficiencies are above 1 where jobs scale better than linearly.
    pub fn range(&self) -> (f64, f64) {
        let may_exceed_one = ["cluster_efficiency", "sjs_efficiency", "scaling_efficiency"].contains(&self.key);
        match self.unit {
            Jobs => (f64::NEG_INFINITY, f64::INFINITY),
            Ratio if !may_exceed_one => (0.0, 1.0),
            _ => (0.0, f64::INFINITY),
        }
    }

    /// The ends of an interval of its mean as they are shown: no mean lies beyond [`Self::range`].
    pub fn within_range(&self, (low, high): (f64, f64)) -> (f64, f64) {
        let (least, most) = self.range();
        (low.clamp(least, most), high.clamp(least, most))
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
