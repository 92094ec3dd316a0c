//! The document that `--format json` prints.

use std::collections::BTreeMap;

use elastiplan_metrics::METRICS;
use elastiplan_model::Diagnostic;
use elastiplan_policies::PolicySpec;
use elastiplan_present::study::sentence;
use elastiplan_study::{Best, CONFIDENCE, Confirmation, Difference, Estimate, GoalPart, PolicyAnswer, Results};
use serde::Serialize;
use serde_json::{Number, Value};

use super::Subject;
use super::report::{Report, ReversedLine, WorsePoint};
use crate::{CommandError, output};

#[derive(Serialize)]
struct StudyDocument<'a> {
    version: u32,
    title: &'a str,
    sentence: Option<&'a str>,
    answers: Vec<AnswerDocument<'a>>,
    best: Vec<BestDocument<'a>>,
    worse: Vec<WorseDocument<'a>>,
    reversals: Vec<ReversalDocument<'a>>,
    points: Vec<PointDocument<'a>>,
    diagnostics: &'a [Diagnostic],
    notes: Vec<String>,
}

#[derive(Serialize)]
struct AnswerDocument<'a> {
    policy: &'a PolicySpec,
    axes: BTreeMap<&'a str, Value>,
    goals: &'a [GoalPart],
    #[serde(flatten)]
    found: FoundDocument,
    isolated: Vec<Value>,
    open: Vec<Value>,
    confidence: f64,
    confirmed_with_seeds: Option<usize>,
    sentence: Option<String>,
}

/// The policies that may be the best at a point.
#[derive(Serialize)]
struct BestDocument<'a> {
    axes: BTreeMap<&'a str, Value>,
    metric: &'static str,
    policies: Vec<&'a PolicySpec>,
    seeds: usize,
}

/// A point that is worse than its neighbour.
#[derive(Serialize)]
struct WorseDocument<'a> {
    policy: &'a PolicySpec,
    axes: BTreeMap<&'a str, Value>,
    worse_than: BTreeMap<&'a str, Value>,
    metric: &'static str,
    #[serde(flatten)]
    difference: DifferenceDocument,
    seeds_worse: u32,
    seeds: u32,
    worst_seed: u64,
    words: &'a str,
    why: &'a [String],
}

/// A policy that some seed shows to be worse with more.
#[derive(Serialize)]
struct ReversalDocument<'a> {
    policy: &'a PolicySpec,
    metric: &'static str,
    seeds_reversed: u32,
    seeds: u32,
    worst_seed: u64,
    axes: BTreeMap<&'a str, Value>,
    value: f64,
    worse_than: BTreeMap<&'a str, Value>,
    neighbour_value: f64,
    words: &'a str,
    why: &'a [String],
}

/// The answer, by the question.
#[derive(Serialize)]
#[serde(untagged)]
enum FoundDocument {
    Smallest { smallest: Option<Value>, largest_infeasible: Option<Value> },
    Largest { largest: Option<Value>, smallest_infeasible: Option<Value> },
}

#[derive(Serialize)]
struct PointDocument<'a> {
    policy: &'a PolicySpec,
    axes: BTreeMap<&'a str, Value>,
    seeds: usize,
    metrics: BTreeMap<&'a str, EstimateDocument>,
    against_baseline: BTreeMap<&'a str, DifferenceDocument>,
    /// Where there are any, `against_baseline` has nothing that is over completed jobs.
    seeds_with_other_jobs_completed: usize,
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

pub fn text(report: &Report<'_>) -> Result<String, CommandError> {
    let &Report { subject, results, .. } = report;
    let study = &subject.study;
    let units = (0..study.policies.len()).flat_map(|policy| (0..study.grid.points()).map(move |point| (policy, point)));
    let document = StudyDocument {
        version: 1,
        title: &subject.document.title,
        sentence: report.sentence.as_deref(),
        answers: report.answers.iter().map(|answer| answer_document(report, answer)).collect(),
        best: (0..study.grid.points()).filter_map(|point| best_document(report, point)).collect(),
        worse: report.worse.iter().map(|worse| worse_document(subject, worse)).collect(),
        reversals: report.reversals.iter().map(|line| reversal_document(subject, line)).collect(),
        points: units.filter_map(|(policy, point)| point_document(subject, results, policy, point)).collect(),
        diagnostics: &subject.resolved.diagnostics,
        notes: notes(report),
    };
    output::json(&document)
}

