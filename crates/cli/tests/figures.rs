//! `--figures`: the page's charts as files.
#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use elastiplan_documents::record;
use elastiplan_present::charts::figures_of_runs;
use elastiplan_present::drawing::svg::saved_svg;
use elastiplan_present::paper::Paper;
use elastiplan_present::provenance::Provenance;
use elastiplan_present::runs::RunEntry;

fn elastiplan(arguments: &[&str], folder: &Path) {
    let output = Command::new(env!("CARGO_BIN_EXE_elastiplan")).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| (path.file_name().unwrap().to_str().unwrap().into(), fs::read_to_string(&path).unwrap()))
        .collect()
}

#[test]
fn files_are_those_that_the_page_saves() {
    let folder = tempfile::tempdir().unwrap();
    elastiplan(&["sample", "."], folder.path());
    let mut arguments = vec!["simulate", "--jobs", "jobs.csv", "--curves", "curves.csv", "--nodes", "16"];
    arguments.extend(["--gpus-per-node", "8", "--policy", "fixed", "--policy", "equal-share"]);
    arguments.extend(["--out", "results", "--figures", "figures"]);
    elastiplan(&arguments, folder.path());
    elastiplan(&["show", "results", "--job", "alexnet-1", "--figures", "with-job"], folder.path());

    let record = record::read(&fs::read(folder.path().join("results").join(record::FILE_NAME)).unwrap()).unwrap();
    let entry = |(slot, run): (usize, &elastiplan_planner::PolicyRun)| RunEntry::finished(slot, run.clone());
    let entries: Vec<RunEntry> = record.runs.iter().enumerate().map(entry).collect();
    let software = format!("Elastiplan {}", env!("CARGO_PKG_VERSION"));
    let provenance = Provenance::of("jobs.csv", &record.scenario, &entries, software);
    let figures = figures_of_runs(&entries, &record.scenario.workload().0, &Paper::default());
    let expected: BTreeMap<String, String> =
        figures.iter().map(|figure| (format!("{}.svg", figure.name), saved_svg(figure, &provenance))).collect();
    let written = files(&folder.path().join("figures"));
    assert_eq!(written.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    assert!(written == expected, "files differ from figures");

    let with_job = files(&folder.path().join("with-job"));
    let of_job: Vec<&String> = with_job.keys().filter(|name| !written.contains_key(*name)).collect();
    assert_eq!(of_job, ["job-gpus.svg", "job-speed-up.svg", "job-throughput.svg"]);
}
