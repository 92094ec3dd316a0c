//! Fixtures of the tests: runs of the sample and of a small scenario.

use std::rc::Rc;

use elastiplan_documents::Document;
use elastiplan_model::Workload;
use elastiplan_planner::{PaperValue, run};
use elastiplan_scenario::{Scenario, sample};

use crate::paper::Paper;
use crate::runs::{RunEntry, RunState};

const TRAINED: &str = r#"{
    "elastiplan": 1,
    "jobs": { "inline": "job_id,submit_s,model,gpus,samples,batch_global\na,0,bert,2,20000,64\nb,30,gpt,4,100000,64\n" },
    "curves": { "given": [
        { "model": "gpt", "power": { "samples_per_s": 100, "factor": 0.8, "gpus_max": 8 } },
        { "model": "bert", "batch_global": 64,
          "throughput": {
            "gradient_s": 0.02, "gradient_s_per_sample": 0.01, "local_sync_s": 0.01, "local_sync_s_per_gpu": 0.001,
            "node_sync_s": 0.04, "node_sync_s_per_gpu": 0.002, "overlap": 2,
            "batch_per_gpu_max": 32, "gpus_per_node": 4, "gpus_max": 8
          },
          "efficiency": { "batch_base": 32, "stages": [
            { "until_share": 0.5, "noise_samples": 40 }, { "until_share": 1, "noise_samples": 160 }
          ] } }
    ] },
    "cluster": { "nodes": 1, "gpus_per_node": 4 },
    "policies": ["fixed"]
}"#;

/// Runs that have not begun.
pub fn entries(policies: &[&str]) -> Vec<RunEntry> {
    let entry = |(slot, policy): (usize, &&str)| RunEntry::new(slot, policy.parse().unwrap());
    policies.iter().enumerate().map(entry).collect()
}

/// Whole runs of the sample.
pub fn sample_runs(policies: &[&str]) -> (Vec<RunEntry>, Rc<Workload>) {
    runs_of(&sample::scenario(sample::SEED), policies)
}

/// Whole runs of a scenario.
pub fn runs_of(scenario: &Scenario, policies: &[&str]) -> (Vec<RunEntry>, Rc<Workload>) {
    let workload = scenario.workload().0;
    let mut runs = entries(policies);
    for entry in &mut runs {
        entry.result = Some(Rc::new(run(scenario, &workload, &entry.policy).unwrap()));
        entry.state = RunState::Finished;
    }
    (runs, Rc::new(workload))
}

/// Whole runs of two jobs, of the first of which it is known what its samples are worth.
pub fn trained_runs(policies: &[&str]) -> (Vec<RunEntry>, Rc<Workload>) {
    let document = Document::parse(TRAINED).unwrap();
    runs_of(&document.resolve(&|_| None).unwrap().scenario, policies)
}

/// A paper that says one thing.
pub fn paper(metric: &str, policy: &str, value: f64, source: &str) -> Paper {
    let policy = policy.parse().unwrap();
    let published =
        PaperValue { policy, metric: metric.into(), value, range: None, relative_to: None, source: source.into() };
    Paper::new("A paper".into(), vec![published], None)
}
