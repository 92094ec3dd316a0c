//! Where more made it worse: points that are worse than their neighbour, though they should be better.
//!
//! With many policies a node more can finish fewer jobs in time (Graham, "Bounds on multiprocessing timing anomalies",
//! 1969): it lets a job start early that is then in the way of others.

use elastiplan_metrics::{Better, MetricInfo, Metrics};
use elastiplan_model::order::sort_by_number;
use elastiplan_statistics::Interval;

use crate::report::{Difference, difference, is_ratio};
use crate::results::sample;
use crate::same_jobs::are_comparable;
use crate::{Axis, Outcome, Results, Study, Unit};

/// Fields of which more is a help. With any other, nothing is expected unless the study says so by its question.
const HELPFUL: [&str; 3] = ["cluster.nodes", "cluster.gpus_per_node", "curves.power.factor"];
/// Where there is no interval, what differs by less than a tenth of a percent, or of a point, is not told.
pub(crate) const SEEN: f64 = 0.001;

/// A point that is worse than its neighbour, with 95 % confidence, by itself.
#[derive(Clone, Copy)]
pub struct Worse {
    /// The policy, by its place.
    pub policy: u32,
    /// The point.
    pub point: u32,
    /// The neighbour that has less of what helps: one node fewer.
    pub neighbour: u32,
    /// What is worse.
    pub metric: &'static MetricInfo,
    /// By how much, seed by seed. Where seeds make no difference its ends are the one difference that there is.
    pub difference: Difference,
    /// In how many seeds it is worse.
    pub seeds_worse: u32,
    /// Of how many.
    pub seeds: u32,
    /// The place of the seed in which it is worst.
    pub worst_seed: u32,
}

impl Worse {
    /// The run at the point in which it is worst.
    pub fn unit(&self) -> Unit {
        Unit { point: self.point, policy: self.policy, seed: self.worst_seed }
    }

    /// The run at the neighbour with the same seed.
    pub fn neighbour_unit(&self) -> Unit {
        Unit { point: self.neighbour, ..self.unit() }
    }
}

impl Study {
    /// All points that are worse than their neighbour, the clearest first: those of the axis of the question, or of the
    /// first that has numbers; by the metrics of the goals, or by mean completion.
    ///
    /// The neighbour is on the side where there is less of what helps: where the smallest value is looked for, the next
    /// smaller one. Each holds by itself: of forty comparisons of what is equal, one seems worse.
    pub fn worse(&self, results: &Results) -> Vec<Worse> {
        let metrics = self.metrics_asked();
        let mut worse = Vec::new();
        for (policy, pairs) in self.neighbours() {
            for (point, neighbour) in pairs {
                let of = |metric: &&'static MetricInfo| self.worse_at(results, policy, point, neighbour, metric);
                worse.extend(metrics.iter().filter_map(of));
            }
        }
        sort_by_number(&mut worse, |worse| -clearness(worse));
        worse
    }

