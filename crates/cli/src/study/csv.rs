//! Points and runs as tables of values separated by commas.

use elastiplan_metrics::METRICS;
use elastiplan_study::{Outcome, Results};

use super::Subject;
use crate::CommandError;

/// A row for each metric of each policy at each point.
pub fn points(subject: &Subject, results: &Results) -> Result<Vec<u8>, CommandError> {
    let study = &subject.study;
    let axes = study.axes.iter().map(|axis| axis.key.as_str());
    let head = ["policy"].into_iter().chain(axes).chain(["metric", "seeds", "missing", "mean", "low", "high"]);
    let mut rows = vec![head.map(String::from).collect()];
    for (policy, name) in study.policies.iter().enumerate() {
        for point in 0..study.grid.points() {
            for metric in METRICS {
                let Some(estimate) = study.estimate(results, point as u32, policy as u32, metric) else { continue };
                let (low, high) = estimate.interval.unzip();
                let end = |end: Option<f64>| end.map_or(String::new(), |end| end.to_string());
                let values = study.values(point as u32).map(|(_, value)| value.to_string());
                let numbers = [estimate.n.to_string(), estimate.missing.to_string(), estimate.mean.to_string()];
                let row = [name.to_string()].into_iter().chain(values).chain([metric.key.to_string()]);
                rows.push(row.chain(numbers).chain([end(low), end(high)]).collect());
            }
        }
    }
    write(rows)
}

/// A row for each run, with all its metrics.
pub fn runs(subject: &Subject, results: &Results) -> Result<Vec<u8>, CommandError> {
    let study = &subject.study;
    let axes = study.axes.iter().map(|axis| axis.key.as_str());
    let head = ["policy"].into_iter().chain(axes).chain(["seed", "digest", "failure"]);
    let mut rows: Vec<Vec<String>> =
        vec![head.chain(METRICS.iter().map(|metric| metric.key)).map(String::from).collect()];
    for (unit, outcome) in results.iter() {
        let policy = study.policies.get(unit.policy as usize).map(ToString::to_string).unwrap_or_default();
        let values = study.values(unit.point).map(|(_, value)| value.to_string());
        let (digest, failure) = match outcome {
            Outcome::Ended { digest, .. } => (digest.clone(), String::new()),
            Outcome::Failed { message } => (String::new(), message.clone()),
        };
        let metric = |metric: &elastiplan_metrics::MetricInfo| {
            outcome.metrics().and_then(metric.value).map_or(String::new(), |value| value.to_string())
        };
        let row = [policy].into_iter().chain(values).chain([study.seed(unit).to_string(), digest, failure]);
        rows.push(row.chain(METRICS.iter().map(metric)).collect());
    }
    write(rows)
}

fn write(rows: Vec<Vec<String>>) -> Result<Vec<u8>, CommandError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let failed = |error: &dyn std::fmt::Display| CommandError::Output(error.to_string());
    for row in rows {
        writer.write_record(row).map_err(|error| failed(&error))?;
    }
    writer.into_inner().map_err(|error| failed(&error))
}
