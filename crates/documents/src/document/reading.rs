//! Reads types from a [`Node`], and says at which place of it a value does not fit.
//!
//! One concrete reader: code for each type is made once, for this reader. A reader of text that is wrapped to note the
//! place (`serde_path_to_error`) makes it twice, which is 180 kB of the worker's module.
//!
//! ```text
//! {"policies": ["fixed", "greedy"]}   policies[1]: greedy is not a policy
//! ```

use std::fmt;
use std::slice::Iter;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::node::{Members, Node};

/// A value that does not fit, with its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Misfit {
    /// The reason.
    pub message: String,
    /// The way to the value, from the inside out.
    steps: Vec<Step>,
}

/// A step from a value to one inside it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// To a member of an object.
    Member(String),
    /// To an entry of an array.
    Entry(usize),
}

impl Misfit {
    fn inside(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// The way to the value, from the outside in.
    pub fn way(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().rev()
    }

    /// The place in words: `conditions.faults`, `policies[1]`; empty for the whole.
    pub fn place(&self) -> String {
        let mut place = String::new();
        for step in self.way() {
            match step {
                Step::Member(name) if place.is_empty() => place.push_str(name),
                Step::Member(name) => {
                    place.push('.');
                    place.push_str(name);
                }
                Step::Entry(at) => place.push_str(&format!("[{at}]")),
            }
        }
        place
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Misfit {}

impl Error for Misfit {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), steps: Vec::new() }
    }

    fn invalid_type(found: Unexpected, expected: &dyn Expected) -> Self {
        match found {
            // As JSON has it.
            Unexpected::Unit => Self::custom(format_args!("invalid type: null, expected {expected}")),
            _ => Self::custom(format_args!("invalid type: {found}, expected {expected}")),
        }
    }
}

/// Reads a type from a value.
pub(super) fn read<T: DeserializeOwned>(node: &Node) -> Result<T, Misfit> {
    T::deserialize(Reader(node))
}

#[derive(Clone, Copy)]
struct Reader<'de>(&'de Node);

impl<'de> Reader<'de> {
    fn found(self) -> Unexpected<'de> {
        match self.0 {
            Node::Null => Unexpected::Unit,
            Node::Bool(value) => Unexpected::Bool(*value),
            Node::Whole(value) => Unexpected::Unsigned(*value),
            Node::Negative(value) => Unexpected::Signed(*value),
            Node::Number(value) => Unexpected::Float(*value),
            Node::Text(text) => Unexpected::Str(text),
            Node::List(_) => Unexpected::Seq,
            Node::Object(_) => Unexpected::Map,
        }
    }

    fn misfit(self, expected: &dyn Expected) -> Misfit {
        Misfit::invalid_type(self.found(), expected)
    }
}

