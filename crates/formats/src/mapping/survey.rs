//! A table as the mapping step shows it: its columns with what they are used for, its first rows before and after, one
//! row of each kind that is left out, and what would be loaded.
//!
//! A survey reads the table once and keeps counts, not rows, so that its memory does not grow with the file: of
//! different values at most [`DISTINCT_MAX`] are counted for each column, and the GPUs in use at once for at most
//! [`PEAK_JOBS_MAX`] jobs. The mapping may still lack fields; what does not depend on them is told all the same.

mod collect;
mod column;
mod follows;
mod issue;
mod peak;
mod reasons;
mod row;
mod stats;
mod totals;

pub use column::{Content, Distinct, SurveyColumn, ValueCount};
pub use issue::MappingIssue;
pub use row::{ConvertedJob, RowOutcome, SurveyRow};
pub use totals::{Assumed, JobTotals, KnownPoint, LeftOut, Repair, RowCounts, TimeSpan};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use self::collect::{Collected, Plan, collect};
use self::follows::Facts;
use super::bind::{Bound, BoundField, BoundFilter, nearest_column, position};
use super::expression::{Expression, Filter, Test};
use super::guess::{Guess, GuessedField, Sureness, guess, suggested_filter};
use super::names::means_start;
use super::{Assignment, Mapping, Role, Uses, WORK, fingerprint};
use crate::Options;
use crate::packed;
use crate::sniff::{Sniffed, header_for, numbered, own_header, sample, sniff, unknown};
use crate::sources::{self, Fold, Known, Treatment};
use crate::text::findings::Findings;
use crate::text::header::Header;
use crate::text::records::Records;
use crate::text::refusal::Refusal;
use crate::text::source::{Input, Meter, Progress, Source};
use crate::text::table::Table;

/// Different values of a column that are counted.
pub const DISTINCT_MAX: u32 = 1_000;
/// Different names of jobs that are counted.
pub const NAMES_MAX: u32 = 100_000;
/// Jobs whose GPUs in use at once are counted.
pub const PEAK_JOBS_MAX: usize = 2_000_000;
/// Columns that are looked at; wider tables are not job traces.
pub const COLUMNS_MAX: usize = 256;
/// Rows with jobs that are shown.
pub const ROWS_SHOWN: usize = 6;
/// Further rows with jobs that can be shown.
pub const ROWS_MORE: usize = 54;
/// Kinds of rows left out of which one is shown.
pub const KINDS_SHOWN: usize = 16;

/// What a mapping makes of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// The file.
    pub path: String,
    /// The sign between columns.
    pub delimiter: char,
    /// The line with the names of the columns, counted from 1; `None` where there is none, and they are called
    /// `column 1`, `column 2`, ….
    pub header_row: Option<u64>,
    /// The fingerprint of the columns, by which the mapping can be remembered ([`super::fingerprint`]).
    #[serde(with = "super::remembered::as_hex")]
    pub fingerprint: u64,
    /// The mapping that was surveyed, as text; of a survey without one, the guess. It may lack fields.
    pub mapping: String,
    /// Whether the mapping is the guess, unchanged.
    pub is_guess: bool,
    /// The mapping as roles of columns.
    pub uses: Uses,
    /// The columns in their order, at most [`COLUMNS_MAX`].
    pub columns: Vec<SurveyColumn>,
    /// Columns beyond those.
    pub columns_more: u32,
    /// The first rows that become jobs, at most [`ROWS_SHOWN`], then the first of each kind that is left out.
    pub rows: Vec<SurveyRow>,
    /// The rows with jobs behind the first ones, at most [`ROWS_MORE`].
    pub rows_more: Vec<SurveyRow>,
    /// The rows, by what becomes of them.
    pub counts: RowCounts,
    /// The jobs together.
    pub jobs: JobTotals,
    /// A job with several GPUs and the most GPU-hours: the known point of a law of speedup.
    pub known_point: Option<KnownPoint>,
    /// What stands in the way of loading, the first to be mended first.
    pub issues: Vec<MappingIssue>,
}

/// Why a file cannot be surveyed: it is no table.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[error("{reason}. {repair}")]
pub struct SurveyError {
    /// The reason: "The file is empty".
    pub reason: String,
    /// What to do.
    pub repair: String,
}

impl From<Refusal> for SurveyError {
    fn from(Refusal { reason, repair }: Refusal) -> Self {
        Self { reason, repair }
    }
}

