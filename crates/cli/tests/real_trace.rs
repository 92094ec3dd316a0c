//! The command line on a real trace: 195 jobs of ElasticFlow with its A100 profiles, 16 nodes of 8 GPUs.
#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use data_pack::folder;

#[path = "../../../tests/data_pack.rs"]
mod data_pack;

const POLICIES: [&str; 4] = ["fixed", "fixed[backfill=true]", "equal-share", "elastic-dp"];
const GPUS: i64 = 128;

fn simulate(data: &Path, out: &Path) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_elastiplan"));
    command.args(["simulate", "--nodes", "16", "--gpus-per-node", "8", "--format", "json", "--jobs"]);
    command.arg(data.join("traces/195job.csv")).arg("--curves").arg(data.join("profiles/A100"));
    for policy in POLICIES {
        command.args(["--policy", policy]);
    }
    let output = command.arg("--out").arg(out).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The rows of a table of one policy, cells split.
fn rows(out: &Path, file: &str, policy: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(out.join(file)).unwrap();
    let cells = |line: &str| line.rsplit(',').map(str::to_string).collect::<Vec<_>>();
    // Policy ids may hold commas, and then stand in quotes; the columns asked for are counted from the end.
    text.lines()
        .skip(1)
        .filter(|line| line.trim_start_matches('"').starts_with(&format!("{policy},")))
        .map(cells)
        .collect()
}

#[test]
fn every_job_is_accounted_for_and_no_gpu_is_given_twice() {
    let Some(data) = folder("elasticflow") else { return };
    let out = tempfile::tempdir().unwrap();
    let document = simulate(&data, out.path());
    assert_eq!(document["version"], 1);
    for (run, policy) in document["runs"].as_array().unwrap().iter().zip(POLICIES) {
        assert_eq!(run["policy"], policy);
        let metrics = &run["metrics"];
        let count = |key: &str| metrics[key].as_u64().unwrap();
        assert_eq!(count("jobs_total"), 195);
        assert_eq!(count("jobs_completed") + count("jobs_dropped") + count("jobs_unfinished"), 195, "{policy}");

        assert_eq!(rows(out.path(), "jobs.csv", policy).len(), 195);
        // Every change of the GPUs in use, in order of time; what ends at a moment ends before what begins.
        let mut changes: Vec<(f64, i64)> = Vec::new();
        for span in rows(out.path(), "spans.csv", policy) {
            let (gpus, end_s, start_s) = (&span[4], &span[5], &span[6]);
            let gpus: i64 = gpus.parse().unwrap();
            changes.push((start_s.parse().unwrap(), gpus));
            changes.push((end_s.parse().unwrap(), -gpus));
        }
        changes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut in_use = 0;
        for (time_s, change) in changes {
            in_use += change;
            assert!((0..=GPUS).contains(&in_use), "{policy}: {in_use} GPUs at {time_s} s");
        }
        assert_eq!(in_use, 0);
        let series = rows(out.path(), "series.csv", policy);
        assert!(series.iter().all(|row| row[3].parse::<i64>().unwrap() <= GPUS));
    }
}

#[test]
fn the_same_command_gives_the_same_digests() {
    let Some(data) = folder("elasticflow") else { return };
    let out = tempfile::tempdir().unwrap();
    let digests = || -> BTreeMap<String, String> {
        let document = simulate(&data, out.path());
        let text = |value: &Value| value.as_str().unwrap().to_string();
        document["runs"].as_array().unwrap().iter().map(|run| (text(&run["policy"]), text(&run["digest"]))).collect()
    };
    let first = digests();
    assert_eq!(first.len(), POLICIES.len());
    assert_eq!(first, digests());
}
