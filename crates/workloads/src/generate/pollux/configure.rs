//! GPUs and batch sizes that jobs ask for.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::published::PublishedModel;

/// What a job asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Configuration {
    pub gpus: u32,
    pub batch_global: u32,
}

/// Numbers of GPUs among which tuned jobs choose, if not one: parts of the cluster of 64.
const GPUS: [u32; 9] = [2, 4, 6, 8, 12, 16, 24, 32, 48];

/// Shares of the ideal speed-up, which is the number of GPUs, within which a number of GPUs is valid (section 5.2).
const VALID: RangeInclusive<f64> = 0.5..=0.8;

/// What jobs of one model may ask for.
pub(super) struct Configurations {
    model: &'static PublishedModel,
    tuned: Vec<Configuration>,
    /// By the GPUs that a user asks for, as soon as one did.
    of_users: BTreeMap<u32, Vec<Configuration>>,
}

impl Configurations {
    pub fn of(model: &'static PublishedModel) -> Self {
        Self { model, tuned: tuned(model), of_users: BTreeMap::new() }
    }

    /// The most GPUs that are of use, which a policy that only knows what was measured so far cannot tell.
    pub fn gpus_max(&self) -> u32 {
        self.model.times.gpus_max
    }

    /// One that is tuned; `at`, from 0 to 1, says which.
    pub fn tuned(&self, at: f64) -> Option<Configuration> {
        one_of(&self.tuned, at)
    }

    /// One of a user who asks for so many GPUs.
    pub fn of_user(&mut self, gpus: u32, at: f64) -> Option<Configuration> {
        one_of(self.of_users.entry(gpus).or_insert_with(|| of_user(self.model, gpus)), at)
    }
}

/// The valid numbers of GPUs, each with its best batch size; one GPU where none is valid.
fn tuned(model: &PublishedModel) -> Vec<Configuration> {
    let valid = |gpus: &u32| model.speedup(*gpus).is_some_and(|speedup| VALID.contains(&(speedup / f64::from(*gpus))));
    let mut counts: Vec<u32> = GPUS.into_iter().filter(valid).collect();
    if counts.is_empty() {
        counts.push(1);
    }
    let best = |gpus: u32| Some(Configuration { gpus, batch_global: model.best_batch(gpus)?.batch_global });
    counts.into_iter().filter_map(best).collect()
}

/// So many GPUs, as far as the model runs on them, with each batch size between half and twice the best for them
/// (section 5.3.1).
fn of_user(model: &PublishedModel, gpus: u32) -> Vec<Configuration> {
    let gpus = gpus.min(model.times.gpus_max);
    let Some(best) = model.best_batch(gpus) else { return Vec::new() };
    let near = best.batch_global / 2..=best.batch_global.saturating_mul(2);
    let batches = model.batches_on(gpus).filter(|batch| near.contains(batch));
    batches.map(|batch_global| Configuration { gpus, batch_global }).collect()
}

/// The one at a share of a list.
fn one_of<T: Copy>(list: &[T], at: f64) -> Option<T> {
    list.get((at * list.len() as f64) as usize).or(list.last()).copied()
}
