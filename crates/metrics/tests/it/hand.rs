//! Runs small enough to check by hand.

use elastiplan_engine::{Outcome, Run, SpanState};
use elastiplan_metrics::{Summary, cost_dollars, equivalent_nodes, gpu_seconds_present, percentile};
use elastiplan_model::Prices;

use crate::naive_metrics::assert_metrics_are_naive;
use crate::naive_metrics::pool_measures::outcome_samples;
use crate::stories::{job, nodes_that_come_and_go, record, three_jobs};
use Outcome::{Cancelled, Completed, Failed, Unfinished};
use SpanState::{Running, Waiting};

#[test]
fn three_jobs_by_hand() {
    let (run, workload) = three_jobs();
    let summary = Summary::of(&run, &workload);
    let metrics = &summary.metrics;
    let counts = (metrics.jobs_total, metrics.jobs_completed, metrics.jobs_dropped, metrics.jobs_unfinished);
    assert_eq!(counts, (3, 2, 1, 0));
    assert_eq!((metrics.jobs_admitted, metrics.jobs_failed, metrics.jobs_cancelled), (2, 0, 0));
    assert_eq!(metrics.avg_jct_s, Some((20.0 + 31.0) / 2.0));
    assert_eq!(metrics.p50_jct_s, Some(25.5));
    assert_eq!(metrics.avg_queueing_s, Some(5.0));
    assert_eq!(metrics.avg_run_s, Some((20.0 + 21.0) / 2.0));
    assert_eq!(metrics.makespan_s, Some(31.0));
    let gpu_seconds = 20.0 + 2.0 * 10.0 + 3.0 * 11.0;
    assert_eq!(metrics.gpu_hours, gpu_seconds / 3600.0);
    assert_eq!(metrics.gpu_utilization, Some(gpu_seconds / (4.0 * 31.0)));
    assert_eq!((metrics.rescale_count, metrics.rescale_gpu_s), (1, 6.0));
    assert_eq!((summary.deadlines_met, summary.deadlines_total), (1, 2));
    assert_eq!(metrics.deadline_satisfactory_ratio, Some(0.5));
    // On one GPU job-0's work takes 20 s, job-1's (180 + 216 samples at 10 a second) 39.6 s.
    let single_gpu_seconds = 20.0 + 39.6;
    assert_eq!(metrics.cluster_efficiency, Some(single_gpu_seconds / (4.0 * 31.0)));
    assert_eq!(metrics.sjs_efficiency, Some(single_gpu_seconds / gpu_seconds));
    assert_eq!(metrics.scaling_efficiency, Some(single_gpu_seconds / (gpu_seconds - 6.0)));
    assert_eq!(metrics.job_drop_ratio, Some(1.0 / 3.0));
    assert_eq!(metrics.throughput_samples_per_s, Some((200.0 + 396.0) / 31.0));
    assert_eq!(metrics.goodput_samples_per_s, metrics.throughput_samples_per_s);
    assert_eq!((metrics.statistical_efficiency, metrics.avg_statistical_efficiency), (None, None));
    assert_eq!(metrics.served_demand, Some(2.0 / 3.0));
    // The best-effort job did not complete.
    assert_eq!(metrics.best_effort_avg_jct_s, None);
    assert_metrics_are_naive(&run, &workload);
}

#[test]
fn a_fixed_cluster_is_gpus_times_time_to_the_bit() {
    let (run, workload) = three_jobs();
    let metrics = Summary::of(&run, &workload).metrics;
    assert_eq!(gpu_seconds_present(&run), 4.0 * 31.0);
    assert_eq!(metrics.resource_integral_gpu_h, 4.0 * 31.0 / 3600.0);
    assert_eq!(metrics.resource_integral_node_h, Some(31.0 / 3600.0));
    assert_eq!((metrics.equivalent_nodes, equivalent_nodes(&run)), (Some(1.0), Some(1.0)));
}

#[test]
fn fairness_by_hand() {
    let (run, workload) = three_jobs();
    // job-0 shares 4 GPUs with one other job all the time: on 2 it does 18 samples a second.
    let first = 20.0 / (200.0 / 18.0);
    // job-1 is with job-0 for 20 s and then alone for 11 s. Of its 2.43 GPUs it makes the most by taking turns on 3.
    let share = 4.0 / ((20.0 * 2.0 + 11.0) / 31.0);
    let second = 31.0 / (396.0 / (24.0 * share / 3.0));
    let metrics = Summary::of(&run, &workload).metrics;
    assert_eq!(metrics.max_finish_time_fairness, Some(first));
    assert!((metrics.avg_finish_time_fairness.unwrap() - (first + second) / 2.0).abs() < 1e-12);
}