    /// The metrics of the goals; mean completion without any.
    pub(crate) fn metrics_asked(&self) -> Vec<&'static MetricInfo> {
        match self.goals.as_slice() {
            [] => Metrics::info("avg_jct_s").into_iter().collect(),
            goals => goals.iter().map(|goal| goal.metric).collect(),
        }
    }

    /// For each policy and line, its points from the second on, each with the neighbour that has less of what helps.
    pub(crate) fn neighbours(&self) -> Vec<(u32, Vec<(u32, u32)>)> {
        let Some((axis, rises)) = self.helpful_axis() else { return Vec::new() };
        let pair = |pair: &[usize]| match *pair {
            [less, more] if rises => Some((more as u32, less as u32)),
            [more, less] => Some((more as u32, less as u32)),
            _ => None,
        };
        let lines = self.lines(axis).into_iter();
        lines.map(|(policy, line)| (policy, line.windows(2).filter_map(pair).collect())).collect()
    }

    /// The axis along which a point has neighbours, and whether more of it helps.
    fn helpful_axis(&self) -> Option<(usize, bool)> {
        let asked = self.find.map(|axis| (axis, !self.is_largest));
        let helps = |axis: &Axis| axis.is_of_numbers() && HELPFUL.contains(&axis.key.as_str());
        asked.or_else(|| self.axes.iter().position(helps).map(|axis| (axis, true)))
    }

    fn worse_at(
        &self,
        results: &Results,
        policy: u32,
        point: u32,
        neighbour: u32,
        metric: &'static MetricInfo,
    ) -> Option<Worse> {
        let outcomes = |point: u32| self.outcomes(results, point, policy, 0..self.seeds.most());
        let (here, there) = (outcomes(point), outcomes(neighbour));
        let n = here.len().min(there.len());
        let (here, there) = (here.get(..n)?, there.get(..n)?);
        let draws_differ = [point, neighbour].iter().any(|&point| self.draws_differ(results, point, policy));
        let seeds = if draws_differ { n } else { n.min(1) };
        let losses = losses(here.get(..seeds)?, there.get(..seeds)?, metric)?;
        let difference = match draws_differ {
            true => difference(here, there, metric)?,
            false => of_one_draw(here, there, metric)?,
        };
        let worst = losses.iter().zip(0..).max_by(|a, b| a.0.total_cmp(b.0))?;
        is_worse(&difference, metric.better).then(|| Worse {
            policy,
            point,
            neighbour,
            metric,
            difference,
            seeds_worse: losses.iter().filter(|&&lost| lost > 0.0).count() as u32,
            seeds: seeds as u32,
            worst_seed: worst.1,
        })
    }
}

/// How much worse each seed is: above 0 where it is.
fn losses(here: &[&Outcome], there: &[&Outcome], metric: &MetricInfo) -> Option<Vec<f64>> {
    here.iter().zip(there).map(|(here, there)| loss(here, there, metric).map(|(lost, ..)| lost)).collect()
}

/// How much worse a run is than another, above 0 where it is: of shares and counts the difference, of times and costs its
/// share of the other's; with both values. `None` where one of them has no value, or where they cannot be
/// compared.
pub(crate) fn loss(here: &Outcome, there: &Outcome, metric: &MetricInfo) -> Option<(f64, f64, f64)> {
    let sign = match metric.better {
        Better::Lower => 1.0,
        Better::Higher => -1.0,
        Better::Neither => return None,
    };
    if !are_comparable(&[here], &[there], metric) {
        return None;
    }
    let value = |outcome: &Outcome| sample(&[outcome], metric).values.first().copied().flatten();
    let (here, there) = (value(here)?, value(there)?);
    let lost = sign * if is_ratio(metric) { (here - there) / there } else { here - there };
    lost.is_finite().then_some((lost, here, there))
}

/// The difference where all seeds give the same run.
fn of_one_draw(here: &[&Outcome], there: &[&Outcome], metric: &MetricInfo) -> Option<Difference> {
    let (lost, here, there) = loss(here.first()?, there.first()?, metric)?;
    let value = if is_ratio(metric) { here / there } else { here - there };
    let interval = Interval { n: 1, mean: value, low: value, high: value };
    (lost >= SEEN).then_some(if is_ratio(metric) {
        Difference::Ratio(interval)
    } else {
        Difference::Absolute(interval)
    })
}

fn is_worse(difference: &Difference, better: Better) -> bool {
    let (interval, none) = match difference {
        Difference::Absolute(interval) => (interval, 0.0),
        Difference::Ratio(interval) => (interval, 1.0),
    };
    match better {
        Better::Lower => interval.low > none,
        Better::Higher => interval.high < none,
        Better::Neither => false,
    }
}

/// How many times the half of its interval a difference is.
fn clearness(worse: &Worse) -> f64 {
    let (mean, half_width) = match worse.difference {
        Difference::Absolute(Interval { mean, low, high, .. }) => (mean, (high - low) / 2.0),
        Difference::Ratio(Interval { mean, low, high, .. }) => (libm::log(mean), libm::log(high / low) / 2.0),
    };
    mean.abs() / half_width.max(f64::MIN_POSITIVE)
}
