//! What a decision of ModelArts costs: `cargo bench -p elastiplan-solvers --bench horizon`.
//!
//! Five steps of 300 s on 1, 2, 4, 8 or 16 nodes. `wide`: work from minutes to days, of which a few jobs have most;
//! `few`: three works, of which every job has one, as where settings are tried out. Those are hard: the search is cut
//! short.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use elastiplan_solvers::horizon::{Demand, StepOption, WORK_CAP, plan};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const STEP_S: f64 = 300.0;

/// Seconds on one node: the median is an hour and a half, one job in forty has more than a day.
fn wide_s(random: &mut ChaCha8Rng) -> f64 {
    // A sum of twelve is as good as normally distributed.
    let normal = (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
    libm::exp(8.6 + 1.4 * normal).clamp(120.0, 400_000.0)
}

fn horizon(criterion: &mut Criterion) {
    let speed = |nodes: u32| f64::from(nodes) * libm::pow(0.8, libm::log2(f64::from(nodes)));
    let options = [1, 2, 4, 8, 16].map(|units| StepOption { units, work: STEP_S * speed(units) });
    for (jobs, nodes) in [(10, 70), (30, 70), (60, 110), (100, 190)] {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let wide: Vec<f64> = (0..jobs).map(|_| wide_s(&mut random)).collect();
        let few: Vec<f64> = (0..jobs).map(|_| [1200.0, 3100.0, 7300.0][random.random_range(0..3)]).collect();
        for (name, works_s) in [("wide", wide), ("few", few)] {
            let demands: Vec<Demand<'_>> =
                works_s.iter().map(|work| Demand { work: *work, options: &options }).collect();
            let name = format!("horizon/{jobs} x {nodes}, {name}");
            println!("{name}: {:.5} at most better", plan(&demands, nodes, 5, WORK_CAP).gap());
            criterion.bench_function(&name, |bench| bench.iter(|| plan(black_box(&demands), nodes, 5, WORK_CAP)));
        }
    }
}

criterion_group!(benches, horizon);
criterion_main!(benches);
