//! What is known of points and policies.

use std::ops::Range;

use elastiplan_metrics::{MetricInfo, Metrics, Unit as MetricUnit};
use elastiplan_statistics::feasibility::{Answer, Feasibility, answer, seeds_to_decide};
use elastiplan_statistics::{Interval, Looks, Moments, bootstrap};

use crate::results::sample;
use crate::same_jobs::are_comparable;
use crate::schedule::SEEDS_EARLY;
use crate::study::CONFIDENCE;
use crate::{Outcome, Results, Study, Unit};

/// The mean of a metric at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Seeds that have a value.
    pub n: usize,
    /// Seeds that have none: the run failed, or the metric does not apply to it.
    pub missing: usize,
    /// The mean of those that have.
    pub mean: f64,
    /// The ends of its 95 % interval; `None` with too few seeds, and where seeds make no difference.
    pub interval: Option<(f64, f64)>,
}

/// How a metric differs from the baseline's at the same point, seed by seed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Difference {
    /// Ours less theirs: of shares and counts.
    Absolute(Interval),
    /// Ours over theirs: of times and costs.
    Ratio(Interval),
}

/// The answer for a policy, along the axis of the question; one for each combination of the other axes' values.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyAnswer {
    /// The place of the policy.
    pub policy: usize,
    /// The points along the axis.
    pub line: Vec<usize>,
    /// What is known of each of them; open where fresh seeds did not confirm that the goals are met.
    pub known: Vec<Feasibility>,
    /// The answer, by places on the axis. Where the
    /// largest value is looked for, the axis is read from its end: `smallest` is the largest value up to which all meet the
    /// goals, `largest_missed` the smallest that misses them.
    pub answer: Answer,
    /// Whether fresh seeds say the same.
    pub confirmation: Confirmation,
    /// Points whose seeds say that the goals are met, while as many fresh ones do not.
    pub unconfirmed: Vec<Unconfirmed>,
}

/// A point at which fresh seeds did not say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unconfirmed {
    /// The point.
    pub point: usize,
    /// How many fresh seeds were run.
    pub seeds: usize,
}

/// Whether fresh seeds say the same as those that gave the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// There is no answer, or seeds make no difference.
    None,
    /// These seeds are to be run at this point.
    Wanted {
        /// The point.
        point: u32,
        /// Places of seeds.
        seeds: Range<usize>,
    },
    /// They do.
    Confirmed {
        /// How many.
        seeds: usize,
    },
}

impl Study {
    /// Whether a point meets the goals under a policy. Open where a run failed or has no value of a goal's metric
    /// ([`Self::gap`]): that is no evidence for either.
    pub fn judge(&self, results: &Results, point: u32, policy: u32) -> Feasibility {
        self.judge_seeds(results, point, policy, 0..self.seeds.most(), &self.looks)
    }

    fn judge_seeds(
        &self,
        results: &Results,
        point: u32,
        policy: u32,
        seeds: Range<usize>,
        looks: &Looks,
    ) -> Feasibility {
        let outcomes = self.outcomes(results, point, policy, seeds);
        let first = looks.seeds().first().copied().unwrap_or(1);
        if outcomes.len() < first.min(SEEDS_EARLY) {
            return Feasibility::Open;
        }
        let samples: Vec<_> = self.goals.iter().map(|goal| sample(&outcomes, goal.metric)).collect();
        let Some(values) = samples.iter().map(|sample| sample.complete()).collect::<Option<Vec<_>>>() else {
            return Feasibility::Open;
        };
        if !self.draws_differ(results, point, policy) {
            let is_met =
                |(goal, values): (&crate::goal::Goal, &Vec<f64>)| values.iter().all(|&value| goal.limit.holds(value));
            let is_met = self.goals.iter().zip(&values).all(is_met);
            return if is_met { Feasibility::Met } else { Feasibility::Missed };
        }
        let goals: Vec<_> =
            self.goals.iter().zip(&values).map(|(goal, values)| (goal.limit, values.as_slice())).collect();
        looks.judge(&goals)
    }

