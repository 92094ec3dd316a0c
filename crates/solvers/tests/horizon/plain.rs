//! All plans of all jobs, one by one.

use elastiplan_solvers::horizon::StepOption;
use proptest::prelude::*;

use super::{Job, assert_close, assert_holds, fitting, plan, progress};

/// Every way in which a job can hold one of its numbers of units in every step, with the progress that it makes.
pub fn all_plans(job: &Job, steps: usize) -> Vec<(Vec<u32>, f64)> {
    let none = [StepOption { units: 0, work: 0.0 }];
    let options = if job.options.is_empty() { &none[..] } else { &job.options };
    let mut plans: Vec<Vec<u32>> = vec![vec![]];
    for _ in 0..steps {
        let longer = |plan: &Vec<u32>| {
            let plan = plan.clone();
            options.iter().map(move |option| [&plan[..], &[option.units]].concat())
        };
        plans = plans.iter().flat_map(longer).collect();
    }
    let with_progress = |plan: Vec<u32>| {
        let progress = progress(job, &plan);
        (plan, progress)
    };
    plans.into_iter().map(with_progress).collect()
}

/// The most progress of these jobs, each with all its plans, on the units that are left in each step.
fn best_of(plans: &[Vec<(Vec<u32>, f64)>], left: &[u32]) -> f64 {
    let Some((first, others)) = plans.split_first() else { return 0.0 };
    let mut best = f64::NEG_INFINITY;
    for (plan, progress) in first {
        let rest: Option<Vec<u32>> = left.iter().zip(plan).map(|(left, held)| left.checked_sub(*held)).collect();
        if let Some(rest) = rest {
            best = best.max(progress + best_of(others, &rest));
        }
    }
    best
}

fn best_naive(jobs: &[Job], units: u32, steps: usize) -> f64 {
    let fitting = &jobs[..fitting(jobs, units)];
    let plans: Vec<_> = fitting.iter().map(|job| all_plans(job, steps)).collect();
    best_of(&plans, &vec![units; steps])
}

/// Options that rise in units and work, from 0 units on or from more, concave or not; sometimes none.
fn options() -> impl Strategy<Value = Vec<StepOption>> {
    let rise = prop_oneof![Just(1.0), 0.01..3.0_f64, (1..5u8).prop_map(f64::from)];
    (0..4u32, prop::collection::vec((1..4u32, rise), 0..4)).prop_map(|(first, rises)| {
        let (mut units, mut work) = (first, 0.0);
        let option = |(more, rise): (u32, f64)| {
            let option = StepOption { units, work: work + if units == 0 { 0.0 } else { rise } };
            (units, work) = (units + more, option.work);
            option
        };
        rises.into_iter().map(option).collect()
    })
}

/// Done at once, within the horizon, at its very end, or never; in whole numbers, so that choices tie, or not.
fn work() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => 0.2..12.0_f64,
        3 => (1..10u8).prop_map(f64::from),
        1 => Just(1e-9),
        1 => Just(f64::MIN_POSITIVE),
        1 => Just(1e9),
    ]
}

fn jobs() -> impl Strategy<Value = Vec<Job>> {
    let job = || (work(), options()).prop_map(|(work, options)| Job { work, options });
    let alike = (job(), 2..4_usize).prop_map(|(job, count)| vec![job; count]);
    prop_oneof![3 => prop::collection::vec(job(), 0..4), 1 => alike]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(6000) })]

    #[test]
    fn no_choice_of_plans_is_better(jobs in jobs(), units in 0..9u32, steps in 1..4_usize) {
        let found = plan(&jobs, units, steps, u64::MAX);
        assert_holds(&found, &jobs, units, steps);
        prop_assert!(found.is_optimal(), "{:?}", found);
        assert_close(found.value, best_naive(&jobs, units, steps), 1e-9);
    }
}

/// The shapes that matter must be among the cases.
#[test]
fn cases_are_of_all_kinds() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut not_concave, mut without_options, mut waiting, mut nobody_fits, mut alike) = (0, 0, 0, 0, 0);
    for _ in 0..1000 {
        let (jobs, units) = (jobs(), 0..9u32).new_tree(&mut runner).unwrap().current();
        let slope = |pair: &[StepOption]| (pair[1].work - pair[0].work) / f64::from(pair[1].units - pair[0].units);
        let bends_up = |three: &[StepOption]| slope(&three[1..]) > slope(&three[..2]) + 1e-9;
        not_concave += u32::from(jobs.iter().any(|job| job.options.windows(3).any(bends_up)));
        without_options += u32::from(jobs.iter().any(|job| job.options.is_empty()));
        let fitting = fitting(&jobs, units);
        waiting += u32::from(fitting > 0 && fitting < jobs.len());
        nobody_fits += u32::from(fitting == 0 && !jobs.is_empty());
        alike += u32::from(jobs.windows(2).any(|pair| pair[0] == pair[1]));
    }
    let counts = [not_concave, without_options, waiting, nobody_fits, alike];
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}
