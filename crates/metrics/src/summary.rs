//! The metrics of a run.

use serde::{Deserialize, Serialize};

/// The metrics, by the keys of the command line's JSON. `None` if a metric does not apply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Jobs submitted.
    pub jobs_total: u64,
    /// Jobs that the policy admitted or started.
    pub jobs_admitted: u64,
    /// Jobs that did all their work.
    pub jobs_completed: u64,
    /// Jobs that the policy declined.
    pub jobs_dropped: u64,
    /// Jobs that died of a bug.
    pub jobs_failed: u64,
    /// Jobs that their users cancelled.
    pub jobs_cancelled: u64,
    /// Jobs that were still waiting or running when the run ended.
    pub jobs_unfinished: u64,
    /// Jobs dropped over jobs submitted (IBM elastic scaling, section IV-C).
    pub job_drop_ratio: Option<f64>,
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
    /// 95 % of the completed jobs were without GPUs at most this long.
    pub p95_queueing_s: Option<f64>,
    /// 99 % of the completed jobs were without GPUs at most this long.
    pub p99_queueing_s: Option<f64>,
    /// Mean time with GPUs, over completed jobs (ModelArts, section 5.1: training time).
    pub avg_run_s: Option<f64>,
    /// Last completion minus first submission.
    pub makespan_s: Option<f64>,
    /// Jobs completed by their deadline over jobs with a deadline (ElasticFlow, section 6.1).
    pub deadline_satisfactory_ratio: Option<f64>,
    /// Upper bound on that ratio under any policy (see [`deadlines_possible`](crate::deadlines_possible)).
    pub deadline_ratio_bound: Option<f64>,
    /// Mean of completion minus submission, over completed jobs without a deadline, if others have one
    /// (ElasticFlow, section 6.5).
    pub best_effort_avg_jct_s: Option<f64>,
    /// GPUs held, times hours, over all jobs: Act_Sch_Time of IBM elastic scaling, section IV-C.
    pub gpu_hours: f64,
    /// Hours that the samples processed and not lost would have taken on one GPU: Opt_Sch_Time there.
    pub single_gpu_hours: f64,
    /// GPU time held over GPU time present, from the first submission to the end of the run.
    pub gpu_utilization: Option<f64>,
    /// Single-GPU time of the samples processed over GPU time present (ElasticFlow, eq. 8, averaged over time).
    pub cluster_efficiency: Option<f64>,
    /// Single-GPU time of the samples processed and not lost over GPU time held (IBM elastic scaling, section IV-C).
    pub sjs_efficiency: Option<f64>,
    /// Single-GPU time of the samples processed over GPU time held with progress (BFTrainer, section 5.2.1).
    pub scaling_efficiency: Option<f64>,
    /// GPUs of the nodes that were present, times hours (BFTrainer, eq. 17).
    pub resource_integral_gpu_h: f64,
    /// Nodes that were present, times hours (BFTrainer, eq. 17).
    pub resource_integral_node_h: Option<f64>,
    /// The static number of nodes that gives as many node-hours in the same time (BFTrainer, eq. 18).
    pub equivalent_nodes: Option<f64>,
    /// Cost of the nodes that were present, in dollars.
    pub cost_dollars: Option<f64>,
    /// Changes of a job's GPUs while it held some, and resumptions after a preemption.
    pub rescale_count: u64,
    /// GPU-seconds held without progress because of those changes.
    pub rescale_gpu_s: f64,
    /// How often a job lost all its GPUs before it was done.
    pub preemption_count: u64,
    /// How often leaving nodes took some or all of a job's GPUs.
    pub eviction_count: u64,
    /// GPU-seconds that leaving nodes cost: held without progress, or with progress that was lost.
    pub preemption_gpu_s: f64,
    /// The part of `preemption_gpu_s` whose progress was lost.
    pub lost_gpu_s: f64,
    /// Seconds without progress because of changes that the policy decided, times the speed before in samples per
    /// second (BFTrainer, eq. 16).
    pub rescale_cost_samples: f64,
    /// The same for leaving nodes.
    pub preemption_cost_samples: f64,
    /// Samples processed per second, from the first submission to the end of the run.
    pub throughput_samples_per_s: Option<f64>,
    /// Work done and not lost per second, in effective samples (after Pollux, eq. 6).
    pub goodput_samples_per_s: Option<f64>,
    /// Work done over samples processed, both in single-GPU time, of jobs with known efficiency (Pollux, eq. 7,
    /// averaged).
    pub statistical_efficiency: Option<f64>,
    /// Statistical efficiency, mean over the training time of jobs with known efficiency (Pollux, section 5.2.1).
    pub avg_statistical_efficiency: Option<f64>,
    /// Mean over completed jobs of the single-GPU time of the samples processed over completion time.
    pub avg_job_throughput: Option<f64>,
    /// Mean over completed jobs of the single-GPU time of the work over completion time (after Pollux, section 5.2.1).
    pub avg_job_goodput: Option<f64>,
    /// Mean over all jobs of the share of their work that was done (ModelArts, eq. 1).
    pub served_demand: Option<f64>,
    /// Finish-time fairness rho, mean over completed jobs (Themis).
    pub avg_finish_time_fairness: Option<f64>,
    /// Finish-time fairness rho of the completed job that was treated worst (Themis).
    pub max_finish_time_fairness: Option<f64>,
}

/// The metrics of a run, with counts behind some of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The metrics.
    pub metrics: Metrics,
    /// Whether the run is finished.
    pub finished: bool,
    /// Jobs completed by their deadline.
    pub deadlines_met: u64,
    /// Jobs with a deadline.
    pub deadlines_total: u64,
    /// Upper bound on the deadlines met under any policy; `None` if it is unknown.
    pub deadlines_possible: Option<u64>,
    /// Whether nodes joined or left.
    pub capacity_varies: bool,
    /// Whether the statistical efficiency of some job is known.
    pub efficiency_varies: bool,
}
