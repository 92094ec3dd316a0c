//! The command line on real files: 195 jobs of ElasticFlow with its A100 profiles, 16 nodes of 8 GPUs; idle nodes of
//! Summit; pickles.
#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.
#![allow(clippy::disallowed_methods)] // Tests need no small code: they sort as the standard library does.

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

/// What people have of BFTrainer are pickles: they are told how to convert them.
#[test]
fn pickles_are_refused_with_the_command_that_converts_them() {
    let Some(data) = folder("bftrainer-summit") else { return };
    for name in ["original-hps-shufflenet-Jbnd-10J.pkl", "original-hps-shufflenet-JNPs-10J.pkl"] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_elastiplan")).arg("inspect").arg(data.join(name)).output().unwrap();
        assert_eq!(output.status.code(), Some(3));
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(told.contains("pd.read_pickle('x.pkl').to_csv('x.csv')"), "{told}");
    }
}

/// The idle nodes of a week on 395 nodes of Summit, beside a second count and what BFTrainer's Figure 1 says.
#[test]
fn a_week_of_idle_nodes_is_summed_up() {
    let Some(data) = folder("bftrainer-summit") else { return };
    let mut command = Command::new(env!("CARGO_BIN_EXE_elastiplan"));
    let log = data.join("idle_intervals.week1.395nodes.csv");
    let output = command.args(["inspect", "--format", "json"]).arg(log).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = &document["idle_nodes"];
    let is_near = |key: &str, expected: f64| {
        let value = found[key].as_f64().unwrap();
        assert!((value - expected).abs() <= 1e-4 * expected, "{key}: {value}");
    };
    // Of the replayer: its steps, their time, equations 17 and 18.
    assert_eq!(found["events"], 5610);
    is_near("span_s", 604_617.0);
    is_near("node_hours", 5585.06);
    is_near("equivalent_nodes", 33.254);
    assert_eq!(found["fragments"], 18_635);
    let ten_minutes = &found["fragments_shorter"][2];
    assert_eq!(ten_minutes["than_s"], 600.0);
    // About 58 % and about 10 % in the paper, of the whole machine over two weeks.
    assert!((0.56..0.61).contains(&ten_minutes["share_by_count"].as_f64().unwrap()), "{ten_minutes}");
    assert!((0.09..0.13).contains(&ten_minutes["share_by_node_time"].as_f64().unwrap()), "{ten_minutes}");
    assert_eq!((&found["period_s"], found["periods"].as_array().unwrap().len()), (&Value::from(21_600.0), 28));
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
