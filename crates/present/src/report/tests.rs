use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use elastiplan_model::{Severity, Trace};
use elastiplan_scenario::sample;
use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::*;
use crate::goal::GoalKind;
use crate::testing::{runs_of, sample_runs};

/// The report of some runs of the sample, changed before it is written.
fn report(policies: &[&str], change: impl FnOnce(&mut Report<'_>)) -> String {
    report_with(policies, &[], change)
}

/// The same with findings.
fn report_with(policies: &[&str], findings: &[Diagnostic], change: impl FnOnce(&mut Report<'_>)) -> String {
    let (runs, workload) = sample_runs(policies);
    let scenario = sample::scenario(sample::SEED);
    let mut report = Report {
        title: "Sample",
        scenario: &scenario,
        runs: &runs,
        workload: &workload,
        goal: Goal::best(GoalKind::MeanCompletion),
        columns: None,
        paper: &Paper::default(),
        sources: &[],
        findings,
        assumed: &[],
        study: None,
        origin: Origin::default(),
        software: "Elastiplan build 4711",
        date: None,
        parts: Parts { jobs: 20, ..Parts::default() },
    };
    change(&mut report);
    report.html()
}

/// Elements that reports have, with their attributes.
const KNOWN: [(&str, &[&str]); 48] = [
    ("html", &["lang"]),
    ("head", &[]),
    ("meta", &["charset", "http-equiv", "content", "name"]),
    ("title", &[]),
    ("style", &[]),
    ("body", &[]),
    ("main", &[]),
    ("header", &[]),
    ("footer", &[]),
    ("section", &["class"]),
    ("h1", &[]),
    ("h2", &[]),
    ("p", &["class"]),
    ("b", &["class", "title"]),
    ("i", &[]),
    ("bdi", &[]),
    ("small", &["class"]),
    ("span", &["class"]),
    ("code", &["class"]),
    ("a", &["href", "rel"]),
    ("ul", &["class"]),
    ("li", &[]),
    ("dl", &["class"]),
    ("dt", &[]),
    ("dd", &[]),
    ("div", &["class", "aria-hidden"]),
    ("table", &["class"]),
    ("thead", &[]),
    ("tbody", &[]),
    ("tr", &[]),
    ("th", &["scope", "class"]),
    ("td", &["class"]),
    ("figure", &[]),
    (
        "svg",
        &["viewBox", "width", "height", "aria-hidden", "aria-label", "role", "stroke-linejoin", "preserveAspectRatio"],
    ),
    ("path", &["d", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "vector-effect"]),
    ("rect", &["x", "y", "width", "height", "rx", "fill", "stroke", "opacity", "stroke-width"]),
    ("polyline", &["points", "fill", "opacity", "stroke", "stroke-width"]),
    ("polygon", &["points", "fill", "opacity"]),
    ("circle", &["cx", "cy", "r", "fill", "opacity", "stroke", "stroke-width"]),
    ("line", &["x1", "y1", "x2", "y2", "opacity", "stroke", "stroke-width"]),
    (
        "text",
        &[
            "x",
            "y",
            "dy",
            "dx",
            "text-anchor",
            "font-family",
            "font-size",
            "font-weight",
            "font-style",
            "opacity",
            "fill",
            "transform",
        ],
    ),
    ("g", &[]),
    ("defs", &[]),
    ("tspan", &[]),
    ("desc", &[]),
    ("metadata", &[]),
    ("caption", &[]),
    ("br", &[]),
];

/// Whether a document has no elements and attributes but these, closed in order, and no text that could be taken for one.
fn check_strictly(html: &str) -> Result<(), String> {
    let rest = html.strip_prefix("<!doctype html>\n").ok_or("no doctype")?;
    let mut open: Vec<&str> = Vec::new();
    let mut rest = rest;
    while let Some(at) = rest.find(['<', '>']) {
        let is_style = open.last() == Some(&"style");
        if rest.as_bytes()[at] == b'>' && !is_style {
            return Err(format!("> in text: {}", &rest[..at.min(60)]));
        }
        let end = at + rest[at..].find('>').ok_or("a tag without an end")?;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("{name} is closed, {open:?} are open"));
            }
            continue;
        }
        let (tag, is_closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let (_, known) = KNOWN.iter().find(|(known, _)| *known == name).ok_or(format!("<{name}> is not ours"))?;
        while !attributes.trim().is_empty() {
            let (key, after) = attributes.trim_start().split_once("=\"").ok_or(format!("{name}: {attributes}"))?;
            let (value, after) = after.split_once('"').ok_or(format!("{name}: {attributes}"))?;
            if !known.contains(&key) || (key == "href" && !value.starts_with("http")) {
                return Err(format!("{name} {key}={value}"));
            }
            attributes = after;
        }
        if !is_closed && !matches!(name, "meta" | "br") {
            open.push(name);
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("{open:?} are open")) }
}

#[test]
fn the_strict_check_refuses_what_is_not_ours() {
    let refused = |text: &str| assert!(check_strictly(&format!("<!doctype html>\n{text}")).is_err(), "{text}");
    for text in
        ["<script></script>", "<p onclick=\"x\"></p>", "<p>", "<p></b>", "a > b", "<a href=\"javascript:x\"></a>"]
    {
        refused(text);
    }
    check_strictly("<!doctype html>\n<p class=\"a\">x</p>").unwrap();
}

