//! ElasticFlow keeps what it promises: no admitted job is late, whatever changes cost, as long as nothing goes wrong.

use elastiplan_engine::{Outcome, Run, Simulation};
use elastiplan_model::{Cluster, Workload};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::{Conditions, Placement};
use proptest::prelude::*;

use crate::properties::workload;
use crate::sound::assert_sound;

fn run(spec: &str, workload: &Workload, cluster: Cluster, settings: &Conditions) -> Run {
    let spec: PolicySpec = spec.parse().unwrap();
    let policy = spec.build(settings.seed).unwrap();
    let simulation = Simulation::new(workload, cluster, settings.clone(), spec.to_string(), policy).unwrap();
    simulation.run_to_end().unwrap_or_else(|error| panic!("{error}"))
}

/// Every job with a deadline that was not dropped is done in time.
fn check(spec: &str, workload: &Workload, cluster: Cluster, settings: &Conditions) {
    let run = run(spec, workload, cluster, settings);
    assert_sound(&run, workload, &cluster, settings);
    for (at, job) in workload.trace().jobs().iter().enumerate() {
        let Some(deadline_s) = job.deadline_s.filter(|_| run.jobs.outcome[at] != Outcome::Dropped) else { continue };
        let end_s = run.jobs.end_s[at];
        assert!(
            end_s.is_some_and(|end_s| end_s <= deadline_s + 1e-3),
            "job {} due {deadline_s}, done {end_s:?}",
            job.name
        );
    }
}

fn costs() -> impl Strategy<Value = Conditions> {
    let seconds = || prop_oneof![2 => Just(0.0), 1 => Just(4.0), 2 => 0.0..12.0f64];
    (seconds(), seconds(), seconds(), seconds()).prop_map(|(up_s, down_s, per_doubling_s, start_s)| Conditions {
        rescale_cost_s: up_s,
        rescale_down_s: Some(down_s),
        rescale_per_doubling_s: per_doubling_s,
        start_delay_s: start_s,
        ..Conditions::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn no_promise_is_broken(
        workload in workload(),
        nodes in 1..5u32,
        gpus_per_node in prop::sample::select(vec![1, 2, 3, 4, 8]),
        costs in costs(),
        interval_s in prop::sample::select(vec![0.0, 1.0, 7.5, 60.0]),
    ) {
        let settings = Conditions { placement: Placement::Keep, ..costs };
        let cluster = Cluster::new(nodes, gpus_per_node).unwrap();
        check(&format!("elasticflow[interval_s={interval_s}]"), &workload, cluster, &settings);
    }
}
