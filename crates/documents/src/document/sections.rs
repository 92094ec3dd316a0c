//! The sections `what_if` and `conditions` of a document, by the table of fields.

use std::fmt;
use std::sync::{Arc, OnceLock};

use elastiplan_model::Prices;
use elastiplan_scenario::fields::{Access, FIELDS, Field, Value};
use elastiplan_scenario::{Conditions, Placement};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::PriceSource;

const WHAT_IF: &str = "what_if";
pub(super) const CONDITIONS: &str = "conditions";
pub(super) const FAULTS: &str = "conditions.faults";
/// Members of `conditions` that are no fields but objects of their own, each with the field that it follows.
const OBJECTS: [(&str, &str); 3] =
    [("rescale_by_model", "rescale_down_s"), ("cloud", "interference_slowdown"), ("prices", "interference_slowdown")];

/// The section `what_if`.
pub(super) type WhatIfPart = Part<true>;
/// The section `conditions`.
pub(super) type ConditionsPart = Part<false>;

/// A section.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Part<const IS_WHAT_IF: bool> {
    conditions: Conditions,
    /// The source of the prices; in `conditions` only.
    pub prices: Option<PriceSource>,
}

/// The fields of a section, in their order.
pub(super) fn fields(section: &str) -> impl Iterator<Item = &'static Field> {
    FIELDS.iter().filter(move |field| field.place().0 == section)
}

/// Copies the fields of a section.
fn copy(section: &str, from: &Conditions, to: &mut Conditions) {
    for field in fields(section) {
        // Values are checked later, and those of one field always fit it.
        field.write(to, field.get(from));
    }
}

impl<const IS_WHAT_IF: bool> Part<IS_WHAT_IF> {
    pub(super) const SECTION: &str = if IS_WHAT_IF { WHAT_IF } else { CONDITIONS };

    pub fn of(conditions: &Conditions) -> Self {
        let mut own = Conditions::default();
        copy(Self::SECTION, conditions, &mut own);
        if IS_WHAT_IF {
            return Self { conditions: own, prices: None };
        }
        copy(FAULTS, conditions, &mut own);
        let Conditions { rescale_by_model, cloud, prices, .. } = conditions.clone();
        Self {
            conditions: Conditions { rescale_by_model, cloud, ..own },
            prices: prices.as_deref().map(PriceSource::of),
        }
    }
}

impl ConditionsPart {
    /// The conditions of both sections, with seed and prices.
    pub fn with(&self, what_if: &WhatIfPart, seed: u64, prices: Option<Prices>) -> Conditions {
        let prices = prices.map(Arc::new);
        let mut conditions = Conditions { seed, prices, ..self.conditions.clone() };
        copy(WHAT_IF, &what_if.conditions, &mut conditions);
        conditions
    }
}

/// The names that a section may hold, in their order.
pub(super) fn names(section: &str) -> &'static [&'static str] {
    static NAMES: OnceLock<[Vec<&'static str>; 3]> = OnceLock::new();
    let [what_if, conditions, faults] = NAMES.get_or_init(|| [WHAT_IF, CONDITIONS, FAULTS].map(list_names));
    match section {
        WHAT_IF => what_if,
        FAULTS => faults,
        _ => conditions,
    }
}

fn list_names(section: &str) -> Vec<&'static str> {
    let mut names = Vec::new();
    for field in FIELDS {
        let (place, name) = field.place();
        if place == section {
            names.push(name);
            names.extend(OBJECTS.iter().filter(|(_, before)| *before == name).map(|(object, _)| *object));
        } else if place == FAULTS && section == CONDITIONS && !names.contains(&"faults") {
            names.push("faults");
        }
    }
    names
}

