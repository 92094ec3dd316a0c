//! JSON as a tree, with members in their order and repeated ones kept: what documents are read from and mended in.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::DocumentError;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number that is not negative.
    Whole(u64),
    /// A negative whole number.
    Negative(i64),
    /// Any other number.
    Number(f64),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Node>),
    /// An object.
    Object(Members),
}

/// The members of an object. A name may stand there twice, which the reader of the type refuses.
pub(super) type Members = Vec<(String, Node)>;

impl Node {
    /// Reads a text.
    pub fn parse(text: &str) -> Result<Self, DocumentError> {
        serde_json::from_str(text).map_err(|error| DocumentError::syntax(&error))
    }

    /// An object with one member.
    pub fn of_member(name: &str, value: Node) -> Self {
        Self::Object(vec![(name.into(), value)])
    }

    /// The members, if it is an object.
    pub fn members(&self) -> Option<&Members> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Leaves the last of members of one name.
    pub fn without_repeated(self) -> Self {
        match self {
            Self::List(entries) => Self::List(entries.into_iter().map(Self::without_repeated).collect()),
            Self::Object(members) => {
                let mut kept = Members::new();
                for (name, value) in members {
                    set(&mut kept, &name, value.without_repeated());
                }
                Self::Object(kept)
            }
            other => other,
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Whole(value) => write!(f, "{value}"),
            Self::Negative(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::List(_) => f.write_str("[…]"),
            Self::Object(_) => f.write_str("{…}"),
        }
    }
}

/// A member by its name.
pub(super) fn get<'a>(members: &'a Members, name: &str) -> Option<&'a Node> {
    members.iter().find(|(known, _)| known == name).map(|(_, value)| value)
}

/// Sets a member.
pub(super) fn set(members: &mut Members, name: &str, value: Node) {
    match members.iter_mut().find(|(known, _)| known == name) {
        Some((_, known)) => *known = value,
        None => members.push((name.into(), value)),
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Whole(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Negative(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.into()))
    }

    fn visit_string<E>(self, value: String) -> Result<Node, E> {
        Ok(Node::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let mut list = Vec::new();
        while let Some(entry) = entries.next_element()? {
            list.push(entry);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Node, A::Error> {
        let mut object = Members::new();
        while let Some(member) = members.next_entry()? {
            object.push(member);
        }
        Ok(Node::Object(object))
    }
}
