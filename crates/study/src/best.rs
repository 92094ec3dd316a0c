//! The best policy at a point: those that are far behind are screened out ([`elastiplan_statistics::screened`]), then Kim
//! and Nelson's selection goes through the seeds of the rest ([`elastiplan_statistics::Selection`]). Each has half of the
//! error.

use elastiplan_metrics::{Better, MetricInfo, Unit as MetricUnit};
use elastiplan_statistics::{Selection, VALUES_MIN, screened};

use crate::report::is_ratio;
use crate::results::sample;
use crate::same_jobs::are_comparable;
use crate::study::CONFIDENCE;
use crate::{Outcome, Results, Study};

/// Shares that are less than a point apart are as good.
const INDIFFERENT_SHARE: f64 = 0.01;
/// Times and costs that are less than 2% apart are as good.
const INDIFFERENT_RATIO: f64 = 1.02;

/// The policies that may be the best at a point. With 95 % confidence, at this point by itself, the best is among them,
/// or one that is as good: within a point of shares, within 2 % of times.
#[derive(Clone)]
pub struct Best {
    /// What is compared.
    pub metric: &'static MetricInfo,
    /// Those that are left, by their places; one where it is decided.
    pub left: Vec<u32>,
    /// Seeds that it took to know this. 1 where seeds make no difference.
    pub seeds: usize,
}

impl Study {
    /// The best policy at a point by the metric of the first goal, or by mean completion. `None` with fewer than two
    /// policies, with too few seeds, where a policy has no value, where they completed other jobs and times are asked for,
    /// and for a metric that has no better direction.
    pub fn best(&self, results: &Results, point: u32) -> Option<Best> {
        let metric = self.metrics_asked().first().copied()?;
        let policies = self.policies.len() as u32;
        let outcomes: Vec<Vec<&Outcome>> =
            (0..policies).map(|policy| self.outcomes(results, point, policy, 0..self.seeds.most())).collect();
        let drawn = outcomes.iter().map(Vec::len).min().filter(|&drawn| policies >= 2 && drawn > 0)?;
        let draws_differ = (0..policies).any(|policy| self.draws_differ(results, point, policy));
        let seeds = if draws_differ { drawn } else { 1 };
        let outcomes: Vec<&[&Outcome]> = outcomes.iter().map(|of| of.get(..seeds)).collect::<Option<_>>()?;
        let first = *outcomes.first()?;
        if !outcomes.iter().all(|ours| are_comparable(ours, first, metric)) {
            return None;
        }
        let values: Vec<Vec<f64>> = outcomes.iter().map(|ours| scores(ours, metric)).collect::<Option<_>>()?;
        let indifference = indifference(metric, &values);
        if !draws_differ {
            let best = values.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
            let is_as_good = |of: &Vec<f64>| of.iter().all(|value| *value >= best - indifference);
            let left = (0..).zip(&values).filter(|(_, of)| is_as_good(of)).map(|(policy, _)| policy).collect();
            return Some(Best { metric, left, seeds });
        }
        let (left, seeds) = self.selected(&values, indifference)?;
        Some(Best { metric, left, seeds })
    }

    /// Those that are left of policies with these values, and after how many seeds.
    fn selected(&self, values: &[Vec<f64>], indifference: f64) -> Option<(Vec<u32>, usize)> {
        let drawn = values.iter().map(Vec::len).min()?;
        let looks: Vec<usize> = self.looks.seeds().iter().copied().filter(|&seeds| seeds <= drawn).collect();
        let error = (1.0 - CONFIDENCE) / 2.0;
        let error_of_look = error / self.looks.seeds().len().max(1) as f64;
        let mut left: Vec<usize> = (0..values.len()).collect();
        let mut seeds_used = drawn;
        for &seeds in &looks {
            let first: Vec<Vec<f64>> = values.iter().map(|of| of.iter().copied().take(seeds).collect()).collect();
            let found = screened(&first, indifference, error_of_look)?;
            left.retain(|place| found.contains(place));
            if left.len() == 1 {
                seeds_used = seeds;
                break;
            }
        }
        if left.len() > 1 {
            let rest: Vec<Vec<f64>> = left.iter().filter_map(|&place| values.get(place).cloned()).collect();
            // As strict as if all were still there.
            let error = error * (rest.len() as f64 - 1.0) / (values.len() as f64 - 1.0);
            let at_least = looks.first().copied().unwrap_or(VALUES_MIN);
            let found = Selection { indifference, error, at_least }.among(&rest)?;
            left = found.left.iter().filter_map(|&place| left.get(place).copied()).collect();
            seeds_used = found.values_used;
        }
        Some((left.into_iter().map(|policy| policy as u32).collect(), seeds_used))
    }
}

/// Values of which more is better, differences of which count: the logarithms of times and costs.
fn scores(outcomes: &[&Outcome], metric: &MetricInfo) -> Option<Vec<f64>> {
    let sign = match metric.better {
        Better::Higher => 1.0,
        Better::Lower => -1.0,
        Better::Neither => return None,
    };
    let values = sample(outcomes, metric).complete()?;
    let score = |value: f64| sign * if is_ratio(metric) { libm::log(value) } else { value };
    values.into_iter().map(|value| Some(score(value)).filter(|score| score.is_finite())).collect()
}

/// What does not matter: a point of shares, 2 % of times and costs, and of the largest mean of all else.
fn indifference(metric: &MetricInfo, values: &[Vec<f64>]) -> f64 {
    if is_ratio(metric) {
        return libm::log(INDIFFERENT_RATIO);
    }
    if metric.unit == MetricUnit::Ratio {
        return INDIFFERENT_SHARE;
    }
    let mean = |of: &Vec<f64>| of.iter().sum::<f64>().abs() / of.len().max(1) as f64;
    let largest = values.iter().map(mean).fold(0.0, f64::max);
    ((INDIFFERENT_RATIO - 1.0) * largest).max(f64::MIN_POSITIVE)
}
