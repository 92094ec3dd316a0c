//! What a job scalability analyzer measures (Saxena et al., "Effective Elastic Scaling of Deep Learning Workloads",
//! section III-B), and what may be said between and beyond its measurements.
//!
//! Two things are measured apart: of every model, how long one GPU takes for so many samples ([`ProcessingTimes`]); of
//! the cluster, once for all models, how long an all-reduce of so many weights takes on so many GPUs
//! ([`AllReduceGrid`]). Together they are the [`ScalingTimes`] of a model.
//!
//! ```
//! use elastiplan_model::{AllReduceGrid, Origin, ProcessingTimes, ScalingTimes};
//!
//! let grid = AllReduceGrid::new([(10e6, 2, 0.02), (20e6, 2, 0.04), (10e6, 4, 0.03), (20e6, 4, 0.05)])?;
//! let resnet50 = ProcessingTimes::new(15e6, [(32, 0.1), (64, 0.2)])?;
//! let times = ScalingTimes::measured(&resnet50, Some(&grid));
//! let three = times.all_reduce(3).unwrap();
//! assert_eq!((three.time_s, three.origin), (0.035, Origin::Interpolated));
//! assert_eq!(times.processing(32).unwrap().origin, Origin::Measured);
//! assert_eq!(times.processing(16).unwrap().origin, Origin::Assumed); // as long as 32 samples take
//! assert_eq!(times.processing(65), None); // does not fit on a GPU
//! # Ok::<(), elastiplan_model::ScalabilityError>(())
//! ```

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::order::sort_by;
use crate::{ScalingTimes, limits};

/// The origin of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// It was measured itself.
    #[default]
    Measured,
    /// It lies on the straight line between measurements.
    Interpolated,
    /// It is beyond what was measured: the nearest measurement is held.
    Assumed,
}

impl Origin {
    /// All of them, the most certain first.
    pub const ALL: [Self; 3] = [Self::Measured, Self::Interpolated, Self::Assumed];

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Origin::Measured => "measured",
            Origin::Interpolated => "interpolated",
            Origin::Assumed => "assumed",
        }
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.word())
    }
}

/// A time, and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Seconds.
    pub time_s: f64,
    /// Their origin.
    pub origin: Origin,
}

/// The reason why measurements are not valid.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ScalabilityError {
    /// No measurement at all.
    #[error("no measurement")]
    Empty,
    /// A number of weights that is none.
    #[error("{0} weights must be above 0 and at most 1e18")]
    Weights(f64),
    /// GPUs between which there is nothing to reduce, or more than can be.
    #[error("{0} GPUs is not a whole number from 2 to 4,096")]
    Gpus(u32),
    /// Samples that are none.
    #[error("{0} samples is not a whole number from 1 to 2^30")]
    Batch(u32),
    /// A processing time that is none.
    #[error("{batch_per_gpu} samples: {time_s} s must be above 0 and at most 1e9")]
    ProcessingTime {
        /// Samples on the GPU.
        batch_per_gpu: u32,
        /// The value.
        time_s: f64,
    },
    /// An all-reduce time that is none.
    #[error("{weights} weights on {gpus} GPUs: {time_s} s must be above 0 and at most 1e9")]
    AllReduceTime {
        /// Weights that are reduced.
        weights: f64,
        /// GPUs among which.
        gpus: u32,
        /// The value.
        time_s: f64,
    },
    /// Two processing times for one number of samples.
    #[error("{0} samples are there twice")]
    DuplicateBatch(u32),
    /// Two all-reduce times for the same weights and GPUs.
    #[error("{weights} weights on {gpus} GPUs are there twice")]
    DuplicateAllReduce {
        /// Weights that are reduced.
        weights: f64,
        /// GPUs among which.
        gpus: u32,
    },
}

/// Times that one GPU takes for numbers of samples of a model (section III-B1).
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessingTimes {
    weights: f64,
    /// (samples, seconds), samples rising; at least one.
    points: Vec<(f64, f64)>,
}

impl ProcessingTimes {
    /// Of a model with so many weights: (samples on the GPU, seconds), in any order.
    pub fn new(weights: f64, points: impl IntoIterator<Item = (u32, f64)>) -> Result<Self, ScalabilityError> {
        check_weights(weights)?;
        let mut points: Vec<(u32, f64)> = points.into_iter().collect();
        for &(batch_per_gpu, time_s) in &points {
            if !(1..=limits::BATCH_MAX).contains(&batch_per_gpu) {
                return Err(ScalabilityError::Batch(batch_per_gpu));
            }
            if !is_time(time_s) {
                return Err(ScalabilityError::ProcessingTime { batch_per_gpu, time_s });
            }
        }
        sort_by(&mut points, |a, b| a.0.cmp(&b.0));
        match (points.is_empty(), points.windows(2).find(|pair| pair[0].0 == pair[1].0)) {
            (true, _) => Err(ScalabilityError::Empty),
            (_, Some(pair)) => Err(ScalabilityError::DuplicateBatch(pair[0].0)),
            _ => Ok(Self { weights, points: points.into_iter().map(|(batch, s)| (f64::from(batch), s)).collect() }),
        }
    }

