//! Values of expressions in a row, and what a cell says as a number: plain, a date, or a duration.

use super::Reading;
use super::bind::BoundExpression;
use super::expression::{Function, Operator};
use super::reading::{grouped_number, numeric_date};
use crate::text::clock::{DateTime, date_time};
use crate::text::header::Column;
use crate::text::records::Row;
use crate::text::values::{self, Cell};

/// Why an expression has no value in a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fault {
    /// The cell of this column is not a number, a date or a duration, or not one as the column is to be read.
    NoNumber(Column, Option<Reading>),
    /// What is divided by, with the column that it comes from, is 0.
    DivisionByZero(Option<Column>),
    /// The value is larger than any number.
    TooLarge,
}

/// A number that a cell gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    /// A plain number.
    Plain(f64),
    /// A date and time, in seconds since 1970.
    Date { epoch_s: f64, has_zone: bool },
    /// A duration, in seconds.
    Duration(f64),
}

/// Reads a cell as a number, a date or a duration.
pub(super) fn number(cell: &[u8]) -> Cell<Number> {
    // Beside the words that all tables have: what Slurm and data frames write for a missing time.
    const MISSING: [&[u8]; 3] = [b"unknown", b"nat", b"\\n"];
    match values::number(cell, values::ANY) {
        Cell::Is(value) => Cell::Is(Number::Plain(value)),
        Cell::Missing => Cell::Missing,
        Cell::Bad if MISSING.iter().any(|word| cell.eq_ignore_ascii_case(word)) => Cell::Missing,
        Cell::Bad => match date(cell) {
            Some(date) => Cell::Is(of_date(date)),
            None => duration(cell).map_or(Cell::Bad, |seconds| Cell::Is(Number::Duration(seconds))),
        },
    }
}

/// A moment that a cell gives: seconds since 1970 of a date, or a plain number.
pub(crate) fn moment(cell: &[u8]) -> Option<f64> {
    match number(cell) {
        Cell::Is(Number::Plain(seconds) | Number::Date { epoch_s: seconds, .. }) => Some(seconds),
        _ => None,
    }
}

/// Seconds that a cell gives: a plain number, or a duration as text.
pub(crate) fn seconds(cell: &[u8]) -> Option<f64> {
    match number(cell) {
        Cell::Is(Number::Plain(seconds) | Number::Duration(seconds)) => Some(seconds),
        _ => None,
    }
}

/// The same of a column whose cells are written in a way: of dates that way comes first, since a slash may stand in
/// both; plain numbers and dates that name the year first are read all the same.
pub(super) fn number_as(cell: &[u8], reading: Option<Reading>) -> Cell<Number> {
    let text = || std::str::from_utf8(cell).ok();
    let found = match reading {
        None => None,
        Some(reading) if reading.is_of_dates() => text().and_then(|text| numeric_date(text, reading)).map(of_date),
        // A decimal point in a column with decimal commas separates thousands, or is a slip.
        Some(reading) => match text().and_then(|text| grouped_number(text, reading)) {
            Some(value) => Some(Number::Plain(value + 0.0)),
            None => return if matches!(number(cell), Cell::Missing) { Cell::Missing } else { Cell::Bad },
        },
    };
    found.map_or_else(|| number(cell), Cell::Is)
}

fn of_date(DateTime { micros, has_zone }: DateTime) -> Number {
    Number::Date { epoch_s: micros as f64 / 1e6, has_zone }
}

/// A date as [`date_time`] reads it, or with slashes in the place of its hyphens.
fn date(cell: &[u8]) -> Option<DateTime> {
    date_time(cell).or_else(|| {
        let mut text = cell.to_vec();
        for at in [4, 7] {
            let sign = text.get_mut(at).filter(|sign| **sign == b'/')?;
            *sign = b'-';
        }
        date_time(&text)
    })
}

/// Seconds of `1:30` (minutes and seconds), `20:21:15.5` and `2-20:21:15` (days, as Slurm writes them).
fn duration(cell: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(cell).ok()?;
    let (days, time) = text.split_once('-').unwrap_or(("0", text));
    let is_digits = |part: &str| !part.is_empty() && part.len() <= 9 && part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let parts: Vec<&str> = whole.split(':').collect();
    if !(2..=3).contains(&parts.len()) || !parts.iter().chain([&days, &fraction]).all(|part| is_digits(part)) {
        return None;
    }
    let mut units: Vec<f64> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    if units.get(1..)?.iter().any(|&part| part >= 60.0) {
        return None;
    }
    units.reverse();
    let seconds: f64 = units.iter().zip([1.0, 60.0, 3600.0]).map(|(part, unit)| part * unit).sum();
    let fraction: f64 = format!("0.{fraction}").parse().ok()?;
    Some(days.parse::<f64>().ok()? * 86_400.0 + seconds + fraction)
}

/// What evaluating a row needs beside it.
pub(super) struct Evaluator<'r> {
    pub row: Row<'r>,
    /// For each date that was read, its column and whether it names a zone.
    pub dates: &'r mut Vec<(usize, bool)>,
    /// Seconds that dates without a zone are ahead of UTC.
    pub zone_s: f64,
}

