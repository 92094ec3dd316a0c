//! Links: written and read, cut, damaged, and too long.

use std::collections::BTreeMap;

use elastiplan_documents::{CHARACTERS_MAX, Document, Link, LinkError, PRESETS, Preset, Resolved, ShownView, is_link};
use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::json;

use crate::document::with;
use crate::run_all;

const BASE: &str = "https://example.org/planner/";

fn view() -> ShownView {
    ShownView { job: Some("a&b=c #1 ü%".into()), t: Some(0.1 + 0.2), ..ShownView::default() }
}

fn link(document: &Document) -> String {
    Link::of(BASE, document, &ShownView::default(), &|_| None).unwrap().text
}

/// The faults of a link, or the error, as text.
fn check(link: &str, expected: Expect) {
    let found = match Link::open(link) {
        Ok(opened) => opened.faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        Err(error) => format!("error: {error}"),
    };
    expected.assert_eq(&found);
}

#[test]
fn every_preset_comes_back_from_a_link_and_from_its_name() {
    for preset in PRESETS {
        let document = preset.document().unwrap();
        let opened = Link::open(&Link::of_preset(BASE, preset, &view()).text).unwrap();
        assert_eq!((opened.preset, &opened.document, opened.view), (Some(preset), &document, view()));
        assert_eq!(opened.faults, []);
        let short = document.to_minimal_json();
        assert_eq!(Document::parse(&short).as_ref(), Ok(&document), "{}", preset.name);
        assert!(short.len() < document.to_json().len());
        let opened = Link::open(&link(&document)).unwrap();
        assert_eq!((opened.document, opened.faults), (document, vec![]), "{}", preset.name);
    }
}

