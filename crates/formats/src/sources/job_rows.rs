//! Rows of plain jobs, made from what is no table: lines of blanks and numbers, JSON, or rows that take a reader of
//! their own. Findings name the fields as the source has them.

use elastiplan_model::Trace;

use crate::format::JobRows;
use crate::jobs::plain::PlainRows;
use crate::mapping::FIELDS;
use crate::text::cells::Cells;
use crate::text::findings::{Finding, Findings};
use crate::text::header::{Column, Header};
use crate::text::records::Row;

/// Makes jobs of values by field.
pub(crate) struct JobMaker {
    header: Header,
    plain: PlainRows,
    given: &'static [(&'static str, &'static str)],
    fields: Vec<u8>,
    ends: Vec<usize>,
    pub rows: JobRows,
}

impl JobMaker {
    /// A maker of jobs from these fields of the plain trace, each with its name in the source. They are in the order of
    /// [`FIELDS`]; `None` if one is missing that every job needs.
    pub fn new(given: &'static [(&'static str, &'static str)]) -> Option<Self> {
        let columns = FIELDS.iter().map(|field| {
            let own = given.iter().find(|(given, _)| given == field).map(|(_, label)| *label);
            match (own, *field) {
                (Some(label), field) => (field, label),
                (None, "model") => ("model", "model"),
                (None, _) => ("", ""),
            }
        });
        let header = Header::labelled(1, b',', 0, columns);
        let plain = PlainRows::new(&header)?;
        Some(Self { header, plain, given, fields: Vec::new(), ends: Vec::new(), rows: JobRows::default() })
    }

    /// Adds the job of a row, which has begun; the values are those of the given fields, in their order. An empty one
    /// is missing.
    pub fn add(&mut self, line: u64, values: &[&[u8]], findings: &mut Findings) {
        self.fields.clear();
        self.ends.clear();
        for field in FIELDS {
            let at = self.given.iter().position(|(given, _)| *given == field);
            match at.and_then(|at| values.get(at)) {
                Some(value) => self.fields.extend_from_slice(value),
                None if field == "model" => self.fields.extend_from_slice(Trace::NO_MODEL.as_bytes()),
                None => {}
            }
            self.ends.push(self.fields.len());
        }
        let mut cells = Cells { row: Row::new(line, &self.fields, &self.ends), findings };
        if let Some(job) = self.plain.job(&mut cells, &mut self.rows.models) {
            self.rows.jobs.push(job);
            self.rows.defaulted.push(findings.used_row().defaulted);
        }
    }

    /// Adds a finding about a field of the row, which has begun.
    pub fn report(&self, finding: Finding, field: &str, value: &[u8], findings: &mut Findings) {
        let column = self.header.find(field).unwrap_or_else(|| Column { index: 0, name: field.into() });
        findings.cell(finding, &column, value);
    }

    /// The jobs, with a record of what is used where the source has no field.
    pub fn finish(self, findings: &mut Findings) -> JobRows {
        if !self.given.iter().any(|(field, _)| *field == "model") {
            findings.assume(
                "model",
                "All are of one model, unknown",
                "Write a job trace with models to tell them apart",
            );
        }
        PlainRows::assume_missing(&self.header, findings, &self.rows);
        self.rows
    }
}
