//! How often intervals and answers are right, in simulated studies whose truth is known.
//!
//! A 95 % interval has to hold the truth in 93 to 97 of 100 studies, and a wrong answer may be given in at most 5.

use elastiplan_statistics::feasibility::{Feasibility, Limit, answer};
use elastiplan_statistics::{Interval, Looks, Selection, bootstrap, screened};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const STUDIES: u32 = 4000;

fn normal(random: &mut impl Rng) -> f64 {
    // The sum of twelve even numbers has a variance of one.
    (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
}

/// The share of studies, each with a generator of its own, for which `is_right`.
fn share(studies: u32, is_right: impl Fn(&mut ChaCha8Rng) -> bool) -> f64 {
    let right = (0..studies).filter(|&study| is_right(&mut ChaCha8Rng::seed_from_u64(u64::from(study))));
    right.count() as f64 / f64::from(studies)
}

fn check(what: &str, covered: f64) {
    println!("{what}: {:.1} %", covered * 100.0);
    assert!((0.93..=0.97).contains(&covered), "{what}: the interval holds the truth in {covered} of all studies");
}

#[test]
fn means_differences_and_ratios() {
    for n in [5, 10, 30] {
        check(
            &format!("mean of {n}"),
            share(STUDIES, |random| {
                let values: Vec<f64> = (0..n).map(|_| 50.0 + 8.0 * normal(random)).collect();
                Interval::of_mean(&values, 0.95).unwrap().holds(50.0)
            }),
        );
        check(
            &format!("difference of {n} pairs"),
            share(STUDIES, |random| {
                let pairs = (0..n).map(|_| {
                    let jobs = 20.0 * normal(random);
                    (103.0 + jobs + 2.0 * normal(random), 100.0 + jobs + normal(random))
                });
                let (ours, theirs): (Vec<f64>, Vec<f64>) = pairs.unzip();
                Interval::of_difference(&ours, &theirs, 0.95).unwrap().holds(3.0)
            }),
        );
        check(
            &format!("ratio of {n} pairs"),
            share(STUDIES, |random| {
                let pairs = (0..n).map(|_| {
                    let jobs = normal(random);
                    (1.2 * libm::exp(jobs + 0.1 * normal(random)), libm::exp(jobs))
                });
                let (ours, theirs): (Vec<f64>, Vec<f64>) = pairs.unzip();
                Interval::of_ratio(&ours, &theirs, 0.95).unwrap().holds(1.2)
            }),
        );
    }
}

#[test]
fn means_of_what_is_skewed() {
    // Waiting whose logarithm is normal: its mean is that of many seeds with long waits in a few.
    let mean = libm::exp(0.6 * 0.6 / 2.0);
    for n in [10, 20, 40] {
        check(
            &format!("bootstrap, {n} skewed values"),
            share(STUDIES / 4, |random| {
                let values: Vec<f64> = (0..n).map(|_| libm::exp(0.6 * normal(random))).collect();
                bootstrap::of_mean(&values, 0.95, 0).unwrap().holds(mean)
            }),
        );
    }
}

#[test]
fn the_best_is_selected() {
    let right = share(STUDIES, |random| {
        let values: Vec<Vec<f64>> = {
            let jobs: Vec<f64> = (0..400).map(|_| normal(random)).collect();
            let means = [0.0, 0.0, 0.5, 0.0]; // the best by just as much as matters
            means.map(|mean| jobs.iter().map(|jobs| mean + jobs + 0.7 * normal(random)).collect()).to_vec()
        };
        let selection = Selection { indifference: 0.5, error: 0.05, at_least: 10 };
        selection.among(&values).unwrap().left == [2]
    });
    assert!(right >= 0.95, "{right}");
}

#[test]
fn the_best_is_left() {
    // The best by just as much as matters, one that is far behind, and one whose values scatter much.
    let (means, scatters) = ([0.0, 0.5, -5.0, 0.0], [0.7, 0.7, 0.7, 3.0]);
    for n in [5, 10, 40] {
        let left = |random: &mut ChaCha8Rng| {
            let jobs: Vec<f64> = (0..n).map(|_| 4.0 * normal(random)).collect();
            let values = means.iter().zip(scatters);
            let values: Vec<Vec<f64>> = values
                .map(|(mean, scatter)| jobs.iter().map(|jobs| mean + jobs + scatter * normal(random)).collect())
                .collect();
            screened(&values, 0.5, 0.05).unwrap()
        };
        let right = share(STUDIES, |random| left(random).contains(&1));
        let is_short = share(STUDIES, |random| !left(random).contains(&2));
        println!(
            "screening of {n}: the best is left in {:.1} %, the worst out in {:.1} %",
            right * 100.0,
            is_short * 100.0
        );
        assert!(right >= 0.95 && is_short > 0.9, "{n}: {right}, {is_short}");
    }
}

/// One seed's share of deadlines met on each size: 150 jobs that stand or fall by chance, and a load that all sizes share.
fn deadlines(truths: &[f64], random: &mut ChaCha8Rng) -> Vec<f64> {
    let load = 0.03 * normal(random);
    let met = |truth: f64, random: &mut ChaCha8Rng| {
        let share = truth + load * 4.0 * truth * (1.0 - truth);
        (0..150).filter(|_| random.random::<f64>() < share).count() as f64 / 150.0
    };
    truths.iter().map(|&truth| met(truth, random)).collect()
}

#[test]
fn nodes_that_are_said_to_suffice_do() {
    // What is true of each size, of a goal of 0.9; in the second, a size misses it though a smaller one does not.
    let rising = [0.6, 0.7, 0.8, 0.86, 0.895, 0.93, 0.96, 0.98, 0.99];
    let broken = [0.6, 0.7, 0.8, 0.92, 0.91, 0.895, 0.93, 0.97, 0.99];
    let close = [0.6, 0.7, 0.8, 0.86, 0.899, 0.901, 0.91, 0.95, 0.99];
    for (truths, enough) in [(rising, 5), (broken, 6), (close, 5)] {
        for looks in [Looks::once(10, 0.95), Looks::between(10, 100, 0.95)] {
            let wrong = share(STUDIES / 2, |random| {
                let most = *looks.seeds().last().unwrap();
                let seeds: Vec<Vec<f64>> = (0..most).map(|_| deadlines(&truths, random)).collect();
                let judged: Vec<Feasibility> = (0..truths.len())
                    .map(|size| {
                        let values: Vec<f64> = seeds.iter().map(|seed| seed[size]).collect();
                        looks.judge(&[(Limit::AtLeast(0.9), &values)])
                    })
                    .collect();
                answer(&judged).smallest.is_some_and(|smallest| smallest < enough)
            });
            println!("{looks:?}: {:.1} % wrong", wrong * 100.0);
            assert!(wrong <= 0.05, "{looks:?} of {truths:?}: {wrong} of the answers are too small");
        }
    }
}

/// Whether a policy is wrongly said to suffice from the second size on, which misses the goal by a hair; by its first seeds
/// alone, or by as many fresh ones, too.
fn is_too_small(confidence: f64, is_confirmed: bool, random: &mut ChaCha8Rng) -> bool {
    let truths = [0.6, 0.8999, 0.99, 0.99];
    let looks = Looks::between(10, 40, confidence);
    let seeds: Vec<Vec<f64>> = (0..80).map(|_| deadlines(&truths, random)).collect();
    let of_size = |size: usize, seeds: &[Vec<f64>]| seeds.iter().map(|seed| seed[size]).collect::<Vec<f64>>();
    let judge = |values: &[f64]| looks.judge(&[(Limit::AtLeast(0.9), values)]);
    let judged: Vec<Feasibility> = (0..truths.len()).map(|size| judge(&of_size(size, &seeds[..40]))).collect();
    if answer(&judged).smallest.is_none_or(|smallest| smallest > 1) {
        return false;
    }
    let first = of_size(1, &seeds[..40]);
    let used = looks.seeds().iter().copied().find(|&used| judge(&first[..used]) == Feasibility::Met);
    let agree = |used: usize| {
        let fresh = of_size(1, &seeds[40..40 + used]);
        Looks::once(used, confidence).judge(&[(Limit::AtLeast(0.9), &fresh)]) == Feasibility::Met
    };
    !is_confirmed || used.is_some_and(agree)
}

#[test]
fn answers_for_several_policies_hold_together() {
    let policies = 5;
    let wrong = |confidence: f64, is_confirmed: bool| {
        share(STUDIES / 4, |random| (0..policies).any(|_| is_too_small(confidence, is_confirmed, random)))
    };
    let part = 1.0 - 0.05 / f64::from(policies);
    let (each, together, confirmed) = (wrong(0.95, false), wrong(part, false), wrong(part, true));
    println!(
        "any of five policies: {:.1} % with 95 % each, {:.1} % with a part of the error each, {:.1} % confirmed",
        each * 100.0,
        together * 100.0,
        confirmed * 100.0
    );
    // Shares near 1 are skewed, so that the looks alone are wrong a little more often than they should.
    assert!(each > 0.15 && together < 0.08, "{each}, {together}");
    assert!(confirmed <= 0.05, "{confirmed}");
}
