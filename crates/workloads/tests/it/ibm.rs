//! What is published of IBM's elastic scaling, and the jobs that are drawn after it.

use elastiplan_model::{BatchRange, Job, Trace, Work};
use elastiplan_workloads::generate::GeneratorSpec;
use elastiplan_workloads::published::{IBM, PublishedScaling};

fn category(number: usize) -> &'static PublishedScaling {
    &IBM.scalings[number - 1]
}

/// Eq. 1: throughput with a batch over that of one GPU with as much as fits.
fn factor(category: &PublishedScaling, batch_global: u32, gpus: u32) -> f64 {
    category.times().samples_per_s(gpus, batch_global) / category.samples_per_s_single()
}

/// The best factor of one batch size on up to 10 GPUs, and the GPUs.
fn best(category: &PublishedScaling, batch_global: u32) -> (u32, f64) {
    let factors = (1..=10).map(|gpus| (gpus, factor(category, batch_global, gpus)));
    factors.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
}

#[test]
fn table_2_comes_out() {
    for (batch_per_gpu, told) in [(8, 0.86), (11, 1.06), (16, 1.3), (22, 1.45), (32, 1.66)] {
        let found = factor(category(1), 2 * batch_per_gpu, 2);
        assert!((found / told - 1.0).abs() < 0.001, "{batch_per_gpu} samples per GPU: {found} for {told}");
    }
}

/// Section IV-D: with at least 32 samples, 2 GPUs are best, and 160 on 5 GPUs are 1.6 times as fast. Section IV-E: at the
/// smallest batch sizes, the best factor of category 1 is 1.3 times that of category 2.
#[test]
fn what_the_text_tells_of_factors_comes_out() {
    let (gpus, smallest) = best(category(1), 32);
    assert_eq!(gpus, 2);
    let five = factor(category(1), 160, 5);
    assert!((five / smallest / 1.6 - 1.0).abs() < 0.01, "{five} and {smallest}");
    let (gpus, of_category_2) = best(category(2), 16);
    assert_eq!(gpus, 1);
    assert!((smallest / of_category_2 / 1.3 - 1.0).abs() < 0.01, "{smallest} and {of_category_2}");
    // Not elastic: more GPUs are never faster.
    assert_eq!(best(category(4), 128).0, 1);
}

fn trace(spec: &str, seed: u64) -> Trace {
    spec.parse::<GeneratorSpec>().unwrap().trace(seed)
}

fn share(trace: &Trace, of: impl Fn(&Job) -> bool) -> f64 {
    trace.jobs().iter().filter(|job| of(job)).count() as f64 / trace.jobs().len() as f64
}

/// 60,000 minutes at 40 jobs in 26.25 minutes.
#[test]
fn jobs_are_as_section_4_a_says() {
    let trace = trace("ibm[minutes=60000]", 1);
    let expected = 60_000.0 * 40.0 / 26.25;
    let count = trace.jobs().len() as f64;
    assert!((count - expected).abs() < 4.5 * expected.sqrt(), "{count} for {expected}");
    for (index, category) in IBM.scalings.iter().enumerate() {
        let of_category = |job: &Job| job.model.0 as usize == index;
        assert!((share(&trace, of_category) - 0.25).abs() < 0.01);
        let jobs = || trace.jobs().iter().filter(|job| of_category(job));
        let batches = || jobs().filter_map(|job| job.batch_global);
        let BatchRange { least, most } = category.batches;
        assert_eq!((batches().min(), batches().max()), (Some(least), Some(most)));
        let mean = batches().map(f64::from).sum::<f64>() / jobs().count() as f64;
        assert!((mean / f64::midpoint(f64::from(least), f64::from(most)) - 1.0).abs() < 0.02, "{mean}");
        for job in jobs() {
            let Work::Samples(samples) = job.work else { unreachable!("{:?}", job.work) };
            let minutes = samples / category.samples_per_s_single() / 60.0;
            assert!((minutes - category.single_gpu_minutes).abs() < 0.01, "{minutes}");
            assert_eq!(job.batch_range, (least < most).then_some(category.batches));
        }
    }
}

#[test]
fn bursts_are_four_times_as_dense() {
    let trace = trace("ibm[minutes=60000,phase_minutes=60,category=1,job_minutes=30]", 2);
    let high = share(&trace, |job| ((job.submit_s / 3600.0) as u64).is_multiple_of(2));
    assert!((high - 0.8).abs() < 0.01, "{high}");
    assert!(trace.jobs().iter().all(|job| job.model.0 == 0));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let refused = |spec: &str| spec.parse::<GeneratorSpec>().unwrap_err().to_string();
    assert_eq!(
        refused("ibm[minutes=100000,high_gpus=100000]"),
        "minutes: 100000 is not so short that about 1000000 jobs arrive at most: it would be 380952381"
    );
    assert_eq!(refused("ibm[phase_minutes=0.5]"), "phase_minutes: 0.5 is not 0, or at least 1");
    assert_eq!(refused("ibm[category=5]"), "category: 5 is not a whole number from 0 to 4");
}