/// Reads a table once, by a mapping that may still lack fields or, without one, by the mapping that its columns suggest.
/// A packed table is unpacked; one of an archive is named behind the archive: `traces.zip/jobs.csv`.
///
/// `progress` is called about every megabyte and at the end.
pub fn survey(
    source: Source<'_>,
    mapping: Option<&Mapping>,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Survey, SurveyError> {
    let path = source.path.clone();
    let mut meter = Meter::new(source.bytes_total, progress);
    let source = packed::open_one(source)?;
    let survey = survey_text(path, Input::open(source, options.bytes_max, &mut meter)?, mapping);
    meter.report();
    survey
}

fn survey_text(path: String, input: Input<'_, '_>, mapping: Option<&Mapping>) -> Result<Survey, SurveyError> {
    let mut records = Records::new(input);
    if let Some(refusal) = sources::refuse_mapping(records.peek(sources::START)) {
        return Err(refusal.into());
    }
    let Sniffed { header, text_kind, .. } = sniff(&mut records)?;
    // JSON has commas too. With a mapping it is meant to be a table.
    if let Some(refusal) = text_kind.filter(|_| mapping.is_none()) {
        return Err(refusal.into());
    }
    if header.names.len() < 2 {
        return Err(unknown(&header).into());
    }
    let line = header.line;
    let known = sources::recognise(&header);
    let (header, has_header) = with_names(header, mapping, &mut records);
    let sample = sample(&mut records, &header);
    let suggestion = known.and_then(of_source).unwrap_or_else(|| {
        let Guess { mapping, fields } = guess(&header, &sample);
        let filter = suggested_filter(&header, &sample);
        Guess { mapping: Mapping::new(mapping.assignments().to_vec(), filter.into_iter().collect()), fields }
    });
    let mapping = mapping.unwrap_or(&suggestion.mapping);

    let names = column_names(&header);
    let uses = Uses::of(mapping, &names);
    let BoundPart { bound, stand_ins, filters, mut issues } = bind(mapping, &header);
    let print = fingerprint(header.names.iter().map(String::as_str));
    let mut table = Table::new(records, header, Findings::new(&path));
    if let Some(column) = known.and_then(Known::text_column) {
        table.join_text_in(column);
    }
    let fold = known.map_or(Fold::None, Known::fold);
    let plan =
        Plan { mapping, bound: &bound, stand_ins: &stand_ins, filters: &filters, uses: &uses, names: &names, fold };
    let collected = collect(&mut table, plan);

    issues.extend(missing(mapping, &issues));
    issues.extend(collect::issues_of_rows(&collected, &uses));
    let Collected { columns, rows, rows_more, counts, jobs, known_point } = collected;
    let submitted = uses.columns.iter().find(|own| own.role == Role::Submitted);
    let arrives_at_start = submitted.is_some_and(|own| means_start(&own.name));
    let facts = Facts { uses: &uses, arrives_at_start };
    let mut columns = collect::columns(columns, &facts);
    add_reasons(&mut columns, &uses, &suggestion, &names);
    Ok(Survey {
        path,
        delimiter: char::from(table.header.delimiter),
        header_row: has_header.then_some(line),
        fingerprint: print,
        mapping: mapping.to_string(),
        is_guess: *mapping == suggestion.mapping,
        columns_more: names.len().saturating_sub(columns.len()) as u32,
        columns,
        uses,
        rows,
        rows_more,
        counts,
        jobs,
        known_point,
        issues,
    })
}

/// The mapping of a known source, as a guess without a doubt.
fn of_source(known: &Known) -> Option<Guess> {
    let Treatment::Jobs(table) = &known.treatment else { return None };
    let mapping = table.full_mapping()?;
    let field = |given: &Assignment| GuessedField {
        field: given.field.into(),
        value: given.value.to_string(),
        sureness: Sureness::Sure,
        reason: format!("As in {}", known.name),
        others: Vec::new(),
    };
    let fields = mapping.assignments().iter().map(field).collect();
    Some(Guess { mapping, fields })
}

/// The header by which rows are read; false where there is none, and columns are called by their numbers.
fn with_names(header: Header, mapping: Option<&Mapping>, records: &mut Records<'_, '_>) -> (Header, bool) {
    let had = header.names.clone();
    let header = match mapping {
        Some(mapping) => header_for(mapping, header, records),
        None => own_header(&header, records).unwrap_or_else(|| match header.looks_like_data() {
            true => {
                records.rewind();
                numbered(&header)
            }
            false => header,
        }),
    };
    let has_header = header.names == had;
    (header, has_header)
}

/// For each column a name that means it alone: as the file spells it, or `column 3`.
fn column_names(header: &Header) -> Vec<String> {
    let names = header.names.iter().enumerate().map(|(index, name)| {
        let is_own = !name.is_empty() && position(name, &header.names) == Some(index);
        if is_own { name.clone() } else { format!("column {}", index + 1) }
    });
    names.collect()
}

/// What of a mapping could be bound.
struct BoundPart {
    bound: Bound,
    /// The fields that are stand-ins.
    stand_ins: Vec<&'static str>,
    filters: Vec<Filter>,
    /// The columns that are not there.
    issues: Vec<MappingIssue>,
}

/// A mapping bound as far as its columns are there, with stand-ins for what every job needs, so that rows can be judged
/// by the rest.
fn bind(mapping: &Mapping, header: &Header) -> BoundPart {
    let mut issues: Vec<MappingIssue> = Vec::new();
    for name in mapping.columns().into_iter().filter(|name| position(name, &header.names).is_none()) {
        let issue = MappingIssue::NoColumn { name: name.into(), nearest: nearest_column(name, header) };
        if !issues.contains(&issue) {
            issues.push(issue);
        }
    }
    let own = mapping.assignments().iter().filter_map(|given| BoundField::new(given, header).ok());
    let mut fields: Vec<BoundField> = own.collect();
    let has = |fields: &[BoundField], field: &str| fields.iter().any(|given| given.field == field);
    let has_work = WORK.iter().any(|field| has(&fields, field));
    let lacks_epochs = has(&fields, "epochs") && !has(&fields, "samples_per_epoch");
    let needed = [
        ("submit_s", !has(&fields, "submit_s"), 0.0),
        ("gpus", !has(&fields, "gpus"), 1.0),
        ("duration_s", !has_work, 1.0),
        ("samples_per_epoch", lacks_epochs, 1.0),
    ];
    let mut stand_ins = Vec::new();
    for (field, _, value) in needed.into_iter().filter(|(_, is_needed, _)| *is_needed) {
        fields.extend(BoundField::new(&Assignment { field, value: Expression::Number(value) }, header));
        stand_ins.push(field);
    }
    let bound = |(at, filter): (usize, &Filter)| Some((BoundFilter::new(filter, at, header).ok()?, filter.clone()));
    let (bound_filters, filters) = mapping.filters().iter().enumerate().filter_map(bound).unzip();
    let zone_s = mapping.zone().map(super::Zone::seconds);
    BoundPart { bound: Bound { fields, filters: bound_filters, zone_s }, stand_ins, filters, issues }
}

/// What every job needs and the mapping does not give; nothing where it names columns that are not there.
fn missing(mapping: &Mapping, issues: &[MappingIssue]) -> Vec<MappingIssue> {
    if !issues.is_empty() {
        return Vec::new();
    }
    let issue = |field: &str| {
        let every = |value: &str| Some((field.to_string(), value.to_string()));
        let (role, for_every_job) = match field {
            "submit_s" => (Role::Submitted, every("0")),
            "gpus" => (Role::Gpus, every("1")),
            "duration_s" => (Role::RunTime, None),
            field => (Role::Field(field.into()), None),
        };
        MappingIssue::Missing { role, for_every_job }
    };
    mapping.missing().into_iter().map(issue).collect()
}

/// Adds how surely each use is guessed, and why, where it is used as guessed.
fn add_reasons(columns: &mut [SurveyColumn], uses: &Uses, suggestion: &Guess, names: &[String]) {
    let guessed = Uses::of(&suggestion.mapping, names);
    let reason = |field: &str| suggestion.fields.iter().find(|guess| guess.field == field);
    for ((column, own), guess) in columns.iter_mut().zip(&uses.columns).zip(&guessed.columns) {
        if own != guess || own.role == Role::NotUsed {
            continue;
        }
        let is_from_submission = own.role == Role::End && !uses.columns.iter().any(|own| own.role == Role::Start);
        let fields: Vec<&str> = match &own.role {
            Role::KeepIf => {
                (column.sureness, column.reason) = (Some(Sureness::Guessed), "By its name and values".into());
                continue;
            }
            Role::End if is_from_submission => vec!["duration_s", "submit_s"],
            // The start of a run is not in doubt for being the submission too.
            Role::Submitted => vec!["submit_s"],
            _ => suggestion.mapping.fields_of(&own.name, names),
        };
        let reasons: Vec<_> = fields.into_iter().filter_map(reason).collect();
        let least_sure = reasons.iter().max_by_key(|guess| guess.sureness);
        column.sureness = least_sure.map(|guess| guess.sureness);
        column.reason = least_sure.map(|guess| guess.reason.clone()).unwrap_or_default();
    }
}

impl Mapping {
    /// The fields whose values look at a column.
    fn fields_of(&self, name: &str, names: &[String]) -> Vec<&'static str> {
        let column = position(name, names);
        let looks = |value: &Expression| value.columns().iter().any(|own| position(own, names) == column);
        self.assignments.iter().filter(|given| looks(&given.value)).map(|given| given.field).collect()
    }
}

/// Whether a condition keeps a row with this value, as far as a text alone decides.
fn keeps(test: &Test, value: &str) -> bool {
    let is_any = |texts: &[String]| texts.iter().any(|text| text.trim().eq_ignore_ascii_case(value));
    match test {
        Test::OneOf(texts) => is_any(texts),
        Test::NoneOf(texts) => !is_any(texts),
        Test::Compared(comparison, number) => value.parse().is_ok_and(|value: f64| comparison.holds(value, *number)),
    }
}