    /// The most samples that are known to fit on a GPU.
    pub fn batch_per_gpu_max(&self) -> u32 {
        self.points.last().map_or(1, |point| point.0 as u32)
    }
}

/// Times that the GPUs of a cluster take for all-reduces of numbers of weights (section III-B2).
///
/// Not every number of weights need be measured on every number of GPUs.
#[derive(Clone, Debug, PartialEq)]
pub struct AllReduceGrid {
    /// GPUs rising, each with (weights, seconds), weights rising; none is empty.
    columns: Vec<(u32, Vec<(f64, f64)>)>,
}

impl AllReduceGrid {
    /// Of (weights, GPUs, seconds) in any order. One GPU has nothing to reduce and must not be there.
    pub fn new(rows: impl IntoIterator<Item = (f64, u32, f64)>) -> Result<Self, ScalabilityError> {
        let mut rows: Vec<(f64, u32, f64)> = rows.into_iter().collect();
        for &(weights, gpus, time_s) in &rows {
            check_weights(weights)?;
            if !(2..=limits::LAW_GPUS_MAX).contains(&gpus) {
                return Err(ScalabilityError::Gpus(gpus));
            }
            if !is_time(time_s) {
                return Err(ScalabilityError::AllReduceTime { weights, gpus, time_s });
            }
        }
        sort_by(&mut rows, |a, b| a.1.cmp(&b.1).then(a.0.total_cmp(&b.0)));
        if let Some(pair) = rows.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[0].1 == pair[1].1) {
            let (weights, gpus, _) = pair[0];
            return Err(ScalabilityError::DuplicateAllReduce { weights, gpus });
        }
        let column = |rows: &[(f64, u32, f64)]| {
            let gpus = rows.first().map_or(1, |row| row.1);
            (gpus, rows.iter().map(|row| (row.0, row.2)).collect())
        };
        let columns: Vec<_> = rows.chunk_by(|a, b| a.1 == b.1).map(column).collect();
        if columns.is_empty() { Err(ScalabilityError::Empty) } else { Ok(Self { columns }) }
    }

    /// The numbers of GPUs that were measured, rising.
    pub fn gpus(&self) -> impl Iterator<Item = u32> {
        self.columns.iter().map(|(gpus, _)| *gpus)
    }

    /// The numbers of weights that were measured on any number of GPUs, rising, each once.
    pub fn weights(&self) -> Vec<f64> {
        let all = self.columns.iter().flat_map(|(_, column)| column);
        let mut weights: Vec<f64> = all.map(|(weights, _)| *weights).collect();
        sort_by(&mut weights, f64::total_cmp);
        weights.dedup();
        weights
    }

    /// Seconds that were measured for so many weights on so many GPUs.
    pub fn measured(&self, weights: f64, gpus: u32) -> Option<f64> {
        let at = self.columns.binary_search_by_key(&gpus, |(measured, _)| *measured).ok()?;
        let (_, column) = self.columns.get(at)?;
        let at = column.binary_search_by(|point| point.0.total_cmp(&weights)).ok()?;
        column.get(at).map(|point| point.1)
    }

    /// Seconds for so many weights on each number of GPUs that was measured.
    ///
    /// They lie on the straight line between the numbers of weights measured there; where those do not reach, on the
    /// line between the next fewer and more GPUs on which they do; where there are none, the nearest number of weights
    /// is held.
    pub fn of_weights(&self, weights: f64) -> Vec<(u32, Estimate)> {
        let here = |(gpus, points): &(u32, Vec<(f64, f64)>)| Some((*gpus, on_line(points, weights)?));
        let by_weights: Vec<(u32, Estimate)> = self.columns.iter().filter_map(here).collect();
        let mut fewer: Option<(u32, Estimate)> = None;
        let mut filled = Vec::with_capacity(by_weights.len());
        for (index, &(gpus, estimate)) in by_weights.iter().enumerate() {
            if reaches(&(gpus, estimate)) {
                fewer = Some((gpus, estimate));
                filled.push((gpus, estimate));
                continue;
            }
            let more = || by_weights.iter().skip(index).find(|other| reaches(other));
            let ends = fewer.and_then(|fewer| Some((fewer, *more()?)));
            filled.push((gpus, ends.map_or(estimate, |(fewer, more)| between(fewer, more, gpus))));
        }
        filled
    }
}