#[test]
fn nodes_that_come_and_go_by_hand() {
    let (run, workload) = nodes_that_come_and_go();
    let summary = Summary::of(&run, &workload);
    let metrics = &summary.metrics;
    assert!(summary.capacity_varies);
    let present = 4.0 * 10.0 + 8.0 * 10.0 + 4.0 * 10.0;
    let held = 4.0 * 10.0 + 8.0 * 10.0 + 4.0 * 9.0;
    assert_eq!(gpu_seconds_present(&run), present);
    assert_eq!(metrics.resource_integral_node_h, Some(present / 4.0 / 3600.0));
    assert_eq!(metrics.equivalent_nodes, Some(4.0 / 3.0));
    assert_eq!(metrics.gpu_utilization, Some(held / present));
    assert_eq!((metrics.rescale_count, metrics.rescale_gpu_s), (1, 48.0));
    assert_eq!((metrics.preemption_count, metrics.eviction_count), (1, 1));
    assert_eq!((metrics.preemption_gpu_s, metrics.lost_gpu_s), (4.0 + 16.0, 16.0));
    // 18 s on 4 GPUs, 4 s on 8, of which 2 s are lost.
    let processed = 18.0 * 28.0 + 4.0 * 34.5;
    let lost = 2.0 * 34.5;
    assert_eq!(metrics.cluster_efficiency, Some(processed / 10.0 / present));
    assert_eq!(metrics.sjs_efficiency, Some((processed / 10.0 - lost / 10.0) / held));
    assert_eq!(metrics.scaling_efficiency, Some(processed / 10.0 / (held - 48.0 - 4.0)));
    assert_eq!(metrics.throughput_samples_per_s, Some(processed / 30.0));
    assert_eq!(metrics.goodput_samples_per_s, Some((processed - lost) / 30.0));
    assert_eq!((metrics.jobs_cancelled, metrics.avg_jct_s), (1, None));
    assert_eq!(cost_dollars(&run, 3.6), present / 1000.0);
    // At 3.6 for 10 s and 7.2 from then on, what jobs hold costs a thousandth of a dollar a GPU-second, then two.
    let changing = Run { prices: Some(Prices::new([(0.0, 3.6), (10.0, 7.2)]).unwrap()), ..run.clone() };
    let cost = Summary::of(&changing, &workload).metrics.cost_dollars.unwrap();
    assert!((cost - (4.0 * 10.0 + 2.0 * (8.0 * 10.0 + 4.0 * 9.0)) / 1000.0).abs() < 1e-12, "{cost}");
    // A policy that sizes the cluster pays for the nodes that are there.
    let sized = Run { price_per_gpu_hour: Some(1.0), ..changing };
    let cost = Summary::of(&sized, &workload).metrics.cost_dollars.unwrap();
    assert!((cost - (4.0 * 10.0 + 2.0 * (8.0 * 10.0 + 4.0 * 10.0)) / 1000.0).abs() < 1e-12, "{cost}");
    assert_metrics_are_naive(&run, &workload);
}

/// Resource utilization efficiency U (BFTrainer, section 4.1.2): the outcome over that of `dedicated`, a run of as much
/// work, as long, on as many nodes on average that never leave, with changes that cost nothing. `None` if that has no
/// outcome.
fn resource_utilization_efficiency(run: &Run, dedicated: &Run) -> Option<f64> {
    let whole = outcome_samples(dedicated);
    (whole > 0.0).then(|| outcome_samples(run) / whole)
}

#[test]
fn resource_utilization_efficiency_is_outcome_over_outcome() {
    let (run, _) = nodes_that_come_and_go();
    // 30 s on as many GPUs as there were on average, 16/3, at the speed of 5.
    let (dedicated, _) = record(8, &[job(0.0, None, &[(Running, 5, 30.0)], Completed)]);
    assert_eq!(outcome_samples(&run), 18.0 * 28.0 + 2.0 * 34.5);
    let efficiency = resource_utilization_efficiency(&run, &dedicated);
    assert_eq!(efficiency, Some((18.0 * 28.0 + 2.0 * 34.5) / (30.0 * 31.0)));
    let (idle, _) = record(8, &[]);
    assert_eq!(resource_utilization_efficiency(&run, &idle), None);
}

#[test]
fn ends_of_all_kinds_and_best_effort_jobs() {
    let (run, workload) = record(
        8,
        &[
            job(0.0, Some(9.0), &[(Running, 1, 10.0)], Completed),
            job(0.0, None, &[(Waiting, 0, 4.0), (Running, 1, 8.0)], Completed),
            job(0.0, None, &[(Running, 1, 6.0)], Completed),
            job(0.0, Some(99.0), &[(Running, 1, 5.0)], Failed),
            job(0.0, None, &[(Running, 1, 5.0)], Cancelled),
            job(0.0, None, &[(Waiting, 0, 12.0)], Unfinished),
        ],
    );
    let summary = Summary::of(&run, &workload);
    let metrics = &summary.metrics;
    let ended = (metrics.jobs_completed, metrics.jobs_failed, metrics.jobs_cancelled, metrics.jobs_unfinished);
    assert_eq!((ended, metrics.jobs_admitted), ((3, 1, 1, 1), 5));
    assert_eq!((summary.deadlines_met, summary.deadlines_total), (0, 2));
    assert_eq!(metrics.best_effort_avg_jct_s, Some(9.0));
    // Of the job that failed and the one that was cancelled half was done, of the last nothing.
    assert_eq!(metrics.served_demand, Some((3.0 + 0.5 + 0.5) / 6.0));
    assert_metrics_are_naive(&run, &workload);
    let (alike, workload) = record(8, &[job(0.0, None, &[(Running, 1, 6.0)], Completed)]);
    assert_eq!(Summary::of(&alike, &workload).metrics.best_effort_avg_jct_s, None);
}

#[test]
fn percentiles_lie_on_the_line_between_neighbours() {
    let check = |values: &[f64], share, expected| assert_eq!(percentile(values, share), expected);
    check(&[], 0.5, None);
    check(&[7.0], 0.99, Some(7.0));
    check(&[1.0, 2.0], 0.5, Some(1.5));
    check(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.25, Some(2.0));
    // numpy.percentile([10, 20, 30, 40], 90)
    check(&[10.0, 20.0, 30.0, 40.0], 0.9, Some(37.0));
    check(&[10.0, 20.0], 1.0, Some(20.0));
}

#[test]
fn deadlines_that_any_policy_could_meet_by_hand() {
    // Both that have a deadline are done in time if they are started at once.
    let (run, workload) = three_jobs();
    let summary = Summary::of(&run, &workload);
    assert_eq!((summary.deadlines_possible, summary.metrics.deadline_ratio_bound), (Some(2), Some(1.0)));
}
