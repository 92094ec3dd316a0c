//! What `--out` writes and `show` reads back.
#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.

use std::path::Path;
use std::process::{Command, Output};

fn elastiplan(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_elastiplan")).args(arguments).current_dir(folder).output().unwrap()
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The sample's files in a folder, simulated; what was printed.
fn simulated(folder: &Path, format: &str) -> String {
    assert!(elastiplan(&["sample", "."], folder).status.success());
    let mut arguments = vec!["simulate", "--jobs", "jobs.csv", "--curves", "curves.csv", "--nodes", "16"];
    arguments.extend(["--gpus-per-node", "8", "--policy", "fixed", "--policy", "equal-share"]);
    arguments.extend(["--out", "results", "--format", format]);
    let output = elastiplan(&arguments, folder);
    assert!(output.status.success(), "{}", said(&output.stderr));
    said(&output.stdout)
}

#[test]
fn show_prints_what_simulate_printed() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["table", "csv"] {
        let printed = simulated(folder.path(), format);
        for path in ["results", "results/runs.elastiplan"] {
            let shown = elastiplan(&["show", path, "--format", format], folder.path());
            assert!(shown.status.success(), "{}", said(&shown.stderr));
            assert_eq!(said(&shown.stdout), printed);
        }
    }
    let runs = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap()["runs"].clone();
    let printed = simulated(folder.path(), "json");
    let shown = elastiplan(&["show", "results", "--format", "json"], folder.path());
    assert_eq!(runs(&said(&shown.stdout)), runs(&printed));
}

#[test]
fn a_record_is_asked_about_jobs_and_differences() {
    let folder = tempfile::tempdir().unwrap();
    simulated(folder.path(), "csv");
    let check = |question: &[&str], expected: &str| {
        let shown = elastiplan(&[&["show", "results"], question].concat(), folder.path());
        assert!(
            shown.status.success() && said(&shown.stdout).contains(expected),
            "{question:?}: {}",
            said(&shown.stdout)
        );
    };
    check(&["--job", "alexnet-1"], "alexnet-1\nAsked for 16 GPUs, submitted 0s");
    check(&["--where", "model:AlexNet -dropped"], " of 48 jobs\n");
    check(&["--diff"], "B equal-share beside A fixed\nFirst difference at 0s\n");
}

#[test]
fn records_that_cannot_be_read_are_told() {
    let folder = tempfile::tempdir().unwrap();
    simulated(folder.path(), "csv");
    let file = folder.path().join("results/runs.elastiplan");
    let good = std::fs::read(&file).unwrap();
    let mut flipped = good.clone();
    flipped[1000] ^= 1;
    let mut newer = good.clone();
    newer[18] = 99;
    let cases: [(&[u8], &str); 5] = [
        (&good[..good.len() / 2], "damaged or cut off"),
        (&flipped, "damaged or cut off"),
        (&good[..10], "cut off after 10 bytes"),
        (&newer, "has version 99, this build reads"),
        (b"job_id,submit_s", "not a record of runs"),
    ];
    for (bytes, expected) in cases {
        std::fs::write(&file, bytes).unwrap();
        let shown = elastiplan(&["show", "results"], folder.path());
        assert_eq!(shown.status.code(), Some(3));
        let message = said(&shown.stderr);
        assert!(
            message.starts_with("elastiplan: results/runs.elastiplan: ") && message.contains(expected),
            "{message}"
        );
    }
    assert_eq!(elastiplan(&["show", "nowhere"], folder.path()).status.code(), Some(3));
}

#[test]
fn several_seeds_have_a_folder_each() {
    let folder = tempfile::tempdir().unwrap();
    let ran = elastiplan(&["run", "nodes-that-fail", "--out", "results", "--format", "csv"], folder.path());
    assert!(ran.status.success(), "{}", said(&ran.stderr));
    for seed in ["1", "2", "3"] {
        let shown = elastiplan(&["show", &format!("results/seed-{seed}"), "--format", "csv"], folder.path());
        let digests = |text: &[u8], at: usize, only: &str| -> Vec<String> {
            let rows: Vec<Vec<String>> =
                said(text).lines().map(|line| line.split(',').map(String::from).collect()).collect();
            rows.into_iter().filter(|row| only.is_empty() || row[1] == only).map(|row| row[at].clone()).collect()
        };
        assert_eq!(digests(&shown.stdout, 1, "")[1..], digests(&ran.stdout, 2, seed));
        assert!(folder.path().join(format!("results/seed-{seed}/losses.csv")).is_file());
    }
}

/// The document of a preset, as it is printed, is that preset.
#[test]
fn a_printed_preset_runs_like_the_preset() {
    let folder = tempfile::tempdir().unwrap();
    let document = elastiplan(&["presets", "idle-nodes"], folder.path());
    std::fs::write(folder.path().join("mine.json"), &document.stdout).unwrap();
    let mine = elastiplan(&["run", "mine.json"], folder.path());
    let preset = elastiplan(&["run", "idle-nodes"], folder.path());
    assert!(mine.status.success(), "{}", said(&mine.stderr));
    assert_eq!(said(&mine.stdout), said(&preset.stdout));
}

/// Formulas, and what samples are worth, are in the record as they were in the document.
#[test]
fn runs_by_formula_are_shown_again() {
    let folder = tempfile::tempdir().unwrap();
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/run-formula/scenario.json");
    let document = document.to_string_lossy();
    let ran = elastiplan(&["run", &document, "--out", "results", "--format", "json"], folder.path());
    assert!(ran.status.success(), "{}", said(&ran.stderr));
    let shown = elastiplan(&["show", "results", "--format", "json"], folder.path());
    let json = |text: &[u8]| serde_json::from_slice::<serde_json::Value>(text).unwrap();
    assert_eq!(json(&shown.stdout)["runs"], json(&ran.stdout)["seeds"][0]["runs"]);
}
