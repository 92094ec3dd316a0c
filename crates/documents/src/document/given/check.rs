//! What must hold in a curve beyond its shape. The model has rules of its own; these name the place in the document.

use std::collections::BTreeSet;

use elastiplan_model::limits::{BATCH_MAX, GPUS_MAX, LAW_GPUS_MAX, LAW_TIME_MAX_S, WORK_MAX};
use elastiplan_model::{CurvePoint, ThroughputModel};

use super::{
    ByNodesPart, CurvePart, EfficiencyPart, GradientsPart, MeasuredPart, NodesPointPart, PowerPart, ScalingPart,
    SpeedPart, StagePart,
};
use crate::DocumentError;

pub(super) type Checked = Result<(), DocumentError>;

const BATCH: &str = "a whole number from 1 to 2^30";
const GPUS: &str = "a whole number from 1 to 65,536";
const LAW_GPUS: &str = "a whole number from 1 to 4,096";
const SPEED: &str = "a number above 0, at most 1e18; where the model does not run there is no point";
const POSITIVE: &str = "a number above 0, at most 1e18";
const SECONDS: &str = "a number of seconds from 0 to 1e9";

/// A place in the document.
pub(super) struct Place(String);

impl Place {
    pub(super) fn field(&self, name: &str) -> Self {
        Self(format!("{}.{name}", self.0))
    }

    pub(super) fn entry(&self, list: &str, at: usize) -> Self {
        Self(format!("{}.{list}[{at}]", self.0))
    }

    /// One of the numbers that stand there without a name.
    pub(super) fn value(&self, at: usize, value: f64, holds: bool, rule: &str) -> Checked {
        if holds { Ok(()) } else { Err(DocumentError::value(format!("{}[{at}]", self.0), plain(value), rule)) }
    }

    /// A field of the place that breaks a rule, if it does.
    pub(super) fn check(&self, field: &str, value: impl ToString, holds: bool, rule: &str) -> Checked {
        if holds { Ok(()) } else { Err(DocumentError::value(self.field(field).0, value, rule)) }
    }

    pub(super) fn number(&self, field: &str, value: f64, holds: bool, rule: &str) -> Checked {
        self.check(field, plain(value), holds, rule)
    }

    pub(super) fn not_empty<T>(&self, field: &str, list: &[T], what: &str) -> Checked {
        self.check(field, "an empty list", !list.is_empty(), &format!("a list with at least one {what}"))
    }

    fn gpus(&self, gpus: u32) -> Checked {
        self.check("gpus", gpus, (1..=GPUS_MAX).contains(&gpus), GPUS)
    }

    fn speed(&self, samples_per_s: f64) -> Checked {
        self.number("samples_per_s", samples_per_s, is_positive(samples_per_s), SPEED)
    }

    pub(super) fn law_gpus(&self, field: &str, gpus: u32) -> Checked {
        self.check(field, gpus, (1..=LAW_GPUS_MAX).contains(&gpus), LAW_GPUS)
    }

    fn seconds(&self, field: &str, value: f64) -> Checked {
        self.number(field, value, (0.0..=LAW_TIME_MAX_S).contains(&value), SECONDS)
    }
}

/// A number as a person writes it: hundreds of digits help nobody.
fn plain(value: f64) -> String {
    let plain = value.to_string();
    if plain.len() > 20 { format!("{value:e}") } else { plain }
}

fn is_positive(value: f64) -> bool {
    value > 0.0 && value <= WORK_MAX
}

