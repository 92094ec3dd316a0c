//! Why text is no query.

use std::ops::Range;

use thiserror::Error;

/// Where a query goes wrong, and what is allowed there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem}")]
pub struct ParseError {
    /// Which bytes of the text it is about; they begin and end between characters.
    pub at: Range<usize>,
    /// The problem.
    pub problem: Problem,
}

/// A problem of a query.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// A comparison after a word that is no term.
    #[error("{word} is not a term: {}", did_you_mean(*.nearest, "put text in quotes to search for it"))]
    UnknownTerm {
        /// The word.
        word: String,
        /// A term that looks like it.
        nearest: Option<&'static str>,
    },
    /// `state:` with another word.
    #[error("{word} is not a state: {}", did_you_mean(*.nearest, "use completed, dropped, failed, cancelled, unfinished, met or missed"))]
    UnknownState {
        /// The word.
        word: String,
        /// A state that looks like it.
        nearest: Option<&'static str>,
    },
    /// A term that breaks off.
    #[error("{term} needs a value, as in {example}")]
    NoValue {
        /// The term.
        term: &'static str,
        /// How it is used.
        example: &'static str,
    },
    /// A count that is none.
    #[error("{value} is not a whole number, as in {example}")]
    NotACount {
        /// The text found.
        value: String,
        /// How it is used.
        example: &'static str,
    },
    /// A time that is none.
    #[error("{value} is not a time with s, m, h or d, as in {example}")]
    NotATime {
        /// The text found.
        value: String,
        /// How it is used.
        example: &'static str,
    },
    /// A time without a unit.
    #[error("{value} has no unit: {value}s, {value}m, {value}h or {value}d")]
    NoUnit {
        /// The text found.
        value: String,
    },
    /// A comparison that the term does not have.
    #[error("{term} takes {takes}, as in {example}")]
    WrongComparison {
        /// The term.
        term: &'static str,
        /// The values it takes.
        takes: &'static str,
        /// How it is used.
        example: &'static str,
    },
    /// Text in the place of a policy's letter is no such letter.
    #[error("{text} is not the letter of a policy, as in {example}")]
    NotAPolicy {
        /// The text found.
        text: String,
        /// How it is used.
        example: &'static str,
    },
    /// A policy after a term that does not depend on it.
    #[error("{term} is the same under every policy: leave out the letter, as in {example}")]
    NotOfAPolicy {
        /// The term.
        term: &'static str,
        /// How it is used.
        example: &'static str,
    },
    /// A quote that begins and does not end.
    #[error("the quote is not closed")]
    OpenQuote,
    /// `or` without a term on either side.
    #[error("or stands between two terms, as in bert or vgg16")]
    LoneOr,
    /// `-` without a term.
    #[error("- stands before a term, without a space, as in -model:bert")]
    LoneMinus,
    /// A comparison with no term before it.
    #[error("a comparison stands right between a term and a value, as in gpus>4")]
    LoneComparison,
    /// A parenthesis.
    #[error("parentheses are not needed: a or b c finds c that is a or b; put text in quotes to search for it")]
    Parenthesis,
}

fn did_you_mean(nearest: Option<&'static str>, otherwise: &str) -> String {
    nearest.map_or_else(|| otherwise.to_string(), |nearest| format!("did you mean {nearest}?"))
}
