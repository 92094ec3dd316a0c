//! JSON that is too large for memory as a whole: the elements of one list, one after the other.

use std::fmt;
use std::io::Read;

use elastiplan_model::{Diagnostic, Severity};
use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::text::findings::Findings;
use crate::text::records::Records;

/// The list that holds the rows.
#[derive(Clone, Copy)]
pub(crate) enum List {
    /// The document is the list.
    Whole,
    /// The list has this name in the document, which is an object.
    Named(&'static str),
    /// The same, if there is such a list; the other members are kept.
    IfNamed(&'static str),
}

/// The members of objects that are kept.
#[derive(Clone, Copy)]
pub(crate) struct Kept {
    /// Objects within so many others keep all of their members.
    pub depth: u32,
    /// Objects further within keep members with these names.
    pub names: &'static [&'static str],
}

/// Calls `visit` with each element of the list and its number, from 1. Of objects only members with these names are
/// kept. Where the text is broken, what came before has been visited, and a finding says where it broke.
pub(crate) fn for_each(
    records: &mut Records<'_, '_>,
    list: List,
    names: &'static [&'static str],
    findings: &mut Findings,
    visit: &mut dyn FnMut(u64, Json, &mut Findings),
) {
    let mut number = 0;
    let mut each = |element: Json| {
        number += 1;
        findings.begin_row(number);
        visit(number, element, findings);
    };
    let visitor = ValueVisitor { kept: Kept { depth: 0, names }, list: Some(list), each: Some(&mut each) };
    if let Err(error) = visitor.deserialize(&mut serde_json::Deserializer::from_reader(Text(records))) {
        report(&error, findings);
    }
}

/// Calls `visit` with each of several documents one after the other and its number, from 1; of documents that have a list
/// of this name, with each of its elements instead. Of objects only members with these names are kept. Where the text is
/// broken, what came before has been visited, and a finding says where it broke.
pub(crate) fn for_each_document(
    records: &mut Records<'_, '_>,
    list: &'static str,
    names: &'static [&'static str],
    findings: &mut Findings,
    visit: &mut dyn FnMut(u64, Json, &mut Findings),
) {
    let mut number = 0;
    let mut deserializer = serde_json::Deserializer::from_reader(Text(records));
    loop {
        let mut elements = 0;
        let mut each = |element: Json| {
            (number, elements) = (number + 1, elements + 1);
            findings.begin_row(number);
            visit(number, element, findings);
        };
        let kept = Kept { depth: 0, names };
        let visitor = ValueVisitor { kept, list: Some(List::IfNamed(list)), each: Some(&mut each) };
        let document = visitor.deserialize(&mut deserializer);
        match document {
            Err(error) => return report(&error, findings),
            Ok(document) if elements == 0 && !document.member("kind").cell().ends_with("List") => {
                number += 1;
                findings.begin_row(number);
                visit(number, document, findings);
            }
            Ok(_) => {}
        }
        if deserializer.end().is_ok() {
            return;
        }
    }
}

/// Reads a whole document.
pub(crate) fn document(records: &mut Records<'_, '_>, kept: Kept, findings: &mut Findings) -> Option<Json> {
    let visitor = ValueVisitor { kept, list: None, each: None };
    let result = visitor.deserialize(&mut serde_json::Deserializer::from_reader(Text(records)));
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

/// A value. One type for all sources, since a parser for each would be as large as their readers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Json {
    /// `null`, or what is not there.
    #[default]
    Missing,
    Number(f64),
    Text(String),
    List(Vec<Json>),
    /// The members in their order.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The member of an object with this name; of several the last. Missing if it is not there, or this is no object.
    pub fn member(&self, name: &str) -> &Self {
        self.members().iter().rev().find(|(own, _)| own == name).map_or(&Self::Missing, |(_, value)| value)
    }

    /// The members of an object; none if it is none.
    pub fn members(&self) -> &[(String, Self)] {
        if let Self::Object(members) = self { members } else { &[] }
    }

    /// The elements of a list; none if it is none.
    pub fn list(&self) -> &[Self] {
        if let Self::List(elements) = self { elements } else { &[] }
    }

    /// A value that may be written in several ways: alone, as the first of a list, or as `{"set": true, "number": 12}`.
    fn scalar(&self) -> &Self {
        match self {
            Self::List(elements) => elements.first().map_or(&Self::Missing, Self::scalar),
            Self::Object(_) => {
                let is = |name: &str| self.member(name).scalar() == &Self::Number(1.0);
                let is_set = self.member("set") == &Self::Missing || is("set");
                if is_set && !is("infinite") { self.member("number").scalar() } else { &Self::Missing }
            }
            value => value,
        }
    }

    /// The value as the text of a cell; empty if it is missing.
    pub fn cell(&self) -> String {
        match self.scalar() {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            _ => String::new(),
        }
    }

    /// The number, if it is one, also as text.
    pub fn number(&self) -> Option<f64> {
        match self.scalar() {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
            _ => None,
        }
    }
}