/// What is worth knowing, in sentences.
fn notes(report: &Report<'_>) -> Vec<String> {
    let notes = report.subject.notes().into_iter().chain(report.not_compared.clone()).chain(report.undecided.clone());
    notes.chain(report.gaps.iter().cloned()).chain(report.notes.iter().cloned()).collect()
}

fn answer_document<'a>(report: &Report<'a>, answer: &PolicyAnswer) -> AnswerDocument<'a> {
    let &Report { subject, results, .. } = report;
    let study = &subject.study;
    let axis = study.find.and_then(|axis| study.axes.get(axis));
    let value = |place: usize| axis.and_then(|axis| axis.values.get(place)).map(|value| as_json(&value.text));
    let mut axes = axes(subject, answer.line.first().copied().unwrap_or_default());
    axis.map(|axis| axes.remove(axis.key.as_str()));
    AnswerDocument {
        policy: &study.policies[answer.policy],
        axes,
        goals: subject.document.study.as_ref().map(|study| study.goals.as_slice()).unwrap_or_default(),
        found: {
            let (found, missed) =
                (answer.answer.smallest.and_then(value), answer.answer.largest_missed.and_then(value));
            match study.is_largest {
                true => FoundDocument::Largest { largest: found, smallest_infeasible: missed },
                false => FoundDocument::Smallest { smallest: found, largest_infeasible: missed },
            }
        },
        isolated: answer.answer.isolated.iter().copied().filter_map(value).collect(),
        open: answer.answer.open.iter().copied().filter_map(value).collect(),
        confidence: CONFIDENCE,
        confirmed_with_seeds: match answer.confirmation {
            Confirmation::Confirmed { seeds } => Some(seeds),
            _ => None,
        },
        sentence: sentence(study, results, std::slice::from_ref(answer)),
    }
}

fn best_document<'a>(report: &Report<'a>, point: usize) -> Option<BestDocument<'a>> {
    let Best { metric, left, seeds } = report.subject.study.best(report.results, point as u32)?;
    let policies = left.iter().map(|&policy| &report.subject.study.policies[policy as usize]).collect();
    Some(BestDocument { axes: axes(report.subject, point), metric: metric.key, policies, seeds })
}

fn worse_document<'a>(subject: &'a Subject, point: &'a WorsePoint) -> WorseDocument<'a> {
    let WorsePoint { worse, words, why } = point;
    WorseDocument {
        policy: &subject.study.policies[worse.policy as usize],
        axes: axes(subject, worse.point as usize),
        worse_than: axes(subject, worse.neighbour as usize),
        metric: worse.metric.key,
        difference: difference_document(worse.difference),
        seeds_worse: worse.seeds_worse,
        seeds: worse.seeds,
        worst_seed: subject.study.seed(worse.unit()),
        words,
        why,
    }
}

fn reversal_document<'a>(subject: &'a Subject, line: &'a ReversedLine) -> ReversalDocument<'a> {
    let ReversedLine { reversal, words, why } = line;
    ReversalDocument {
        policy: &subject.study.policies[reversal.policy as usize],
        metric: reversal.metric.key,
        seeds_reversed: reversal.seeds_reversed,
        seeds: reversal.seeds,
        worst_seed: subject.study.seed(reversal.unit()),
        axes: axes(subject, reversal.point as usize),
        value: reversal.value,
        worse_than: axes(subject, reversal.neighbour as usize),
        neighbour_value: reversal.neighbour_value,
        words,
        why,
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
        seeds_with_other_jobs_completed: study.seeds_with_other_jobs(results, point_id, policy_id),
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
