//! Why a row is left out, in a few words, and what could keep it.

use super::keeps;
use super::totals::Repair;
use crate::mapping::bind::{Bound, BoundExpression, BoundFilter};
use crate::mapping::evaluate::number_as;
use crate::mapping::expression::{Expression, Filter, Function, Operator, Test};
use crate::mapping::{FIELDS, Mapping, read};
use crate::sources::{EARLIER_RUN, PART, STEP};
use crate::text::findings::{Finding, RowFinding};
use crate::text::records::Row;
use crate::text::table::{CUT_OFF, OPEN_QUOTE, RAGGED, TOO_LONG};
use crate::text::values::{Cell, short};

/// A reason for which rows are left out: the rule that they break, and where. Of a condition, its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ReasonKey {
    rule: &'static str,
    /// The column of the table with the cell at fault.
    pub column: Option<usize>,
    field: Option<&'static str>,
    filter: Option<usize>,
    /// Whether the cell at fault is empty.
    pub is_missing: bool,
}

impl ReasonKey {
    /// The reason of a finding about a row of a table with so many columns. The row is not known where its cells could
    /// not be told apart.
    pub fn of(found: &RowFinding, row: Option<Row<'_>>, bound: &Bound, width: usize) -> Self {
        let field_at = |index: usize| index.checked_sub(width).and_then(|at| FIELDS.get(at).copied());
        let rule = found.finding.rule;
        let field = found.column.and_then(field_at);
        let given = bound.fields.iter().find(|given| Some(given.field) == field);
        let filter = refused_by(found, bound);
        let is_filtered = filter.is_some();
        let value = filter.and_then(|at| bound.filters.get(at)).map(|filter| &filter.value);
        let column = match value.or(given.map(|given| &given.value)) {
            Some(value) => row.and_then(|row| column_at_fault(value, row)),
            None => found.column.filter(|column| *column < width),
        };
        let is_empty = |column: usize| row.is_some_and(|row| number_as(row.cell(column), None) == Cell::Missing);
        // A rule about a value is broken by another fault where there is no value.
        let is_missing = !is_filtered && column.is_some_and(is_empty);
        Self { rule, column, field, filter, is_missing }
    }

    /// The reason in a few words, with the values of the rows, the most frequent first.
    pub fn words(&self, bound: &Bound, names: &[String], values: &[&str]) -> String {
        let name = self.column.and_then(|column| names.get(column)).map_or("a value", String::as_str);
        let name = short(name);
        let or_more = || match values {
            [] => "empty".into(),
            [value] => short(value),
            [_, _] | [_, _, _] => list_or(values),
            [first, second, ..] => format!("{first}, {second} or others"),
        };
        let is_rule = |finding: Finding| finding.rule == self.rule;
        if let Some(filter) = self.filter.and_then(|at| bound.filters.get(at)) {
            return match filter.test {
                Test::Compared(comparison, number) => {
                    format!("{} is not {} {number}", short(&filter.column.name), comparison.sign())
                }
                Test::OneOf(_) | Test::NoneOf(_) => format!("{name} is {}", or_more()),
            };
        }
        if self.is_missing {
            return self.missing(bound, &name);
        }
        let known = [
            (read::NO_GPU, "uses no GPU".into()),
            (read::PART_OF_A_GPU, "uses part of a GPU".into()),
            (read::ENDS_FIRST, "ends before it starts".into()),
            (read::NO_TIME, "runs for 0 s".into()),
            (read::NO_NUMBER, format!("{name} is no number, date or duration")),
            (read::DATE_ORDER, format!("{name}: day and month in which order?")),
            (read::DECIMAL_SIGN, format!("{name}: a comma or a point before the decimals?")),
            (read::OTHER_ORDER, format!("{name}: day and month in the other order")),
            (read::OTHER_SIGN, format!("{name}: another decimal sign")),
            (read::DIVISION, "divides by 0".into()),
            (read::TOO_LARGE, "a number is too large".into()),
            (RAGGED, "has more or fewer fields than the header".into()),
            (CUT_OFF, "is cut off at the end of the file".into()),
            (PART, "is a further part of a job".into()),
            (EARLIER_RUN, "is an earlier run of a job that was requeued".into()),
            (STEP, "is a step of a job".into()),
            (OPEN_QUOTE, "a double quote is not closed".into()),
            (TOO_LONG, "is longer than 1 MB".into()),
        ];
        let words = known.into_iter().find(|(finding, _)| is_rule(*finding)).map(|(_, words)| words);
        words.unwrap_or_else(|| {
            let mut letters = self.rule.chars();
            let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
            format!("{name} is {}, not {first}{}", or_more(), letters.as_str())
        })
    }