impl CurvePart {
    /// What is wrong with the curve at a place in the list.
    pub(super) fn check(&self, at: usize) -> Checked {
        let place = Place(format!("curves.given[{at}]"));
        place.check("model", "an empty text", !self.model.is_empty(), "the name of a model")?;
        if let Some(batch) = self.batch_global {
            place.check("batch_global", batch, (1..=BATCH_MAX).contains(&batch), BATCH)?;
        }
        let speed = place.field(self.speed.kind());
        match &self.speed {
            SpeedPart::Measured(part) => part.check(&speed)?,
            SpeedPart::ByNodes(part) => part.check(&speed)?,
            SpeedPart::Power(part) => part.check(&speed)?,
            SpeedPart::Scaling(part) => part.check(&speed, self.batch(&place)?)?,
            SpeedPart::Throughput(model) => {
                self.batch(&place)?;
                check_throughput(model, &speed)?;
            }
            SpeedPart::Steps(part) => {
                part.check(&speed)?;
                let rule = "an efficiency, which step times need: its batch_base at least";
                place.check("efficiency", "a missing value", self.efficiency.is_some(), rule)?;
            }
        }
        self.efficiency.as_ref().map_or(Ok(()), |part| part.check(&place.field("efficiency")))
    }

    /// The batch size, for formulas that give a speed only with one.
    fn batch(&self, place: &Place) -> Result<f64, DocumentError> {
        let missing = || {
            DocumentError::value(
                place.field("batch_global").0,
                "a missing value",
                "a batch size, which this formula needs",
            )
        };
        self.batch_global.map(f64::from).ok_or_else(missing)
    }
}

impl MeasuredPart {
    fn check(&self, place: &Place) -> Checked {
        check_points(place, "points", &self.points)?;
        self.spread.as_ref().map_or(Ok(()), |spread| check_points(place, "spread", spread))
    }
}

/// Points in any order, each number of GPUs once.
fn check_points(place: &Place, list: &str, points: &[CurvePoint]) -> Checked {
    let mut known = BTreeSet::new();
    check_list(place, list, points, |place, &CurvePoint { gpus, samples_per_s }| {
        place.gpus(gpus)?;
        place.speed(samples_per_s)?;
        place.check("gpus", gpus, known.insert(gpus), "a number of GPUs that stands there once")
    })
}

/// At least one point, and each as it must be.
fn check_list<T>(place: &Place, list: &str, points: &[T], mut check: impl FnMut(&Place, &T) -> Checked) -> Checked {
    place.not_empty(list, points, "point")?;
    points.iter().enumerate().try_for_each(|(at, point)| check(&place.entry(list, at), point))
}

impl ByNodesPart {
    fn check(&self, place: &Place) -> Checked {
        let mut known = BTreeSet::new();
        check_list(place, "points", &self.points, |place, &NodesPointPart { gpus, nodes, samples_per_s }| {
            place.gpus(gpus)?;
            place.check("nodes", nodes, (1..=gpus).contains(&nodes), "a whole number from 1 to the number of GPUs")?;
            place.speed(samples_per_s)?;
            let once = "a number of nodes that stands there once for these GPUs";
            place.check("nodes", nodes, known.insert((gpus, nodes)), once)
        })
    }
}

impl PowerPart {
    fn check(&self, place: &Place) -> Checked {
        let Self { samples_per_s, factor, gpus_max } = *self;
        place.number("samples_per_s", samples_per_s, is_positive(samples_per_s), POSITIVE)?;
        place.number("factor", factor, (0.5..=1.0).contains(&factor), "a number from 0.5 to 1")?;
        place.law_gpus("gpus_max", gpus_max)
    }
}

impl ScalingPart {
    fn check(&self, place: &Place, batch_global: f64) -> Checked {
        place.not_empty("processing", &self.processing, "time")?;
        let mut most_samples = 0.0;
        for (at, part) in self.processing.iter().enumerate() {
            let (samples, place) = (part.samples_per_gpu, place.entry("processing", at));
            place.number("samples_per_gpu", samples, is_positive(samples), POSITIVE)?;
            place.number("samples_per_gpu", samples, samples > most_samples, "more than in the entry before it")?;
            place.number("time_s", part.time_s, is_positive(part.time_s), POSITIVE)?;
            most_samples = samples;
        }
        let mut most_gpus = 0;
        for (at, part) in self.all_reduce.iter().enumerate() {
            let place = place.entry("all_reduce", at);
            place.law_gpus("gpus", part.gpus)?;
            place.check("gpus", part.gpus, part.gpus > most_gpus, "more than in the entry before it")?;
            place.seconds("time_s", part.time_s)?;
            most_gpus = part.gpus;
        }
        let gpus = most_gpus.max(1);
        let last = place.entry("processing", self.processing.len().saturating_sub(1));
        let fits = batch_global / f64::from(gpus) <= most_samples;
        let enough = format!("enough for a batch of {batch_global} on {gpus} GPU{}", if gpus == 1 { "" } else { "s" });
        last.number("samples_per_gpu", most_samples, fits, &enough)
    }
}

