//! A few rows of a file around one that a diagnostic names, to show it in context.

use serde::{Deserialize, Serialize};

use crate::sniff;
use crate::text::records::Next;
use crate::text::source::{Meter, Source};
use crate::text::values;

/// The most columns shown.
const COLUMNS: usize = 64;

/// Rows of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The rows, in order.
    pub rows: Vec<ExcerptRow>,
}

/// One row of an excerpt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExcerptRow {
    /// The line it starts at, counted from 1.
    pub row: u64,
    /// The text of its cells, shortened if long.
    pub cells: Vec<String>,
}

/// The rows that start at most `around` lines before or after line `row`. `None` if the file is no table.
///
/// The file is read again up to there: keeping the text of every bad row while importing would cost more than reading
/// again for the few rows that are looked at.
pub fn excerpt(source: Source<'_>, row: u64, around: u64) -> Option<Excerpt> {
    let ignore = &mut |_| {};
    let mut meter = Meter::new(None, ignore);
    let (header, mut records) = sniff::open_table(source, &mut meter)?;
    let shown = |cells: &mut dyn Iterator<Item = &[u8]>| -> Vec<String> {
        cells.take(COLUMNS).map(|cell| if cell.is_empty() { String::new() } else { values::shown(cell) }).collect()
    };
    let names = shown(&mut header.names.iter().map(String::as_bytes));
    let mut excerpt = Excerpt { header: names, rows: Vec::new() };
    loop {
        match records.next(Some(header.names.len())) {
            Next::End => break,
            _ if records.line() > row.saturating_add(around) => break,
            _ if records.line() < row.saturating_sub(around) => {}
            Next::Row => {
                let cells = shown(&mut records.row().cells());
                excerpt.rows.push(ExcerptRow { row: records.line(), cells });
            }
            _ => excerpt.rows.push(ExcerptRow { row: records.line(), cells: Vec::new() }),
        }
    }
    Some(excerpt)
}
