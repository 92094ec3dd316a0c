//! Where a picture comes from: what goes into its file, so that it can be made again.

use elastiplan_scenario::FaultsText;

use crate::runs::RunEntry;
use crate::state::inputs::Inputs;
use crate::words;

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
    /// Of these runs.
    pub fn of(inputs: &Inputs, runs: &[RunEntry], build_id: &str) -> Self {
        let run = |entry: &RunEntry| {
            let digest = entry.result.as_ref().map_or("none", |result| result.digest.as_str());
            format!("{} {} digest {digest}", entry.letter(), entry.policy)
        };
        let runs: Vec<String> = runs.iter().map(run).collect();
        Self { scenario: scenario(inputs), runs: runs.join("; "), software: format!("Elastiplan build {build_id}") }
    }

    /// All of it.
    pub fn text(&self) -> String {
        let parts = [&*self.scenario, &*self.runs, &*self.software];
        // What a figure of a log shows comes from no run.
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(". ")
    }
}

/// Everything that a person can set, as far as it is not as usual.
fn scenario(inputs: &Inputs) -> String {
    let (cluster, conditions) = (&inputs.cluster, &inputs.conditions);
    let start_s = inputs.data.trace.start_s();
    let mut parts = vec![
        words::counted(inputs.data.trace.jobs().len() as u64, "job", "jobs"),
        format!("{} nodes × {} GPUs", cluster.nodes(), cluster.gpus_per_node()),
        format!("seed {}", conditions.seed),
        format!("rescale cost {} s", conditions.rescale_cost_s),
    ];
    let usual = Inputs::sample().conditions;
    let changed = [
        (conditions.arrival_rate != 1.0, format!("arrivals × {}", conditions.arrival_rate)),
        (conditions.deadline_slack != 1.0, format!("deadlines × {}", conditions.deadline_slack)),
        (inputs.data.log.is_some(), "nodes come and go as in a log".to_string()),
        (conditions.faults != usual.faults, format!("faults {}", FaultsText(conditions.faults))),
        (conditions.interference_slowdown > 0.0, format!("interference {}", conditions.interference_slowdown)),
        (conditions.until_s.is_some(), format!("until {} s", conditions.until_s.unwrap_or_default() - start_s)),
        (conditions.checkpoint_interval_s.is_some(), {
            format!("checkpoints every {} s", conditions.checkpoint_interval_s.unwrap_or_default())
        }),
    ];
    parts.extend(changed.into_iter().filter_map(|(is_changed, words)| is_changed.then_some(words)));
    format!("Scenario {}: {}", inputs.name, parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::testing::sample_runs;
    use super::*;

    #[test]
    fn a_picture_tells_scenario_digests_and_build() {
        let (runs, _) = sample_runs(&["fixed", "elastic-dp"]);
        let mut inputs = Inputs::sample();
        inputs.conditions.arrival_rate = 1.5;
        let told = Provenance::of(&inputs, &runs, "4711").text();
        let digest = &runs[1].result.as_ref().unwrap().digest;
        let nodes = format!("{} nodes × {} GPUs", inputs.cluster.nodes(), inputs.cluster.gpus_per_node());
        for part in ["48 jobs", &nodes, "seed 3", "arrivals × 1.5", "A fixed digest ", digest, "build 4711"] {
            assert!(told.contains(part), "{part} is not in: {told}");
        }
        assert!(!told.contains("faults"), "what is as usual is not told: {told}");
    }
}
