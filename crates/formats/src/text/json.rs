//! JSON that is too large for memory as a whole: the elements of one list, one after the other.

use std::fmt;
use std::io::Read;

use elastiplan_model::{Diagnostic, Severity};
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::text::findings::Findings;
use crate::text::records::Records;

/// The list that holds the rows.
#[derive(Clone, Copy)]
pub(crate) enum List {
    /// The document is the list.
    Whole,
    /// The list has this name in the document, which is an object.
    Named(&'static str),
}

/// Calls `visit` with each element of the list and its number, from 1. Where the text is broken, what came before has
/// been visited, and a finding says where it broke.
pub(crate) fn for_each<T: for<'de> Deserialize<'de>>(
    records: &mut Records<'_, '_>,
    list: List,
    findings: &mut Findings,
    mut visit: impl FnMut(u64, T, &mut Findings),
) {
    let mut number = 0;
    let mut each = |element: T| {
        number += 1;
        findings.begin_row(number);
        visit(number, element, findings);
    };
    let mut text = serde_json::Deserializer::from_reader(Text(records));
    let each: &mut dyn FnMut(T) = &mut each;
    let result = match list {
        List::Whole => Elements(each).deserialize(&mut text),
        List::Named(name) => Named { name, each }.deserialize(&mut text),
    };
    if let Err(error) = result {
        report(&error, findings);
    }
}

/// Reads a whole document.
pub(crate) fn document<T: for<'de> Deserialize<'de>>(
    records: &mut Records<'_, '_>,
    findings: &mut Findings,
) -> Option<T> {
    let result = T::deserialize(&mut serde_json::Deserializer::from_reader(Text(records)));
    result.map_err(|error| report(&error, findings)).ok()
}

fn report(error: &serde_json::Error, findings: &mut Findings) {
    let outcome = "Read up to there; the rest left out";
    let repair = "Check that the file was saved to the end, and that it is JSON as the standard has it: without comments, \
                  NaN and commas before brackets";
    findings.file(Diagnostic::new(Severity::Error, format!("JSON: {error}"), outcome, repair));
}

/// The text below, as bytes to read.
struct Text<'r, 'a, 'm>(&'r mut Records<'a, 'm>);

impl Read for Text<'_, '_, '_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        Ok(self.0.read(out))
    }
}

/// The elements of a list.
struct Elements<'f, T>(&'f mut dyn FnMut(T));

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Elements<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Elements<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of jobs")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element()? {
            (self.0)(element);
        }
        Ok(())
    }
}

/// The elements of a list of an object.
struct Named<'f, T> {
    name: &'static str,
    each: &'f mut dyn FnMut(T),
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Named<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Named<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with a list called {}", self.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(name) = object.next_key::<String>()? {
            if name == self.name {
                object.next_value_seed(Elements(&mut *self.each))?;
            } else {
                object.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// A value that may be written in several ways: alone, as the first of a list, or as `{"set": true, "number": 12}`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Scalar {
    /// `null`, or nothing that is a value.
    #[default]
    Missing,
    Text(String),
    Number(f64),
}

impl Scalar {
    /// The value as the text of a cell; empty if it is missing.
    pub fn cell(&self) -> String {
        match self {
            Self::Missing => String::new(),
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
            Self::Missing => None,
        }
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar::Number(f64::from(u8::from(value))))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Scalar, E> {
        Ok(Scalar::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Scalar, E> {
        Ok(Scalar::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Scalar, E> {
        Ok(Scalar::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Scalar, E> {
        Ok(Scalar::Text(value.into()))
    }

    fn visit_unit<E>(self) -> Result<Scalar, E> {
        Ok(Scalar::Missing)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Scalar, A::Error> {
        let first = list.next_element()?;
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(first.unwrap_or_default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Scalar, A::Error> {
        let (mut number, mut is_set) = (Scalar::Missing, true);
        while let Some(name) = object.next_key::<String>()? {
            match name.as_str() {
                "number" => number = object.next_value()?,
                "set" => is_set = object.next_value::<Scalar>()? != Scalar::Number(0.0),
                "infinite" => is_set &= object.next_value::<Scalar>()? == Scalar::Number(0.0),
                _ => _ = object.next_value::<IgnoredAny>()?,
            }
        }
        Ok(if is_set { number } else { Scalar::Missing })
    }
}

/// The number of elements of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Length(pub u32);

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Vec::<IgnoredAny>::deserialize(deserializer)?.len().try_into().unwrap_or(u32::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_several_ways() {
        let check = |json: &str, expected: Scalar| {
            assert_eq!(serde_json::from_str::<Scalar>(json).unwrap(), expected, "{json}");
        };
        check("12", Scalar::Number(12.0));
        check("-0.5", Scalar::Number(-0.5));
        check("true", Scalar::Number(1.0));
        check("\"a\"", Scalar::Text("a".into()));
        check("null", Scalar::Missing);
        check("[]", Scalar::Missing);
        check("[\"COMPLETED\", \"x\"]", Scalar::Text("COMPLETED".into()));
        check("{\"set\": true, \"infinite\": false, \"number\": 60}", Scalar::Number(60.0));
        check("{\"set\": false, \"infinite\": false, \"number\": 0}", Scalar::Missing);
        check("{\"set\": true, \"infinite\": true, \"number\": 0}", Scalar::Missing);
        check("{\"other\": [1, {}]}", Scalar::Missing);
    }
}
