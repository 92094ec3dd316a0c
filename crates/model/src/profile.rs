//! Step times as they were measured: which GPUs of which nodes, and how many samples on each.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::limits;
use crate::order::sort_by_number;

/// Measured times of training steps, by the GPUs on each node and the samples on each GPU.
///
/// On as many nodes as were measured one by one, a placement stands for itself: nodes form a ring, so that `1,3` and
/// `3,1` are the same. On more nodes only the numbers of nodes and GPUs count. Between two measured numbers of nodes,
/// times lie on the straight line at the same number of GPUs; where one of them was not measured with as many, or as
/// few, on the line through its outermost measurement.
///
/// ```
/// use elastiplan_model::{Profile, ProfileStep, StepTimes};
///
/// let step = |shape: &[u32], batch_per_gpu, step_s, sync_s| {
///     ProfileStep::at(shape, StepTimes { batch_per_gpu, step_s, sync_s })
/// };
/// let profile = Profile::new([step(&[1], 8.0, 0.5, 0.0), step(&[1], 16.0, 0.9, 0.0), step(&[1, 1], 8.0, 0.6, 0.1)])?;
/// assert_eq!(profile.step(&[1], 12.0).map(|times| times.step_s), Some(0.7));
/// assert_eq!(profile.step(&[1, 1], 8.0).map(|times| times.pass_s()), Some(0.5));
/// # Ok::<(), elastiplan_model::ProfileError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredProfile", into = "StoredProfile")]
pub struct Profile {
    /// By placement, each in its first rotation.
    shapes: BTreeMap<Vec<u32>, Vec<StepTimes>>,
    /// By nodes and GPUs: means over placements.
    spreads: BTreeMap<u32, BTreeMap<u32, Vec<StepTimes>>>,
    /// The most nodes of any of the shapes.
    nodes_by_shape: usize,
    gpus_per_node: u32,
    gpus_max: u32,
    batch_per_gpu: (u32, u32),
    passes_alone: u32,
}

/// The times of one step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepTimes {
    /// Samples on a GPU at a time.
    pub batch_per_gpu: f64,
    /// Seconds of the whole step.
    pub step_s: f64,
    /// The part of them that is spent synchronising.
    pub sync_s: f64,
}

impl StepTimes {
    /// Seconds of computing the gradients of one pass.
    pub fn pass_s(&self) -> f64 {
        self.step_s - self.sync_s
    }

    /// Seconds of a step in which so many passes are made before synchronising.
    pub fn step_s_of(&self, passes: u32) -> f64 {
        self.step_s + f64::from(passes.saturating_sub(1)) * self.pass_s()
    }
}

/// One measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProfileStep {
    /// GPUs on each node, in order; `None`: spread over the nodes.
    pub shape: Option<Vec<u32>>,
    /// Nodes.
    pub nodes: u32,
    /// GPUs on all of them.
    pub gpus: u32,
    /// The measured times.
    pub times: StepTimes,
}

impl ProfileStep {
    /// On so many GPUs of each node. No sum is too large: it is checked when a profile is made.
    pub fn at(shape: &[u32], times: StepTimes) -> Self {
        let gpus = shape.iter().fold(0, |sum: u32, gpus| sum.saturating_add(*gpus));
        Self { shape: Some(shape.to_vec()), nodes: shape.len() as u32, gpus, times }
    }

    /// On GPUs that are spread over nodes.
    pub fn spread(nodes: u32, gpus: u32, times: StepTimes) -> Self {
        Self { shape: None, nodes, gpus, times }
    }
}

/// The stored form of a profile: measurements and chosen limits.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename = "Profile")]
struct StoredProfile {
    steps: Vec<ProfileStep>,
    batch_per_gpu: (u32, u32),
    passes_alone: u32,
}

impl From<Profile> for StoredProfile {
    fn from(profile: Profile) -> Self {
        let Profile { batch_per_gpu, passes_alone, .. } = profile;
        Self { steps: profile.steps().collect(), batch_per_gpu, passes_alone }
    }
}

impl TryFrom<StoredProfile> for Profile {
    type Error = ProfileError;

    fn try_from(stored: StoredProfile) -> Result<Self, ProfileError> {
        let (least, most) = stored.batch_per_gpu;
        Ok(Self::new(stored.steps)?.with_batch_per_gpu(least, most).with_passes_alone(stored.passes_alone))
    }
}

