//! Logs of known systems: every file of the data pack is read as what its README says it is, or refused with the reason
//! and a way out.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use elastiplan_formats::mapping::survey;
use elastiplan_formats::{Import, Options, Source};
use elastiplan_model::{Diagnostic, Job, Place, Severity, Work};
use expect_test::{ExpectFile, expect_file};

use crate::data_pack::folder;
use crate::{read, read_mapped};

/// All files below a folder but its READMEs, in order of their paths.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let (inner, own): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
        folders.extend(inner);
        files.extend(own.into_iter().filter(|path| !path.ends_with("README.md")));
    }
    #[allow(clippy::disallowed_methods)]
    files.sort();
    files
}

/// GPU-seconds of jobs that say how long they take.
pub fn gpu_seconds(jobs: &[Job]) -> f64 {
    let gpu_seconds = |job: &Job| match job.work {
        Work::DurationOnRequested(seconds) => seconds * f64::from(job.gpus_requested),
        _ => 0.0,
    };
    jobs.iter().map(gpu_seconds).sum()
}

/// What came of a file: the report, every finding with its count, and sums over the jobs.
fn summary(import: &Import) -> String {
    let mut text = format!("{}\n", import.files[0]);
    if let Some(mapping) = &import.files[0].mapping {
        writeln!(text, "  {mapping}").unwrap();
    }
    let columns = import.files[0].assumptions.iter().map(|assumption| assumption.column.as_str());
    if import.trace.is_some() {
        writeln!(text, "  assumed: {}", columns.collect::<Vec<_>>().join(", ")).unwrap();
    }
    // The findings of profiles are tested elsewhere, and what all job tables without a column say.
    let is_told = |found: &&Diagnostic| !found.rule.starts_with("No ") && import.curves.is_empty();
    for found in import.diagnostics.iter().filter(is_told) {
        let sign = match found.severity {
            Severity::Info => 'i',
            Severity::Warning => '!',
            Severity::Error => 'x',
        };
        let place = &found.place;
        let place = Place { file: None, ..place.clone() };
        writeln!(text, "  {sign} {} x {}", found.count, Diagnostic { place, ..found.clone() }).unwrap();
    }
    let jobs = import.trace.as_ref().map(|trace| trace.jobs()).unwrap_or_default();
    if let (Some(first), Some(last)) = (jobs.first(), jobs.last()) {
        let days = (last.submit_s - first.submit_s) / 86_400.0;
        let gpus = jobs.iter().map(|job| u64::from(job.gpus_requested)).sum::<u64>();
        let with_deadline = jobs.iter().filter(|job| job.deadline_s.is_some()).count();
        writeln!(
            text,
            "  = {} jobs of {} models, {gpus} GPUs, {with_deadline} deadlines, {:.1} GPU-h, submitted in {days:.2} days",
            jobs.len(),
            import.trace.as_ref().unwrap().models().len(),
            gpu_seconds(jobs) / 3600.0
        )
        .unwrap();
    }
    text
}

/// Compares what comes of every file of a folder with what is expected.
fn check(name: &str, expected: ExpectFile) {
    let Some(folder) = folder(name) else { return };
    let mut text = String::new();
    for path in files_below(&folder) {
        let bytes = std::fs::read(&path).unwrap();
        let shown = path.strip_prefix(&folder).unwrap().to_str().unwrap();
        let start = Instant::now();
        let import = read(&[(shown, &bytes)]);
        let took = start.elapsed();
        if bytes.len() > 1_000_000 {
            println!("{name}/{shown}: {:.1} MB read in {} ms", bytes.len() as f64 / 1e6, took.as_millis());
        }
        crate::assert_adds_up(&import);
        text += &summary(&import);
        check_variants(shown, &bytes, &import);
        check_mapping(shown, &bytes, &import);
    }
    expected.assert_eq(&text);
}

