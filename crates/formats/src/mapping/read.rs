//! Rows of any table to jobs: the values of the fields become a row of a plain job trace, which is read as such.

use std::fmt::Arguments;
use std::io::Write;

use elastiplan_model::{Job, Trace};

use super::bind::{Bound, BoundExpression, BoundField, BoundFilter};
use super::evaluate::{Evaluator, Fault};
use super::expression::Test;
use super::reading::Styles;
use super::{FIELDS, NEEDED, Reading, TEXT_FIELDS, WORK};
use crate::format::JobRows;
use crate::jobs::plain::PlainRows;
use crate::text::cells::{AS_MISSING, Cells};
use crate::text::findings::{Effect, Finding, Findings, ROW_OUT};
use crate::text::header::{Column, Header};
use crate::text::names::Names;
use crate::text::records::Row;
use crate::text::table::Table;
use crate::text::times::OTHER_ZONE;

pub(crate) const NO_GPU: Finding =
    Finding::new(Effect::Excluded, "A job uses a GPU", ROW_OUT, "Nothing to do: a job without a GPU competes for none");
pub(super) const PART_OF_A_GPU: Finding =
    Finding::row_out("Whole GPUs", "Round up in the mapping: gpus=ceil(...), or leave such jobs out (where)");
pub(super) const ENDS_FIRST: Finding = Finding::row_out("An end after its start", "Correct one of the two times");
pub(crate) const NO_TIME: Finding =
    Finding::new(Effect::Excluded, "A job runs for some time", ROW_OUT, "Nothing to do: a job of 0 s uses no GPU time");
pub(super) const NO_NUMBER: Finding = Finding::row_out(
    "A number, a date as 2026-07-01 14:30:00, or a duration as 1:30:00",
    "Correct the value, or leave such rows out (where)",
);
pub(super) const DATE_ORDER: Finding = Finding::row_out(
    "A date whose order of day and month is known",
    "Write dmy or mdy behind the column in the mapping, as in: start dmy",
);
pub(super) const DECIMAL_SIGN: Finding = Finding::row_out(
    "A number whose decimal sign is known",
    "Write comma or point behind the column in the mapping, as in: hours comma",
);
pub(super) const OTHER_ORDER: Finding = Finding::row_out(
    "Dates of one column with day and month in one order, as the mapping says",
    "Correct the value, or leave such rows out (where)",
);
pub(super) const OTHER_SIGN: Finding = Finding::row_out(
    "Numbers of one column with one decimal sign, as the mapping says",
    "Correct the value, or leave such rows out (where)",
);
pub(super) const DIVISION: Finding = Finding::row_out("No division by 0", "Leave such rows out, as in: where gpus>0");
pub(super) const TOO_LARGE: Finding =
    Finding::row_out("A number that can be written", "Correct the values or the mapping");

/// Reads all rows by a mapping.
pub(crate) fn read(table: &mut Table<'_, '_>, bound: &Bound) -> JobRows {
    let Some(mut reader) = RowReader::new(&table.header, bound) else { return JobRows::default() };
    let mut rows = JobRows::default();
    while let Some(mut cells) = table.next() {
        if let Some(job) = reader.job(&mut cells, &mut rows.models) {
            rows.jobs.push(job);
            rows.defaulted.push(cells.findings.used_row().defaulted);
        }
    }
    assume_missing(&reader.header, bound, &mut table.findings, &rows);
    rows
}

/// Reads the rows of a table one by one.
pub(super) struct RowReader<'b> {
    bound: &'b Bound,
    /// What the mapping gives for each of [`FIELDS`].
    given: [Option<&'b BoundField>; FIELDS.len()],
    /// The header of the rows that are made.
    pub header: Header,
    plain: PlainRows,
    made: MadeRow,
    zones: Zones,
}

impl<'b> RowReader<'b> {
    /// A reader for a table; `None` if a field is missing that every job has.
    pub fn new(table: &Header, bound: &'b Bound) -> Option<Self> {
        let header = plain_header(table, bound);
        let plain = PlainRows::new(&header)?;
        let made = MadeRow { width: table.names.len(), ..MadeRow::default() };
        let given = FIELDS.map(|field| bound.fields.iter().find(|given| given.field == field));
        Some(Self { bound, given, header, plain, made, zones: Zones::new(table, bound) })
    }

    /// The job of a row; `None`, with findings, if the mapping does not keep the row or it cannot be used.
    pub fn job(&mut self, cells: &mut Cells<'_>, models: &mut Names) -> Option<Job> {
        let Self { bound, given, plain, made, zones, .. } = self;
        if !keeps(bound, cells, zones) || !made.make(given, cells, zones) {
            return None;
        }
        plain.job(&mut Cells { row: made.row(cells.line()), findings: &mut *cells.findings }, models)
    }

    /// The value of a further expression in a row, if it has one there.
    pub fn value(&mut self, expression: &BoundExpression, row: Row<'_>) -> Option<f64> {
        let zone_s = self.zones.zone_s.unwrap_or(0.0);
        Evaluator { row, dates: &mut Vec::new(), zone_s }.value(expression).ok().flatten()
    }
}

