//! Buying work at changing prices against a linear program, and against all choices of whole periods.

#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.

use elastiplan_solvers::purchase::{Period, Purchase, cheapest};
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};
use proptest::prelude::*;

/// Time in each period on each number of units, of any value in the objective; the other quantity is limited.
fn by_program(
    periods: &[Period],
    speeds: &[f64],
    direction: OptimizationDirection,
    objective: impl Fn(&Period, usize) -> f64,
    limit: (impl Fn(&Period, usize) -> f64, ComparisonOp, f64),
) -> Option<f64> {
    let mut problem = Problem::new(direction);
    let mut limited = Vec::new();
    for period in periods {
        let times: Vec<_> =
            (0..speeds.len()).map(|units| problem.add_var(objective(period, units), (0.0, f64::INFINITY))).collect();
        let whole: Vec<_> = times.iter().map(|time| (*time, 1.0)).collect();
        problem.add_constraint(&whole, ComparisonOp::Le, period.length);
        limited.extend(times.iter().enumerate().map(|(units, time)| (*time, limit.0(period, units))));
    }
    problem.add_constraint(&limited, limit.1, limit.2);
    match problem.solve().ok()? {
        SolveOutcome::Solution(solution) => Some(solution.objective()),
        SolveOutcome::Interrupted(_) => panic!("interrupted"),
    }
}

fn least_cost_by_program(periods: &[Period], speeds: &[f64], work: f64) -> Option<f64> {
    let cost = |period: &Period, units: usize| units as f64 * period.price;
    let done = |_: &Period, units: usize| speeds[units];
    by_program(periods, speeds, OptimizationDirection::Minimize, cost, (done, ComparisonOp::Ge, work))
}

fn most_work_by_program(periods: &[Period], speeds: &[f64], budget: f64) -> Option<f64> {
    let cost = |period: &Period, units: usize| units as f64 * period.price;
    let done = |_: &Period, units: usize| speeds[units];
    by_program(periods, speeds, OptimizationDirection::Maximize, done, (cost, ComparisonOp::Le, budget))
}

/// Cost and work of every choice of one number of units for each period.
fn whole_choices(periods: &[Period], speeds: &[f64]) -> Vec<(f64, f64)> {
    let mut choices = vec![(0.0, 0.0)];
    for period in periods {
        let more = |(cost, work): &(f64, f64)| {
            let (cost, work) = (*cost, *work);
            let with = move |(units, speed): (usize, &f64)| {
                (cost + units as f64 * period.price * period.length, work + speed * period.length)
            };
            speeds.iter().enumerate().map(with).collect::<Vec<_>>()
        };
        choices = choices.iter().flat_map(more).collect();
    }
    choices
}

/// What is said to be bought costs and does what is said, in no more time than there is, with one period divided.
fn assert_adds_up(purchase: &Purchase, periods: &[Period], speeds: &[f64]) {
    let (mut cost, mut work, mut divided) = (0.0, 0.0, 0);
    for (bought, period) in purchase.periods.iter().zip(periods) {
        let rest = period.length - bought.length_of_more;
        assert!(rest >= 0.0 && bought.length_of_more >= 0.0, "{bought:?} in {period:?}");
        let parts = [(bought.more, bought.length_of_more), (bought.fewer, rest)];
        cost += parts.iter().map(|(units, length)| f64::from(*units) * length * period.price).sum::<f64>();
        work += parts.iter().map(|(units, length)| speeds[*units as usize] * length).sum::<f64>();
        divided += usize::from(bought.more != bought.fewer);
    }
    assert!(divided <= 1, "{purchase:?}");
    assert!(near(cost, purchase.cost) && near(work, purchase.work), "{purchase:?}: {cost}, {work}");
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}

fn near_program(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * (1.0 + a.abs().max(b.abs()))
}

