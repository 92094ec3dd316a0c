//! The quick allocation against the recurrence as it is written down, against all divisions one by one, against a table
//! that nothing is left out of, and against an integer program.

#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.

mod plain;

use elastiplan_solvers::{Allocation, Bidder, TABLE_BIDDERS_MAX, TABLE_UNITS_MAX, allocate, allocation_table};
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn views(bidders: &[(u32, Vec<f64>)]) -> Vec<Bidder<'_>> {
    bidders.iter().map(|(minimum, values)| Bidder { minimum: *minimum, values }).collect()
}

/// `P(j, k) = max over g of P(j-1, k-g) + value_j(g)`, at most `k` units, term by term.
fn best_value_naive(bidders: &[(u32, Vec<f64>)], capacity: u32) -> Option<f64> {
    let Some(((minimum, values), before)) = bidders.split_last() else { return Some(0.0) };
    let takes = (*minimum..).zip(values).filter(|(units, _)| *units <= capacity);
    takes
        .filter_map(|(units, value)| best_value_naive(before, capacity - units).map(|best| best + value))
        .max_by(f64::total_cmp)
}

fn check(bidders: &[(u32, Vec<f64>)], capacity: u32) {
    let found = allocate(&views(bidders), capacity);
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
            #[allow(clippy::disallowed_methods)]
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

/// Values of many shapes. Multiples of `grain`, if it is not 0: those add up alike in any order, and coarse ones tie.
fn values(random: &mut ChaCha8Rng, counts: usize, grain: f64) -> Vec<f64> {
    let exponent = random.random_range(0.2..1.1);
    let (from, to, step) = (random.random_range(0.5..1.5), random.random_range(0.0..2.0), random.random_range(1..5));
    let shape = random.random_range(0..6);
    let value = |more: usize, random: &mut ChaCha8Rng| match shape {
        0 | 1 => libm::pow(1.0 + more as f64, exponent),
        2 => libm::pow(1.0 + more as f64, exponent) * random.random_range(0.8..1.2),
        3 => from + to * (more / step) as f64,
        4 => from + to * more as f64 / step as f64,
        _ => random.random_range(-1.0..4.0),
    };
    let values = (0..counts).map(|more| value(more, random));
    values.map(|value| if grain > 0.0 { (value / grain).round() * grain } else { value }).collect()
}

/// Bidders, a share of which are like the one before, and from none to more units than all of them can use.
fn auction(random: &mut ChaCha8Rng, most: usize, counts: usize) -> (Vec<(u32, Vec<f64>)>, u32) {
    let alike = [0.0, 0.3, 0.9][random.random_range(0..3)];
    let grain = [0.0, 0.5, 1.0 / 1024.0][random.random_range(0..3)];
    let mut bidders: Vec<(u32, Vec<f64>)> = Vec::new();
    for _ in 0..random.random_range(1..=most) {
        let before = bidders.last().filter(|_| random.random_bool(alike)).cloned();
        let counts = random.random_range(1..=counts);
        bidders.push(before.unwrap_or_else(|| (random.random_range(0..4), values(random, counts, grain))));
    }
    let minima: u32 = bidders.iter().map(|(minimum, _)| minimum).sum();
    let usable: u32 = bidders.iter().map(|(_, values)| values.len() as u32 - 1).sum();
    (bidders, minima + random.random_range(0..=usable + usable / 8))
}

/// Whether no unit is worth more than the one before, as far as values rise.
fn is_concave(values: &[f64]) -> bool {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let rising = &values[..=values.iter().position(|value| *value == most).unwrap()];
    rising.windows(3).all(|three| three[2] - three[1] <= three[1] - three[0])
}

/// All divisions, in the order in which ties are broken: as few units as possible for those whose values are not
/// concave, then as few as possible in all, then for the last of the former, and so on, and then for the last of the
/// others, and so on.
fn first_of_all(bidders: &[(u32, Vec<f64>)], capacity: u32) -> Allocation {
    let mut divisions: Vec<Vec<u32>> = vec![vec![]];
    for (minimum, values) in bidders {
        let longer = |units: u32| divisions.iter().map(move |division| [&division[..], &[units]].concat());
        divisions = (*minimum..).take(values.len()).flat_map(longer).collect();
    }
    divisions.retain(|division| division.iter().sum::<u32>() <= capacity);
    let value = |division: &[u32]| -> f64 {
        let each = division.iter().zip(bidders);
        each.map(|(units, (minimum, values))| values[(units - minimum) as usize]).sum()
    };
    let best = divisions.iter().map(|division| value(division)).fold(f64::NEG_INFINITY, f64::max);
    let order = |division: &Vec<u32>| {
        let each = || division.iter().zip(bidders).rev();
        let of = |concave: bool| each().filter(move |(_, (_, values))| is_concave(values) == concave);
        let units = |concave: bool| of(concave).map(|(units, _)| *units).collect::<Vec<u32>>();
        (units(false).iter().sum::<u32>(), division.iter().sum::<u32>(), units(false), units(true))
    };
    let first = divisions.iter().filter(|division| value(division) == best).min_by_key(|division| order(division));
    Allocation { units: first.unwrap().clone(), value: best }
}

#[test]
fn the_first_of_all_best_divisions() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for case in 0..10_000 {
        // Halves: sums are exact, and ties are many.
        let bidders: Vec<(u32, Vec<f64>)> = (0..random.random_range(1..=4))
            .map(|_| {
                let counts = random.random_range(1..=5);
                (random.random_range(0..3), values(&mut random, counts, 0.5))
            })
            .collect();
        let capacity = bidders.iter().map(|(minimum, _)| minimum).sum::<u32>() + random.random_range(0..=12);
        let found = allocate(&views(&bidders), capacity).unwrap();
        assert_eq!(found, first_of_all(&bidders, capacity), "case {case}: {bidders:?}, {capacity}");
    }
}