/// The same file under another name, with a byte-order mark, with other line ends, packed, and with columns in another order
/// gives the same jobs and curves.
fn check_variants(name: &str, bytes: &[u8], import: &Import) {
    // Profiles say their model by their name alone.
    if import.trace.is_none() || bytes.len() > 1_000_000 {
        return;
    }
    let text = String::from_utf8_lossy(bytes).into_owned();
    let windows = text.replace("\r\n", "\n").replace('\n', "\r\n");
    let mut variants = vec![
        ("renamed", "x.bin", bytes.to_vec()),
        ("with a mark", name, ["\u{feff}".as_bytes(), bytes].concat()),
        ("with CRLF", name, windows.into_bytes()),
        ("packed with gzip", "x.gz", crate::packed::gzip(bytes)),
        ("packed in an archive", "x.zip", crate::packed::zip(&[("folder/x.txt", bytes)])),
    ];
    variants.extend(turned(&text).map(|turned| ("with columns turned", name, turned.into_bytes())));
    for (how, name, bytes) in variants {
        let other = read(&[(name, &bytes)]);
        let text = |import: &Import| crate::given(import);
        assert!(text(&other) == text(import), "{name} {how}: {}", other.files[0]);
    }
}

/// The mapping of a source reads the same jobs as the source does where it is given by hand, and a survey by it, or
/// without one, comes to the same rows and jobs.
fn check_mapping(name: &str, bytes: &[u8], import: &Import) {
    let file = &import.files[0];
    let Some(mapping) = file.mapping.as_ref().filter(|_| file.source.is_some() && file.not_used.is_none()) else {
        return;
    };
    assert_eq!(crate::given(&read_mapped(name, bytes, &mapping.to_string())), crate::given(import), "{name}");
    for given in [None, Some(mapping)] {
        let found = survey(Source::from_bytes(name, bytes), given, &Options::default(), &mut |_| {}).unwrap();
        assert_eq!((found.mapping.as_str(), found.is_guess), (mapping.to_string().as_str(), true), "{name}");
        assert_eq!((found.counts.rows, found.counts.jobs), (file.rows_read, file.jobs), "{name}");
        assert_eq!(found.issues, [], "{name}");
    }
}

/// A table with its columns in the reverse order; `None` where rows differ in width, or where it has no header.
fn turned(text: &str) -> Option<String> {
    let delimiter = [',', '|'].into_iter().max_by_key(|sign| text.lines().next().unwrap().matches(*sign).count())?;
    let header = text.lines().next()?.to_lowercase();
    if !header.contains("job") && !header.contains("num_gpu") {
        return None;
    }
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter as u8).has_headers(false).from_reader(text.as_bytes());
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter as u8).from_writer(Vec::new());
    for record in reader.records() {
        writer.write_record(record.ok()?.iter().rev().collect::<Vec<_>>()).ok()?;
    }
    String::from_utf8(writer.into_inner().ok()?).ok()
}

/// YAML is read where the feature is on, as in the command line.
#[cfg(feature = "yaml")]
#[test]
fn kubernetes() {
    check("k8s-jobs", expect_file!["known/k8s-jobs.txt"]);
}

macro_rules! folders {
    ($($test:ident: $folder:literal,)*) => {
        $(#[test] fn $test() {
            check($folder, expect_file![concat!("known/", $folder, ".txt")]);
        })*
    };
}

folders! {
    philly: "philly",
    helios: "helios",
    acme: "acme",
    alibaba_2020: "alibaba-gpu-v2020",
    alibaba_2023: "alibaba-gpu-v2023",
    alibaba_2025: "alibaba-gpu-v2025",
    alibaba_2026: "alibaba-spot-gpu-v2026",
    gavel: "gavel",
    shockwave: "shockwave",
    sia: "sia",
    chronus: "chronus",
    tiresias: "tiresias",
    synergy: "synergy",
    lucid: "lucid",
    swf: "swf",
    slurm: "slurm-sacct",
    scaling: "mlperf-and-vendor-tables",
}

