//! Values and differences of the table of runs as text.

use elastiplan_metrics::{Better, MetricInfo, Summary, Unit};
use elastiplan_text::format;

use super::PartOf;
use crate::metric_text::Difference;

const MINUS: char = '−';

/// The jobs that a share is of, or a count.
pub fn of(info: &MetricInfo, summary: &Summary) -> Option<PartOf> {
    let metrics = &summary.metrics;
    let (part, total) = match info.key {
        "deadline_satisfactory_ratio" => (summary.deadlines_met, summary.deadlines_total),
        "deadline_ratio_bound" => (summary.deadlines_possible?, summary.deadlines_total),
        "jobs_dropped" | "job_drop_ratio" => (metrics.jobs_dropped, metrics.jobs_total),
        _ => return None,
    };
    Some(PartOf { part, total })
}

/// The difference from a baseline in the unit of the metric; `None` where there is none to see, or the baseline is 0.
pub fn difference(info: &MetricInfo, value: f64, from: f64, is_judged: bool) -> Option<Difference> {
    let text = match info.unit {
        _ if info.better == Better::Neither => return None,
        Unit::Ratio => points(value - from)?,
        Unit::Count | Unit::Jobs => format::signed_count((value - from) as i64),
        _ => change(value, from)?,
    };
    let is_nothing = !text.contains(|letter: char| ('1'..='9').contains(&letter));
    let is_better = (value < from) == (info.better == Better::Lower);
    (!is_nothing).then(|| Difference { text, is_better: is_judged.then_some(is_better) })
}

/// A difference of shares: `+23.0pt`.
pub fn points(difference: f64) -> Option<String> {
    let size = (difference.abs() * 1000.0).round() / 10.0;
    let sign = if difference < 0.0 { MINUS } else { '+' };
    (size > 0.0).then(|| format!("{sign}{size:.1}pt"))
}

/// How much less or more a value is than a baseline, without the sign: `32%`.
pub fn part_of_change(value: f64, from: f64) -> Option<String> {
    change(value, from).map(|change| change.trim_start_matches(['+', MINUS]).to_string())
}

/// A change as a part of the baseline: `−32%`, `+6.8%`, above twice `×6.3`; `None` from 0, or where it rounds to nothing.
pub fn change(value: f64, from: f64) -> Option<String> {
    let ratio = value / from;
    if !ratio.is_finite() || from <= 0.0 {
        return None;
    }
    if ratio > 2.0 {
        return Some(format::change(value, from));
    }
    let percent = (ratio - 1.0) * 100.0;
    let sign = if percent < 0.0 { MINUS } else { '+' };
    match percent.abs() {
        size if size < 0.05 => None,
        size if size < 9.95 => Some(format!("{sign}{size:.1}%")),
        // What is not all of it is not written as all.
        size if percent < 0.0 && size > 99.5 && size < 100.0 => Some(format!("{MINUS}{:.1}%", size.min(99.9))),
        size => Some(format!("{sign}{size:.0}%")),
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_metrics::Metrics;

    use super::*;
    use crate::quantity::Quantity;

    fn check(key: &str, value: f64, from: f64, expected: (&str, Option<&str>)) {
        let info = Metrics::info(key).unwrap();
        let written = Quantity::of_metric(info, None).value(value);
        let difference = difference(info, value, from, true).map(|difference| difference.text);
        assert_eq!((written.as_str(), difference.as_deref()), expected, "{key}");
    }

    #[test]
    fn differences_are_in_the_unit_of_their_metric() {
        check("deadline_satisfactory_ratio", 0.807, 0.577, ("80.7%", Some("+23.0pt")));
        check("cost_dollars", 355_000.0, 371_000.0, ("$355k", Some("−4.3%")));
        check("jobs_dropped", 9.0, 0.0, ("9", Some("+9")));
        check("avg_jct_s", 21_900.0, 32_160.0, ("6h 05m", Some("−32%")));
        check("p99_jct_s", 259_200.0, 162_000.0, ("3d 00h", Some("+60%")));
        check("p95_queueing_s", 0.0, 32_700.0, ("0s", Some("−100%")));
        check("p95_queueing_s", 10.0, 32_700.0, ("10s", Some("−99.9%")));
        check("rescale_gpu_s", 23_086_800.0, 0.0, ("6,413", None));
        check("gpu_utilization", 0.59, 0.71, ("59%", Some("−12.0pt")));
        check("makespan_s", 720.0, 100.0, ("12m", Some("×7.2")));
        check("rescale_count", 218.0, 315.0, ("218", None));
        check("avg_jct_s", 100.0, 100.01, ("1m 40s", None));
    }

    #[test]
    fn numbers_have_as_many_digits_as_mean_something() {
        check("max_finish_time_fairness", 0.001_64, 1.0, ("0", Some("−99.8%")));
        check("max_finish_time_fairness", 1.234_56, 1.0, ("1.23", Some("+23%")));
        check("rescale_gpu_s", 5.9, 0.0, ("<0.01", None));
        check("gpu_hours", 12_345.6, 0.0, ("12,346", None));
        check("throughput_samples_per_s", 12_345.6, 0.0, ("12.3k", None));
    }
}
