//! Bundles: written and read, damaged, and made by others.

use std::io::{Cursor, Read, Write};

use elastiplan_documents::{Bundle, Document, KnownResult, ShownView};
use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::document::with;

const JOBS: &str = "job_id,submit_s,model,gpus,samples\na,0,AlexNet,2,500000\nb,60,AlexNet,2,500000\n";

fn document() -> Document {
    Document::parse(&with("/jobs", json!({ "file": "../mine/jobs.csv" }))).unwrap()
}

fn bundle() -> Bundle {
    let view = ShownView { view: Some("jobs".into()), t: Some(1.5), ..ShownView::default() };
    let files = |name: &str| (name == "../mine/jobs.csv").then(|| JOBS.as_bytes().to_vec());
    let mut bundle = Bundle::of(&document(), &files, view, "0.1.0");
    bundle.results = vec![KnownResult { policy: "fixed".into(), seed: 0, digest: "0123".into() }];
    bundle
}

/// The members of a bundle, as another program unpacks them.
fn members(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let count = archive.len();
    let mut member = |at| {
        let (mut file, mut content) = (archive.by_index(at).unwrap(), Vec::new());
        file.read_to_end(&mut content).unwrap();
        (file.name().to_string(), content)
    };
    (0..count).map(&mut member).collect()
}

