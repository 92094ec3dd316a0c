//! Published results of the shown inputs, and the provenance of their figures.

use elastiplan_present::paper::Paper;
use elastiplan_present::provenance::{Provenance, Settings};
use elastiplan_present::runs::RunEntry;
use elastiplan_scenario::ReadPreset;

use super::condition::default_conditions;
use super::inputs::Inputs;
use super::preset;

/// The paper of the preset that these inputs are; empty for changed inputs, of which a paper says nothing.
pub fn paper_of(inputs: &Inputs) -> Paper {
    let is_this = |preset: &&ReadPreset| {
        preset.title == inputs.name && preset::inputs(&preset.name).is_some_and(|preset| preset.same_scenario(inputs))
    };
    let drawn_with = inputs.data.trace_origin.is_drawn().then_some(inputs.what_if.seed);
    let paper = |preset: &ReadPreset| {
        let ReadPreset { source, paper: values, .. } = preset.clone();
        Paper::new(source, values, drawn_with)
    };
    with_paper().find(is_this).map(paper).unwrap_or_default()
}

/// The presets that carry published values.
fn with_paper() -> impl Iterator<Item = &'static ReadPreset> {
    preset::all().iter().filter(|preset| !preset.paper.is_empty())
}

/// The provenance of figures of these inputs and runs.
pub fn provenance_of(inputs: &Inputs, runs: &[RunEntry], build_id: &str) -> Provenance {
    let settings = Settings {
        name: &inputs.name,
        jobs: inputs.data.trace.jobs().len(),
        cluster: inputs.cluster,
        has_log: inputs.data.log.is_some(),
        what_if: &inputs.what_if,
        conditions: &inputs.conditions,
        usual: &default_conditions(),
    };
    Provenance::of(&settings, runs, format!("Elastiplan build {build_id}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_inputs_have_no_paper() {
        for ReadPreset { name, paper, .. } in with_paper() {
            let mut inputs = preset::inputs(name).unwrap();
            assert_eq!(paper_of(&inputs).values(), *paper, "{name}");
            inputs.what_if.rescale_cost_s += 1.0;
            assert_eq!(paper_of(&inputs), Paper::default(), "{name}");
        }
        assert_eq!(paper_of(&Inputs::sample()), Paper::default());
    }

    #[test]
    fn provenance_names_jobs_and_leaves_out_defaults() {
        let text = provenance_of(&Inputs::sample(), &[], "4711").text();
        assert!(text.contains("48 jobs") && text.ends_with("Elastiplan build 4711"), "{text}");
        assert!(!text.contains("faults"), "{text}");
    }
}
