//! Step times in a document: what must hold for them, and the curve that they make.

use std::collections::BTreeSet;
use std::sync::Arc;

use elastiplan_model::limits::{BATCH_MAX, LAW_GPUS_MAX, LAW_TIME_MAX_S};
use elastiplan_model::{Curve, CurveError, CurveKey, Efficiency, Profile, ProfileStep, StepTimes};

use super::check::{Checked, Place};
use super::{CountPart, PlacementPart, StepsPart, TimesPart};

impl StepsPart {
    pub(super) fn of(profile: &Profile) -> Self {
        let (least, most) = profile.batch_per_gpu();
        let mut part = Self {
            batch_per_gpu_min: Some(least),
            batch_per_gpu_max: Some(most),
            passes_alone: profile.passes_alone(),
            placements: Vec::new(),
            counts: Vec::new(),
        };
        // Steps of the same GPUs follow each other.
        for ProfileStep { shape, nodes, gpus, times } in profile.steps() {
            let StepTimes { batch_per_gpu, step_s, sync_s } = times;
            let times: TimesPart = [batch_per_gpu, step_s, sync_s];
            let same_gpus = match &shape {
                Some(shape) => {
                    part.placements.last_mut().filter(|last| last.gpus_on_nodes == *shape).map(|l| &mut l.times)
                }
                None => {
                    part.counts.last_mut().filter(|last| (last.nodes, last.gpus) == (nodes, gpus)).map(|l| &mut l.times)
                }
            };
            match (same_gpus, shape) {
                (Some(known), _) => known.push(times),
                (None, Some(shape)) => {
                    part.placements.push(PlacementPart { gpus_on_nodes: shape, times: vec![times] });
                }
                (None, None) => part.counts.push(CountPart { nodes, gpus, times: vec![times] }),
            }
        }
        part
    }

    pub(super) fn curve(&self, key: CurveKey, efficiency: Efficiency) -> Result<Curve, CurveError> {
        let profile = match Profile::new(self.steps()) {
            Ok(profile) => profile,
            Err(error) => return Err(CurveError::Profile { key, error }),
        };
        let (least, most) = profile.batch_per_gpu();
        let (least, most) = (self.batch_per_gpu_min.unwrap_or(least), self.batch_per_gpu_max.unwrap_or(most));
        let profile = profile.with_batch_per_gpu(least, most).with_passes_alone(self.passes_alone);
        Curve::from_profile(key, Arc::new(profile), efficiency)
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

    pub(super) fn check(&self, place: &Place) -> Checked {
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
            place.check("nodes", nodes, (1..=*gpus).contains(nodes), "a whole number from 1 to the number of GPUs")?;
            let once = "a number of nodes that stands there once for these GPUs, by placement or by count";
            place.check("nodes", nodes, counts.insert((*nodes, *gpus)), once)?;
            check_times(&place, times)?;
        }
        self.check_range(place)
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

/// More nodes than anybody measures one by one.
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
        place.value(0, batch, batch > before, "more than in the entry before it")?;
        place.value(1, step_s, step_s > 0.0 && step_s <= LAW_TIME_MAX_S, "a number of seconds above 0, at most 1e9")?;
        place.value(
            2,
            sync_s,
            (0.0..step_s).contains(&sync_s),
            "a number of seconds of 0 or more, less than the step",
        )?;
        before = batch;
    }
    Ok(())
}
