//! Findings about a file, collected while it is read: one diagnostic for each kind of finding and column, so that a
//! file with a million broken rows takes no more memory than one with a single broken row.

use std::collections::BTreeSet;

use elastiplan_model::order::{by_number, sort_by_key};
use elastiplan_model::{Diagnostic, Place, Severity};
use elastiplan_text::format::count;

use crate::report::Assumption;
use crate::text::header::Column;
use crate::text::values;

/// The effect of a finding on its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// None: the finding is information.
    None,
    /// None, but the value is probably wrong.
    Doubted,
    /// A value was filled in, as the format allows.
    Filled,
    /// A value was repaired or given up; the row is used.
    Repaired,
    /// The row is not used.
    LeftOut,
    /// The row is not used, as is meant.
    Excluded,
}

/// The advice on repairing a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repair {
    /// Fixed text.
    Say(&'static str),
    /// Text that depends on the cell that should hold a number.
    Number,
}

/// A kind of finding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finding {
    pub effect: Effect,
    /// The rule that the value breaks.
    pub rule: &'static str,
    /// The outcome for the value or row.
    pub outcome: &'static str,
    pub repair: Repair,
}

impl Finding {
    /// A finding with fixed advice.
    pub const fn new(effect: Effect, rule: &'static str, outcome: &'static str, repair: &'static str) -> Self {
        Self { effect, rule, outcome, repair: Repair::Say(repair) }
    }

    /// A finding for which its row is left out.
    pub const fn row_out(rule: &'static str, repair: &'static str) -> Self {
        Self::new(Effect::LeftOut, rule, ROW_OUT, repair)
    }
}

/// The outcome of a row that cannot be used.
pub(crate) const ROW_OUT: &str = "Row left out";

/// The state of the current row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum RowState {
    #[default]
    None,
    Clean,
    Defaulted,
    Rejected,
}

/// Rows counted by their outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowCounts {
    pub read: u64,
    pub defaulted: u64,
    pub rejected: u64,
}

/// A kind of finding, by its rule and outcome: what makes two findings in a column one entry.
type Kind = (&'static str, &'static str);

/// The different values of one kind of finding. Memory is bounded, however many rows are broken.
#[derive(Debug, Default)]
struct Values {
    /// The first few, in order of appearance.
    named: Vec<String>,
    others: BTreeSet<String>,
}

impl Values {
    const NAMED_MAX: usize = 3;
    const OTHERS_MAX: usize = 1_000;

    /// Adds a value; returns whether it is a new one.
    fn add(&mut self, value: impl FnOnce() -> String) -> bool {
        if self.others.len() >= Self::OTHERS_MAX {
            return false;
        }
        let value = value();
        if value.is_empty() || self.named.contains(&value) {
            return false;
        }
        if self.named.len() < Self::NAMED_MAX {
            self.named.push(value);
            return true;
        }
        self.others.insert(value)
    }

    /// `four`; `four, -2`; `four, -2, 1e300 and 12 other values`. `None` where there is none.
    fn in_words(&self) -> Option<String> {
        let named = self.named.join(", ");
        match self.others.len() {
            _ if named.is_empty() => None,
            0 => Some(named),
            1 => Some(format!("{named} and 1 other value")),
            others if others >= Self::OTHERS_MAX => {
                Some(format!("{named} and over {} other values", count(others as u64)))
            }
            others => Some(format!("{named} and {} other values", count(others as u64))),
        }
    }
}

/// A finding about one row, for readers that look at rows one by one.
#[derive(Clone, Debug)]
pub(crate) struct RowFinding {
    /// The line that the row starts at.
    pub line: u64,
    pub finding: Finding,
    /// The column, by its index; `None` for a finding about the row as a whole.
    pub column: Option<usize>,
    /// The value, as findings show it.
    pub value: String,
}