    /// About how many seeds would decide an open point, if its means and variances stay as they are; `None` where it is
    /// decided, where a value is missing, and where 1,000 are too few.
    pub fn seeds_to_decide(&self, results: &Results, point: u32, policy: u32) -> Option<u32> {
        if self.judge(results, point, policy) != Feasibility::Open || !self.draws_differ(results, point, policy) {
            return None;
        }
        let outcomes = self.outcomes_of_point(results, point, policy);
        let values = self.goals.iter().map(|goal| sample(&outcomes, goal.metric).complete());
        let values: Vec<Vec<f64>> = values.collect::<Option<_>>()?;
        let goals: Vec<_> =
            self.goals.iter().zip(&values).map(|(goal, values)| (goal.limit, values.as_slice())).collect();
        seeds_to_decide(&goals, self.confidence_each())
    }

    /// The mean of a metric at a point, with its interval; `None` where no seed has a value yet.
    pub fn estimate(&self, results: &Results, point: u32, policy: u32, metric: &MetricInfo) -> Option<Estimate> {
        let sample = sample(&self.outcomes(results, point, policy, 0..self.seeds.most()), metric);
        let known = sample.known();
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        let missing = sample.values.len() - known.len();
        let has_interval = missing == 0 && self.draws_differ(results, point, policy);
        let interval = has_interval.then(|| interval(&known, metric)).flatten();
        let interval = interval.map(|interval| (interval.low, interval.high));
        (!known.is_empty()).then_some(Estimate { n: known.len(), missing, mean, interval })
    }

    /// How a metric differs from that of the first policy at the same point; `None` with too few seeds, and
    /// for what is over completed jobs where the two completed others ([`Self::seeds_with_other_jobs`]).
    pub fn difference(&self, results: &Results, point: u32, policy: u32, metric: &MetricInfo) -> Option<Difference> {
        let of = |policy: u32| self.outcomes(results, point, policy, 0..self.seeds.most());
        difference(&of(policy), &of(0), metric)
    }

    /// For each policy, its lines along an axis, by their points. An axis that does not concern it adds none.
    pub(crate) fn lines(&self, axis: usize) -> Vec<(u32, Vec<usize>)> {
        let mut lines = Vec::new();
        for policy in 0..self.policies.len() as u32 {
            for point in 0..self.grid.points() {
                let first = Unit { point: point as u32, policy, seed: 0 };
                // A line is known by its first point.
                if self.grid.places(point).get(axis) == Some(&0) && self.canonical(first) == first {
                    lines.push((policy, self.grid.line(point, axis)));
                }
            }
        }
        lines
    }

    /// The answers that the outcomes give; none without a question.
    pub fn answers(&self, results: &Results) -> Vec<PolicyAnswer> {
        let Some(axis) = self.find else { return Vec::new() };
        self.lines(axis).into_iter().map(|(policy, line)| self.answer(results, policy as usize, line)).collect()
    }

    fn answer(&self, results: &Results, policy: usize, line: Vec<usize>) -> PolicyAnswer {
        let mut known: Vec<Feasibility> =
            line.iter().map(|&point| self.judge(results, point as u32, policy as u32)).collect();
        let mut answer = self.read(&known);
        let (mut confirmation, mut unconfirmed) = (Confirmation::None, Vec::new());
        while let Some(place) = answer.smallest {
            let point = line.get(place).copied().unwrap_or_default() as u32;
            confirmation = self.confirm(results, point, policy as u32);
            match confirmation {
                // Fresh seeds do not say so: it is open, and the next size is asked, a larger one or, of a largest value, a
                // smaller one.
                Confirmation::None if self.draws_differ(results, point, policy as u32) => {
                    if let Some(known) = known.get_mut(place) {
                        *known = Feasibility::Open;
                    }
                    let seeds = self.outcomes_of_point(results, point, policy as u32).len();
                    unconfirmed.push(Unconfirmed { point: point as usize, seeds });
                    answer = self.read(&known);
                }
                _ => break,
            }
        }
        PolicyAnswer { policy, line, known, answer, confirmation, unconfirmed }
    }

    /// The answer of a line, in the direction of the question.
    fn read(&self, known: &[Feasibility]) -> Answer {
        if !self.is_largest {
            return answer(known);
        }
        let turned = |place: usize| known.len().saturating_sub(place + 1);
        let Answer { smallest, largest_missed, mut isolated, mut open } =
            answer(&known.iter().rev().copied().collect::<Vec<_>>());
        for places in [&mut isolated, &mut open] {
            places.iter_mut().for_each(|place| *place = turned(*place));
            places.reverse();
        }
        Answer { smallest: smallest.map(turned), largest_missed: largest_missed.map(turned), isolated, open }
    }

