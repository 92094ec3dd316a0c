//! Places in a document, for checks that name them. The model has rules of its own, which do not.

use std::fmt;

use elastiplan_model::limits::{GPUS_MAX, LAW_GPUS_MAX, LAW_TIME_MAX_S, WORK_MAX};

use crate::DocumentError;

pub(super) type Checked = Result<(), DocumentError>;

pub(super) const BATCH: &str = "a whole number from 1 to 2^30";
const GPUS: &str = "a whole number from 1 to 65,536";
const LAW_GPUS: &str = "a whole number from 1 to 4,096";
const SPEED: &str = "a number above 0, at most 1e18; where the model does not run there is no point";
const POSITIVE: &str = "a number above 0, at most 1e18";
const SECONDS: &str = "a number of seconds from 0 to 1e9";
const RISING: &str = "more than in the entry before it";

/// A place in the document.
pub(super) struct Place(String);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Place {
    pub fn entry_of(list: &str, at: usize) -> Self {
        Self(format!("{list}[{at}]"))
    }

    pub fn field(&self, name: &str) -> Self {
        Self(format!("{self}.{name}"))
    }

    pub fn entry(&self, list: &str, at: usize) -> Self {
        Self(format!("{self}.{list}[{at}]"))
    }

    /// Checks one of the numbers that stand there without a name.
    pub fn value(&self, at: usize, value: f64, holds: bool, rule: &str) -> Checked {
        if holds { Ok(()) } else { Err(DocumentError::value(format!("{self}[{at}]"), plain(value), rule)) }
    }

    /// Checks a field of the place.
    pub fn check(&self, field: &str, value: impl ToString, holds: bool, rule: &str) -> Checked {
        if holds { Ok(()) } else { Err(DocumentError::value(self.field(field).0, value, rule)) }
    }

    pub fn number(&self, field: &str, value: f64, holds: bool, rule: &str) -> Checked {
        self.check(field, plain(value), holds, rule)
    }

    pub fn not_empty<T>(&self, field: &str, list: &[T], what: &str) -> Checked {
        self.check(field, "an empty list", !list.is_empty(), &format!("a list with at least one {what}"))
    }

    pub fn gpus(&self, gpus: u32) -> Checked {
        self.check("gpus", gpus, (1..=GPUS_MAX).contains(&gpus), GPUS)
    }

    /// Checks the number of nodes that these GPUs are on.
    pub fn nodes(&self, nodes: u32, gpus: u32) -> Checked {
        self.check("nodes", nodes, (1..=gpus).contains(&nodes), "a whole number from 1 to the number of GPUs")
    }

    pub fn speed(&self, samples_per_s: f64) -> Checked {
        self.number("samples_per_s", samples_per_s, is_positive(samples_per_s), SPEED)
    }

    pub fn positive(&self, field: &str, value: f64) -> Checked {
        self.number(field, value, is_positive(value), POSITIVE)
    }

    pub fn law_gpus(&self, field: &str, gpus: u32) -> Checked {
        self.check(field, gpus, (1..=LAW_GPUS_MAX).contains(&gpus), LAW_GPUS)
    }

    pub fn seconds(&self, field: &str, value: f64) -> Checked {
        self.number(field, value, (0.0..=LAW_TIME_MAX_S).contains(&value), SECONDS)
    }

    /// Checks that a field is more than that of the entry before.
    pub fn rises(&self, field: &str, value: f64, before: f64) -> Checked {
        self.number(field, value, value > before, RISING)
    }

    /// The same for a number without a name.
    pub fn value_rises(&self, at: usize, value: f64, before: f64) -> Checked {
        self.value(at, value, value > before, RISING)
    }
}

/// A number with an exponent where it would have more than 20 digits.
fn plain(value: f64) -> String {
    let plain = value.to_string();
    if plain.len() > 20 { format!("{value:e}") } else { plain }
}

fn is_positive(value: f64) -> bool {
    value > 0.0 && value <= WORK_MAX
}