/// Findings and row counts of one file.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Findings about rows since they were taken last, if they are watched.
    watched: Option<Vec<RowFinding>>,
    file: String,
    line: u64,
    row: RowState,
    counts: RowCounts,
    /// In order of appearance.
    entries: Vec<Diagnostic>,
    /// The different values of each entry.
    values: Vec<Values>,
    /// For rows as a whole and then for each column, the kinds of findings there with their entries: few at each
    /// place, so that looking one up is fast even for a million findings.
    known: Vec<Vec<(Kind, usize)>>,
    pub assumptions: Vec<Assumption>,
}

impl Findings {
    pub fn new(file: &str) -> Self {
        Self { file: file.into(), ..Self::default() }
    }

    /// The path of the file.
    pub fn path(&self) -> &str {
        &self.file
    }

    /// Starts a row; findings are about it from now on.
    pub fn begin_row(&mut self, line: u64) {
        self.end_row();
        self.line = line;
        self.row = RowState::Clean;
    }

    /// Starts a line that is not a row; findings are about it from now on.
    pub fn begin_skipped_line(&mut self, line: u64) {
        self.end_row();
        self.line = line;
    }

    /// Returns to a row that was in use.
    pub fn reopen_row(&mut self, UsedRow { line, defaulted }: UsedRow) {
        self.end_row();
        self.line = line;
        self.row = if defaulted { RowState::Defaulted } else { RowState::Clean };
        let RowCounts { read, defaulted: counted, .. } = &mut self.counts;
        // It is counted again when it ends.
        *read = read.saturating_sub(1);
        *counted = counted.saturating_sub(u64::from(defaulted));
    }

    fn end_row(&mut self) {
        let RowCounts { read, defaulted, rejected } = &mut self.counts;
        *read += u64::from(self.row != RowState::None);
        *defaulted += u64::from(self.row == RowState::Defaulted);
        *rejected += u64::from(self.row == RowState::Rejected);
        self.row = RowState::None;
    }

    /// Rows so far, including the current one and those that could not be split into fields.
    pub fn rows_begun(&self) -> u64 {
        self.counts.read + u64::from(self.row != RowState::None)
    }

    /// The current row.
    pub fn used_row(&self) -> UsedRow {
        UsedRow { line: self.line, defaulted: self.row == RowState::Defaulted }
    }

    /// Adds a finding about a cell of the current row.
    pub fn cell(&mut self, finding: Finding, column: &Column, cell: &[u8]) {
        self.add(finding, Some(column), || values::shown(cell), cell);
    }

    /// Adds a finding about the current row as a whole.
    pub fn row(&mut self, finding: Finding, value: impl FnOnce() -> String) {
        self.add(finding, None, value, b"");
    }

    /// Keeps findings about rows one by one from now on, to be taken by [`Findings::take_watched`].
    pub fn watch(&mut self) {
        self.watched = Some(Vec::new());
    }

