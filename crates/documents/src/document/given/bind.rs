//! Curves of the model from those of a document, and back.

use elastiplan_model::{
    Curve, CurveError, CurveKey, CurvePoint, Detail, Efficiency, Gradients, Law, Origin, ScalingTimes, Stage, limits,
};

use super::{
    AllReducePart, ByNodesPart, CurvePart, EfficiencyPart, GradientsPart, MeasuredPart, NodesPointPart, PowerPart,
    ProcessingPart, ScalingPart, SpeedPart, StagePart, StepsPart,
};
use crate::DocumentError;

impl CurvePart {
    pub(in crate::document) fn of(curve: &Curve) -> Self {
        let CurveKey { model, batch_global } = curve.key().clone();
        Self {
            model,
            batch_global,
            speed: SpeedPart::of(curve),
            efficiency: curve.efficiency().map(EfficiencyPart::of),
        }
    }

    /// The curve; `at` is its place in the list.
    pub(super) fn curve(&self, at: usize) -> Result<Curve, DocumentError> {
        self.check(at)?;
        // What passes the checks can still be too fast to be true.
        let place = format!("curves.given[{at}].{}", self.speed.kind());
        self.build().map_err(|error| DocumentError::Curve { place, error })
    }

    fn build(&self) -> Result<Curve, CurveError> {
        let key = CurveKey { model: self.model.clone(), batch_global: self.batch_global };
        let curve = match (&self.speed, &self.efficiency) {
            (SpeedPart::Steps(part), Some(efficiency)) => return part.curve(key, efficiency.efficiency()),
            (speed, _) => speed.curve(key)?,
        };
        match &self.efficiency {
            Some(efficiency) => curve.with_efficiency(efficiency.efficiency()),
            None => Ok(curve),
        }
    }
}

impl SpeedPart {
    fn of(curve: &Curve) -> Self {
        let runs_beyond = curve.runs_beyond();
        let measured = |spread| Self::Measured(MeasuredPart { points: curve.points().to_vec(), spread, runs_beyond });
        match curve.detail() {
            Detail::CountOnly => measured(None),
            Detail::Profile(profile) => Self::Steps(StepsPart::of(profile)),
            Detail::Spread(spread) => measured(Some(spread.clone())),
            Detail::ByNodes(groups) => {
                let on = |(nodes, points): &(u32, Vec<CurvePoint>)| {
                    let nodes = *nodes;
                    let point = move |point: &CurvePoint| {
                        let CurvePoint { gpus, samples_per_s } = *point;
                        NodesPointPart { gpus, nodes, samples_per_s }
                    };
                    points.iter().map(point).collect::<Vec<_>>()
                };
                Self::ByNodes(ByNodesPart { points: groups.iter().flat_map(on).collect(), runs_beyond })
            }
            Detail::Law(law) => Self::of_law(law),
        }
    }

    fn of_law(law: &Law) -> Self {
        match law {
            Law::Power { samples_per_s, factor, gpus_max } => {
                Self::Power(PowerPart { samples_per_s: *samples_per_s, factor: *factor, gpus_max: *gpus_max })
            }
            Law::Scaling(times) => Self::Scaling(ScalingPart::of(times)),
            Law::Throughput(model) => Self::Throughput(*model),
        }
    }

    fn curve(&self, key: CurveKey) -> Result<Curve, CurveError> {
        let law = match self {
            SpeedPart::Measured(part) => return part.curve(key).map(|curve| ending(curve, part.runs_beyond)),
            SpeedPart::ByNodes(part) => return part.curve(key).map(|curve| ending(curve, part.runs_beyond)),
            SpeedPart::Power(PowerPart { samples_per_s, factor, gpus_max }) => {
                Law::Power { samples_per_s: *samples_per_s, factor: *factor, gpus_max: *gpus_max }
            }
            SpeedPart::Scaling(part) => Law::Scaling(part.times()),
            SpeedPart::Throughput(model) => Law::Throughput(*model),
            // Without an efficiency, which is told before.
            SpeedPart::Steps(_) => return Err(CurveError::Efficiency(key)),
        };
        Curve::from_law(key, law)
    }
}

