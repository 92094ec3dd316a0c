//! Input of any kind: what comes out is stated, and nothing panics or goes on for ever.

use elastiplan_solvers::horizon::{STEPS_MAX, UNITS_MAX, WORK_CAP};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Job, assert_close, assert_holds, plan};

/// On 1, 2 and 4 units.
const SPEEDS: [(u32, f64); 3] = [(1, 1.0), (2, 1.6), (4, 2.56)];

#[test]
fn no_jobs_and_no_units() {
    let nothing = plan(&[], 8, 3, WORK_CAP);
    assert_eq!((nothing.units.len(), nothing.value, nothing.bound), (0, 0.0, 0.0));
    assert!(nothing.is_optimal());
    let waits = plan(&[Job::new(5.0, &SPEEDS)], 0, 3, WORK_CAP);
    assert_eq!((waits.units, waits.value, waits.bound), (vec![vec![0; 3]], 0.0, 0.0));
}

#[test]
fn steps_are_from_one_to_the_most() {
    let jobs = [Job::new(3.0, &SPEEDS), Job::new(100.0, &SPEEDS)];
    let of = |steps| plan(&jobs, 5, steps, WORK_CAP);
    assert_eq!(of(0), of(1));
    assert_eq!(of(1).units, [[4], [1]]);
    assert_eq!(of(100), of(STEPS_MAX));
    assert_eq!(of(STEPS_MAX).units[0].len(), STEPS_MAX);
}

#[test]
fn what_cannot_hold_its_least_waits_with_all_behind_it() {
    let wide = [(4, 1.0), (8, 1.6)];
    let jobs = [Job::new(9.0, &SPEEDS), Job::new(9.0, &wide), Job::new(9.0, &SPEEDS)];
    assert_eq!(plan(&jobs, 4, 2, WORK_CAP).units, [[4, 4], [0, 0], [0, 0]]);
    assert_eq!(plan(&jobs, 5, 2, WORK_CAP).units, [[1, 1], [4, 4], [0, 0]]);
    let many = vec![Job::new(9.0, &SPEEDS); 100];
    let found = plan(&many, 70, 5, WORK_CAP);
    assert_holds(&found, &many, 70, 5);
    assert!(found.is_optimal() && found.units[..70].iter().flatten().all(|held| *held == 1));
}

/// It holds the least, and makes the progress of a job that is done.
#[test]
fn work_that_is_none_counts_as_done() {
    for work in [0.0, -0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
        let found = plan(&[Job::new(work, &SPEEDS), Job::new(9.0, &SPEEDS)], 5, 2, WORK_CAP);
        assert_eq!(found.units, [[1, 1], [4, 4]], "{work}");
        assert_close(found.value, 2.0 + 2.56 / 9.0 + 5.12 / 9.0, 1e-12);
        assert!(found.is_optimal());
    }
}

/// Nothing gets it any further: it holds the least.
#[test]
fn infinite_work_makes_no_progress() {
    let found = plan(&[Job::new(f64::INFINITY, &SPEEDS), Job::new(9.0, &SPEEDS)], 5, 2, WORK_CAP);
    assert_eq!(found.units, [[1, 1], [4, 4]]);
    assert_close(found.value, 2.56 / 9.0 + 5.12 / 9.0, 1e-12);
    let found = plan(&[Job::new(f64::INFINITY, &[(1, f64::INFINITY)])], 5, 2, WORK_CAP);
    assert_eq!((found.units, found.value), (vec![vec![1, 1]], 0.0));
}

#[test]
fn options_that_do_not_rise_are_not_looked_at() {
    let slower = [(1, 1.0), (2, 0.9), (2, 1.5), (3, f64::NAN), (1, 9.0), (4, 2.0), (5, -1.0), (6, 2.0)];
    let rising = [(1, 1.0), (2, 1.5), (4, 2.0)];
    for (work, units) in [(2.5, 6), (9.0, 6), (2.5, 3), (100.0, 9)] {
        let of = |options: &[(u32, f64)]| plan(&[Job::new(work, options), Job::new(4.0, &SPEEDS)], units, 3, WORK_CAP);
        assert_eq!(of(&slower), of(&rising), "{work} on {units}");
    }
}

