//! A row while it is read: its cells, the findings about them, and the cells that many formats read alike.

use std::borrow::Cow;

use crate::text::findings::{Effect, Finding, Findings, ROW_OUT, Repair};
use crate::text::header::Column;
use crate::text::records::Row;
use crate::text::values::{self, Cell, Range};

/// The outcome of a bad value that a row can do without.
pub(crate) const AS_MISSING: &str = "Treated as missing";
const NO_MODEL: Finding = Finding::row_out("The model's name", "Fill in the name, as the curves spell it");
const NOT_UTF8: Finding =
    Finding::new(Effect::Repaired, "Text in UTF-8", "Unreadable letters replaced", "Save the file as UTF-8");
const ONE_GPU_TYPE: Finding = Finding::row_out(
    "One GPU type at a time: the first of the file is used",
    "Keep the rows of the GPU type you plan with",
);

/// A number that a row cannot do without.
pub(crate) fn needed(range: Range) -> Finding {
    Finding { effect: Effect::LeftOut, rule: range.rule, outcome: ROW_OUT, repair: Repair::Number }
}

/// A number that a row can do without.
pub(crate) fn optional(range: Range, outcome: &'static str) -> Finding {
    Finding { effect: Effect::Repaired, rule: range.rule, outcome, repair: Repair::Number }
}

/// A cell that is empty in a column that other rows fill.
pub(crate) fn filled(outcome: &'static str) -> Finding {
    let repair = Repair::Say("Fill in the value where another one is meant");
    Finding { effect: Effect::Filled, rule: "An empty cell means the default", outcome, repair }
}

/// A row while it is read, with the findings about it.
pub(crate) struct Cells<'r> {
    pub row: Row<'r>,
    pub findings: &'r mut Findings,
}

impl<'r> Cells<'r> {
    /// The line that the row starts at, counted from 1.
    pub fn line(&self) -> u64 {
        self.row.line
    }

    /// A cell without the blanks around it.
    #[inline]
    pub fn cell(&self, column: &Column) -> &'r [u8] {
        self.row.cell(column.index)
    }

    /// Adds a finding about a cell.
    pub fn report(&mut self, finding: Finding, column: &Column) {
        self.findings.cell(finding, column, self.cell(column));
    }

    /// A value that the row cannot do without; `None`, with a finding, if the cell holds none.
    pub fn needed<T>(&mut self, column: &Column, range: Range, read: fn(&[u8], Range) -> Cell<T>) -> Option<T> {
        let value = read(self.cell(column), range).value();
        if value.is_none() {
            self.report(needed(range), column);
        }
        value
    }

    /// A value that the row can do without; what is used instead of a missing and of a bad one is for the findings.
    pub fn optional<T>(
        &mut self,
        column: &Column,
        range: Range,
        read: fn(&[u8], Range) -> Cell<T>,
        [missing, bad]: [&'static str; 2],
    ) -> Option<T> {
        match read(self.cell(column), range) {
            Cell::Is(value) => return Some(value),
            Cell::Missing => self.report(filled(missing), column),
            Cell::Bad => self.report(optional(range, bad), column),
        }
        None
    }

    /// A cell's text; bytes that are not UTF-8 are replaced, with a finding.
    pub fn text(&mut self, column: &Column) -> Cow<'r, str> {
        let (text, replaced) = values::text(self.cell(column));
        if replaced {
            self.report(NOT_UTF8, column);
        }
        text
    }

    /// The name of a model; `None`, with a finding, if the cell is empty.
    pub fn model(&mut self, column: &Column) -> Option<Cow<'r, str>> {
        let model = self.text(column);
        if model.is_empty() {
            self.report(NO_MODEL, column);
            return None;
        }
        Some(model)
    }
}

/// The GPU type of a file: that of its first row.
#[derive(Default)]
pub(crate) struct GpuType(Option<Vec<u8>>);

impl GpuType {
    /// Whether a row is of this GPU type; false, with a finding, if not. Files without the column have one type.
    pub fn is_that_of(&mut self, cells: &mut Cells<'_>, column: Option<&Column>) -> bool {
        let Some(column) = column else { return true };
        let cell = cells.cell(column);
        let same = self.0.get_or_insert_with(|| cell.to_vec()).as_slice() == cell;
        if !same {
            cells.report(ONE_GPU_TYPE, column);
        }
        same
    }
}
