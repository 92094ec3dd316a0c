//! ModelArts' decision as the program of the paper: solved by a solver that knows nothing of it, it must come to the
//! optimum of `horizon::plan`.

#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.

#[path = "programs/solved.rs"]
mod solved;

use elastiplan_solvers::horizon::StepOption;
use elastiplan_solvers::horizon_program::{Instance, Job, Kind, PAIRS_MAX, ProgramError, by_step};
use expect_test::expect_file;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use solved::{assert_is_possible, solve};

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
        assert!(program.variables.iter().all(|variable| variable.kind != Kind::Free), "{what}");
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
    assert_eq!(of(|instance| instance.jobs.clear()), Err(ProgramError::NoJobs));
    assert_eq!(of(|instance| instance.units = 0), Err(ProgramError::NoJobs));
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
