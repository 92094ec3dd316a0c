//! Metrics and distributions of a run, and differences between two runs.
//!
//! [`Summary::of`] computes every number that the planner shows from the record of a run and its workload,
//! [`Summary::of_jobs`] those of some of its jobs; [`METRICS`]
//! is the table of their names, units and better directions. [`JobMetrics::of`] has the numbers of each job,
//! [`over_time`] the numbers of a run over time. [`Comparison::between`] counts the jobs that end sooner or later than
//! under another run, and [`PAIR_METRICS`] are numbers of two runs; [`completion_distribution`] and
//! [`waiting_distribution`] are step curves. [`Bounds`] and [`deadlines_possible`] bound what any policy could reach.
//! [`IdleNodes`] and [`FragmentLengths`] summarise an availability log. A metric that does not apply is missing, never
//! 0. docs/metrics.md has every definition with its source.
//!
//! This crate does not know how a run was made, which policy made it, or how numbers are shown.

mod additional_jobs;
mod bounds;
mod capacity;
mod catalogue;
mod comparison;
mod compute;
mod deadlines;
mod distribution;
mod efficiency;
mod idle_nodes;
mod info;
mod jobs;
mod outcome;
pub mod over_time;
mod rescaling;
mod run_time;
mod selection;
mod steps;
mod summary;
mod work;

pub use additional_jobs::{ADDITIONAL_AFTER_JOBS, Completions};
pub use bounds::Bounds;
pub use capacity::{cost_at_prices, cost_dollars, equivalent_nodes, gpu_seconds_present};
pub use catalogue::{METRICS, OVER_COMPLETED, PAIR_METRICS};
pub use comparison::{
    Comparison, EQUAL_WITHIN_S, Ending, JobDifference, first_difference_of_job_s, first_difference_s,
};
pub use deadlines::deadlines_possible;
pub use distribution::{Distribution, completion_distribution, percentile, waiting_distribution};
pub use efficiency::{efficiency_by_span, has_efficiency};
pub use idle_nodes::{
    FRAGMENT_LENGTHS_S, FragmentLengths, FragmentShares, IdleNodes, IdlePeriod, idle_period_s, idle_periods,
};
pub use info::{Better, Group, MetricInfo, PairMetricInfo, Unit};
pub use jobs::{JobMetrics, completion_s, meets_deadline};
pub use outcome::{outcome_between, periods};
pub use rescaling::{CostSamples, each_cost};
pub use run_time::{ModelRunTime, run_time_by_model};
pub use steps::{Line, Steps};
pub use summary::{Metrics, Summary};
pub use work::batch_as_submitted;