#[test]
fn a_report_has_every_part_and_no_other() {
    let all = report(&["fixed", "equal-share", "elastic-dp"], |report| {
        report.origin.link = Some("https://example.org/#v=1&x=\"y\"".into());
        report.origin.command = Some("elastiplan run 'sample'".into());
        report.date = Some("23 November 2026");
    });
    check_strictly(&all).unwrap();
    let parts = [
        "finishes the average job in",
        "Judged by mean completion",
        "<h2>Metrics</h2>",
        "<h2>GPUs in use</h2>",
        "Completion time, % of jobs",
        "<h2>Runs</h2>",
        "Nothing was left out, filled in or assumed.",
        "<h2>Jobs</h2>",
        "<h2>Provenance</h2>",
        "https://example.org/#v=1&amp;x=&quot;y&quot;",
        "elastiplan run &#39;sample&#39;",
        "23 November 2026",
    ];
    for part in parts {
        assert!(all.contains(part), "{part} is not there");
    }
    assert_eq!(all.matches("<svg").count(), 1 + 3 + 2);
    assert!(all.len() < 200_000, "{} bytes", all.len());
    let none = Parts { verdict: false, timelines: false, distribution: false, jobs: 0 };
    let bare = report(&["fixed"], |report| report.parts = none);
    check_strictly(&bare).unwrap();
    for part in ["Metrics", "GPUs in use", "Completion time", "<h2>Jobs"] {
        assert!(!bare.contains(part), "{part} is there");
    }
}

#[test]
fn what_is_left_out_comes_before_what_is_assumed() {
    let found = |severity, rule: &str| Diagnostic::new(severity, rule, "Row left out", "Look").in_file("jobs.csv");
    let findings = [found(Severity::Info, "No user column"), found(Severity::Error, "Above 0")];
    let html = report_with(&["fixed"], &findings, |_| {});
    let at = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text} is not there"));
    assert!(at("Above 0") < at("No user column") && html.contains("title=\"Left out\""));
}

#[test]
fn many_runs_are_rows() {
    let policies = ["fixed", "equal-share", "elastic-dp", "edf", "tiresias"];
    let html = report(&policies, |_| {});
    check_strictly(&html).unwrap();
    let head = "<th scope=\"col\">p99 completion</th>";
    assert!(html.contains(head) && !report(&policies[..2], |_| {}).contains(head));
}

#[test]
fn the_stylesheet_has_the_hash_that_file_and_page_allow() {
    let hash = format!("sha256-{}", STANDARD.encode(Sha256::digest(STYLE)));
    assert_eq!(STYLE_HASH, hash, "after a change of report.css: here, and in index.html");
    let page = include_str!("../../../../index.html");
    assert!(page.contains(&format!("'{STYLE_HASH}'")), "index.html allows it for printing");
    assert!(!STYLE.contains("url(") && !STYLE.contains("@import"), "it asks for nothing");
}

#[test]
fn badges_have_the_colours_of_their_runs() {
    let palette = crate::palette::Palette::light();
    for slot in 0..crate::runs::COLOURS {
        let colour = palette.css(elastiplan_scene::Paint::Policy(slot as u8));
        assert!(STYLE.contains(&format!(".p{slot} {{ background: {colour}; }}")), "{slot}: {colour}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever names say, they are text.
    #[test]
    fn names_are_never_taken_for_html(
        name in r#"(<script>|</td>|"|'|&|<!--|\PC|[\x00-\x1f]|javascript:|\u{202e}){0,12}"#,
        other in ".{0,12}",
    ) {
        let mut scenario = sample::scenario(sample::SEED);
        let mut jobs = scenario.trace.jobs()[..4].to_vec();
        jobs[0].name = name.clone();
        jobs[1].name = format!("{other}<img src=x onerror=alert(1)>");
        if let Ok(trace) = Trace::new(scenario.trace.models().to_vec(), jobs) {
            scenario.trace = Arc::new(trace);
        }
        let (mut runs, workload) = runs_of(&scenario, &["fixed", "elastic-dp"]);
        runs[0].label = Some(name.clone());
        runs[1].label = Some(format!("</title><script>{other}"));
        runs[1].differs = vec![name.clone()];
        let findings = [Diagnostic::new(Severity::Error, &*name, &*other, "x").in_file(&name).with_value(&*other)];
        let study = StudyPart { sentence: name.clone(), table: vec![vec![name.clone()], vec![other.clone()]], figure: None };
        let html = Report {
            title: &name,
            scenario: &scenario,
            runs: &runs,
            workload: &workload,
            goal: Goal::best(GoalKind::MeanCompletion),
            columns: None,
            paper: &Paper::default(),
            sources: std::slice::from_ref(&name),
            findings: &findings,
            assumed: std::slice::from_ref(&other),
            study: Some(study),
            origin: Origin {
                link: Some(format!("https://{name}")),
                note: Some(other.clone()),
                needs: vec![(name.clone(), other.clone(), 1)],
                command: Some(name.clone()),
            },
            software: &other,
            date: Some(&name),
            parts: Parts { jobs: 10, ..Parts::default() },
        }
        .html();
        check_strictly(&html).map_err(TestCaseError::fail)?;
    }
}