/// A bundle as another program packs it.
fn packed(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// The faults of bytes, or the error, as text.
fn check(bytes: &[u8], expected: Expect) {
    let found = match Bundle::read("a.elastiplan", bytes) {
        Ok(opened) => opened.faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        Err(error) => format!("error: {error}"),
    };
    expected.assert_eq(&found);
}

/// The bundle with a member changed, or without it.
fn with_member(name: &str, change: impl Fn(Vec<u8>) -> Option<Vec<u8>>) -> Vec<u8> {
    let of = |(known, content): (String, Vec<u8>)| {
        let content = if known == name { change(content)? } else { content };
        Some((known, content))
    };
    packed(&members(&bundle().write().unwrap()).into_iter().filter_map(of).collect::<Vec<_>>())
}

fn with_json(name: &str, change: impl Fn(&mut Value)) -> Vec<u8> {
    with_member(name, |content| {
        let mut value = serde_json::from_slice(&content).unwrap();
        change(&mut value);
        Some(value.to_string().into_bytes())
    })
}

#[test]
fn a_bundle_comes_back_and_other_programs_read_and_write_it() {
    let written = bundle().write().unwrap();
    assert!(Bundle::is_bundle(&written) && !Bundle::is_bundle(b"PK\x03\x04") && !Bundle::is_bundle(b"{}"));
    let opened = Bundle::read("a.elastiplan", &written).unwrap();
    assert_eq!((&opened.bundle, &opened.faults[..]), (&bundle(), &[][..]));
    let found = members(&written);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["bundle.json", "scenario.json", "view.json", "data/mine/jobs.csv"]);
    expect![[r#"
        {
          "elastiplan_bundle": 1,
          "build": "0.1.0",
          "digests": [
            {
              "policy": "fixed",
              "seed": 0,
              "digest": "0123"
            }
          ]
        }"#]]
    .assert_eq(std::str::from_utf8(&found[0].1).unwrap());
    assert_eq!(Bundle::read("", &packed(&found)).unwrap().bundle, bundle());
    let files = opened.bundle.files;
    let resolved = opened.bundle.document.resolve(&|name| files.get(name).cloned()).unwrap();
    assert_eq!(resolved.scenario.trace.jobs().len(), 2);
}

#[test]
fn what_is_damaged_in_a_bundle_is_named_and_the_rest_opens() {
    check(b"", expect!["error: It is no zip archive"]);
    check(b"PK\x03\x04", expect!["error: The zip archive is damaged: it has no directory at its end"]);
    let written = bundle().write().unwrap();
    check(&written[..written.len() - 30], expect!["error: The zip archive is damaged: it has no directory at its end"]);
    check(&with_member("bundle.json", |_| None), expect!["error: not a bundle: the archive has no bundle.json"]);
    check(&with_member("scenario.json", |_| None), expect!["error: scenario.json is missing in the bundle"]);
    check(&with_member("data/mine/jobs.csv", |_| None), expect!["data/mine/jobs.csv is missing in the bundle"]);
    check(
        &with_member("view.json", |_| Some(b"{".into())),
        expect!["view.json in the bundle cannot be read: EOF while parsing an object at line 1 column 1"],
    );
    check(
        &with_member("scenario.json", |content| Some(content[..300].into())),
        expect!["scenario.json in the bundle cannot be read: it ends too early"],
    );
    check(
        &with_member("scenario.json", |_| Some(b"\xff".into())),
        expect!["error: scenario.json in the bundle cannot be read: invalid utf-8 sequence of 1 bytes from index 0"],
    );
    check(
        &with_json("bundle.json", |about| about["elastiplan_bundle"] = json!(2)),
        expect!["made by version 2; this build reads 1: use a newer build"],
    );
    check(
        &with_json("bundle.json", |about| about["digests"] = json!("none")),
        expect![[
            r#"bundle.json in the bundle cannot be read: invalid type: string "none", expected a sequence at line 1 column 33"#
        ]],
    );
    check(
        &with_json("scenario.json", |document| document["elastiplan"] = json!(2)),
        expect!["the scenario has version 2, this build reads up to 1: use a newer build"],
    );
    check(
        &with_json("scenario.json", |document| document["policies"] = json!(["edf", "best"])),
        expect![
            "policies[1]: best is not a policy. There are: fixed, shortest-first, equal-share, bftrainer, modelarts, modelarts-greedy, elastic-dp, elasticflow, edf, tiresias, optimus, pollux, gandiva, themis, chronus, throughput-autoscaling, spot"
        ],
    );
}

#[test]
fn a_file_with_another_content_is_not_taken() {
    let other = with_member("data/mine/jobs.csv", |content| Some([&content[..], b"c,99,AlexNet,2,500000\n"].concat()));
    let bundle = Bundle::read("", &other).unwrap().bundle;
    let error = bundle.document.resolve(&|name| bundle.files.get(name).cloned()).unwrap_err();
    expect!["files.data/mine/jobs.csv: this is another data/mine/jobs.csv; the scenario needs the one with the hash ae1e00fe3231aee4, this has 5c129c0d9623b457"].assert_eq(&error.to_string());
}

#[test]
fn manipulated_sizes_and_checksums_are_found() {
    let name = "data/mine/jobs.csv";
    let good = bundle().write().unwrap();
    // The archive ends with the directory, whose names come last.
    let entry = good.windows(name.len()).rposition(|window| window == name.as_bytes()).unwrap() - 46;
    assert_eq!(&good[entry..entry + 4], b"PK\x01\x02");
    let changed = |at: usize, bytes: &[u8]| {
        let mut changed = good.clone();
        changed[entry + at..entry + at + bytes.len()].copy_from_slice(bytes);
        changed
    };
    check(
        &changed(16, b"crc!"),
        expect!["data/mine/jobs.csv in the bundle cannot be read: its checksum is not the one that the archive names"],
    );
    check(
        &changed(24, &5_u32.to_le_bytes()),
        expect!["data/mine/jobs.csv in the bundle cannot be read: it goes on beyond the size that the archive names"],
    );
    check(
        &changed(24, &5_000_u32.to_le_bytes()),
        expect!["data/mine/jobs.csv in the bundle cannot be read: it ends before the size that the archive names"],
    );
    check(
        &changed(24, &600_000_000_u32.to_le_bytes()),
        expect!["error: It unpacks from 1 kB to 600 MB; above 100 MB at most 200 times the size is unpacked"],
    );
}

#[test]
fn scripts_in_texts_stay_texts() {
    let mut document = document();
    document.title = "<script>alert(1)</script>".into();
    let bundle = Bundle { document: document.clone(), ..bundle() };
    let opened = Bundle::read("", &bundle.write().unwrap()).unwrap();
    assert_eq!(opened.bundle.document.title, document.title);
}

proptest! {
    /// Whatever files it has, another program finds the same in it.
    #[test]
    fn archives_are_read_by_others(files in prop::collection::btree_map("[a-z/]{1,9}[a-z]", any::<Vec<u8>>(), 0..5)) {
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, content)| (name.as_str(), content.as_slice())).collect();
        let archive = elastiplan_formats::write_archive(&files).unwrap();
        let found = members(&archive);
        prop_assert_eq!(found.len(), files.len());
        for ((name, content), (expected_name, expected)) in found.iter().zip(&files) {
            prop_assert_eq!((name.as_str(), content.as_slice()), (*expected_name, *expected));
        }
    }

    /// A bundle with bytes changed.
    #[test]
    fn no_damaged_bundle_panics(places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4), cut in prop::option::of(any::<prop::sample::Index>())) {
        let mut bytes = bundle().write().unwrap();
        for (at, byte) in places {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let end = cut.map_or(bytes.len(), |cut| cut.index(bytes.len()));
        let _ = Bundle::read("", &bytes[..end]);
    }
}
