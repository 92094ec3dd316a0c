//! What is to be told about a file, collected while it is read: one entry for each kind of finding and column, so
//! that a file with a million broken rows costs no more memory than one with a single one.

use elastiplan_model::order::sort_by_key;
use elastiplan_model::{Diagnostic, Place, Severity};

use crate::header::Column;
use crate::report::Assumption;
use crate::values::{self, Range};

/// Rows that an entry names after the first.
pub(crate) const MORE_ROWS: usize = 3;

/// What a finding means for its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing: worth knowing.
    None,
    /// Nothing, but it is hardly right.
    Doubted,
    /// A value was filled in, as the format allows.
    Filled,
    /// A value was repaired or given up; the row is used.
    Repaired,
    /// The row is not used.
    LeftOut,
}

/// How to repair a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repair {
    /// Always the same words.
    Say(&'static str),
    /// Words that depend on what stands where a number should be.
    Number,
}

/// A kind of finding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finding {
    pub effect: Effect,
    /// What holds for the value.
    pub rule: &'static str,
    /// What became of it.
    pub outcome: &'static str,
    pub repair: Repair,
}

/// What becomes of a row that cannot be used.
pub(crate) const ROW_OUT: &str = "Row left out";

/// A number that a row cannot do without.
pub(crate) fn needed(range: Range) -> Finding {
    Finding { effect: Effect::LeftOut, rule: range.rule, outcome: ROW_OUT, repair: Repair::Number }
}

/// What became of the current row so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RowState {
    None,
    Clean,
    Defaulted,
    Rejected,
}

/// Rows counted by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowCounts {
    pub read: u64,
    pub defaulted: u64,
    pub rejected: u64,
}

/// A kind of finding, by its rule and outcome: what makes two findings in a column one entry.
type Kind = (&'static str, &'static str);

/// Findings and row counts of one file.
#[derive(Debug)]
pub(crate) struct Notes {
    file: String,
    line: u64,
    row: RowState,
    counts: RowCounts,
    /// In order of appearance.
    entries: Vec<Diagnostic>,
    /// For rows as a whole and then for each column: the findings there and their entries. Few at each place, so that
    /// a finding is found quickly even where a file has a million of them.
    known: Vec<Vec<(Kind, usize)>>,
    pub assumptions: Vec<Assumption>,
}

impl Notes {
    pub fn new(file: &str) -> Self {
        Self {
            file: file.into(),
            line: 0,
            row: RowState::None,
            counts: RowCounts::default(),
            entries: Vec::new(),
            known: Vec::new(),
            assumptions: Vec::new(),
        }
    }

    /// Starts a row; findings are about it from now on.
    pub fn begin_row(&mut self, line: u64) {
        self.end_row();
        self.line = line;
        self.row = RowState::Clean;
    }

    /// Takes notes about a line that is no row.
    pub fn begin_aside(&mut self, line: u64) {
        self.end_row();
        self.line = line;
    }

