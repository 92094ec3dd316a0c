//! Goodput: how much training gets done in a second, and the batch size that gets most done (Pollux, section 3).
//!
//! Throughput rises with the batch size while what a sample is worth falls; their product has one peak between. The
//! batch is what all GPUs process in a step: samples per GPU and pass, times GPUs, times passes. Where a batch does not
//! fit, it is split into the fewest equal passes.
//!
//! ```
//! use elastiplan_model::ThroughputModel;
//! use elastiplan_solvers::goodput::{BatchSearch, Goodput};
//!
//! let times = ThroughputModel {
//!     gradient_s: 0.1,
//!     gradient_s_per_sample: 0.01,
//!     local_sync_s: 0.02,
//!     local_sync_s_per_gpu: 0.001,
//!     node_sync_s: 0.1,
//!     node_sync_s_per_gpu: 0.002,
//!     overlap: 1.5,
//!     batch_per_gpu_max: 64,
//!     gpus_per_node: 4,
//!     gpus_max: 64,
//! };
//! let (batch_base, batch_max, batch_per_gpu_min) = (32, 4096, 8);
//! let job = Goodput { times, noise_scale: 500.0, batch_base, batch_max, batch_per_gpu_min, passes_alone: 1 };
//! let one = job.best_batch(1, 1, BatchSearch::GoldenSection).expect("a batch of 32 fits");
//! assert_eq!((one.batch_per_gpu, one.passes), (64, 1));
//! let four = job.best_batch(4, 1, BatchSearch::GoldenSection).expect("so it does on four");
//! let speedup = four.samples_per_s / one.samples_per_s;
//! assert!(speedup > 3.0 && speedup < 4.0);
//! ```

use std::collections::BTreeMap;

use elastiplan_model::ThroughputModel;

/// The parameters of goodput.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goodput {
    /// Times of steps, and the most samples that fit on a GPU at a time.
    pub times: ThroughputModel,
    /// Gradient noise scale in samples: `batch_base` x variance / squared norm of the gradient.
    pub noise_scale: f64,
    /// The batch size whose samples count 1; smaller ones are not used.
    pub batch_base: u32,
    /// The largest batch size to be used.
    pub batch_max: u32,
    /// The fewest samples on a GPU at a time.
    pub batch_per_gpu_min: u32,
    /// The fewest passes of a batch above `batch_base` on a single GPU: 1 in the paper. 2 in the artifact, where noise
    /// can only be measured between several gradients.
    pub passes_alone: u32,
}

/// A batch size, how it is split, and what gets done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Batch {
    /// Samples on a GPU at a time.
    pub batch_per_gpu: u32,
    /// Passes before synchronising: one more than the steps that are accumulated.
    pub passes: u32,
    /// Samples a second, counted as samples of the base batch.
    pub samples_per_s: f64,
}

/// The search for the best batch size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BatchSearch {
    /// Golden section over whole samples (the paper), once for each number of passes, between which goodput jumps: the
    /// best of all that are possible.
    #[default]
    GoldenSection,
    /// The best of 50 batch sizes in geometric progression (the artifact).
    Grid,
}

impl Goodput {
    /// The efficiency of a sample in a batch (eq. 7): from 0 to 1, and 1 in the base batch.
    pub fn efficiency(&self, batch: f64) -> f64 {
        (self.noise_scale + f64::from(self.batch_base)) / (self.noise_scale + batch)
    }

    /// The best batch size for so many GPUs on so many nodes (eq. 13); `None` where none is possible.
    pub fn best_batch(&self, gpus: u32, nodes: u32, search: BatchSearch) -> Option<Batch> {
        self.best_batch_knowing(gpus, nodes, search, &mut KnownSteps::default())
    }

    /// The same, with what is known of steps from other searches with the same times: only the noise may have changed.
    pub fn best_batch_knowing(
        &self,
        gpus: u32,
        nodes: u32,
        search: BatchSearch,
        known: &mut KnownSteps,
    ) -> Option<Batch> {
        if gpus == 0 || nodes == 0 || gpus > self.times.gpus_max {
            return None;
        }
        let mut steps = known.steps(&self.times, gpus, nodes);
        match search {
            BatchSearch::GoldenSection => self.best_by_golden_section(gpus, &mut steps),
            BatchSearch::Grid => self.best_of_grid(gpus, &mut steps),
        }
    }

