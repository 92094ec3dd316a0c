//! The quick allocation against the recurrence as it is written down.

use elastiplan_solvers::{Bidder, allocate};
use proptest::prelude::*;

/// `P(j, k) = max over g of P(j-1, k-g) + value_j(g)`, at most `k` units, term by term.
fn best_value_naive(bidders: &[(u32, Vec<f64>)], capacity: u32) -> Option<f64> {
    let Some(((minimum, values), before)) = bidders.split_last() else { return Some(0.0) };
    let takes = (*minimum..).zip(values).filter(|(units, _)| *units <= capacity);
    takes
        .filter_map(|(units, value)| best_value_naive(before, capacity - units).map(|best| best + value))
        .max_by(f64::total_cmp)
}

fn check(bidders: &[(u32, Vec<f64>)], capacity: u32) {
    let views: Vec<Bidder<'_>> = bidders.iter().map(|(minimum, values)| Bidder { minimum: *minimum, values }).collect();
    let found = allocate(&views, capacity);
    let expected = best_value_naive(bidders, capacity);
    assert_eq!(found.is_some(), expected.is_some());
    let (Some(found), Some(expected)) = (found, expected) else { return };
    assert!((found.value - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{} for {expected}", found.value);
    assert!(found.units.iter().sum::<u32>() <= capacity);
    let sum: f64 = found.units.iter().zip(bidders).map(|(units, (min, values))| values[(units - min) as usize]).sum();
    assert!((sum - found.value).abs() <= 1e-12 * sum.abs().max(1.0));
}

fn bidder(concave: bool) -> impl Strategy<Value = (u32, Vec<f64>)> {
    (0..3u32, 0.1..2.0f64, prop::collection::vec(-0.3..1.0f64, 0..6)).prop_map(move |(minimum, first, mut gains)| {
        if concave {
            gains.sort_by(|a, b| b.total_cmp(a));
        }
        let mut values = vec![first];
        for gain in gains {
            values.push(values[values.len() - 1] + gain);
        }
        (minimum, values)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn agrees_with_the_recurrence(
        concave in prop::collection::vec(bidder(true), 0..3),
        other in prop::collection::vec(bidder(false), 0..3),
        capacity in 0..16u32,
    ) {
        let bidders: Vec<_> = other.into_iter().chain(concave).collect();
        check(&bidders, capacity);
    }
}

#[test]
fn of_equal_bidders_the_first_gets_more() {
    let units = |values: [&[f64]; 3], capacity| {
        allocate(&values.map(|values| Bidder { minimum: 1, values }), capacity).map(|best| best.units)
    };
    let (concave, step): (&[f64], &[f64]) = (&[1.0, 1.5, 2.0], &[1.0, 1.0, 2.0]);
    assert_eq!(units([concave; 3], 4), Some(vec![2, 1, 1]));
    assert_eq!(units([concave; 3], 6), Some(vec![3, 2, 1]));
    assert_eq!(units([step; 3], 5), Some(vec![3, 1, 1]));
    assert_eq!(units([step, concave, concave], 5), Some(vec![1, 3, 1]));
}

#[test]
fn units_that_raise_nobodys_value_are_left_over() {
    let bidders = [Bidder { minimum: 1, values: &[1.0, 1.5, 1.5] }, Bidder { minimum: 2, values: &[3.0, 2.0] }];
    assert_eq!(allocate(&bidders, 9).map(|best| best.units), Some(vec![2, 2]));
}

#[test]
fn nobody_to_serve() {
    check(&[], 4);
}

#[test]
fn minima_that_do_not_fit_are_infeasible() {
    check(&[(3, vec![1.0]), (2, vec![1.0])], 4);
}

#[test]
fn a_step_that_only_pays_when_taken_whole() {
    check(&[(1, vec![1.0, 1.0, 1.0, 5.0]), (1, vec![1.0, 1.9, 2.5])], 5);
}