// What a type cannot be is refused here and not by its visitor: code for lists and objects in the reader of every number
// would be 100 kB.
macro_rules! any_number {
    ($($name:ident)*) => {
        $(fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
            match self.0 {
                Node::Whole(value) => visitor.visit_u64(*value),
                Node::Negative(value) => visitor.visit_i64(*value),
                Node::Number(value) => visitor.visit_f64(*value),
                _ => Err(self.misfit(&visitor)),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Node::Null => visitor.visit_unit(),
            Node::Bool(value) => visitor.visit_bool(*value),
            Node::Whole(value) => visitor.visit_u64(*value),
            Node::Negative(value) => visitor.visit_i64(*value),
            Node::Number(value) => visitor.visit_f64(*value),
            Node::Text(text) => visitor.visit_borrowed_str(text),
            Node::List(entries) => list(entries, visitor),
            Node::Object(members) => visitor.visit_map(MembersReader::of(members)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Node::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match self.0 {
            Node::Text(name) => visitor.visit_enum(Variant { name, value: None }),
            Node::Object(members) => {
                let one = &"an object with one member";
                let Some((name, value)) = members.first() else { return Err(Misfit::invalid_length(0, one)) };
                let read = visitor.visit_enum(Variant { name, value: Some(value) })?;
                if members.len() == 1 { Ok(read) } else { Err(Misfit::invalid_length(members.len(), one)) }
            }
            _ => Err(Misfit::invalid_type(self.found(), &"a name, or an object with one member")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_unit()
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Node::Bool(value) => visitor.visit_bool(*value),
            _ => Err(self.misfit(&visitor)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Node::Text(text) => visitor.visit_borrowed_str(text),
            _ => Err(self.misfit(&visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_str(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Node::List(entries) => list(entries, visitor),
            _ => Err(self.misfit(&visitor)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Node::Object(members) => visitor.visit_map(MembersReader::of(members)),
            _ => Err(self.misfit(&visitor)),
        }
    }

    /// Members are named: an array in the place of an object is a mistake.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        self.deserialize_map(visitor)
    }

    any_number! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8 deserialize_u16 deserialize_u32
        deserialize_u64 deserialize_f32 deserialize_f64
    }

    forward_to_deserialize_any! {
        i128 u128 char bytes byte_buf unit unit_struct tuple_struct identifier
    }
}

fn list<'de, V: Visitor<'de>>(entries: &'de [Node], visitor: V) -> Result<V::Value, Misfit> {
    let mut rest = Entries { rest: entries.iter(), at: 0 };
    let value = visitor.visit_seq(&mut rest)?;
    match rest.rest.len() {
        0 => Ok(value),
        _ => Err(Misfit::invalid_length(entries.len(), &"fewer elements in array")),
    }
}

struct Entries<'de> {
    rest: Iter<'de, Node>,
    at: usize,
}

impl<'de> SeqAccess<'de> for &mut Entries<'de> {
    type Error = Misfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Misfit> {
        let Some(node) = self.rest.next() else { return Ok(None) };
        let at = self.at;
        self.at += 1;
        seed.deserialize(Reader(node)).map(Some).map_err(|misfit| misfit.inside(Step::Entry(at)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

struct MembersReader<'de> {
    rest: Iter<'de, (String, Node)>,
    present: Option<&'de (String, Node)>,
}

impl<'de> MembersReader<'de> {
    fn of(members: &'de Members) -> Self {
        Self { rest: members.iter(), present: None }
    }
}

impl<'de> MapAccess<'de> for MembersReader<'de> {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Misfit> {
        self.present = self.rest.next();
        let Some((name, _)) = self.present else { return Ok(None) };
        seed.deserialize(Name(name)).map(Some).map_err(|misfit| misfit.inside(Step::Member(name.clone())))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Misfit> {
        let Some((name, node)) = self.present else { return Err(Misfit::custom("a name has no value")) };
        seed.deserialize(Reader(node)).map_err(|misfit| misfit.inside(Step::Member(name.clone())))
    }
}

/// The name of a member: a text, or a number where the type counts by numbers.
struct Name<'de>(&'de str);

macro_rules! numbers {
    ($($name:ident $visit:ident $number:ty,)*) => {
        $(fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
            match self.0.parse::<$number>() {
                Ok(number) => visitor.$visit(number),
                Err(_) => visitor.visit_borrowed_str(self.0),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Name<'de> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    numbers! {
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64,
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

/// A variant: a name, or a name with a value.
struct Variant<'de> {
    name: &'de str,
    value: Option<&'de Node>,
}

impl Variant<'_> {
    fn inside(&self) -> impl Fn(Misfit) -> Misfit {
        let name = self.value.map(|_| self.name.to_string());
        move |misfit| match &name {
            Some(name) => misfit.inside(Step::Member(name.clone())),
            None => misfit,
        }
    }
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Misfit;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Misfit> {
        let variant = seed.deserialize(Name(self.name))?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = Misfit;

    fn unit_variant(self) -> Result<(), Misfit> {
        match self.value {
            None | Some(Node::Null) => Ok(()),
            Some(node) => {
                Err(Misfit::invalid_type(Reader(node).found(), &"nothing beside the name")).map_err(self.inside())
            }
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Misfit> {
        match self.value {
            Some(node) => seed.deserialize(Reader(node)).map_err(self.inside()),
            None => Err(Misfit::invalid_type(Unexpected::UnitVariant, &"newtype variant")),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Misfit> {
        match self.value {
            Some(node) => Reader(node).deserialize_any(visitor).map_err(self.inside()),
            None => Err(Misfit::invalid_type(Unexpected::UnitVariant, &"tuple variant")),
        }
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Misfit> {
        match self.value {
            Some(node) => Reader(node).deserialize_any(visitor).map_err(self.inside()),
            None => Err(Misfit::invalid_type(Unexpected::UnitVariant, &"struct variant")),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::document::Document;

    /// Documents with a part of every kind.
    fn samples() -> Vec<Value> {
        let texts = crate::presets::PRESETS.iter().map(|preset| preset.json);
        let mut samples: Vec<Value> = texts.map(|text| serde_json::from_str(text).unwrap()).collect();
        samples.push(json!({
            "elastiplan": 1,
            "jobs": {"file": "jobs.csv", "map": "submit_s=start gpus=n duration_s=end-start"},
            "curves": {"given": [{"model": "a", "power": {"samples_per_s": 1.0, "factor": 0.9, "gpus_max": 8}}]},
            "cluster": {"nodes": 2, "gpus_per_node": 8},
            "files": {"jobs.csv": "ae1e00fe3231aee4"},
            "policies": ["fixed", "elastic-dp[delta_s=60]"],
            "forks": ["at=1h nodes=20"],
        }));
        samples
    }

    /// Every value of a document, by a pointer to it.
    fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
        found.push(at.into());
        match value {
            Value::Object(members) => {
                members.iter().for_each(|(name, inner)| pointers(inner, &format!("{at}/{name}"), found));
            }
            Value::Array(entries) => {
                entries.iter().take(4).enumerate().for_each(|(i, inner)| pointers(inner, &format!("{at}/{i}"), found));
            }
            _ => {}
        }
    }

    fn damage(value: &mut Value, kind: usize) {
        match (kind, value) {
            (0, Value::Object(members)) => {
                members.insert("unknown".into(), json!(1));
            }
            (1, Value::Object(members)) => {
                let first = members.keys().next().cloned();
                first.and_then(|name| members.remove(&name));
            }
            (2, Value::Array(entries)) => entries.push(json!({})),
            (3, Value::Array(entries)) => {
                entries.pop();
            }
            (4, value) => *value = json!(null),
            (5, value) => *value = json!("text"),
            (6, value) => *value = json!(-7),
            (7, value) => *value = json!(1.5),
            (8, value) => *value = json!([1, "a"]),
            (9, value) => *value = json!({"a": {"b": 1}}),
            (10, value) => *value = json!({"a": 1, "b": 2}),
            (11, value) => *value = json!(true),
            (_, value) => *value = json!(300),
        }
    }

    /// The same by serde_json, wrapped.
    fn naive(text: &str) -> Result<Document, (String, String)> {
        let mut reader = serde_json::Deserializer::from_str(text);
        serde_path_to_error::deserialize(&mut reader).map_err(|error: serde_path_to_error::Error<serde_json::Error>| {
            let place = error.path().to_string();
            let inner = error.into_inner();
            let position = format!(" at line {} column {}", inner.line(), inner.column());
            (if place == "." { String::new() } else { place }, inner.to_string().replace(&position, ""))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        #[test]
        fn places_and_messages_are_those_of_a_reader_of_text(
            which in any::<prop::sample::Index>(),
            damages in prop::collection::vec((any::<prop::sample::Index>(), 0..13_usize), 0..3),
        ) {
            let samples = samples();
            let mut value = which.get(&samples).clone();
            for (at, kind) in damages {
                let mut found = Vec::new();
                pointers(&value, "", &mut found);
                damage(value.pointer_mut(at.get(&found).as_str()).unwrap(), kind);
            }
            let text = value.to_string();
            let node: Node = serde_json::from_str(&text).unwrap();
            let ours = read::<Document>(&node).map_err(|misfit| (misfit.place(), misfit.message));
            let expected = naive(&text);
            // What a reader of text meets as a wrong letter, this one meets as a wrong value.
            let is_of_letters = |message: &str| ["expected", "trailing"].iter().any(|start| message.starts_with(start));
            match (ours, expected) {
                // An array in the place of an object is refused here, and read by position there.
                (Err((_, message)), _) if message.starts_with("invalid type: sequence") => {}
                (Err((place, _)), Err((expected, message))) if is_of_letters(&message) => {
                    prop_assert_eq!(place, expected);
                }
                (ours, expected) => prop_assert_eq!(ours, expected),
            }
        }
    }
}
