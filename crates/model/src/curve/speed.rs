//! The speed of a curve: on numbers of GPUs, in configurations, with batch sizes.

use super::{Configuration, Curve, CurvePoint, Detail};
use crate::{BatchLimits, Law, Split, StepTimes, limits};

impl Curve {
    /// The batch sizes that the model trains with; `None` unless both speed and efficiency are known for several.
    pub fn batch_limits(&self) -> Option<BatchLimits> {
        let efficiency = self.efficiency.as_ref()?;
        let (per_gpu_least, per_gpu_most, passes_alone, gpus_max) = match &self.detail {
            Detail::Profile(profile) => {
                let (least, most) = profile.batch_per_gpu();
                (least, most, profile.passes_alone(), profile.gpus_max())
            }
            Detail::Law(Law::Throughput(model)) => (1, model.batch_per_gpu_max, 1, model.gpus_max),
            _ => return None,
        };
        let base = efficiency.batch_base;
        let fits = per_gpu_most.saturating_mul(gpus_max).clamp(base, limits::BATCH_MAX.max(base));
        let most = efficiency.batch_max.unwrap_or(fits);
        let gpus_most = gpus_max.min(most / per_gpu_least.max(1)).max(1);
        Some(BatchLimits { base, most, per_gpu_least, per_gpu_most, passes_alone, gpus_most })
    }

    /// The split of a batch over GPUs, and the times of a step with one pass; `None` where speed is not known by
    /// steps, or where it does not run.
    pub fn steps_in(&self, configuration: &Configuration<'_>) -> Option<(Split, StepTimes)> {
        let Configuration { gpus, nodes, batch_global, shape, .. } = *configuration;
        let limits = self.batch_limits()?;
        let split = limits.split(gpus, batch_global.or(self.key.batch_global).unwrap_or(limits.base))?;
        let batch_per_gpu = f64::from(split.batch_per_gpu);
        let times = match &self.detail {
            Detail::Profile(profile) if !shape.is_empty() => profile.step(shape, batch_per_gpu),
            Detail::Profile(profile) if nodes <= gpus.div_ceil(profile.gpus_per_node()) => {
                profile.step(&profile.packed(gpus), batch_per_gpu)
            }
            Detail::Profile(profile) => profile.spread_step(nodes, gpus, batch_per_gpu),
            Detail::Law(Law::Throughput(model)) if gpus <= model.gpus_max => {
                let nodes = if nodes == 0 { gpus.div_ceil(model.gpus_per_node) } else { nodes };
                let (pass_s, step_s) = (model.pass_s(batch_per_gpu), model.step_s(gpus, nodes, batch_per_gpu, 1.0));
                Some(StepTimes { batch_per_gpu, step_s, sync_s: (step_s - pass_s).max(0.0) })
            }
            _ => None,
        };
        times.map(|times| (split, times))
    }

    /// The batch size that a job really trains with where `batch_global` is meant: whole samples on each GPU.
    pub fn batch_on(&self, gpus: u32, batch_global: u32) -> u32 {
        let split = match self.detail {
            Detail::Profile(_) => self.batch_limits().and_then(|limits| limits.split(gpus, batch_global)),
            _ => None,
        };
        split.map_or(batch_global, |split| split.batch_global(gpus))
    }

    /// Throughput on `gpus` GPUs, on as few nodes as possible: measured, on the straight line between two measured
    /// points, 0 below the first point, and held at the last point's above it (0 if the model does not run there).
    pub fn samples_per_s(&self, gpus: u32) -> f64 {
        on_line(&self.points, gpus, self.runs_beyond)
    }

    /// Throughput on `gpus` GPUs, on as few nodes as possible, with another batch size where speed is known for any.
    pub fn samples_per_s_with(&self, gpus: u32, batch_global: u32) -> f64 {
        match &self.detail {
            Detail::Law(law) => law.samples_per_s(gpus, law.nodes_packed(gpus), Some(batch_global)),
            _ => self.samples_per_s(gpus),
        }
    }

    /// Throughput in a configuration. Between measured numbers of nodes it lies on the straight line; beyond them it
    /// is held.
    pub fn samples_per_s_in(&self, configuration: &Configuration<'_>) -> f64 {
        let Configuration { gpus, nodes, packed, batch_global, .. } = *configuration;
        match &self.detail {
            Detail::Spread(points) if !packed => match on_line(points, gpus, self.runs_beyond) {
                speed if speed > 0.0 => speed,
                _ => self.samples_per_s(gpus),
            },
            Detail::ByNodes(groups) => self.between_nodes(groups, gpus, nodes),
            Detail::Law(law) => law.samples_per_s(gpus, nodes, batch_global.or(self.key.batch_global)),
            Detail::Profile(_) => self
                .steps_in(configuration)
                .map_or(0.0, |(split, times)| f64::from(split.batch_global(gpus)) / times.step_s_of(split.passes)),
            Detail::CountOnly | Detail::Spread(_) => self.samples_per_s(gpus),
        }
    }

    fn between_nodes(&self, groups: &[(u32, Vec<CurvePoint>)], gpus: u32, nodes: u32) -> f64 {
        let speeds = || {
            let speed = |points: &Vec<CurvePoint>| on_line(points, gpus, self.runs_beyond);
            groups.iter().map(move |(nodes, points)| (*nodes, speed(points))).filter(|(_, speed)| *speed > 0.0)
        };
        let fewer = speeds().take_while(|(measured, _)| *measured <= nodes).last();
        let more = speeds().find(|(measured, _)| *measured >= nodes);
        match (fewer, more) {
            (Some((low, slow)), Some((high, fast))) if high > low => {
                slow + f64::from(nodes - low) / f64::from(high - low) * (fast - slow)
            }
            (Some((_, speed)), _) | (None, Some((_, speed))) => speed,
            (None, None) => self.samples_per_s(gpus),
        }
    }

    /// Throughput on one GPU, or, where one GPU is too few, per GPU on the fewest that work: the baseline of scaling
    /// factors and efficiencies. Where times were measured by the samples on a GPU, it is that of one GPU with as much
    /// of the batch as fits (IBM elastic scaling, eq. 1).
    pub fn samples_per_s_single(&self) -> f64 {
        self.samples_per_s_single_at(None)
    }

    /// The same for a job that may have batches of up to so many samples.
    pub fn samples_per_s_single_at(&self, batch_most: Option<u32>) -> f64 {
        if let Some((times, batch)) = self.scaling_times().zip(batch_most.or(self.key.batch_global)) {
            return times.samples_per_s_single(batch);
        }
        self.points.first().map_or(0.0, |point| point.samples_per_s / f64::from(point.gpus))
    }
}

/// The value at `gpus` on the line through the points.
fn on_line(points: &[CurvePoint], gpus: u32, runs_beyond: bool) -> f64 {
    let above = points.partition_point(|point| point.gpus < gpus);
    match (above.checked_sub(1).and_then(|below| points.get(below)), points.get(above)) {
        (_, Some(point)) if point.gpus == gpus => point.samples_per_s,
        (Some(low), Some(high)) => {
            let share = f64::from(gpus - low.gpus) / f64::from(high.gpus - low.gpus);
            low.samples_per_s + share * (high.samples_per_s - low.samples_per_s)
        }
        (Some(last), None) if runs_beyond => last.samples_per_s,
        _ => 0.0,
    }
}
