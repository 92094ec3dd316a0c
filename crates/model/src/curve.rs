//! Throughput curves: how fast a model trains on how many GPUs.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::limits;

/// What a curve was measured for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CurveKey {
    /// The model's name, as jobs spell it.
    pub model: String,
    /// Global batch size in samples; `None` where the measurement does not say.
    pub batch_global: Option<u32>,
}

impl std::fmt::Display for CurveKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.batch_global {
            Some(batch) => write!(f, "{} at batch {batch}", self.model),
            None => f.write_str(&self.model),
        }
    }
}

/// One measured point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// GPUs used.
    pub gpus: u32,
    /// Samples processed in a second by all of them together; above 0.
    pub samples_per_s: f64,
}

/// Measured throughput over GPU counts: at least one point, GPU counts rising.
///
/// No shape is assumed: real curves are neither concave nor even rising everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Curve {
    key: CurveKey,
    points: Vec<CurvePoint>,
    runs_beyond: bool,
}

/// What a stored curve holds, before it is known to be one.
#[derive(Deserialize)]
#[serde(rename = "Curve")]
struct Unchecked {
    key: CurveKey,
    points: Vec<CurvePoint>,
    runs_beyond: bool,
}

impl TryFrom<Unchecked> for Curve {
    type Error = CurveError;

    fn try_from(stored: Unchecked) -> Result<Self, CurveError> {
        let points = stored.points.into_iter().map(|point| (point.gpus, point.samples_per_s));
        let curve = Self::new(stored.key, points)?;
        Ok(Self { runs_beyond: stored.runs_beyond, ..curve })
    }
}

/// Why points do not make a curve.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CurveError {
    /// No point at all.
    #[error("{0}: no measured point")]
    Empty(CurveKey),
    /// A GPU count outside 1 to 65,536.
    #[error("{key}: {gpus} GPUs is not a whole number from 1 to 65,536")]
    Gpus {
        /// The curve.
        key: CurveKey,
        /// The count.
        gpus: u32,
    },
    /// A throughput that is not above 0 and finite.
    #[error("{key} on {}: {samples_per_s} samples/s must be above 0 and at most 1e18", gpus_in_words(*gpus))]
    Throughput {
        /// The curve.
        key: CurveKey,
        /// The GPU count of the point.
        gpus: u32,
        /// The value.
        samples_per_s: f64,
    },
    /// Two points for one GPU count.
    #[error("{key}: {gpus} GPUs is there twice")]
    Duplicate {
        /// The curve.
        key: CurveKey,
        /// The GPU count.
        gpus: u32,
    },
}

/// `1 GPU`, `2 GPUs`.
pub(crate) fn gpus_in_words(gpus: u32) -> String {
    format!("{gpus} GPU{}", if gpus == 1 { "" } else { "s" })
}

impl Curve {
    /// A curve from (GPUs, samples per second) pairs in any order.
    pub fn new(key: CurveKey, points: impl IntoIterator<Item = (u32, f64)>) -> Result<Self, CurveError> {
        let mut points: Vec<CurvePoint> =
            points.into_iter().map(|(gpus, samples_per_s)| CurvePoint { gpus, samples_per_s }).collect();
        points.sort_by_key(|point| point.gpus);
        if points.is_empty() {
            return Err(CurveError::Empty(key));
        }
        for point in &points {
            let CurvePoint { gpus, samples_per_s } = *point;
            if !(1..=limits::GPUS_MAX).contains(&gpus) {
                return Err(CurveError::Gpus { key, gpus });
            }
            if !(samples_per_s > 0.0 && samples_per_s <= limits::WORK_MAX) {
                return Err(CurveError::Throughput { key, gpus, samples_per_s });
            }
        }
        let twice = points.windows(2).find(|pair| pair[0].gpus == pair[1].gpus).map(|pair| pair[0].gpus);
        if let Some(gpus) = twice {
            return Err(CurveError::Duplicate { key, gpus });
        }
        Ok(Self { key, points, runs_beyond: true })
    }

    /// The same curve, for a model that is known not to run on more GPUs than the last point has.
    pub fn ending_at_last_point(mut self) -> Self {
        self.runs_beyond = false;
        self
    }

    /// What was measured.
    pub fn key(&self) -> &CurveKey {
        &self.key
    }

    /// The measured points, GPU counts rising.
    pub fn points(&self) -> &[CurvePoint] {
        &self.points
    }

