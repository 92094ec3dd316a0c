//! Work as time: of a job alone, on one GPU, on a share of the cluster.

use elastiplan_engine::Run;
use elastiplan_model::{Curve, JobId, Workload};

use crate::selection::Selection;

/// Samples to process until all work is done, at the batch size that the job was submitted with: more than the work if
/// the statistical efficiency at that batch size is below 1.
pub(crate) fn samples_to_process(workload: &Workload, job: JobId) -> f64 {
    let Some(bound) = workload.jobs().get(job.index()) else { return 0.0 };
    let Some(efficiency) = workload.curve_of(job).and_then(Curve::efficiency) else { return bound.samples };
    let Some(batch_global) = batch_as_submitted(workload, job) else { return bound.samples };
    let (mut samples, mut left) = (0.0, bound.samples);
    while left > 0.0 {
        let (worth, until_left) = efficiency.at(batch_global, left, bound.samples);
        samples += (left - until_left) / worth;
        left = until_left;
    }
    samples
}

/// The batch size that a job trains with unless the policy chooses another, as in the engine.
pub fn batch_as_submitted(workload: &Workload, job: JobId) -> Option<u32> {
    let of_curve = workload.curve_of(job).and_then(|curve| curve.key().batch_global);
    of_curve.or_else(|| workload.trace().jobs().get(job.index())?.batch_global)
}

/// Seconds that a job takes with `share` GPUs for itself, which need not be a whole number: the best over all `n` of
/// running on `n` GPUs, all the time if the share has so many, else the part `share / n` of the time.
pub(crate) fn alone_on_share_s(workload: &Workload, job: JobId, share: f64, gpus_total: u32) -> Option<f64> {
    let bound = workload.jobs().get(job.index())?;
    let curve = workload.curve_of(job)?;
    let possible = bound.gpus_min..=bound.gpus_max.min(gpus_total);
    // Between two measured points speed and speed per GPU are monotone: their best values are at the ends.
    let measured = curve.points().iter().map(|point| point.gpus);
    let ends = [bound.gpus_min, *possible.end(), share.floor() as u32, share.ceil() as u32];
    let counts = measured.chain(ends).filter(|gpus| possible.contains(gpus));
    let speed = |gpus: u32| curve.samples_per_s(gpus) * (share / f64::from(gpus)).min(1.0);
    let samples_per_s = counts.map(speed).fold(0.0, f64::max);
    (samples_per_s > 0.0).then(|| samples_to_process(workload, job) / samples_per_s)
}

/// Seconds that the samples of these jobs would have taken on one GPU.
pub(crate) fn single_gpu_seconds(run: &Run, workload: &Workload, jobs: &[JobId]) -> f64 {
    let of_job = |job: JobId| {
        let samples: f64 = run.spans.of(job).map(|span| span.samples_per_s * (span.end_s - span.start_s)).sum();
        in_single_gpu_seconds(workload, job, samples)
    };
    jobs.iter().map(|job| of_job(*job)).sum()
}

/// The part of [`single_gpu_seconds`] that was lost again.
pub(crate) fn single_gpu_seconds_lost(run: &Run, workload: &Workload, selection: &Selection) -> f64 {
    let losses = run.losses.job.iter().zip(&run.losses.samples).filter(|(job, _)| selection.has(**job));
    losses.map(|(job, samples)| in_single_gpu_seconds(workload, JobId(*job), *samples)).sum()
}

/// Seconds that so many samples of a job take on one GPU; 0 for an unknown job.
pub(crate) fn in_single_gpu_seconds(workload: &Workload, job: JobId, samples: f64) -> f64 {
    let samples_per_s = workload.samples_per_s_single(job);
    if samples_per_s > 0.0 { samples / samples_per_s } else { 0.0 }
}
