//! The cost of the parts of a decision of Pollux: `cargo bench -p elastiplan-solvers --bench pollux`.
//!
//! `search`: placements for jobs that scale differently, none of which holds GPUs yet, by exchange (30 rounds) and by
//! the genetic algorithm (10 generations); the fitness found is printed. `speed-ups`: the best batches of a model on 1
//! to 64 GPUs, on one node and on several. `fit`: the seven parameters of a throughput model from 24 measurements.

#![allow(clippy::expect_used)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use elastiplan_model::ThroughputModel;
use elastiplan_solvers::fit::{FitRules, Measured, fit};
use elastiplan_solvers::goodput::{BatchSearch, Goodput};
use elastiplan_solvers::placement_search::{
    Breeding, Exchange, Genetic, Mean, PlacementSearch, Problem, Restart, SearchJob,
};

/// How many placements live on from generation to generation (section 5.1).
const POPULATION: usize = 100;

fn problem(nodes: usize, jobs: usize) -> Problem {
    let job = |at: usize| {
        let power = 0.5 + 0.4 * ((at * 37 % 100) as f64 / 100.0);
        let list = |loss: f64| (0..=64).map(|gpus| loss * libm::pow(f64::from(gpus), power) / 8.0).collect();
        SearchJob {
            current: vec![0; nodes],
            weight: 1.0,
            on_one_node: list(1.0),
            on_several: list(0.8),
            restart: Restart { factor: 0.9, minus: 0.0 },
        }
    };
    Problem::new(&vec![8; nodes], (0..jobs).map(job).collect(), Mean::HARMONIC, true).expect("a valid problem")
}

fn searches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    for (nodes, jobs) in [(16, 64), (64, 100), (128, 200)] {
        let problem = problem(nodes, jobs);
        let exchange = |problem: &Problem| {
            let mut search = Exchange::new(problem, &[], 1);
            search.advance(30);
            search.fitness()
        };
        let genetic = |problem: &Problem| {
            let mut search = Genetic::new(problem, &[], Breeding::Paper, POPULATION, 1);
            search.advance(10);
            search.fitness()
        };
        let bound = problem.fitness_bound();
        println!(
            "{nodes} x {jobs}: exchange {:.5}, genetic {:.5}, {bound:.5} at most",
            exchange(&problem),
            genetic(&problem)
        );
        group.bench_function(format!("{nodes} x {jobs}, exchange"), |bench| {
            bench.iter(|| exchange(black_box(&problem)))
        });
        group.bench_function(format!("{nodes} x {jobs}, genetic"), |bench| bench.iter(|| genetic(black_box(&problem))));
    }
}

const TIMES: ThroughputModel = ThroughputModel {
    gradient_s: 0.03,
    gradient_s_per_sample: 0.002,
    local_sync_s: 0.02,
    local_sync_s_per_gpu: 0.003,
    node_sync_s: 0.08,
    node_sync_s_per_gpu: 0.01,
    overlap: 1.6,
    batch_per_gpu_max: 256,
    gpus_per_node: 4,
    gpus_max: 64,
};

fn speedups(criterion: &mut Criterion) {
    let goodput = Goodput {
        times: TIMES,
        noise_scale: 2_000.0,
        batch_base: 128,
        batch_max: 4096,
        batch_per_gpu_min: 8,
        passes_alone: 2,
    };
    for search in [BatchSearch::GoldenSection, BatchSearch::Grid] {
        let table = |goodput: &Goodput| -> f64 {
            let placements = (1..=64).flat_map(|gpus| [(gpus, 1), (gpus, 2)]);
            let best = placements.filter_map(|(gpus, nodes)| goodput.best_batch(gpus, nodes, search));
            best.map(|batch| batch.samples_per_s).sum()
        };
        criterion.bench_function(&format!("speed-ups/{search:?}"), |bench| bench.iter(|| table(black_box(&goodput))));
    }
}

fn fits(criterion: &mut Criterion) {
    let measured: Vec<Measured> = (0..24_u32)
        .map(|at| {
            let (gpus, batch_per_gpu) = (1 << (at % 6), f64::from(8 << (at % 4)));
            let pass_s = TIMES.gradient_s + TIMES.gradient_s_per_sample * batch_per_gpu;
            let sync_s = if gpus > 1 { 0.02 + 0.004 * f64::from(gpus + at % 3) } else { 0.0 };
            Measured { gpus, nodes: gpus.div_ceil(4), batch_per_gpu, pass_s, step_s: pass_s + sync_s }
        })
        .collect();
    for (name, rules) in [("paper", FitRules::PAPER), ("artifact", FitRules::ARTIFACT)] {
        criterion
            .bench_function(&format!("fit/{name}"), |bench| bench.iter(|| fit(black_box(&measured), &rules, None)));
    }
}

criterion_group!(benches, searches, speedups, fits);
criterion_main!(benches);
