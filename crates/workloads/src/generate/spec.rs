//! A generator with its parameters, as text: `elasticflow[jobs=200,interarrival_s=900]`.

use std::fmt;
use std::str::FromStr;

use elastiplan_model::Trace;
use elastiplan_text::pairs::{bracketed, pairs};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{GENERATORS, Generator, Parameter};

/// A generator with a value for each of its parameters.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GeneratorSpec {
    generator: &'static Generator,
    /// In the order of the generator's parameters.
    values: Vec<f64>,
}

impl PartialEq for GeneratorSpec {
    fn eq(&self, other: &Self) -> bool {
        self.generator.name == other.generator.name && self.values == other.values
    }
}

/// Why a generator cannot be used as it is asked for.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum GeneratorError {
    /// Brackets or `=` are missing.
    #[error("{0}: write a generator as name or name[parameter=value,...]")]
    Shape(String),
    /// No generator of this name.
    #[error("{0} is not a generator. There are: {known}", known = names(GENERATORS.iter().map(|known| known.name)))]
    Unknown(String),
    /// The generator has no such parameter.
    #[error("{generator} has no parameter {parameter}. It has: {known}", known = parameters_of(generator))]
    UnknownParameter {
        /// The generator.
        generator: &'static str,
        /// What was given.
        parameter: String,
    },
    /// A value that cannot be, by itself or beside the others.
    #[error("{parameter}: {value} is not {rule}")]
    Value {
        /// The parameter.
        parameter: String,
        /// What was given.
        value: String,
        /// What it must be.
        rule: String,
    },
    /// A parameter that is given twice.
    #[error("{0} is given twice")]
    Twice(String),
}

fn names<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

fn parameters_of(generator: &str) -> String {
    names(Generator::named(generator).iter().flat_map(|known| known.parameters).map(|parameter| parameter.name))
}

impl GeneratorSpec {
    /// A generator as it is by default.
    pub fn of(generator: &'static Generator) -> Self {
        Self { generator, values: generator.parameters.iter().map(|parameter| parameter.default).collect() }
    }

    /// A generator with some parameters set.
    pub fn with_all<'a>(name: &str, given: impl IntoIterator<Item = (&'a str, f64)>) -> Result<Self, GeneratorError> {
        let generator = Generator::named(name).ok_or_else(|| GeneratorError::Unknown(name.into()))?;
        let mut spec = Self::of(generator);
        for (parameter, value) in given {
            spec.set(parameter, value)?;
        }
        spec.checked()
    }

    /// The same with one parameter set.
    pub fn with(&self, parameter: &str, value: f64) -> Result<Self, GeneratorError> {
        let mut spec = self.clone();
        spec.set(parameter, value)?;
        spec.checked()
    }

    fn set(&mut self, name: &str, value: f64) -> Result<(), GeneratorError> {
        let parameters = self.generator.parameters;
        let found = parameters.iter().zip(&mut self.values).find(|(parameter, _)| parameter.name == name);
        let Some((parameter, place)) = found else {
            let (generator, parameter) = (self.generator.name, name.into());
            return Err(GeneratorError::UnknownParameter { generator, parameter });
        };
        if !parameter.takes(value) {
            let (value, rule) = (value.to_string(), parameter.rule());
            return Err(GeneratorError::Value { parameter: name.into(), value, rule });
        }
        // Adding 0 makes 0 of -0.
        *place = value + 0.0;
        Ok(())
    }

    fn checked(self) -> Result<Self, GeneratorError> {
        match self.generator.check(&self) {
            None => Ok(self),
            Some(conflict) => {
                let value = self.value(conflict.parameter).unwrap_or_default().to_string();
                Err(GeneratorError::Value { parameter: conflict.parameter.into(), value, rule: conflict.rule })
            }
        }
    }

    /// The generator.
    pub fn generator(&self) -> &'static Generator {
        self.generator
    }

    /// The value of a parameter.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.values().find(|(parameter, _)| parameter.name == name).map(|(_, value)| value)
    }

    /// How many jobs are drawn: `jobs`, times `load` where there is such a thing.
    pub fn jobs(&self) -> usize {
        let load = self.value("load").unwrap_or(1.0);
        libm::round(self.value("jobs").unwrap_or_default() * load).max(1.0) as usize
    }

    /// All parameters with their values.
    pub fn values(&self) -> impl Iterator<Item = (&'static Parameter, f64)> + '_ {
        self.generator.parameters.iter().zip(self.values.iter().copied())
    }

    /// The jobs, drawn with `seed`.
    pub fn trace(&self, seed: u64) -> Trace {
        self.generator.draw(self, seed)
    }
}

impl fmt::Display for GeneratorSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.generator.name)?;
        let given = self.values().filter(|(parameter, value)| parameter.default != *value);
        let pairs: Vec<String> = given.map(|(parameter, value)| format!("{}={value}", parameter.name)).collect();
        if pairs.is_empty() { Ok(()) } else { write!(f, "[{}]", pairs.join(",")) }
    }
}

impl From<GeneratorSpec> for String {
    fn from(spec: GeneratorSpec) -> Self {
        spec.to_string()
    }
}

impl TryFrom<String> for GeneratorSpec {
    type Error = GeneratorError;

    fn try_from(text: String) -> Result<Self, GeneratorError> {
        text.parse()
    }
}

impl FromStr for GeneratorSpec {
    type Err = GeneratorError;

    fn from_str(text: &str) -> Result<Self, GeneratorError> {
        let text = text.trim();
        let shape = || GeneratorError::Shape(if text.is_empty() { "nothing".into() } else { text.into() });
        let (name, inside) = bracketed(text).ok_or_else(shape)?;
        let mut given: Vec<(&str, f64)> = Vec::new();
        for pair in pairs(inside) {
            let (parameter, value) = pair.map_err(|_| shape())?;
            if given.iter().any(|(before, _)| *before == parameter) {
                return Err(GeneratorError::Twice(parameter.into()));
            }
            let number = elastiplan_text::number(value).ok_or_else(|| GeneratorError::Value {
                parameter: parameter.into(),
                value: if value.is_empty() { "nothing".into() } else { value.into() },
                rule: "a number".into(),
            })?;
            given.push((parameter, number));
        }
        Self::with_all(name, given)
    }
}
