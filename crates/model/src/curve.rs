//! Throughput curves: how fast a model trains on how many GPUs.

mod speed;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::order::sort_by_key;
use crate::{Efficiency, Law, Profile, ProfileError, ScalingTimes, limits};

/// The model and batch size of a curve.
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "struct PointPart")]
pub struct CurvePoint {
    /// GPUs used.
    pub gpus: u32,
    /// Samples processed in a second by all of them together; above 0.
    pub samples_per_s: f64,
}

/// The placement and other details that speed depends on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Detail {
    /// Nothing: GPUs count, wherever they are.
    #[default]
    CountOnly,
    /// Points for GPUs on more nodes than are needed; between and beyond them as between the points of the curve.
    Spread(Vec<CurvePoint>),
    /// Points by the number of nodes, node counts rising.
    ByNodes(Vec<(u32, Vec<CurvePoint>)>),
    /// A formula over GPUs, nodes and batch size, from which the points of the curve are computed.
    Law(Law),
    /// Step times by placement and batch size, from which the points of the curve are computed.
    Profile(Arc<Profile>),
}

/// The GPUs and the batch size of a job, as far as its speed depends on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Configuration<'a> {
    /// GPUs held.
    pub gpus: u32,
    /// Nodes that they are on.
    pub nodes: u32,
    /// Whether that is the fewest nodes that have so many GPUs.
    pub packed: bool,
    /// Global batch size in samples, if it is not the one of the curve.
    pub batch_global: Option<u32>,
    /// GPUs on each of the nodes, in order; empty where that is not known.
    pub shape: &'a [u32],
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
    detail: Detail,
    efficiency: Option<Efficiency>,
}

/// The stored form of a curve, not validated.
#[derive(Deserialize)]
#[serde(rename = "Curve")]
struct Unchecked {
    key: CurveKey,
    points: Vec<CurvePoint>,
    runs_beyond: bool,
    #[serde(default)]
    detail: Detail,
    #[serde(default)]
    efficiency: Option<Efficiency>,
}

impl TryFrom<Unchecked> for Curve {
    type Error = CurveError;

    fn try_from(stored: Unchecked) -> Result<Self, CurveError> {
        let points = stored.points.into_iter().map(|point| (point.gpus, point.samples_per_s));
        let curve = Self { runs_beyond: stored.runs_beyond, ..Self::new(stored.key, points)? };
        let curve = match stored.detail {
            Detail::CountOnly => curve,
            Detail::Spread(points) => curve.with_spread(points)?,
            Detail::ByNodes(nodes) => {
                let rows = nodes.into_iter().flat_map(|(nodes, points)| points.into_iter().map(move |p| (nodes, p)));
                Self { runs_beyond: curve.runs_beyond, ..Self::by_nodes(curve.key, rows)? }
            }
            Detail::Law(law) => Self::from_law(curve.key, law)?,
            Detail::Profile(profile) => Self { detail: Detail::Profile(profile), ..curve },
        };
        match stored.efficiency {
            Some(efficiency) => curve.with_efficiency(efficiency),
            None => Ok(curve),
        }
    }
}

/// The reason why points make no curve.
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
    /// A point on no node, or on more nodes than it has GPUs.
    #[error("{key}: {} cannot be on {nodes} nodes", gpus_in_words(*gpus))]
    Nodes {
        /// The curve.
        key: CurveKey,
        /// The GPU count.
        gpus: u32,
        /// The node count.
        nodes: u32,
    },
    /// A formula that gives no speed.
    #[error("{key}: {rule}")]
    Law {
        /// The curve.
        key: CurveKey,
        /// The rule for its parameters.
        rule: &'static str,
    },
    /// Stages of efficiency that do not rise, or noise that is no number of samples.
    #[error("{0}: stages of efficiency must rise from 0 to 1, with gradients or noise at batch sizes that rise")]
    Efficiency(CurveKey),
    /// Step times that do not make a profile.
    #[error("{key}: {error}")]
    Profile {
        /// The curve.
        key: CurveKey,
        /// The reason.
        error: ProfileError,
    },
    /// A batch size that runs on no number of GPUs.
    #[error("{0}: does not run on any number of GPUs")]
    NowhereToRun(CurveKey),
}