/// The header of the rows that are made: nothing in the columns of the table, then each field.
fn plain_header(table: &Header, bound: &Bound) -> Header {
    let fields = FIELDS.iter().map(|field| {
        let given = bound.fields.iter().find(|given| given.field == *field);
        let always = matches!(*field, "job_id" | "model");
        let label = given.map_or(*field, |given| given.label.as_str());
        if given.is_some() || always { (*field, label) } else { ("", "") }
    });
    Header::labelled(table.line, table.delimiter, table.names.len(), fields)
}

/// Whether all conditions of the mapping hold for a row; if not, with a finding.
fn keeps(bound: &Bound, cells: &mut Cells<'_>, zones: &mut Zones) -> bool {
    bound.filters.iter().all(|filter| match refused(filter, cells, zones) {
        Some(value) => {
            cells.findings.cell(filter.finding, &filter.column, &value);
            false
        }
        None => true,
    })
}

/// The value for which a condition does not hold.
fn refused(filter: &BoundFilter, cells: &Cells<'_>, zones: &mut Zones) -> Option<Vec<u8>> {
    let BoundFilter { value, test, column, .. } = filter;
    let is_any =
        |texts: &[String], cell: &[u8]| texts.iter().any(|text| cell.eq_ignore_ascii_case(text.trim().as_bytes()));
    let cell = cells.cell(column);
    match test {
        Test::OneOf(texts) => (!is_any(texts, cell)).then(|| cell.to_vec()),
        Test::NoneOf(texts) => is_any(texts, cell).then(|| cell.to_vec()),
        Test::Compared(comparison, other) => match zones.evaluator(cells).value(value) {
            Ok(Some(value)) if comparison.holds(value, *other) => None,
            Ok(Some(value)) => Some(value.to_string().into_bytes()),
            Ok(None) | Err(_) => Some(cell.to_vec()),
        },
    }
}

/// A row of a plain trace, with its cells behind those of the table, so that findings about both have places of their
/// own.
#[derive(Default)]
struct MadeRow {
    /// The columns of the table.
    width: usize,
    fields: Vec<u8>,
    ends: Vec<usize>,
}

impl MadeRow {
    fn row(&self, line: u64) -> Row<'_> {
        Row::new(line, &self.fields, &self.ends)
    }

    /// Makes the row; false, with a finding, if it cannot be used.
    fn make(&mut self, given: &[Option<&BoundField>], cells: &mut Cells<'_>, zones: &mut Zones) -> bool {
        self.fields.clear();
        self.ends.clear();
        self.ends.resize(self.width, 0);
        let mut is_good = true;
        for ((field, given), index) in FIELDS.into_iter().zip(given).zip(self.width..) {
            match given {
                Some(given) => is_good &= self.add(given, index, cells, zones),
                None if field == "job_id" => self.write(format_args!("row-{}", cells.line())),
                None if field == "model" => self.fields.extend_from_slice(Trace::NO_MODEL.as_bytes()),
                None => {}
            }
            self.ends.push(self.fields.len());
        }
        zones.report(cells);
        is_good
    }

    /// Adds the value of a field; false, with a finding, if the row cannot be used.
    fn add(&mut self, given: &BoundField, index: usize, cells: &mut Cells<'_>, zones: &mut Zones) -> bool {
        match &given.value {
            BoundExpression::Text(text) => self.fields.extend_from_slice(text.as_bytes()),
            BoundExpression::Column(column, _) if given.is_text || given.field == "best_effort" => {
                self.fields.extend_from_slice(cells.cell(column))
            }
            // Nearly all cells are plain numbers of the right unit, which need not be read twice.
            BoundExpression::Column(column, 1.0) if is_plain(cells.cell(column), given.field != "gpus") => {
                self.fields.extend_from_slice(cells.cell(column));
            }
            value => {
                let result = zones.evaluator(cells).value(value);
                return self.add_number(given, index, result, cells);
            }
        }
        true
    }

    fn add_number(
        &mut self,
        given: &BoundField,
        index: usize,
        result: Result<Option<f64>, Fault>,
        cells: &mut Cells<'_>,
    ) -> bool {
        let of_field = || Column { index, name: given.label.clone() };
        let value = match result {
            // Slurm writes no GPUs where there are none, among other resources.
            Ok(None) if given.field == "gpus" && is_named_without(&given.value, cells) => {
                cells.report(NO_GPU, &of_field());
                return false;
            }
            Ok(None) => return true,
            Ok(Some(value)) => value,
            Err(fault) => {
                // The finding names the column of the table that is to be repaired.
                let (finding, column) = match fault {
                    Fault::NoNumber(column, reading) => (no_number(cells.cell(&column), reading), Some(column)),
                    Fault::DivisionByZero(column) => (DIVISION, column),
                    Fault::TooLarge => (TOO_LARGE, None),
                };
                let column = column.unwrap_or_else(of_field);
                let is_needed = NEEDED.contains(&given.field) || WORK.contains(&given.field);
                let as_missing = Finding { effect: Effect::Repaired, outcome: AS_MISSING, ..finding };
                cells.report(if is_needed { finding } else { as_missing }, &column);
                return !is_needed;
            }
        };
        let finding = match given.field {
            "gpus" if value == 0.0 => Some(NO_GPU),
            "gpus" if value > 0.0 && value.fract() != 0.0 => Some(PART_OF_A_GPU),
            "duration_s" | "gpu_seconds" if value < 0.0 => Some(ENDS_FIRST),
            "duration_s" | "gpu_seconds" if value == 0.0 => Some(NO_TIME),
            _ => None,
        };
        if let Some(finding) = finding {
            cells.findings.cell(finding, &of_field(), value.to_string().as_bytes());
            return false;
        }
        // Whole numbers, such as seconds, are written several times faster as such.
        match value.fract() == 0.0 && value.abs() < 1e15 {
            true => self.write(format_args!("{}", value as i64)),
            false => self.write(format_args!("{value}")),
        }
        true
    }

    fn write(&mut self, text: Arguments<'_>) {
        // Writing to memory cannot fail.
        let _ = self.fields.write_fmt(text);
    }
}

