//! Step times in a document: their checks, and the curve of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use elastiplan_model::limits::{BATCH_MAX, LAW_GPUS_MAX, LAW_TIME_MAX_S};
use elastiplan_model::{Curve, CurveError, CurveKey, Efficiency, Profile, ProfileStep, StepTimes};
use serde::{Deserialize, Serialize};

use super::Speed;
use super::place::{Checked, Place};

/// Step times by placement, and by numbers of nodes and GPUs where no placement was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct StepsPart {
    /// The fewest samples on a GPU at a time; without it the fewest that were measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    batch_per_gpu_min: Option<u32>,
    /// The most; without it the most that were measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    batch_per_gpu_max: Option<u32>,
    /// The fewest passes of a batch above the base on a single GPU.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    passes_alone: u32,
    /// By the GPUs on each node, one after the other.
    #[serde(default)]
    placements: Vec<PlacementPart>,
    /// By the numbers of nodes and GPUs.
    #[serde(default)]
    counts: Vec<CountPart>,
}

/// Step times with these GPUs on each node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct PlacementPart {
    gpus_on_nodes: Vec<u32>,
    /// Samples on each GPU, rising; seconds of a step; seconds of it that are spent synchronising.
    times: Vec<TimesPart>,
}

/// Step times with GPUs spread over nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct CountPart {
    nodes: u32,
    /// GPUs on all of them.
    gpus: u32,
    /// As for placements.
    times: Vec<TimesPart>,
}

/// Samples on each GPU, seconds of a step, and the part of them that is spent synchronising. Without names: there are
/// hundreds.
type TimesPart = [f64; 3];

fn one() -> u32 {
    1
}

fn is_one(value: &u32) -> bool {
    *value == 1
}

impl StepsPart {
    pub fn of(profile: &Profile) -> Self {
        let (mut placements, mut counts) = (Vec::new(), Vec::new());
        let steps: Vec<ProfileStep> = profile.steps().collect();
        // Steps of the same GPUs follow each other.
        for group in steps.chunk_by(|a, b| (&a.shape, a.nodes, a.gpus) == (&b.shape, b.nodes, b.gpus)) {
            let times = group.iter().map(|ProfileStep { times, .. }| [times.batch_per_gpu, times.step_s, times.sync_s]);
            let times = times.collect();
            match group.first().cloned() {
                Some(ProfileStep { shape: Some(gpus_on_nodes), .. }) => {
                    placements.push(PlacementPart { gpus_on_nodes, times });
                }
                Some(ProfileStep { nodes, gpus, .. }) => counts.push(CountPart { nodes, gpus, times }),
                None => {}
            }
        }
        let (least, most) = profile.batch_per_gpu();
        let (batch_per_gpu_min, batch_per_gpu_max) = (Some(least), Some(most));
        Self { batch_per_gpu_min, batch_per_gpu_max, passes_alone: profile.passes_alone(), placements, counts }
    }

    fn steps(&self) -> impl Iterator<Item = ProfileStep> {
        let times = |&[batch_per_gpu, step_s, sync_s]: &TimesPart| StepTimes { batch_per_gpu, step_s, sync_s };
        let placements = self.placements.iter().flat_map(move |PlacementPart { gpus_on_nodes, times: all }| {
            all.iter().map(move |one| ProfileStep::at(gpus_on_nodes, times(one)))
        });
        let counts = self.counts.iter().flat_map(move |CountPart { nodes, gpus, times: all }| {
            all.iter().map(move |one| ProfileStep::spread(*nodes, *gpus, times(one)))
        });
        placements.chain(counts)
    }

    /// The samples on a GPU, which must be within what was measured.
    fn check_range(&self, place: &Place) -> Checked {
        let batches = || self.steps().map(|step| step.times.batch_per_gpu);
        let (least, most) = (batches().fold(f64::INFINITY, f64::min), batches().fold(0.0, f64::max));
        let rule = format!("from {least} to {most}, as was measured");
        let (from, to) = (self.batch_per_gpu_min, self.batch_per_gpu_max);
        for (field, value) in [("batch_per_gpu_min", from), ("batch_per_gpu_max", to)] {
            let value = value.map_or(most, f64::from);
            place.number(field, value, (least..=most).contains(&value), &rule)?;
        }
        if let Some((from, to)) = from.zip(to) {
            place.check("batch_per_gpu_max", to, from <= to, "at least batch_per_gpu_min")?;
        }
        place.check("passes_alone", self.passes_alone, self.passes_alone > 0, "a whole number from 1")
    }
}

