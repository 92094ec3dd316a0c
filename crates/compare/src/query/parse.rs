//! From text to a query.

use std::str::FromStr;

use elastiplan_text::nearest;

use super::ast::{Clause, Condition, NumberField, Query, State, Term, TextField};
use super::error::{ParseError, Problem};
use super::terms::{COMPARISONS, Kind, TERMS, TermInfo};
use super::value;
use crate::badge::Badge;

impl FromStr for Query {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut parser = Parser { text, at: 0 };
        let mut query = Self::default();
        let mut open_or = None;
        while parser.skip_space() {
            let start = parser.at;
            if parser.take_or() {
                if open_or.is_some() || query.clauses.is_empty() {
                    return Err(parser.error(start, Problem::LoneOr));
                }
                open_or = Some(start..parser.at);
                continue;
            }
            let term = parser.term()?;
            match (open_or.take(), query.clauses.last_mut()) {
                (Some(_), Some(clause)) => clause.terms.push(term),
                _ => query.clauses.push(Clause { terms: vec![term] }),
            }
        }
        match open_or {
            Some(at) => Err(ParseError { at, problem: Problem::LoneOr }),
            None => Ok(query),
        }
    }
}

/// Where reading has come to.
struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn next(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Goes on to the next term; `false` if there is none.
    fn skip_space(&mut self) -> bool {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.at < self.text.len()
    }

    fn error(&self, start: usize, problem: Problem) -> ParseError {
        ParseError { at: start..self.at, problem }
    }

    fn take_or(&mut self) -> bool {
        let found = self.rest().get(..2).is_some_and(|word| word.eq_ignore_ascii_case("or"))
            && self.rest().get(2..).is_some_and(|rest| rest.chars().next().is_none_or(char::is_whitespace));
        self.at += if found { 2 } else { 0 };
        found
    }

    fn take(&mut self, prefix: &str) -> bool {
        let found = self.rest().starts_with(prefix);
        self.at += if found { prefix.len() } else { 0 };
        found
    }

    /// Takes characters for as long as they are no space and `more` holds.
    fn take_while(&mut self, more: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|letter: char| letter.is_whitespace() || !more(letter)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    /// Reads text in quotes, where the next character is one. `\"` and `\\` stand for a quote and a backslash.
    fn quoted(&mut self) -> Result<Option<String>, ParseError> {
        let start = self.at;
        if !self.take("\"") {
            return Ok(None);
        }
        let mut text = String::new();
        loop {
            text += self.take_until_quote();
            if self.take("\"") {
                return Ok(Some(text));
            }
            self.take("\\");
            match self.next() {
                None => return Err(self.error(start, Problem::OpenQuote)),
                Some(letter @ ('"' | '\\')) => {
                    text.push(letter);
                    self.at += 1;
                }
                Some(_) => text.push('\\'),
            }
        }
    }

    fn take_until_quote(&mut self) -> &'a str {
        let rest = self.rest();
        let length = rest.find(['"', '\\']).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    fn term(&mut self) -> Result<Term, ParseError> {
        let start = self.at;
        let negated = self.take("-");
        if self.next().is_none_or(char::is_whitespace) {
            return Err(self.error(start, Problem::LoneMinus));
        }
        Ok(Term { negated, condition: self.condition()? })
    }

    fn condition(&mut self) -> Result<Condition, ParseError> {
        if let Some(text) = self.quoted()? {
            return Ok(Condition::Text(text));
        }
        let start = self.at;
        let word = self.take_while(|letter| !is_special(letter));
        match self.next() {
            Some('(' | ')') if word.is_empty() => {
                self.at += 1;
                return Err(self.error(start, Problem::Parenthesis));
            }
            Some(letter) if is_comparison(letter) => {}
            _ => return Ok(bare(word, self)),
        }
        if word.is_empty() {
            self.take_while(|letter| letter != '"');
            return Err(self.error(start, Problem::LoneComparison));
        }
        if !word.chars().all(|letter| letter.is_alphabetic() || letter == '_') {
            // No term looks like this: a time of day, an address.
            self.take_while(|_| true);
            let text = self.text.get(start..self.at).unwrap_or_default();
            return Ok(Condition::Text(text.into()));
        }
        let Some(term) = TermInfo::named(word) else {
            let problem =
                Problem::UnknownTerm { word: word.into(), nearest: nearest(word, TERMS.iter().map(|term| term.word)) };
            return Err(self.error(start, problem));
        };
        match term.kind {
            Kind::Text(field) => self.named(start, term, field),
            Kind::Number(field) => self.number(start, term, field),
            Kind::State(state) => self.state(start, term, state),
            Kind::StateWord => self.state_word(start, term),
        }
    }

    fn named(&mut self, start: usize, term: &'static TermInfo, field: TextField) -> Result<Condition, ParseError> {
        let exactly = self.take(":") || self.take("=");
        if !exactly && !self.take("~") {
            return Err(self.wrong_comparison(start, term, ": or ~"));
        }
        let text = self.value(start, term)?;
        Ok(Condition::Named { field, exactly, text })
    }

    fn number(&mut self, start: usize, term: &'static TermInfo, field: NumberField) -> Result<Condition, ParseError> {
        let run = self.run_of_number(start, term, field)?;
        let found = COMPARISONS.iter().find(|(sign, _)| self.rest().starts_with(sign));
        let compare = match found {
            Some((sign, compare)) => {
                self.at += sign.len();
                *compare
            }
            // `gpus:4` is `gpus=4`.
            None if run.is_none() && self.take(":") => super::Compare::Equals,
            None if self.next().is_none_or(char::is_whitespace) => return Err(self.no_value(start, term)),
            None => return Err(self.wrong_comparison(start, term, "> >= < <= or =")),
        };
        let value_start = self.at;
        let text = self.value(start, term)?;
        let value = if field.is_time() { value::time_s(&text, term.example) } else { value::count(&text, term) };
        let value = value.map_err(|problem| self.error(value_start, problem))?;
        Ok(Condition::Number { field, run, compare, value })
    }

    /// The policy of `jct:B>2h`, where there is one.
    fn run_of_number(
        &mut self,
        start: usize,
        term: &'static TermInfo,
        field: NumberField,
    ) -> Result<Option<Badge>, ParseError> {
        // `gpus:9` is a value, `jct:9>2h` a run.
        let Some(rest) = self.rest().strip_prefix(':') else { return Ok(None) };
        let after_number = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let is_number = after_number.len() < rest.len() && after_number.starts_with(is_comparison);
        if !is_number && !rest.starts_with(char::is_alphabetic) {
            return Ok(None);
        }
        self.at += 1;
        let at = self.at;
        let text = self.take_while(|letter| !is_special(letter));
        let run = self.badge(at, term, text)?;
        if !field.is_of_a_run() {
            return Err(self.error(start, Problem::NotOfAPolicy { term: term.word, example: term.example }));
        }
        Ok(Some(run))
    }

    fn state(&mut self, start: usize, term: &'static TermInfo, state: State) -> Result<Condition, ParseError> {
        if !self.take(":") {
            return Err(self.wrong_comparison(start, term, "nothing, or : and the letter of a policy"));
        }
        let at = self.at;
        let text = self.value(start, term)?;
        let run = self.badge(at, term, &text)?;
        Ok(Condition::Is { state, run: Some(run) })
    }

    fn state_word(&mut self, start: usize, term: &'static TermInfo) -> Result<Condition, ParseError> {
        if !self.take(":") {
            return Err(self.wrong_comparison(start, term, ": and a state"));
        }
        let at = self.at;
        let word = self.take_while(|letter| !is_special(letter));
        if word.is_empty() {
            return Err(self.no_value(start, term));
        }
        match TermInfo::named(word).map(|term| (term, term.kind)) {
            Some((term, Kind::State(state))) if self.next().is_some_and(is_comparison) => self.state(at, term, state),
            Some((_, Kind::State(state))) => Ok(Condition::Is { state, run: None }),
            _ => {
                let nearest = nearest(word, TermInfo::states().map(|term| term.word));
                Err(self.error(at, Problem::UnknownState { word: word.into(), nearest }))
            }
        }
    }

    fn badge(&self, at: usize, term: &'static TermInfo, text: &str) -> Result<Badge, ParseError> {
        Badge::named(text)
            .ok_or_else(|| self.error(at, Problem::NotAPolicy { text: text.into(), example: term.example }))
    }

    /// Reads the value after a comparison: in quotes, or up to the next space.
    fn value(&mut self, start: usize, term: &'static TermInfo) -> Result<String, ParseError> {
        if let Some(text) = self.quoted()? {
            return Ok(text);
        }
        let text = self.take_while(|_| true);
        if text.is_empty() { Err(self.no_value(start, term)) } else { Ok(text.into()) }
    }

    fn no_value(&self, start: usize, term: &'static TermInfo) -> ParseError {
        self.error(start, Problem::NoValue { term: term.word, example: term.example })
    }

    fn wrong_comparison(&mut self, start: usize, term: &'static TermInfo, takes: &'static str) -> ParseError {
        self.take_while(is_comparison);
        self.error(start, Problem::WrongComparison { term: term.word, takes, example: term.example })
    }
}

/// A word with nothing after it: a state, or text.
fn bare(word: &str, parser: &mut Parser<'_>) -> Condition {
    match TermInfo::named(word).map(|term| term.kind) {
        Some(Kind::State(state)) => Condition::Is { state, run: None },
        _ => {
            // A parenthesis within a word is a part of it.
            let start = parser.at - word.len();
            parser.take_while(|letter| letter != '"');
            Condition::Text(parser.text.get(start..parser.at).unwrap_or_default().into())
        }
    }
}

/// Whether a character begins a comparison.
pub(super) fn is_comparison(letter: char) -> bool {
    matches!(letter, ':' | '~' | '>' | '<' | '=' | '≥' | '≤')
}

/// Whether a character ends a word.
pub(super) fn is_special(letter: char) -> bool {
    is_comparison(letter) || matches!(letter, '"' | '(' | ')')
}
