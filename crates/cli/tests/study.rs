//! Studies on the command line: kept runs, parts, and the same answer whichever way they were made.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

const SCENARIO: &str = r#"{
  "elastiplan": 1,
  "jobs": { "generated": { "generator": "elasticflow", "jobs": 20, "interarrival_s": 900 } },
  "curves": { "published": "elasticflow-a100" },
  "cluster": { "nodes": 2, "gpus_per_node": 8 },
  "policies": ["fixed", "equal-share"],
  "study": {
    "axes": { "cluster.nodes": [1, 2, 4, 8] },
    "seeds": { "at_least": 5, "at_most": 10 },
    "goals": [{ "metric": "deadline_satisfactory_ratio", "at_least": 0.5 }]
  }
}"#;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("study.json"), SCENARIO).unwrap();
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// What a command prints; it must end well.
    fn run(&self, arguments: &str) -> String {
        let (is_good, stdout, stderr) = self.try_run(arguments);
        assert!(is_good, "{arguments}: {stderr}");
        stdout
    }

    fn try_run(&self, arguments: &str) -> (bool, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_elastiplan"))
            .args(arguments.split_whitespace())
            .current_dir(self.path())
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.success(), text(&output.stdout), text(&output.stderr))
    }

    /// Every file of a store, with the time at which it was written.
    fn kept(&self, store: &str) -> BTreeMap<PathBuf, SystemTime> {
        let groups = fs::read_dir(self.path().join(store)).unwrap();
        let files = groups.flat_map(|group| fs::read_dir(group.unwrap().path()).unwrap());
        files
            .map(|file| file.unwrap().path())
            .map(|path| (path.clone(), path.metadata().unwrap().modified().unwrap()))
            .collect()
    }
}

#[test]
fn threads_and_stores_change_nothing() {
    let folder = Folder::new();
    let whole = folder.run("study study.json --format json --threads 1");
    assert_eq!(folder.run("study study.json --format json --threads 4"), whole);
    assert_eq!(folder.run("study study.json --format json --store runs"), whole);
    let kept = folder.kept("runs");
    assert_eq!(folder.run("study study.json --format json --store runs"), whole);
    assert_eq!(folder.kept("runs"), kept, "nothing is made twice");
}

#[test]
fn what_was_stopped_goes_on() {
    let folder = Folder::new();
    let whole = folder.run("study study.json --format json --store runs");
    let kept = folder.kept("runs");
    for (path, _) in kept.iter().step_by(3) {
        fs::remove_file(path).unwrap();
    }
    let left = folder.kept("runs");
    assert_eq!(folder.run("study study.json --format json --store runs"), whole);
    let again = folder.kept("runs");
    assert_eq!(again.len(), kept.len());
    assert!(left.iter().all(|(path, at)| again[path] == *at), "what was there is not made again");
}

#[test]
fn a_larger_study_uses_the_runs_of_a_smaller_one() {
    let folder = Folder::new();
    folder.run("study study.json --store runs");
    let kept = folder.kept("runs");
    fs::write(folder.path().join("study.json"), SCENARIO.replace("[1, 2, 4, 8]", "[1, 2, 3, 4, 8]")).unwrap();
    folder.run("study study.json --store runs");
    let more = folder.kept("runs");
    assert!(more.len() > kept.len() && kept.iter().all(|(path, at)| more[path] == *at));
}

#[test]
fn parts_make_the_whole() {
    let folder = Folder::new();
    let whole = folder.run("study study.json --format json");
    for _ in 0..10 {
        let planned = folder.run("study plan study.json --out units.jsonl --store runs");
        if planned.starts_with("0 runs") {
            break;
        }
        for shard in 0..3 {
            folder.run(&format!("study run units.jsonl --shard {shard}/3 --store runs"));
        }
        let status = folder.run("study status units.jsonl --store runs");
        let (there, rest) = status.split_once(" of ").unwrap();
        assert!(rest.starts_with(&format!("{there} runs")), "{status}");
    }
    assert_eq!(folder.run("study merge study.json --store runs --format json"), whole);
}

#[test]
fn damaged_runs_are_made_again_and_counted() {
    let folder = Folder::new();
    let whole = folder.run("study study.json --store runs");
    let kept = folder.kept("runs");
    for (path, _) in kept.iter().take(2) {
        let text = fs::read_to_string(path).unwrap();
        fs::write(path, text.replacen("\"jobs_total\":20", "\"jobs_total\":21", 1)).unwrap();
    }
    let (is_good, again, message) = folder.try_run("study study.json --store runs");
    assert!(is_good && again == whole, "{message}");
    assert!(message.contains("2 kept runs were damaged: they count as missing and are made again"), "{message}");
    assert_eq!(folder.kept("runs").len(), kept.len());
    let (_, again, message) = folder.try_run("study study.json --store runs");
    assert!(again == whole && !message.contains("damaged"), "{message}");
}

