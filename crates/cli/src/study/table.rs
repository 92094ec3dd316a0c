//! Answers and points as text.

use elastiplan_metrics::{MetricInfo, Metrics};
use elastiplan_present::quantity::Quantity;
use elastiplan_study::{Axis, Estimate, Results, Study};

use super::Subject;
use super::report::Report;
use crate::table::headed;

/// The answer in a sentence, and a table for each metric that the goals are about: points as rows, policies as columns.
pub fn text(report: &Report<'_>) -> String {
    let Report { subject, results, .. } = report;
    let mut text = match subject.document.title.as_str() {
        "" => String::new(),
        title => format!("{title}\n\n"),
    };
    if let Some(sentence) = &report.sentence {
        text += &format!("{sentence}\n\n");
    }
    if let Some(undecided) = &report.undecided {
        text += &format!("{undecided}\n\n");
    }
    if let Some(best) = &report.best {
        text += &format!("{best}\n\n");
    }
    if let Some(not_compared) = &report.not_compared {
        text += &format!("{not_compared}.\n\n");
    }
    let gaps = report.gaps_text();
    if !gaps.is_empty() {
        text += &(gaps + "\n");
    }
    let worse = report.worse_text();
    if !worse.is_empty() {
        text += &(worse + "\n");
    }
    let tables: Vec<String> = metrics(subject).into_iter().map(|metric| table(subject, results, metric)).collect();
    let tables = tables.join("\n");
    let key = if tables.contains(" to ") { "In brackets: 95% intervals, each by itself\n" } else { "" };
    text + &tables + key
}

/// Those of the goals; completion and deadlines without any.
fn metrics(subject: &Subject) -> Vec<&'static MetricInfo> {
    let goals = subject.document.study.iter().flat_map(|study| &study.goals);
    let mut metrics: Vec<&MetricInfo> = goals.filter_map(|goal| Metrics::info(&goal.metric)).collect();
    if metrics.is_empty() {
        metrics = ["avg_jct_s", "deadline_satisfactory_ratio"].iter().filter_map(|key| Metrics::info(key)).collect();
    }
    metrics
}

fn table(subject: &Subject, results: &Results, metric: &MetricInfo) -> String {
    let study = &subject.study;
    let headings: Vec<String> = study.axes.iter().map(Axis::heading).collect();
    let titles: Vec<&str> = headings.iter().map(String::as_str).collect();
    let policies = study.policies.iter().map(ToString::to_string);
    let row = |point: usize| {
        let values = study.values(point as u32).map(|(_, value)| value.to_string());
        let cell = |policy: usize| {
            let estimate = study.estimate(results, point as u32, policy as u32, metric);
            estimate.map_or_else(|| without(study, results, point, policy).into(), |estimate| cell(metric, &estimate))
        };
        values.chain((0..study.policies.len()).map(cell)).collect::<Vec<String>>()
    };
    let rows = (0..study.grid.points()).map(row);
    format!("{}\n{}", metric.label, headed(&titles, policies, rows, titles.len()))
}

/// What stands where there is no value: a dash where no run is there.
fn without(study: &Study, results: &Results, point: usize, policy: usize) -> &'static str {
    let outcomes = study.outcomes_of_point(results, point as u32, policy as u32);
    match (outcomes.is_empty(), outcomes.iter().all(|outcome| outcome.metrics().is_none())) {
        (true, _) => "–",
        (false, true) => "failed",
        (false, false) => "no value",
    }
}

/// `93.4% (91.0% to 95.8%)`.
fn cell(metric: &MetricInfo, estimate: &Estimate) -> String {
    let number = |value: f64| Quantity::of(metric.unit).value(value);
    let missing = match estimate.missing {
        0 => String::new(),
        missing => format!(", {missing} of {} seeds without", missing + estimate.n),
    };
    match estimate.interval.map(|interval| metric.within_range(interval)) {
        Some((low, high)) => format!("{} ({} to {}){missing}", number(estimate.mean), number(low), number(high)),
        None => format!("{}{missing}", number(estimate.mean)),
    }
}
