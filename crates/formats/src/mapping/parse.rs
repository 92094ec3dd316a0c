//! From text to a mapping: a parser by recursive descent, with one token of look-ahead and a bound on nesting.

use super::error::{MappingError, MappingProblem};
use super::expression::{Comparison, Expression, Filter, Function, Operator, Test, Unit};
use super::tokens::{AND, Placed, Token, WHERE, tokens};
use super::{Assignment, FIELDS, Mapping, Reading, TEXT_FIELDS, Zone};

/// The most parentheses within each other: the parser calls itself for each.
const DEPTH_MAX: u32 = 32;

/// The word of the zone of dates without one: `zone=+02:00`.
const ZONE: &str = "zone";

/// Reads a mapping.
pub(super) fn mapping(text: &str) -> Result<Mapping, MappingError> {
    let (mapping, parser) = partial(text)?;
    if mapping.assignments().is_empty() {
        return Err(parser.expected("a field, such as submit_s=submit_time"));
    }
    Ok(mapping)
}

/// Reads a mapping that may have no fields.
pub(super) fn any_mapping(text: &str) -> Result<Mapping, MappingError> {
    Ok(partial(text)?.0)
}

/// Reads a mapping, and returns the parser that has read it to its end.
fn partial(text: &str) -> Result<(Mapping, Parser), MappingError> {
    let end = text.chars().count() + 1;
    let mut parser = Parser { tokens: tokens(text)?, next: 0, end, depth: 0 };
    let mut assignments: Vec<Assignment> = Vec::new();
    let mut zone = None;
    while !parser.is_at_end() && !parser.skip_word(WHERE) {
        if parser.peek() == Some(&Token::Word(ZONE.into())) {
            zone = Some(parser.zone(zone)?);
            continue;
        }
        let assignment = parser.assignment(&assignments)?;
        assignments.push(assignment);
    }
    let mut filters = Vec::new();
    let has_filters = parser.last_word_was(WHERE);
    while has_filters && (filters.is_empty() || parser.skip_word(AND)) {
        filters.push(parser.filter()?);
    }
    if !parser.is_at_end() {
        return Err(parser.expected("the word and, or the end"));
    }
    Ok((Mapping::new(assignments, filters).with_zone(zone), parser))
}

