//! What presets hold. That they run, always to the same, is seen in `digests`.

use elastiplan_documents::{Document, PRESETS, Preset};
use elastiplan_model::Severity;
use elastiplan_scenario::sample;

#[test]
fn every_preset_has_all_it_needs() {
    for preset in PRESETS {
        let document = preset.document().unwrap_or_else(|error| panic!("{}: {error}", preset.name));
        let resolved = document.resolve(&|_| None).unwrap();
        assert!(resolved.diagnostics.iter().all(|found| found.severity == Severity::Info), "{}", preset.name);
        assert_eq!(resolved.scenario.workload().1, [], "{}", preset.name);
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

#[test]
fn studies_of_presets_can_be_made_and_have_a_question() {
    let studies = PRESETS.iter().filter_map(|preset| Some((preset.name, preset.document().unwrap().study()?)));
    let studies: Vec<_> = studies.map(|(name, study)| (name, study.unwrap())).collect();
    assert_eq!(studies.len(), 5);
    for (name, study) in studies {
        assert!(study.find.is_some() && !study.goals.is_empty(), "{name}");
        let runs = study.next(&elastiplan_study::Results::default()).len();
        assert!((20..200).contains(&runs), "{name}: {runs} runs are not for a browser");
    }
}
