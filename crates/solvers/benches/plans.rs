//! The cost of the solvers that sort most: `cargo bench -p elastiplan-solvers --bench plans`.
//!
//! `claims`: shares of claims of different lengths. `leases`: the holders of the next lease, which
//! Chronus asks for at every decision.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use elastiplan_solvers::leases::{Goal, Tenant, plan};
use elastiplan_solvers::{Claim, meet};

fn claims(criterion: &mut Criterion) {
    for count in [10_u32, 100, 1000] {
        let claim = |at: u32| {
            let from = f64::from(at * 7919 % 1009);
            Claim { from, until: from + 1.0 + f64::from(at * 104_729 % 211), amount: 1.0 + f64::from(at % 17) }
        };
        let claims: Vec<Claim> = (0..count).map(claim).collect();
        let name = format!("claims/{count}");
        criterion.bench_function(&name, |bench| bench.iter(|| meet(black_box(&claims), |time| 4.0 * time)));
    }
}

fn leases(criterion: &mut Criterion) {
    for (count, capacity) in [(10_u32, 24), (50, 120), (200, 480)] {
        let tenant = |at: u32| {
            let needed = 1 + at * 7919 % 13;
            Tenant { width: 1 << (at % 4), needed, until: u64::from(needed + at * 104_729 % 29) }
        };
        let tenants: Vec<Tenant> = (0..count).map(tenant).collect();
        for goal in [Goal::Most, Goal::Least] {
            let name = format!("leases/{count} x {capacity}, {goal:?}");
            criterion
                .bench_function(&name, |bench| bench.iter(|| plan(black_box(&tenants), 0, capacity, goal, &[], 2000)));
        }
    }
}

criterion_group!(benches, claims, leases);
criterion_main!(benches);