#[test]
fn to_the_bit_what_a_table_over_all_counts_finds() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for case in 0..10_000 {
        let (most, counts) = [(4, 5), (12, 16), (40, 12), (80, 17)][case % 4];
        let (bidders, capacity) = auction(&mut random, most, counts);
        let views = views(&bidders);
        let (found, expected) = (allocate(&views, capacity), plain::allocate(&views, capacity));
        assert_eq!(found, expected, "case {case}: {bidders:?}, {capacity}");
        assert_eq!(found.unwrap().value.to_bits(), expected.unwrap().value.to_bits());
    }
}

/// As many bidders as in the largest runs.
#[test]
fn the_same_in_large_auctions() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for case in 0..60 {
        let (bidders, capacity) = auction(&mut random, [400, 1500][case % 2], 16);
        let views = views(&bidders);
        assert_eq!(allocate(&views, capacity), plain::allocate(&views, capacity), "case {case}");
    }
}

/// The program with one binary for each bidder and number of units.
fn best_by_program(bidders: &[(u32, Vec<f64>)], capacity: u32) -> f64 {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let mut used = Vec::new();
    for (minimum, values) in bidders {
        let mut one = Vec::new();
        for (units, value) in (*minimum..).zip(values) {
            let variable = problem.add_binary_var(*value);
            one.push((variable, 1.0));
            used.push((variable, f64::from(units)));
        }
        problem.add_constraint(&one, ComparisonOp::Eq, 1.0);
    }
    problem.add_constraint(&used, ComparisonOp::Le, f64::from(capacity));
    match problem.solve().unwrap() {
        SolveOutcome::Solution(solution) => solution.objective(),
        SolveOutcome::Interrupted(_) => panic!("interrupted"),
    }
}

#[test]
fn as_good_as_the_integer_program() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for case in 0..200 {
        let (bidders, capacity) = auction(&mut random, 16, 10);
        let (found, expected) =
            (allocate(&views(&bidders), capacity).unwrap().value, best_by_program(&bidders, capacity));
        assert!((found - expected).abs() <= 1e-6 * expected.abs().max(1.0), "case {case}: {found} for {expected}");
    }
}

/// Where all are of one kind, ties are broken alike, and the units are the same as well.
#[test]
fn the_table_to_look_at_says_the_same() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let (mut infeasible, mut of_one_kind) = (0, 0);
    for case in 0..3000 {
        let bidders: Vec<(u32, Vec<f64>)> = (0..random.random_range(0..=TABLE_BIDDERS_MAX))
            .map(|_| {
                let counts = random.random_range(1..=8);
                (random.random_range(0..4), values(&mut random, counts, 1.0 / 1024.0))
            })
            .collect();
        let capacity = random.random_range(0..=TABLE_UNITS_MAX);
        let table = allocation_table(&views(&bidders), capacity).unwrap();
        let (found, expected) = (table.division(), allocate(&views(&bidders), capacity));
        assert_eq!(found.as_ref().map(|found| found.value), expected.as_ref().map(|best| best.value), "case {case}");
        let concave = bidders.iter().filter(|(_, values)| is_concave(values)).count();
        if concave == 0 || concave == bidders.len() {
            assert_eq!(found, expected, "case {case}: {bidders:?}, {capacity}");
            of_one_kind += 1;
        }
        // A cell is a division of its own.
        let (first, units) = (random.random_range(0..=bidders.len()), random.random_range(0..=capacity));
        let part = allocate(&views(&bidders[..first]), units).map(|best| best.value);
        assert_eq!(table.best[first][units as usize], part, "case {case}");
        infeasible += u32::from(found.is_none());
    }
    assert!(infeasible > 100 && of_one_kind > 200, "{infeasible} infeasible, {of_one_kind} of one kind");
}

#[test]
fn a_table_that_is_too_large_to_look_at() {
    let bidder = Bidder { minimum: 1, values: &[1.0] };
    assert!(allocation_table(&[bidder; TABLE_BIDDERS_MAX], TABLE_UNITS_MAX).is_some());
    assert!(allocation_table(&[bidder; TABLE_BIDDERS_MAX + 1], TABLE_UNITS_MAX).is_none());
    assert!(allocation_table(&[bidder], TABLE_UNITS_MAX + 1).is_none());
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
fn units_that_raise_no_value_are_left_over() {
    let bidders = [Bidder { minimum: 1, values: &[1.0, 1.5, 1.5] }, Bidder { minimum: 2, values: &[3.0, 2.0] }];
    assert_eq!(allocate(&bidders, 9).map(|best| best.units), Some(vec![2, 2]));
}

#[test]
fn no_bidders() {
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