    /// How many passes a number of samples per GPU takes, as the artifact rounds.
    fn passes(&self, gpus: u32, per_gpu: f64) -> f64 {
        let passes = libm::ceil(per_gpu / f64::from(self.times.batch_per_gpu_max) - 1e-8).max(1.0);
        match gpus == 1 && per_gpu > f64::from(self.batch_base) {
            true => passes.max(f64::from(self.passes_alone)),
            false => passes,
        }
    }

    fn best_by_golden_section(&self, gpus: u32, steps: &mut Steps<'_>) -> Option<Batch> {
        let (fits, alone) = (self.times.batch_per_gpu_max, if gpus == 1 { self.passes_alone } else { 1 });
        let per_gpu_max = self.batch_max / gpus;
        // No number of passes gets through samples faster than full passes without synchronising.
        let fastest = f64::from(fits) / self.times.pass_s(f64::from(fits)) * f64::from(gpus);
        let mut best: Option<Batch> = None;
        for passes in 1..=self.passes(gpus, f64::from(per_gpu_max)) as u32 {
            // What fewer passes can do is theirs.
            let theirs = match (passes - 1).saturating_mul(fits) {
                full if passes == alone => full.min(self.batch_base),
                full => full,
            };
            let worth = self.efficiency(f64::from(theirs) * f64::from(gpus));
            if passes > alone && best.is_some_and(|best| best.samples_per_s >= fastest * worth) {
                break;
            }
            // Steps take at least as long as if all but what is longer were free; full passes are the fastest.
            let step_s = steps.least_s(f64::from(fits), f64::from(passes));
            let most_s = worth * f64::from(fits) * f64::from(passes) * f64::from(gpus) / step_s;
            if passes > alone && best.is_some_and(|best| best.samples_per_s >= most_s) {
                continue;
            }
            let low = self.batch_base.div_ceil(gpus.saturating_mul(passes)).max(theirs / passes + 1);
            let most = if passes < alone { self.batch_base } else { per_gpu_max };
            let (low, high) = (low.max(self.batch_per_gpu_min), (most / passes).min(fits));
            if low > high {
                continue;
            }
            let mut value = |per_gpu: u32| {
                let batch = f64::from(per_gpu) * f64::from(passes) * f64::from(gpus);
                self.efficiency(batch) * batch / steps.step_s(per_gpu, f64::from(passes))
            };
            let peak = golden_section(low, high, &mut value);
            let found = Batch { batch_per_gpu: peak, passes, samples_per_s: value(peak) };
            if best.is_none_or(|best| found.samples_per_s > best.samples_per_s) {
                best = Some(found);
            }
        }
        best
    }

    fn best_of_grid(&self, gpus: u32, steps: &mut Steps<'_>) -> Option<Batch> {
        const SIZES: u32 = 50;
        let low = f64::from(self.batch_base.max(self.batch_per_gpu_min.saturating_mul(gpus))).max(1.0);
        let ratio = libm::log10(f64::from(self.batch_max) / low);
        let mut best: Option<Batch> = None;
        for at in 0..SIZES {
            // The ends are meant exactly, whatever their logarithms round to.
            let size = match at {
                0 => low,
                _ if at == SIZES - 1 => f64::from(self.batch_max),
                _ => low * libm::pow(10.0, ratio * f64::from(at) / f64::from(SIZES - 1)),
            };
            let per_gpu = size / f64::from(gpus);
            let passes = self.passes(gpus, per_gpu);
            let batch_per_gpu = libm::ceil(per_gpu / passes - 1e-8) as u32;
            if !(self.batch_per_gpu_min..=self.times.batch_per_gpu_max).contains(&batch_per_gpu) || batch_per_gpu == 0 {
                continue;
            }
            let batch = f64::from(batch_per_gpu) * passes * f64::from(gpus);
            let samples_per_s = self.efficiency(batch) * batch / steps.step_s(batch_per_gpu, passes);
            let found = Batch { batch_per_gpu, passes: passes as u32, samples_per_s };
            if best.is_none_or(|best| found.samples_per_s > best.samples_per_s) {
                best = Some(found);
            }
        }
        best
    }
}

/// How long steps take, by GPUs and by whether they are on one node or several, as far as it was computed: powers are
/// most of what a search costs, and those of times do not depend on the noise.
#[derive(Clone, Debug, Default)]
pub struct KnownSteps {
    places: BTreeMap<(u32, u32), Place>,
    /// Powers of the seconds of a pass, by samples per GPU and in their order: they do not depend on the place.
    pass_powers: Vec<(u32, f64)>,
}