/// The throughputs that the README of the pack names, and every job of its traces bound to a curve.
#[test]
fn curves_of_gavel_serve_its_traces() {
    let Some(folder) = folder("gavel") else { return };
    let curves = std::fs::read(folder.join("simulation_throughputs.json")).unwrap();
    let import = read(&[("curves.json", &curves)]);
    let text = crate::given(&import);
    let line = |model: &str| text.lines().find(|line| line.starts_with(&format!("~ {model}"))).unwrap();
    let points = |line: &str, from: &str, per_step: f64| -> Vec<String> {
        let rest = line.split_once(from).unwrap().1;
        let words = rest.split_whitespace().take_while(|word| word.contains(':'));
        let speed = |word: &str| word.trim_end_matches(',').split_once(':').unwrap().1.parse::<f64>().unwrap();
        words.map(|word| format!("{:.1}", speed(word) / per_step)).collect()
    };
    let resnet = line("ResNet-18 (batch size 16)");
    assert_eq!(points(resnet, "size 16)", 16.0), ["32.4", "100.1", "123.9", "382.6"]);
    // 17.75, which the README rounds up.
    assert_eq!(points(line("LM (batch size 80)"), "spread", 80.0)[..2], ["28.2", "17.7"]);
    for path in files_below(&folder.join("traces")).iter().filter(|path| path.extension().unwrap() == "trace") {
        let trace = std::fs::read(path).unwrap();
        let import = read(&[("x.trace", &trace), ("curves.json", &curves)]);
        let trace = import.trace.unwrap();
        let (workload, found) = elastiplan_model::Workload::bind(&trace, &import.curves);
        assert_eq!(workload.jobs().len(), trace.jobs().len(), "{}: {found:?}", path.display());
    }
}

/// Sia's profiles dropped together are curves of one GPU type, which serve its workloads.
#[test]
fn profiles_of_sia_serve_its_workloads() {
    let Some(folder) = folder("sia") else { return };
    let workload = folder.join("workloads/physical/phoebe_workload.csv");
    let mut files = vec![("workload.csv".to_string(), std::fs::read(workload).unwrap())];
    for path in files_below(&folder.join("profiles")) {
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().to_string();
        files.push((name, std::fs::read(&path).unwrap()));
    }
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    let import = read(&files);
    crate::assert_adds_up(&import);
    let models: Vec<&str> = import.curves.as_slice().iter().map(|curve| curve.key().model.as_str()).collect();
    assert_eq!(models, ["bert", "cifar10", "deepspeech2"]);
    let used = |file: &&elastiplan_formats::FileReport| file.not_used.is_none() && !file.path.contains("validation");
    let used: Vec<&str> = import.files.iter().filter(used).map(|file| file.path.as_str()).collect();
    let files_of = |model| ["placements", "scalability"].map(|kind| format!("profiles/{model}/{kind}-dgx-ext.csv"));
    let expected: Vec<String> = models.iter().flat_map(files_of).collect();
    assert_eq!(used[1..], expected);
    // The data pack has validation runs, which say how long a training is, of these models only.
    let trace = import.trace.unwrap();
    let (workload, _) = elastiplan_model::Workload::bind(&trace, &import.curves);
    let is_whole = |job: &&Job| ["bert", "cifar10"].contains(&trace.model_name(job.model));
    assert_eq!(workload.jobs().len(), trace.jobs().iter().filter(is_whole).count());
}

/// The commands that refusals name make files that are read.
#[test]
fn commands_of_refusals_convert() {
    for name in [
        "helios/cluster_sequence_vc.Earth.vc3sl.rows1-2880.csv",
        "helios/philly_node_sequence.first4320.csv",
        "lucid/single_data.csv",
    ] {
        let Some(data) = folder("helios") else { return };
        let path = data.parent().unwrap().join(name);
        let import = read(&[(name, &std::fs::read(&path).unwrap())]);
        let repair = &import.diagnostics[0].repair;
        let program = repair.split_once("awk -F, '").unwrap().1.split_once('\'').unwrap().0;
        let Ok(output) = std::process::Command::new("awk").args(["-F,", program]).arg(&path).output() else { return };
        let converted = read(&[("x.csv", &output.stdout)]);
        assert_eq!(converted.files[0].not_used, None, "{repair}");
        let rows = (converted.files[0].rows_read, converted.files[0].rows_rejected);
        assert!(rows.0 > 10 && rows.1 == 0, "{name}: {}", converted.files[0]);
    }
}

#[test]
fn the_columns_of_sacct_may_be_in_any_order() {
    let Some(folder) = folder("slurm-sacct") else { return };
    let text = std::fs::read_to_string(folder.join("SYNTHETIC-sacct.parsable2.txt")).unwrap();
    // A job's name with bars in it says nothing in reverse order.
    let text: String =
        text.lines().filter(|line| !line.contains("with|pipe")).map(|line| format!("{line}\n")).collect();
    let [plain, turned] = [text.clone(), turned(&text).unwrap()].map(|text| read(&[("x", text.as_bytes())]));
    assert_eq!(crate::given(&plain), crate::given(&turned));
    assert_eq!(plain.files[0].jobs, 6);
}
