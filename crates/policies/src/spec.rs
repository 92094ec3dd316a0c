//! Policy ids as text: `name[parameter=value,...]`.

use std::fmt;
use std::str::FromStr;

use elastiplan_engine::Policy;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::decision::DecisionShared;
use crate::registry::{REGISTRY, builder, find, watched};

/// The word for a number that the policy is to find.
pub const AUTO: &str = "auto";

/// What the registry knows of a policy.
#[derive(Debug)]
pub struct Entry {
    /// Its name in ids.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// Where it comes from: paper and section.
    pub source: &'static str,
    /// Whether it changes the GPUs of jobs that run. Those that do not leave two or three spans a job.
    pub is_elastic: bool,
    /// What can be set.
    pub parameters: &'static [Parameter],
}

/// One thing that can be set.
#[derive(Debug)]
pub struct Parameter {
    /// Its name in ids, with its unit.
    pub name: &'static str,
    /// What it does, in one phrase.
    pub help: &'static str,
    /// What values it takes, and which it has if nothing is said.
    pub kind: Kind,
}

/// The values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// `true` or `false`.
    Flag {
        /// If nothing is said.
        default: bool,
    },
    /// A number.
    Number {
        /// If nothing is said.
        default: f64,
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
        /// Whether only whole numbers will do.
        whole: bool,
    },
    /// A number, or `auto`: the policy finds it.
    NumberOrAuto {
        /// If nothing is said.
        default: f64,
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// One of some words.
    Choice {
        /// All of them; the first is the one if nothing is said.
        words: &'static [&'static str],
    },
}

impl Kind {
    /// What values it takes, in words.
    pub fn rule(&self) -> String {
        match *self {
            Kind::Flag { .. } => "true or false".into(),
            Kind::Number { min, max, whole: true, .. } => format!("a whole number from {min} to {max}"),
            Kind::Number { min, max, whole: false, .. } => format!("a number from {min} to {max}"),
            Kind::NumberOrAuto { min, max, .. } => format!("a number from {min} to {max}, or {AUTO}"),
            Kind::Choice { words } => match words {
                [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
                words => words.concat(),
            },
        }
    }

    /// The value it has if nothing is said, as text.
    pub fn default_text(&self) -> String {
        match *self {
            Kind::Flag { default } => default.to_string(),
            Kind::Number { default, .. } | Kind::NumberOrAuto { default, .. } => default.to_string(),
            Kind::Choice { words } => words.first().copied().unwrap_or_default().into(),
        }
    }

    /// The value in its one spelling; `None` if it is not one.
    fn normalised(&self, text: &str) -> Option<String> {
        match *self {
            Kind::Flag { .. } => text.parse::<bool>().ok().map(|value| value.to_string()),
            Kind::NumberOrAuto { .. } if text == AUTO => Some(text.into()),
            Kind::NumberOrAuto { min, max, .. } => normalised_number(text, min, max, false),
            Kind::Number { min, max, whole, .. } => normalised_number(text, min, max, whole),
            Kind::Choice { words } => words.contains(&text).then(|| text.to_string()),
        }
    }
}

fn normalised_number(text: &str, min: f64, max: f64, whole: bool) -> Option<String> {
    let value = text.parse::<f64>().ok()?;
    let fits = (min..=max).contains(&value) && (!whole || value.trunc() == value);
    // Adding 0 makes 0 of -0.
    fits.then(|| (value + 0.0).to_string())
}

/// A policy of the registry with some parameters set.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PolicySpec {
    name: String,
    /// Only what was given, in the order of the policy's parameters.
    given: Vec<(String, String)>,
}

/// Why text is no policy id.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// Brackets or `=` are missing.
    #[error("{0}: write a policy as name or name[parameter=value,...]")]
    Shape(String),
    /// No policy of this name.
    #[error("{name} is not a policy. There are: {known}")]
    UnknownPolicy {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The policy has no such parameter.
    #[error("{policy} has no parameter {parameter}. It has: {known}")]
    UnknownParameter {
        /// The policy.
        policy: String,
        /// What was given.
        parameter: String,
        /// What it has.
        known: String,
    },
    /// A value that the parameter does not take.
    #[error("{policy}, {parameter}: {value} is not {rule}")]
    Value {
        /// The policy.
        policy: String,
        /// The parameter.
        parameter: String,
        /// What was given.
        value: String,
        /// What it takes.
        rule: String,
    },
    /// A parameter that is given twice.
    #[error("{policy}: {parameter} is given twice")]
    Twice {
        /// The policy.
        policy: String,
        /// The parameter.
        parameter: String,
    },
}