/// A section that is being written.
struct Written<'a> {
    section: &'static str,
    conditions: &'a Conditions,
    prices: &'a Option<PriceSource>,
}

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { section, conditions, prices } = *self;
        let names = names(section);
        let mut map = serializer.serialize_map(Some(names.len()))?;
        for name in names {
            let field = fields(section).find(|field| field.place().1 == *name);
            match (field.map(|field| field.get(conditions)), *name) {
                (Some(Value::Absent), _) => map.serialize_entry(name, &())?,
                (Some(Value::Number(value)), _) => map.serialize_entry(name, &value)?,
                (Some(Value::Whole(value)), _) => map.serialize_entry(name, &value)?,
                (Some(Value::Placement(value)), _) => map.serialize_entry(name, value.name())?,
                (Some(text), _) => map.serialize_entry(name, &text.to_string())?,
                (None, "faults") => map.serialize_entry(name, &Written { section: FAULTS, ..*self })?,
                (None, "rescale_by_model") => map.serialize_entry(name, &conditions.rescale_by_model)?,
                (None, "cloud") => map.serialize_entry(name, &conditions.cloud)?,
                (None, _) => map.serialize_entry(name, prices)?,
            }
        }
        map.end()
    }
}

/// A section that is being read.
struct Reading<'a> {
    section: &'static str,
    conditions: &'a mut Conditions,
    prices: &'a mut Option<PriceSource>,
}

impl<'de> DeserializeSeed<'de> for Reading<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Reading<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with fields of {}", self.section)
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let Self { section, conditions, prices } = self;
        let mut given: Vec<&str> = Vec::new();
        while let Some(name) = map.next_key_seed(Name(names(section)))? {
            if given.contains(&name) {
                return Err(M::Error::duplicate_field(name));
            }
            given.push(name);
            let field = fields(section).find(|field| field.place().1 == name);
            match (field, name) {
                (Some(field), _) => field.write(conditions, map.next_value_seed(OfField(field))?),
                (None, "faults") => map.next_value_seed(Reading { section: FAULTS, conditions, prices })?,
                (None, "rescale_by_model") => conditions.rescale_by_model = map.next_value()?,
                (None, "cloud") => conditions.cloud = map.next_value()?,
                (None, _) => *prices = map.next_value()?,
            }
        }
        Ok(())
    }
}

/// A name among those that there are.
struct Name(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = &'static str;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<&'static str, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = &'static str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("field identifier")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<&'static str, E> {
        self.0.iter().copied().find(|known| *known == name).ok_or_else(|| E::unknown_field(name, self.0))
    }
}

/// A value of a field.
struct OfField(&'static Field);

impl<'de> DeserializeSeed<'de> for OfField {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Ok(match self.0.access {
            Access::Number { .. } => Value::Number(f64::deserialize(deserializer)?),
            Access::Optional { .. } => Option::<f64>::deserialize(deserializer)?.into(),
            Access::Whole { .. } | Access::Count { .. } => Value::Whole(u64::deserialize(deserializer)?),
            Access::Placement { .. } => {
                let name = String::deserialize(deserializer)?;
                let unknown = || D::Error::unknown_variant(&name, Placement::NAMES);
                Value::Placement(Placement::named(&name).ok_or_else(unknown)?)
            }
            Access::Law { .. } | Access::Interval { .. } | Access::Models { .. } | Access::Users { .. } => {
                match Option::<String>::deserialize(deserializer)? {
                    Some(text) => self.0.parse(&text).map_err(D::Error::custom)?,
                    None => Value::Absent,
                }
            }
        })
    }
}

impl<const IS_WHAT_IF: bool> Serialize for Part<IS_WHAT_IF> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { conditions, prices } = self;
        Written { section: Self::SECTION, conditions, prices }.serialize(serializer)
    }
}

impl<'de, const IS_WHAT_IF: bool> Deserialize<'de> for Part<IS_WHAT_IF> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut part = Self::default();
        let Self { conditions, prices } = &mut part;
        Reading { section: Self::SECTION, conditions, prices }.deserialize(deserializer)?;
        Ok(part)
    }
}
