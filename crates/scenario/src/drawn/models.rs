//! A mix of models, as text: `curves` for the loaded curves, or `resnet50:3,bert:1`.

use std::fmt;
use std::str::FromStr;

use elastiplan_model::{CurveKey, Curves, ModelName, SpeedupLaw};
use serde::{Deserialize, Serialize};

/// Models with weights, or all that have curves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelMix(ModelName);

impl ModelMix {
    /// The longest text, in bytes.
    pub const BYTES_MAX: usize = SpeedupLaw::NAME_BYTES_MAX;
    /// The text for the loaded curves, each as likely as another.
    pub const CURVES: &str = "curves";
    /// The rule for its text.
    pub const RULE: &str = "a mix of models: curves (each loaded curve as likely as another), or MODEL:WEIGHT,... \
                            (weights above 0, at most 1e6; up to 128 bytes)";

    /// Whether it names models. Parts of a damaged text that name none are not drawn from.
    pub fn is_sound(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether it is that of the loaded curves.
    pub fn is_of_curves(&self) -> bool {
        self.0.as_str() == Self::CURVES
    }

    /// What is drawn from it with these curves.
    pub(super) fn weighted(&self, curves: &Curves) -> Weighted {
        let keys = || curves.as_slice().iter().map(|curve| curve.key().clone());
        if self.is_of_curves() {
            return Weighted(keys().map(|key| (1.0, vec![key])).collect());
        }
        let part = |(model, weight): (&str, f64)| {
            let mut of_model: Vec<CurveKey> = keys().filter(|key| key.model == model).collect();
            if of_model.is_empty() {
                of_model.push(CurveKey { model: model.into(), batch_global: None });
            }
            (weight, of_model)
        };
        Weighted(parts(&self.0).flatten().map(part).collect())
    }
}

/// Models with their weights, each with the curves that it has.
pub(super) struct Weighted(Vec<(f64, Vec<CurveKey>)>);

impl Weighted {
    /// The model for a random number, and of its curves the one for another.
    pub fn pick(&self, model: f64, curve: f64) -> Option<&CurveKey> {
        let total: f64 = self.0.iter().map(|(weight, _)| weight).sum();
        let mut left = model * total;
        let of_model = self.0.iter().find(|(weight, _)| {
            left -= weight;
            left < 0.0
        });
        let (_, keys) = of_model.or(self.0.last())?;
        keys.get((curve * keys.len() as f64) as usize).or(keys.last())
    }
}

/// The models of a text with their weights; `None` for a part that is none.
fn parts(text: &str) -> impl Iterator<Item = Option<(&str, f64)>> {
    text.split(',').map(|part| {
        let (model, weight) = match part.trim().rsplit_once(':') {
            Some((model, weight)) => (model.trim(), elastiplan_text::number(weight.trim())?),
            None => (part.trim(), 1.0),
        };
        (!model.is_empty() && weight > 0.0 && weight <= 1e6).then_some((model, weight))
    })
}

impl fmt::Display for ModelMix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ModelMix {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let text = text.trim();
        if text != Self::CURVES && parts(text).any(|part| part.is_none()) {
            return Err(());
        }
        ModelName::from(text).map(Self).map_err(|_| ())
    }
}