    /// Goes back to a row that was used so far, to note what shows only when all rows are known. `defaulted`: something
    /// in it was filled in or repaired.
    pub fn return_to_row(&mut self, line: u64, defaulted: bool) {
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

    /// Rows so far, the current one and those that could not be taken apart included.
    pub fn rows_begun(&self) -> u64 {
        self.counts.read + u64::from(self.row != RowState::None)
    }

    /// Whether something was filled in or repaired in the current row.
    pub fn row_is_defaulted(&self) -> bool {
        self.row == RowState::Defaulted
    }

    /// Notes something about a cell of the current row.
    pub fn cell(&mut self, finding: Finding, column: &Column, cell: &[u8]) {
        self.add(finding, Some(column), || values::shown(cell), cell);
    }

    /// Notes something about the current row as a whole.
    pub fn row(&mut self, finding: Finding, value: impl FnOnce() -> String) {
        self.add(finding, None, value, b"");
    }

    fn add(&mut self, finding: Finding, column: Option<&Column>, value: impl FnOnce() -> String, cell: &[u8]) {
        let Finding { effect, rule, outcome, repair } = finding;
        if self.row != RowState::None {
            self.row = self.row.max(match effect {
                Effect::None | Effect::Doubted => RowState::Clean,
                Effect::Filled | Effect::Repaired => RowState::Defaulted,
                Effect::LeftOut => RowState::Rejected,
            });
        }
        let place = column.map_or(0, |column| column.index + 1);
        if self.known.len() <= place {
            self.known.resize(place + 1, Vec::new());
        }
        let Some(here) = self.known.get_mut(place) else { return };
        let entry = here.iter().find(|(kind, _)| *kind == (rule, outcome)).map(|(_, entry)| *entry);
        if let Some(known) = entry.and_then(|entry| self.entries.get_mut(entry)) {
            known.count += 1;
            if known.place.more_rows.len() < MORE_ROWS {
                known.place.more_rows.push(self.line);
            }
            return;
        }
        here.push(((rule, outcome), self.entries.len()));
        let column = column.map(|column| column.name.clone());
        self.entries.push(Diagnostic {
            severity: severity(effect),
            place: Place { file: Some(self.file.clone()), row: Some(self.line), column, more_rows: Vec::new() },
            count: 1,
            value: Some(value()).filter(|value| !value.is_empty()),
            rule: rule.into(),
            outcome: outcome.into(),
            repair: match repair {
                Repair::Say(words) => words.into(),
                Repair::Number => values::repair_number(cell),
            },
        });
    }

    /// Notes something about the file as a whole.
    pub fn file(&mut self, finding: FileFinding) {
        let FileFinding { severity, row, column, value, count, rule, outcome, repair } = finding;
        let place = Place { file: Some(self.file.clone()), row, column, more_rows: Vec::new() };
        self.entries.push(Diagnostic { severity, place, count, value, rule, outcome, repair });
    }

    /// Notes a value that is used for every row because the file has no column for it.
    pub fn assume(&mut self, column: &str, used: &str, repair: &str) {
        let rows = self.counts().read - self.counts().rejected;
        self.assumptions.push(Assumption { column: column.into(), used: used.into(), rows });
        let place = Place { file: Some(self.file.clone()), column: Some(column.into()), ..Place::default() };
        self.entries.push(Diagnostic {
            severity: Severity::Info,
            place,
            count: rows,
            value: None,
            rule: format!("No {column} column"),
            outcome: used.into(),
            repair: repair.into(),
        });
    }

    /// Rows so far, the current one included.
    pub fn counts(&mut self) -> RowCounts {
        self.end_row();
        self.counts
    }

    /// Everything that was noted: what was left out first, then what was repaired, each in order of appearance.
    pub fn finish(mut self) -> (RowCounts, Vec<Assumption>, Vec<Diagnostic>) {
        self.end_row();
        sort_by_key(&mut self.entries, |diagnostic| std::cmp::Reverse(diagnostic.severity));
        (self.counts, self.assumptions, self.entries)
    }
}

/// Something about a file as a whole, in words.
#[derive(Clone, Debug)]
pub(crate) struct FileFinding {
    pub severity: Severity,
    pub row: Option<u64>,
    pub column: Option<String>,
    pub value: Option<String>,
    pub count: u64,
    pub rule: String,
    pub outcome: String,
    pub repair: String,
}

impl FileFinding {
    /// A finding without a row, a column or a value.
    pub fn new(severity: Severity, rule: impl Into<String>, outcome: &str, repair: impl Into<String>) -> Self {
        let (rule, outcome, repair) = (rule.into(), outcome.into(), repair.into());
        Self { severity, row: None, column: None, value: None, count: 1, rule, outcome, repair }
    }
}

fn severity(effect: Effect) -> Severity {
    match effect {
        Effect::None | Effect::Filled => Severity::Info,
        Effect::Repaired | Effect::Doubted => Severity::Warning,
        Effect::LeftOut => Severity::Error,
    }
}
