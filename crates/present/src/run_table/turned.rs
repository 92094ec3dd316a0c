//! The table of two runs, turned: metrics down, runs across, one column of differences, the changed fields first.

use elastiplan_text::format;

use super::{Column, PartOf, RunCell, RunTable};
use crate::metric_text::Difference;
use crate::runs::RunEntry;

/// A metric, or a changed field, of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnedRow {
    /// Its key in the catalogue; empty for a field.
    pub key: &'static str,
    /// Its name.
    pub label: String,
    /// Its definition; empty for a field.
    pub help: &'static str,
    /// Whether it is a field that differs between the runs.
    pub is_changed: bool,
    /// Whether the goal is about it.
    pub is_goal: bool,
    /// The value of each run.
    pub cells: [RunCell; 2],
    /// How the second differs from the first.
    pub difference: Difference,
}

/// The turned table.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnedTable {
    /// The slots of the two runs, the baseline first.
    pub slots: [usize; 2],
    /// Their names.
    pub names: [String; 2],
    /// What the columns are called: what differs, where the policy does not; else the names.
    pub heads: [String; 2],
    /// Changed fields, then metrics.
    pub rows: Vec<TurnedRow>,
}

impl RunTable {
    /// The table turned, if there are two runs; `entries` are those that it was made from.
    pub fn turned(&self, entries: &[RunEntry]) -> Option<TurnedTable> {
        let [one, other] = self.rows.as_slice() else { return None };
        let (base, own) = if other.is_baseline { (other, one) } else { (one, other) };
        let differs = |slot: usize| {
            let entry = entries.iter().find(|entry| entry.slot == slot);
            entry.map(|entry| entry.differs.as_slice()).unwrap_or_default()
        };
        let metric = |((column, before), after): ((&Column, &RunCell), &RunCell)| metric_row(column, before, after);
        let metrics = self.columns.iter().zip(&base.cells).zip(&own.cells).map(metric);
        let rows = changed_fields(differs(base.slot), differs(own.slot)).into_iter().chain(metrics).collect();
        let names = [base.name.clone(), own.name.clone()];
        let policy = |slot: usize| Some(&entries.iter().find(|entry| entry.slot == slot)?.policy);
        let differences = [base.slot, own.slot].map(|slot| differs(slot).join(", "));
        let is_told_apart = policy(base.slot) == policy(own.slot) && differences.iter().all(|words| !words.is_empty());
        let heads = if is_told_apart { differences } else { names.clone() };
        Some(TurnedTable { slots: [base.slot, own.slot], names, heads, rows })
    }
}

fn none() -> Difference {
    Difference { text: format::DASH.into(), is_better: None }
}

fn metric_row(column: &Column, before: &RunCell, after: &RunCell) -> TurnedRow {
    let (cells, difference) = match (column.key, before.of, after.of) {
        // With two runs there is room for how many of how many.
        ("deadline_satisfactory_ratio", Some(of_before), Some(of_after)) => {
            deadlines(before, after, of_before, of_after)
        }
        _ => ([before.clone(), after.clone()], after.difference.clone().unwrap_or_else(none)),
    };
    TurnedRow {
        key: column.key,
        label: column.label.into(),
        help: column.help,
        is_changed: false,
        is_goal: column.is_goal,
        cells,
        difference,
    }
}

/// `36 / 40`, `39 / 40`, and `+3`.
fn deadlines(before: &RunCell, after: &RunCell, of_before: PartOf, of_after: PartOf) -> ([RunCell; 2], Difference) {
    let cell = |cell: &RunCell, of: PartOf| {
        let value = format!("{} / {}", format::count(of.part), format::count(of.total));
        RunCell { value, ..cell.clone() }
    };
    let by = of_after.part as i64 - of_before.part as i64;
    let is_better = after.difference.as_ref().and_then(|difference| difference.is_better);
    let difference = match by {
        0 => none(),
        by => Difference { text: format::signed_count(by), is_better },
    };
    ([cell(before, of_before), cell(after, of_after)], difference)
}

/// The fields in which two runs differ from the inputs, joined where they are the same field.
fn changed_fields(before: &[String], after: &[String]) -> Vec<TurnedRow> {
    let mut rest: Vec<&str> = before.iter().map(String::as_str).collect();
    let mut rows = Vec::new();
    for now in after {
        let same_field = rest.iter().position(|old| field_of(old).0 == field_of(now).0);
        let old = same_field.map(|at| rest.remove(at));
        if old != Some(now.as_str()) {
            rows.push(changed_field(old, Some(now)));
        }
    }
    rows.extend(rest.into_iter().map(|old| changed_field(Some(old), None)));
    rows
}

fn changed_field(before: Option<&str>, after: Option<&str>) -> TurnedRow {
    let value = |text: Option<&str>| RunCell {
        value: text.map_or_else(|| format::DASH.into(), |text| field_of(text).1),
        number: None,
        of: None,
        difference: None,
        is_best: false,
        meets_goal: None,
        is_so_far: false,
    };
    let number = |text: Option<&str>| field_of(text?).1.replace(',', "").parse::<i64>().ok();
    let difference = number(before).zip(number(after)).map(|(before, after)| after - before);
    let difference = difference.map_or_else(none, |by| Difference { text: format::signed_count(by), is_better: None });
    let label = after.or(before).map(|text| field_of(text).0).unwrap_or_default();
    let mut letters = label.chars();
    let label =
        letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default();
    TurnedRow {
        key: "",
        label,
        help: "",
        is_changed: true,
        is_goal: false,
        cells: [value(before), value(after)],
        difference,
    }
}

/// Name and value of a field as it is written in short: `nodes` and `72` of "72 nodes", `rescale cost` and `60s` of
/// "rescale cost 60s". Where no word has a digit, the last is the value.
fn field_of(text: &str) -> (String, String) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let has_digit = |word: &&&str| word.chars().any(|letter| letter.is_ascii_digit());
    let value: Vec<&str> = match words.iter().any(|word| has_digit(&word)) {
        true => words.iter().filter(has_digit).copied().collect(),
        false => words.last().copied().into_iter().collect(),
    };
    let name: Vec<&str> = words.iter().filter(|word| !value.contains(word)).copied().collect();
    (name.join(" "), value.join(" "))
}
