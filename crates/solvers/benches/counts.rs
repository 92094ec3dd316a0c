//! What a decision of BFTrainer costs: `cargo bench -p elastiplan-solvers`.
//!
//! Trainers that scale differently and hold a share of the nodes each; at most 64 nodes for one, as in the paper, and
//! once as many as there are. `ready`: nobody's values are others than at the decision before.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use elastiplan_solvers::{Worths, choose_counts, choose_counts_of};

/// What so many seconds on 0, 1, 2, ... nodes are worth, less what it costs to leave `held` of them.
fn values(trainer: usize, nodes_max: usize, held: usize) -> Vec<f64> {
    let gain = |nodes: usize| (1.0 + trainer as f64) * libm::pow(nodes as f64, 0.6 + 0.02 * trainer as f64);
    let cost_s = |nodes: usize| if nodes > held { 18.0 } else { 12.0 };
    let value = |nodes: usize| 120.0 * gain(nodes) - if nodes == held { 0.0 } else { gain(held) * cost_s(nodes) };
    (0..=nodes_max).map(value).collect()
}

fn counts(criterion: &mut Criterion) {
    for (trainers, nodes, nodes_max) in [(5, 100, 64), (10, 400, 64), (20, 100, 64), (20, 800, 64), (20, 800, 800)] {
        let values: Vec<Vec<f64>> =
            (0..trainers).map(|trainer| values(trainer, nodes_max, (nodes / trainers).min(nodes_max))).collect();
        let values: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
        let name = format!("counts/{trainers} x {nodes}, at most {nodes_max}");
        criterion.bench_function(&name, |bench| bench.iter(|| choose_counts(black_box(&values), nodes as u32)));
        let ready: Vec<Worths> = values.iter().map(|values| Worths::new(values.to_vec())).collect();
        let ready: Vec<&Worths> = ready.iter().collect();
        let name = format!("{name}, ready");
        criterion.bench_function(&name, |bench| bench.iter(|| choose_counts_of(black_box(&ready), nodes as u32)));
    }
}

criterion_group!(benches, counts);
criterion_main!(benches);