fn ending(curve: Curve, runs_beyond: bool) -> Curve {
    if runs_beyond { curve } else { curve.ending_at_last_point() }
}

impl MeasuredPart {
    fn curve(&self, key: CurveKey) -> Result<Curve, CurveError> {
        let curve = Curve::new(key, self.points.iter().map(|point| (point.gpus, point.samples_per_s)))?;
        match &self.spread {
            Some(spread) => curve.with_spread(spread.clone()),
            None => Ok(curve),
        }
    }
}

impl ByNodesPart {
    fn curve(&self, key: CurveKey) -> Result<Curve, CurveError> {
        let row = |point: &NodesPointPart| {
            let NodesPointPart { gpus, nodes, samples_per_s } = *point;
            (nodes, CurvePoint { gpus, samples_per_s })
        };
        Curve::by_nodes(key, self.points.iter().map(row))
    }
}

impl ScalingPart {
    fn of(times: &ScalingTimes) -> Self {
        let ScalingTimes { processing_s, all_reduce_s, all_reduce_estimated } = times;
        let processing = |&(samples_per_gpu, time_s): &(f64, f64)| ProcessingPart { samples_per_gpu, time_s };
        let origin = |gpus: u32| all_reduce_estimated.iter().find(|(estimated, _)| *estimated == gpus);
        let all_reduce = |&(gpus, time_s): &(u32, f64)| {
            let origin = origin(gpus).map_or(Origin::Measured, |(_, origin)| *origin);
            AllReducePart { gpus, time_s, origin }
        };
        Self {
            processing: processing_s.iter().map(processing).collect(),
            all_reduce: all_reduce_s.iter().map(all_reduce).collect(),
        }
    }

    fn times(&self) -> ScalingTimes {
        let Self { processing, all_reduce } = self;
        let estimated = all_reduce.iter().filter(|part| part.origin != Origin::Measured);
        ScalingTimes {
            processing_s: processing.iter().map(|part| (part.samples_per_gpu, part.time_s)).collect(),
            all_reduce_s: all_reduce.iter().map(|part| (part.gpus, part.time_s)).collect(),
            all_reduce_estimated: estimated.map(|part| (part.gpus, part.origin)).collect(),
        }
    }
}

impl EfficiencyPart {
    fn of(efficiency: &Efficiency) -> Self {
        let Efficiency { batch_base, batch_max, samples_total, stages } = efficiency;
        let stages = stages.iter().map(|stage| StagePart::of(stage, *batch_base)).collect();
        Self { batch_base: *batch_base, batch_max: *batch_max, samples_total: *samples_total, stages }
    }

    fn efficiency(&self) -> Efficiency {
        let Self { batch_base, batch_max, samples_total, ref stages } = *self;
        let stages = stages.iter().map(|stage| stage.stage(batch_base)).collect();
        Efficiency { batch_base, batch_max, samples_total, stages }
    }
}

/// The gradients of a stage of which only the noise scale is known.
fn of_noise(batch_base: u32, noise_samples: f64) -> Gradients {
    Gradients { batch: batch_base, square: 1.0, variance: noise_samples, steps: None }
}

impl StagePart {
    fn of(stage: &Stage, batch_base: u32) -> Self {
        let until_share = stage.until;
        if let [only] = stage.gradients.as_slice()
            && *only == of_noise(batch_base, only.variance)
            && only.variance <= limits::WORK_MAX
        {
            return Self { until_share, noise_samples: Some(only.variance), gradients: None };
        }
        let part = |found: &Gradients| GradientsPart(found.batch, found.square, found.variance, found.steps);
        Self { until_share, noise_samples: None, gradients: Some(stage.gradients.iter().map(part).collect()) }
    }

    fn stage(&self, batch_base: u32) -> Stage {
        let of_noise = self.noise_samples.map(|noise| of_noise(batch_base, noise));
        let measured = self
            .gradients
            .iter()
            .flatten()
            .map(|&GradientsPart(batch, square, variance, steps)| Gradients { batch, square, variance, steps });
        Stage { until: self.until_share, gradients: of_noise.into_iter().chain(measured).collect() }
    }
}
