//! The public traces and profiles, read in place: not one row is lost.

use std::path::{Path, PathBuf};

use elastiplan_formats::export::write_availability;
use elastiplan_formats::{FileKind, Import};
use elastiplan_model::{Availability, NodeChange, Severity, Workload};

use crate::data_pack::folder;

fn read_folder(folder: &Path) -> Import {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    #[allow(clippy::disallowed_methods)]
    paths.sort();
    let names = paths.iter().map(|path| path.file_name().unwrap().to_str().unwrap());
    let contents: Vec<(&str, Vec<u8>)> = names.zip(paths.iter().map(|path| std::fs::read(path).unwrap())).collect();
    let files: Vec<(&str, &[u8])> = contents.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
    crate::read(&files)
}

#[test]
fn every_trace_loads_whole() {
    let Some(data) = folder("elasticflow") else { return };
    let expected = [
        ("195job", 195),
        ("cluster01", 1595),
        ("cluster02", 5778),
        ("cluster05", 3629),
        ("cluster07", 12699),
        ("cluster10", 260),
        ("elasticVpollux_e", 195),
        ("fig10_100job", 100),
        ("gen1000_lam1500", 1000),
        ("gen200_lam900_be0.3", 200),
        ("philly_103959", 876),
        ("resnet_cifar_trace", 5),
    ];
    for (name, jobs) in expected {
        let bytes = std::fs::read(data.join("traces").join(format!("{name}.csv"))).unwrap();
        let import = crate::read(&[(name, &bytes)]);
        let file = &import.files[0];
        assert!(matches!(file.kind, FileKind::JobsElasticFlow(_)), "{file}");
        assert_eq!((file.rows_read, file.rows_defaulted, file.rows_rejected), (jobs, 0, 0), "{file}");
        assert_eq!(import.trace.unwrap().jobs().len() as u64, jobs);
        let worse = import.diagnostics.iter().find(|diagnostic| diagnostic.severity > Severity::Info);
        assert_eq!(worse, None);
    }
}

#[test]
fn every_profile_loads_whole() {
    let Some(data) = folder("elasticflow") else { return };
    for (folder, files, curves, points) in [("A100", 7, 17, 109), ("T4", 6, 9, 60)] {
        let import = read_folder(&data.join("profiles").join(folder));
        assert_eq!(import.files.len(), files);
        for file in &import.files {
            assert_eq!(file.kind, FileKind::CurvesElasticFlow, "{file}");
            assert_eq!((file.rows_defaulted, file.rows_rejected), (0, 0), "{file}");
        }
        let given: u64 = import.files.iter().map(|file| file.points).sum();
        assert_eq!((import.curves.as_slice().len(), given), (curves, points));
    }
}

#[test]
fn the_long_table_gives_the_same_curves() {
    let Some(data) = folder("elasticflow") else { return };
    let long = std::fs::read(data.join("profiles/throughputs_long.csv")).unwrap();
    let import = crate::read(&[("throughputs_long.csv", &long)]);
    assert_eq!(import.files[0].kind, FileKind::CurvesElasticFlowLong);
    assert_eq!(import.curves, read_folder(&data.join("profiles/A100")).curves);
}

#[test]
fn every_job_of_195job_binds() {
    let Some(data) = folder("elasticflow") else { return };
    let curves = read_folder(&data.join("profiles/A100")).curves;
    let bytes = std::fs::read(data.join("traces/195job.csv")).unwrap();
    let trace = crate::read(&[("195job.csv", &bytes)]).trace.unwrap();
    let (workload, found) = Workload::bind(&trace, &curves);
    assert_eq!(workload.jobs().len(), 195, "{found:?}");
}

/// The logs of idle nodes, with what they are, their rows, nodes and intervals.
const LOGS: [(&str, FileKind, u64, u64, u64); 4] = [
    ("idle_intervals.week1.395nodes.csv", FileKind::AvailabilityIntervals, 18_635, 391, 18_635),
    ("node_events.2h.allnodes.csv", FileKind::AvailabilityEvents, 10_645, 2790, 5330),
    ("ndstat_wide.24h.128nodes.csv", FileKind::AvailabilityMatrix, 160, 124, 310),
    ("idle_node_count.week1.csv", FileKind::AvailabilityCounts, 11_834, 4654, 218_012),
];

