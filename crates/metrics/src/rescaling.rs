//! Cost of changes in samples (BFTrainer: Liu et al., section 5.1). docs/metrics.md has the definitions.
//!
//! A cost is time without progress times the speed before, as eq. 16 charges it: what a job would have processed in
//! that time had nothing changed. It counts when the time without progress begins. Samples that are lost, or taken away
//! at once, cost themselves.

use elastiplan_engine::{LossCause, Losses, Run, SpanState};

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
        let mut sum = Self::default();
        each_cost(run, |_, cause, samples| match cause {
            LossCause::Rescale => sum.rescale += samples,
            LossCause::NodeLeft => sum.preemption += samples,
        });
        sum
    }
}

/// Calls `cost` with time, cause and samples of every pause, and of every loss. The pause of a job that has made no
/// progress yet costs nothing.
pub fn each_cost(run: &Run, mut cost: impl FnMut(f64, LossCause, f64)) {
    for job in run.job_ids() {
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
    let Losses { time_s, samples, cause, .. } = &run.losses;
    for ((time_s, samples), cause) in time_s.iter().zip(samples).zip(cause) {
        cost(*time_s, *cause, *samples);
    }
}
