//! Jobs whose samples are worth less at larger batch sizes, by hand.

use elastiplan_engine::{Action, Policy, Run, Settings, Simulation, View};
use elastiplan_metrics::{JobMetrics, Summary, over_time};
use elastiplan_model::{Cluster, Curve, CurveKey, Curves, Efficiency, Job, JobId, ModelId, Trace, Work, Workload};

use crate::naive_metrics::{assert_bounds_hold, assert_metrics_are_naive};

/// Starts every job on one GPU; at 10 s it sets the batch size, if it is to.
#[derive(Clone)]
struct OneGpu {
    batch_global: Option<u32>,
}

impl Policy for OneGpu {
    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        actions.extend(view.waiting().map(|job| Action::Allocate { job: job.id, gpus: 1 }));
        if let Some(batch_global) = self.batch_global {
            let running = view.running().filter(|_| view.time_s() == 10.0);
            actions.extend(running.map(|job| Action::SetBatch { job: job.id, batch_global }));
            actions.extend((view.time_s() < 10.0).then_some(Action::WakeAt { time_s: 10.0 }));
        }
    }
}

/// A job with 100 samples of work at batch size 10, submitted with 30. A sample is worth (10 + 10) / (10 + 30) until
/// half of the work is done, and then (30 + 10) / (30 + 30).
fn run_of(batch_global: Option<u32>) -> (Run, Workload) {
    let efficiency = Efficiency::of_noise(10, [(0.5, 10.0), (1.0, 30.0)]);
    let curve = |batch, samples_per_s| {
        let key = CurveKey { model: "m".into(), batch_global: Some(batch) };
        Curve::new(key, [(1, samples_per_s)]).unwrap().with_efficiency(efficiency.clone()).unwrap()
    };
    let job = Job {
        name: "job".into(),
        source_row: 0,
        submit_s: 0.0,
        model: ModelId(0),
        batch_global: Some(30),
        gpus_requested: 1,
        gpus_min: None,
        gpus_max: None,
        work: Work::Samples(100.0),
        deadline_s: None,
        user: None,
        rescale: None,
    };
    let trace = Trace::new(vec!["m".into()], vec![job]).unwrap();
    let workload = Workload::bind(&trace, &Curves::from_iter([curve(10, 4.0), curve(30, 10.0)])).0;
    let (cluster, policy) = (Cluster::new(1, 1).unwrap(), Box::new(OneGpu { batch_global }));
    let simulation = Simulation::new(&workload, cluster, Settings::default(), "one-gpu", policy).unwrap();
    (simulation.run_to_end().unwrap(), workload)
}

#[test]
fn samples_are_worth_less_in_larger_batches() {
    let (run, workload) = run_of(None);
    let summary = Summary::of(&run, &workload);
    let metrics = &summary.metrics;
    assert!(summary.efficiency_varies);
    // Half of the work takes 100 samples, the other half 75.
    assert_eq!(metrics.avg_jct_s, Some(17.5));
    assert_eq!(metrics.throughput_samples_per_s, Some(10.0));
    assert_eq!(metrics.goodput_samples_per_s, Some(100.0 / 17.5));
    assert_eq!(metrics.statistical_efficiency, Some(100.0 / 175.0));
    assert_eq!(metrics.max_finish_time_fairness, Some(1.0));
    assert_eq!(JobMetrics::of(&run, &workload).slowdown, [Some(1.0)]);
    let worth = over_time::statistical_efficiency(&run, &workload, JobId(0));
    assert_eq!((worth.time_s, worth.value), (vec![0.0, 10.0, 17.5], vec![Some(0.5), Some(40.0 / 60.0), None]));
    assert_metrics_are_naive(&run, &workload);
    assert_bounds_hold(&run, &workload);
}

#[test]
fn a_batch_size_that_the_policy_chose() {
    let (run, workload) = run_of(Some(10));
    let metrics = Summary::of(&run, &workload).metrics;
    // From 10 s on at the base batch size: 50 samples, at 4 a second.
    assert_eq!(metrics.avg_jct_s, Some(22.5));
    assert_eq!(metrics.statistical_efficiency, Some(100.0 / 150.0));
    let worth = over_time::statistical_efficiency(&run, &workload, JobId(0));
    assert_eq!((worth.time_s, worth.value), (vec![0.0, 10.0, 22.5], vec![Some(0.5), Some(1.0), None]));
    assert_metrics_are_naive(&run, &workload);
    assert_bounds_hold(&run, &workload);
}
