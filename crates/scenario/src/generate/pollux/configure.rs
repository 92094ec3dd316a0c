//! GPUs and batch sizes that jobs ask for.

use crate::published::PublishedModel;

/// What a job asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Configuration {
    pub gpus: u32,
    pub batch_global: u32,
}

/// Numbers of GPUs among which tuned jobs choose, if not one: parts of the cluster of 64.
const GPUS: [u32; 9] = [2, 4, 6, 8, 12, 16, 24, 32, 48];

/// Shares of the ideal speed-up, which is the number of GPUs, within which a number of GPUs is valid (section 5.2).
const VALID: std::ops::RangeInclusive<f64> = 0.5..=0.8;

/// The valid configurations of each model.
pub(super) struct Tuned(Vec<(&'static str, Vec<Configuration>)>);

impl Tuned {
    pub fn of(models: &'static [PublishedModel]) -> Self {
        Self(models.iter().map(|model| (model.model, configurations(model))).collect())
    }

    /// One of the model's; `at`, from 0 to 1, says which.
    pub fn pick(&self, model: &str, at: f64) -> Configuration {
        let of_model = self.0.iter().find(|(name, _)| *name == model);
        of_model.and_then(|(_, all)| one_of(all, at)).unwrap_or(Configuration { gpus: 1, batch_global: 1 })
    }
}

/// The valid numbers of GPUs, each with its best batch size; one GPU where none is valid.
fn configurations(model: &PublishedModel) -> Vec<Configuration> {
    let valid = |gpus: &u32| model.speedup(*gpus).is_some_and(|speedup| VALID.contains(&(speedup / f64::from(*gpus))));
    let mut counts: Vec<u32> = GPUS.into_iter().filter(valid).collect();
    if counts.is_empty() {
        counts.push(1);
    }
    let best = |gpus: u32| Some(Configuration { gpus, batch_global: model.best_batch(gpus)?.batch_global });
    counts.into_iter().filter_map(best).collect()
}

impl Configuration {
    /// So many GPUs, as far as the model runs on them, and a batch size between half and twice the best for them;
    /// `at`, from 0 to 1, says which (section 5.3.1).
    pub fn of_user(model: &PublishedModel, gpus: u32, at: f64) -> Self {
        let gpus = gpus.min(model.times.gpus_max);
        let best = model.best_batch(gpus).map_or(model.batch_base, |best| best.batch_global);
        let near: Vec<u32> = model.batches_on(gpus).filter(|batch| (best / 2..=best * 2).contains(batch)).collect();
        Self { gpus, batch_global: one_of(&near, at).unwrap_or(best) }
    }
}

/// The one at a share of a list.
fn one_of<T: Copy>(list: &[T], at: f64) -> Option<T> {
    list.get((at * list.len() as f64) as usize).or(list.last()).copied()
}
