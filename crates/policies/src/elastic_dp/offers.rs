//! Throughput scaling factors of jobs (eq. 1), with the batch sizes that go with them (eq. 2).

use std::collections::BTreeMap;
use std::rc::Rc;

use elastiplan_engine::{JobView, View};
use elastiplan_model::{BatchChoices, BatchRange};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::shared::scaling::Scaling;

/// The batch size that a job gets of those that it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BatchRule {
    /// The one that is fastest on its GPUs.
    Best,
    /// The largest.
    Largest,
    /// The smallest.
    Smallest,
    /// Any, each as likely.
    Random,
    /// The one it was submitted with.
    Own,
}

impl BatchRule {
    /// The words of the parameter; the first is the default.
    pub const WORDS: &[&str] = &["best", "max", "min", "random", "own"];

    pub fn of(word: &str) -> Self {
        match word {
            "max" => Self::Largest,
            "min" => Self::Smallest,
            "random" => Self::Random,
            "own" => Self::Own,
            _ => Self::Best,
        }
    }
}

/// Scaling factors of jobs, computed once; jobs that are alike share them.
#[derive(Clone)]
pub(super) struct Offers {
    rule: BatchRule,
    /// The most GPUs for one job.
    gpus_max: u32,
    seed: u64,
    known: BTreeMap<Key, Rc<Scaling>>,
    /// For each job its priority, as bits, and its factors.
    by_job: Vec<Option<(u64, Rc<Scaling>)>>,
}

/// What scaling factors depend on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// The model of a job with a choice of batch sizes, the curve of another.
    speeds: u32,
    choice: Option<(BatchRange, Option<u32>)>,
    least: u32,
    most: u32,
    priority: u64,
}

impl Offers {
    pub fn new(rule: BatchRule, gpus_max: u32, seed: u64) -> Self {
        Self { rule, gpus_max, seed, known: BTreeMap::new(), by_job: Vec::new() }
    }

    /// The scaling factors on each number of GPUs that the job may get.
    pub fn of(&mut self, job: &JobView<'_>, view: &View<'_>) -> Rc<Scaling> {
        let priority = priority_bits(job);
        // Priorities and clusters change in the middle of a run only by forks.
        let holds = |(of, scaling): &(u64, Rc<Scaling>)| {
            *of == priority && !(job.started && scaling.gpus_min() > view.gpus_most())
        };
        let known = self.by_job.get(job.id.index()).and_then(Option::as_ref);
        if let Some((_, known)) = known.filter(|known| holds(known)) {
            return known.clone();
        }
        let mut scaling = self.scaling(job, view, self.rule);
        if job.started && scaling.gpus_min() > view.gpus_most() {
            // Another policy started it with a batch that needs fewer GPUs; it would wait for ever.
            scaling = self.scaling(job, view, BatchRule::Best);
        }
        if self.by_job.len() <= job.id.index() {
            self.by_job.resize(view.jobs_submitted() as usize, None);
        }
        if let Some(place) = self.by_job.get_mut(job.id.index()) {
            *place = Some((priority, scaling.clone()));
        }
        scaling
    }

    fn scaling(&mut self, job: &JobView<'_>, view: &View<'_>, rule: BatchRule) -> Rc<Scaling> {
        let choices = view.batch_choices(job);
        let priority = f64::from_bits(priority_bits(job));
        let fixed = choices.as_ref().and_then(|choices| self.fixed_batch(job, choices, rule));
        let key = match job.bound.batches.filter(|_| choices.is_some()) {
            Some(range) => {
                let least = job.job.gpus_min.unwrap_or(1).min(job.bound.gpus_min);
                let most = job.job.gpus_max.unwrap_or(u32::MAX).min(self.gpus_max);
                Key { speeds: job.job.model.0, choice: Some((range, fixed)), least, most, priority: priority.to_bits() }
            }
            None => {
                let (least, most) = (job.bound.gpus_min, job.bound.gpus_max.min(self.gpus_max));
                Key { speeds: job.bound.curve, choice: None, least, most, priority: priority.to_bits() }
            }
        };
        let compute = || {
            Rc::new(match (&choices, fixed) {
                (Some(choices), None) => of_best(job, choices, key, priority),
                (_, fixed) => of_one(job, view, fixed, key, priority),
            })
        };
        self.known.entry(key).or_insert_with(compute).clone()
    }

    /// The batch size that a job has on any number of GPUs; `None` if it depends on them.
    fn fixed_batch(&self, job: &JobView<'_>, choices: &BatchChoices<'_>, rule: BatchRule) -> Option<u32> {
        let (least, most) = (choices.least(), choices.most()?);
        let wanted = match rule {
            BatchRule::Best => return None,
            BatchRule::Own => job.job.batch_global.unwrap_or(least).min(most),
            BatchRule::Largest => most,
            BatchRule::Smallest => least,
            BatchRule::Random => {
                let mut random = ChaCha8Rng::seed_from_u64(self.seed);
                random.set_stream(u64::from(job.id.0));
                random.random_range(least..=most.max(least))
            }
        };
        Some(choices.nearest(wanted))
    }
}

/// The priority of a job, which may change; 1 is as without one.
fn priority_bits(job: &JobView<'_>) -> u64 {
    job.job.priority.unwrap_or(1.0).to_bits()
}

/// Factors with the best batch size for every number of GPUs.
fn of_best(job: &JobView<'_>, choices: &BatchChoices<'_>, key: Key, priority: f64) -> Scaling {
    let single = job.samples_per_s_single();
    let fewest = choices.gpus_least().unwrap_or(1).max(key.least);
    let most = key.most.min(choices.gpus_most()).max(fewest);
    let best = |gpus| match choices.best(gpus) {
        Some(best) => (priority * best.samples_per_s / single, Some(best.batch_global)),
        None => (0.0, None),
    };
    Scaling::new(fewest, (fewest..=most).map(best))
}

/// Factors with `batch_global`, or with the batch size that the job has.
fn of_one(job: &JobView<'_>, view: &View<'_>, batch_global: Option<u32>, key: Key, priority: f64) -> Scaling {
    let single = job.samples_per_s_single();
    let at_batch = batch_global.and_then(|batch| view.curve_at(job.id, batch)).unwrap_or(job.curve);
    let speed = |gpus| match batch_global {
        Some(batch_global) => at_batch.samples_per_s_with(gpus, batch_global),
        None => job.curve.samples_per_s(gpus),
    };
    let fewest = match batch_global {
        Some(_) => (key.least..=at_batch.gpus_largest()).find(|gpus| speed(*gpus) > 0.0).unwrap_or(job.bound.gpus_min),
        None => key.least,
    };
    let largest = if batch_global.is_some() { at_batch.gpus_largest() } else { u32::MAX };
    let most = key.most.min(largest).max(fewest);
    Scaling::new(fewest, (fewest..=most).map(|gpus| (priority * speed(gpus) / single, batch_global)))
}
