//! How long it takes to read real traces and to run policies on them.
//!
//! `cargo bench -p elastiplan-scenario`. Needs the data pack (`ELASTIPLAN_DATA`); without it only the sample is run.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use elastiplan_formats::{Import, Options, Source, import};
use elastiplan_model::Cluster;
use elastiplan_scenario::{Scenario, WhatIf, run, sample};

use data_pack::elasticflow;

#[path = "../../../tests/data_pack.rs"]
mod data_pack;

const POLICIES: [&str; 4] = ["fixed", "fixed[backfill=true]", "equal-share", "elastic-dp"];

/// A trace and the A100 profiles, as bytes.
fn files(data: &Path, trace: &str) -> Vec<(String, Vec<u8>)> {
    let mut paths = vec![data.join("traces").join(trace)];
    let profiles = std::fs::read_dir(data.join("profiles/A100")).into_iter().flatten().flatten();
    paths.extend(profiles.map(|entry| entry.path()));
    paths.iter().filter_map(|path| Some((path.display().to_string(), std::fs::read(path).ok()?))).collect()
}

fn read(files: &[(String, Vec<u8>)]) -> Import {
    let sources = files.iter().map(|(path, bytes)| Source::from_bytes(path.clone(), bytes)).collect();
    import(sources, &Options::default(), &mut |_| {})
}

fn bench_policies(criterion: &mut Criterion, name: &str, scenario: &Scenario, policies: &[&str]) {
    let (workload, _) = scenario.workload();
    let mut group = criterion.benchmark_group(name);
    for policy in policies {
        let Ok(spec) = policy.parse() else { continue };
        group.bench_function(*policy, |bencher| bencher.iter(|| black_box(run(scenario, &workload, &spec))));
    }
    group.finish();
}

fn benches(criterion: &mut Criterion) {
    bench_policies(criterion, "sample", &sample::scenario(sample::SEED), &POLICIES);
    let Some(data) = elasticflow() else { return };
    let Ok(cluster) = Cluster::new(16, 8) else { return };
    for (trace, policies) in [("195job.csv", &POLICIES[..]), ("cluster07.csv", &POLICIES[..1])] {
        let files = files(&data, trace);
        criterion.bench_function(&format!("read {trace}"), |bencher| bencher.iter(|| black_box(read(&files))));
        let import = read(&files);
        let Some(jobs) = import.trace else { continue };
        let scenario = Scenario::new(jobs, import.curves, cluster);
        bench_policies(criterion, trace, &scenario, policies);
    }
}

criterion_group! {
    name = traces;
    config = Criterion::default().sample_size(20);
    targets = benches
}
criterion_main!(traces);
