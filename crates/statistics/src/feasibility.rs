//! Whether a size meets its goals, and the smallest size from which on all do.
//!
//! This is a comparison with a standard, not the selection of the best: a size is judged by itself, by one-sided bounds.
//! Sizes are not assumed to get better as they grow, for with many policies a node more can finish fewer jobs in time
//! (Graham's anomalies; docs/studies.md has one), so nothing is bisected.

use crate::interval::{VALUES_MIN, lower_bound, upper_bound};
use crate::{Moments, student};

/// What a metric's mean is asked to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// This or more.
    AtLeast(f64),
    /// This or less.
    AtMost(f64),
}

impl Limit {
    /// Whether one value keeps it.
    pub fn holds(self, value: f64) -> bool {
        match self {
            Self::AtLeast(limit) => value >= limit,
            Self::AtMost(limit) => value <= limit,
        }
    }

    /// Values and limit with their signs turned if need be, so that more is better.
    fn at_least(self, values: &[f64]) -> (Vec<f64>, f64) {
        match self {
            Self::AtLeast(limit) => (values.to_vec(), limit),
            Self::AtMost(limit) => (values.iter().map(|value| -value).collect(), -limit),
        }
    }
}

/// What the values of a size tell about its goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feasibility {
    /// All goals are met, with the confidence asked for.
    Met,
    /// At least one goal is missed, with the confidence asked for.
    Missed,
    /// More seeds may tell.
    Open,
}

/// Judges goals that all have to be met, each with the values of its metric, one of each seed.
///
/// Each goal is shown to be met at the full confidence, and then so are all (an intersection-union test). Any of several
/// goals could seem missed by chance, so that each has to be missed with a share of the error (Bonferroni).
///
/// ```
/// use elastiplan_statistics::feasibility::{Feasibility, Limit, judge};
///
/// let deadline_satisfactory_ratio = [0.93, 0.95, 0.91, 0.94, 0.96, 0.93];
/// let judge = |at_least| judge(&[(Limit::AtLeast(at_least), &deadline_satisfactory_ratio[..])], 0.95);
/// assert_eq!([judge(0.9), judge(0.93), judge(0.96)], [Feasibility::Met, Feasibility::Open, Feasibility::Missed]);
/// ```
pub fn judge(goals: &[(Limit, &[f64])], confidence: f64) -> Feasibility {
    let confidence_missed = 1.0 - (1.0 - confidence) / goals.len().max(1) as f64;
    let mut is_met = true;
    for &(limit, values) in goals {
        let (values, limit) = limit.at_least(values);
        if upper_bound(&values, confidence_missed).is_some_and(|bound| bound < limit) {
            return Feasibility::Missed;
        }
        is_met &= lower_bound(&values, confidence).is_some_and(|bound| bound >= limit);
    }
    if is_met { Feasibility::Met } else { Feasibility::Open }
}

/// More seeds than these are not counted.
const SEEDS_MAX: u32 = 1000;

/// About how many seeds decide whether goals are met, if means and variances stay as they are: as many as bring each mean
/// that keeps its limit far enough into it, or one that does not far enough out of it. `None` with fewer than two values,
/// and where 1,000 are too few.
///
/// ```
/// use elastiplan_statistics::feasibility::{Limit, seeds_to_decide};
///
/// let values = [0.93, 0.87, 0.97, 0.85, 0.95];
/// let seeds = |at_least| seeds_to_decide(&[(Limit::AtLeast(at_least), &values[..])], 0.95);
/// assert_eq!([seeds(0.8), seeds(0.9), seeds(0.914)], [Some(5), Some(39), None]);
/// ```
pub fn seeds_to_decide(goals: &[(Limit, &[f64])], confidence: f64) -> Option<u32> {
    let confidence_missed = 1.0 - (1.0 - confidence) / goals.len().max(1) as f64;
    let (mut to_meet, mut to_miss): (Option<u32>, Option<u32>) = (Some(VALUES_MIN as u32), None);
    let mut is_missed = false;
    for &(limit, values) in goals {
        let (values, limit) = limit.at_least(values);
        let moments = Moments::of(&values)?;
        if moments.mean >= limit {
            let needed = seeds_within(moments, moments.mean - limit, confidence);
            to_meet = to_meet.zip(needed).map(|(one, other)| one.max(other));
        } else {
            is_missed = true;
            let needed = seeds_within(moments, limit - moments.mean, confidence_missed);
            to_miss = to_miss.into_iter().chain(needed).min();
        }
    }
    if is_missed { to_miss } else { to_meet }
}

