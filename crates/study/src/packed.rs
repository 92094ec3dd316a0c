//! A study as workers and presets take it: every part is written, and values say what they are.

use serde::{Deserialize, Serialize};

use crate::values::{RangePart, ValuePart};
use crate::{Draws, Find, GoalPart, Seeds, Spec, ValuesPart};

#[derive(Serialize, Deserialize)]
pub(crate) struct Packed {
    axes: Vec<(String, Values)>,
    seeds: PackedSeeds,
    /// Metric, at least, at most.
    goals: Vec<(String, Option<f64>, Option<f64>)>,
    find: Option<PackedFind>,
    draws_days: bool,
    time_budget_s: Option<f64>,
}

#[derive(Serialize, Deserialize)]
enum Values {
    List(Vec<Value>),
    /// From, to, step, times.
    Range(f64, f64, Option<f64>, Option<f64>),
}

#[derive(Serialize, Deserialize)]
enum Value {
    Flag(bool),
    Number(f64),
    Word(String),
}

#[derive(Serialize, Deserialize)]
enum PackedSeeds {
    Count(u32),
    List(Vec<u64>),
    /// At least, at most, half width.
    Until(u32, u32, Option<f64>),
}

#[derive(Serialize, Deserialize)]
enum PackedFind {
    Smallest(String),
    Largest(String),
}

impl From<Spec> for Packed {
    fn from(spec: Spec) -> Self {
        let Spec { axes, seeds, draws, goals, find, time_budget_s } = spec;
        Self {
            axes: axes.into_iter().map(|(key, values)| (key, values.into())).collect(),
            seeds: match seeds {
                Seeds::Count(count) => PackedSeeds::Count(count),
                Seeds::List(list) => PackedSeeds::List(list),
                Seeds::Until { at_least, at_most, half_width } => PackedSeeds::Until(at_least, at_most, half_width),
            },
            goals: goals
                .into_iter()
                .map(|GoalPart { metric, at_least, at_most }| (metric, at_least, at_most))
                .collect(),
            find: find.map(|find| match find {
                Find::Smallest(axis) => PackedFind::Smallest(axis),
                Find::Largest(axis) => PackedFind::Largest(axis),
            }),
            draws_days: draws == Draws::Days,
            time_budget_s,
        }
    }
}

impl From<Packed> for Spec {
    fn from(packed: Packed) -> Self {
        let Packed { axes, seeds, goals, find, draws_days, time_budget_s } = packed;
        Self {
            axes: axes.into_iter().map(|(key, values)| (key, values.into())).collect(),
            seeds: match seeds {
                PackedSeeds::Count(count) => Seeds::Count(count),
                PackedSeeds::List(list) => Seeds::List(list),
                PackedSeeds::Until(at_least, at_most, half_width) => Seeds::Until { at_least, at_most, half_width },
            },
            goals: goals
                .into_iter()
                .map(|(metric, at_least, at_most)| GoalPart { metric, at_least, at_most })
                .collect(),
            find: find.map(|find| match find {
                PackedFind::Smallest(axis) => Find::Smallest(axis),
                PackedFind::Largest(axis) => Find::Largest(axis),
            }),
            draws: if draws_days { Draws::Days } else { Draws::Seeds },
            time_budget_s,
        }
    }
}

impl From<ValuesPart> for Values {
    fn from(part: ValuesPart) -> Self {
        let value = |part: ValuePart| match part {
            ValuePart::Flag(flag) => Value::Flag(flag),
            ValuePart::Number(number) => Value::Number(number),
            ValuePart::Word(word) => Value::Word(word),
        };
        match part {
            ValuesPart::List(list) => Self::List(list.into_iter().map(value).collect()),
            ValuesPart::Range(RangePart { from, to, step, times }) => Self::Range(from, to, step, times),
        }
    }
}

impl From<Values> for ValuesPart {
    fn from(values: Values) -> Self {
        let part = |value: Value| match value {
            Value::Flag(flag) => ValuePart::Flag(flag),
            Value::Number(number) => ValuePart::Number(number),
            Value::Word(word) => ValuePart::Word(word),
        };
        match values {
            Values::List(list) => Self::List(list.into_iter().map(part).collect()),
            Values::Range(from, to, step, times) => Self::Range(RangePart { from, to, step, times }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A study packed and unpacked is the same.
    fn check(json: &str) {
        let spec: Spec = serde_json::from_str(json).unwrap();
        let packed = postcard::to_stdvec(&spec).unwrap();
        assert_eq!(postcard::from_bytes::<Spec>(&packed).unwrap(), spec, "{json}");
        let again: Spec = serde_json::from_str(&serde_json::to_string(&spec).unwrap()).unwrap();
        assert_eq!(again, spec, "{json}");
    }

    #[test]
    fn studies_are_packed_and_unpacked_as_they_are() {
        check(r#"{"axes": {}}"#);
        check(r#"{"axes": {"cluster.nodes": {"from": 8, "to": 64}}, "seeds": 10}"#);
        check(r#"{"axes": {"a": {"from": 8, "to": 64, "times": 2}, "b": [60, "keep", true]}, "seeds": [3, 7]}"#);
        check(
            r#"{"axes": {"a": {"from": 1, "to": 2, "step": 0.1}}, "time_budget_s": 60, "find": {"smallest": "a"},
            "seeds": {"at_least": 10, "at_most": 100, "half_width": 0.05},
            "goals": [{"metric": "avg_jct_s", "at_most": 60}, {"metric": "jobs_completed", "at_least": 3}]}"#,
        );
        check(
            r#"{"axes": {"what_if.arrival_rate": [1, 2]}, "draws": "days", "find": {"largest": "what_if.arrival_rate"}}"#,
        );
    }
}