impl ScalingTimes {
    /// Of a model, by what was measured of it and of the cluster; without the latter it runs on a single GPU.
    pub fn measured(processing: &ProcessingTimes, all_reduce: Option<&AllReduceGrid>) -> Self {
        let processing_s = processing.points.clone();
        let of_model = all_reduce.map(|grid| grid.of_weights(processing.weights)).unwrap_or_default();
        let estimated = of_model.iter().filter(|(_, estimate)| estimate.origin != Origin::Measured);
        Self {
            processing_s,
            all_reduce_s: of_model.iter().map(|(gpus, estimate)| (*gpus, estimate.time_s)).collect(),
            all_reduce_estimated: estimated.map(|(gpus, estimate)| (*gpus, estimate.origin)).collect(),
        }
    }

    /// Seconds to process so many samples on a GPU: on the straight line between measurements, below the first as long
    /// as it. `None` for none and for more than were measured, which may not fit.
    pub fn processing(&self, batch_per_gpu: u32) -> Option<Estimate> {
        let batch_per_gpu = f64::from(batch_per_gpu);
        let (most, _) = *self.processing_s.last()?;
        if batch_per_gpu > 0.0 && batch_per_gpu <= most { on_line(&self.processing_s, batch_per_gpu) } else { None }
    }

    /// Seconds of an all-reduce among so many GPUs; `None` among more than were measured.
    ///
    /// One GPU takes none. On GPUs that were not measured it lies on the straight line between the next fewer and more,
    /// and on fewer than the first it is as long as there.
    pub fn all_reduce(&self, gpus: u32) -> Option<Estimate> {
        let origin = |gpus: u32| {
            let at = self.all_reduce_estimated.binary_search_by_key(&gpus, |(estimated, _)| *estimated).ok();
            at.and_then(|at| self.all_reduce_estimated.get(at)).map_or(Origin::Measured, |(_, origin)| *origin)
        };
        by_gpus(&self.all_reduce_s, |&(gpus, time_s)| Estimate { time_s, origin: origin(gpus) }, gpus)
    }
}

fn check_weights(weights: f64) -> Result<(), ScalabilityError> {
    if weights > 0.0 && weights <= limits::WORK_MAX { Ok(()) } else { Err(ScalabilityError::Weights(weights)) }
}

fn is_time(time_s: f64) -> bool {
    time_s > 0.0 && time_s <= limits::LAW_TIME_MAX_S
}

/// On the line between two numbers of GPUs: no more certain than the less certain of them.
fn between(low: (u32, Estimate), high: (u32, Estimate), gpus: u32) -> Estimate {
    let share = f64::from(gpus - low.0) / f64::from(high.0 - low.0);
    let time_s = low.1.time_s + share * (high.1.time_s - low.1.time_s);
    Estimate { time_s, origin: low.1.origin.max(high.1.origin).max(Origin::Interpolated) }
}

/// Whether measurements surround it.
fn reaches((_, estimate): &(u32, Estimate)) -> bool {
    estimate.origin != Origin::Assumed
}

/// The time on so many GPUs by those of numbers of GPUs, rising: none on one, `None` beyond the last.
fn by_gpus<T>(times: &[(u32, T)], estimate: impl Fn(&(u32, T)) -> Estimate, gpus: u32) -> Option<Estimate> {
    if gpus <= 1 {
        return (gpus == 1).then_some(Estimate { time_s: 0.0, origin: Origin::Measured });
    }
    let above = times.partition_point(|(measured, _)| *measured < gpus);
    let high = times.get(above)?;
    if high.0 == gpus {
        return Some(estimate(high));
    }
    match above.checked_sub(1).and_then(|below| times.get(below)) {
        // One GPU takes no time, but the line to it would flatter.
        None => Some(Estimate { origin: Origin::Assumed, ..estimate(high) }),
        Some(low) => Some(between((low.0, estimate(low)), (high.0, estimate(high)), gpus)),
    }
}

/// The value at `x` on the line through points, held at the ends; `None` without points.
fn on_line(points: &[(f64, f64)], x: f64) -> Option<Estimate> {
    let above = points.partition_point(|point| point.0 < x);
    match (above.checked_sub(1).and_then(|below| points.get(below)), points.get(above)) {
        (_, Some(&(at, time_s))) if at == x => Some(Estimate { time_s, origin: Origin::Measured }),
        (Some(&(low, from)), Some(&(high, to))) => {
            let time_s = from + (x - low) / (high - low) * (to - from);
            Some(Estimate { time_s, origin: Origin::Interpolated })
        }
        (Some(&(_, time_s)), None) | (None, Some(&(_, time_s))) => Some(Estimate { time_s, origin: Origin::Assumed }),
        (None, None) => None,
    }
}
