//! Laws of speedup: values computed by hand, properties, their texts, and jobs without curves that are bound by them.

use elastiplan_model::{Curves, Job, ModelId, SpeedupLaw, Trace, Work, Workload};
use expect_test::expect;
use proptest::prelude::*;

use crate::check;

fn law(text: &str) -> SpeedupLaw {
    text.parse().unwrap()
}

/// Checks the speedups of a law on some numbers of GPUs, for a job with an hour of work.
fn check_speedups(text: &str, expected: &[(u32, f64)]) {
    for &(gpus, speedup) in expected {
        let found = law(text).speedup(gpus, 3600.0).unwrap();
        assert!((found - speedup).abs() < 1e-9 * speedup, "{text} on {gpus}: {found}, not {speedup}");
    }
}

#[test]
fn speedups_computed_by_hand() {
    check_speedups("linear", &[(1, 1.0), (3, 3.0), (64, 64.0)]);
    check_speedups("rigid", &[(1, 1.0), (8, 8.0)]);
    // 1 / (0.1 + 0.9 / 9) and 1 / (0.1 + 0.9 / 90).
    check_speedups("amdahl:0.1", &[(1, 1.0), (9, 5.0), (90, 1.0 / 0.11)]);
    check_speedups("amdahl:0", &[(7, 7.0)]);
    check_speedups("amdahl:1", &[(7, 1.0)]);
    // Low variance, A = 10, sigma = 0.5: 10 n / (10 + 0.25 (n - 1)) to 10 GPUs, 10 n / (4.75 + 0.75 n) to 19, then 10.
    check_speedups(
        "downey:10,0.5",
        &[(1, 1.0), (5, 50.0 / 11.0), (10, 100.0 / 12.25), (16, 160.0 / 16.75), (19, 10.0)],
    );
    check_speedups("downey:10,0", &[(10, 10.0), (11, 10.0)]);
    // High variance, A = 10, sigma = 2: 30 n / (2 (n + 9) + 10) to 10 + 20 - 2 = 28 GPUs, then 10.
    check_speedups("downey:10,2", &[(1, 1.0), (4, 120.0 / 36.0), (28, 10.0), (64, 10.0)]);
    // Both forms agree for sigma = 1: 20 n / (n + 19) to 19 GPUs.
    check_speedups("downey:10,1", &[(4, 80.0 / 23.0), (19, 10.0)]);
    // T(1) = 1.3 x 3600 + 25 + 25, T(4) = 1.3 x 900 + 25 + 100.
    check_speedups("sevcik:1.3,25,25", &[(1, 1.0), (4, 4730.0 / 1295.0)]);
    check_speedups("power:0.8", &[(1, 1.0), (2, 1.6), (8, 8.0 * 0.512)]);
}

#[test]
fn texts_are_read_and_written() {
    for text in ["rigid", "linear", "amdahl:0.05", "downey:32,1", "sevcik:1.02,0.05,0", "power:0.8", "like:resnet50"] {
        assert_eq!(law(text).to_string(), text);
    }
    assert_eq!(law(" downey: 32 , 1 "), law("downey:32,1"));
    let long = format!("like:{}", "m".repeat(SpeedupLaw::NAME_BYTES_MAX + 1));
    for text in ["", "amdahl", "amdahl:", "amdahl:2", "amdahl:-0.1", "amdahl:nan", "amdahl:0.1,2", "linear:1", &long]
        .into_iter()
        .chain(["downey:0.5,1", "sevcik:0.9,0,0", "power:0.4", "like:", "gustafson:0.1"])
    {
        let error = text.parse::<SpeedupLaw>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("{text} is not a law: rigid, linear, amdahl:SERIAL")), "{error}");
    }
}

