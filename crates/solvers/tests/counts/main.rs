//! Counts of BFTrainer against all counts one by one, against the dynamic program alone, against its integer program,
//! and against the optima of the authors' replayer.

#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.

#[path = "../../../../tests/data_pack.rs"]
mod data_pack;
mod plain;

use std::collections::BTreeMap;
use std::path::Path;

use elastiplan_solvers::{Allocation, Worths, choose_counts, choose_counts_of};
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A Trainer of the paper.
#[derive(Clone, Debug)]
struct Trainer {
    /// What it gains a second on 0, 1, 2, ... nodes.
    gain: Vec<f64>,
    nodes_min: usize,
    held: usize,
    up_s: f64,
    down_s: f64,
}

impl Trainer {
    /// Eq. 16 for each number of nodes.
    fn values(&self, t_fwd_s: f64) -> Vec<f64> {
        let gain_now = if self.held < self.nodes_min { 0.0 } else { self.gain[self.held] };
        let cost_s = |nodes: usize| match nodes.cmp(&self.held) {
            std::cmp::Ordering::Greater => self.up_s,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Less => self.down_s,
        };
        let runs = |nodes: usize| nodes == 0 || nodes >= self.nodes_min;
        let value = |nodes: usize| match runs(nodes) {
            true => t_fwd_s * self.gain[nodes] - gain_now * cost_s(nodes),
            false => f64::NEG_INFINITY,
        };
        (0..self.gain.len()).map(value).collect()
    }
}

fn choose(values: &[Vec<f64>], units: u32) -> Allocation {
    let views: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
    choose_counts(&views, units)
}

/// All choices in the order in which ties are broken, with their values.
fn best_naive(values: &[Vec<f64>], units: usize) -> (f64, Vec<u32>) {
    let mut choices: Vec<Vec<u32>> = vec![vec![]];
    for values in values {
        let counts = (0..values.len()).filter(|count| *count == 0 || values[*count].is_finite());
        let longer = |count: usize| choices.iter().map(move |choice| [&choice[..], &[count as u32]].concat());
        choices = counts.flat_map(longer).collect();
    }
    choices.retain(|choice| choice.iter().sum::<u32>() as usize <= units);
    #[allow(clippy::disallowed_methods)]
    choices.sort_by_key(|choice| (choice.iter().sum::<u32>(), choice.iter().rev().copied().collect::<Vec<_>>()));
    let worth = |values: &[f64], count: u32| values.get(count as usize).copied().unwrap_or(0.0);
    let total = |choice: &[u32]| values.iter().zip(choice).map(|(values, count)| worth(values, *count)).sum::<f64>();
    let best = choices.iter().map(|choice| total(choice)).fold(f64::NEG_INFINITY, f64::max);
    let first = choices.iter().find(|choice| total(choice) == best).unwrap();
    (best, first.clone())
}

/// The program with one binary for each Trainer and count.
fn best_by_program(values: &[Vec<f64>], units: u32) -> f64 {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let mut used = Vec::new();
    for values in values {
        let mut one = Vec::new();
        for (count, value) in values.iter().enumerate().filter(|(_, value)| value.is_finite()) {
            let variable = problem.add_binary_var(*value);
            one.push((variable, 1.0));
            used.push((variable, count as f64));
        }
        problem.add_constraint(&one, ComparisonOp::Eq, 1.0);
    }
    problem.add_constraint(&used, ComparisonOp::Le, f64::from(units));
    match problem.solve().unwrap() {
        SolveOutcome::Solution(solution) => solution.objective(),
        SolveOutcome::Interrupted(_) => panic!("interrupted"),
    }
}

/// Up to four takers whose values are quarters, so that ties are many and sums exact; some counts are impossible.
fn small() -> impl Strategy<Value = Vec<Vec<f64>>> {
    let value =
        prop_oneof![6 => (-8..24i32).prop_map(|quarters| f64::from(quarters) / 4.0), 1 => Just(f64::NEG_INFINITY)];
    let taker = ((-8..1i32), prop::collection::vec(value, 0..7)).prop_map(|(none, more)| {
        let mut values = vec![f64::from(none) / 4.0];
        values.extend(more);
        values
    });
    prop::collection::vec(taker, 0..5)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(5000) })]

    #[test]
    fn the_best_of_all_choices_and_the_first_of_several(values in small(), units in 0..20u32) {
        let found = choose(&values, units);
        let (value, counts) = best_naive(&values, units as usize);
        prop_assert_eq!(found, Allocation { units: counts, value });
    }
}