/// A log of the pack; `None`, and said so, where there is none.
fn log(name: &str) -> Option<Import> {
    let path = folder("bftrainer-summit")?.join(name);
    if !path.is_file() {
        println!("skipped: no data pack");
        return None;
    }
    Some(crate::read(&[(name, &std::fs::read(path).unwrap())]))
}

#[test]
fn every_log_of_idle_nodes_loads_whole() {
    for (name, kind, rows, nodes, intervals) in LOGS {
        let Some(import) = log(name) else { return };
        let file = &import.files[0];
        assert_eq!((file.kind, file.rows_read, file.rows_defaulted, file.rows_rejected), (kind, rows, 0, 0), "{file}");
        assert_eq!((file.nodes, file.intervals), (nodes, intervals), "{file}");
        assert_eq!(import.diagnostics.iter().find(|found| found.severity > Severity::Info), None);
        let log = import.availability.unwrap();
        let back = crate::read(&[("x.csv", &write_availability(&log))]);
        assert_eq!((back.diagnostics, back.availability), (Vec::new(), Some(log)));
    }
}

/// How many nodes are there from each moment on.
fn counts(log: &Availability) -> Vec<(f64, i64)> {
    let mut there = 0;
    let moments = log.changes().chunk_by(|a, b| a.time_s == b.time_s);
    let count = |moment: &[NodeChange]| {
        there += moment.iter().map(|change| if change.up { 1 } else { -1 }).sum::<i64>();
        (moment[0].time_s, there)
    };
    moments.map(count).collect()
}

/// The events of all nodes and the counts of nodes are of the same two hours.
#[test]
fn events_and_counts_agree() {
    let logs = ["node_events.2h.allnodes.csv", "idle_node_count.week1.csv"].map(log);
    let [Some(events), Some(counted)] = logs.map(|import| import.and_then(|import| import.availability)) else {
        return;
    };
    let mut of_counts = counts(&counted);
    of_counts.retain(|(time_s, _)| *time_s <= events.end_s());
    let mut of_events = counts(&events);
    // A node that goes as another one comes changes no count.
    of_events.dedup_by_key(|(_, count)| *count);
    assert_eq!(of_events, of_counts);
}

/// A pickle is refused with the command that converts it.
#[test]
fn pickles_of_the_pack_are_refused() {
    for name in ["original-hps-shufflenet-JNPs-10J.pkl", "original-hps-shufflenet-Jbnd-10J.pkl"] {
        let Some(import) = log(name) else { return };
        assert_eq!(import.files[0].not_used.as_deref(), Some("Python pickles cannot be read here"));
        assert!(import.diagnostics[0].repair.contains("to_csv"));
    }
}

/// Other files of the data packs: none may be taken for something it is not, or panic.
#[test]
fn no_file_of_the_data_is_mistaken() {
    let Some(data) = folder("elasticflow") else { return };
    let of_pollux = ["pollux/traces", "pollux/workloads", "sia/profiles", "sia/workloads", "sia/profiles-gpu_type"];
    let of_pollux = of_pollux.map(|folder| data.parent().unwrap().join(folder));
    let mut folders = vec![data.parent().unwrap().to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let import = crate::read(&[(path.to_str().unwrap(), &bytes)]);
            crate::assert_adds_up(&import);
            let ours = path.starts_with(data.join("traces"))
                || path.starts_with(data.join("profiles"))
                || of_pollux.iter().any(|folder| path.starts_with(folder))
                // Step times that the artifact computed, in the columns of those that were measured.
                || path.to_str().unwrap().ends_with("-nd-table.csv")
                || [".Jbnd.csv", ".JNPs.csv"].iter().any(|kind| path.to_str().unwrap().ends_with(kind))
                // What comes of the files of known sources is compared with what is expected, file by file.
                || import.files[0].source.is_some()
                // Tables of jobs that their columns tell without a doubt.
                || path.to_str().unwrap().contains("/slurm-oracle/") && import.files[0].kind == FileKind::JobsMapped
                || LOGS.iter().any(|(name, ..)| path.ends_with(format!("bftrainer-summit/{name}")));
            assert!(ours || import.files[0].not_used.is_some(), "{}", import.files[0]);
        }
    }
}
