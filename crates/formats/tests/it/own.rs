//! Our own format: what was read of anything is the same once it was written and read back.
//!
//! [`assert_comes_back`] is asked of every import that any of these tests makes: of samples, damaged input and the public
//! files. Curves that no table can hold are for scenario documents, and are tested there.

use elastiplan_formats::export::{write_availability, write_curves, write_jobs};
use elastiplan_formats::{Import, Options, Source, import};
use elastiplan_model::{Curve, Curves, Detail, limits};
use proptest::prelude::*;
use serde_json::json;

use crate::samples::samples;
use crate::to_the_bit::{bare, bits};

/// Checks that the data of an import come back from our own files, to the last bit. Two things are of the file that they
/// were read from, and are not written: the row of a job, and the numbers of models, which count the models of a file in
/// the order of their first rows.
pub fn assert_comes_back(found: &Import) {
    // A log that only tests a limit takes minutes to read twice.
    if found.availability.as_ref().is_some_and(|log| log.changes().len() > 1_000_000) {
        return;
    }
    let curves: Curves = found.curves.as_slice().iter().filter(|curve| is_table(curve)).cloned().collect();
    let trace = found.trace.as_ref().filter(|trace| !trace.jobs().is_empty());
    let mut files = Vec::new();
    files.extend(trace.map(|trace| ("jobs.csv", write_jobs(trace))));
    files.extend((!curves.is_empty()).then(|| ("curves.csv", write_curves(&curves))));
    files.extend(found.availability.as_ref().map(|log| ("log.csv", write_availability(log))));
    let sources = files.iter().map(|(name, bytes)| Source::from_bytes(*name, bytes)).collect();
    let back = import(sources, &Options::default(), &mut |_| {});
    for file in &back.files {
        assert_eq!((file.rows_rejected, &file.not_used), (0, &None), "{file}: {:?}", back.diagnostics);
    }
    if let Some(trace) = trace {
        let (jobs, back) = (bare(trace), back.trace.as_ref().map(bare).unwrap_or_default());
        let differs = jobs.iter().zip(&back).find(|(job, back)| bits(job) != bits(back));
        assert_eq!((differs, jobs.len()), (None, back.len()));
    }
    assert!(bits(&back.curves) == bits(&curves), "{:?} is not {curves:?}", back.curves);
    assert!(bits(&back.availability) == bits(&found.availability), "{:?}", back.availability);
}

/// Whether a table of points can hold a curve: it has no formula, step times or efficiency, and a row fits behind its
/// last point if it ends there.
fn is_table(curve: &Curve) -> bool {
    let is_measured = matches!(curve.detail(), Detail::CountOnly | Detail::Spread(_) | Detail::ByNodes(_));
    is_measured && curve.efficiency().is_none() && (curve.runs_beyond() || curve.gpus_largest() < limits::GPUS_MAX)
}

#[test]
fn every_sample_comes_back() {
    for sample in samples() {
        let files: Vec<(&str, &[u8])> = sample.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
        // Reading checks it.
        let found = crate::read(&files);
        crate::assert_adds_up(&found);
        if cfg!(feature = "yaml") || !sample[0].0.ends_with(".yaml") {
            assert!(found.files.iter().all(|file| file.not_used.is_none()), "{:?}", found.files);
        }
    }
}

/// Text as JSON may hold it: with quotes, delimiters, line ends, blanks around it, and letters that cannot be seen.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ -~]{1,4}",
        prop::sample::select(vec![
            "\"", ",", ";", "|", "\t", "\n", "\r", "\r\n", " ", "\0", "\u{feff}", "\u{a0}", "\u{85}", "\u{2028}",
            "sep=;", "unknown", "nan", "-", "job_id", "ä☃",
        ])
        .prop_map(String::from),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

/// A job of Philly's log: its name and user may be any text.
fn philly_job(name: &str, user: &str) -> serde_json::Value {
    json!({
        "status": "Pass", "vc": "v", "jobid": name, "user": user, "submitted_time": "2017-10-07 01:27:05",
        "attempts": [{ "start_time": "2017-10-07 01:27:20", "end_time": "2017-10-07 01:36:54",
                       "detail": [{ "ip": "m95", "gpus": ["gpu0"] }] }],
    })
}

#[test]
fn names_that_no_table_can_hold_become_what_a_table_makes_of_them() {
    let check = |name: &str, expected: &str| {
        let log = serde_json::to_vec(&[philly_job(name, "ann")]).unwrap();
        assert_eq!(crate::read(&[("x.json", &log)]).trace.unwrap().jobs()[0].name, expected, "{name:?}");
    };
    check("a\rb\r\nc", "a\nb\nc");
    check("\u{feff} a\u{feff}", "a");
    check("\u{feff}", "row-1");
    check("a\0\u{1}", "a\u{fffd}\u{fffd}");
    check(" \"a\", \tb\u{a0}", "\"a\", \tb\u{a0}");
}

proptest! {
    /// Names that no table would hold without quotes.
    #[test]
    fn names_of_jobs_and_users_come_back(names in prop::collection::vec((text(), text()), 1..4)) {
        let job = |(name, user): &(String, String)| philly_job(name, user);
        let log = serde_json::to_vec(&names.iter().map(job).collect::<Vec<_>>()).unwrap();
        let found = crate::read(&[("x.json", &log)]);
        prop_assert_eq!(found.trace.unwrap().jobs().len(), names.len());
    }

    /// Names of models, of nodes in rows, and of nodes in columns.
    #[test]
    fn names_of_models_and_nodes_come_back(names in prop::collection::vec(text(), 1..4)) {
        let quoted = |name: &String| format!("\"{}\"", name.replace('"', "\"\""));
        let rows = |row: &dyn Fn(&String) -> String| names.iter().map(row).collect::<String>();
        let curves = rows(&|name| format!("{},1,5\n{},2,9.5\n", quoted(name), quoted(name)));
        crate::read(&[("x.csv", format!("model,gpus,samples_per_s\n{curves}").as_bytes())]);
        let log = rows(&|name| format!("{},1,5\n{},7,\n", quoted(name), quoted(name)));
        crate::read(&[("x.csv", format!("node,start_s,end_s\n{log}").as_bytes())]);
        let (header, row) = (rows(&|name| format!(",{}", quoted(name))), rows(&|_| ",1".into()));
        crate::read(&[("x.csv", format!("timestamp{header}\n0{row}\n").as_bytes())]);
        let files: Vec<(String, &[u8])> = names.iter().map(|name| (name.clone(), &b"global_batch_size,1,2\n64,6,8\n"[..])).collect();
        crate::read(&files.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect::<Vec<_>>());
    }
}
