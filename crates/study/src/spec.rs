//! A study as a scenario document holds it.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeMap};

use crate::packed::Packed;
use crate::{GoalPart, Seeds, ValuesPart};

/// What is varied, how often each point is run, and what is asked. docs/studies.md describes every part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields, expecting = "a study")]
pub struct Spec {
    /// What is varied, by the keys of fields and parameters, in the order in which it is drawn.
    #[serde(serialize_with = "write_axes", deserialize_with = "read_axes")]
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, ValuesPart>"))]
    pub axes: Vec<(String, ValuesPart)>,
    /// The seeds of each point.
    #[serde(default)]
    pub seeds: Seeds,
    /// What a seed draws.
    #[serde(default, skip_serializing_if = "Draws::is_default")]
    pub draws: Draws,
    /// What is asked of each point, all of it together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goals: Vec<GoalPart>,
    /// The question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub find: Option<Find>,
    /// Seconds after which no more runs are started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_budget_s: Option<f64>,
}

/// What a seed draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase", expecting = "\"seeds\" or \"days\"")]
pub enum Draws {
    /// What the scenario draws: generated jobs, failures.
    #[default]
    Seeds,
    /// The whole days of a recorded trace, too: as many as there are, with replacement.
    Days,
}

impl Draws {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Serialize for Spec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Documents leave parts out and tell values apart by what they look like; packed data can do neither.
        if serializer.is_human_readable() {
            Self::serialize(self, serializer)
        } else {
            Packed::from(self.clone()).serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Spec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            Self::deserialize(deserializer)
        } else {
            Packed::deserialize(deserializer).map(Self::from)
        }
    }
}

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase", expecting = "{\"smallest\"} or {\"largest\"} with the key of an axis")]
pub enum Find {
    /// The smallest value of this axis from which on all larger ones meet the goals: of nodes.
    Smallest(String),
    /// The largest value of this axis up to which all smaller ones meet the goals: of load.
    Largest(String),
}

impl Find {
    /// The key of the axis.
    pub fn axis(&self) -> &str {
        match self {
            Self::Smallest(axis) | Self::Largest(axis) => axis,
        }
    }
}

fn write_axes<S: Serializer>(axes: &[(String, ValuesPart)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(axes.len()))?;
    axes.iter().try_for_each(|(key, values)| map.serialize_entry(key, values))?;
    map.end()
}

/// Reads a map in its order; a key that stands there twice is an error.
fn read_axes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, ValuesPart)>, D::Error> {
    struct InOrder;

    impl<'de> de::Visitor<'de> for InOrder {
        type Value = Vec<(String, ValuesPart)>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("axes by the keys of fields and parameters")
        }

        fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut axes: Self::Value = Vec::new();
            while let Some((key, values)) = map.next_entry::<String, ValuesPart>()? {
                if axes.iter().any(|(other, _)| *other == key) {
                    return Err(de::Error::custom(format!("the axis {key} stands there twice")));
                }
                axes.push((key, values));
            }
            Ok(axes)
        }
    }

    deserializer.deserialize_map(InOrder)
}
