//! The batch sizes of a model and of a job, how a batch is split over GPUs, and the speed with each.

use crate::{BatchRange, BatchSpeed, Curve, Curves, ScalingTimes};

/// The batch sizes of a job that may have several, with their speeds.
///
/// ```
/// use elastiplan_model::{BatchChoices, BatchRange, Curve, CurveKey, Curves};
///
/// let curve = |batch, speeds: [f64; 2]| {
///     let key = CurveKey { model: "bert".into(), batch_global: Some(batch) };
///     Curve::new(key, [(1, speeds[0]), (2, speeds[1])])
/// };
/// let curves: Curves = [curve(32, [10.0, 12.0])?, curve(64, [9.0, 16.0])?].into_iter().collect();
/// let choices = BatchChoices::of(&curves, "bert", BatchRange { least: 32, most: 128 }).unwrap();
/// assert_eq!(choices.best(1).map(|best| best.batch_global), Some(32));
/// assert_eq!(choices.best(2).map(|best| best.batch_global), Some(64));
/// # Ok::<(), elastiplan_model::CurveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BatchChoices<'a> {
    range: BatchRange,
    speeds: Speeds<'a>,
}

#[derive(Clone, Debug)]
enum Speeds<'a> {
    /// Known for any batch size.
    Times(&'a ScalingTimes),
    /// Measured at some, rising.
    Curves(Vec<(u32, &'a Curve)>),
}

impl<'a> BatchChoices<'a> {
    /// The batch sizes of a range with which the speed of a model is known: any, where it follows from processing and
    /// all-reduce times; else those that were measured. `None` where there is none, and where samples are worth less in
    /// larger batches: their choice is then no matter of speed alone.
    pub fn of(curves: &'a Curves, model: &str, range: BatchRange) -> Option<Self> {
        let of_model = || curves.of_model(model).iter().filter(|curve| curve.efficiency().is_none());
        if let Some(times) = of_model().find_map(Curve::scaling_times) {
            return Some(Self { range, speeds: Speeds::Times(times) });
        }
        let measured = of_model().filter_map(|curve| Some((curve.key().batch_global?, curve)));
        let measured: Vec<(u32, &Curve)> = measured.filter(|(batch, _)| range.contains(*batch)).collect();
        (!measured.is_empty()).then_some(Self { range, speeds: Speeds::Curves(measured) })
    }

    /// The batch size with the highest throughput on so many GPUs, of equals the smallest; `None` where it does not
    /// run.
    pub fn best(&self, gpus: u32) -> Option<BatchSpeed> {
        match &self.speeds {
            Speeds::Times(times) => times.best_batch(self.range, gpus),
            Speeds::Curves(measured) => {
                let speed = |(batch_global, curve): &(u32, &Curve)| BatchSpeed {
                    batch_global: *batch_global,
                    samples_per_s: curve.samples_per_s(gpus),
                };
                BatchSpeed::fastest(measured.iter().map(speed))
            }
        }
    }

    /// The smallest batch size.
    pub fn least(&self) -> u32 {
        match &self.speeds {
            Speeds::Times(_) => self.range.least,
            Speeds::Curves(measured) => measured.first().map_or(self.range.least, |(batch, _)| *batch),
        }
    }

    /// The largest batch size that runs; `None` if none does.
    pub fn most(&self) -> Option<u32> {
        match &self.speeds {
            Speeds::Times(times) => {
                let fits = times.batch_per_gpu_max().saturating_mul(times.gpus_max());
                Some(fits.min(self.range.most)).filter(|most| *most >= self.range.least)
            }
            Speeds::Curves(measured) => measured.last().map(|(batch, _)| *batch),
        }
    }

    /// The batch size with a known speed that is nearest to another one; of two the smaller.
    pub fn nearest(&self, batch_global: u32) -> u32 {
        match &self.speeds {
            Speeds::Times(_) => batch_global.clamp(self.range.least, self.range.most),
            Speeds::Curves(measured) => {
                let batches = measured.iter().map(|(batch, _)| *batch);
                batches.min_by_key(|batch| batch.abs_diff(batch_global)).unwrap_or(batch_global)
            }
        }
    }

    /// The most GPUs on which the model is known to run, or to be faster.
    pub fn gpus_most(&self) -> u32 {
        match &self.speeds {
            Speeds::Times(times) => times.gpus_max(),
            Speeds::Curves(measured) => measured.iter().map(|(_, curve)| curve.gpus_largest()).max().unwrap_or(1),
        }
    }

    /// The fewest GPUs on which it runs with any of the batch sizes; `None` if with none.
    pub fn gpus_least(&self) -> Option<u32> {
        match &self.speeds {
            Speeds::Times(times) => {
                let gpus = self.range.least.div_ceil(times.batch_per_gpu_max().max(1));
                (gpus..=times.gpus_max()).find(|gpus| self.best(*gpus).is_some())
            }
            Speeds::Curves(measured) => measured.iter().map(|(_, curve)| curve.gpus_smallest()).min(),
        }
    }
}

/// The split of a batch over GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// Samples on a GPU at a time.
    pub batch_per_gpu: u32,
    /// Passes before synchronising.
    pub passes: u32,
}

impl Split {
    /// Samples of a step.
    pub fn batch_global(&self, gpus: u32) -> u32 {
        self.batch_per_gpu.saturating_mul(self.passes).saturating_mul(gpus)
    }
}

/// The batch sizes that a model trains with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchLimits {
    /// The one whose samples count 1; smaller ones are not used.
    pub base: u32,
    /// The largest.
    pub most: u32,
    /// The fewest samples on a GPU at a time.
    pub per_gpu_least: u32,
    /// The most samples on a GPU at a time.
    pub per_gpu_most: u32,
    /// The fewest passes of a batch above the base on a single GPU.
    pub passes_alone: u32,
    /// The most GPUs, whatever the batch.
    pub gpus_most: u32,
}

impl BatchLimits {
    /// A batch in the fewest equal passes that fit, rounded up to whole samples on each GPU; `None` where it would be
    /// too few samples on a GPU.
    pub fn split(&self, gpus: u32, batch_global: u32) -> Option<Split> {
        /// By how much a quotient may exceed a whole number and still count as it.
        const WHOLE: f64 = 1e-8;
        if gpus == 0 || batch_global == 0 || self.per_gpu_most == 0 {
            return None;
        }
        let per_gpu = f64::from(batch_global) / f64::from(gpus);
        let passes = (per_gpu / f64::from(self.per_gpu_most) - WHOLE).ceil().max(1.0);
        let alone = gpus == 1 && batch_global > self.base;
        let passes = if alone { passes.max(f64::from(self.passes_alone)) } else { passes };
        let batch_per_gpu = (per_gpu / passes - WHOLE).ceil() as u32;
        let passes = passes as u32;
        // Rounding up must not exceed the largest batch.
        let batch_per_gpu = batch_per_gpu.min(self.most.max(batch_global) / gpus.saturating_mul(passes));
        let fits = (self.per_gpu_least.max(1)..=self.per_gpu_most).contains(&batch_per_gpu);
        fits.then_some(Split { batch_per_gpu, passes })
    }
}
