//! The values of an axis as documents write them: listed, in equal steps, or each so many times the one before.

use serde::{Deserialize, Serialize};

use crate::StudyError;

/// Values of one axis at most.
const VALUES_MAX: usize = 10_000;

/// The values of an axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "a list of values, {\"from\", \"to\", \"step\"} or {\"from\", \"to\", \"times\"}")]
pub enum ValuesPart {
    /// These.
    List(Vec<ValuePart>),
    /// From one number to another, or as near to it as steps come.
    Range(RangePart),
}

/// One value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "a number, a word, true or false")]
pub enum ValuePart {
    /// A flag.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A word.
    Word(String),
}

/// Numbers from one to another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RangePart {
    /// The first.
    pub from: f64,
    /// The last at most.
    pub to: f64,
    /// The distance of two; 1 if neither this nor `times` is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// How many times the one before each is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<f64>,
}

impl ValuesPart {
    /// The values as text, each with its number if it is one.
    pub(crate) fn list(&self, place: &str) -> Result<Vec<(String, Option<f64>)>, StudyError> {
        let values: Vec<(String, Option<f64>)> = match self {
            Self::List(values) => values.iter().map(ValuePart::text).collect(),
            Self::Range(range) => {
                range.numbers(place)?.into_iter().map(|value| (value.to_string(), Some(value))).collect()
            }
        };
        if values.is_empty() {
            return Err(StudyError::new(place, "an empty list", "a list with at least one value"));
        }
        if values.len() > VALUES_MAX {
            let rule = format!("at most {VALUES_MAX} values: choose a larger step");
            return Err(StudyError::new(place, format!("a list of {}", values.len()), rule));
        }
        Ok(values)
    }
}

impl ValuePart {
    fn text(&self) -> (String, Option<f64>) {
        match self {
            Self::Flag(flag) => (flag.to_string(), None),
            Self::Number(number) => (number.to_string(), Some(*number)),
            Self::Word(word) => (word.clone(), elastiplan_text::number(word)),
        }
    }
}

impl RangePart {
    fn numbers(&self, place: &str) -> Result<Vec<f64>, StudyError> {
        let Self { from, to, step, times } = *self;
        let fail = |value: String, rule: &str| Err(StudyError::new(place, value, rule));
        if !(from.is_finite() && to.is_finite()) {
            return fail(format!("{from} to {to}"), "a range of numbers");
        }
        if to < from {
            return fail(format!("from {from} to {to}"), "a range from the smaller to the larger number");
        }
        match (step, times) {
            (Some(_), Some(_)) => fail("both of step and times".into(), "one of the two"),
            (step, None) => {
                let step = step.unwrap_or(1.0);
                if !(step.is_finite() && step > 0.0) {
                    return fail(format!("a step of {step}"), "a step above 0");
                }
                // A little more than the last whole step, since tenths are not exact.
                let count = ((to - from) / step + 1e-9).floor().min(VALUES_MAX as f64) as usize;
                Ok((0..=count).map(|at| rounded(from + step * at as f64, step)).collect())
            }
            (None, Some(times)) => {
                if !(times.is_finite() && times > 1.0 && from > 0.0) {
                    return fail(
                        format!("{from}, each {times} times the one before"),
                        "above 0, each more than the one before",
                    );
                }
                let values = std::iter::successors(Some(from), |value| Some(value * times));
                Ok(values.take_while(|&value| value <= to * (1.0 + 1e-9)).take(VALUES_MAX + 1).collect())
            }
        }
    }
}

/// The number without the error of adding tenths: 0.3 and not 0.30000000000000004.
fn rounded(value: f64, step: f64) -> f64 {
    let digits = libm::pow(10.0, 9.0 - libm::ceil(libm::log10(step)));
    let rounded = (value * digits).round() / digits;
    if rounded.is_finite() { rounded } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expected: Result<&[&str], &str>) {
        let values: ValuesPart = serde_json::from_str(json).unwrap();
        let found = values.list("axes.x").map(|list| list.into_iter().map(|(text, _)| text).collect::<Vec<_>>());
        let expected = expected.map(|list| list.iter().map(ToString::to_string).collect()).map_err(String::from);
        assert_eq!(found.map_err(|error| error.to_string()), expected, "{json}");
    }

    #[test]
    fn lists_and_ranges() {
        check(r#"{"from": 8, "to": 11}"#, Ok(&["8", "9", "10", "11"]));
        check(r#"{"from": 0.1, "to": 0.5, "step": 0.1}"#, Ok(&["0.1", "0.2", "0.3", "0.4", "0.5"]));
        check(r#"{"from": 8, "to": 64, "times": 2}"#, Ok(&["8", "16", "32", "64"]));
        check(r#"{"from": 1, "to": 10, "step": 4}"#, Ok(&["1", "5", "9"]));
        check(r#"{"from": 3, "to": 3}"#, Ok(&["3"]));
        check(r#"[60, 300.5, "keep", true]"#, Ok(&["60", "300.5", "keep", "true"]));
    }

    #[test]
    fn what_is_no_list_of_values_is_named() {
        check("[]", Err("study.axes.x: an empty list is not a list with at least one value"));
        let reversed = "study.axes.x: from 9 to 3 is not a range from the smaller to the larger number";
        check(r#"{"from": 9, "to": 3}"#, Err(reversed));
        check(r#"{"from": 1, "to": 3, "step": 0}"#, Err("study.axes.x: a step of 0 is not a step above 0"));
        let many = "study.axes.x: a list of 10001 is not at most 10000 values: choose a larger step";
        check(r#"{"from": 1, "to": 1e9}"#, Err(many));
        check(
            r#"{"from": 1, "to": 9, "step": 1, "times": 2}"#,
            Err("study.axes.x: both of step and times is not one of the two"),
        );
    }
}