    /// The findings about rows since the last call.
    pub fn take_watched(&mut self) -> Vec<RowFinding> {
        self.watched.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn add(&mut self, finding: Finding, column: Option<&Column>, value: impl FnOnce() -> String, cell: &[u8]) {
        if let Some(watched) = self.watched.as_mut().filter(|_| self.row != RowState::None) {
            let value = value();
            let column_at = column.map(|column| column.index);
            watched.push(RowFinding { line: self.line, finding, column: column_at, value: value.clone() });
            return self.record(finding, column, move || value, cell);
        }
        self.record(finding, column, value, cell);
    }

    fn record(&mut self, finding: Finding, column: Option<&Column>, value: impl FnOnce() -> String, cell: &[u8]) {
        let Finding { effect, rule, outcome, repair } = finding;
        if self.row != RowState::None {
            self.row = self.row.max(match effect {
                Effect::None | Effect::Doubted => RowState::Clean,
                Effect::Filled | Effect::Repaired => RowState::Defaulted,
                Effect::LeftOut | Effect::Excluded => RowState::Rejected,
            });
        }
        let place = column.map_or(0, |column| column.index + 1);
        if self.known.len() <= place {
            self.known.resize(place + 1, Vec::new());
        }
        let Some(here) = self.known.get_mut(place) else { return };
        let entry = here.iter().find(|(kind, _)| *kind == (rule, outcome)).map(|(_, entry)| *entry);
        if let Some((known, values)) =
            entry.and_then(|entry| Some((self.entries.get_mut(entry)?, self.values.get_mut(entry)?)))
        {
            known.add_row(self.line);
            let is_new = values.add(value);
            // One piece of advice for values that are wrong in different ways.
            if is_new && repair == Repair::Number && known.repair != values::repair_number(cell) {
                known.repair = "Correct the values".into();
            }
            return;
        }
        here.push(((rule, outcome), self.entries.len()));
        let repair = match repair {
            Repair::Say(words) => words.into(),
            Repair::Number => values::repair_number(cell),
        };
        let column = column.map(|column| column.name.clone());
        let mut values = Values::default();
        values.add(value);
        self.values.push(values);
        self.entries.push(Diagnostic {
            place: Place { file: Some(self.file.clone()), row: Some(self.line), column, more_rows: Vec::new() },
            value: None,
            ..Diagnostic::new(severity(effect), rule, outcome, repair)
        });
    }

    /// Adds findings about rows that were in use so far, each with a value, in order of the rows.
    pub fn deferred(&mut self, finding: Finding, rows: &[(UsedRow, String)]) {
        for (row, value) in by_number(rows, |(row, _)| row.line as f64) {
            self.reopen_row(*row);
            self.row(finding, || value.clone());
        }
    }

    /// Adds a finding about the file as a whole.
    pub fn file(&mut self, finding: Diagnostic) {
        let value = finding.value.clone().unwrap_or_default();
        let mut values = Values::default();
        values.add(|| value);
        self.values.push(values);
        self.entries.push(finding.in_file(&self.file));
    }

    /// Records a value that is used for every row, if there is any, because the file has no column for it.
    pub fn assume(&mut self, column: &str, used: &str, repair: &str) {
        let rows = self.counts().read - self.counts().rejected;
        if rows == 0 {
            return;
        }
        self.assumptions.push(Assumption { column: column.into(), used: used.into(), rows });
        let finding = Diagnostic::new(Severity::Info, format!("No {column} column"), used, repair);
        self.file(finding.in_column(column).with_count(rows));
    }

    /// Records what is made of every row, if there is any, of fields that the source has in another way or not: each
    /// with what is used, and why or how to say otherwise.
    pub fn assume_all_of_source(&mut self, assumed: &[(&str, &str, &str)]) {
        let rows = self.counts().read - self.counts().rejected;
        for (field, used, repair) in assumed.iter().filter(|_| rows > 0) {
            self.assumptions.push(Assumption { column: (*field).into(), used: (*used).into(), rows });
            let rule = format!("{field}, as this source has it");
            let finding = Diagnostic::new(Severity::Info, rule, *used, *repair);
            self.file(finding.in_column(*field).with_count(rows));
        }
    }

    /// Rows so far, the current one included.
    pub fn counts(&mut self) -> RowCounts {
        self.end_row();
        self.counts
    }

    /// Row counts, assumptions and findings: errors first, then warnings, each in order of appearance.
    pub fn finish(mut self) -> (RowCounts, Vec<Assumption>, Vec<Diagnostic>) {
        self.end_row();
        for (entry, values) in self.entries.iter_mut().zip(&self.values) {
            entry.value = values.in_words();
        }
        sort_by_key(&mut self.entries, |diagnostic| std::cmp::Reverse(diagnostic.severity));
        (self.counts, self.assumptions, self.entries)
    }
}

/// A row that is in use, for findings that show only when all rows are known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UsedRow {
    pub line: u64,
    /// Whether something in it was filled in or repaired.
    pub defaulted: bool,
}

fn severity(effect: Effect) -> Severity {
    match effect {
        Effect::None | Effect::Filled | Effect::Excluded => Severity::Info,
        Effect::Repaired | Effect::Doubted => Severity::Warning,
        Effect::LeftOut => Severity::Error,
    }
}
