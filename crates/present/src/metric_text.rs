//! A metric's name, its value for a run, and a difference from the baseline.

use elastiplan_metrics::MetricInfo;

use crate::runs::{RunEntry, RunState};

/// A difference from the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// As it is written.
    pub text: String,
    /// Whether it is good; `None` where it is neither good nor bad.
    pub is_better: Option<bool>,
}

/// The name, with the unit where the values do not carry it.
pub fn label(info: &MetricInfo) -> &'static str {
    match info.key {
        "gpu_hours" => "GPU-h held",
        "single_gpu_hours" => "Single-GPU time, h",
        "resource_integral_gpu_h" => "Resource integral, GPU-h",
        "resource_integral_node_h" => "Resource integral, node-h",
        "rescale_gpu_s" => "Rescale GPU-h",
        "preemption_gpu_s" => "Preemption GPU-h",
        "lost_gpu_s" => "Lost GPU-h",
        "rescale_cost_samples" => "Rescale cost, samples",
        "preemption_cost_samples" => "Preemption cost, samples",
        "throughput_samples_per_s" => "Throughput, samples/s",
        "goodput_samples_per_s" => "Goodput, samples/s",
        _ => info.label,
    }
}

/// The value, where there is one that may be shown: a stopped run has none of what needs all jobs.
pub fn value(info: &MetricInfo, entry: &RunEntry) -> Option<f64> {
    let is_stopped = matches!(entry.state, RunState::Cancelled | RunState::Failed(_));
    let result = entry.result.as_ref().filter(|_| !(is_stopped && info.needs_all_jobs))?;
    (info.value)(&result.summary.metrics)
}

#[cfg(test)]
mod tests {
    use elastiplan_metrics::{METRICS, PAIR_METRICS};

    use super::*;

    #[test]
    fn definitions_are_those_of_the_docs() {
        let docs = include_str!("../../../docs/metrics.md");
        let check = |key: &str, label: &str, help: &str| {
            let row = format!("| `{key}` | *{label}.* {help}");
            let rows = docs
                .lines()
                .filter(|line| line.strip_prefix(&row).is_some_and(|rest| rest.starts_with([' ', '.', ',', ';', ':'])));
            assert_eq!(rows.count(), 1, "docs/metrics.md has one row that begins with {row}");
        };
        METRICS.iter().for_each(|info| check(info.key, label(info), info.help));
        PAIR_METRICS.iter().for_each(|info| check(info.key, info.label, info.help));
    }
}
