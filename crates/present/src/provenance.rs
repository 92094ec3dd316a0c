//! Provenance of a figure: scenario, runs and build, written into its file so that it can be reproduced.

use elastiplan_scenario::fields::{FIELDS, Unit};
use elastiplan_scenario::{Conditions, FaultsText, Scenario};
use elastiplan_text::words;

use crate::runs::RunEntry;

/// Scenario, runs and build.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    /// The scenario in a line.
    pub scenario: String,
    /// Policies with the digests of their records.
    pub runs: String,
    /// Which build made it.
    pub software: String,
}

impl Provenance {
    /// Provenance of figures of a scenario and its runs; `software` names the program with its build.
    pub fn of(name: &str, scenario: &Scenario, runs: &[RunEntry], software: String) -> Self {
        let run = |entry: &RunEntry| {
            let digest = entry.result.as_ref().map_or("none", |result| result.digest.as_str());
            format!("{} {} digest {digest}", entry.letter(), entry.policy)
        };
        let runs: Vec<String> = runs.iter().map(run).collect();
        Self { scenario: format!("Scenario {name}: {}", settings(scenario)), runs: runs.join("; "), software }
    }

    /// The whole text.
    pub fn text(&self) -> String {
        let parts = [&*self.scenario, &*self.runs, &*self.software];
        // What a figure of a log shows comes from no run.
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(". ")
    }
}

/// Size, seed and rescale cost, and the settings that differ from their defaults. The time to stop counts from the first
/// submission.
fn settings(scenario: &Scenario) -> String {
    let Scenario { trace, cluster, conditions, .. } = scenario;
    let until_s = conditions.until_s.map(|until_s| until_s - trace.start_s());
    let always = [
        words::counted(trace.jobs().len() as u64, "job", "jobs"),
        format!("{} nodes × {} GPUs", cluster.nodes(), cluster.gpus_per_node()),
        format!("seed {}", conditions.seed),
        format!("rescale cost {} s", conditions.rescale_cost_s),
    ];
    let special = [
        conditions.availability.is_some().then(|| "nodes come and go as in a log".to_string()),
        (!conditions.faults.is_none()).then(|| format!("faults {}", FaultsText(conditions.faults))),
        (conditions.interference_slowdown > 0.0).then(|| format!("interference {}", conditions.interference_slowdown)),
        until_s.map(|until_s| format!("until {until_s} s")),
        conditions.checkpoint_interval_s.map(|interval_s| format!("checkpoints every {interval_s} s")),
    ];
    let parts = always.into_iter().chain(changed_factors(conditions)).chain(special.into_iter().flatten());
    parts.collect::<Vec<_>>().join(", ")
}

/// What the factors among the what-ifs change: `arrivals × 2`.
fn changed_factors(conditions: &Conditions) -> impl Iterator<Item = String> {
    FIELDS.iter().filter_map(|field| {
        let control = field.control.as_ref().filter(|control| control.unit == Unit::Factor)?;
        let value = field.get(conditions);
        (value != field.default()).then(|| control.summary.replace("{}", &value.to_string()))
    })
}

#[cfg(test)]
mod tests {
    use elastiplan_scenario::sample;

    use super::*;
    use crate::testing::sample_runs;

    #[test]
    fn provenance_names_scenario_digests_and_build() {
        let (runs, _) = sample_runs(&["fixed", "elastic-dp"]);
        let mut scenario = sample::scenario(sample::SEED);
        scenario.conditions.arrival_rate = 1.5;
        let text = Provenance::of("Sample", &scenario, &runs, "Elastiplan build 4711".into()).text();
        let digest = &runs[1].result.as_ref().unwrap().digest;
        let nodes = format!("{} nodes × {} GPUs", scenario.cluster.nodes(), scenario.cluster.gpus_per_node());
        for part in ["48 jobs", &nodes, "seed 3", "arrivals × 1.5", "A fixed digest ", digest, "build 4711"] {
            assert!(text.contains(part), "{part} is not in: {text}");
        }
        assert!(!text.contains("faults"), "defaults are not named: {text}");
    }
}