fn check_throughput(model: &ThroughputModel, place: &Place) -> Checked {
    let times = [
        ("gradient_s", model.gradient_s),
        ("gradient_s_per_sample", model.gradient_s_per_sample),
        ("local_sync_s", model.local_sync_s),
        ("local_sync_s_per_gpu", model.local_sync_s_per_gpu),
        ("node_sync_s", model.node_sync_s),
        ("node_sync_s_per_gpu", model.node_sync_s_per_gpu),
    ];
    times.into_iter().try_for_each(|(field, time_s)| place.seconds(field, time_s))?;
    let takes_time = model.gradient_s + model.gradient_s_per_sample > 0.0;
    place.check("gradient_s_per_sample", 0, takes_time, "above 0, which it must be where gradient_s is 0")?;
    place.number("overlap", model.overlap, (1.0..=10.0).contains(&model.overlap), "a number from 1 to 10")?;
    for (field, count) in [("batch_per_gpu_max", model.batch_per_gpu_max), ("gpus_per_node", model.gpus_per_node)] {
        place.check(field, count, count > 0, "a whole number from 1")?;
    }
    place.law_gpus("gpus_max", model.gpus_max)
}

impl EfficiencyPart {
    fn check(&self, place: &Place) -> Checked {
        let base = self.batch_base;
        place.check("batch_base", base, (1..=BATCH_MAX).contains(&base), BATCH)?;
        if let Some(most) = self.batch_max {
            place.check("batch_max", most, (base..=BATCH_MAX).contains(&most), "from batch_base to 2^30")?;
        }
        if let Some(total) = self.samples_total {
            place.number("samples_total", total, total > 0.0 && total <= WORK_MAX, "above 0 and at most 1e18")?;
        }
        let mut before = f64::NEG_INFINITY;
        for (at, stage) in self.stages.iter().enumerate() {
            let (until, place) = (stage.until_share, place.entry("stages", at));
            place.number("until_share", until, (0.0..=1.0).contains(&until), "a number from 0 to 1")?;
            place.number("until_share", until, until > before, "more than in the entry before it")?;
            stage.check(&place)?;
            before = until;
        }
        Ok(())
    }
}

impl StagePart {
    fn check(&self, place: &Place) -> Checked {
        let one = "noise_samples or gradients, one of them";
        match (self.noise_samples, &self.gradients) {
            (Some(noise), None) => {
                place.number("noise_samples", noise, (0.0..=WORK_MAX).contains(&noise), "a number from 0 to 1e18")
            }
            (None, Some(gradients)) => check_gradients(place, gradients),
            (Some(_), Some(_)) => place.check("gradients", "a second value", false, one),
            (None, None) => place.check("noise_samples", "a missing value", false, one),
        }
    }
}

fn check_gradients(place: &Place, gradients: &[GradientsPart]) -> Checked {
    place.not_empty("gradients", gradients, "batch size")?;
    let mut before = 0;
    for (at, &GradientsPart(batch, square, variance, steps)) in gradients.iter().enumerate() {
        let place = place.entry("gradients", at);
        place.value(0, f64::from(batch), (1..=BATCH_MAX).contains(&batch), BATCH)?;
        place.value(0, f64::from(batch), batch > before, "more than in the entry before it")?;
        place.value(1, square, square >= 0.0, "a number of 0 or more")?;
        place.value(2, variance, variance >= 0.0, "a number of 0 or more")?;
        place.value(2, variance, square + variance > 0.0, "above 0, which it must be where the gradient is 0")?;
        if let Some(steps) = steps {
            place.value(3, steps, (0.0..=WORK_MAX).contains(&steps), "a number from 0 to 1e18")?;
        }
        before = batch;
    }
    Ok(())
}
