//! Pollux, Optimus and Tiresias against what Pollux's public artifact does on the same workloads.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use elastiplan_engine::{Run, Simulation};
use elastiplan_formats::{Options, Source, import};
use elastiplan_metrics::completion_s;
use elastiplan_model::{Cluster, Workload};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Conditions;

use crate::data_pack::folder;

/// Everything below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn workload(number: u32) -> Option<Workload> {
    let data = folder("pollux")?;
    let paths = files(&data.join("traces")).into_iter().chain([data.join(format!("workloads/workload-{number}.csv"))]);
    let file = |path: PathBuf| (path.to_str().unwrap().to_string(), std::fs::read(path).unwrap());
    let files: Vec<(String, Vec<u8>)> = paths.map(file).collect();
    let sources = files.iter().map(|(path, bytes)| Source::from_bytes(path.as_str(), bytes)).collect();
    let import = import(sources, &Options::default(), &mut |_| {});
    let (workload, _) = Workload::bind(&import.trace.unwrap(), &import.curves);
    assert_eq!(workload.jobs().len(), 160, "workload {number}");
    Some(workload)
}

/// On 16 nodes of 4 GPUs, where every start and every change takes 30 s.
fn run(spec: &str, workload: &Workload, seed: u64) -> Run {
    let spec: PolicySpec = spec.parse().unwrap();
    let settings = Conditions { start_delay_s: 30.0, ..Conditions::with_rescale_cost_s(30.0) };
    let policy = spec.build(seed).unwrap();
    let cluster = Cluster::new(16, 4).unwrap();
    Simulation::new(workload, cluster, settings, spec.to_string(), policy).unwrap().run_to_end().unwrap()
}

/// Completion times by the names of jobs, from submission.
fn jcts(run: &Run, workload: &Workload) -> BTreeMap<String, f64> {
    let jobs = workload.trace().iter();
    jobs.map(|(id, job)| (job.name.clone(), completion_s(run, id).unwrap() - job.submit_s)).collect()
}

/// Those of the artifact.
fn jcts_there(policy: &str, number: u32) -> BTreeMap<String, f64> {
    let text = std::fs::read_to_string(folder("pollux").unwrap().join("oracle/reference-jcts-w1-4.csv")).unwrap();
    let rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let workload = format!("workload-{number}");
    let own = rows.filter(|row| row[0] == policy && row[1] == workload);
    own.map(|row| (row[2].to_string(), row[4].parse().unwrap())).collect()
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    values.iter().sum::<f64>() / values.len() as f64
}

fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let (here, there) = (mean(pairs.iter().map(|pair| pair.0)), mean(pairs.iter().map(|pair| pair.1)));
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
    let together = sum(&|pair| (pair.0 - here) * (pair.1 - there));
    together / (sum(&|pair| (pair.0 - here).powi(2)) * sum(&|pair| (pair.1 - there).powi(2))).sqrt()
}

/// How alike the runs of a policy are on the four workloads.
fn check(spec: &str, policy: &str, jct_within: f64, makespan_within: f64, correlation_at_least: f64) {
    for number in 1..=4 {
        let Some(workload) = workload(number) else { return };
        let run = run(spec, &workload, 0);
        let (here, there) = (jcts(&run, &workload), jcts_there(policy, number));
        let pairs: Vec<(f64, f64)> = there.iter().map(|(name, jct_s)| (here[name], *jct_s)).collect();
        assert_eq!(pairs.len(), 160);
        let jct = mean(here.values().copied()) / mean(there.values().copied());
        let ends = |jcts: &BTreeMap<String, f64>| {
            let ends = workload.trace().iter().map(|(_, job)| job.submit_s + jcts[&job.name]);
            ends.fold(0.0, f64::max)
        };
        let makespan = ends(&here) / ends(&there);
        let correlation = correlation(&pairs);
        println!("{spec}, workload {number}: JCT x {jct:.4}, makespan x {makespan:.4}, correlation {correlation:.5}");
        assert!((jct - 1.0).abs() <= jct_within, "{spec}, workload {number}: JCT x {jct}");
        assert!((makespan - 1.0).abs() <= makespan_within, "{spec}, workload {number}: makespan x {makespan}");
        assert!(correlation >= correlation_at_least, "{spec}, workload {number}: correlation {correlation}");
    }
}

#[test]
fn tiresias_with_two_queues_is_the_artifacts() {
    check("tiresias[two_queues=true]", "tiresias", 0.01, 0.02, 0.999);
}

#[test]
fn optimus_is_near_the_artifacts() {
    // On more than four nodes the artifact's own step times depend on the order in which its points are read.
    check("optimus[artifact=true]", "optimus", 0.03, 0.045, 0.99);
}

#[test]
fn pollux_gets_as_much_done_as_the_artifact() {
    let seeds = 0..if std::env::var_os("ELASTIPLAN_CASES").is_some() { 5 } else { 1 };
    let mut all = Vec::new();
    for seed in seeds {
        let mut jct_s = Vec::new();
        for number in 1..=4 {
            let Some(workload) = workload(number) else { return };
            jct_s.push(mean(jcts(&run("pollux[artifact=true]", &workload, seed), &workload).into_values()));
        }
        all.push(mean(jct_s.into_iter()));
    }
    println!("average JCT with each seed: {all:?}");
    // The artifact's saved runs: 2,580 s.
    assert!(mean(all.iter().copied()) <= 2580.3, "{all:?}");
}
