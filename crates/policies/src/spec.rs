//! Policy ids as text: `name[parameter=value,...]`.

use std::fmt;
use std::str::FromStr;

use elastiplan_engine::Policy;
use elastiplan_model::order::sort_by_rank;
use elastiplan_text::pairs::{bracketed, pairs};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::parameters::{Entry, Parameter, Parameters};
use crate::registry::{REGISTRY, WITH_PROGRAM, builder, find, sample_builder};

/// A policy of the registry with some parameters set.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PolicySpec {
    name: String,
    /// Only what was given, in the order of the policy's parameters.
    given: Vec<(String, String)>,
}

/// What is wrong with a policy id.
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

    /// Its entry in the registry.
    pub fn entry(&self) -> Option<&'static Entry> {
        find(&self.name)
    }

    /// The value of a parameter, given or by default; `None` if the policy has no such parameter.
    pub fn value(&self, parameter: &str) -> Option<String> {
        let given = self.given.iter().find(|(name, _)| name == parameter).map(|(_, value)| value.clone());
        given.or_else(|| Some(self.parameter(parameter)?.kind.default_text()))
    }

    fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.entry()?.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// The same policy with one parameter set. A value equal to the default is left out.
    pub fn with(&self, parameter: &str, value: &str) -> Result<Self, SpecError> {
        let others = self.given.iter().filter(|(name, _)| name != parameter).cloned();
        let is_default = |known: &Parameter| known.kind.normalised(value) == Some(known.kind.default_text());
        let set = (!self.parameter(parameter).is_some_and(is_default)).then(|| (parameter.into(), value.into()));
        Self::checked(&self.name, others.chain(set))
    }

    /// Builds the policy. `seed` is for policies that draw random numbers.
    pub fn build(&self, seed: u64) -> Option<Box<dyn Policy>> {
        builder(&self.name).map(|build| build(&Parameters::new(&self.given, seed, false)))
    }

    /// Builds the policy if it belongs to the built-in sample; code that calls only this contains no other policy.
    pub fn build_of_sample(&self, seed: u64) -> Option<Box<dyn Policy>> {
        sample_builder(&self.name).map(|build| build(&Parameters::new(&self.given, seed, false)))
    }

    /// Builds the policy so that it keeps its last decision: see [`crate::decision`]. `None` for a policy whose decisions
    /// are no programs.
    pub fn build_keeping_decisions(&self, seed: u64) -> Option<Box<dyn Policy>> {
        let build = builder(&self.name).filter(|_| WITH_PROGRAM.contains(&self.name()))?;
        Some(build(&Parameters::new(&self.given, seed, true)))
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
        sort_by_rank(&mut placed, |(at, _, _)| *at as u64);
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
        let (name, inside) = bracketed(text).ok_or_else(shape)?;
        let owned = |(parameter, value): (&str, &str)| (parameter.to_string(), value.to_string());
        let given: Result<Vec<_>, _> = pairs(inside).map(|pair| pair.map(owned).map_err(|_| shape())).collect();
        Self::checked(name, given?.into_iter())
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