/// The finding about a cell that is no number, or not as the column is to be read: it may be one in another way of
/// writing.
fn no_number(cell: &[u8], reading: Option<Reading>) -> Finding {
    let mut styles = Styles::default();
    styles.add_odd(cell);
    match (reading, styles.readings().first()) {
        (None, Some(way)) if way.is_of_dates() => DATE_ORDER,
        (None, Some(_)) => DECIMAL_SIGN,
        (Some(reading), Some(way)) if reading.is_of_dates() && way.is_of_dates() => OTHER_ORDER,
        (Some(reading), Some(_)) if !reading.is_of_dates() => OTHER_SIGN,
        _ => NO_NUMBER,
    }
}

/// Whether the value is the number after a text, and the cell has text without it.
fn is_named_without(value: &BoundExpression, cells: &Cells<'_>) -> bool {
    matches!(value, BoundExpression::After(column, _) if !cells.cell(column).is_empty())
}

/// Whether a cell is a number above 0 as the reader of plain traces takes it, with digits behind a point if it may have
/// any.
fn is_plain(cell: &[u8], may_be_broken: bool) -> bool {
    let [b'1'..=b'9', rest @ ..] = cell else { return false };
    let is_digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    let whole = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match rest.get(whole..) {
        Some([]) => rest.len() < 15,
        Some([b'.', digits @ ..]) => may_be_broken && cell.len() < 16 && !digits.is_empty() && is_digits(digits),
        _ => false,
    }
}

/// The dates of a table: whether the first named a zone decides what is said of the others.
#[derive(Default)]
struct Zones {
    /// The names of the columns.
    names: Vec<String>,
    /// Those of the current row, by column.
    dates: Vec<(usize, bool)>,
    has_zone: Option<bool>,
    /// Seconds that dates without one are ahead of UTC, where the mapping says it.
    zone_s: Option<f64>,
}

impl Zones {
    fn new(header: &Header, bound: &Bound) -> Self {
        Self { names: header.names.clone(), zone_s: bound.zone_s, ..Self::default() }
    }

    /// What evaluates expressions in a row.
    fn evaluator<'r>(&'r mut self, cells: &Cells<'r>) -> Evaluator<'r> {
        Evaluator { row: cells.row, dates: &mut self.dates, zone_s: self.zone_s.unwrap_or(0.0) }
    }

    /// Adds findings about dates of the row with a zone where the first has none, or the reverse.
    fn report(&mut self, cells: &mut Cells<'_>) {
        let Self { names, dates, has_zone, zone_s } = self;
        // A mapping that gives the zone leaves nothing to assume.
        let is_known = zone_s.is_some();
        for (index, zoned) in dates.drain(..).filter(|_| !is_known) {
            if *has_zone.get_or_insert(zoned) != zoned {
                cells.report(OTHER_ZONE, &Column { index, name: names.get(index).cloned().unwrap_or_default() });
            }
        }
    }
}

/// Records what is used for all rows where the mapping does not give a field.
pub(super) fn assume_missing(header: &Header, bound: &Bound, findings: &mut Findings, rows: &JobRows) {
    let gives = |field: &str| bound.fields.iter().any(|given| given.field == field);
    for field in TEXT_FIELDS.into_iter().filter(|field| !gives(field)) {
        match field {
            "job_id" => {
                findings.assume(field, "Named after their rows", "Map a column with names to find jobs by them")
            }
            "model" => findings.assume(
                field,
                "All are of one model, unknown",
                "Map a column, or a name in single quotes, to tell models apart",
            ),
            _ => {}
        }
    }
    PlainRows::assume_missing(header, findings, rows);
}
