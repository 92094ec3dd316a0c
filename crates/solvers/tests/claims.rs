//! The quick shares against the greedy choice as it is defined, a linear program, and all subsets.

#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.

use elastiplan_solvers::{Claim, meet};
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};
use proptest::prelude::*;

/// Times from which so much is supplied a second.
type Steps = Vec<(f64, f64)>;

fn supplied(steps: &Steps, time: f64) -> f64 {
    let ends = steps.iter().skip(1).map(|(from, _)| *from).chain([f64::INFINITY]);
    steps.iter().zip(ends).map(|((from, rate), end)| rate * (time.min(end) - from).max(0.0)).sum()
}

/// What can still be given to a claim: the least that is left in a window around it.
fn left(claims: &[Claim], given: &[f64], steps: &Steps, claim: &Claim) -> f64 {
    let mut left = f64::INFINITY;
    for from in claims.iter().map(|claim| claim.from).filter(|from| *from <= claim.from) {
        for until in claims.iter().map(|claim| claim.until).filter(|until| *until >= claim.until) {
            let within = claims.iter().zip(given).filter(|(other, _)| other.from >= from && other.until <= until);
            let asked: f64 = within.map(|(_, given)| given).sum();
            left = left.min(supplied(steps, until) - supplied(steps, from) - asked);
        }
    }
    left.max(0.0)
}

/// The smallest claim first, each as much as is still possible.
fn greedy(claims: &[Claim], steps: &Steps) -> f64 {
    let mut order: Vec<usize> = (0..claims.len()).filter(|&at| claims[at].until > claims[at].from).collect();
    #[allow(clippy::disallowed_methods)]
    order.sort_by(|a, b| claims[*a].amount.total_cmp(&claims[*b].amount));
    let mut given = vec![0.0; claims.len()];
    for at in order {
        given[at] = claims[at].amount.min(left(claims, &given, steps, &claims[at]));
    }
    claims.iter().zip(given).map(|(claim, given)| given / claim.amount).sum()
}

/// A flow from claims to the stretches of time between any two of their ends.
fn linear_program(claims: &[Claim], steps: &Steps) -> f64 {
    let mut ends: Vec<f64> = claims.iter().flat_map(|claim| [claim.from, claim.until]).collect();
    #[allow(clippy::disallowed_methods)]
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let mut by_claim: Vec<Vec<_>> = vec![Vec::new(); claims.len()];
    for stretch in ends.windows(2) {
        let mut in_stretch = Vec::new();
        for (claim, mine) in claims.iter().zip(&mut by_claim) {
            if claim.from <= stretch[0] && stretch[1] <= claim.until {
                let variable = problem.add_var(1.0 / claim.amount, (0.0, f64::INFINITY));
                in_stretch.push((variable, 1.0));
                mine.push((variable, 1.0));
            }
        }
        let capacity = supplied(steps, stretch[1]) - supplied(steps, stretch[0]);
        problem.add_constraint(&in_stretch, ComparisonOp::Le, capacity);
    }
    for (claim, mine) in claims.iter().zip(&by_claim) {
        problem.add_constraint(mine, ComparisonOp::Le, claim.amount);
    }
    let SolveOutcome::Solution(solution) = problem.solve().unwrap() else { panic!("interrupted") };
    solution.objective()
}

/// The most claims that can be met in full.
fn most_met(claims: &[Claim], steps: &Steps) -> u32 {
    let fits = |subset: u32| {
        let chosen: Vec<Claim> = (0..claims.len()).filter(|at| subset >> at & 1 == 1).map(|at| claims[at]).collect();
        let amounts: Vec<f64> = chosen.iter().map(|claim| claim.amount).collect();
        chosen.iter().enumerate().all(|(at, claim)| {
            let mut others = amounts.clone();
            others[at] = 0.0;
            claim.until > claim.from && claim.amount <= left(&chosen, &others, steps, claim) + 1e-9
        })
    };
    (0..1 << claims.len()).filter(|subset| fits(*subset)).map(u32::count_ones).max().unwrap_or(0)
}

fn claims(most: usize) -> impl Strategy<Value = Vec<Claim>> {
    let time = || prop_oneof![(0..20u32).prop_map(f64::from), 0.0..20.0f64];
    let amount = prop_oneof![(1..30u32).prop_map(f64::from), 0.1..30.0f64];
    let claim =
        (time(), time(), amount).prop_map(|(from, length, amount)| Claim { from, until: from + length, amount });
    prop::collection::vec(claim, 0..most)
}

fn steps() -> impl Strategy<Value = Steps> {
    prop::collection::vec((1..9u32, 0..4u32), 1..5).prop_map(|steps| {
        let mut time = 0.0;
        let step = |(length, rate): (u32, u32)| {
            time += f64::from(length);
            (time - f64::from(length), f64::from(rate))
        };
        steps.into_iter().map(step).collect()
    })
}

fn sum(claims: &[Claim], steps: &Steps) -> f64 {
    let shares = meet(claims, |time| supplied(steps, time));
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
    shares.iter().sum()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn is_the_greedy_choice(claims in claims(13), steps in steps()) {
        let (found, expected) = (sum(&claims, &steps), greedy(&claims, &steps));
        prop_assert!((found - expected).abs() <= 1e-8, "{found} for {expected}");
    }

    /// What the shares ask for can be had: no window is asked for more than is supplied in it.
    #[test]
    fn the_shares_fit(claims in claims(13), steps in steps()) {
        let shares = meet(&claims, |time| supplied(&steps, time));
        for from in claims.iter().map(|claim| claim.from) {
            for until in claims.iter().map(|claim| claim.until).filter(|until| *until > from) {
                let within = claims.iter().zip(&shares).filter(|(other, _)| other.from >= from && other.until <= until);
                let asked: f64 = within.map(|(claim, share)| claim.amount * share).sum();
                prop_assert!(asked <= supplied(&steps, until) - supplied(&steps, from) + 1e-8);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) })]

    #[test]
    fn is_the_optimum_and_no_more_can_be_met(claims in claims(9), steps in steps()) {
        let found = sum(&claims, &steps);
        prop_assert!(f64::from(most_met(&claims, &steps)) <= found + 1e-8);
        let expected = linear_program(&claims, &steps);
        prop_assert!((found - expected).abs() <= 1e-6, "{found} for {expected}");
    }
}

#[test]
fn claims_that_can_never_be_met_get_nothing() {
    let claim = |until, amount| Claim { from: 1.0, until, amount };
    let claims = [claim(1.0, 1.0), claim(0.0, 1.0), claim(2.0, 1.0), claim(2.0, f64::NAN), claim(2.0, f64::INFINITY)];
    assert_eq!(meet(&claims, |time| time), [0.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(meet(&[], |time| time), [0.0_f64; 0]);
}

/// Twenty thousand claims, five times as much as there is: fast, also without optimisation.
#[test]
fn many_claims() {
    let number =
        |at: u32, salt: u32| f64::from((at.wrapping_mul(2_654_435_761).wrapping_add(salt)) >> 8) / 16_777_216.0;
    let claims: Vec<Claim> = (0..20_000_u32)
        .map(|at| {
            let from = number(at, 1) * 1e6;
            Claim { from, until: from + 10.0 + number(at ^ 77, 5) * 3e4, amount: 1.0 + number(at ^ 1234, 9) * 500.0 }
        })
        .collect();
    let started = std::time::Instant::now();
    let met: f64 = meet(&claims, |time| time).iter().sum();
    println!("{met} of 20,000 in {:?}", started.elapsed());
    assert!((2000.0..20_000.0).contains(&met));
}
