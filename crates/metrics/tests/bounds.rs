//! The bounds by hand, and against a machine that is stepped through time.
#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.

use elastiplan_metrics::Bounds;
use elastiplan_model::{Curve, CurveKey, Curves, Job, ModelId, Trace, Work, Workload};
use proptest::prelude::*;

/// Jobs given by submission and samples, with one curve given by GPUs and samples per second.
fn workload(jobs: &[(f64, f64)], curve: &[(u32, f64)]) -> Workload {
    let key = CurveKey { model: "m".into(), batch_global: None };
    let curves = Curves::from_iter([Curve::new(key, curve.iter().copied()).unwrap()]);
    let job = |(number, &(submit_s, samples)): (usize, &(f64, f64))| Job {
        name: number.to_string(),
        source_row: 0,
        submit_s,
        model: ModelId(0),
        batch_global: None,
        gpus_requested: 1,
        gpus_min: None,
        gpus_max: None,
        work: Work::Samples(samples),
        deadline_s: None,
        user: None,
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
