//! The bounds by hand, and against a machine that is stepped through time.

use elastiplan_metrics::Bounds;
use elastiplan_model::{
    Curve, CurveKey, CurvePoint, Curves, Efficiency, Job, Law, ModelId, ScalingTimes, ThroughputModel, Trace, Work,
    Workload,
};
use proptest::prelude::*;

/// Jobs given by submission and samples, with one curve given by GPUs and samples per second.
fn workload(jobs: &[(f64, f64)], curve: &[(u32, f64)]) -> Workload {
    with_curves(jobs, None, [points(None, curve)])
}

fn points(batch_global: Option<u32>, points: &[(u32, f64)]) -> Curve {
    Curve::new(CurveKey { model: "m".into(), batch_global }, points.iter().copied()).unwrap()
}

fn with_curves(jobs: &[(f64, f64)], batch_global: Option<u32>, curves: impl IntoIterator<Item = Curve>) -> Workload {
    let jobs: Vec<_> = jobs.iter().map(|&(submit_s, samples)| (submit_s, samples, None)).collect();
    with_fewest(&jobs, batch_global, curves)
}

/// The same of jobs with the fewest GPUs that they take.
fn with_fewest(
    jobs: &[(f64, f64, Option<u32>)],
    batch_global: Option<u32>,
    curves: impl IntoIterator<Item = Curve>,
) -> Workload {
    let curves = Curves::from_iter(curves);
    let job = |(number, &(submit_s, samples, gpus_min)): (usize, &(f64, f64, Option<u32>))| Job {
        name: number.to_string(),
        source_row: 0,
        submit_s,
        model: ModelId(0),
        batch_global,
        gpus_requested: 1,
        gpus_min,
        gpus_max: None,
        work: Work::Samples(samples),
        deadline_s: None,
        user: None,
        rescale: None,
        batch_range: None,
        priority: None,
    };
    let trace = Trace::new(vec!["m".into()], jobs.iter().enumerate().map(job).collect()).unwrap();
    Workload::bind(&trace, &curves).0
}

fn check(jobs: &[(f64, f64)], curve: &[(u32, f64)], gpus_total: u32, expected: (f64, f64)) {
    let bounds = Bounds::of(&workload(jobs, curve), gpus_total).unwrap();
    assert_eq!((bounds.avg_jct_s, bounds.makespan_s), expected);
}

#[test]
fn a_lone_job_is_as_fast_as_it_can_be() {
    check(&[(5.0, 60.0)], &[(1, 1.0), (2, 2.0), (4, 3.0)], 4, (20.0, 20.0));
    check(&[(5.0, 60.0)], &[(1, 1.0), (2, 2.0), (4, 3.0)], 2, (30.0, 30.0));
}

#[test]
fn many_jobs_share_the_cluster_at_their_best_throughput_per_gpu() {
    // On 2 GPUs of which each does 1 sample/s: 4 s of work, then 6, then 10.
    check(&[(0.0, 12.0), (0.0, 8.0), (0.0, 20.0)], &[(1, 1.0), (2, 1.0)], 2, (40.0 / 3.0, 20.0));
}

#[test]
fn a_short_job_interrupts_a_long_one() {
    // The long one runs from 0 to 2 and from 4 to 12; the short one from 2 to 4.
    check(&[(0.0, 10.0), (2.0, 2.0)], &[(1, 1.0)], 1, (7.0, 12.0));
}

#[test]
fn every_place_is_the_best_one() {
    let spread = [CurvePoint { gpus: 3, samples_per_s: 5.0 }];
    let curve =
        points(None, &[(1, 1.0), (2, 2.0), (4, 3.0)]).ending_at_last_point().with_spread(spread.to_vec()).unwrap();
    let bounds = Bounds::of(&with_curves(&[(0.0, 60.0)], None, [curve]), 4).unwrap();
    assert_eq!(bounds.avg_jct_s, 12.0);
    let point = |gpus, samples_per_s| CurvePoint { gpus, samples_per_s };
    let rows = [(1, point(1, 1.0)), (1, point(4, 2.0)), (3, point(4, 6.0)), (3, point(8, 6.0))];
    let curve = Curve::by_nodes(CurveKey { model: "m".into(), batch_global: None }, rows).unwrap();
    let bounds = Bounds::of(&with_curves(&[(0.0, 60.0)], None, [curve]), 4).unwrap();
    assert_eq!(bounds.avg_jct_s, 10.0);
}

#[test]
fn a_formula_may_be_faster_on_two_nodes() {
    let model = ThroughputModel {
        gradient_s: 1.0,
        gradient_s_per_sample: 0.0,
        local_sync_s: 3.0,
        local_sync_s_per_gpu: 0.0,
        node_sync_s: 1.0,
        node_sync_s_per_gpu: 0.0,
        overlap: 1.0,
        batch_per_gpu_max: 8,
        gpus_per_node: 4,
        gpus_max: 4,
    };
    let curve = Curve::from_law(CurveKey { model: "m".into(), batch_global: Some(8) }, Law::Throughput(model)).unwrap();
    // 8 samples in 1 s on one GPU, in 4 s on several of one node, and in 2 s on several of two nodes.
    let workload = with_curves(&[(0.0, 64.0)], Some(8), [curve.clone()]);
    assert_eq!(Bounds::of(&workload, 4).unwrap().avg_jct_s, 8.0);
    let job = Job { gpus_min: Some(2), ..workload.trace().jobs()[0].clone() };
    let trace = Trace::new(vec!["m".into()], vec![job]).unwrap();
    assert_eq!(Bounds::of(&Workload::bind(&trace, &Curves::from_iter([curve])).0, 4).unwrap().avg_jct_s, 16.0);
}

