//! Curves as objects, for what a table of points cannot say: formulas, step times, and what samples are worth in larger
//! batches.

mod bind;
mod check;
mod parts;
mod steps;

use elastiplan_model::{Curves, ThroughputModel};
use serde::{Deserialize, Serialize};

use super::DocumentError;

pub use parts::{
    AllReducePart, ByNodesPart, CountPart, EfficiencyPart, GradientsPart, MeasuredPart, NodesPointPart, PlacementPart,
    PowerPart, ProcessingPart, ScalingPart, SpeedPart, StagePart, StepsPart, TimesPart,
};

/// A curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub struct CurvePart {
    /// The model's name, as jobs spell it.
    pub model: String,
    /// Global batch size in samples, where the measurement says.
    pub batch_global: Option<u32>,
    /// How fast it trains.
    pub speed: SpeedPart,
    /// What samples are worth, where that depends on the batch size.
    pub efficiency: Option<EfficiencyPart>,
}

/// A curve as it is written: the kind of its speed is the name of a field.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    model: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    batch_global: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    measured: Option<MeasuredPart>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by_nodes: Option<ByNodesPart>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    power: Option<PowerPart>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scaling: Option<ScalingPart>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    throughput: Option<ThroughputModel>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    steps: Option<StepsPart>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    efficiency: Option<EfficiencyPart>,
}

impl TryFrom<Fields> for CurvePart {
    type Error = String;

    fn try_from(fields: Fields) -> Result<Self, String> {
        let Fields { model, batch_global, measured, by_nodes, power, scaling, throughput, steps, efficiency } = fields;
        let kinds = [
            measured.map(SpeedPart::Measured),
            by_nodes.map(SpeedPart::ByNodes),
            power.map(SpeedPart::Power),
            scaling.map(SpeedPart::Scaling),
            throughput.map(SpeedPart::Throughput),
            steps.map(SpeedPart::Steps),
        ];
        let mut found = kinds.into_iter().flatten();
        let one = "a curve needs one of measured, by_nodes, power, scaling, throughput, steps";
        let speed = found.next().ok_or_else(|| format!("{one}; there is none"))?;
        match found.next() {
            None => Ok(Self { model, batch_global, speed, efficiency }),
            Some(other) => Err(format!("{one}; there are {} and {}", speed.kind(), other.kind())),
        }
    }
}

impl From<CurvePart> for Fields {
    fn from(part: CurvePart) -> Self {
        let CurvePart { model, batch_global, speed, efficiency } = part;
        let fields = Self { model, batch_global, efficiency, ..Self::default() };
        match speed {
            SpeedPart::Measured(part) => Self { measured: Some(part), ..fields },
            SpeedPart::ByNodes(part) => Self { by_nodes: Some(part), ..fields },
            SpeedPart::Power(part) => Self { power: Some(part), ..fields },
            SpeedPart::Scaling(part) => Self { scaling: Some(part), ..fields },
            SpeedPart::Throughput(part) => Self { throughput: Some(part), ..fields },
            SpeedPart::Steps(part) => Self { steps: Some(part), ..fields },
        }
    }
}

/// All curves, each model and batch size once.
pub(super) fn curves(parts: &[CurvePart]) -> Result<Curves, DocumentError> {
    if parts.is_empty() {
        return Err(DocumentError::value("curves.given", "an empty list", "a list with at least one curve"));
    }
    let mut curves = Curves::default();
    for (at, part) in parts.iter().enumerate() {
        if let Some(before) = curves.insert(part.curve(at)?) {
            let rule = "a model and batch size that stands there once";
            return Err(DocumentError::value(format!("curves.given[{at}]"), before.key(), rule));
        }
    }
    Ok(curves)
}
