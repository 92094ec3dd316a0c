//! IBM's decision as an integer program: solved by a solver that knows nothing of it, it must come to the optimum of
//! `allocate`, and so must the table that stands above it.

#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.

#[path = "programs/solved.rs"]
mod solved;

use elastiplan_solvers::counts_program::Kind;
use elastiplan_solvers::division_program::{BINARIES_MAX, Instance, Job, ProgramError, by_count};
use expect_test::expect_file;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use solved::{assert_is_possible, solve};

fn job(name: &str, minimum: u32, values: &[f64]) -> Job {
    Job { name: name.into(), minimum, values: values.to_vec() }
}

/// Up to five jobs whose values rise and fall, and GPUs for at least their minima.
fn instance(random: &mut ChaCha8Rng) -> Instance {
    let jobs: Vec<Job> = (0..random.random_range(1..=5))
        .map(|number: u32| {
            let values: Vec<f64> = (0..random.random_range(1..=6)).map(|_| random.random_range(0.1..4.0)).collect();
            job(&format!("job-{number}"), random.random_range(1..=3), &values)
        })
        .collect();
    let least: u32 = jobs.iter().map(|job| job.minimum).sum();
    Instance { units: least + random.random_range(0..=8), jobs }
}

#[test]
fn the_program_and_the_table_have_the_optimum_of_the_division() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for case in 0..300 {
        let instance = instance(&mut random);
        let what = format!("case {case}: {instance:?}");
        let best = instance.best().unwrap();
        let program = by_count(&instance).unwrap();
        assert!(program.variables.iter().all(|variable| variable.kind == Kind::Binary), "{what}");
        assert_is_possible(&program, &what);
        assert!((program.optimum() - best.value).abs() < 1e-9, "{what}");
        assert!((solve(&program).unwrap() - best.value).abs() < 1e-6, "{what}");
        let table = instance.table().and_then(|table| table.division()).unwrap();
        assert!((table.value - best.value).abs() < 1e-9, "{what}");
    }
}

#[test]
fn two_jobs_as_they_are_written_down() {
    let jobs = vec![job("a", 1, &[1.0, 1.9, 2.7]), job("b\n", 2, &[1.2, 1.5])];
    let text = by_count(&Instance { units: 5, jobs }).unwrap().to_lp();
    expect_file!["programs/division.lp"].assert_eq(&text);
}

#[test]
fn what_cannot_be_written_down() {
    let refused = |units, jobs| by_count(&Instance { units, jobs }).unwrap_err();
    assert_eq!(refused(4, vec![]), ProgramError::NoJobs);
    assert_eq!(refused(2, vec![job("a", 3, &[1.0])]), ProgramError::Infeasible(2));
    let many = vec![job("a", 1, &[1.0; BINARIES_MAX]), job("b", 1, &[1.0])];
    assert_eq!(refused(9, many), ProgramError::TooLarge(BINARIES_MAX + 1));
}