impl PolicySpec {
    /// The policy's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the registry knows of it.
    pub fn entry(&self) -> Option<&'static Entry> {
        find(&self.name)
    }

    /// The value of a parameter, given or by default.
    pub fn value(&self, parameter: &str) -> Option<String> {
        let given = self.given.iter().find(|(name, _)| name == parameter).map(|(_, value)| value.clone());
        let kind = || self.entry()?.parameters.iter().find(|p| p.name == parameter).map(|p| p.kind.default_text());
        given.or_else(kind)
    }

    /// The same policy with one parameter set; a value equal to the default is left unsaid.
    pub fn with(&self, parameter: &str, value: &str) -> Result<Self, SpecError> {
        let others = self.given.iter().filter(|(name, _)| name != parameter).cloned();
        let is_default = self
            .entry()
            .and_then(|entry| entry.parameters.iter().find(|p| p.name == parameter))
            .is_some_and(|p| p.kind.normalised(value).as_deref() == Some(p.kind.default_text().as_str()));
        let set = (!is_default).then(|| (parameter.to_string(), value.to_string()));
        Self::checked(&self.name, others.chain(set))
    }

    /// Makes the policy. `seed` is for policies that draw random numbers.
    pub fn build(&self, seed: u64) -> Option<Box<dyn Policy>> {
        builder(&self.name).map(|build| build(&Parameters { spec: self, seed }))
    }

    /// The same, with where it leaves what it decided about last; `None` for a policy that does not decide by a program.
    pub fn build_watched(&self, seed: u64) -> Option<(Box<dyn Policy>, DecisionShared)> {
        watched(&self.name).map(|watched| watched(&Parameters { spec: self, seed }))
    }

    fn checked(name: &str, given: impl Iterator<Item = (String, String)>) -> Result<Self, SpecError> {
        let entry = find(name).ok_or_else(|| SpecError::UnknownPolicy {
            name: name.into(),
            known: REGISTRY.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", "),
        })?;
        let mut placed = Vec::new();
        for (parameter, value) in given {
            let found = entry.parameters.iter().enumerate().find(|(_, known)| known.name == parameter);
            let Some((at, known)) = found else { return Err(unknown_parameter(entry, parameter)) };
            let policy = name.to_string();
            if placed.iter().any(|(other, _, _)| *other == at) {
                return Err(SpecError::Twice { policy, parameter });
            }
            match known.kind.normalised(&value) {
                Some(value) => placed.push((at, parameter, value)),
                None => {
                    let value = if value.is_empty() { "an empty value".into() } else { value };
                    return Err(SpecError::Value { policy, parameter, value, rule: known.kind.rule() });
                }
            }
        }
        placed.sort_by_key(|(at, _, _)| *at);
        let given = placed.into_iter().map(|(_, parameter, value)| (parameter, value)).collect();
        Ok(Self { name: name.into(), given })
    }
}

fn unknown_parameter(entry: &Entry, parameter: String) -> SpecError {
    let known: Vec<&str> = entry.parameters.iter().map(|known| known.name).collect();
    let known = if known.is_empty() { "none".into() } else { known.join(", ") };
    SpecError::UnknownParameter { policy: entry.name.into(), parameter, known }
}

impl FromStr for PolicySpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let text = text.trim();
        let shape = || SpecError::Shape(text.to_string());
        if text.is_empty() {
            return Err(SpecError::Shape("nothing".into()));
        }
        let Some((name, rest)) = text.split_once('[') else {
            return Self::checked(text, std::iter::empty());
        };
        let inside = rest.strip_suffix(']').ok_or_else(shape)?;
        let mut given = Vec::new();
        for pair in inside.split(',').filter(|pair| !pair.trim().is_empty()) {
            let (parameter, value) = pair.split_once('=').ok_or_else(shape)?;
            given.push((parameter.trim().to_string(), value.trim().to_string()));
        }
        Self::checked(name.trim(), given.into_iter())
    }
}

impl fmt::Display for PolicySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.given.is_empty() {
            return Ok(());
        }
        let pairs: Vec<String> = self.given.iter().map(|(name, value)| format!("{name}={value}")).collect();
        write!(f, "[{}]", pairs.join(","))
    }
}

impl TryFrom<String> for PolicySpec {
    type Error = SpecError;

    fn try_from(text: String) -> Result<Self, SpecError> {
        text.parse()
    }
}

impl From<PolicySpec> for String {
    fn from(spec: PolicySpec) -> Self {
        spec.to_string()
    }
}

/// The values that a policy is made with.
pub struct Parameters<'a> {
    spec: &'a PolicySpec,
    /// For policies that draw random numbers.
    pub seed: u64,
}

impl Parameters<'_> {
    /// A flag; false if the policy has none of this name.
    pub fn flag(&self, name: &str) -> bool {
        self.spec.value(name).is_some_and(|value| value == "true")
    }

    /// The word chosen; empty if the policy has none of this name.
    pub fn choice(&self, name: &str) -> String {
        self.spec.value(name).unwrap_or_default()
    }

    /// A number; `None` for `auto`, or if the policy has none of this name.
    pub fn number_unless_auto(&self, name: &str) -> Option<f64> {
        self.spec.value(name)?.parse().ok()
    }

    /// A number; 0 if the policy has none of this name.
    pub fn number(&self, name: &str) -> f64 {
        self.spec.value(name).and_then(|value| value.parse().ok()).unwrap_or(0.0)
    }
}