impl Evaluator<'_> {
    /// The value of an expression; `None` where a column that it needs is empty.
    pub fn value(&mut self, expression: &BoundExpression) -> Result<Option<f64>, Fault> {
        let value = match expression {
            BoundExpression::Number(number) => Some(*number),
            // Text is no number; the parser has seen to it that none is asked for one.
            BoundExpression::Text(_) => None,
            BoundExpression::Column(column, factor) => self.column(column, None, *factor)?,
            BoundExpression::Read(column, reading, factor) => self.column(column, Some(*reading), *factor)?,
            BoundExpression::Scaled(inner, factor) => self.value(inner)?.map(|value| value * factor),
            BoundExpression::Binary(operator, left, right) => {
                let (left, of_right) = (self.value(left)?, self.value(right)?);
                match left.zip(of_right) {
                    Some((_, 0.0)) if *operator == Operator::Divide => {
                        return Err(Fault::DivisionByZero(right.first_column().cloned()));
                    }
                    Some((left, right)) => Some(operate(*operator, left, right)),
                    None => None,
                }
            }
            BoundExpression::Call(function, arguments) => self.call(*function, arguments)?,
            BoundExpression::After(column, text) => after(self.row.cell(column.index), text.as_bytes()),
        };
        match value {
            Some(value) if !value.is_finite() => Err(Fault::TooLarge),
            // Adding 0 turns the negative zero into the positive one.
            value => Ok(value.map(|value| value + 0.0)),
        }
    }

    fn column(&mut self, column: &Column, reading: Option<Reading>, factor: f64) -> Result<Option<f64>, Fault> {
        match number_as(self.row.cell(column.index), reading) {
            Cell::Missing => Ok(None),
            Cell::Bad => Err(Fault::NoNumber(column.clone(), reading)),
            Cell::Is(Number::Plain(value)) => Ok(Some(value * factor)),
            Cell::Is(Number::Duration(seconds)) => Ok(Some(seconds)),
            Cell::Is(Number::Date { epoch_s, has_zone }) => {
                self.dates.push((column.index, has_zone));
                Ok(Some(if has_zone { epoch_s } else { epoch_s - self.zone_s }))
            }
        }
    }

    fn call(&mut self, function: Function, arguments: &[BoundExpression]) -> Result<Option<f64>, Fault> {
        let mut result: Option<f64> = None;
        for argument in arguments {
            // The smallest and the largest are those of the values that are there.
            let Some(value) = self.value(argument)? else { continue };
            result = Some(match (function, result) {
                (Function::Min, Some(least)) => least.min(value),
                (Function::Max, Some(most)) => most.max(value),
                (Function::Min | Function::Max, None) => value,
                (Function::Ceil, _) => value.ceil(),
                (Function::Floor, _) => value.floor(),
                (Function::Round, _) => value.round(),
                (Function::Positive, _) if value > 0.0 => value,
                (Function::Positive, _) => continue,
            });
        }
        Ok(result)
    }
}

fn operate(operator: Operator, left: f64, right: f64) -> f64 {
    match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide => left / right,
    }
}

/// The number that follows the first occurrence of a text in a cell; `None` if there is none.
fn after(cell: &[u8], text: &[u8]) -> Option<f64> {
    let at = (0..=cell.len()).find(|&at| cell.get(at..).is_some_and(|rest| rest.starts_with(text)))?;
    let rest = cell.get(at + text.len()..)?;
    let is_number = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
    let length = rest.iter().take_while(is_number).count();
    std::str::from_utf8(rest.get(..length)?).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cell: &str, expected: Cell<Number>) {
        assert_eq!(number(cell.as_bytes()), expected, "{cell}");
    }

    #[test]
    fn cells_as_numbers() {
        let date = |epoch_s, has_zone| Cell::Is(Number::Date { epoch_s, has_zone });
        check("12.5", Cell::Is(Number::Plain(12.5)));
        check("-3", Cell::Is(Number::Plain(-3.0)));
        check("1970-01-02", date(86_400.0, false));
        check("1970-01-01T01:00:01.5+01:00", date(1.5, true));
        check("1970/01/01 00:01", date(60.0, false));
        check("1:30", Cell::Is(Number::Duration(90.0)));
        check("02:30:00", Cell::Is(Number::Duration(9000.0)));
        check("30:00:00.25", Cell::Is(Number::Duration(108_000.25)));
        check("1-00:00:01", Cell::Is(Number::Duration(86_401.0)));
        for missing in ["", "nan", "NaT", "Unknown", "None", "\\N", "-"] {
            check(missing, Cell::Missing);
        }
        for bad in ["two", "1:2:3:4", "1:60", "1:", "01/02/1970", "1,5", "8 GPUs", "UNLIMITED", "1-2", "inf"] {
            check(bad, Cell::Bad);
        }
    }

    #[test]
    fn numbers_after_a_text() {
        let tres = b"billing=64,cpu=64,gres/gpu:a100=8,gres/gpu=16,mem=512G";
        assert_eq!(after(tres, b"gres/gpu="), Some(16.0));
        assert_eq!(after(tres, b"gres/gpu:a100="), Some(8.0));
        assert_eq!(after(tres, b"mem="), Some(512.0));
        assert_eq!(after(tres, b"node="), None);
        assert_eq!(after(b"gres/gpu=", b"gres/gpu="), None);
    }
}
