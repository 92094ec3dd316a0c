//! A table: a header and the rows below it. Lines that are not rows (empty ones, repeated headers) and rows that cannot
//! be split into fields (ragged, unclosed quotes, overlong) are reported and skipped here, so that formats see only
//! whole rows.

use elastiplan_model::{Diagnostic, Severity};

use crate::text::cells::Cells;
use crate::text::findings::{Effect, Finding, Findings};
use crate::text::header::{Column, Header};
use crate::text::records::{Next, Records, Row};
use crate::text::source::{CHECK_END, Stop, bytes_text};

pub(crate) const RAGGED: Finding = Finding::row_out(
    "As many fields as the header has",
    "Add the missing fields, or put text that holds a delimiter in double quotes",
);
pub(crate) const CUT_OFF: Finding = Finding::row_out(
    "As many fields as the header has; the last line is cut off",
    "Check that the file was saved or downloaded to the end",
);
pub(crate) const JOINED: Finding = Finding::new(
    Effect::Filled,
    "As many fields as the header has",
    "The fields in excess are part of this one",
    "Nothing to do, if the text is right",
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
    /// The column of free text that may hold the delimiter, where there is one.
    text_column: Option<Column>,
    joined: Joined,
}

/// A row whose free text was joined again.
#[derive(Default)]
struct Joined {
    line: u64,
    fields: Vec<u8>,
    ends: Vec<usize>,
}

impl<'a, 'm> Table<'a, 'm> {
    pub fn new(records: Records<'a, 'm>, header: Header, findings: Findings) -> Self {
        Self { header, findings, records, text_column: None, joined: Joined::default() }
    }

    /// Takes rows with too many cells for rows whose text in this column holds the delimiter, from now on; quotes are
    /// letters then.
    pub fn join_text_in(&mut self, column: &str) {
        self.records.ignore_quotes();
        self.text_column = self.header.find(column);
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
                Next::Row if self.is_whole_row(line) => {
                    return Some(Cells { row: self.records.row(), findings: &mut self.findings });
                }
                Next::Row if self.join(line) => {
                    let Joined { line, fields, ends } = &self.joined;
                    return Some(Cells { row: Row::new(*line, fields, ends), findings: &mut self.findings });
                }
                Next::Row => {}
            }
        }
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
        if surplus && self.text_column.is_some() && row.len() > self.header.names.len() {
            return false;
        }
        if row.len() < width || surplus {
            let is_cut_off = row.len() < width && self.records.is_unended();
            self.findings
                .row(if is_cut_off { CUT_OFF } else { RAGGED }, || format!("{} fields for {width} columns", row.len()));
            return false;
        }
        true
    }

    /// Joins the cells of a row that has too many, where one column may hold the delimiter; false if it has not.
    fn join(&mut self, line: u64) -> bool {
        let (row, names) = (self.records.row(), self.header.names.len());
        let Some(column) = self.text_column.as_ref().filter(|_| row.len() > names) else { return false };
        let last = column.index + row.len() - names;
        let joined = &mut self.joined;
        (joined.line, joined.fields, joined.ends) = (line, Vec::new(), Vec::new());
        for index in 0..row.len() {
            joined.fields.extend_from_slice(row.cell(index));
            match (column.index..last).contains(&index) {
                true => joined.fields.push(self.header.delimiter),
                false => joined.ends.push(joined.fields.len()),
            }
        }
        self.findings.cell(JOINED, column, Row::new(line, &joined.fields, &joined.ends).cell(column.index));
        true
    }

    /// Adds a finding if reading stopped before the end of the file.
    fn report_end(&mut self) {
        let (rule, repair) = match self.records.input().stop() {
            None => return,
            Some(Stop::Limit(max)) => (format!("At most {}", bytes_text(*max)), "Split it, or use the command line"),
            Some(Stop::Failed(error)) => (format!("Reading failed: {error}"), "Try again"),
            Some(Stop::Damaged(error)) => (format!("Unpacking failed: {error}"), CHECK_END),
        };
        let outcome = "Read up to there; the rest left out";
        self.findings.file(Diagnostic::new(Severity::Error, rule, outcome, repair));
    }
}

/// Whether a row repeats the header, as where files were joined; each may have begun with a byte-order mark.
fn is_header(row: &Row<'_>, header: &Header) -> bool {
    let cell = |index| row.cell(index).strip_prefix(b"\xef\xbb\xbf").unwrap_or(row.cell(index));
    let same = |(index, name): (usize, &String)| cell(index).eq_ignore_ascii_case(name.as_bytes());
    row.len() == header.names.len() && header.names.iter().enumerate().all(|(index, name)| same((index, name)))
}