#[test]
fn numbers_of_units_at_the_limits() {
    // More than fit into half of 16 bits, and into all of them, with jobs that are done within the horizon.
    for scale in [1, 10_000, 20_000, 200_000] {
        let options = SPEEDS.map(|(units, work)| (units * scale, work));
        let jobs = [3.0, 4.0, 50.0].map(|work| Job::new(work, &options));
        let found = plan(&jobs, 5 * scale, 3, WORK_CAP);
        assert_holds(&found, &jobs, 5 * scale, 3);
        let small = plan(&[3.0, 4.0, 50.0].map(|work| Job::new(work, &SPEEDS)), 5, 3, WORK_CAP);
        assert!(small.is_optimal());
        assert!((found.value..=found.bound * (1.0 + 1e-9)).contains(&small.value), "{scale}: {found:?} for {small:?}");
    }
    // More units than jobs can hold cost nothing, nor do numbers that no job has.
    let found = plan(&[Job::new(9.0, &SPEEDS)], u32::MAX, 2, WORK_CAP);
    assert_eq!(found.units, [[4, 4]]);
    let found = plan(&[Job::new(9.0, &[(1, 1.0), (u32::MAX, 2.0)])], u32::MAX, 2, WORK_CAP);
    assert_eq!(found.units, [[1, 1]]);
    let found = plan(&vec![Job::new(9.0, &[(UNITS_MAX + 1, 2.0)]); 3], u32::MAX, 2, WORK_CAP);
    assert_eq!(found.units, vec![vec![0, 0]; 3]);
}

/// A number of any kind, often one at a limit.
fn number(random: &mut ChaCha8Rng) -> f64 {
    const ODD: [f64; 12] = [
        0.0,
        -0.0,
        -1.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MIN_POSITIVE,
        5e-324,
        f64::MAX,
        f64::MIN,
        1e300,
        f64::EPSILON,
    ];
    match random.random_bool(0.3) {
        true => ODD[random.random_range(0..ODD.len())],
        false => random.random_range(0.1..10.0),
    }
}

#[test]
fn anything_at_all_gives_a_plan() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for case in 0..3000 {
        let units = [0, 1, 7, 40, 33_000, 70_000][random.random_range(0..6)];
        let steps = [0, 1, 2, 5, 8, 100][random.random_range(0..6)];
        let mut option = || {
            let count = [0, 1, 2, 3, 5, 8, 40_000, u32::MAX][random.random_range(0..8)];
            (count, number(&mut random))
        };
        let mut options = || (0..4).map(|_| option()).collect::<Vec<_>>();
        let options: Vec<Vec<(u32, f64)>> = (0..4).map(|_| options()).collect();
        let mut jobs: Vec<Job> = options.iter().map(|options| Job::new(number(&mut random), options)).collect();
        jobs.truncate(random.random_range(0..=4));
        let found = plan(&jobs, units, steps, [0, 1000][case % 2]);
        let what = format!("case {case}: {jobs:?} on {units}: {found:?}");
        assert_eq!(found.units.len(), jobs.len(), "{what}");
        assert!(found.value.is_finite() && found.bound.is_finite() && found.bound >= found.value, "{what}");
        for step in 0..steps.clamp(1, STEPS_MAX) {
            let used: u64 = found.units.iter().map(|held| u64::from(held[step])).sum();
            assert!(used <= u64::from(units), "{what}");
        }
        for (job, held) in jobs.iter().zip(&found.units) {
            let may = |held: &u32| *held == 0 || job.options.iter().any(|option| option.units == *held);
            assert!(held.len() == steps.clamp(1, STEPS_MAX) && held.iter().all(may), "{what}");
        }
    }
}

/// The longest horizon, and any number of units from 1 to 64: 64^8 plans of a job.
#[test]
fn many_options_in_many_steps_come_to_an_end() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for exponent in [0.7, 1.0, 1.3] {
        let options: Vec<(u32, f64)> = (1..=64).map(|units| (units, libm::pow(f64::from(units), exponent))).collect();
        let jobs: Vec<Job> = (0..8).map(|_| Job::new(random.random_range(50.0..300.0), &options)).collect();
        let found = plan(&jobs, 150, STEPS_MAX, 10_000);
        assert_holds(&found, &jobs, 150, STEPS_MAX);
    }
}
