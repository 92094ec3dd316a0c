//! The document that `--format json` prints.

use std::collections::BTreeMap;

use elastiplan_metrics::METRICS;
use elastiplan_model::Diagnostic;
use elastiplan_policies::PolicySpec;
use elastiplan_study::{CONFIDENCE, Confirmation, Difference, Estimate, GoalPart, PolicyAnswer, Results, sentence};
use serde::Serialize;
use serde_json::{Number, Value};

use super::Subject;
use crate::{CommandError, output};

#[derive(Serialize)]
struct StudyDocument<'a> {
    version: u32,
    title: &'a str,
    sentence: Option<String>,
    answers: Vec<AnswerDocument<'a>>,
    points: Vec<PointDocument<'a>>,
    diagnostics: &'a [Diagnostic],
    notes: Vec<String>,
}

#[derive(Serialize)]
struct AnswerDocument<'a> {
    policy: &'a PolicySpec,
    axes: BTreeMap<&'a str, Value>,
    goals: &'a [GoalPart],
    smallest: Option<Value>,
    largest_infeasible: Option<Value>,
    isolated: Vec<Value>,
    open: Vec<Value>,
    confidence: f64,
    confirmed_with_seeds: Option<usize>,
}

#[derive(Serialize)]
struct PointDocument<'a> {
    policy: &'a PolicySpec,
    axes: BTreeMap<&'a str, Value>,
    seeds: usize,
    metrics: BTreeMap<&'a str, EstimateDocument>,
    against_baseline: BTreeMap<&'a str, DifferenceDocument>,
}

#[derive(Serialize)]
struct EstimateDocument {
    mean: f64,
    low: Option<f64>,
    high: Option<f64>,
    n: usize,
    missing: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum DifferenceDocument {
    Difference(IntervalDocument),
    Ratio(IntervalDocument),
}

#[derive(Serialize)]
struct IntervalDocument {
    mean: f64,
    low: f64,
    high: f64,
    n: u32,
}

pub fn text(subject: &Subject, results: &Results) -> Result<String, CommandError> {
    let study = &subject.study;
    let units = (0..study.policies.len()).flat_map(|policy| (0..study.grid.points()).map(move |point| (policy, point)));
    let document = StudyDocument {
        version: 1,
        title: &subject.document.title,
        sentence: sentence(study, results),
        answers: study.answers(results).iter().map(|answer| answer_document(subject, answer)).collect(),
        points: units.filter_map(|(policy, point)| point_document(subject, results, policy, point)).collect(),
        diagnostics: &subject.resolved.diagnostics,
        notes: study.notes(),
    };
    output::json(&document)
}

fn answer_document<'a>(subject: &'a Subject, answer: &PolicyAnswer) -> AnswerDocument<'a> {
    let study = &subject.study;
    let axis = study.find.and_then(|axis| study.axes.get(axis));
    let value = |place: usize| axis.and_then(|axis| axis.values.get(place)).map(|value| as_json(&value.text));
    let mut axes = axes(subject, answer.line.first().copied().unwrap_or_default());
    axis.map(|axis| axes.remove(axis.key.as_str()));
    AnswerDocument {
        policy: &study.policies[answer.policy],
        axes,
        goals: subject.document.study.as_ref().map(|study| study.goals.as_slice()).unwrap_or_default(),
        smallest: answer.answer.smallest.and_then(value),
        largest_infeasible: answer.answer.largest_missed.and_then(value),
        isolated: answer.answer.isolated.iter().copied().filter_map(value).collect(),
        open: answer.answer.open.iter().copied().filter_map(value).collect(),
        confidence: CONFIDENCE,
        confirmed_with_seeds: match answer.confirmation {
            Confirmation::Confirmed { seeds } => Some(seeds),
            _ => None,
        },
    }
}

fn point_document<'a>(
    subject: &'a Subject,
    results: &Results,
    policy: usize,
    point: usize,
) -> Option<PointDocument<'a>> {
    let study = &subject.study;
    let [point_id, policy_id] = [point as u32, policy as u32];
    let estimates = METRICS.iter().filter_map(|metric| {
        let Estimate { n, missing, mean, interval } = study.estimate(results, point_id, policy_id, metric)?;
        let (low, high) = interval.unzip();
        Some((metric.key, EstimateDocument { mean, low, high, n, missing }))
    });
    let metrics: BTreeMap<&str, EstimateDocument> = estimates.collect();
    let differences = METRICS.iter().filter(|_| policy > 0).filter_map(|metric| {
        let difference = study.difference(results, point_id, policy_id, metric)?;
        Some((metric.key, difference_document(difference)))
    });
    let seeds = metrics.values().map(|estimate| estimate.n + estimate.missing).max()?;
    let against_baseline = differences.collect();
    Some(PointDocument {
        policy: &study.policies[policy],
        axes: axes(subject, point),
        seeds,
        metrics,
        against_baseline,
    })
}

fn difference_document(difference: Difference) -> DifferenceDocument {
    let (Difference::Absolute(interval) | Difference::Ratio(interval)) = difference;
    let document = IntervalDocument { mean: interval.mean, low: interval.low, high: interval.high, n: interval.n };
    match difference {
        Difference::Absolute(_) => DifferenceDocument::Difference(document),
        Difference::Ratio(_) => DifferenceDocument::Ratio(document),
    }
}

fn axes(subject: &Subject, point: usize) -> BTreeMap<&str, Value> {
    subject.study.values(point as u32).map(|(axis, value)| (axis.key.as_str(), as_json(value))).collect()
}

/// A whole number, a number, or a word.
fn as_json(text: &str) -> Value {
    let number = text.parse::<i64>().map(Number::from).ok();
    let number = number.or_else(|| text.parse().ok().and_then(Number::from_f64));
    number.map_or_else(|| Value::String(text.into()), Value::Number)
}
