//! The reasons why a text is no mapping, or not one for a table.

use thiserror::Error;

use super::FIELDS;
use super::tokens::LENGTH_MAX;

/// The reason why a mapping cannot be used, with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the mapping, letter {at}{}: {problem}", near(text))]
pub struct MappingError {
    /// The letter at which it was found, counted from 1.
    pub at: usize,
    /// The text there; empty at the end.
    pub text: String,
    /// The problem.
    pub problem: MappingProblem,
}

/// What is wrong with a mapping.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MappingProblem {
    /// It is longer than any that can be meant.
    #[error("it is longer than {LENGTH_MAX} bytes")]
    TooLong,
    /// A sign that has no meaning.
    #[error("this sign has no meaning here; put names with other letters in double quotes")]
    Sign,
    /// A number that is too large.
    #[error("the number is too large")]
    NumberTooLarge,
    /// A quote that is not closed.
    #[error("the quote is not closed")]
    OpenQuote,
    /// Something else was expected.
    #[error("expected {0}")]
    Expected(&'static str),
    /// Parentheses within parentheses, too many.
    #[error("there are too many parentheses within each other")]
    TooDeep,
    /// A field that there is not.
    #[error("there is no such field{}", meant(.0.as_deref()))]
    UnknownField(Option<String>),
    /// A field given before.
    #[error("the field is given twice")]
    RepeatedField,
    /// Arithmetic where text is needed.
    #[error("the field is text: a column, or text in single quotes")]
    NotText,
    /// Text where a number is needed.
    #[error("text in single quotes is no number; put names of columns in double quotes")]
    NotNumber,
}

impl MappingError {
    /// A problem at a letter, with the text from there.
    pub(super) fn new(at: usize, text: &str, problem: MappingProblem) -> Self {
        const LETTERS: usize = 24;
        let mut short: String = text.chars().take(LETTERS).collect();
        if text.chars().nth(LETTERS).is_some() {
            short.push('…');
        }
        Self { at, text: short, problem }
    }

    /// A field that is not one, at a letter.
    pub(super) fn unknown_field(at: usize, text: &str) -> Self {
        Self::new(at, text, MappingProblem::UnknownField(elastiplan_text::nearest(text, FIELDS).map(String::from)))
    }
}

fn near(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(", {text}") }
}

fn meant(nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => format!("; did you mean {nearest}?"),
        None => format!(". There are: {}", FIELDS.join(", ")),
    }
}