/// Up to five periods, some free, some of no length; speeds of any shape up to 5 units.
fn market() -> impl Strategy<Value = (Vec<Period>, Vec<f64>)> {
    let length = prop_oneof![1 => Just(0.0), 6 => 0.1..4.0f64, 2 => Just(1.0)];
    let price = prop_oneof![1 => Just(0.0), 5 => 0.1..5.0f64, 2 => Just(1.0)];
    let period = (length, price).prop_map(|(length, price)| Period { length, price });
    let speed = prop_oneof![1 => Just(0.0), 5 => 0.0..9.0f64, 2 => (1..5u32).prop_map(f64::from)];
    let speeds = prop::collection::vec(speed, 0..5).prop_map(|speeds| [vec![0.0], speeds].concat());
    (prop::collection::vec(period, 0..6), speeds)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn nothing_is_cheaper((periods, speeds) in market(), share in 0.0..1.2f64) {
        let choices = whole_choices(&periods, &speeds);
        let most = choices.iter().map(|(_, work)| *work).fold(0.0, f64::max);
        let work = share * most;
        let bought = cheapest(&periods, &speeds, work);
        prop_assert_eq!(bought.is_some(), work <= most * (1.0 + 1e-12));
        let Some(bought) = bought else { return Ok(()) };
        assert_adds_up(&bought, &periods, &speeds);
        prop_assert!(bought.work >= work * (1.0 - 1e-9));
        let whole = choices.iter().filter(|(_, done)| *done >= work).map(|(cost, _)| *cost).fold(f64::INFINITY, f64::min);
        prop_assert!(bought.cost <= whole + 1e-9, "{bought:?}, but {whole} for whole periods");
        if share < 0.999 && most > 0.0 {
            let least = least_cost_by_program(&periods, &speeds, work).unwrap();
            prop_assert!(near_program(bought.cost, least), "{bought:?}, but {least}");
        }
    }

    /// By the program, the least cost buys no more than the work that was asked for.
    #[test]
    fn the_least_cost_buys_the_work((mut periods, speeds) in market(), share in 0.0..1.0f64) {
        // Where something is free, more than the work may come for the same money.
        periods.retain(|period| period.price > 0.0);
        let most = whole_choices(&periods, &speeds).iter().map(|(_, work)| *work).fold(0.0, f64::max);
        let bought = cheapest(&periods, &speeds, share * most).unwrap();
        if !periods.is_empty() {
            let work = most_work_by_program(&periods, &speeds, bought.cost).unwrap();
            prop_assert!(near_program(share * most, work), "{bought:?}, but {work}");
        }
    }

    /// Numbers that are none count for nothing, wherever they stand.
    #[test]
    fn what_is_no_number_counts_for_nothing(
        mut periods in prop::collection::vec((any::<f64>(), any::<f64>()), 0..5),
        speeds in prop::collection::vec(any::<f64>(), 0..5), work in any::<f64>(),
    ) {
        periods.push((f64::NAN, f64::INFINITY));
        let periods: Vec<Period> = periods.into_iter().map(|(length, price)| Period { length, price }).collect();
        if let Some(bought) = cheapest(&periods, &speeds, work) {
            prop_assert_eq!(bought.periods.len(), periods.len());
            prop_assert_eq!(bought.periods.last().map(|bought| bought.more), Some(0));
        }
    }
}

const HOURS: [Period; 3] =
    [Period { length: 1.0, price: 2.0 }, Period { length: 1.0, price: 0.0 }, Period { length: 1.0, price: 1.0 }];

#[test]
fn what_is_free_is_bought_first() {
    let bought = cheapest(&HOURS, &[0.0, 1.0, 1.5], 1.25).unwrap();
    assert_eq!((bought.cost, bought.periods[1].more, bought.periods[1].length_of_more), (0.0, 2, 0.5));
}

#[test]
fn no_work_costs_nothing_and_too_much_cannot_be_done() {
    assert_eq!(cheapest(&HOURS, &[0.0, 1.0], 0.0).unwrap().cost, 0.0);
    assert_eq!(cheapest(&HOURS, &[0.0, 1.0], 3.0).unwrap().cost, 3.0);
    assert_eq!(cheapest(&HOURS, &[0.0, 1.0], 3.001), None);
    assert_eq!(cheapest(&[], &[0.0, 1.0], 1.0), None);
    assert_eq!(cheapest(&HOURS, &[0.0, 1.0], f64::INFINITY), None);
}

/// Two units of three are a waste: an hour on three and an hour on none do more for the same money.
#[test]
fn speeds_that_sag_are_bought_in_turns() {
    let bought = cheapest(&[Period { length: 2.0, price: 1.0 }], &[0.0, 0.1, 0.2, 3.0], 3.0).unwrap();
    assert_eq!((bought.cost, bought.periods[0].more, bought.periods[0].fewer), (3.0, 3, 0));
}
