//! Values of fields, their types and ranges.

use std::fmt;

use elastiplan_model::{Cluster, SpeedupLaw};

use crate::{Conditions, Interval, ModelMix, Placement, Scenario, Users};

/// What fields are read from and written to: conditions alone, or a scenario with its machines.
pub trait Settings {
    /// The machines; `None` where there are conditions alone.
    fn cluster(&self) -> Option<&Cluster>;
    /// The machines to be changed.
    fn cluster_mut(&mut self) -> Option<&mut Cluster>;
    /// The conditions.
    fn conditions(&self) -> &Conditions;
    /// The conditions to be changed.
    fn conditions_mut(&mut self) -> &mut Conditions;
}

impl Settings for Conditions {
    fn cluster(&self) -> Option<&Cluster> {
        None
    }

    fn cluster_mut(&mut self) -> Option<&mut Cluster> {
        None
    }

    fn conditions(&self) -> &Conditions {
        self
    }

    fn conditions_mut(&mut self) -> &mut Conditions {
        self
    }
}

impl Settings for Scenario {
    fn cluster(&self) -> Option<&Cluster> {
        Some(&self.cluster)
    }

    fn cluster_mut(&mut self) -> Option<&mut Cluster> {
        Some(&mut self.cluster)
    }

    fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    fn conditions_mut(&mut self) -> &mut Conditions {
        &mut self.conditions
    }
}

/// A value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Nothing: an optional number that is absent.
    Absent,
    /// A number.
    Number(f64),
    /// A whole number.
    Whole(u64),
    /// A rule of placement.
    Placement(Placement),
    /// A law of speedup.
    Law(SpeedupLaw),
    /// Two factors.
    Interval(Interval),
    /// A mix of models.
    Models(ModelMix),
    /// A number of users.
    Users(Users),
}

impl Value {
    /// The number, if it is one.
    pub fn number(self) -> Option<f64> {
        match self {
            Value::Number(value) => Some(value),
            Value::Whole(value) => Some(value as f64),
            _ => None,
        }
    }
}

impl From<Option<f64>> for Value {
    fn from(value: Option<f64>) -> Self {
        value.map_or(Value::Absent, Value::Number)
    }
}

impl From<Option<SpeedupLaw>> for Value {
    fn from(law: Option<SpeedupLaw>) -> Self {
        law.map_or(Value::Absent, Value::Law)
    }
}

impl From<Option<Interval>> for Value {
    fn from(interval: Option<Interval>) -> Self {
        interval.map_or(Value::Absent, Value::Interval)
    }
}

impl From<Option<ModelMix>> for Value {
    fn from(mix: Option<ModelMix>) -> Self {
        mix.map_or(Value::Absent, Value::Models)
    }
}

impl From<Option<Users>> for Value {
    fn from(users: Option<Users>) -> Self {
        users.map_or(Value::Absent, Value::Users)
    }
}

/// The value as text of the command line; empty for an absent number.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Absent => Ok(()),
            Value::Number(value) => value.fmt(f),
            Value::Whole(value) => value.fmt(f),
            Value::Placement(placement) => f.write_str(placement.name()),
            Value::Law(law) => law.fmt(f),
            Value::Interval(interval) => interval.fmt(f),
            Value::Models(mix) => mix.fmt(f),
            Value::Users(users) => users.fmt(f),
        }
    }
}

/// Range of a number, with the rule that messages state.
#[derive(Debug)]
pub struct Range {
    /// Its lower end.
    pub min: f64,
    /// Its upper end.
    pub max: f64,
    /// Whether the ends belong to it.
    pub closed: (bool, bool),
    /// The rule for a number.
    pub rule: &'static str,
}

impl Range {
    /// A range with both ends.
    pub(super) const fn closed(min: f64, max: f64, rule: &'static str) -> Self {
        Self { min, max, closed: (true, true), rule }
    }

    /// Whether a number is in it.
    pub fn contains(&self, value: f64) -> bool {
        let is_above = value > self.min || (self.closed.0 && value == self.min);
        let is_below = value < self.max || (self.closed.1 && value == self.max);
        is_above && is_below
    }
}

/// Type and range of a field, with the functions that read and write it.
#[derive(Debug)]
pub enum Access {
    /// A number.
    Number {
        /// Its range.
        range: &'static Range,
        /// Reads it.
        get: fn(&Conditions) -> f64,
        /// Writes it.
        set: fn(&mut Conditions, f64),
    },
    /// A number that may be absent.
    Optional {
        /// Its range.
        range: &'static Range,
        /// Reads it.
        get: fn(&Conditions) -> Option<f64>,
        /// Writes it.
        set: fn(&mut Conditions, Option<f64>),
    },
    /// A whole number.
    Whole {
        /// Reads it.
        get: fn(&Conditions) -> u64,
        /// Writes it.
        set: fn(&mut Conditions, u64),
    },
    /// A number of machines, or of what is in each.
    Count {
        /// Its range.
        range: &'static Range,
        /// Reads it.
        get: fn(&Cluster) -> u32,
        /// The machines with another number; `None` if there are no such machines.
        with: fn(&Cluster, u32) -> Option<Cluster>,
    },
    /// A rule of placement.
    Placement {
        /// Reads it.
        get: fn(&Conditions) -> Placement,
        /// Writes it.
        set: fn(&mut Conditions, Placement),
    },
    /// A law of speedup, which may be absent.
    Law {
        /// Reads it.
        get: fn(&Conditions) -> Option<SpeedupLaw>,
        /// Writes it.
        set: fn(&mut Conditions, Option<SpeedupLaw>),
    },
    /// Two factors, which may be absent.
    Interval {
        /// Reads it.
        get: fn(&Conditions) -> Option<Interval>,
        /// Writes it.
        set: fn(&mut Conditions, Option<Interval>),
    },
    /// A mix of models, which may be absent.
    Models {
        /// Reads it.
        get: fn(&Conditions) -> Option<ModelMix>,
        /// Writes it.
        set: fn(&mut Conditions, Option<ModelMix>),
    },
    /// A number of users, which may be absent.
    Users {
        /// Reads it.
        get: fn(&Conditions) -> Option<Users>,
        /// Writes it.
        set: fn(&mut Conditions, Option<Users>),
    },
}

impl Access {
    /// Whether the value may be absent.
    pub fn is_optional(&self) -> bool {
        matches!(self, Access::Optional { .. }) || self.is_text()
    }

    /// Whether the value is written as text that has a syntax of its own, and may be absent.
    pub fn is_text(&self) -> bool {
        matches!(self, Access::Law { .. } | Access::Interval { .. } | Access::Models { .. } | Access::Users { .. })
    }

    /// Whether it is about the machines, not about conditions.
    pub fn is_of_cluster(&self) -> bool {
        matches!(self, Access::Count { .. })
    }

    /// The rule for a value.
    pub fn rule(&self) -> &'static str {
        match self {
            Access::Number { range, .. } | Access::Optional { range, .. } | Access::Count { range, .. } => range.rule,
            Access::Whole { .. } => "a whole number from 0",
            Access::Placement { .. } => "a placer. There are: keep, pack, spread, buddy",
            Access::Law { .. } => SpeedupLaw::RULE,
            Access::Interval { .. } => Interval::RULE,
            Access::Models { .. } => ModelMix::RULE,
            Access::Users { .. } => Users::RULE,
        }
    }
}
