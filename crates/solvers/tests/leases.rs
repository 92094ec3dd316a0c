//! Plans of leases against all assignments one by one, and against the mixed-integer program.

#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.

use elastiplan_solvers::leases::{Goal, Plan, Tenant, plan};
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};
use proptest::prelude::*;

/// The best use of the first lease over all assignments, one tenant after the other.
fn best_naive(tenants: &[Tenant], free: &mut Vec<u32>, goal: Goal) -> Option<u32> {
    let Some((tenant, rest)) = tenants.split_first() else { return Some(0) };
    let mut best: Option<u32> = None;
    for leases in 0_u32..1 << free.len() {
        let holds: Vec<usize> = (0..free.len()).filter(|at| leases >> at & 1 == 1).collect();
        let in_time = holds.iter().all(|at| (*at as u64) < tenant.until && free[*at] >= tenant.width);
        if holds.len() != tenant.needed as usize || !in_time {
            continue;
        }
        holds.iter().for_each(|at| free[*at] -= tenant.width);
        let found = best_naive(rest, free, goal).map(|units| units + tenant.width * (leases & 1));
        holds.iter().for_each(|at| free[*at] += tenant.width);
        best = match (best, found) {
            (Some(a), Some(b)) => Some(if goal == Goal::Most { a.max(b) } else { a.min(b) }),
            (a, b) => a.or(b),
        };
    }
    best
}

/// The program with one binary for each tenant and lease.
fn best_by_program(tenants: &[Tenant], capacity: u32, goal: Goal) -> Option<u32> {
    let direction = match goal {
        Goal::Most => OptimizationDirection::Maximize,
        Goal::Least => OptimizationDirection::Minimize,
    };
    let mut problem = Problem::new(direction);
    let leases = tenants.iter().map(|tenant| tenant.until).max().unwrap_or(0);
    let mut used: Vec<Vec<_>> = vec![Vec::new(); leases as usize];
    for tenant in tenants {
        let mut held = Vec::new();
        for (lease, used) in used.iter_mut().enumerate().take(tenant.until as usize) {
            let value = if lease == 0 { f64::from(tenant.width) } else { 0.0 };
            let variable = problem.add_binary_var(value);
            held.push((variable, 1.0));
            used.push((variable, f64::from(tenant.width)));
        }
        if held.is_empty() && tenant.needed > 0 {
            return None;
        }
        problem.add_constraint(&held, ComparisonOp::Eq, f64::from(tenant.needed));
    }
    for used in &used {
        problem.add_constraint(used, ComparisonOp::Le, f64::from(capacity));
    }
    match problem.solve().ok()? {
        SolveOutcome::Solution(solution) => Some(solution.objective().round() as u32),
        SolveOutcome::Interrupted(_) => panic!("interrupted"),
    }
}

fn tenant(widths: &'static [u32], until: u64) -> impl Strategy<Value = Tenant> {
    (prop::sample::select(widths), 0..=until as u32, 0..=until).prop_map(|(width, needed, until)| Tenant {
        width,
        needed: needed.min(until as u32 + 1),
        until,
    })
}

fn assert_keeps_promises(plan: &Plan, tenants: &[Tenant], now: u64, capacity: u32) {
    let until = tenants.iter().map(|tenant| tenant.until).max().unwrap_or(0);
    for lease in now..until {
        let holders = tenants.iter().zip(&plan.bookings).filter(|(_, bookings)| bookings.has(lease));
        assert!(holders.map(|(tenant, _)| tenant.width).sum::<u32>() <= capacity);
    }
    for ((tenant, bookings), holds) in tenants.iter().zip(&plan.bookings).zip(&plan.now) {
        let in_time = (now..tenant.until).filter(|lease| bookings.has(*lease)).count() as u64;
        assert_eq!((in_time, bookings.count()), (u64::from(tenant.needed), u64::from(tenant.needed)));
        assert_eq!(*holds, bookings.has(now));
    }
}

const WORK: u32 = 1_000_000;

fn check(tenants: &[Tenant], capacity: u32, expected: impl Fn(Goal) -> Option<u32>) {
    for goal in [Goal::Most, Goal::Least] {
        let found = plan(tenants, 0, capacity, goal, &[], WORK);
        let expected = expected(goal);
        assert_eq!(found.as_ref().map(|plan| plan.units), expected, "{goal:?}");
        let Some(found) = found else { continue };
        assert_eq!(found.bound, found.units);
        assert_keeps_promises(&found, tenants, 0, capacity);
        // With little work the plan may be worse, but its bound holds; and what is known is never lost.
        for work in [0, 5] {
            let quick = plan(tenants, 0, capacity, goal, &found.bookings, work).unwrap();
            assert_keeps_promises(&quick, tenants, 0, capacity);
            let (units, best, bound) = (quick.units, found.units, quick.bound);
            assert!(if goal == Goal::Most { units <= best && best <= bound } else { bound <= best && best <= units });
        }
        // Other numbers for the same leases.
        let later: Vec<Tenant> = tenants.iter().map(|tenant| Tenant { until: tenant.until + 70, ..*tenant }).collect();
        assert_eq!(plan(&later, 70, capacity, goal, &[], WORK).unwrap().now, found.now);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn is_the_best_of_all_assignments(
        tenants in prop::collection::vec(tenant(&[1, 2, 3, 4], 4), 0..5), capacity in 1..7u32,
    ) {
        let leases = tenants.iter().map(|tenant| tenant.until).max().unwrap_or(0) as usize;
        check(&tenants, capacity, |goal| best_naive(&tenants, &mut vec![capacity; leases], goal));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn is_the_optimum_of_the_program(
        tenants in prop::collection::vec(tenant(&[1, 1, 2, 4, 8], 6), 0..8), capacity in 4..17u32,
    ) {
        check(&tenants, capacity, |goal| best_by_program(&tenants, capacity, goal));
    }
}

#[test]
fn no_tenants() {
    assert_eq!(plan(&[], 3, 4, Goal::Most, &[], 9), Some(Plan::default()));
}

#[test]
fn booking_late_the_widest_first_may_fail_where_there_is_a_way() {
    // Three wide: 2 + 1 in each lease. The two that take 2 would both be booked in leases 1 and 2.
    let tenants = [(2, 1, 3), (2, 2, 3), (1, 3, 3)].map(|(width, needed, until)| Tenant { width, needed, until });
    check(&tenants, 3, |_| Some(3));
}