    /// Whether the model may run on more GPUs than were measured (at the speed of the last point).
    pub fn runs_beyond(&self) -> bool {
        self.runs_beyond
    }

    /// The smallest measured GPU count: the model is not known to run on fewer.
    pub fn gpus_smallest(&self) -> u32 {
        self.points.first().map_or(1, |point| point.gpus)
    }

    /// The largest measured GPU count.
    pub fn gpus_largest(&self) -> u32 {
        self.points.last().map_or(1, |point| point.gpus)
    }

    /// Throughput on `gpus` GPUs: measured, on the straight line between two measured points, 0 below the first
    /// point, and held at the last point's above it (0 if the model does not run there).
    pub fn samples_per_s(&self, gpus: u32) -> f64 {
        let above = self.points.partition_point(|point| point.gpus < gpus);
        match (above.checked_sub(1).and_then(|below| self.points.get(below)), self.points.get(above)) {
            (_, Some(point)) if point.gpus == gpus => point.samples_per_s,
            (Some(low), Some(high)) => {
                let share = f64::from(gpus - low.gpus) / f64::from(high.gpus - low.gpus);
                low.samples_per_s + share * (high.samples_per_s - low.samples_per_s)
            }
            (Some(last), None) if self.runs_beyond => last.samples_per_s,
            _ => 0.0,
        }
    }

    /// Throughput on one GPU, or, where one GPU is too few, per GPU on the fewest that work: the baseline of scaling
    /// factors and efficiencies.
    pub fn samples_per_s_single(&self) -> f64 {
        self.points.first().map_or(0.0, |point| point.samples_per_s / f64::from(point.gpus))
    }
}

/// A set of curves, at most one for each key, sorted by key.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "StoredCurves")]
pub struct Curves {
    curves: Vec<Curve>,
}

/// Curves as they are stored: the order is not to be relied on.
#[derive(Deserialize)]
#[serde(rename = "Curves")]
struct StoredCurves {
    curves: Vec<Curve>,
}

impl From<StoredCurves> for Curves {
    fn from(stored: StoredCurves) -> Self {
        stored.curves.into_iter().collect()
    }
}

/// What a look-up found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CurveMatch {
    /// The curve of this model and batch.
    Exact(usize),
    /// The only curve of this model, measured without a batch or asked for without one.
    OnlyOne(usize),
    /// The model has curves, but none for this batch.
    OtherBatches,
    /// The model has no curve.
    None,
}

impl Curves {
    /// Adds a curve; a curve that was there under the same key is replaced and returned.
    pub fn insert(&mut self, curve: Curve) -> Option<Curve> {
        match self.curves.binary_search_by(|other| other.key.cmp(&curve.key)) {
            Ok(at) => self.curves.get_mut(at).map(|old| std::mem::replace(old, curve)),
            Err(at) => {
                self.curves.insert(at, curve);
                None
            }
        }
    }

    /// All curves, sorted by model and batch.
    pub fn as_slice(&self) -> &[Curve] {
        &self.curves
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.curves.is_empty()
    }

    /// The names of the models, each once, sorted.
    pub fn models(&self) -> Vec<&str> {
        let mut models: Vec<&str> = self.curves.iter().map(|curve| curve.key.model.as_str()).collect();
        models.dedup();
        models
    }

    /// Finds the curve for a job's model and batch; the numbers are indices into [`Curves::as_slice`].
    pub fn find(&self, model: &str, batch_global: Option<u32>) -> CurveMatch {
        let from = self.curves.partition_point(|curve| curve.key.model.as_str() < model);
        let until = self.curves.partition_point(|curve| curve.key.model.as_str() <= model);
        let of_model = self.curves.get(from..until).unwrap_or_default();
        let exact = of_model.iter().position(|curve| curve.key.batch_global == batch_global);
        match (exact, of_model) {
            (Some(at), _) => CurveMatch::Exact(from + at),
            (None, []) => CurveMatch::None,
            (None, [only]) if only.key.batch_global.is_none() || batch_global.is_none() => CurveMatch::OnlyOne(from),
            // A batch-free curve stands first and serves every batch that was not measured by itself.
            (None, [first, ..]) if first.key.batch_global.is_none() => CurveMatch::OnlyOne(from),
            _ => CurveMatch::OtherBatches,
        }
    }
}

impl FromIterator<Curve> for Curves {
    fn from_iter<T: IntoIterator<Item = Curve>>(curves: T) -> Self {
        let mut set = Self::default();
        for curve in curves {
            set.insert(curve);
        }
        set
    }
}