/// The reason why measurements make no profile.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum ProfileError {
    /// None at all.
    #[error("no step was measured")]
    Empty,
    /// No GPU, or fewer GPUs than nodes, or too many.
    #[error("{gpus} GPUs on {nodes} nodes: each node needs one, and 4,096 are the most")]
    Gpus {
        /// The GPUs.
        gpus: u32,
        /// The nodes.
        nodes: u32,
    },
    /// A time or a batch that cannot be.
    #[error("a step of {step_s} s with {sync_s} s of synchronising and {batch_per_gpu} samples on a GPU cannot be")]
    Times {
        /// The samples.
        batch_per_gpu: f64,
        /// The step.
        step_s: f64,
        /// The part of it.
        sync_s: f64,
    },
}

impl Profile {
    /// A profile of measurements in any order. Of two for the same GPUs and batch the first counts.
    pub fn new(steps: impl IntoIterator<Item = ProfileStep>) -> Result<Self, ProfileError> {
        let mut shapes: BTreeMap<Vec<u32>, Vec<StepTimes>> = BTreeMap::new();
        let mut spreads: BTreeMap<(u32, u32), Vec<StepTimes>> = BTreeMap::new();
        let mut gpus_per_node = 1;
        for step in steps {
            check(&step)?;
            let ProfileStep { shape, nodes, gpus, times } = step;
            match shape {
                Some(shape) => {
                    gpus_per_node = shape.iter().copied().fold(gpus_per_node, u32::max);
                    shapes.entry(Self::first_rotation(&shape)).or_default().push(times);
                }
                None => spreads.entry((nodes, gpus)).or_default().push(times),
            }
        }
        for steps in shapes.values_mut().chain(spreads.values_mut()) {
            sort_by_number(steps, |times| times.batch_per_gpu);
            steps.dedup_by_key(|times| times.batch_per_gpu);
        }
        let spreads = by_nodes(&shapes, spreads);
        let gpus_max = spreads.values().filter_map(|row| row.keys().last()).max().copied();
        let gpus_max = gpus_max.ok_or(ProfileError::Empty)?;
        let batches = || spreads.values().flat_map(|row| row.values()).flatten().map(|times| times.batch_per_gpu);
        let least = batches().fold(f64::INFINITY, f64::min).ceil() as u32;
        let most = batches().fold(0.0, f64::max).floor() as u32;
        let nodes_by_shape = shapes.keys().map(Vec::len).max().unwrap_or(0);
        let batch_per_gpu = (least, most.max(least));
        Ok(Self { shapes, spreads, nodes_by_shape, gpus_per_node, gpus_max, batch_per_gpu, passes_alone: 1 })
    }

    /// The profile, limited to these numbers of samples on a GPU at a time, within the measured range.
    pub fn with_batch_per_gpu(mut self, least: u32, most: u32) -> Self {
        let (from, to) = self.batch_per_gpu;
        let least = least.clamp(from, to);
        self.batch_per_gpu = (least, most.clamp(least, to));
        self
    }

    /// The profile, where a batch above the base needs this number of passes on a single GPU.
    pub fn with_passes_alone(self, passes_alone: u32) -> Self {
        Self { passes_alone: passes_alone.max(1), ..self }
    }

    /// The most GPUs that it was measured on.
    pub fn gpus_max(&self) -> u32 {
        self.gpus_max
    }

    /// The most GPUs of one node that it was measured on.
    pub fn gpus_per_node(&self) -> u32 {
        self.gpus_per_node
    }

    /// The fewest and the most samples on a GPU at a time.
    pub fn batch_per_gpu(&self) -> (u32, u32) {
        self.batch_per_gpu
    }

    /// The fewest passes of a batch above the base on a single GPU.
    pub fn passes_alone(&self) -> u32 {
        self.passes_alone
    }

    /// The number of measured placements, and of measured numbers of nodes and GPUs without a placement.
    pub fn extent(&self) -> (usize, usize) {
        (self.shapes.len(), self.counts().count())
    }

    /// The measured steps: by placement, then by numbers of nodes and GPUs where no placement has as many of both.
    pub fn steps(&self) -> impl Iterator<Item = ProfileStep> {
        let by_shape = self.shapes.iter().flat_map(|(shape, steps)| {
            let at = |times: &StepTimes| ProfileStep::at(shape, *times);
            steps.iter().map(at)
        });
        by_shape.chain(self.counts().flat_map(|(nodes, gpus, steps)| {
            let at = move |times: &StepTimes| ProfileStep::spread(nodes, gpus, *times);
            steps.iter().map(at)
        }))
    }

