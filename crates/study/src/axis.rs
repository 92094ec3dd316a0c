//! What is varied, with its values.

use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Conditions;

use crate::target::Target;
use crate::{StudyError, ValuesPart};

/// An axis of a study.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its key in documents: `cluster.nodes`, `elastic-dp.delta_s`.
    pub key: String,
    /// Its name in sentences: `nodes`.
    pub label: String,
    /// Its values; numbers rise.
    pub values: Vec<AxisValue>,
    pub(crate) target: Target,
}

/// A value of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisValue {
    /// As it is written.
    pub text: String,
    /// The number, if it is one.
    pub number: Option<f64>,
}

impl Axis {
    /// An axis by its key in documents, checked against the policies of a study.
    pub fn new(key: &str, values: &ValuesPart, policies: &[PolicySpec]) -> Result<Self, StudyError> {
        let target = Target::named(key, policies)?;
        let place = format!("axes.{key}");
        let mut list: Vec<AxisValue> = Vec::new();
        for (text, number) in values.list(&place)? {
            if let Some(rule) = target.fault(&text, policies) {
                return Err(StudyError::new(place, text, rule));
            }
            let value = AxisValue { text, number };
            if list.contains(&value) {
                return Err(StudyError::new(place, value.text, "a value that stands there once"));
            }
            list.push(value);
        }
        if list.iter().all(|value| value.number.is_some()) {
            elastiplan_model::order::sort_by_number(&mut list, |value| value.number.unwrap_or_default());
        }
        Ok(Self { key: key.into(), label: target.label(), values: list, target })
    }

    /// Whether it changes the runs of a policy: a parameter of one changes nothing for the others.
    pub fn concerns(&self, policy: &PolicySpec) -> bool {
        self.target.concerns(policy)
    }

    /// The unit of its values, where it is a parameter of a policy: `s`, `GPU-h`; otherwise empty.
    pub fn unit(&self) -> &'static str {
        self.target.unit()
    }

    /// Its label with the unit of its values, for the head of a column: `delta of elastic-dp, s`.
    pub fn heading(&self) -> String {
        if self.unit().is_empty() { self.label.clone() } else { format!("{}, {}", self.label, self.unit()) }
    }

    /// A value with its unit: `60s`, `3250 GPU-s`; a word has none.
    pub fn value_text(&self, value: &str) -> String {
        match self.unit() {
            unit if unit.is_empty() || value.parse::<f64>().is_err() => value.into(),
            "s" => format!("{value}s"),
            unit => format!("{value} {unit}"),
        }
    }

    /// Whether at one of its values the seed draws something that jobs lack.
    pub(crate) fn draws_of_jobs(&self) -> bool {
        let Target::Field(field) = self.target else { return false };
        let mut conditions = Conditions::default();
        self.values.iter().flat_map(|value| field.parse(&value.text)).any(|value| {
            field.write(&mut conditions, value);
            conditions.draws_of_jobs()
        })
    }

    /// A value in words: `8 nodes`.
    pub fn at(&self, value: &str) -> String {
        match self.key.as_str() {
            "cluster.nodes" => format!("{value} {}", if value == "1" { "node" } else { "nodes" }),
            "curves.power.factor" => format!("a factor of {value}"),
            _ => format!("{} {}", self.label, self.value_text(value)),
        }
    }

    /// Whether sizes can be compared on it.
    pub fn is_of_numbers(&self) -> bool {
        self.values.iter().all(|value| value.number.is_some())
    }
}
