//! Provenance of a figure: scenario, runs and build, written into its file so that it can be reproduced.

use elastiplan_model::Cluster;
use elastiplan_scenario::{Conditions, FaultsText, Scenario, WhatIf};
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
    /// Provenance of figures of these runs; `software` names the program with its build.
    pub fn of(settings: &Settings<'_>, runs: &[RunEntry], software: String) -> Self {
        let run = |entry: &RunEntry| {
            let digest = entry.result.as_ref().map_or("none", |result| result.digest.as_str());
            format!("{} {} digest {digest}", entry.letter(), entry.policy)
        };
        let runs: Vec<String> = runs.iter().map(run).collect();
        Self { scenario: settings.text(), runs: runs.join("; "), software }
    }

    /// The whole text.
    pub fn text(&self) -> String {
        let parts = [&*self.scenario, &*self.runs, &*self.software];
        // What a figure of a log shows comes from no run.
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(". ")
    }
}

/// The settings of a scenario that its provenance names.
pub struct Settings<'a> {
    /// The name of the scenario.
    pub name: &'a str,
    /// Jobs of the trace.
    pub jobs: usize,
    /// The machines.
    pub cluster: Cluster,
    /// Whether nodes come and go as in a log.
    pub has_log: bool,
    /// Changes to the workload.
    pub what_if: &'a WhatIf,
    /// The conditions of the runs. The time to stop counts from the first submission.
    pub conditions: &'a Conditions,
    /// The default conditions, which are not named.
    pub usual: &'a Conditions,
}

impl Settings<'_> {
    /// Size, seed and rescale cost, and every other setting that differs from its default.
    fn text(&self) -> String {
        let Self { what_if, conditions, usual, .. } = self;
        let mut parts = vec![
            words::counted(self.jobs as u64, "job", "jobs"),
            format!("{} nodes × {} GPUs", self.cluster.nodes(), self.cluster.gpus_per_node()),
            format!("seed {}", what_if.seed),
            format!("rescale cost {} s", what_if.rescale_cost_s),
        ];
        let changed = [
            (what_if.arrival_rate != 1.0, format!("arrivals × {}", what_if.arrival_rate)),
            (what_if.deadline_slack != 1.0, format!("deadlines × {}", what_if.deadline_slack)),
            (self.has_log, "nodes come and go as in a log".to_string()),
            (conditions.faults != usual.faults, format!("faults {}", FaultsText(conditions.faults))),
            (conditions.interference_slowdown > 0.0, format!("interference {}", conditions.interference_slowdown)),
            (conditions.until_s.is_some(), format!("until {} s", conditions.until_s.unwrap_or_default())),
            (conditions.checkpoint_interval_s.is_some(), {
                format!("checkpoints every {} s", conditions.checkpoint_interval_s.unwrap_or_default())
            }),
        ];
        parts.extend(changed.into_iter().filter_map(|(is_changed, words)| is_changed.then_some(words)));
        format!("Scenario {}: {}", self.name, parts.join(", "))
    }
}

impl Provenance {
    /// Provenance of figures of a scenario, whose conditions count times on the clock of the trace.
    pub fn of_scenario(name: &str, scenario: &Scenario, runs: &[RunEntry], software: String) -> Self {
        let mut conditions = scenario.conditions.clone();
        conditions.until_s = conditions.until_s.map(|until_s| until_s - scenario.trace.start_s());
        let settings = Settings {
            name,
            jobs: scenario.trace.jobs().len(),
            cluster: scenario.cluster,
            has_log: scenario.availability.is_some(),
            what_if: &scenario.what_if,
            conditions: &conditions,
            usual: &Conditions::default(),
        };
        Self::of(&settings, runs, software)
    }
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
        scenario.what_if.arrival_rate = 1.5;
        let text = Provenance::of_scenario("Sample", &scenario, &runs, "Elastiplan build 4711".into()).text();
        let digest = &runs[1].result.as_ref().unwrap().digest;
        let nodes = format!("{} nodes × {} GPUs", scenario.cluster.nodes(), scenario.cluster.gpus_per_node());
        for part in ["48 jobs", &nodes, "seed 3", "arrivals × 1.5", "A fixed digest ", digest, "build 4711"] {
            assert!(text.contains(part), "{part} is not in: {text}");
        }
        assert!(!text.contains("faults"), "defaults are not named: {text}");
    }
}