    /// The steps that are known by numbers of nodes and GPUs only.
    fn counts(&self) -> impl Iterator<Item = (u32, u32, &[StepTimes])> {
        let by_shape: BTreeSet<(u32, u32)> =
            self.shapes.keys().map(|shape| (shape.len() as u32, shape.iter().sum())).collect();
        let rows = self
            .spreads
            .iter()
            .flat_map(|(&nodes, row)| row.iter().map(move |(&gpus, steps)| (nodes, gpus, steps.as_slice())));
        rows.filter(move |(nodes, gpus, _)| !by_shape.contains(&(*nodes, *gpus)))
    }

    /// The placements of so many GPUs that were measured.
    pub fn placements(&self, gpus: u32) -> impl Iterator<Item = &[u32]> {
        self.shapes.keys().filter(move |shape| shape.iter().sum::<u32>() == gpus).map(Vec::as_slice)
    }

    /// The rotation of a placement that comes first in order of numbers: what rings of nodes with the same neighbours
    /// have in common.
    pub fn first_rotation(shape: &[u32]) -> Vec<u32> {
        let rotations = (0..shape.len()).map(|by| shape.iter().cycle().skip(by).take(shape.len()));
        let first = rotations.min_by(|a, b| a.clone().cmp(b.clone()));
        first.map(|rotation| rotation.copied().collect()).unwrap_or_default()
    }

    /// So many GPUs on as few nodes as possible, as it was measured.
    pub fn packed(&self, gpus: u32) -> Vec<u32> {
        let (full, rest) = (gpus / self.gpus_per_node, gpus % self.gpus_per_node);
        let mut shape = vec![self.gpus_per_node; full as usize];
        shape.extend((rest > 0).then_some(rest));
        shape
    }

    /// The times of a step on these GPUs of each node; `None` without GPUs, or on more than were measured.
    pub fn step(&self, shape: &[u32], batch_per_gpu: f64) -> Option<StepTimes> {
        let nodes = shape.len() as u32;
        let gpus = shape.iter().fold(0, |sum: u32, gpus| sum.saturating_add(*gpus));
        if gpus == 0 || gpus > self.gpus_max || shape.contains(&0) {
            return None;
        }
        // Rotations of a large placement would cost more than the look-up.
        let known = shape.len() <= self.nodes_by_shape;
        let measured = if known { self.shapes.get(&Self::first_rotation(shape)) } else { None };
        let measured = measured.filter(|steps| steps.last().is_some_and(|last| batch_per_gpu <= last.batch_per_gpu));
        match measured {
            Some(steps) => on_line(steps, batch_per_gpu),
            None => self.spread_step(nodes, gpus, batch_per_gpu),
        }
    }

    /// The times of a step where only the number of nodes is known.
    pub fn spread_step(&self, nodes: u32, gpus: u32, batch_per_gpu: f64) -> Option<StepTimes> {
        let fewer = self.spreads.range(..=nodes).next_back();
        let more = self.spreads.range(nodes..).next();
        let gpus = f64::from(gpus);
        match (fewer, more) {
            (Some((&low, from)), Some((&high, to))) if high > low => {
                let share = f64::from(nodes - low) / f64::from(high - low);
                let (gpus_low, gpus_high) = on_both_rows(from, to, gpus, share);
                let (from, to) = (on_row(from, gpus_low, batch_per_gpu)?, on_row(to, gpus_high, batch_per_gpu)?);
                Some(between(&from, &to, share))
            }
            (Some((_, row)), _) | (None, Some((_, row))) => on_row(row, gpus, batch_per_gpu),
            (None, None) => None,
        }
    }
}

/// Where the straight line through a point between two numbers of nodes meets what was measured on them: at as many
/// GPUs on both. Where only one of them has as many, the line runs through the outermost measurement of the other.
fn on_both_rows(
    from: &BTreeMap<u32, Vec<StepTimes>>,
    to: &BTreeMap<u32, Vec<StepTimes>>,
    gpus: f64,
    share: f64,
) -> (f64, f64) {
    let most_from = from.keys().last().map_or(gpus, |&gpus| f64::from(gpus));
    let least_to = to.keys().next().map_or(gpus, |&gpus| f64::from(gpus));
    match (gpus <= most_from, gpus >= least_to) {
        (true, true) => (gpus, gpus),
        (true, false) => ((gpus - share * least_to) / (1.0 - share), least_to),
        (false, true) => (most_from, (gpus - (1.0 - share) * most_from) / share),
        (false, false) => (most_from, least_to),
    }
}

