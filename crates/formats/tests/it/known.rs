//! Logs of known systems: every file of the data pack is read as what its README says it is, or refused with the reason
//! and a way out.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use elastiplan_formats::Import;
use elastiplan_model::{Diagnostic, Job, Place, Severity, Work};
use expect_test::{ExpectFile, expect_file};

use crate::data_pack::folder;
use crate::read;

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

/// GPU-hours of jobs that say how long they take.
fn gpu_hours(jobs: &[Job]) -> f64 {
    let gpu_seconds = |job: &Job| match job.work {
        Work::DurationOnRequested(seconds) => seconds * f64::from(job.gpus_requested),
        _ => 0.0,
    };
    jobs.iter().map(gpu_seconds).sum::<f64>() / 3600.0
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
            gpu_hours(jobs)
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
    }
    expected.assert_eq(&text);
}

/// The same file under another name, with a byte-order mark, with other line ends and with columns in another order
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
    ];
    variants.extend(turned(&text).map(|turned| ("with columns turned", name, turned.into_bytes())));
    for (how, name, bytes) in variants {
        let other = read(&[(name, &bytes)]);
        let text = |import: &Import| crate::given(import);
        assert!(text(&other) == text(import), "{name} {how}: {}", other.files[0]);
    }
}

/// A table with its columns in the reverse order; `None` where rows differ in width, or where it has no header.
fn turned(text: &str) -> Option<String> {
    let delimiter = [',', '|'].into_iter().max_by_key(|sign| text.lines().next().unwrap().matches(*sign).count())?;
    if !text.lines().next()?.contains("job") && !text.lines().next()?.contains("num_gpu") {
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
}
