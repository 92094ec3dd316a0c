//! What a paper says about the scenario that is shown: a preset may carry it.

use elastiplan_metrics::{MetricInfo, Metrics};
use elastiplan_scenario::{PaperValue, ReadPreset};

use super::figure::PaperMark;
use crate::runs::RunEntry;
use crate::state::inputs::Inputs;
use crate::state::preset;

/// The values of a paper.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paper {
    source: String,
    values: Vec<PaperValue>,
}

/// One of them, for one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// In the unit of the metric.
    pub value: f64,
    /// Where it stands.
    pub source: String,
}

impl Paper {
    /// These values.
    #[cfg(test)]
    pub fn saying(source: &str, values: Vec<PaperValue>) -> Self {
        Self { source: source.into(), values }
    }

    /// What there is on these inputs: only for a preset as it is, since a paper says nothing about changed ones.
    pub fn of(inputs: &Inputs) -> Self {
        let is_this = |preset: &&ReadPreset| {
            preset.title == inputs.name
                && preset::inputs(&preset.name).is_some_and(|preset| preset.same_scenario(inputs))
        };
        let paper = |preset: &ReadPreset| Self { source: preset.source.clone(), values: preset.paper.clone() };
        of_papers().find(is_this).map(paper).unwrap_or_default()
    }

    /// The metrics of which it says something.
    pub fn metrics(&self) -> impl Iterator<Item = &'static MetricInfo> + '_ {
        self.values.iter().filter_map(|value| Metrics::info(&value.metric))
    }

    /// What it says of a metric under a policy. A value that is so many times another policy's is that many times what
    /// came out here.
    pub fn value(&self, metric: &str, entry: &RunEntry, runs: &[RunEntry]) -> Option<Said> {
        let said = self.values.iter().find(|said| said.metric == metric && said.policy == entry.policy)?;
        let place = if said.source.is_empty() { &self.source } else { &said.source };
        let Some(other) = &said.relative_to else {
            return Some(Said { value: said.value, source: place.clone() });
        };
        let other = runs.iter().find(|run| run.policy == *other)?;
        let ours = (Metrics::info(metric)?.value)(&other.result.as_ref()?.summary)?;
        Some(Said { value: said.value * ours, source: format!("{place}: ×{} of {}", said.value, other.letter()) })
    }
}

/// The presets that carry values of a paper.
fn of_papers() -> impl Iterator<Item = &'static ReadPreset> {
    preset::all().iter().filter(|preset| !preset.paper.is_empty())
}

/// What the diamonds are.
pub fn note(marks: &[PaperMark]) -> String {
    let mut sources: Vec<&str> = Vec::new();
    for mark in marks.iter().filter(|mark| !mark.source.is_empty()) {
        if !sources.contains(&mark.source.as_str()) {
            sources.push(&mark.source);
        }
    }
    let cited = if sources.is_empty() { String::new() } else { format!(" ({})", sources.join("; ")) };
    format!("◇ what the paper says{cited}")
}

#[cfg(test)]
mod tests {
    use super::super::testing::sample_runs;
    use super::*;

    fn paper() -> Paper {
        let value = |policy: &str, value: f64, relative_to: Option<&str>| PaperValue {
            policy: policy.parse().unwrap(),
            metric: "avg_jct_s".into(),
            value,
            relative_to: relative_to.map(|other| other.parse().unwrap()),
            source: "Table 3".into(),
        };
        let values = vec![value("fixed", 5_000.0, None), value("elastic-dp", 0.5, Some("fixed"))];
        Paper::saying("A paper", values)
    }

    #[test]
    fn a_value_relative_to_another_policy_is_that_many_times_ours() {
        let (runs, _) = sample_runs(&["fixed", "elastic-dp"]);
        let ours = runs[0].result.as_ref().unwrap().summary.metrics.avg_jct_s.unwrap();
        let check = |run: usize, value: f64, source: &str| {
            let said = paper().value("avg_jct_s", &runs[run], &runs).unwrap();
            assert_eq!(said, Said { value, source: source.into() });
        };
        check(0, 5_000.0, "Table 3");
        check(1, ours * 0.5, "Table 3: ×0.5 of A");
        assert_eq!(paper().value("makespan_s", &runs[0], &runs), None);
    }

    #[test]
    fn changed_inputs_have_no_paper() {
        for ReadPreset { name, paper, .. } in of_papers() {
            let mut inputs = preset::inputs(name).unwrap();
            assert_eq!(Paper::of(&inputs).values, *paper, "{name}");
            inputs.what_if.rescale_cost_s += 1.0;
            assert_eq!(Paper::of(&inputs), Paper::default(), "{name}");
        }
        assert_eq!(Paper::of(&Inputs::sample()), Paper::default());
    }
}
