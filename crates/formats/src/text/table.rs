//! A table: a header and the rows below it. Lines that are not rows (empty ones, repeated headers) and rows that cannot
//! be split into fields (ragged, unclosed quotes, overlong) are reported and skipped here, so that formats see only
//! whole rows.

use elastiplan_model::{Diagnostic, Severity};

use crate::text::cells::Cells;
use crate::text::findings::{Effect, Finding, Findings};
use crate::text::header::Header;
use crate::text::records::{Next, Records, Row};
use crate::text::source::{Stop, bytes_text};

pub(crate) const RAGGED: Finding = Finding::row_out(
    "As many fields as the header has",
    "Add the missing fields, or put text that holds a delimiter in double quotes",
);
pub(crate) const TOO_LONG: Finding = Finding::row_out("A line of at most 1 MB", "Check that lines end where rows end");
pub(crate) const OPEN_QUOTE: Finding = Finding::row_out(
    "A double quote that opens a field closes it too",
    "Close the quote, or write it twice where it belongs to the text",
);
const EMPTY_ROW: Finding = Finding::new(Effect::None, "A row has values", "Empty row skipped", "Nothing to do");
const HEADER_AGAIN: Finding = Finding::new(
    Effect::None,
    "The header stands once, on top",
    "Line skipped",
    "Nothing to do, if files were joined; the rows below it are read",
);

/// A table while it is read.
pub(crate) struct Table<'a, 'm> {
    pub header: Header,
    pub findings: Findings,
    records: Records<'a, 'm>,
}

impl<'a, 'm> Table<'a, 'm> {
    pub fn new(records: Records<'a, 'm>, header: Header, findings: Findings) -> Self {
        Self { header, findings, records }
    }

    /// The next row that has as many fields as the header.
    pub fn next(&mut self) -> Option<Cells<'_>> {
        loop {
            let next = self.records.next(Some(self.header.names.len()));
            let line = self.records.line();
            match next {
                Next::End => {
                    self.report_end();
                    return None;
                }
                Next::TooLong | Next::OpenQuote => {
                    self.findings.begin_row(line);
                    self.findings.row(if next == Next::TooLong { TOO_LONG } else { OPEN_QUOTE }, String::new);
                }
                Next::Row if self.is_whole_row(line) => break,
                Next::Row => {}
            }
        }
        Some(Cells { row: self.records.row(), findings: &mut self.findings })
    }

    /// Starts the row; false, with a finding, if the line is not a whole row.
    fn is_whole_row(&mut self, line: u64) -> bool {
        let row = self.records.row();
        let width = self.header.width();
        if row.is_empty() || is_header(&row, &self.header) {
            self.findings.begin_skipped_line(line);
            self.findings.row(if row.is_empty() { EMPTY_ROW } else { HEADER_AGAIN }, String::new);
            return false;
        }
        self.findings.begin_row(line);
        let surplus = row.len() > width && (width..row.len()).any(|index| !row.cell(index).is_empty());
        if row.len() < width || surplus {
            self.findings.row(RAGGED, || format!("{} fields for {width} columns", row.len()));
            return false;
        }
        true
    }

    /// Adds a finding if reading stopped before the end of the file.
    fn report_end(&mut self) {
        let (rule, repair) = match self.records.input().stop() {
            None => return,
            Some(Stop::Limit(max)) => (format!("At most {}", bytes_text(*max)), "Split it, or use the command line"),
            Some(Stop::Failed(error)) => (format!("Reading failed: {error}"), "Try again"),
        };
        let outcome = "Read up to there; the rest left out";
        self.findings.file(Diagnostic::new(Severity::Error, rule, outcome, repair));
    }
}

/// Whether a row repeats the header, as where files were joined.
fn is_header(row: &Row<'_>, header: &Header) -> bool {
    let same = |(index, name): (usize, &String)| row.cell(index).eq_ignore_ascii_case(name.as_bytes());
    row.len() == header.names.len() && header.names.iter().enumerate().all(|(index, name)| same((index, name)))
}
