//! Cost of changes in samples (BFTrainer: Liu et al., section 5.1). docs/metrics.md has the definitions.
//!
//! A cost is time without progress times the speed before, as eq. 16 charges it: what a job would have processed in
//! that time had nothing changed. It counts when the time without progress begins. Samples that are lost, or taken away
//! at once, cost themselves.

use elastiplan_engine::{LossCause, Run, SpanState};
use elastiplan_model::JobId;

use crate::selection::Selection;

/// Cost of changes, in samples. Samples of different models are added.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CostSamples {
    /// Cost of changes that the policy decided.
    pub rescale: f64,
    /// Cost of leaving nodes.
    pub preemption: f64,
}

impl CostSamples {
    /// The cost over the whole run.
    pub fn of(run: &Run) -> Self {
        cost_of(run, &Selection::all(run))
    }
}

/// The cost of some jobs over the whole run.
pub(crate) fn cost_of(run: &Run, selection: &Selection) -> CostSamples {
    let mut sum = CostSamples::default();
    let mut add = |_, cause, samples| match cause {
        LossCause::Rescale => sum.rescale += samples,
        LossCause::NodeLeft => sum.preemption += samples,
    };
    selection.jobs.iter().for_each(|job| each_pause(run, *job, &mut add));
    each_loss(run, |job, time_s, cause, samples| {
        if selection.has(job) {
            add(time_s, cause, samples);
        }
    });
    sum
}

/// Calls `cost` with time, cause and samples of every pause, and of every loss. The pause of a job that has made no
/// progress yet costs nothing.
pub fn each_cost(run: &Run, mut cost: impl FnMut(f64, LossCause, f64)) {
    run.job_ids().for_each(|job| each_pause(run, job, &mut cost));
    each_loss(run, |_, time_s, cause, samples| cost(time_s, cause, samples));
}

fn each_pause(run: &Run, job: JobId, cost: &mut impl FnMut(f64, LossCause, f64)) {
    let mut speed_before = 0.0;
    for span in run.spans.of(job) {
        let samples = speed_before * (span.end_s - span.start_s);
        match span.state {
            SpanState::Running => speed_before = span.samples_per_s,
            SpanState::Rescaling => cost(span.start_s, LossCause::Rescale, samples),
            SpanState::Recovering => cost(span.start_s, LossCause::NodeLeft, samples),
            SpanState::Waiting | SpanState::Preempted => {}
        }
    }
}

fn each_loss(run: &Run, mut cost: impl FnMut(u32, f64, LossCause, f64)) {
    let losses = &run.losses;
    let rows = losses.job.iter().zip(&losses.time_s).zip(&losses.cause).zip(&losses.samples);
    rows.for_each(|(((job, time_s), cause), samples)| cost(*job, *time_s, *cause, *samples));
}