/// No more times are kept for given GPUs: searches that are alike look at a few dozen.
const TIMES_MAX: usize = 64;

/// Nor more powers for all of them.
const POWERS_MAX: usize = 1024;

/// What is known of steps on given GPUs.
#[derive(Clone, Debug)]
struct Place {
    sync_s: f64,
    sync_power: f64,
    /// The seconds of the last pass with synchronising, by samples per GPU and in their order.
    last_s: Vec<(u32, f64)>,
}

impl KnownSteps {
    fn steps<'a>(&'a mut self, times: &'a ThroughputModel, gpus: u32, nodes: u32) -> Steps<'a> {
        let anew = || {
            let sync_s = times.sync_s(gpus, nodes);
            Place { sync_s, sync_power: libm::pow(sync_s, times.overlap), last_s: Vec::new() }
        };
        let place = self.places.entry((gpus, nodes.min(2))).or_insert_with(anew);
        Steps { times, place, pass_powers: &mut self.pass_powers }
    }
}

/// How long steps take on given GPUs: what was computed is kept.
struct Steps<'a> {
    times: &'a ThroughputModel,
    place: &'a mut Place,
    pass_powers: &'a mut Vec<(u32, f64)>,
}

impl Steps<'_> {
    fn step_s(&mut self, batch_per_gpu: u32, passes: f64) -> f64 {
        let pass_s = self.times.pass_s(f64::from(batch_per_gpu));
        match self.place.sync_s > 0.0 {
            true => (passes - 1.0) * pass_s + self.last_s(batch_per_gpu, pass_s),
            false => passes * pass_s,
        }
    }

    fn last_s(&mut self, batch_per_gpu: u32, pass_s: f64) -> f64 {
        let Self { times, place: Place { sync_power, last_s, .. }, pass_powers } = self;
        kept(last_s, TIMES_MAX, batch_per_gpu, || {
            let pass_power = kept(pass_powers, POWERS_MAX, batch_per_gpu, || libm::pow(pass_s, times.overlap));
            libm::pow(pass_power + *sync_power, 1.0 / times.overlap)
        })
    }

    /// No less than this: what overlaps cannot be shorter than its longer part.
    fn least_s(&self, batch_per_gpu: f64, passes: f64) -> f64 {
        let pass_s = self.times.pass_s(batch_per_gpu);
        (passes - 1.0) * pass_s + pass_s.max(self.place.sync_s)
    }
}

/// What is known for a number of samples, or computed and kept as long as there is room.
fn kept(known: &mut Vec<(u32, f64)>, most: usize, samples: u32, compute: impl FnOnce() -> f64) -> f64 {
    match known.binary_search_by_key(&samples, |(known, _)| *known) {
        Ok(at) => known.get(at).map_or(f64::NAN, |(_, value)| *value),
        Err(at) => {
            let value = compute();
            if known.len() < most {
                known.insert(at, (samples, value));
            }
            value
        }
    }
}

/// Where a function of whole numbers with a single peak is highest, between two numbers inclusive.
pub fn golden_section(low: u32, high: u32, mut value: impl FnMut(u32) -> f64) -> u32 {
    /// The part of a stretch at which it is cut.
    const CUT: f64 = 0.381_966_011_250_105;
    let (mut low, mut high) = (low, high.max(low));
    let mut known: [(u32, f64); 2] = [(0, f64::NAN); 2];
    let mut at = |place: u32| match known.iter().find(|(known, value)| *known == place && !value.is_nan()) {
        Some(&(_, value)) => value,
        None => {
            let found = value(place);
            known = [known[1], (place, found)];
            found
        }
    };
    while high - low > 2 {
        let cut = (libm::round(CUT * f64::from(high - low)) as u32).clamp(1, (high - low - 1) / 2);
        let (left, right) = (low + cut, high - cut);
        match at(left) < at(right) {
            true => low = left + 1,
            // What is as high on the right may hide a plateau, of which the lower end is as good.
            false => high = right - 1,
        }
    }
    let mut best = (low, value(low));
    for place in low + 1..=high {
        let found = value(place);
        if found > best.1 {
            best = (place, found);
        }
    }
    best.0
}