/// Reads a value, or the elements of a list in it one by one.
struct ValueVisitor<'f> {
    kept: Kept,
    /// Where the elements are that are visited; `None` for a value that is kept.
    list: Option<List>,
    each: Option<&'f mut dyn FnMut(Json)>,
}

impl ValueVisitor<'_> {
    /// The reader of a member of this object.
    fn of_member(&self) -> ValueVisitor<'static> {
        let kept = Kept { depth: self.kept.depth.saturating_sub(1), ..self.kept };
        ValueVisitor { kept, list: None, each: None }
    }
}

impl<'de> DeserializeSeed<'de> for ValueVisitor<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueVisitor<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.list {
            None => "a value",
            Some(List::Whole) => "a list of jobs",
            Some(List::Named(_)) => "an object with a list of jobs",
            Some(List::IfNamed(_)) => "an object",
        })
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Number(f64::from(u8::from(value))))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.into()))
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Missing)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
        let mut elements = Vec::new();
        let inner = || ValueVisitor { kept: self.kept, list: None, each: None };
        match (self.list, self.each) {
            (Some(List::Whole), Some(each)) => {
                while let Some(element) = list.next_element_seed(inner())? {
                    each(element);
                }
            }
            _ => {
                while let Some(element) = list.next_element_seed(inner())? {
                    elements.push(element);
                }
            }
        }
        Ok(Json::List(elements))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut object: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        while let Some(name) = object.next_key::<String>()? {
            match (self.list, self.each.as_deref_mut()) {
                (Some(List::Named(own) | List::IfNamed(own)), Some(each)) if own == name => {
                    let visitor = ValueVisitor { kept: self.kept, list: Some(List::Whole), each: Some(each) };
                    object.next_value_seed(visitor)?;
                }
                (None | Some(List::IfNamed(_)), _)
                    if self.kept.depth > 0 || self.kept.names.contains(&name.as_str()) =>
                {
                    members.push((name, object.next_value_seed(self.of_member())?));
                }
                _ => _ = object.next_value::<IgnoredAny>()?,
            }
        }
        Ok(Json::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Json {
        let visitor = ValueVisitor { kept: Kept { depth: 1, names: &["a", "number", "set"] }, list: None, each: None };
        visitor.deserialize(&mut serde_json::Deserializer::from_str(json)).unwrap()
    }

    #[test]
    fn values_in_several_ways() {
        let check = |json: &str, expected: Json| assert_eq!(read(json).scalar(), &expected, "{json}");
        check("12", Json::Number(12.0));
        check("-0.5", Json::Number(-0.5));
        check("true", Json::Number(1.0));
        check("\"a\"", Json::Text("a".into()));
        check("null", Json::Missing);
        check("[]", Json::Missing);
        check("[\"COMPLETED\", \"x\"]", Json::Text("COMPLETED".into()));
        check("{\"set\": true, \"infinite\": false, \"number\": 60}", Json::Number(60.0));
        check("{\"set\": false, \"infinite\": false, \"number\": 0}", Json::Missing);
        check("{\"set\": true, \"infinite\": true, \"number\": 0}", Json::Missing);
        check("{\"number\": 5}", Json::Number(5.0));
        check("{\"other\": [1, {}]}", Json::Missing);
    }

    #[test]
    fn members_of_objects() {
        let check = |json: &str, expected: f64| assert_eq!(read(json).member("a").number(), Some(expected), "{json}");
        check("{\"a\": 1}", 1.0);
        check("{\"b\": {\"a\": 3}, \"a\": \"2\"}", 2.0);
        check("{\"a\": 1, \"a\": [2]}", 2.0);
        // Of what is within the outermost object, only some is kept.
        check("{\"a\": 1, \"b\": {\"c\": 2}}", 1.0);
        assert_eq!(read("{\"b\": {\"c\": 2}}").member("b").members(), &[]);
        assert_eq!(read("[1]").member("a"), &Json::Missing);
        assert_eq!(read("{\"a\": [1, 2]}").member("a").list().len(), 2);
    }
}
