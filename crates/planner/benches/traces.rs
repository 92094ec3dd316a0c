//! How long it takes to read real traces and to run policies on them.
//!
//! `cargo bench -p elastiplan-planner`. Needs the data pack (`ELASTIPLAN_DATA`); without it only the sample is run.

#![allow(clippy::disallowed_methods)] // Tests need no small code: they sort as the standard library does.
use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use elastiplan_formats::{Import, Options, Source, import};
use elastiplan_model::Cluster;
use elastiplan_planner::run;
use elastiplan_scenario::{Scenario, sample};

use data_pack::folder;

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

/// The 82,247 jobs of Microsoft's Philly trace on 300 nodes of 8 GPUs, as a plain job trace with a curve on which run
/// times are as recorded.
fn philly() -> Option<Scenario> {
    let text = std::fs::read_to_string(folder("philly")?.join("philly.csv")).ok()?;
    let mut rows: Vec<(f64, f64, u32)> = text.lines().skip(1).filter_map(philly_row).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let start_s = rows.first()?.0;
    let mut jobs = String::from("job_id,submit_s,model,gpus,duration_s\n");
    for (number, (submit_s, duration_s, gpus)) in rows.iter().enumerate() {
        jobs += &format!("{number},{},any,{gpus},{duration_s}\n", submit_s - start_s);
    }
    let curve: String = (0..=7).map(|power| format!("any,{0},{0}\n", 1 << power)).collect();
    let curves = format!("model,gpus,samples_per_s\n{curve}");
    let files = [("jobs.csv".to_string(), jobs.into_bytes()), ("curves.csv".to_string(), curves.into_bytes())];
    let import = read(&files);
    Some(Scenario::new(import.trace?, import.curves, Cluster::new(300, 8).ok()?))
}

/// Submission in seconds, duration in seconds, GPUs; of `2017-10-09 07:01:55,66.0,1,66.0,11cb48`. All days lie within
/// four months of one year.
fn philly_row(line: &str) -> Option<(f64, f64, u32)> {
    let cells: Vec<&str> = line.split(',').collect();
    let [at, duration_s, gpus, ..] = cells[..] else { return None };
    let number = |from: usize, to: usize| at.get(from..to)?.parse::<f64>().ok();
    let days_before = match at.get(5..7)? {
        "09" => 0.0,
        "10" => 30.0,
        "11" => 61.0,
        "12" => 91.0,
        _ => 0.0,
    };
    let days = days_before + number(8, 10)?;
    let submit_s = ((days * 24.0 + number(11, 13)?) * 60.0 + number(14, 16)?) * 60.0 + number(17, 19)?;
    Some((submit_s, duration_s.parse().ok()?, gpus.parse().ok()?))
}

fn benches(criterion: &mut Criterion) {
    bench_policies(criterion, "sample", &sample::scenario(sample::SEED), &POLICIES);
    if let Some(scenario) = philly() {
        bench_policies(criterion, "philly, 2,400 GPUs", &scenario, &["fixed", "shortest-first"]);
    }
    let Some(data) = folder("elasticflow") else { return };
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