/// `1 GPU`, `2 GPUs`.
pub fn gpus_in_words(gpus: u32) -> String {
    format!("{gpus} GPU{}", if gpus == 1 { "" } else { "s" })
}

impl Curve {
    /// A curve from (GPUs, samples per second) pairs in any order.
    pub fn new(key: CurveKey, points: impl IntoIterator<Item = (u32, f64)>) -> Result<Self, CurveError> {
        let points = points.into_iter().map(|(gpus, samples_per_s)| CurvePoint { gpus, samples_per_s });
        Self::of_points(key, points.collect())
    }

    fn of_points(key: CurveKey, mut points: Vec<CurvePoint>) -> Result<Self, CurveError> {
        sort_by_key(&mut points, |point| point.gpus);
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
        Ok(Self { key, points, runs_beyond: true, detail: Detail::CountOnly, efficiency: None })
    }

    /// The same curve of another model.
    pub fn of_model(mut self, model: String) -> Self {
        self.key.model = model;
        self
    }

    /// A curve from points measured on different numbers of nodes, given as (nodes, point). The curve's own points
    /// are those on the fewest nodes.
    pub fn by_nodes(key: CurveKey, rows: impl IntoIterator<Item = (u32, CurvePoint)>) -> Result<Self, CurveError> {
        Self::of_rows(key, rows.into_iter().collect())
    }

    fn of_rows(key: CurveKey, mut rows: Vec<(u32, CurvePoint)>) -> Result<Self, CurveError> {
        if let Some((nodes, point)) = rows.iter().find(|(nodes, point)| *nodes == 0 || *nodes > point.gpus) {
            return Err(CurveError::Nodes { gpus: point.gpus, nodes: *nodes, key });
        }
        sort_by_key(&mut rows, |(nodes, point)| (point.gpus, *nodes));
        let mut packed = rows.clone();
        packed.dedup_by_key(|(_, point)| point.gpus);
        let curve = Self::of_points(key, packed.iter().map(|(_, point)| *point).collect())?;
        sort_by_key(&mut rows, |(nodes, point)| (*nodes, point.gpus));
        let mut groups = Vec::new();
        for group in rows.chunk_by(|a, b| a.0 == b.0) {
            let points = group.iter().map(|(_, point)| *point).collect();
            let nodes = group.first().map_or(1, |(nodes, _)| *nodes);
            groups.push((nodes, Self::of_points(curve.key.clone(), points)?.points));
        }
        Ok(Self { detail: Detail::ByNodes(groups), ..curve })
    }

    /// A curve computed from a formula: a point for every number of GPUs, packed on as few nodes as possible.
    pub fn from_law(key: CurveKey, law: Law) -> Result<Self, CurveError> {
        if let Err(rule) = law.validate() {
            return Err(CurveError::Law { key, rule });
        }
        let batch = key.batch_global;
        let points = (1..=law.gpus_max()).map(|gpus| (gpus, law.samples_per_s(gpus, law.nodes_packed(gpus), batch)));
        let curve = Self::new(key, points.filter(|(_, samples_per_s)| *samples_per_s > 0.0))?;
        Ok(Self { detail: Detail::Law(law), ..curve.ending_at_last_point() })
    }

    /// A curve of measured step times, for the batch size of the key or, if it names none, for the base of the
    /// efficiency: a point for every number of GPUs, packed on as few nodes as possible.
    pub fn from_profile(key: CurveKey, profile: Arc<Profile>, efficiency: Efficiency) -> Result<Self, CurveError> {
        if !efficiency.is_sound() {
            return Err(CurveError::Efficiency(key));
        }
        let gpus_max = profile.gpus_max();
        let bare = Self {
            points: Vec::new(),
            runs_beyond: false,
            detail: Detail::Profile(profile),
            efficiency: Some(efficiency),
            key,
        };
        let speed = |gpus| (gpus, bare.samples_per_s_in(&Configuration { gpus, ..Configuration::default() }));
        let points: Vec<(u32, f64)> = (1..=gpus_max).map(speed).filter(|(_, speed)| *speed > 0.0).collect();
        if points.is_empty() {
            return Err(CurveError::NowhereToRun(bare.key));
        }
        Ok(Self { points: Self::new(bare.key.clone(), points)?.points, ..bare })
    }

