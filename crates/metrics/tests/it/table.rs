//! The catalogue: keys, groups, and which rows a table shows.

use elastiplan_engine::{Outcome, Run, SpanState};
use elastiplan_metrics::{METRICS, Metrics, PAIR_METRICS, Summary};

use crate::stories::{job, nodes_that_come_and_go, record, three_jobs};

#[test]
fn the_catalogue_has_the_keys_of_the_json_in_their_order() {
    let json = serde_json::to_string(&Metrics::default()).unwrap();
    let inner = json.trim_matches(['{', '}']);
    let keys: Vec<&str> = inner.split(',').map(|pair| pair.split('"').nth(1).unwrap()).collect();
    assert_eq!(METRICS.iter().map(|info| info.key).collect::<Vec<_>>(), keys);
}

#[test]
fn the_documentation_has_a_row_for_every_key() {
    let page = include_str!("../../../../docs/metrics.md");
    for key in METRICS.iter().map(|info| info.key).chain(PAIR_METRICS.iter().map(|info| info.key)) {
        assert!(page.contains(&format!("`{key}`")), "{key} is not in docs/metrics.md");
    }
}

#[test]
fn groups_stay_together() {
    let mut groups: Vec<_> = METRICS.iter().map(|info| info.group).collect();
    groups.dedup();
    assert!(groups.windows(2).all(|pair| pair[0] < pair[1]), "{groups:?}");
    assert!(groups.iter().all(|group| !group.label().is_empty()));
}

#[test]
fn every_value_is_that_of_its_key() {
    let (run, workload) = nodes_that_come_and_go();
    let summary = Summary::of(&Run { price_per_gpu_hour: Some(2.0), ..run }, &workload);
    let json: serde_json::Value = serde_json::to_value(&summary.metrics).unwrap();
    for info in METRICS {
        assert_eq!((info.value)(&summary.metrics), json[info.key].as_f64(), "{}", info.key);
    }
}

/// The rows beyond those that are always there.
fn extra_rows(summary: &Summary) -> Vec<&'static str> {
    let extra = METRICS.iter().filter(|info| info.is_shown_for([summary]) && !info.is_shown_for([]));
    extra.map(|info| info.key).collect()
}

#[test]
fn a_table_shows_what_applies() {
    let (run, workload) = record(4, &[job(0.0, None, &[(SpanState::Running, 1, 6.0)], Outcome::Completed)]);
    assert_eq!(extra_rows(&Summary::of(&run, &workload)), [""; 0]);

    let (run, workload) = three_jobs();
    let mut dropping = Summary::of(&run, &workload);
    assert_eq!(extra_rows(&dropping), ["jobs_admitted", "deadline_ratio_bound", "served_demand"]);
    dropping.finished = false;
    assert_eq!(extra_rows(&dropping), ["deadline_ratio_bound"], "rows do not come and go while a run is on its way");

    let (run, workload) = nodes_that_come_and_go();
    let expected = [
        "jobs_cancelled",
        "resource_integral_gpu_h",
        "resource_integral_node_h",
        "equivalent_nodes",
        "cost_dollars",
        "eviction_count",
        "preemption_gpu_s",
        "lost_gpu_s",
        "rescale_cost_samples",
        "preemption_cost_samples",
        "goodput_samples_per_s",
        "served_demand",
    ];
    assert_eq!(extra_rows(&Summary::of(&Run { price_per_gpu_hour: Some(1.0), ..run }, &workload)), expected);
}

#[test]
fn metrics_that_do_not_apply_are_missing() {
    let (run, workload) = record(4, &[]);
    let none = Summary::of(&run, &workload);
    for info in METRICS {
        let value = (info.value)(&none.metrics);
        assert!(value.is_none_or(|value| value == 0.0), "{}: {value:?}", info.key);
    }
    assert_eq!(none.metrics.avg_jct_s, None);
    assert_eq!(none.metrics.deadline_satisfactory_ratio, None);
    assert_eq!(none.metrics.served_demand, None);

    let (run, workload) = record(4, &[job(0.0, None, &[(SpanState::Waiting, 0, 50.0)], Outcome::Unfinished)]);
    let waiting = Summary::of(&run, &workload).metrics;
    assert_eq!((waiting.avg_jct_s, waiting.makespan_s, waiting.sjs_efficiency), (None, None, None));
    assert_eq!((waiting.scaling_efficiency, waiting.statistical_efficiency), (None, None));
    assert_eq!((waiting.avg_finish_time_fairness, waiting.cost_dollars), (None, None));
    assert_eq!(waiting.gpu_utilization, Some(0.0));
}
