//! What tests of figures start from.

use std::rc::Rc;

use elastiplan_model::Workload;
use elastiplan_scenario::{PaperValue, run, sample};

use super::paper::Paper;
use crate::runs::{RunEntry, RunState};

/// Runs that have not begun.
pub fn entries(policies: &[&str]) -> Vec<RunEntry> {
    let entry = |(slot, policy): (usize, &&str)| RunEntry {
        slot,
        policy: policy.parse().unwrap(),
        state: RunState::Started,
        result: None,
        wall_ms: None,
    };
    policies.iter().enumerate().map(entry).collect()
}

/// Whole runs of the sample.
pub fn sample_runs(policies: &[&str]) -> (Vec<RunEntry>, Rc<Workload>) {
    let scenario = sample::scenario(sample::SEED);
    let workload = scenario.workload().0;
    let mut runs = entries(policies);
    for entry in &mut runs {
        entry.result = Some(Rc::new(run(&scenario, &workload, &entry.policy).unwrap()));
        entry.state = RunState::Finished;
    }
    (runs, Rc::new(workload))
}

/// A paper that says one thing.
pub fn paper(metric: &str, policy: &str, value: f64, source: &str) -> Paper {
    let policy = policy.parse().unwrap();
    let said = PaperValue { policy, metric: metric.into(), value, relative_to: None, source: source.into() };
    Paper::saying("A paper", vec![said])
}