    /// What is missing.
    fn missing(&self, bound: &Bound, name: &str) -> String {
        let is_run = self.run(bound).is_some();
        match self.field {
            _ if self.is_endless(bound) => "has no end".into(),
            Some("submit_s") => "has no submission".into(),
            Some("gpus") => "has no number of GPUs".into(),
            Some("duration_s") if !is_run => "has no run time".into(),
            _ => format!("{name} is empty"),
        }
    }

    /// The end of the run, where the reason is about a run from a start to an end.
    fn run<'b>(&self, bound: &'b Bound) -> Option<&'b BoundExpression> {
        let given = bound.fields.iter().find(|given| given.field == "duration_s" && self.field == Some("duration_s"));
        given.and_then(|given| run(&given.value)).map(|(end, _)| end)
    }

    /// Whether the end of the run is missing.
    fn is_endless(&self, bound: &Bound) -> bool {
        let end = self.run(bound).and_then(BoundExpression::first_column);
        self.is_missing && end.is_some_and(|end| Some(end.index) == self.column)
    }

    /// How the rows could be kept: by the mapping with a change, or by advice. `filters` are the conditions that were
    /// bound, and `last_end_s` is the last end of a run.
    pub fn repair(
        &self,
        finding: Finding,
        advice: &str,
        (bound, filters): (&Bound, &[Filter]),
        mapping: &Mapping,
        last_end_s: Option<f64>,
    ) -> Repair {
        let offer =
            |label: &str, mapping: Mapping| Repair::Mapping { label: label.into(), mapping: mapping.to_string() };
        if let Some(filter) = self.filter.and_then(|at| filters.get(at)) {
            return offer("Keep them", mapping.without_filter(filter));
        }
        if is(finding, read::PART_OF_A_GPU)
            && let Some(gpus) = mapping.value("gpus")
        {
            let rounded = Expression::Call(Function::Ceil, vec![gpus.clone()]);
            return offer("Round up", mapping.with("gpus", Some(rounded)));
        }
        let ended = mapping.value("duration_s").filter(|_| self.is_endless(bound));
        if let Some(ended) = ended.zip(last_end_s).and_then(|(run, last_s)| ended_at(run, last_s)) {
            return offer("End them with the last one", mapping.with("duration_s", Some(ended)));
        }
        Repair::Advice(advice.into())
    }
}

/// The condition that leaves a row out, by its number; of several about one column, the one that its value breaks.
fn refused_by(found: &RowFinding, bound: &Bound) -> Option<usize> {
    let says = |filter: &BoundFilter| is(found.finding, filter.finding) && Some(filter.column.index) == found.column;
    let is_broken = |filter: &BoundFilter| says(filter) && !keeps(&filter.test, &found.value);
    // A long value is cut.
    bound.filters.iter().position(is_broken).or_else(|| bound.filters.iter().position(says))
}

fn is(finding: Finding, other: Finding) -> bool {
    finding.rule == other.rule
}

/// `FAILED or CANCELLED`, `a, b or c`.
fn list_or(values: &[&str]) -> String {
    let values: Vec<String> = values.iter().map(|value| short(value)).collect();
    match values.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        _ => values.concat(),
    }
}

/// The column with the cell for which an expression has a bad value: an empty one, then a 0, then the first.
fn column_at_fault(value: &BoundExpression, row: Row<'_>) -> Option<usize> {
    let columns: Vec<usize> = value.columns().iter().map(|column| column.index).collect();
    let empty = columns.iter().find(|column| number_as(row.cell(**column), None) == Cell::Missing);
    let zero = || columns.iter().find(|column| matches!(row.cell(**column), b"0" | b"0.0"));
    empty.or_else(zero).or(columns.first()).copied()
}

/// The two ends of a run: `end-start`, with the factor of its unit.
pub(super) fn run(value: &BoundExpression) -> Option<(&BoundExpression, (&BoundExpression, f64))> {
    let (difference, factor) = match value {
        BoundExpression::Scaled(inner, factor) => (&**inner, *factor),
        value => (value, 1.0),
    };
    match difference {
        BoundExpression::Binary(Operator::Subtract, end, start) => Some((end, (start, factor))),
        _ => None,
    }
}

/// `end-start` with an end, where a row has none, at this time: `min(end,1790812800)-start`. No end is later.
fn ended_at(run: &Expression, last_s: f64) -> Option<Expression> {
    let (difference, unit) = match run {
        Expression::InUnit(inner, unit) => (&**inner, Some(*unit)),
        run => (run, None),
    };
    let Expression::Binary(Operator::Subtract, end, start) = difference else { return None };
    let in_unit = |value: &Expression| match unit {
        Some(unit) => value.clone().in_unit(unit),
        None => value.clone(),
    };
    let end = Expression::Call(Function::Min, vec![in_unit(end), Expression::Number(last_s)]);
    (last_s >= 0.0).then(|| Expression::binary(Operator::Subtract, end, in_unit(start)))
}
