//! Jobs with ranges of batch sizes: the sizes to choose from, and the curves for those that jobs start with.

use std::collections::{BTreeMap, BTreeSet};

use crate::{BatchChoices, BatchRange, CurveMatch, Curves, Job, ModelId, Trace};

/// The curves, with those that follow from a formula or from step times for the batch sizes of the jobs.
pub(super) fn with_batches_of(trace: &Trace, curves: &Curves, ranges: &Ranges) -> Curves {
    let wanted = |job: &Job| Some((job.model, ranges.own_batch(job)?));
    // Collecting would sort all jobs; few of their models and batch sizes differ.
    let mut distinct: BTreeSet<(ModelId, u32)> = BTreeSet::new();
    distinct.extend(trace.jobs().iter().filter_map(wanted));
    let mut all = curves.clone();
    for (model, batch_global) in distinct {
        let model = trace.model_name(model);
        if matches!(curves.find(model, Some(batch_global)), CurveMatch::Exact(_)) {
            continue;
        }
        let of_model = curves.as_slice().iter().filter(|curve| curve.key().model == model);
        if let Some(curve) = of_model.filter_map(|curve| curve.at_batch(batch_global)).next() {
            all.insert(curve);
        }
    }
    all
}

/// The batch sizes to choose from within a range of a model.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub least: u32,
    pub most: Option<u32>,
    /// The fewest GPUs on which any of them runs; `None` if none does.
    pub gpus_least: Option<u32>,
}

/// The choices of jobs, where the speeds of several batch sizes are known: few models and ranges, many jobs.
pub(super) struct Ranges(BTreeMap<(ModelId, BatchRange), Choice>);

impl Ranges {
    pub fn of(trace: &Trace, curves: &Curves) -> Self {
        let mut distinct: BTreeSet<(ModelId, BatchRange)> = BTreeSet::new();
        distinct.extend(trace.jobs().iter().filter_map(|job| Some((job.model, job.batch_range?))));
        let choice = |(model, range): (ModelId, BatchRange)| {
            let choices = BatchChoices::of(curves, trace.model_name(model), range)?;
            let choice = Choice { least: choices.least(), most: choices.most(), gpus_least: choices.gpus_least() };
            Some(((model, range), choice))
        };
        let mut choices = BTreeMap::new();
        choices.extend(distinct.into_iter().filter_map(choice));
        Self(choices)
    }

    pub fn choice(&self, job: &Job) -> Option<Choice> {
        self.0.get(&(job.model, job.batch_range?)).copied()
    }

    /// The batch size that a job has unless a policy chooses another: its own, or else the smallest that it may have,
    /// which runs on the fewest GPUs. One that fits nowhere gives way to the largest that does, if there is a choice.
    pub fn own_batch(&self, job: &Job) -> Option<u32> {
        let Some(choice) = self.choice(job) else { return job.batch_global };
        Some(job.batch_global.unwrap_or(choice.least).min(choice.most.unwrap_or(u32::MAX)))
    }
}
