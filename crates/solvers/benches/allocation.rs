//! What a decision of IBM's optimizer costs: `cargo bench -p elastiplan-solvers --bench allocation`.
//!
//! Jobs need one GPU at least and run on 10 or 16 at most. `concave`: no GPU adds more than the one before. `in steps`:
//! speeds jump wherever a node more is needed. `4 models`: the same, but many jobs are alike, as in the paper. Where
//! there are as many jobs as GPUs, each gets one.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use elastiplan_solvers::{Bidder, allocate};

fn concave(job: usize, gpus: usize) -> f64 {
    libm::pow(gpus as f64, 0.4 + 0.5 * ((job * 7) % 101) as f64 / 101.0)
}

fn in_steps(job: usize, gpus: usize) -> f64 {
    let loss = 0.02 + 0.1 * ((job * 13) % 89) as f64 / 89.0;
    concave(job, gpus) * (1.0 - loss * (gpus.div_ceil(2 + job % 3) - 1) as f64 / gpus as f64)
        + 0.3 * ((gpus.is_multiple_of(4)) as u8 as f64)
}

fn allocation(criterion: &mut Criterion) {
    type Speedup = fn(usize, usize) -> f64;
    let kinds: [(&str, Speedup, usize); 3] =
        [("concave", concave, usize::MAX), ("in steps", in_steps, usize::MAX), ("4 models", in_steps, 4)];
    let sizes = [(40, 40, 10), (20, 40, 10), (400, 400, 10), (200, 400, 10), (4000, 4000, 16), (2000, 4000, 16)];
    for (kind, speedup, models) in kinds {
        for (jobs, gpus, gpus_max) in sizes {
            let curve = |job: usize| (1..=gpus_max).map(|gpus| speedup(job % models, gpus)).collect::<Vec<f64>>();
            let curves: Vec<Vec<f64>> = (0..jobs).map(curve).collect();
            let bidders: Vec<Bidder<'_>> = curves.iter().map(|values| Bidder { minimum: 1, values }).collect();
            let name = format!("allocation/{kind}, {jobs} jobs, {gpus} GPUs, at most {gpus_max}");
            criterion.bench_function(&name, |bench| bench.iter(|| allocate(black_box(&bidders), gpus)));
        }
    }
}

criterion_group!(benches, allocation);
criterion_main!(benches);