#[test]
fn a_short_document_has_a_short_text() {
    let document = Document::parse(&with("/what_if", json!({ "rescale_cost_s": 45.0 }))).unwrap();
    expect![[r#"{"elastiplan":1,"cluster":{"gpus_per_node":8,"nodes":16},"policies":["fixed"],"what_if":{"rescale_cost_s":45},"curves":{"sample":{}},"jobs":{"sample":{}}}"#]]
        .assert_eq(&document.to_minimal_json());
    let link = Link::of(BASE, &document, &view(), &|_| None).unwrap();
    assert!(link.text.len() < 260, "{}", link.text.len());
    expect!["https://example.org/planner/#v=1&job=a%26b%3Dc%20%231%20%C3%BC%25&t=0.30000000000000004&s"]
        .assert_eq(link.text.rsplit_once('=').unwrap().0);
    let generated = with("/jobs", json!({ "generated": { "generator": "elasticflow", "jobs": 20 } }));
    let text = Document::parse(&generated).unwrap().to_minimal_json();
    assert!(text.ends_with(r#""jobs":{"generated":{"generator":"elasticflow","jobs":20}}}"#), "{text}");
}

#[test]
fn texts_that_are_no_links_are_refused() {
    assert!(is_link("v=1&preset=sample") && is_link(" https://a.org/b#v=1&s=") && !is_link("v1.json"));
    check("", expect!["error: not a link to a scenario: those have #v=1&s=… or #v=1&preset=…"]);
    check("#v=x&preset=sample", expect!["error: not a link to a scenario: those have #v=1&s=… or #v=1&preset=…"]);
    check("#v=1&view=jobs", expect!["error: the link names no scenario: it has neither s=… nor preset=…"]);
    check(
        "#v=1&preset=sampel",
        expect!["error: there is no preset sampel; elastiplan presets and the menu of the page list them"],
    );
    check(
        "#v=1&s=ab.c",
        expect![
            "error: the link is damaged: . is character 3 of its document, which has only letters, digits, - and _"
        ],
    );
    check(
        "#v=1&s=abc%C3",
        expect![
            "error: the link is damaged: % is character 4 of its document, which has only letters, digits, - and _"
        ],
    );
    check("#v=1&s=_____w", expect!["error: the link is damaged: its document cannot be unpacked; copy it again"]);
    check("#v=1&s=", expect!["error: cut at character 7: nothing of the scenario is there; copy the link again"]);
    let text = packed("[1]");
    check(&format!("#v=1&s={text}"), expect![[r#"error: not a scenario: those are an object with "elastiplan": 1"#]]);
}

#[test]
fn what_is_not_known_in_a_link_is_left_out_and_said() {
    check(
        "#v=1&colour=red&t=soon&t=4&preset=sample",
        expect![[r#"
            colour is not a part of links
            t: soon is not a time in seconds
            t is there twice; the first counts"#]],
    );
    check(
        "#v=7&preset=sample",
        expect!["the link has version 7, this build reads 1: reload the page or use a newer build"],
    );
    let mut document: serde_json::Value = serde_json::from_str(PRESETS[0].json).unwrap();
    document["policies"] = json!(["fixed", "slowest", "edf"]);
    document["conditions"] = json!({ "faults": { "node_mtbf": 5 }, "until_s": -3 });
    document["colour"] = json!("red");
    let link = format!("#v=1&s={}", packed(&document.to_string()));
    check(
        &link,
        expect![[r#"
            colour: unknown field `colour`, expected one of `elastiplan`, `title`, `about`, `source`, `jobs`, `curves`, `cluster`, `availability`, `files`, `what_if`, `conditions`, `forks`, `policies`, `seeds`, `paper`, `study`, `$schema`
            conditions.faults.node_mtbf: unknown field `node_mtbf`, expected one of `node_mtbf_s`, `node_repair_s`, `bug_share`, `bug_within_s`, `cancel_share`, `estimate_error`, `profiling_noise`
            policies[1]: slowest is not a policy. There are: fixed, shortest-first, equal-share, bftrainer, modelarts, modelarts-greedy, elastic-dp, elasticflow, edf, tiresias, optimus, pollux, gandiva, themis, chronus, throughput-autoscaling, spot
            conditions: time to stop: -3 is not a number of seconds from 0 to 1e12"#]],
    );
    let opened = Link::open(&link).unwrap().document;
    let policies: Vec<String> = opened.policies.iter().map(ToString::to_string).collect();
    assert_eq!(policies, ["fixed", "edf"]);
    document["elastiplan"] = json!(2);
    let link = format!("#v=1&s={}", packed(&document.to_string()));
    assert!(matches!(Link::open(&link).unwrap().faults[0], LinkError::Document(_)));
}

/// A text as it stands in a link.
fn packed(text: &str) -> String {
    use base64::Engine;
    use std::io::Write;
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    base64::engine::general_purpose::URL_SAFE.encode(encoder.finish().unwrap())
}

/// A table of jobs that does not shrink much.
fn jobs(rows: u64) -> String {
    let row = |row: u64| {
        let mixed = row.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!("j{:x},{row},bert,2,{}\n", mixed >> 20, 500_000 + (mixed >> 40))
    };
    format!("job_id,submit_s,model,gpus,samples\n{}", (0..rows).map(row).collect::<String>())
}

fn with_jobs(rows: u64) -> Document {
    let curves = json!({ "inline": "model,gpus,samples_per_s\nbert,1,100\nbert,2,190\n" });
    let mut document: serde_json::Value = serde_json::from_str(&with("/curves", curves)).unwrap();
    document["jobs"] = json!({ "inline": jobs(rows) });
    document["seeds"] = json!([7]);
    Document::parse(&document.to_string()).unwrap()
}

#[test]
fn a_cut_link_opens_with_what_is_before_the_cut() {
    let document = with_jobs(60);
    let whole = link(&document);
    let mut said = BTreeMap::new();
    for end in BASE.len() + 8..whole.len() {
        let cut = &whole[..end];
        let words = match Link::open(cut) {
            Ok(opened) if opened.faults.is_empty() => {
                assert_eq!(opened.document, document, "cut behind the text");
                continue;
            }
            Ok(opened) => {
                assert_eq!(opened.faults.len(), 1);
                let words = opened.faults[0].to_string();
                let Document { cluster, seeds, .. } = &opened.document;
                assert!(!words.contains("cluster") || *cluster == document.cluster);
                assert!(!words.contains("seeds") || *seeds == [7]);
                words
            }
            Err(error) => error.to_string(),
        };
        let (at, words) = words.split_once(": ").unwrap();
        assert!(at.ends_with(&elastiplan_text::format::count(end as u64)), "{at}");
        *said.entry(words.to_string()).or_insert(0) += 1;
    }
    let said: Vec<&String> = said.keys().collect();
    expect![[r#"
        [
            "cluster and policies are read, jobs and curves are missing",
            "cluster is read, jobs, curves and policies are missing",
            "cluster, policies and seeds are read, jobs and curves are missing",
            "nothing of the scenario is there; copy the link again",
        ]
    "#]]
    .assert_debug_eq(&said);
}

#[test]
fn blanks_and_line_breaks_in_a_link_are_passed_over() {
    let document = with_jobs(20);
    let text = link(&document);
    let (head, tail) = text.split_at(text.len() - 100);
    assert_eq!(Link::open(&format!(" {head}\r\n  {tail}\n")).unwrap().document, document);
}

#[test]
fn data_that_do_not_fit_are_named() {
    let small = Link::of(BASE, &with_jobs(60), &ShownView::default(), &|_| None).unwrap();
    assert_eq!(small.needs, []);
    let document = with_jobs(3000);
    let link = Link::of(BASE, &document, &ShownView::default(), &|_| None).unwrap();
    assert!(link.text.len() < 400, "{}", link.text.len());
    let [needed] = &link.needs[..] else { panic!("the jobs only") };
    assert_eq!((needed.name.as_str(), &needed.bytes[..]), ("jobs.csv", jobs(3000).as_bytes()));
    let opened = Link::open(&link.text).unwrap().document;
    let resolve = |bytes: &[u8]| opened.resolve(&|name| (name == "jobs.csv").then(|| bytes.to_vec()));
    assert_eq!(resolve(&needed.bytes).unwrap().scenario, document.resolve(&|_| None).unwrap().scenario);
    expect!["files.jobs.csv: this is another jobs.csv; the scenario needs the one with the hash 37889ff6f20d79c2, this has 2d06800538d394c2"]
        .assert_eq(&resolve(b"").unwrap_err().to_string());
    expect!["jobs.file: the file jobs.csv is not there; files are looked up beside the scenario"]
        .assert_eq(&opened.resolve(&|_| None).unwrap_err().to_string());
}

#[test]
fn files_of_a_document_are_taken_in_where_they_fit() {
    let text = with("/conditions", json!({ "law": "linear" }));
    let mut text: serde_json::Value = serde_json::from_str(&text).unwrap();
    text["jobs"] = json!({ "file": "mine.csv", "map": "submit_s=at duration_s=took gpus=n" });
    let mut document = Document::parse(&text.to_string()).unwrap();
    document.curves = elastiplan_documents::CurveSource::None {};
    // Rows of the table are other rows of a plain one: what runs is the same.
    let digest = |resolved: Resolved| run_all(&resolved.scenario, &["fixed"]).0[0].digest.clone();
    let table = |rows: u64| {
        let rows = (0..rows).map(|row| format!("{row},{},2\n", row.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44));
        format!("at,took,n\n{}", rows.collect::<String>())
    };
    let of = |rows: u64| {
        let file = move |name: &str| (name == "mine.csv").then(|| table(rows).into_bytes());
        (Link::of(BASE, &document, &ShownView::default(), &file).unwrap(), document.resolve(&file).unwrap())
    };
    let (link, resolved) = of(20);
    let opened = Link::open(&link.text).unwrap().document;
    assert_eq!((link.needs.len(), digest(opened.resolve(&|_| None).unwrap())), (0, digest(resolved)));
    let (link, resolved) = of(9000);
    assert_eq!(link.needs[0].name, "mine.csv", "the file itself, with its mapping");
    let file = |_: &str| Some(table(9000).into_bytes());
    assert_eq!(Link::open(&link.text).unwrap().document.resolve(&file).unwrap().scenario, resolved.scenario);
    let error = Link::of(BASE, &document, &ShownView::default(), &|_| None).unwrap_err();
    assert!(error.to_string().contains("mine.csv is not there"), "{error}");
}

#[test]
fn a_document_that_is_too_long_without_its_data_has_no_link() {
    let mut document = Preset::named("sample").unwrap().document().unwrap();
    document.about = jobs(3000);
    let error = Link::of(BASE, &document, &ShownView::default(), &|_| None).unwrap_err();
    assert!(matches!(error, LinkError::TooLong { characters } if characters > CHARACTERS_MAX), "{error}");
}

#[test]
fn a_link_that_unpacks_to_far_more_than_its_size_is_refused() {
    let bomb = packed(&" ".repeat(60_000_000));
    assert!(bomb.len() < 100_000);
    check(&format!("#v=1&s={bomb}"), expect!["error: the document of the link unpacks to more than 50 MB"]);
}

proptest! {
    #[test]
    fn no_link_panics(text in "(#v=1&s=)?[-_a-zA-Z0-9&=%ä]{0,200}") {
        let _ = Link::open(&text);
    }

    /// A link with letters changed.
    #[test]
    fn no_damaged_link_panics(places in prop::collection::vec((any::<prop::sample::Index>(), "[-_a-zA-Z0-9&=]"), 1..4)) {
        let mut text = link(&with_jobs(20));
        for (at, letter) in places {
            let at = at.index(text.len());
            text.replace_range(at..at + 1, &letter);
        }
        if let Ok(opened) = Link::open(&text) {
            let _ = opened.document.resolve(&|_| None);
        }
    }

    #[test]
    fn views_come_back(view in prop::option::of(".{1,9}"), job in prop::option::of(".{1,30}"), times in any::<[Option<i32>; 3]>()) {
        let [t, from, to] = times.map(|time| time.map(|time| f64::from(time) / 7.0));
        let shown = ShownView { view, chart: None, job, t, from, to };
        let link = Link::of_preset(BASE, &PRESETS[0], &shown).text;
        prop_assert_eq!(Link::open(&link).unwrap().view, shown);
    }
}
