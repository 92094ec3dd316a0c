//! From a query to text that is read as the same query.

use std::fmt;

use super::ast::{Clause, Compare, Condition, NumberField, Query, Term};
use super::parse::is_special;
use super::terms::{COMPARISONS, Kind, TermInfo};
use super::value;

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        separated(f, &self.clauses, " ")
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        separated(f, &self.terms, " or ")
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.negated { "-" } else { "" }, self.condition)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "{}", text_written(text)),
            Self::Named { field, exactly, text } => {
                let word = TermInfo::word_of(Kind::Text(*field));
                write!(f, "{word}{}{}", if *exactly { ':' } else { '~' }, value_written(text))
            }
            Self::Number { field, run, compare, value } => {
                write!(f, "{}", TermInfo::word_of(Kind::Number(*field)))?;
                run.map_or(Ok(()), |run| write!(f, ":{run}"))?;
                write!(f, "{}{}", compare.sign(), number_written(*field, *value))
            }
            Self::Is { state, run } => {
                write!(f, "{}", TermInfo::word_of(Kind::State(*state)))?;
                run.map_or(Ok(()), |run| write!(f, ":{run}"))
            }
        }
    }
}

impl Compare {
    /// As it is written.
    pub fn sign(self) -> &'static str {
        COMPARISONS.iter().find(|(sign, compare)| *compare == self && sign.is_ascii()).map_or("", |(sign, _)| sign)
    }
}

fn separated<T: fmt::Display>(f: &mut fmt::Formatter<'_>, parts: &[T], between: &str) -> fmt::Result {
    for (at, part) in parts.iter().enumerate() {
        write!(f, "{}{part}", if at > 0 { between } else { "" })?;
    }
    Ok(())
}

fn number_written(field: NumberField, value: f64) -> String {
    if field.is_time() { value::written(value) } else { value.to_string() }
}

/// Free text: in quotes where it would be read as something else.
pub(super) fn text_written(text: &str) -> String {
    let is_word =
        text.eq_ignore_ascii_case("or") || matches!(TermInfo::named(text).map(|term| term.kind), Some(Kind::State(_)));
    let is_plain = !text.is_empty()
        && !is_word
        && !text.starts_with('-')
        && !text.contains(|c: char| c.is_whitespace() || is_special(c));
    if is_plain { text.into() } else { quoted(text) }
}

/// Text after a comparison.
pub(super) fn value_written(text: &str) -> String {
    let is_plain = !text.is_empty() && !text.starts_with('"') && !text.contains(char::is_whitespace);
    if is_plain { text.into() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