/// What counts of one taker are worth, in whole numbers, which add up alike in any order. Of many shapes; `grain`
/// is how coarse they are, and coarse ones tie.
fn worths(random: &mut ChaCha8Rng, most: usize, grain: f64) -> Vec<f64> {
    let (speed, exponent) = (random.random_range(1.0..9.0), random.random_range(0.3..1.3));
    let (held, cost_s) = (random.random_range(0..=most), random.random_range(0.0..40.0));
    let gain = |count: usize| speed * libm::pow(count as f64, exponent);
    let shape = random.random_range(0..6);
    let mut worth = |count: usize| match shape {
        // A Trainer that holds some and pays for changes: what it has stands out.
        0..=2 => 120.0 * gain(count) - if count == held { 0.0 } else { cost_s * gain(held) },
        // Worth the same for each unit: all choices tie.
        3 => 100.0 * (count.min(held) as f64),
        4 => random.random_range(-300.0..900.0),
        // In jumps.
        _ => 500.0 * (count / (held + 1)) as f64,
    };
    let mut worths: Vec<f64> = (0..=most).map(|count| (worth(count) / grain).round() * grain).collect();
    let impossible = [0.0, 0.0, 0.1, 0.6][random.random_range(0..4)];
    for worth in worths.iter_mut().skip(1) {
        if random.random_bool(impossible) {
            *worth = f64::NEG_INFINITY;
        }
    }
    worths
}

/// Takers, some of which are alike, and units: from none to more than all can use.
fn takers(random: &mut ChaCha8Rng) -> (Vec<Vec<f64>>, usize) {
    let count = random.random_range(1..=12);
    let most = [4, 16, 40][random.random_range(0..3)];
    let grain = [1.0, 10.0, 100.0, 1000.0][random.random_range(0..4)];
    let mut all: Vec<Vec<f64>> = Vec::new();
    for _ in 0..count {
        let alike = all.last().filter(|_| random.random_bool(0.3)).cloned();
        let most = random.random_range(0..=most);
        all.push(alike.unwrap_or_else(|| worths(random, most, grain)));
    }
    let sum: usize = all.iter().map(|worths| worths.len() - 1).sum();
    (all, random.random_range(0..=sum + sum / 8))
}

#[test]
fn the_same_as_by_the_dynamic_program_alone() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for case in 0..6000 {
        let (values, units) = takers(&mut random);
        assert_eq!(choose(&values, units as u32), plain::choose(&values, units), "case {case}: {values:?}, {units}");
    }
}

/// As in the paper's larger pools.
#[test]
fn the_same_in_large_pools() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for case in 0..40 {
        let values: Vec<Vec<f64>> = (0..20).map(|_| worths(&mut random, [64, 400][case % 2], 1.0)).collect();
        let units = random.random_range(0..900);
        assert_eq!(choose(&values, units as u32), plain::choose(&values, units), "case {case}");
    }
}

/// Takers that were made ready once are the same for any number of units.
#[test]
fn made_ready_for_any_number_of_units() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for case in 0..300 {
        let (values, most) = takers(&mut random);
        let ready: Vec<Worths> = values.iter().cloned().map(Worths::new).collect();
        let ready: Vec<&Worths> = ready.iter().collect();
        for units in 0..=most {
            assert_eq!(choose_counts_of(&ready, units as u32), plain::choose(&values, units), "case {case}, {units}");
        }
    }
}

/// Trainers as in Table 2 of the paper, some on curves of any shape; a third of the pools have just lost nodes, which
/// leaves some Trainers with fewer than they run on.
fn trainers(random: &mut ChaCha8Rng) -> (Vec<Trainer>, u32) {
    let count = random.random_range(1..=6);
    let nodes = random.random_range(0..=40u32);
    let mut left = nodes as usize;
    let mut all: Vec<Trainer> = (0..count)
        .map(|_| {
            let nodes_max = random.random_range(1..=16);
            let nodes_min = random.random_range(1..=3.min(nodes_max));
            let (speed, exponent) = (random.random_range(1.0..9.0), random.random_range(0.3..1.1));
            let noise = if random.random_bool(0.3) { 0.4 } else { 0.0 };
            let gain = |nodes: usize| speed * libm::pow(nodes as f64, exponent);
            let gain = (0..=nodes_max).map(|nodes| gain(nodes) * (1.0 + noise * random.random::<f64>())).collect();
            let (up_s, down_s) = (random.random_range(0.0..30.0), random.random_range(0.0..20.0));
            Trainer { gain, nodes_min, held: 0, up_s, down_s }
        })
        .collect();
    for trainer in &mut all {
        let most = left.min(trainer.gain.len() - 1);
        trainer.held = random.random_range(0..=most);
        left -= trainer.held;
    }
    let lost = random.random_bool(0.35);
    for trainer in all.iter_mut().filter(|_| lost) {
        let gone = (0..trainer.held).filter(|_| random.random_bool(0.3)).count();
        trainer.held -= gone;
    }
    let held: usize = all.iter().map(|trainer| trainer.held).sum();
    (all, if lost { held as u32 } else { nodes })
}

