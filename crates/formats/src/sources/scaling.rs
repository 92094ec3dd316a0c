//! Tables of throughput by numbers of GPUs in Markdown, as vendors and papers' repositories publish them.
//!
//! ```md
//! | GPUs | Batch size / GPU | TF32 (img/s) | Mixed precision (img/s) |
//! |:----:|:----------------:|-------------:|------------------------:|
//! | 1    | 256              | 938          | 2,470                   |
//! | 8    | 256              | 7,248        | 16,621                  |
//! ```
//!
//! A document may hold text and other tables around them. The model is that of a column, of the heading above, or of the
//! file's name.

mod cells;
mod columns;
mod curves;

use self::cells::{Gpus, cells};
use self::columns::Columns;
use self::curves::{Measured, Place, Points};
use super::{Known, Tell, TextReader, Treatment, left_out};
use crate::format::Rows;
use crate::report::FileKind;
use crate::text::cells::AS_MISSING;
use crate::text::findings::{Effect, Finding, Findings};
use crate::text::paths;
use crate::text::records::{Next, Records};
use crate::text::refusal::Refusal;

/// A delimiter that no text has: rows are lines.
const NO_DELIMITER: u8 = 0x1f;

const NO_TABLE: &str = "There is no table with a column of GPUs and one of throughput per second";
const BAD_GPUS: Finding = Finding::row_out("Whole number of GPUs from 1 to 65,536", "Write a number");
const BAD_BATCH: Finding = Finding::row_out("Whole number from 1 to 1,073,741,824", "Write a number");
const NO_SPEED: Finding = Finding::row_out(
    "A throughput per second",
    "Write a number such as 16,621 img/s; OOM means that the model does not run on that many GPUs",
);
/// A throughput that is none, beside others in its row.
const BAD_SPEED: Finding = Finding::new(
    Effect::Repaired,
    "A throughput per second, with commas between thousands and a decimal point",
    AS_MISSING,
    "Write a number such as 16,621 img/s",
);
const OTHER_TYPE: Finding =
    left_out("One GPU type at a time: the first of the file", "Take the rows of the first type out to use another");

pub(crate) static TABLES: Known = Known {
    name: "Scaling table",
    origin: "a document in Markdown, such as a README of https://github.com/NVIDIA/DeepLearningExamples",
    tell: Tell::Start(is_scaling),
    treatment: Treatment::Text(TextReader {
        kind: FileKind::CurvesKnown,
        read,
        lacks: "speeds between the numbers of GPUs that were measured: curves are straight there",
        next: "Name the models of a job trace as the curves, or draw them with --models curves",
        assumed: &[],
    }),
};

/// Whether a text has a table with GPUs and throughputs at its start, or is a document that may have one further down.
fn is_scaling(start: &str) -> bool {
    let lines: Vec<&str> = start.lines().map(str::trim).collect();
    let mut pairs = lines.iter().zip(lines.iter().skip(1)).filter(|(_, below)| cells::is_rule(below));
    pairs.any(|(header, _)| Columns::of(&cells(header)).is_some()) || is_document(&lines)
}

/// Whether lines are a Markdown document: a heading, text below it, and a link or code.
fn is_document(lines: &[&str]) -> bool {
    let first = lines.iter().find(|line| !line.is_empty());
    let has = |word: &str| lines.iter().any(|line| line.contains(word));
    first.is_some_and(|line| cells::heading(line).is_some()) && (has("](") || has("```"))
}

fn read(records: &mut Records<'_, '_>, findings: &mut Findings) -> Rows {
    records.set_delimiter(NO_DELIMITER);
    records.ignore_quotes();
    let mut reader = Reader::new(findings.path());
    loop {
        match records.next(None) {
            Next::End => break,
            // A line of more than a megabyte is of no table.
            Next::TooLong | Next::OpenQuote => reader.end_table(),
            Next::Row => {
                let line = records.line();
                let text = String::from_utf8_lossy(records.row().cell(0)).into_owned();
                reader.line(line, &text, findings);
            }
        }
    }
    if reader.tables == 0 {
        return Rows::None(Refusal::new(NO_TABLE, "Give it a table such as | GPUs | images/s |, or drop a CSV file"));
    }
    Rows::Curves(reader.points.finish(findings))
}