struct Parser {
    tokens: Vec<Placed>,
    next: usize,
    /// The letter behind the last one.
    end: usize,
    depth: u32,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|placed| &placed.token)
    }

    fn is_at_end(&self) -> bool {
        self.next >= self.tokens.len()
    }

    /// An error at the next token.
    fn error(&self, problem: MappingProblem) -> MappingError {
        match self.tokens.get(self.next) {
            Some(placed) => MappingError::new(placed.at, &placed.text, problem),
            None => MappingError::new(self.end, "", problem),
        }
    }

    fn expected(&self, what: &'static str) -> MappingError {
        self.error(MappingProblem::Expected(what))
    }

    fn skip_sign(&mut self, sign: &str) -> bool {
        let is_it = matches!(self.peek(), Some(Token::Sign(next)) if *next == sign);
        self.next += usize::from(is_it);
        is_it
    }

    fn skip_word(&mut self, word: &str) -> bool {
        let is_it = matches!(self.peek(), Some(Token::Word(next)) if next == word);
        self.next += usize::from(is_it);
        is_it
    }

    fn last_word_was(&self, word: &str) -> bool {
        let last = self.next.checked_sub(1).and_then(|last| self.tokens.get(last));
        last.is_some_and(|last| matches!(&last.token, Token::Word(text) if text == word))
    }

    /// `zone=UTC`, `zone=+02:00`, `zone=-5`.
    fn zone(&mut self, before: Option<Zone>) -> Result<Zone, MappingError> {
        if before.is_some() {
            return Err(self.error(MappingProblem::RepeatedField));
        }
        self.next += 1;
        if !self.skip_sign("=") {
            return Err(self.expected("="));
        }
        let start = self.next;
        if self.skip_word("UTC") || self.skip_word("Z") {
            return Ok(Zone::UTC);
        }
        let sign = if self.skip_sign("-") { -1 } else { 1 };
        // A column may be called as the zone is; the sign tells them apart.
        let has_sign = sign < 0 || self.skip_sign("+");
        let hours = self.digits().filter(|_| has_sign);
        let minutes = if self.skip_sign(":") { self.digits() } else { Some(0) };
        let zone = hours.zip(minutes).filter(|(_, minutes)| *minutes < 60);
        zone.and_then(|(hours, minutes)| Zone::ahead_by(sign * (hours.min(99) * 60 + minutes))).ok_or_else(|| {
            self.next = start;
            self.expected("a zone without summer time: UTC, +02:00, -05:30")
        })
    }

    /// A number of one or two digits.
    fn digits(&mut self) -> Option<i16> {
        let text = &self.tokens.get(self.next)?.text;
        let number = text.parse().ok().filter(|_| text.len() <= 2)?;
        self.next += 1;
        Some(number)
    }

    fn assignment(&mut self, before: &[Assignment]) -> Result<Assignment, MappingError> {
        let Some(Token::Word(word)) = self.peek() else {
            return Err(self.expected("a field, such as submit_s=submit_time"));
        };
        let Some(field) = FIELDS.into_iter().find(|field| field == word) else {
            let (at, word) = (self.tokens.get(self.next).map_or(self.end, |placed| placed.at), word.clone());
            return Err(MappingError::unknown_field(at, &word));
        };
        if before.iter().any(|assignment| assignment.field == field) {
            return Err(self.error(MappingProblem::RepeatedField));
        }
        self.next += 1;
        if !self.skip_sign("=") {
            return Err(self.expected("="));
        }
        let start = self.next;
        let value = self.sum()?;
        let is_text = matches!(value, Expression::Text(_));
        let problem = match (TEXT_FIELDS.contains(&field), &value) {
            (true, Expression::Column(_) | Expression::Text(_)) => None,
            (true, _) => Some(MappingProblem::NotText),
            (false, _) => is_text.then_some(MappingProblem::NotNumber),
        };
        if let Some(problem) = problem {
            self.next = start;
            return Err(self.error(problem));
        }
        Ok(Assignment { field, value })
    }

    fn filter(&mut self) -> Result<Filter, MappingError> {
        let start = self.next;
        let value = self.sum()?;
        let comparison = Comparison::ALL.into_iter().find(|comparison| self.is_sign(comparison.sign()));
        if let Some(comparison) = comparison {
            self.next += 1;
            let Some(Token::Number(number)) = self.peek() else { return Err(self.expected("a number")) };
            let test = Test::Compared(comparison, *number);
            self.next += 1;
            return Ok(Filter { value, test });
        }
        let is_none_of = self.is_sign("!=");
        if !is_none_of && !self.is_sign("=") {
            return Err(self.expected("one of = != < <= > >="));
        }
        if !matches!(value, Expression::Column(_)) {
            self.next = start;
            return Err(self.expected("a column alone, where it is compared to texts"));
        }
        self.next += 1;
        let mut texts = vec![self.text()?];
        while self.skip_sign("|") {
            texts.push(self.text()?);
        }
        let test = if is_none_of { Test::NoneOf(texts) } else { Test::OneOf(texts) };
        Ok(Filter { value, test })
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(next)) if *next == sign)
    }

    /// A text of a condition: a word, a number as it is written, or anything in quotes.
    fn text(&mut self) -> Result<String, MappingError> {
        let placed = self.tokens.get(self.next);
        let text = placed.and_then(|placed| match &placed.token {
            Token::Word(text) | Token::Text(text) | Token::Name(text) => Some(text.clone()),
            Token::Number(_) => Some(placed.text.clone()),
            Token::Sign(_) => None,
        });
        let text = text.ok_or_else(|| self.expected("a text to compare to"))?;
        self.next += 1;
        Ok(text)
    }

    /// Terms with + and - between them.
    fn sum(&mut self) -> Result<Expression, MappingError> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.error(MappingProblem::TooDeep));
        }
        let mut left = self.product()?;
        while let Some(operator) = self.operator(&[Operator::Add, Operator::Subtract]) {
            let right = self.product()?;
            left = Expression::binary(operator, left, right);
        }
        self.depth -= 1;
        Ok(left)
    }

    /// Factors with * and / between them.
    fn product(&mut self) -> Result<Expression, MappingError> {
        let mut left = self.factor()?;
        while let Some(operator) = self.operator(&[Operator::Multiply, Operator::Divide]) {
            let right = self.factor()?;
            left = Expression::binary(operator, left, right);
        }
        Ok(left)
    }

    fn operator(&mut self, among: &[Operator]) -> Option<Operator> {
        among.iter().copied().find(|operator| self.skip_sign(operator.sign().encode_utf8(&mut [0; 4])))
    }

    /// A value, with its unit if it has one.
    fn factor(&mut self) -> Result<Expression, MappingError> {
        let value = self.primary()?;
        let value = self.read_as(value);
        let Some(Token::Word(word)) = self.peek() else { return Ok(value) };
        match Unit::named(word) {
            Some(unit) => {
                self.next += 1;
                Ok(value.in_unit(unit))
            }
            None => Ok(value),
        }
    }

    /// A column with the word behind it that says how its cells are written, if there is one.
    fn read_as(&mut self, value: Expression) -> Expression {
        let reading = match self.peek() {
            Some(Token::Word(word)) => Reading::named(word),
            _ => None,
        };
        match (value, reading) {
            (Expression::Column(name), Some(reading)) => {
                self.next += 1;
                Expression::Read(name, reading)
            }
            (value, _) => value,
        }
    }

    fn primary(&mut self) -> Result<Expression, MappingError> {
        let token = self.peek().cloned();
        let value = match token {
            Some(Token::Number(number)) => Expression::Number(number),
            Some(Token::Text(text)) => Expression::Text(text),
            Some(Token::Name(name)) => Expression::Column(name),
            Some(Token::Word(word)) if word != WHERE && word != AND => {
                self.next += 1;
                return if self.skip_sign("(") { self.call(&word) } else { Ok(Expression::Column(word)) };
            }
            Some(Token::Sign("(")) => {
                self.next += 1;
                let inner = self.sum()?;
                self.close()?;
                return Ok(inner);
            }
            _ => return Err(self.expected("a column, a number or text in single quotes")),
        };
        self.next += 1;
        Ok(value)
    }

    /// The arguments of a function, whose parenthesis is open.
    fn call(&mut self, name: &str) -> Result<Expression, MappingError> {
        if name == "after" {
            return self.after();
        }
        let Some(function) = Function::named(name) else {
            self.next = self.next.saturating_sub(2);
            return Err(self.expected("a function: min, max, ceil, floor, round, positive or after"));
        };
        let mut arguments = vec![self.number_argument()?];
        while function.takes_several() && self.skip_sign(",") {
            arguments.push(self.number_argument()?);
        }
        self.close()?;
        Ok(Expression::Call(function, arguments))
    }

    fn number_argument(&mut self) -> Result<Expression, MappingError> {
        let start = self.next;
        let argument = self.sum()?;
        if matches!(argument, Expression::Text(_)) {
            self.next = start;
            return Err(self.error(MappingProblem::NotNumber));
        }
        Ok(argument)
    }

    fn after(&mut self) -> Result<Expression, MappingError> {
        let Some(Token::Word(column) | Token::Name(column)) = self.peek().cloned() else {
            return Err(self.expected("a column"));
        };
        self.next += 1;
        if !self.skip_sign(",") {
            return Err(self.expected("a comma, and the text before the number"));
        }
        let Some(Token::Text(text)) = self.peek().cloned() else {
            return Err(self.expected("a text in single quotes"));
        };
        self.next += 1;
        self.close()?;
        Ok(Expression::After(column, text))
    }

    fn close(&mut self) -> Result<(), MappingError> {
        if self.skip_sign(")") { Ok(()) } else { Err(self.expected("a closing parenthesis")) }
    }
}
