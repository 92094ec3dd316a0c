//! Plans against an integer program that a solver which knows nothing of them solves to proof.
//!
//! For jobs that may be done within the horizon: how many of those that are alike follow each plan. What they have got
//! done by a step is then a number and needs no constraint. For all others: how many hold so many units in a step. All
//! of it is exact.

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome, Variable};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::plain::all_plans;
use super::sample::{self, SPREADS};
use super::{Job, assert_close, assert_holds, plan};

/// Plans than which none is better, or as good, with no more units in any step.
fn worthy(plans: Vec<(Vec<u32>, f64)>) -> Vec<(Vec<u32>, f64)> {
    let is_worthy = |(at, (units, progress)): (usize, &(Vec<u32>, f64))| {
        let beats = |(other, (fewer, more)): (usize, &(Vec<u32>, f64))| {
            let is_before = *more > *progress || (more == progress && other < at);
            is_before && fewer.iter().zip(units).all(|(fewer, units)| fewer <= units)
        };
        !plans.iter().enumerate().any(beats)
    };
    let kept = plans.iter().enumerate().filter(|plan| is_worthy(*plan));
    kept.map(|(_, plan)| plan.clone()).collect()
}

fn best_by_program(jobs: &[Job], units: u32, steps: usize) -> f64 {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let mut used: Vec<Vec<(Variable, f64)>> = vec![Vec::new(); steps];
    for (at, job) in jobs.iter().enumerate() {
        if jobs[..at].contains(job) {
            continue;
        }
        let alike = jobs.iter().filter(|other| *other == job).count();
        let most = job.options.last().unwrap().work;
        if most * steps as f64 > job.work {
            let mut one = Vec::new();
            for (plan, progress) in worthy(all_plans(job, steps)) {
                let choice = problem.add_integer_var(progress, (0, alike as i32));
                one.push((choice, 1.0));
                used.iter_mut().zip(plan).for_each(|(used, held)| used.push((choice, f64::from(held))));
            }
            problem.add_constraint(&one, ComparisonOp::Eq, alike as f64);
            continue;
        }
        for (step, used) in used.iter_mut().enumerate() {
            // What is done in a step counts in it and in all that follow.
            let counts = (steps - step) as f64;
            let mut one = Vec::new();
            for option in &job.options {
                let choice = problem.add_integer_var(counts * option.work / job.work, (0, alike as i32));
                one.push((choice, 1.0));
                used.push((choice, f64::from(option.units)));
            }
            problem.add_constraint(&one, ComparisonOp::Eq, alike as f64);
        }
    }
    for used in &used {
        problem.add_constraint(used, ComparisonOp::Le, f64::from(units));
    }
    match problem.solve().unwrap() {
        SolveOutcome::Solution(solution) => solution.objective(),
        SolveOutcome::Interrupted(_) => panic!("interrupted"),
    }
}

#[test]
fn the_optimum_of_the_program_over_plans() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut ending = 0;
    for case in 0..200 {
        let (count, steps) = (random.random_range(4..=8_usize), random.random_range(3..=4));
        let jobs = sample::jobs(&mut random, count, SPREADS[case % 3], if steps == 3 { 8 } else { 4 });
        let units = random.random_range(count as u32..=30);
        let found = plan(&jobs, units, steps, u64::MAX);
        assert_holds(&found, &jobs, units, steps);
        assert!(found.is_optimal(), "case {case}: {found:?}");
        assert_close(found.value, best_by_program(&jobs, units, steps), 1e-6);
        ending += jobs.iter().filter(|job| job.options.last().unwrap().work * steps as f64 > job.work).count();
    }
    println!("{ending} jobs that may end");
    assert!(ending > 200, "{ending}");
}
