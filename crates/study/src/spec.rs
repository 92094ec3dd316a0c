//! A study as a scenario document holds it.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeMap};

use crate::{GoalPart, Seeds, ValuesPart};

/// What is varied, how often each point is run, and what is asked. docs/studies.md describes every part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a study")]
pub struct Spec {
    /// What is varied, by the keys of fields and parameters, in the order in which it is drawn.
    #[serde(serialize_with = "write_axes", deserialize_with = "read_axes")]
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

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Find {
    /// The axis whose smallest value is looked for from which on all meet the goals.
    pub smallest: String,
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
