//! ModelArts' decision as the program of the paper: solved by a solver that knows nothing of it, it must come to the
//! optimum of `horizon::plan`.

#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.

use elastiplan_solvers::horizon::StepOption;
use elastiplan_solvers::horizon_program::{
    Instance, Job, Kind, PAIRS_MAX, Program, ProgramError, Sense, Variable, by_step,
};
use expect_test::expect_file;
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// On 1, 2, 4, ... nodes, as many doublings; 1 is done on one in a step.
fn options(doublings: u32) -> Vec<StepOption> {
    let work = |units: u32| f64::from(units) * libm::pow(0.8, libm::log2(f64::from(units)));
    (0..=doublings).map(|doubling| StepOption { units: 1 << doubling, work: work(1 << doubling) }).collect()
}

fn instance(random: &mut ChaCha8Rng) -> Instance {
    let mut job = |at: usize| {
        let work = random.random_range(0.5..9.0);
        Job { name: format!("job-{at}"), work, options: options(random.random_range(0..=2)) }
    };
    let jobs = (0..3).map(&mut job).collect::<Vec<_>>();
    let jobs = jobs[..random.random_range(2..=3)].to_vec();
    Instance { units: random.random_range(1..=9), steps: random.random_range(1..=3), jobs }
}

/// The optimum by microlp; `None` if there is no solution.
fn solve(program: &Program) -> Option<f64> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let mut factors = vec![0.0; program.variables.len()];
    program.objective.iter().for_each(|term| factors[term.variable] += term.factor);
    let add = |(variable, factor): (&Variable, f64)| match variable.kind {
        Kind::Binary => problem.add_binary_var(factor),
        Kind::Integer => problem.add_integer_var(factor, (0, i32::MAX)),
        Kind::Positive => problem.add_var(factor, (0.0, f64::INFINITY)),
        Kind::Free => panic!("{variable:?}"),
    };
    let variables: Vec<_> = program.variables.iter().zip(factors).map(add).collect();
    for constraint in program.sections.iter().flat_map(|section| &section.constraints) {
        let terms: Vec<_> = constraint.terms.iter().map(|term| (variables[term.variable], term.factor)).collect();
        let sense = match constraint.sense {
            Sense::AtMost => ComparisonOp::Le,
            Sense::AtLeast => ComparisonOp::Ge,
            Sense::Exactly => ComparisonOp::Eq,
        };
        problem.add_constraint(&terms, sense, constraint.right);
    }
    match problem.solve().ok()? {
        SolveOutcome::Solution(solution) => Some(solution.objective()),
        SolveOutcome::Interrupted(_) => panic!("interrupted"),
    }
}

/// The values that variables have in the optimum keep every constraint.
fn assert_is_possible(program: &Program, what: &str) {
    for variable in &program.variables {
        let fits = match variable.kind {
            Kind::Binary => [0.0, 1.0].contains(&variable.value),
            Kind::Integer => variable.value >= 0.0 && variable.value.fract() == 0.0,
            Kind::Positive => variable.value >= 0.0,
            Kind::Free => false,
        };
        assert!(fits, "{what}: {variable:?}");
    }
    for constraint in program.sections.iter().flat_map(|section| &section.constraints) {
        let sum = program.sum(&constraint.terms) - constraint.right;
        let holds = match constraint.sense {
            Sense::AtMost => sum <= 1e-9,
            Sense::AtLeast => sum >= -1e-9,
            Sense::Exactly => sum.abs() <= 1e-9,
        };
        assert!(holds, "{what}: {constraint:?} is off by {sum}\n{}", program.to_lp());
    }
}

#[test]
fn the_paper_s_program_has_the_optimum_of_the_plan() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut solved, mut waiting) = (0, 0);
    for case in 0..120 {
        let instance = instance(&mut random);
        let what = format!("case {case}: {instance:?}");
        let best = instance.best();
        assert!(best.is_optimal(), "{what}");
        let program = by_step(&instance).unwrap();
        assert_is_possible(&program, &what);
        assert!((program.optimum() - best.value).abs() < 1e-9, "{what}");
        let found = solve(&program).unwrap();
        assert!((found - best.value).abs() < 1e-6, "{what}: {found} for {}", best.value);
        solved += 1;
        waiting += u32::from((instance.units as usize) < instance.jobs.len());
    }
    assert!(solved == 120 && waiting > 5, "{waiting}");
}

/// The paper says no more of M than that it is large enough: n_max is, half of it is not.
#[test]
fn half_the_big_m_misses_optima() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut missed = 0;
    for _ in 0..40 {
        let instance = Instance { units: 9, ..instance(&mut random) };
        let mut program = by_step(&instance).unwrap();
        for constraint in program.sections.iter_mut().flat_map(|section| &mut section.constraints) {
            let name = constraint.name.clone();
            if name.starts_with("c16b") || name.starts_with("c17b") {
                let big = &mut constraint.terms.last_mut().unwrap().factor;
                constraint.right -= *big / 2.0;
                *big /= 2.0;
            }
        }
        let best = instance.best().value;
        missed += u32::from(solve(&program).is_none_or(|found| found < best - 1e-6));
    }
    println!("{missed} of 40 are missed");
    assert!(missed > 5, "{missed}");
}

/// Two jobs on three nodes, of which the first may be done within the horizon. A third has to wait.
fn two_jobs() -> Instance {
    let job = |name: &str, work, doublings| Job { name: name.into(), work, options: options(doublings) };
    let wide = Job { name: "c".into(), work: 2.0, options: options(1)[1..].to_vec() };
    Instance { units: 3, steps: 2, jobs: vec![job("a", 2.0, 1), job("b", 5.0, 1), wide] }
}

#[test]
fn two_jobs_as_text() {
    let text = by_step(&two_jobs()).unwrap().to_lp();
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    expect_file!["programs/two_jobs_by_step.lp"].assert_eq(&text);
}

#[test]
fn what_cannot_be_written() {
    let of = |change: fn(&mut Instance)| {
        let mut instance = two_jobs();
        change(&mut instance);
        by_step(&instance).map(|_| ())
    };
    assert_eq!(of(|_| {}), Ok(()));
    assert_eq!(of(|instance| instance.jobs.clear()), Err(ProgramError::Nobody));
    assert_eq!(of(|instance| instance.units = 0), Err(ProgramError::Nobody));
    assert_eq!(of(|instance| instance.steps = 0), Err(ProgramError::Steps(0)));
    assert_eq!(of(|instance| instance.steps = 9), Err(ProgramError::Steps(9)));
    for work in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut instance = two_jobs();
        instance.jobs[1].work = work;
        assert_eq!(by_step(&instance).map(|_| ()), Err(ProgramError::Work("b".into())), "{work}");
    }
    assert_eq!(of(|instance| instance.jobs[0].options.reverse()), Err(ProgramError::Options("a".into())));
    assert_eq!(of(|instance| instance.jobs[0].options.clear()), Err(ProgramError::Options("a".into())));
    assert_eq!(of(|instance| instance.jobs[0].options[1].work = f64::NAN), Err(ProgramError::Options("a".into())));
    let many = Instance { units: 1000, jobs: vec![two_jobs().jobs[0].clone(); PAIRS_MAX / 4 + 1], steps: 2 };
    assert_eq!(by_step(&many).map(|_| ()), Err(ProgramError::TooLarge(PAIRS_MAX + 4)));
}
