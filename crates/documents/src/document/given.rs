//! Curves as objects, for what a table of points cannot say: formulas, step times, and what samples are worth in larger
//! batches.

mod efficiency;
mod laws;
mod place;
mod points;
mod steps;

use elastiplan_model::limits::BATCH_MAX;
use elastiplan_model::{Curve, CurveError, CurveKey, Curves, Detail, Efficiency, Law, PowerLaw, ThroughputModel};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::DocumentError;
use efficiency::EfficiencyPart;
use laws::ScalingPart;
use place::{BATCH, Checked, Place};
use points::{ByNodesPart, MeasuredPart};
use steps::StepsPart;

/// A curve. The kind of its speed is the name of a field: one of them is there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::one_speed))]
#[serde(remote = "Self", deny_unknown_fields, expecting = "struct Fields")]
pub struct CurvePart {
    /// The model's name, as jobs spell it.
    model: String,
    /// Global batch size in samples, where the measurement says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    batch_global: Option<u32>,
    /// Points by the number of GPUs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    measured: Option<MeasuredPart>,
    /// Points by the numbers of GPUs and nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by_nodes: Option<ByNodesPart>,
    /// Every doubling of the GPUs multiplies the throughput per GPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    power: Option<PowerLaw>,
    /// Processing time by batch per GPU, plus all-reduce time by GPUs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scaling: Option<ScalingPart>,
    /// Gradient time and synchronisation time that partly overlap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    throughput: Option<ThroughputModel>,
    /// Step times by placement and batch size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    steps: Option<StepsPart>,
    /// The worth of samples, if it depends on the batch size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    efficiency: Option<EfficiencyPart>,
}

impl Serialize for CurvePart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for CurvePart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let part = Self::deserialize(deserializer)?;
        let one = "a curve needs one of measured, by_nodes, power, scaling, throughput, steps";
        let kinds: Vec<&str> = part.speeds().map(|(kind, _)| kind).collect();
        match kinds.as_slice() {
            [_] => Ok(part),
            [] => Err(de::Error::custom(format!("{one}; there is none"))),
            [first, second, ..] => Err(de::Error::custom(format!("{one}; there are {first} and {second}"))),
        }
    }
}

/// The speed of a model: measured, or a formula.
trait Speed {
    /// Checks the values, for a curve of this batch size.
    fn check(&self, place: &Place, batch_global: Option<u32>) -> Checked;

    /// The curve, without its efficiency where its points do not depend on it.
    fn curve(&self, key: CurveKey, efficiency: Option<&Efficiency>) -> Result<Curve, CurveError>;
}

impl CurvePart {
    /// The speeds that are there, by the names of their fields.
    fn speeds(&self) -> impl Iterator<Item = (&'static str, &dyn Speed)> {
        fn some<T: Speed>(part: &Option<T>) -> Option<&dyn Speed> {
            part.as_ref().map(|part| part as &dyn Speed)
        }
        let speeds = [
            ("measured", some(&self.measured)),
            ("by_nodes", some(&self.by_nodes)),
            ("power", some(&self.power)),
            ("scaling", some(&self.scaling)),
            ("throughput", some(&self.throughput)),
            ("steps", some(&self.steps)),
        ];
        speeds.into_iter().filter_map(|(kind, speed)| Some((kind, speed?)))
    }

    pub(super) fn of(curve: &Curve) -> Self {
        let CurveKey { model, batch_global } = curve.key().clone();
        let efficiency = curve.efficiency().map(EfficiencyPart::of);
        let part = Self { model, batch_global, efficiency, ..Self::default() };
        match curve.detail() {
            Detail::CountOnly => Self { measured: Some(MeasuredPart::of(curve, None)), ..part },
            Detail::Spread(spread) => Self { measured: Some(MeasuredPart::of(curve, Some(spread))), ..part },
            Detail::ByNodes(groups) => Self { by_nodes: Some(ByNodesPart::of(curve, groups)), ..part },
            Detail::Law(Law::Power(law)) => Self { power: Some(*law), ..part },
            Detail::Law(Law::Scaling(times)) => Self { scaling: Some(ScalingPart::of(times)), ..part },
            Detail::Law(Law::Throughput(model)) => Self { throughput: Some(*model), ..part },
            Detail::Profile(profile) => Self { steps: Some(StepsPart::of(profile)), ..part },
        }
    }

    fn key(&self) -> CurveKey {
        CurveKey { model: self.model.clone(), batch_global: self.batch_global }
    }

    /// The curve, checked; its place is that in the document.
    fn curve(&self, place: &Place) -> Result<Curve, DocumentError> {
        place.check("model", "an empty text", !self.model.is_empty(), "the name of a model")?;
        if let Some(batch) = self.batch_global {
            place.check("batch_global", batch, (1..=BATCH_MAX).contains(&batch), BATCH)?;
        }
        if self.scaling.is_some() || self.throughput.is_some() {
            let rule = "a batch size, which this formula needs";
            place.check("batch_global", "a missing value", self.batch_global.is_some(), rule)?;
        }
        let Some((kind, speed)) = self.speeds().next() else {
            return Err(DocumentError::Curve { place: place.to_string(), error: CurveError::Empty(self.key()) });
        };
        let speed_place = place.field(kind);
        speed.check(&speed_place, self.batch_global)?;
        if self.steps.is_some() {
            let rule = "an efficiency, which step times need: its batch_base at least";
            place.check("efficiency", "a missing value", self.efficiency.is_some(), rule)?;
        }
        self.efficiency.as_ref().map_or(Ok(()), |part| part.check(&place.field("efficiency")))?;
        // What passes the checks can still be too fast to be true.
        self.build(speed).map_err(|error| DocumentError::Curve { place: speed_place.to_string(), error })
    }

    fn build(&self, speed: &dyn Speed) -> Result<Curve, CurveError> {
        let efficiency = self.efficiency.as_ref().map(EfficiencyPart::efficiency);
        let curve = speed.curve(self.key(), efficiency.as_ref())?;
        match efficiency {
            Some(efficiency) => curve.with_efficiency(efficiency),
            None => Ok(curve),
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
        let place = Place::entry_of("curves.given", at);
        if let Some(before) = curves.insert(part.curve(&place)?) {
            let rule = "a model and batch size that stands there once";
            return Err(DocumentError::value(place.to_string(), before.key(), rule));
        }
    }
    Ok(curves)
}
