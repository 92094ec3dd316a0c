//! Shares of time against a plain search for the level, and a linear program that tells whether a level can be had.

#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.

use elastiplan_solvers::{Taker, fair_shares};
use microlp::{ComparisonOp, OptimizationDirection, Problem};
use proptest::prelude::*;

fn taker() -> impl Strategy<Value = Taker> {
    let time = || prop_oneof![(1..50u32).prop_map(f64::from), 0.01..5000.0f64];
    (prop_oneof![Just(0.0), time()], time(), time(), 1..9u32).prop_map(|(waited, needed, alone, units)| Taker {
        waited,
        needed,
        alone,
        units: f64::from(units),
    })
}

fn ratio(taker: &Taker, share: f64) -> f64 {
    (taker.waited + taker.needed / share) / taker.alone
}

/// Whether there are shares with which no ratio is above `level`.
fn can_be_had(takers: &[Taker], capacity: f64, level: f64) -> bool {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let shares: Vec<_> = takers.iter().map(|_| problem.add_var(0.0, (0.0, 1.0))).collect();
    for (taker, share) in takers.iter().zip(&shares) {
        let rest = level * taker.alone - taker.waited;
        problem.add_constraint([(*share, rest / taker.needed)], ComparisonOp::Ge, 1.0);
    }
    let units: Vec<_> = shares.iter().zip(takers).map(|(share, taker)| (*share, taker.units)).collect();
    problem.add_constraint(&units, ComparisonOp::Le, capacity);
    problem.solve().is_ok()
}

/// The level at which all that is asked for is what there is, by halving.
fn level_naive(takers: &[Taker], capacity: f64) -> f64 {
    let asked = |level: f64| -> f64 {
        let share = |taker: &Taker| match level * taker.alone - taker.waited {
            rest if rest > taker.needed => taker.needed / rest,
            _ => 1.0,
        };
        takers.iter().map(|taker| taker.units * share(taker)).sum()
    };
    let (mut low, mut high) = (0.0, 1.0);
    while asked(high) > capacity {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if asked(middle) > capacity { low = middle } else { high = middle }
    }
    high
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn is_the_level_at_which_all_is_used(takers in prop::collection::vec(taker(), 1..12), capacity in 1..20u32) {
        let capacity = f64::from(capacity);
        let shares = fair_shares(&takers, capacity);
        let used: f64 = shares.iter().zip(&takers).map(|(share, taker)| share * taker.units).sum();
        let all: f64 = takers.iter().map(|taker| taker.units).sum();
        prop_assert!((used - all.min(capacity)).abs() <= 1e-9 * used, "{used} of {capacity}");
        if all > capacity {
            let level = level_naive(&takers, capacity);
            for (share, taker) in shares.iter().zip(&takers) {
                let expected = (taker.needed / (level * taker.alone - taker.waited).max(taker.needed)).min(1.0);
                prop_assert!((share - expected).abs() <= 1e-7 * expected, "{share} for {expected}");
            }
        }
    }

    #[test]
    fn the_largest_ratio_cannot_be_smaller(takers in prop::collection::vec(taker(), 1..7), capacity in 1..12u32) {
        let capacity = f64::from(capacity);
        let shares = fair_shares(&takers, capacity);
        let largest = shares.iter().zip(&takers).map(|(share, taker)| ratio(taker, *share)).fold(0.0, f64::max);
        prop_assert!(can_be_had(&takers, capacity, largest * (1.0 + 1e-4)));
        prop_assert!(!can_be_had(&takers, capacity, largest * (1.0 - 1e-4)));
    }
}
