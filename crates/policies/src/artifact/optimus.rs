//! `optimus[artifact=true]`: the work left as the published simulator of Pollux counts it.

use elastiplan_engine::JobView;
use elastiplan_model::Stage;

/// Samples to be processed until the end: whole epochs after the one that is running, and a single step in the last.
pub(crate) fn samples_left(job: &JobView<'_>) -> f64 {
    let Some((efficiency, batch)) = job.curve.efficiency().zip(job.batch_global()) else { return job.samples_left };
    let steps_until = |stage: Option<&Stage>| stage?.at(batch)?.steps;
    let running = efficiency.stage(job.samples_left, job.bound.samples);
    let (last, now) = (steps_until(efficiency.stages.last()), steps_until(running.map(|(_, stage)| stage)));
    let steps = match last.zip(now) {
        Some((last, now)) => (last - now).max(1.0),
        None => efficiency.steps_left(batch, job.samples_left, job.bound.samples),
    };
    steps * f64::from(batch)
}
