//! Published results of the shown inputs, and the provenance of their figures.

use elastiplan_present::paper::Paper;
use elastiplan_present::provenance::Provenance;
use elastiplan_present::runs::RunEntry;
use elastiplan_workloads::PackedPreset;

use super::inputs::Inputs;
use super::preset::Presets;

/// The paper of the preset that these inputs are; empty for changed inputs, of which a paper says nothing.
pub fn paper_of(presets: &Presets, inputs: &Inputs) -> Paper {
    let is_this = |preset: &&PackedPreset| {
        preset.title == inputs.name && presets.made(&preset.name).is_some_and(|preset| preset.same_scenario(inputs))
    };
    let drawn_with = inputs.data.trace_origin.is_drawn().then_some(inputs.conditions.seed);
    let paper = |preset: &PackedPreset| {
        let PackedPreset { source, paper: values, .. } = preset.clone();
        Paper::new(source, values, drawn_with)
    };
    with_paper(presets).find(is_this).map(paper).unwrap_or_default()
}

/// Authors of papers with the section about them in the notes on fidelity.
const SECTIONS: [(&str, &str); 5] = [
    ("Gu et al.", "docs/fidelity.html#the-figures-of-elasticflow-as-presets"),
    ("Qiao et al.", "docs/fidelity.html#the-tables-and-figures-of-pollux-as-presets"),
    ("Saxena et al.", "docs/fidelity.html#ibms-benchmarks"),
    ("Liu et al.", "docs/fidelity.html#bftrainer"),
    ("Hu et al.", "docs/fidelity.html#modelarts-allocators"),
];

/// The address of what the docs say about a paper, given by its source: `Gu et al., ElasticFlow, ASPLOS 2023`.
pub fn fidelity_of(source: &str) -> &'static str {
    let section = SECTIONS.iter().find(|(authors, _)| source.starts_with(authors));
    section.map_or("docs/fidelity.html", |(_, address)| address)
}

/// The presets that carry published values.
fn with_paper(presets: &Presets) -> impl Iterator<Item = &PackedPreset> {
    presets.all().iter().filter(|preset| !preset.paper.is_empty())
}

/// The provenance of figures of these inputs and runs.
pub fn provenance_of(inputs: &Inputs, runs: &[RunEntry], build_id: &str) -> Provenance {
    Provenance::of(&inputs.name, &inputs.scenario(), runs, format!("Elastiplan build {build_id}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_paper_has_a_section_in_the_notes() {
        let presets = Presets::unpack(&elastiplan_worker::PRESETS.into()).unwrap();
        for preset in with_paper(&presets) {
            assert!(fidelity_of(&preset.source).contains('#'), "{}: {}", preset.name, preset.source);
        }
        assert_eq!(fidelity_of("a log of one's own"), "docs/fidelity.html");
    }

    #[test]
    fn changed_inputs_have_no_paper() {
        let presets = Presets::unpack(&elastiplan_worker::PRESETS.into()).unwrap();
        for PackedPreset { name, paper, .. } in with_paper(&presets) {
            let mut inputs = presets.drawn(name);
            assert_eq!(paper_of(&presets, &inputs).values(), *paper, "{name}");
            let title = inputs.name.clone();
            assert_eq!(presets.name_of(&inputs), title);
            inputs.conditions.rescale_cost_s += 1.0;
            assert_eq!(presets.name_of(&inputs), format!("{title}, edited"));
            assert_eq!(paper_of(&presets, &inputs), Paper::default(), "{name}");
        }
        assert_eq!(paper_of(&presets, &Inputs::sample()), Paper::default());
    }

    #[test]
    fn provenance_names_jobs_and_leaves_out_defaults() {
        let text = provenance_of(&Inputs::sample(), &[], "4711").text();
        assert!(text.contains("48 jobs") && text.ends_with("Elastiplan build 4711"), "{text}");
        assert!(!text.contains("faults"), "{text}");
    }
}