/// The fewest seeds with which a one-sided bound is nearer to the mean than `distance`; the bound comes nearer with each.
fn seeds_within(moments: Moments, distance: f64, confidence: f64) -> Option<u32> {
    let is_within = |seeds: u32| {
        let bound = student::quantile(confidence, seeds - 1) * (moments.variance / f64::from(seeds)).sqrt();
        bound <= distance && (distance > 0.0 || moments.variance == 0.0)
    };
    let (mut low, mut high) = (VALUES_MIN as u32, SEEDS_MAX);
    if !is_within(high) {
        return None;
    }
    while low < high {
        let middle = low.midpoint(high);
        if is_within(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(low)
}

/// How large is large enough, by places in the list of sizes, the smallest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The smallest size from which on all meet the goals. `None` where the largest one does not.
    pub smallest: Option<usize>,
    /// The largest size that was shown to miss them.
    pub largest_missed: Option<usize>,
    /// Sizes that meet the goals though a larger one does not, or is open.
    pub isolated: Vec<usize>,
    /// Sizes that more seeds could decide.
    pub open: Vec<usize>,
}

/// Reads the answer from what is known of each size, the smallest first.
///
/// ```
/// use elastiplan_statistics::feasibility::{Feasibility::{Met, Missed, Open}, answer};
///
/// let answer = answer(&[Missed, Met, Missed, Open, Met, Met]);
/// assert_eq!((answer.smallest, answer.largest_missed), (Some(4), Some(2)));
/// assert_eq!((answer.isolated, answer.open), (vec![1], vec![3]));
/// ```
pub fn answer(sizes: &[Feasibility]) -> Answer {
    let places = |of: Feasibility| (0..sizes.len()).filter(move |&place| sizes.get(place) == Some(&of));
    let met_from = sizes.iter().rposition(|&size| size != Feasibility::Met).map_or(0, |place| place + 1);
    Answer {
        smallest: (met_from < sizes.len()).then_some(met_from),
        largest_missed: places(Feasibility::Missed).next_back(),
        isolated: places(Feasibility::Met).filter(|&place| place < met_from).collect(),
        open: places(Feasibility::Open).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sizes: &str, expected: (Option<usize>, Option<usize>, &[usize], &[usize])) {
        let of = |letter| match letter {
            '+' => Feasibility::Met,
            '-' => Feasibility::Missed,
            _ => Feasibility::Open,
        };
        let Answer { smallest, largest_missed, isolated, open } = answer(&sizes.chars().map(of).collect::<Vec<_>>());
        assert_eq!((smallest, largest_missed, &isolated[..], &open[..]), expected, "{sizes}");
    }

    #[test]
    fn all_larger_sizes_have_to_meet_the_goals() {
        check("--++++", (Some(2), Some(1), &[], &[]));
        check("-+-+++", (Some(3), Some(2), &[1], &[]));
        check("--?+++", (Some(3), Some(1), &[], &[2]));
        check("--+++-", (None, Some(5), &[2, 3, 4], &[]));
        check("++++", (Some(0), None, &[], &[]));
        check("----", (None, Some(3), &[], &[]));
        check("????", (None, None, &[], &[0, 1, 2, 3]));
        check("", (None, None, &[], &[]));
    }

    /// One seed after the other, as the bounds themselves tell.
    fn naive(goals: &[(Limit, &[f64])], confidence: f64) -> Option<u32> {
        let confidence_missed = 1.0 - (1.0 - confidence) / goals.len() as f64;
        (5..=SEEDS_MAX).find(|&seeds| {
            let reach = |moments: Moments, confidence: f64| {
                student::quantile(confidence, seeds - 1) * (moments.variance / f64::from(seeds)).sqrt()
            };
            let sides = goals.iter().map(|&(limit, values)| {
                let (values, limit) = limit.at_least(values);
                (Moments::of(&values).unwrap(), limit)
            });
            let sides: Vec<(Moments, f64)> = sides.collect();
            let is_met = sides.iter().all(|&(of, limit)| of.mean - reach(of, confidence) >= limit);
            is_met
                || sides.iter().any(|&(of, limit)| of.mean < limit && of.mean + reach(of, confidence_missed) <= limit)
        })
    }

    #[test]
    fn seeds_to_decide_are_those_of_one_look_after_the_other() {
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1_u32 << 31)
        };
        for _ in 0..200 {
            let mut sample = || (0..6).map(|_| 0.7 + 0.3 * random()).collect::<Vec<f64>>();
            let (met, declined) = (sample(), sample());
            let goals = [(Limit::AtLeast(0.7 + 0.3 * random()), &met[..]), (Limit::AtMost(0.95), &declined[..])];
            for goals in [&goals[..1], &goals[..]] {
                assert_eq!(seeds_to_decide(goals, 0.95), naive(goals, 0.95), "{goals:?}");
            }
        }
        assert_eq!(seeds_to_decide(&[(Limit::AtLeast(0.5), &[0.7])], 0.95), None);
        assert_eq!(seeds_to_decide(&[(Limit::AtLeast(0.7), &[0.7; 5])], 0.95), Some(5));
    }

    #[test]
    fn goals_are_judged_together() {
        let ratios = [0.93, 0.95, 0.91, 0.94, 0.96, 0.93];
        let dropped = [0.01, 0.02, 0.0, 0.01, 0.03, 0.02];
        let both = |most| judge(&[(Limit::AtLeast(0.9), &ratios), (Limit::AtMost(most), &dropped)], 0.95);
        assert_eq!([both(0.05), both(0.015), both(0.001)], [Feasibility::Met, Feasibility::Open, Feasibility::Missed]);
    }

    #[test]
    fn what_never_varies_is_decided_and_what_is_missing_is_open() {
        assert_eq!(judge(&[(Limit::AtLeast(1.0), &[1.0; 5])], 0.95), Feasibility::Met);
        assert_eq!(judge(&[(Limit::AtLeast(1.0), &[0.9; 5])], 0.95), Feasibility::Missed);
        assert_eq!(judge(&[(Limit::AtLeast(0.5), &[1.0; 4])], 0.95), Feasibility::Open);
    }
}