#[test]
fn a_store_that_takes_no_more_is_said_and_the_study_goes_on() {
    let folder = Folder::new();
    let whole = folder.run("study study.json");
    fs::create_dir(folder.path().join("runs")).unwrap();
    // No run can be written where a file stands in the place of its folder.
    for group in 0..256 {
        fs::write(folder.path().join("runs").join(format!("{group:02x}")), "").unwrap();
    }
    let (is_good, found, message) = folder.try_run("study study.json --store runs");
    assert!(is_good && found == whole, "{message}");
    assert!(message.contains("Not all runs are kept: ") && message.contains("complete all the same"), "{message}");
    // Where keeping them is all that is done, it is an error.
    folder.run("study plan study.json --out units.jsonl");
    let (is_good, ..) = folder.try_run("study run units.jsonl --store runs");
    assert!(!is_good);
}

/// What a study prints after a change of its text, on both outputs.
fn told(change: impl Fn(&str) -> String, arguments: &str) -> (bool, String) {
    let folder = Folder::new();
    fs::write(folder.path().join("study.json"), change(SCENARIO)).unwrap();
    let (is_good, stdout, stderr) = folder.try_run(&format!("study study.json {arguments}"));
    (is_good, stdout + &stderr)
}

#[test]
fn goals_without_values_are_named_before_any_run() {
    let no_deadlines = |text: &str| text.replace("\"jobs\": 20,", "\"jobs\": 20, \"best_effort_share\": 1,");
    let (is_good, message) = told(no_deadlines, "");
    assert!(
        !is_good && message.contains("deadlines met is not a goal for these jobs: no job has a deadline"),
        "{message}"
    );
    let cost = |text: &str| text.replace("deadline_satisfactory_ratio\", \"at_least\"", "cost_dollars\", \"at_most\"");
    let (is_good, message) = told(cost, "");
    assert!(!is_good && message.contains("no price is set. Set a price per GPU-hour, or another goal"), "{message}");
    let priced = |text: &str| cost(text).replace("\"cluster.nodes\"", "\"conditions.price_per_gpu_hour\"");
    let (is_good, message) = told(priced, "");
    assert!(is_good && message.contains("cost ≤ $0.50"), "{message}");
}

/// The first values of the rows of tables with one axis.
fn rows(text: &str) -> Vec<&str> {
    let is_row = |line: &&str| line.contains("% (") && line.starts_with(|letter: char| letter.is_ascii_digit());
    text.lines().filter(is_row).filter_map(|line| line.split_whitespace().next()).collect()
}

#[test]
fn a_million_points_are_estimated_and_offered_smaller() {
    let many = |text: &str| {
        let axes =
            "{\"from\": 1, \"to\": 1000}, \"what_if.arrival_rate\": {\"from\": 1, \"to\": 1.999, \"step\": 0.001}";
        text.replace("[1, 2, 4, 8]", axes).replace("{ \"at_least\": 5, \"at_most\": 10 }", "1")
    };
    let (is_good, message) = told(many, "");
    assert!(
        !is_good && message.contains("1,000,000 points × 2 policies × 1 seed: 2,000,000 runs, about "),
        "{message}"
    );
    assert!(message.contains(": --every 8. All of them: --all"), "{message}");
    let few = |text: &str| text.replace("[1, 2, 4, 8]", "{\"from\": 1, \"to\": 8}");
    let (is_good, message) = told(few, "--every 4");
    assert!(is_good && rows(&message) == ["1", "5"], "{message}");
    assert!(told(few, "--every 0").1.contains("--every: 0 is not a number from 1"));
}

#[test]
fn below_five_seeds_nothing_is_claimed_and_no_interval_leaves_what_is_possible() {
    let (_, message) = told(|text| text.replace("{ \"at_least\": 5, \"at_most\": 10 }", "3"), "");
    assert!(message.contains("with nothing claimed below 5 seeds: fixed open at"), "{message}");
    let (_, message) = told(|text| text.replace("[1, 2, 4, 8]", "[8, 16]"), "");
    let percents = message.split(|c: char| !c.is_ascii_digit() && c != '.' && c != '%' && c != '-');
    let percents: Vec<f64> = percents.filter_map(|text| text.strip_suffix('%')?.parse().ok()).collect();
    assert!(percents.len() > 6 && percents.iter().all(|percent| (0.0..=100.0).contains(percent)), "{message}");
}

#[test]
fn wrong_use_is_named() {
    let folder = Folder::new();
    let check = |arguments: &str, expected: &str| {
        let (is_good, _, message) = folder.try_run(arguments);
        assert!(!is_good && message.contains(expected), "{arguments}: {message}");
    };
    check("study study.json --threads 0", "--threads: 0 is not a number of threads from 1");
    folder.run("study plan study.json --out units.jsonl");
    check("study run units.jsonl --shard 3/3 --store runs", "--shard: 3/3 is not i/n with i from 0 to n - 1");
    check("study run units.jsonl --shard 0/3", "--store: say where the runs are to be kept");
    let text = fs::read_to_string(folder.path().join("units.jsonl")).unwrap();
    let cut: String = text.lines().take(3).map(|line| format!("{line}\n")).collect();
    fs::write(folder.path().join("cut.jsonl"), cut).unwrap();
    check("study run cut.jsonl --store runs", "the file is cut");
    fs::write(folder.path().join("study.json"), SCENARIO.replace("\"jobs\": 20", "\"jobs\": 21")).unwrap();
    check("study run units.jsonl --store runs", "plan again");
}