#[test]
fn jobs_without_a_curve_are_bound_by_the_law() {
    check(
        "
        law amdahl:0.1
        2 nodes of 8
        curve bert 1:10 2:18
        a row=2 model=bert gpus=2 seconds=100
        b row=3 model=vgg gpus=9 seconds=100
        c row=4 model=vgg gpus=1 seconds=100
        d row=5 model=vgg gpus=1 samples=100
        ",
        expect![[r#"
            = a: 2 of 1 to 2 GPUs, 1800 samples
            = b: 9 of 1 to 16 GPUs, 500 samples
            = c: 1 of 1 to 16 GPUs, 100 samples
            ! rows 3, 4, model: vgg. vgg has no throughput curve. amdahl:0.1 is assumed, up to 16 GPUs. Add a curve for this model to know its speed
            x row 5, model: vgg. vgg has no throughput curve, and the job no duration through which amdahl:0.1 could pass. Left out. Add a curve for this model, or the time that the job takes (duration_s or gpu_seconds)
        "#]],
    );
}

#[test]
fn rigid_jobs_run_on_their_own_gpus_only() {
    check(
        "
        law rigid
        2 nodes of 8
        a row=2 model=vgg gpus=4 seconds=100
        b row=3 model=vgg gpus=32 seconds=100
        ",
        expect![[r#"
            = a: 4 of 4 to 4 GPUs, 400 samples
            = b: 32 of 32 to 32 GPUs, 3200 samples
            ! rows 2, 3, model: vgg. vgg has no throughput curve. Runs on the GPUs that it asks for only. Add a curve for this model to know its speed
            ! row 3, gpus: b needs 32. At most the cluster's 16 GPUs. No policy can run it: it is declined, or waits until the end and may hold up others. All fit on 4 nodes
        "#]],
    );
}

#[test]
fn overheads_that_take_longer_than_the_job_make_it_rigid() {
    check(
        "
        law sevcik:1.3,25,25
        2 nodes of 8
        a row=2 model=vgg gpus=4 seconds=3600
        b row=3 model=vgg gpus=4 seconds=125
        ",
        expect![[r#"
            = a: 4 of 1 to 16 GPUs, 13951.180068885677 samples
            = b: 4 of 4 to 4 GPUs, 500 samples
            ! row 2, model: vgg. vgg has no throughput curve. sevcik:1.3,25,25 is assumed, up to 16 GPUs. Add a curve for this model to know its speed
            ! row 3, model: vgg. vgg has no throughput curve, and the overheads of sevcik:1.3,25,25 take longer than the job. Runs on the GPUs that it asks for only. Add a curve, or assume smaller overheads
        "#]],
    );
}

#[test]
fn the_curve_of_another_model() {
    check(
        "
        law like:bert
        2 nodes of 8
        curve bert 1:10 2:18
        a row=2 model=vgg gpus=2 seconds=100
        ",
        expect![[r#"
            = a: 2 of 1 to 2 GPUs, 1800 samples
            ! row 2, model: vgg. vgg has no throughput curve. The curve of bert is used. Add a curve for this model to know its speed
        "#]],
    );
    check(
        "
        law like:bart
        curve bert 1:10 2:18
        a row=2 model=vgg gpus=2 seconds=100
        ",
        expect![[r#"
            x row 2, model: vgg. vgg has no throughput curve, and neither has bart. Left out. Add a curve for one of the two
        "#]],
    );
}

fn laws() -> impl Strategy<Value = SpeedupLaw> {
    prop_oneof![
        Just(SpeedupLaw::Linear),
        Just(SpeedupLaw::Rigid),
        (0.0..=1.0).prop_map(|serial| law(&format!("amdahl:{serial}"))),
        (1.0..500.0, 0.0..5.0).prop_map(|(parallelism, variation)| law(&format!("downey:{parallelism},{variation}"))),
        (1.0..2.0, 0.0..60.0).prop_map(|(imbalance, fixed_s)| law(&format!("sevcik:{imbalance},{fixed_s},0"))),
        (0.5..=1.0).prop_map(|factor| law(&format!("power:{factor}"))),
    ]
}

proptest! {
    /// Without overheads that grow with the GPUs, more GPUs are never slower, and n never more than n times as fast.
    #[test]
    fn speedups_rise_up_to_linear(law in laws(), gpus in 1..2000u32, work_s in 1.0..1e6) {
        let on = |gpus| law.speedup(gpus, work_s).unwrap();
        prop_assert!((on(1) - 1.0).abs() < 1e-12);
        prop_assert!(on(gpus + 1) >= on(gpus) * (1.0 - 1e-12), "{law} on {gpus}");
        prop_assert!(on(gpus) <= f64::from(gpus) * (1.0 + 1e-12), "{law} on {gpus}");
    }

    /// The time that a job takes on the GPUs it asks for is the one that its trace has, whatever the law; and on others
    /// it is what the law says, computed for the job by itself.
    #[test]
    fn every_job_passes_through_its_own_point(
        law in laws(),
        per_gpu_s in prop_oneof![Just(0.0), 0.0..30.0],
        jobs in prop::collection::vec((1..300u32, 100.0..1e6), 1..8),
        gpus_total in 1..600u32,
    ) {
        let law = match law {
            SpeedupLaw::Sevcik(law) => SpeedupLaw::Sevcik(elastiplan_model::Sevcik { per_gpu_s, ..law }),
            other => other,
        };
        let job = |(at, (gpus, duration_s)): (usize, &(u32, f64))| Job {
            name: at.to_string(),
            source_row: 0,
            submit_s: 0.0,
            model: ModelId(0),
            batch_global: None,
            batch_range: None,
            gpus_requested: *gpus,
            gpus_min: None,
            gpus_max: None,
            work: Work::DurationOnRequested(*duration_s),
            deadline_s: None,
            user: None,
            rescale: None,
            priority: None,
        };
        let trace = Trace::new(vec!["vgg".into()], jobs.iter().enumerate().map(job).collect()).unwrap();
        let (workload, _) = Workload::bind_assuming(&trace, &Curves::default(), law, gpus_total);
        prop_assert_eq!(workload.jobs().len(), jobs.len());
        for ((id, job), bound) in workload.trace().iter().zip(workload.jobs()) {
            let Work::DurationOnRequested(duration_s) = job.work else { unreachable!() };
            let curve = workload.curve_of(id).unwrap();
            let time_s = |gpus| bound.samples / curve.samples_per_s(gpus);
            prop_assert!((time_s(job.gpus_requested) / duration_s - 1.0).abs() < 1e-12);
            let work_s = match law {
                SpeedupLaw::Sevcik(law) => law.work_s(job.gpus_requested.into(), duration_s),
                _ => Some(1.0),
            };
            let Some(work_s) = work_s else {
                prop_assert_eq!((bound.gpus_min, bound.gpus_max), (job.gpus_requested, job.gpus_requested));
                continue;
            };
            for gpus in [bound.gpus_min, bound.gpus_max, bound.gpus_min.midpoint(bound.gpus_max)] {
                let speedup = law.speedup(gpus, work_s).unwrap() / law.speedup(job.gpus_requested, work_s).unwrap();
                // Amounts of work within one per cent share a curve.
                let expected_s = duration_s / speedup;
                prop_assert!((time_s(gpus) / expected_s - 1.0).abs() < 0.006, "{law} on {gpus}: {}", time_s(gpus));
            }
        }
    }
}