impl Speed for StepsPart {
    fn check(&self, place: &Place, _: Option<u32>) -> Checked {
        if self.counts.is_empty() {
            place.not_empty("placements", &self.placements, "placement")?;
        }
        let (mut shapes, mut counts) = (BTreeSet::new(), BTreeSet::new());
        for (at, PlacementPart { gpus_on_nodes, times }) in self.placements.iter().enumerate() {
            let place = place.entry("placements", at);
            check_shape(&place, gpus_on_nodes)?;
            let once = "a placement that stands there once, however it is rotated";
            let new = shapes.insert(Profile::first_rotation(gpus_on_nodes));
            place.check("gpus_on_nodes", format!("{gpus_on_nodes:?}"), new, once)?;
            counts.insert((gpus_on_nodes.len() as u32, gpus_on_nodes.iter().sum()));
            check_times(&place, times)?;
        }
        for (at, CountPart { nodes, gpus, times }) in self.counts.iter().enumerate() {
            let place = place.entry("counts", at);
            place.law_gpus("gpus", *gpus)?;
            place.nodes(*nodes, *gpus)?;
            let once = "a number of nodes that stands there once for these GPUs, by placement or by count";
            place.check("nodes", nodes, counts.insert((*nodes, *gpus)), once)?;
            check_times(&place, times)?;
        }
        self.check_range(place)
    }

    fn curve(&self, key: CurveKey, efficiency: Option<&Efficiency>) -> Result<Curve, CurveError> {
        let Some(efficiency) = efficiency else { return Err(CurveError::Efficiency(key)) };
        let profile = match Profile::new(self.steps()) {
            Ok(profile) => profile,
            Err(error) => return Err(CurveError::Profile { key, error }),
        };
        let (least, most) = profile.batch_per_gpu();
        let (least, most) = (self.batch_per_gpu_min.unwrap_or(least), self.batch_per_gpu_max.unwrap_or(most));
        let profile = profile.with_batch_per_gpu(least, most).with_passes_alone(self.passes_alone);
        Curve::from_profile(key, Arc::new(profile), efficiency.clone())
    }
}

/// The most nodes of a placement, more than are measured one by one.
const NODES_MAX: usize = 64;

fn check_shape(place: &Place, gpus_on_nodes: &[u32]) -> Checked {
    place.not_empty("gpus_on_nodes", gpus_on_nodes, "node")?;
    let nodes = gpus_on_nodes.len();
    place.check("gpus_on_nodes", format!("{nodes} nodes"), nodes <= NODES_MAX, "a list of at most 64 nodes")?;
    let mut sum: u32 = 0;
    for (at, &gpus) in gpus_on_nodes.iter().enumerate() {
        sum = sum.saturating_add(gpus);
        let place = place.field("gpus_on_nodes");
        place.value(at, f64::from(gpus), gpus > 0, "a whole number from 1")?;
        place.value(at, f64::from(gpus), sum <= LAW_GPUS_MAX, "as few as make at most 4,096 together")?;
    }
    Ok(())
}

fn check_times(place: &Place, times: &[TimesPart]) -> Checked {
    place.not_empty("times", times, "step")?;
    let mut before = 0.0;
    for (at, &[batch, step_s, sync_s]) in times.iter().enumerate() {
        let place = place.entry("times", at);
        let fits = (1.0..=f64::from(BATCH_MAX)).contains(&batch);
        place.value(0, batch, fits, "a number from 1 to 2^30")?;
        place.value_rises(0, batch, before)?;
        place.value(1, step_s, step_s > 0.0 && step_s <= LAW_TIME_MAX_S, "a number of seconds above 0, at most 1e9")?;
        let is_part = (0.0..step_s).contains(&sync_s);
        place.value(2, sync_s, is_part, "a number of seconds of 0 or more, less than the step")?;
        before = batch;
    }
    Ok(())
}
