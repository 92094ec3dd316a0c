//! Jobs whose statistical efficiency falls with the batch size, by hand.

use elastiplan_engine::{Action, Policy, Run, Simulation, View};
use elastiplan_metrics::{Metrics, Steps, Summary, efficiency_by_span, has_efficiency, over_time};
use elastiplan_model::{Cluster, Curve, CurveKey, Curves, Efficiency, Job, JobId, ModelId, Trace, Work, Workload};
use elastiplan_scenario::Conditions;

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

fn job(name: &str, model: u32) -> Job {
    Job {
        name: name.into(),
        source_row: 0,
        submit_s: 0.0,
        model: ModelId(model),
        batch_global: Some(30),
        gpus_requested: 1,
        gpus_min: None,
        gpus_max: None,
        work: Work::Samples(100.0),
        deadline_s: None,
        user: None,
        rescale: None,
        batch_range: None,
        priority: None,
    }
}

fn rows<T: Copy>(steps: &Steps<T>) -> Vec<(f64, T)> {
    steps.time_s.iter().copied().zip(steps.value.iter().copied()).collect()
}

/// A job with 100 samples of work at batch size 10, submitted with 30. A sample is worth (10 + 10) / (10 + 30) until
/// half of the work is done, and then (30 + 10) / (30 + 30).
fn run_of(batch_global: Option<u32>) -> (Run, Workload) {
    run_beside(batch_global, None)
}

/// The same with a further job of unknown efficiency.
fn run_beside(batch_global: Option<u32>, other: Option<Job>) -> (Run, Workload) {
    let efficiency = Efficiency::of_noise(10, [(0.5, 10.0), (1.0, 30.0)]);
    let curve = |batch, samples_per_s| {
        let key = CurveKey { model: "m".into(), batch_global: Some(batch) };
        Curve::new(key, [(1, samples_per_s)]).unwrap().with_efficiency(efficiency.clone()).unwrap()
    };
    let plain = Curve::new(CurveKey { model: "plain".into(), batch_global: Some(30) }, [(1, 20.0)]).unwrap();
    let jobs: Vec<Job> = [job("job", 0)].into_iter().chain(other).collect();
    let gpus = jobs.len() as u32;
    let trace = Trace::new(vec!["m".into(), "plain".into()], jobs).unwrap();
    let workload = Workload::bind(&trace, &Curves::from_iter([curve(10, 4.0), curve(30, 10.0), plain])).0;
    let (cluster, policy) = (Cluster::new(1, gpus).unwrap(), Box::new(OneGpu { batch_global }));
    let simulation = Simulation::new(&workload, cluster, Conditions::default(), "one-gpu", policy).unwrap();
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
    // A second at a half counts as much as a second at two thirds.
    assert_eq!(metrics.avg_statistical_efficiency, Some((10.0 * 0.5 + 7.5 * (40.0 / 60.0)) / 17.5));
    assert_eq!((metrics.avg_job_throughput, metrics.avg_job_goodput), (Some(1.0), Some(10.0 / 17.5)));
    let worth = over_time::statistical_efficiency(&run, &workload, JobId(0));
    assert_eq!(rows(&worth), [(0.0, Some(0.5)), (10.0, Some(40.0 / 60.0)), (17.5, None)]);
    let noise = over_time::noise_scale(&run, &workload, JobId(0));
    assert_eq!(rows(&noise), [(0.0, Some(10.0)), (10.0, Some(30.0)), (17.5, None)]);
    assert_eq!(rows(&over_time::speed_up(&run, &workload, JobId(0))), [(0.0, Some(1.0)), (17.5, None)]);
    let goodput = over_time::goodput(&run, &workload);
    assert_eq!(rows(&goodput), [(0.0, 0.5), (10.0, 40.0 / 60.0), (17.5, 0.0)]);
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
    assert_eq!(metrics.avg_statistical_efficiency, Some((10.0 * 0.5 + 12.5 * 1.0) / 22.5));
    let worth = over_time::statistical_efficiency(&run, &workload, JobId(0));
    assert_eq!(rows(&worth), [(0.0, Some(0.5)), (10.0, Some(1.0)), (22.5, None)]);
    // One GPU at the batch size of the submission, at the same stage: 10 a second, worth two thirds each.
    let speed_up = over_time::speed_up(&run, &workload, JobId(0));
    assert_eq!(rows(&speed_up), [(0.0, Some(1.0)), (10.0, Some(4.0 / (10.0 * (40.0 / 60.0)))), (22.5, None)]);
    assert_metrics_are_naive(&run, &workload);
    assert_bounds_hold(&run, &workload);
}

#[test]
fn unknown_efficiency_is_left_out() {
    let (run, workload) = run_beside(None, Some(job("other", 1)));
    let (alone, _) = run_of(None);
    let metrics = Summary::of(&run, &workload).metrics;
    let same = |of: fn(&Metrics) -> Option<f64>| {
        assert_eq!(of(&metrics), of(&Summary::of(&alone, &run_of(None).1).metrics));
    };
    same(|metrics| metrics.statistical_efficiency);
    same(|metrics| metrics.avg_statistical_efficiency);
    assert_eq!(rows(&over_time::noise_scale(&run, &workload, JobId(1))), [(0.0, None)]);
    assert_eq!(rows(&over_time::statistical_efficiency(&run, &workload, JobId(1))), [(0.0, None)]);
    assert_eq!(rows(&over_time::speed_up(&run, &workload, JobId(1))), [(0.0, Some(1.0)), (5.0, None)]);
    let mean = over_time::mean_statistical_efficiency(&run, &workload);
    assert_eq!(rows(&mean), [(0.0, Some(0.5)), (10.0, Some(40.0 / 60.0)), (17.5, None)]);
    // Its samples count in full where they are added to others.
    assert_eq!(over_time::goodput(&run, &workload).at(0.0), Some(1.5));
    assert_eq!(efficiency_by_span(&run, &workload), [Some(0.5), Some(40.0 / 60.0), None]);
    assert_metrics_are_naive(&run, &workload);
}

#[test]
fn a_workload_without_efficiency_has_none() {
    let jobs = vec![job("other", 0)];
    let trace = Trace::new(vec!["plain".into()], jobs).unwrap();
    let curve = Curve::new(CurveKey { model: "plain".into(), batch_global: Some(30) }, [(1, 20.0)]).unwrap();
    let workload = Workload::bind(&trace, &Curves::from_iter([curve])).0;
    let policy = Box::new(OneGpu { batch_global: None });
    let settings = Conditions::default();
    let simulation = Simulation::new(&workload, Cluster::new(1, 1).unwrap(), settings, "one-gpu", policy).unwrap();
    let run = simulation.run_to_end().unwrap();
    let summary = Summary::of(&run, &workload);
    assert!(!has_efficiency(&workload) && !summary.efficiency_varies && run.spans.work_per_s.is_empty());
    let metrics = &summary.metrics;
    assert_eq!((metrics.statistical_efficiency, metrics.avg_statistical_efficiency), (None, None));
    assert_eq!((metrics.throughput_samples_per_s, metrics.goodput_samples_per_s), (Some(20.0), Some(20.0)));
    assert_eq!(efficiency_by_span(&run, &workload), []);
    assert_eq!(rows(&over_time::mean_statistical_efficiency(&run, &workload)), [(0.0, None)]);
    assert_metrics_are_naive(&run, &workload);
}