fn check(step: &ProfileStep) -> Result<(), ProfileError> {
    let ProfileStep { shape, nodes, gpus, times } = step;
    let gpus_good = (1..=limits::LAW_GPUS_MAX).contains(gpus) && *nodes > 0 && nodes <= gpus;
    let shape_good = |shape: &Vec<u32>| {
        let counted = ProfileStep::at(shape, *times);
        !shape.contains(&0) && (counted.nodes, counted.gpus) == (*nodes, *gpus)
    };
    if !gpus_good || !shape.as_ref().is_none_or(shape_good) {
        return Err(ProfileError::Gpus { gpus: *gpus, nodes: *nodes });
    }
    let StepTimes { batch_per_gpu, step_s, sync_s } = *times;
    let batch_good = batch_per_gpu >= 1.0 && batch_per_gpu <= f64::from(limits::BATCH_MAX);
    let times_good = step_s > 0.0 && step_s <= limits::LAW_TIME_MAX_S && sync_s >= 0.0 && sync_s < step_s;
    match batch_good && times_good {
        true => Ok(()),
        false => Err(ProfileError::Times { batch_per_gpu, step_s, sync_s }),
    }
}

/// Means over placements with as many nodes and GPUs, together with what was measured spread over nodes.
fn by_nodes(
    shapes: &BTreeMap<Vec<u32>, Vec<StepTimes>>,
    spreads: BTreeMap<(u32, u32), Vec<StepTimes>>,
) -> BTreeMap<u32, BTreeMap<u32, Vec<StepTimes>>> {
    let mut groups: BTreeMap<(u32, u32), Vec<StepTimes>> = BTreeMap::new();
    for (shape, steps) in shapes {
        groups.entry((shape.len() as u32, shape.iter().sum())).or_default().extend(steps);
    }
    let mut all: BTreeMap<u32, BTreeMap<u32, Vec<StepTimes>>> = BTreeMap::new();
    for ((nodes, gpus), mut steps) in groups {
        sort_by_number(&mut steps, |times| times.batch_per_gpu);
        let means = steps.chunk_by(|a, b| a.batch_per_gpu == b.batch_per_gpu).map(mean).collect();
        all.entry(nodes).or_default().insert(gpus, means);
    }
    for ((nodes, gpus), steps) in spreads {
        all.entry(nodes).or_default().entry(gpus).or_insert(steps);
    }
    all
}

fn mean(steps: &[StepTimes]) -> StepTimes {
    let mean = |of: fn(&StepTimes) -> f64| steps.iter().map(of).sum::<f64>() / steps.len() as f64;
    StepTimes {
        batch_per_gpu: mean(|times| times.batch_per_gpu),
        step_s: mean(|times| times.step_s),
        sync_s: mean(|times| times.sync_s),
    }
}

fn between(from: &StepTimes, to: &StepTimes, share: f64) -> StepTimes {
    let at = |from: f64, to: f64| from + share * (to - from);
    StepTimes {
        batch_per_gpu: at(from.batch_per_gpu, to.batch_per_gpu),
        step_s: at(from.step_s, to.step_s),
        sync_s: at(from.sync_s, to.sync_s),
    }
}

/// At a number of samples on a GPU: fewer than measured take as long as the fewest, more take longer in proportion.
fn on_line(steps: &[StepTimes], batch_per_gpu: f64) -> Option<StepTimes> {
    let above = steps.partition_point(|times| times.batch_per_gpu < batch_per_gpu);
    let below = above.checked_sub(1).and_then(|below| steps.get(below));
    match (below, steps.get(above)) {
        (Some(low), Some(high)) if high.batch_per_gpu > batch_per_gpu => {
            let share = (batch_per_gpu - low.batch_per_gpu) / (high.batch_per_gpu - low.batch_per_gpu);
            Some(between(low, high, share))
        }
        (_, Some(first)) => Some(StepTimes { batch_per_gpu, ..*first }),
        (Some(last), None) => {
            let times = batch_per_gpu / last.batch_per_gpu;
            Some(StepTimes { batch_per_gpu, step_s: last.step_s * times, sync_s: last.sync_s * times })
        }
        (None, None) => None,
    }
}

/// At a number of GPUs among those measured on as many nodes.
fn on_row(row: &BTreeMap<u32, Vec<StepTimes>>, gpus: f64, batch_per_gpu: f64) -> Option<StepTimes> {
    let at = |(gpus, steps): (&u32, &Vec<StepTimes>)| Some((f64::from(*gpus), on_line(steps, batch_per_gpu)?));
    // Below the fewest GPUs the cast gives 0, and the fewest are used.
    let fewer = row.range(..=gpus.floor() as u32).next_back().and_then(at);
    let more = row.range(gpus.ceil() as u32..).next().and_then(at);
    match (fewer, more) {
        (Some((low, from)), Some((high, to))) if high > low => Some(between(&from, &to, (gpus - low) / (high - low))),
        (Some((_, times)), _) | (None, Some((_, times))) => Some(times),
        (None, None) => None,
    }
}
