//! Words, numbers and signs of a mapping.

use super::error::{MappingError, MappingProblem};

/// A word that ends the fields, and one between conditions; a column with such a name is written in quotes.
pub(super) const WHERE: &str = "where";
pub(super) const AND: &str = "and";

/// The longest mapping, in bytes.
pub(super) const LENGTH_MAX: usize = 20_000;

/// One piece of a mapping.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A word without quotes.
    Word(String),
    /// A name in double quotes.
    Name(String),
    /// A text in single quotes.
    Text(String),
    /// A number of 0 or more.
    Number(f64),
    /// A sign, of one or two letters.
    Sign(&'static str),
}

/// A token with its place.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub token: Token,
    /// Its first letter, counted from 1.
    pub at: usize,
    /// Its text.
    pub text: String,
}

const SIGNS: [&str; 15] = ["!=", "<=", ">=", "=", "+", "-", "*", "/", "(", ")", ",", "|", "<", ">", ":"];

/// Whether a text needs no quotes.
pub(super) fn is_word(text: &str) -> bool {
    let mut letters = text.chars();
    let starts = letters.next().is_some_and(|first| first.is_alphabetic() || first == '_');
    starts && letters.all(continues_word) && text != WHERE && text != AND
}

fn continues_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '.'
}

/// A text in quotes, with those in it doubled.
pub(super) fn quoted(text: &str, quote: char) -> String {
    let doubled = text.replace(quote, &format!("{quote}{quote}"));
    format!("{quote}{doubled}{quote}")
}

/// Splits a text into tokens.
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, MappingError> {
    if text.len() > LENGTH_MAX {
        return Err(MappingError::new(1, "", MappingProblem::TooLong));
    }
    let mut tokens = Vec::new();
    let (mut rest, mut at) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let length = if first.is_whitespace() { first.len_utf8() } else { token(rest, at, &mut tokens)? };
        let (done, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        at += done.chars().count();
        rest = after;
    }
    Ok(tokens)
}

/// Adds the token that a text begins with, and returns its length in bytes.
fn token(text: &str, at: usize, tokens: &mut Vec<Placed>) -> Result<usize, MappingError> {
    let first = text.chars().next().unwrap_or(' ');
    let (token, length) = match first {
        '"' | '\'' => {
            let open = || MappingError::new(at, text, MappingProblem::OpenQuote);
            let (inner, length) = in_quotes(text, first).ok_or_else(open)?;
            (if first == '"' { Token::Name(inner) } else { Token::Text(inner) }, length)
        }
        '0'..='9' | '.' => {
            let length = number_length(text.as_bytes());
            let number = text.get(..length).and_then(elastiplan_text::number).filter(|n: &f64| n.is_finite());
            let number = number.ok_or_else(|| MappingError::new(at, text, problem_of_number(text)))?;
            (Token::Number(number), length)
        }
        _ if first.is_alphabetic() || first == '_' => {
            let length = text.find(|letter| !continues_word(letter)).unwrap_or(text.len());
            (Token::Word(text.get(..length).unwrap_or_default().into()), length)
        }
        _ => {
            let sign = SIGNS.into_iter().find(|sign| text.starts_with(sign));
            let sign = sign.ok_or_else(|| MappingError::new(at, text, MappingProblem::Sign))?;
            (Token::Sign(sign), sign.len())
        }
    };
    tokens.push(Placed { token, at, text: text.get(..length).unwrap_or_default().into() });
    Ok(length)
}

/// A point alone is a sign; other digits that give no number give too large a one.
fn problem_of_number(text: &str) -> MappingProblem {
    let has_digit = text.bytes().take_while(|byte| *byte == b'.' || byte.is_ascii_digit()).any(|byte| byte != b'.');
    if has_digit { MappingProblem::NumberTooLarge } else { MappingProblem::Sign }
}

/// The text in quotes that another begins with, and its length with the quotes; `None` if they are not closed.
fn in_quotes(text: &str, quote: char) -> Option<(String, usize)> {
    let mut inner = String::new();
    let mut letters = text.char_indices().skip(1).peekable();
    while let Some((at, letter)) = letters.next() {
        if letter != quote {
            inner.push(letter);
        } else if letters.next_if(|(_, next)| *next == quote).is_some() {
            inner.push(quote);
        } else {
            return Some((inner, at + letter.len_utf8()));
        }
    }
    None
}

/// The bytes of the number that a text begins with: digits, a point with digits, an exponent.
fn number_length(text: &[u8]) -> usize {
    let digits = |from: usize| text.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let mut length = digits(0);
    if text.get(length) == Some(&b'.') {
        length += 1 + digits(length + 1);
    }
    if matches!(text.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(length + 1), Some(b'+' | b'-')));
        let exponent = digits(length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}
