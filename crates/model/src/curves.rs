//! Curves of several models and batch sizes.

use serde::{Deserialize, Serialize};

use crate::Curve;

/// A set of curves, at most one for each key, sorted by key.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "StoredCurves")]
pub struct Curves {
    curves: Vec<Curve>,
}

/// Curves as they are stored: the order is not to be relied on.
#[derive(Deserialize)]
#[serde(rename = "Curves")]
struct StoredCurves {
    curves: Vec<Curve>,
}

impl From<StoredCurves> for Curves {
    fn from(stored: StoredCurves) -> Self {
        stored.curves.into_iter().collect()
    }
}

/// The result of a look-up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CurveMatch {
    /// The curve of this model and batch.
    Exact(usize),
    /// The only curve of this model, measured without a batch or asked for without one.
    OnlyOne(usize),
    /// The model has curves, but none for this batch.
    OtherBatches,
    /// The model has no curve.
    None,
}

impl Curves {
    /// Adds a curve; a curve that was there under the same key is replaced and returned.
    pub fn insert(&mut self, curve: Curve) -> Option<Curve> {
        match self.curves.binary_search_by(|other| other.key().cmp(curve.key())) {
            Ok(at) => self.curves.get_mut(at).map(|old| std::mem::replace(old, curve)),
            Err(at) => {
                self.curves.insert(at, curve);
                None
            }
        }
    }

    /// All curves, sorted by model and batch.
    pub fn as_slice(&self) -> &[Curve] {
        &self.curves
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.curves.is_empty()
    }

    /// The names of the models, each once, sorted.
    pub fn models(&self) -> Vec<&str> {
        let mut models: Vec<&str> = self.curves.iter().map(|curve| curve.key().model.as_str()).collect();
        models.dedup();
        models
    }

    /// The curves of a model, batch sizes rising.
    pub fn of_model(&self, model: &str) -> &[Curve] {
        let from = self.curves.partition_point(|curve| curve.key().model.as_str() < model);
        let until = self.curves.partition_point(|curve| curve.key().model.as_str() <= model);
        self.curves.get(from..until).unwrap_or_default()
    }

    /// Finds the curve for a job's model and batch; the numbers are indices into [`Curves::as_slice`].
    pub fn find(&self, model: &str, batch_global: Option<u32>) -> CurveMatch {
        let from = self.curves.partition_point(|curve| curve.key().model.as_str() < model);
        let of_model = self.of_model(model);
        let exact = of_model.iter().position(|curve| curve.key().batch_global == batch_global);
        match (exact, of_model) {
            (Some(at), _) => CurveMatch::Exact(from + at),
            (None, []) => CurveMatch::None,
            (None, [only]) if only.key().batch_global.is_none() || batch_global.is_none() => CurveMatch::OnlyOne(from),
            // A batch-free curve stands first and serves every batch that was not measured by itself.
            (None, [first, ..]) if first.key().batch_global.is_none() => CurveMatch::OnlyOne(from),
            _ => CurveMatch::OtherBatches,
        }
    }
}

impl FromIterator<Curve> for Curves {
    fn from_iter<T: IntoIterator<Item = Curve>>(curves: T) -> Self {
        let mut set = Self::default();
        for curve in curves {
            set.insert(curve);
        }
        set
    }
}