#[test]
fn as_good_as_the_integer_program() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut below_minimum = 0;
    for case in 0..1000 {
        let (trainers, nodes) = trainers(&mut random);
        let t_fwd_s = [5.0, 20.0, 60.0, 120.0][case % 4];
        below_minimum += trainers.iter().filter(|trainer| (1..trainer.nodes_min).contains(&trainer.held)).count();
        let values: Vec<Vec<f64>> = trainers.iter().map(|trainer| trainer.values(t_fwd_s)).collect();
        let (found, expected) = (choose(&values, nodes).value, best_by_program(&values, nodes));
        assert!((found - expected).abs() <= 1e-6 * expected.abs().max(1.0), "case {case}: {found} for {expected}");
    }
    assert!(below_minimum > 50, "{below_minimum} Trainers with fewer nodes than they run on");
}

/// The lists of a cell such as `[0, 1, 2]`.
fn list(cell: &str) -> Vec<f64> {
    cell.trim_matches(['[', ']']).split(", ").map(|number| number.parse().unwrap()).collect()
}

/// Trainers of the replayer by their rows, with nothing held. `by_speedup`: the objective is how much faster than one
/// node.
fn published(data: &Path, jobs: &str, by_speedup: bool) -> Vec<Trainer> {
    let text = |kind: &str| std::fs::read_to_string(data.join(format!("{jobs}.{kind}.csv"))).unwrap();
    let (bounds, curves) = (text("Jbnd"), text("JNPs"));
    let trainer = |(bounds, curve): (&str, &str)| {
        let bounds: Vec<f64> = bounds.split(',').skip(1).take(4).map(|cell| cell.parse().unwrap()).collect();
        let cells: Vec<&str> = curve.split('"').collect();
        let (nodes, speeds) = (list(cells[1]), list(cells[3]));
        let at = |count: usize| {
            let above = nodes.iter().position(|nodes| *nodes >= count as f64).unwrap();
            let Some(below) = above.checked_sub(1) else { return speeds[0] };
            let share = (count as f64 - nodes[below]) / (nodes[above] - nodes[below]);
            speeds[below] + share * (speeds[above] - speeds[below])
        };
        let unit = if by_speedup { at(1) } else { 1.0 };
        let gain = (0..=bounds[3] as usize).map(|count| at(count) / unit).collect();
        Trainer { gain, nodes_min: bounds[2] as usize, held: 0, up_s: bounds[0], down_s: bounds[1] }
    };
    bounds.lines().zip(curves.lines()).skip(1).map(trainer).collect()
}

#[test]
fn the_optima_of_the_authors_replayer() {
    let Some(data) = data_pack::folder("bftrainer-summit") else { return };
    let sets = BTreeMap::from([
        ("ImageNet-spdup", published(&data, "ImageNet-imgps-1001J.first300", true)),
        ("ImageNet-imgps", published(&data, "ImageNet-imgps-1001J.first300", false)),
        ("hps-shufflenet-10J", published(&data, "hps-shufflenet-10J", false)),
    ]);
    let text = std::fs::read_to_string(data.join("reference-decisions.csv")).unwrap();
    let mut farthest: f64 = 0.0;
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |cell: &str| cell.parse::<f64>().unwrap();
        let rows = cells[4].split(' ').zip(cells[5].split(' '));
        let trainer = |(row, held): (&str, &str)| {
            let held = held.parse().unwrap();
            Trainer { held, ..sets[cells[0]][row.parse::<usize>().unwrap()].clone() }
        };
        let values: Vec<Vec<f64>> = rows.map(|pair| trainer(pair).values(number(cells[1]))).collect();
        let (found, optimum) = (choose(&values, number(cells[3]) as u32).value, number(cells[6]));
        let apart = (found - optimum).abs() / optimum.abs().max(1.0);
        assert!(apart <= 1e-6, "{line}: {found}");
        farthest = farthest.max(apart);
    }
    let decisions = text.lines().count() - 1;
    println!("{decisions} optima, at most {farthest:.1e} apart");
    assert_eq!(decisions, 399);
}

#[test]
fn no_takers_and_no_units() {
    assert_eq!(choose(&[], 4), Allocation::default());
    assert_eq!(choose(&[vec![]], 4).units, [0]);
    assert_eq!(choose(&[vec![f64::NEG_INFINITY, f64::NAN, f64::INFINITY]], 4).units, [0]);
    assert_eq!(choose(&[vec![0.0, 5.0]], 0).units, [0]);
}

#[test]
fn values_of_any_size_are_distinguished() {
    assert_eq!(choose(&[vec![0.0, 1e-9, 2e-9], vec![0.0, 1.5e-9]], 2).units, [1, 1]);
    assert_eq!(choose(&[vec![0.0, 1e200, 2e200], vec![0.0, 1.5e200]], 2).units, [1, 1]);
    assert_eq!(choose(&[vec![0.0, f64::MAX], vec![0.0, f64::MAX]], 1).units, [1, 0]);
    // What more units would be worth than there are makes no difference.
    assert_eq!(choose(&[vec![0.0, 1.0, f64::MAX], vec![0.0, 2.0, 1e30]], 1).units, [0, 1]);
    assert_eq!(choose(&[vec![0.0, 1e-9, 1e9], vec![0.0, 2e-9]], 1).units, [0, 1]);
}