#[test]
fn batch_sizes_are_free_only_where_that_is_asked() {
    // The larger batch is faster, and its samples are worth two thirds at first, then half.
    let efficiency = Efficiency::of_noise(8, [(0.5, 24.0), (1.0, 8.0)]);
    let less = points(Some(24), &[(1, 6.0)]).with_efficiency(efficiency).unwrap();
    let workload = with_curves(&[(0.0, 60.0)], Some(8), [points(Some(8), &[(1, 2.0)]), less.clone()]);
    assert_eq!(Bounds::of(&workload, 1).unwrap().avg_jct_s, 30.0);
    assert_eq!(Bounds::of_any_batch(&workload, 1).unwrap().avg_jct_s, 15.0);
    let workload = with_curves(&[(0.0, 60.0)], Some(24), [less]);
    assert_eq!(Bounds::of(&workload, 1).unwrap().avg_jct_s, (45.0 + 60.0) / 6.0);
    assert_eq!(Bounds::of_any_batch(&workload, 1).unwrap().avg_jct_s, 15.0);
}

#[test]
fn a_formula_over_batch_sizes_has_no_bound_over_all_of_them() {
    let (processing_s, all_reduce_s) = (vec![(8.0, 1.0)], vec![(1, 0.0), (4, 1.0)]);
    let times = ScalingTimes { processing_s, all_reduce_s, ..ScalingTimes::default() };
    let curve = Curve::from_law(CurveKey { model: "m".into(), batch_global: Some(8) }, Law::Scaling(times)).unwrap();
    let workload = with_curves(&[(0.0, 64.0)], Some(8), [curve]);
    assert_eq!(Bounds::of(&workload, 4).unwrap().avg_jct_s, 8.0);
    assert_eq!(Bounds::of_any_batch(&workload, 4), None);
}

#[test]
fn jobs_with_one_curve_differ_by_their_fewest_gpus() {
    // 60 samples are 60 GPU-seconds on one GPU and 120 on four; the cluster has four.
    let check = |fewest: [Option<u32>; 3], expected_s: f64| {
        let curve = points(None, &[(1, 1.0), (2, 1.5), (4, 2.0)]);
        let workload = with_fewest(&fewest.map(|fewest| (0.0, 60.0, fewest)), None, [curve]);
        assert_eq!(Bounds::of(&workload, 4).unwrap().avg_jct_s, expected_s, "{fewest:?}");
    };
    check([None; 3], 30.0);
    check([Some(4); 3], 60.0);
    check([None, Some(4), Some(4)], 45.0);
    check([Some(4), None, Some(4)], 45.0);
}

#[test]
fn without_jobs_that_fit_there_is_no_bound() {
    assert_eq!(Bounds::of(&workload(&[], &[(1, 1.0)]), 4), None);
    assert_eq!(Bounds::of(&workload(&[(0.0, 1.0)], &[(8, 1.0)]), 4), None);
}

/// One GPU, a second at a time, always the job with the least left: everything is a whole number.
fn stepped(jobs: &[(u32, u32)]) -> (f64, f64) {
    let mut left: Vec<u32> = jobs.iter().map(|job| job.1).collect();
    let (mut now, mut total, mut last) = (0, 0, 0);
    while left.iter().any(|&left| left > 0) {
        let present = (0..jobs.len()).filter(|&at| jobs[at].0 <= now && left[at] > 0);
        if let Some(at) = present.min_by_key(|&at| (left[at], jobs[at].0)) {
            left[at] -= 1;
            if left[at] == 0 {
                total += now + 1 - jobs[at].0;
                last = now + 1;
            }
        }
        now += 1;
    }
    (f64::from(total) / jobs.len() as f64, f64::from(last))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn the_divided_machine_equals_one_that_is_stepped(jobs in prop::collection::vec((0..40u32, 1..20u32), 1..12)) {
        let mut jobs = jobs;
        jobs.sort_by_key(|job| job.0);
        let given: Vec<(f64, f64)> = jobs.iter().map(|job| (f64::from(job.0), f64::from(job.1))).collect();
        let bounds = Bounds::of(&workload(&given, &[(1, 1.0)]), 1).unwrap();
        let (avg_jct_s, last_s) = stepped(&jobs);
        prop_assert!((bounds.avg_jct_s - avg_jct_s).abs() < 1e-9, "{} and {avg_jct_s}", bounds.avg_jct_s);
        prop_assert_eq!(bounds.makespan_s, last_s - given[0].0);
    }
}