    /// The curve of the same model at another batch size, where speed is known for any; `None` where it is not, or
    /// where the model does not run with so large a batch.
    pub fn at_batch(&self, batch_global: u32) -> Option<Self> {
        let key = CurveKey { batch_global: Some(batch_global), ..self.key.clone() };
        match &self.detail {
            Detail::Profile(profile) => Self::from_profile(key, profile.clone(), self.efficiency.clone()?).ok(),
            Detail::Law(law @ (Law::Scaling(_) | Law::Throughput(_))) => {
                let curve = Self::from_law(key, law.clone()).ok()?;
                Some(Self { efficiency: self.efficiency.clone(), ..curve })
            }
            _ => None,
        }
    }

    /// The curve, with points for GPUs on more nodes than needed.
    pub fn with_spread(self, points: Vec<CurvePoint>) -> Result<Self, CurveError> {
        let points = points.into_iter().map(|point| (point.gpus, point.samples_per_s));
        let spread = Self::new(self.key.clone(), points)?.points;
        Ok(Self { detail: Detail::Spread(spread), ..self })
    }

    /// The curve, with the statistical efficiency of larger batches.
    pub fn with_efficiency(self, efficiency: Efficiency) -> Result<Self, CurveError> {
        if !efficiency.is_sound() {
            return Err(CurveError::Efficiency(self.key));
        }
        Ok(Self { efficiency: Some(efficiency), ..self })
    }

    /// The curve of a model that does not run on more GPUs than the last point has.
    pub fn ending_at_last_point(mut self) -> Self {
        self.runs_beyond = false;
        self
    }

    /// The model and batch size that it was measured for.
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

    /// The details that speed depends on.
    pub fn detail(&self) -> &Detail {
        &self.detail
    }

    /// Processing and all-reduce times, where the speed follows from them.
    pub fn scaling_times(&self) -> Option<&ScalingTimes> {
        match &self.detail {
            Detail::Law(Law::Scaling(times)) => Some(times),
            _ => None,
        }
    }

    /// The statistical efficiency; `None` where every sample counts the same.
    pub fn efficiency(&self) -> Option<&Efficiency> {
        self.efficiency.as_ref()
    }

    /// The curve with every measured speed multiplied by a factor from `factor`: as a noisy measurement would show
    /// it. Of a formula over measured times the times are disturbed; another becomes the points it gives. Step times
    /// stay as they are.
    pub fn disturbed(&self, mut factor: impl FnMut() -> f64) -> Self {
        if let Some(times) = self.scaling_times()
            && let Ok(curve) = Self::from_law(self.key.clone(), Law::Scaling(times.disturbed(&mut factor)))
        {
            return Self { efficiency: self.efficiency.clone(), ..curve };
        }
        let mut disturb = |points: &[CurvePoint]| -> Vec<CurvePoint> {
            points.iter().map(|p| CurvePoint { samples_per_s: p.samples_per_s * factor(), ..*p }).collect()
        };
        let detail = match &self.detail {
            Detail::Spread(points) => Detail::Spread(disturb(points)),
            Detail::ByNodes(groups) => {
                Detail::ByNodes(groups.iter().map(|(n, points)| (*n, disturb(points))).collect())
            }
            Detail::CountOnly | Detail::Law(_) => Detail::CountOnly,
            Detail::Profile(profile) => Detail::Profile(profile.clone()),
        };
        Self { points: disturb(&self.points), detail, ..self.clone() }
    }
}
