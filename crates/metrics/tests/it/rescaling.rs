//! Costs in samples, returns, preemptions, periods and run times by hand.

use elastiplan_engine::{Absences, Holdings, Outcome, Run, SpanState};
use elastiplan_metrics::{CostSamples, Summary, outcome_between, periods, run_time_by_model};

use crate::naive_metrics::pool_measures::{
    RescaleReturn, cost_per_event, eviction_times, mean_return_on_investment, outcome_samples, pool_events,
    preempted_within, rescale_returns,
};
use crate::stories::{job, nodes_that_come_and_go, record, three_jobs};
use SpanState::{Running, Waiting};

/// The story of two nodes, with the jobs that held them.
fn two_nodes() -> Run {
    let (mut run, _) = nodes_that_come_and_go();
    run.absences = Absences { first: vec![0, 1, 2], start_s: vec![20.0, 0.0], end_s: vec![30.0, 10.0] };
    run.holdings = Holdings {
        first: vec![0, 1, 3],
        job: vec![0, 0, 0],
        mask: vec![15, 15, 15],
        start_s: vec![0.0, 10.0, 21.0],
        end_s: vec![20.0, 20.0, 30.0],
    };
    run
}

#[test]
fn a_change_and_a_departure() {
    let (run, (_, workload)) = (two_nodes(), nodes_that_come_and_go());
    // 6 s at the speed on 4 GPUs, 1 s at that on 8, of which 2 s are lost too.
    let cost = CostSamples { rescale: 6.0 * 28.0, preemption: 34.5 + 69.0 };
    assert_eq!((CostSamples::of(&run), pool_events(&run)), (cost, vec![10.0, 20.0]));
    assert_eq!(cost_per_event(&run), Some(CostSamples { rescale: 84.0, preemption: 51.75 }));
    let metrics = Summary::of(&run, &workload).metrics;
    assert_eq!((metrics.rescale_cost_samples, metrics.preemption_cost_samples), (168.0, 103.5));

    // Of the 4 s on 8 GPUs 2 are lost when the node leaves.
    let expected = RescaleReturn { from_s: 10.0, to_s: 20.0, cost_samples: 168.0, outcome_samples: 69.0 };
    assert_eq!(rescale_returns(&run), [expected]);
    assert_eq!(mean_return_on_investment(&run), Some(69.0 / 168.0));

    assert_eq!(eviction_times(&run), [20.0]);
    let shares = [5.0, 10.0, 15.0, 25.0].map(|t_fwd_s| preempted_within(&run, t_fwd_s));
    assert_eq!(shares, [Some(0.0), Some(0.5), Some(1.0), None]);
}

#[test]
fn a_job_that_ends_as_its_node_leaves_is_not_preempted() {
    let mut run = two_nodes();
    run.jobs.end_s[0] = Some(20.0);
    assert_eq!(eviction_times(&run), [0.0; 0]);
}

#[test]
fn a_cluster_that_never_changes_has_no_pool_events() {
    let (run, _) = three_jobs();
    let cost = CostSamples::of(&run);
    // 2 s at the speed on 2 GPUs.
    assert_eq!((cost, cost_per_event(&run)), (CostSamples { rescale: 36.0, preemption: 0.0 }, None));
    assert_eq!((pool_events(&run), preempted_within(&run, 1.0)), (vec![], None));
    let whole = RescaleReturn { from_s: 0.0, to_s: 31.0, cost_samples: 36.0, outcome_samples: outcome_samples(&run) };
    assert_eq!(rescale_returns(&run), [whole]);
    let (idle, _) = record(4, &[]);
    assert_eq!((rescale_returns(&idle), mean_return_on_investment(&idle)), (vec![], None));
}

/// For each stretch between two neighbouring times, the outcome of a run over that of another; `None` if the other has
/// none.
fn speedups(run: &Run, baseline: &Run, times_s: &[f64]) -> Vec<Option<f64>> {
    let pairs = outcome_between(run, times_s).into_iter().zip(outcome_between(baseline, times_s));
    pairs.map(|(outcome, baseline)| (baseline > 0.0).then(|| outcome / baseline)).collect()
}

#[test]
fn periods_of_two_runs() {
    let (run, _) = record(4, &[job(5.0, None, &[(Running, 1, 20.0)], Outcome::Completed)]);
    let (slow, _) = record(4, &[job(5.0, None, &[(Waiting, 0, 10.0), (Running, 1, 20.0)], Outcome::Completed)]);
    let times = periods(&slow, 8.0);
    assert_eq!(times, [5.0, 13.0, 21.0, 29.0, 37.0]);
    assert_eq!(outcome_between(&run, &times), [80.0, 80.0, 40.0, 0.0]);
    assert_eq!(outcome_between(&slow, &times), [0.0, 60.0, 80.0, 60.0]);
    assert_eq!(speedups(&run, &slow, &times), [None, Some(80.0 / 60.0), Some(0.5), Some(0.0)]);
    for none in [0.0, -1.0, f64::NAN] {
        assert_eq!(periods(&run, none), [0.0; 0]);
    }
    assert_eq!(outcome_between(&run, &[]), [0.0; 0]);
    assert_eq!(periods(&run, 1e-300).len(), 100_001);
}

#[test]
fn run_times_by_model() {
    let (run, workload) = three_jobs();
    let rows = run_time_by_model(&run, &workload);
    let row = (rows[0].model.as_str(), rows[0].jobs, rows[0].completed, rows[0].from_start_s);
    assert_eq!((rows.len(), row), (1, ("m", 3, 2, Some((20.0 + 21.0) / 2.0))));
    let (none, workload) = record(4, &[job(0.0, None, &[(Running, 1, 9.0)], Outcome::Unfinished)]);
    assert_eq!(run_time_by_model(&none, &workload)[0].from_start_s, None);
}
