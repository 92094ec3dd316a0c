//! Every preset runs, twice to the same.

use elastiplan_model::Severity;
use elastiplan_scenario::{Document, PRESETS, Preset, run, sample};

#[test]
fn every_preset_runs_twice_to_the_same() {
    let mut twice = std::collections::BTreeSet::new();
    for preset in PRESETS {
        let document = preset.document().unwrap_or_else(|error| panic!("{}: {error}", preset.name));
        let resolved = document.resolve(&|_| None).unwrap();
        assert!(resolved.diagnostics.iter().all(|found| found.severity == Severity::Info), "{}", preset.name);
        let scenario = &resolved.scenario;
        let (workload, found) = scenario.workload();
        assert_eq!(found, [], "{}", preset.name);
        // What the page shows first; of large presets, what tests meet elsewhere once is enough.
        let is_large = scenario.trace.jobs().len() > 300;
        for policy in resolved.policies.iter().take(if is_large { 1 } else { 4 }) {
            let first = run(scenario, &workload, policy).unwrap();
            let metrics = &first.summary.metrics;
            // Only policies with admission control drop jobs.
            let ended = metrics.jobs_completed + metrics.jobs_dropped;
            assert_eq!(ended, metrics.jobs_total, "{}: {policy}", preset.name);
            // What was the same twice in one preset is so in the others.
            if twice.insert(policy.to_string()) {
                assert_eq!(first, run(scenario, &workload, policy).unwrap(), "{}: {policy}", preset.name);
            }
        }
    }
}

#[test]
fn every_preset_says_what_it_is() {
    for (at, preset) in PRESETS.iter().enumerate() {
        let document = preset.document().unwrap();
        let texts = [&document.title, &document.about, &document.source];
        assert!(texts.iter().all(|text| !text.is_empty()), "{}", preset.name);
        assert!(PRESETS[..at].iter().all(|other| other.name != preset.name));
        assert_eq!(Preset::named(preset.name), Some(preset));
        assert_eq!(Document::parse(&document.to_json()), Ok(document));
    }
    assert_eq!(Preset::named("nothing"), None);
}

#[test]
fn the_sample_is_what_the_page_starts_with() {
    let document = Preset::named("sample").unwrap().document().unwrap();
    let resolved = document.resolve(&|_| None).unwrap();
    assert_eq!(resolved.scenario, sample::scenario(sample::SEED));
}