/// A document while it is read, line by line.
struct Reader {
    /// The model where neither a column nor a heading names it: the file's name.
    file: String,
    title: Option<String>,
    heading: Option<String>,
    is_code: bool,
    /// The line above, which may be the header of a table.
    above: (u64, String),
    /// The table that lines belong to now.
    table: Option<Columns>,
    /// The number of tables so far.
    tables: u32,
    gpu_type: Option<String>,
    points: Points,
}

impl Reader {
    fn new(path: &str) -> Self {
        Self {
            file: paths::stem(path),
            title: None,
            heading: None,
            is_code: false,
            above: (0, String::new()),
            table: None,
            tables: 0,
            gpu_type: None,
            points: Points::default(),
        }
    }

    fn end_table(&mut self) {
        self.table = None;
        self.above = (0, String::new());
    }

    fn line(&mut self, number: u64, text: &str, findings: &mut Findings) {
        let text = text.trim();
        // Empty lines are not records: a table ends where the number of the line jumps.
        if self.above.0 + 1 != number {
            self.end_table();
        }
        let above = std::mem::replace(&mut self.above, (number, text.into()));
        if text.starts_with("```") || text.starts_with("~~~") {
            self.is_code = !self.is_code;
        }
        if self.is_code || !text.contains('|') {
            self.table = None;
            if let Some((level, heading)) = cells::heading(text).filter(|_| !self.is_code) {
                self.title = if level == 1 { Some(heading.into()) } else { self.title.take() };
                self.heading = Some(heading.into());
            }
            return;
        }
        if let Some(columns) = self.table.take() {
            findings.begin_row(number);
            self.row(&columns, &cells(text), findings);
            self.table = Some(columns);
        } else if cells::is_rule(text) {
            self.table = Columns::of(&cells(&above.1));
            self.tables += u32::from(self.table.is_some());
        }
    }

    /// The model of tables without a column for it, and where its name is from.
    fn model(&self) -> (&str, &'static str) {
        let name = |heading: &'_ Option<String>| heading.as_deref().is_some_and(columns::may_be_model);
        match (&self.heading, &self.title) {
            (Some(heading), _) if name(&self.heading) => (heading, "by the heading above its table"),
            (_, Some(title)) if name(&self.title) => (title, "by the document's title"),
            _ => (&self.file, "by the file's name"),
        }
    }

    fn row(&mut self, columns: &Columns, row: &[String], findings: &mut Findings) {
        let cell = |at: usize| row.get(at).map(String::as_str).unwrap_or_default();
        let Some(Gpus { count, type_in_cell }) = columns.gpus(&cell) else {
            return findings.row(BAD_GPUS, || columns.gpus_cell(&cell).into());
        };
        let gpu_type = columns.gpu_type.map(cell).filter(|name| !name.is_empty()).or(type_in_cell.as_deref());
        if let Some(own) = gpu_type {
            let used = self.gpu_type.get_or_insert_with(|| own.into());
            if used != own {
                return findings.row(OTHER_TYPE, || own.into());
            }
        }
        let batch = match columns.batch.map(|(at, of)| (cell(at), of)) {
            None | Some(("", _)) => None,
            Some((text, of)) => match cells::whole(text) {
                Some(batch) if batch <= elastiplan_model::limits::BATCH_MAX => Some((batch, of)),
                _ => return findings.row(BAD_BATCH, || text.into()),
            },
        };
        let (own, source) = self.model();
        let (model, source) = match columns.model.map(cell).filter(|name| !name.is_empty()) {
            Some(name) => (name.to_string(), ""),
            None => (own.to_string(), source),
        };
        let precision = columns.precision.map(cell).unwrap_or_default();
        let (mut added, mut bad) = (Vec::new(), Vec::new());
        for speed in &columns.speeds {
            let Some(value) = cells::speed(cell(speed.at), speed.says_unit) else {
                bad.extend(Some(cell(speed.at)).filter(|text| !cells::is_missing(text)));
                continue;
            };
            let name = [model.as_str(), speed.label.as_str(), precision].join(" ");
            let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
            let samples_per_s = value.map(|value| if speed.per_gpu { value * f64::from(count) } else { value });
            added.push(Measured { model: name, batch, gpus: count, samples_per_s });
        }
        if added.is_empty() {
            let shown: Vec<&str> = columns.speeds.iter().map(|speed| cell(speed.at)).collect();
            return findings.row(NO_SPEED, || shown.join(", "));
        }
        for text in bad {
            findings.row(BAD_SPEED, || text.into());
        }
        self.points.note(&model, source, columns);
        self.points.add(added, Place { table: self.tables, row: findings.used_row() });
    }
}