    /// Whether seeds that no point has had say that this one meets the goals: as many as it took to say so.
    fn confirm(&self, results: &Results, point: u32, policy: u32) -> Confirmation {
        if !self.draws_differ(results, point, policy) {
            return Confirmation::None;
        }
        let most = self.seeds.most();
        let used = self.outcomes(results, point, policy, 0..most).len();
        let seeds = most..most + used;
        if self.outcomes(results, point, policy, seeds.clone()).len() < used {
            return Confirmation::Wanted { point, seeds };
        }
        match self.judge_seeds(results, point, policy, seeds, &Looks::once(used, self.confidence_each())) {
            Feasibility::Met => Confirmation::Confirmed { seeds: used },
            _ => Confirmation::None,
        }
    }

    /// Whether other seeds give other runs: a recorded trace without faults has one draw.
    pub fn draws_differ(&self, results: &Results, point: u32, policy: u32) -> bool {
        let outcomes = self.outcomes(results, point, policy, 0..SEEDS_EARLY);
        let is_same = |pair: &[&Outcome]| match pair {
            [Outcome::Ended { digest, .. }, Outcome::Ended { digest: other, .. }] => digest == other,
            [Outcome::Failed { message }, Outcome::Failed { message: other }] => message == other,
            _ => false,
        };
        outcomes.len() < 2 || !outcomes.windows(2).all(is_same)
    }

    /// The outcomes of a policy at a point, in the order of seeds, up to the first that is not there yet; without the fresh
    /// ones that confirm an answer.
    pub fn outcomes_of_point<'r>(&self, results: &'r Results, point: u32, policy: u32) -> Vec<&'r Outcome> {
        self.outcomes(results, point, policy, 0..self.seeds.most())
    }

    /// The outcomes of a policy at a point, from a place among the seeds on, up to the first that is not there yet. They
    /// are kept at the point where the axes that do not concern the policy have their first values.
    pub(crate) fn outcomes<'r>(
        &self,
        results: &'r Results,
        point: u32,
        policy: u32,
        seeds: Range<usize>,
    ) -> Vec<&'r Outcome> {
        let own = self.canonical(Unit { point, policy, seed: 0 });
        results.of_point(own.point, policy, seeds)
    }
}

/// The metric whose interval decides how many seeds are enough, and whether it is a share.
pub(crate) fn estimated(study: &Study) -> Option<(&'static MetricInfo, bool)> {
    let own = study.goals.first().map(|goal| goal.metric);
    own.or_else(|| Metrics::info("avg_jct_s")).map(|metric| (metric, metric.unit == MetricUnit::Ratio))
}

/// Whether differences of a metric are ratios: of times and costs.
pub(crate) fn is_ratio(metric: &MetricInfo) -> bool {
    matches!(metric.unit, MetricUnit::Seconds | MetricUnit::Dollars | MetricUnit::GpuHours)
}

/// How a metric differs, seed by seed, over the seeds that both have. `None` where one of them has no value, with too few,
/// and for what is over completed jobs where they completed others.
pub(crate) fn difference(ours: &[&Outcome], theirs: &[&Outcome], metric: &MetricInfo) -> Option<Difference> {
    let n = ours.len().min(theirs.len());
    let (ours, theirs) = (ours.get(..n)?, theirs.get(..n)?);
    if !are_comparable(ours, theirs, metric) {
        return None;
    }
    let (ours, theirs) = (sample(ours, metric).complete()?, sample(theirs, metric).complete()?);
    match is_ratio(metric) {
        true => Interval::of_ratio(&ours, &theirs, CONFIDENCE).map(Difference::Ratio),
        false => Interval::of_difference(&ours, &theirs, CONFIDENCE).map(Difference::Absolute),
    }
}

/// The interval of a mean: of percentiles and maxima by resampling, since a few seeds have most of what is rare.
fn interval(values: &[f64], metric: &MetricInfo) -> Option<Interval> {
    let is_constant = Moments::of(values).is_some_and(|moments| moments.variance == 0.0);
    let is_skewed = ["p95_", "p99_", "max_"].iter().any(|start| metric.key.starts_with(start));
    match is_skewed && !is_constant {
        true => bootstrap::of_mean(values, CONFIDENCE, 0),
        false => Interval::of_mean(values, CONFIDENCE),
    }
}
