//! What is said about memory before a run.

use std::sync::Arc;

use elastiplan_model::{Trace, TraceError};
use elastiplan_planner::{MemoryEstimate, advice};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::{Scenario, sample};

/// The sample's jobs, many times over.
fn with_jobs(times: usize) -> Result<Scenario, TraceError> {
    let mut scenario = sample::scenario(3);
    let jobs = (0..times).flat_map(|round| {
        scenario.trace.jobs().iter().cloned().map(move |mut job| {
            job.name = format!("{}-{round}", job.name);
            job.submit_s += 20_000.0 * round as f64;
            job.deadline_s = None;
            job
        })
    });
    scenario.trace = Arc::new(Trace::new(scenario.trace.models().to_vec(), jobs.collect())?);
    Ok(scenario)
}

fn policies(count: usize) -> Vec<PolicySpec> {
    vec!["equal-share".parse().unwrap(); count]
}

#[test]
fn a_small_scenario_is_not_worth_a_word() {
    let scenario = sample::scenario(3);
    assert!(MemoryEstimate::of(&scenario, &policies(4)).bytes < 2e6);
    assert_eq!(advice(&scenario, &policies(4)), []);
}

#[test]
fn a_large_scenario_is() {
    let scenario = with_jobs(2000).unwrap();
    let estimate = MemoryEstimate::of(&scenario, &policies(3));
    assert_eq!(estimate, MemoryEstimate { bytes: 3.0 * 96_000.0 * (1_000.0 + 40.0 * 170.0) });
    let told: Vec<String> = advice(&scenario, &policies(3)).iter().map(ToString::to_string).collect();
    let expected = "The runs may take up to 2.2 GB of memory. A browser tab may have less. Compare fewer policies at a \
                    time, use a part of the jobs, or the command line";
    assert_eq!(told, [expected]);
    let rigid: Vec<PolicySpec> = vec!["fixed".parse().unwrap(), "shortest-first".parse().unwrap()];
    assert_eq!(advice(&scenario, &rigid), [], "they let jobs run on what they started with");
}

#[test]
fn nodes_that_fail_count() {
    let mut scenario = with_jobs(10).unwrap();
    let before = MemoryEstimate::of(&scenario, &policies(1)).bytes;
    scenario.conditions.faults.node_mtbf_s = Some(100.0);
    scenario.conditions.faults.node_repair_s = 10.0;
    assert!(MemoryEstimate::of(&scenario, &policies(1)).bytes > 10.0 * before);
}

/// The record of the greediest policy is not larger than was estimated.
#[test]
fn records_stay_below_the_estimate() {
    let scenario = with_jobs(20).unwrap();
    for run in crate::run_all(&scenario, &["fixed", "equal-share", "elastic-dp"]).0 {
        let (spans, jobs) = (run.run.spans.len() as f64, scenario.trace.jobs().len() as f64);
        let most = if run.policy.name() == "fixed" { 3.0 } else { 40.0 };
        assert!(spans <= most * jobs, "{}: {spans}", run.policy);
    }
}
