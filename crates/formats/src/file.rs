//! One file from its first byte to its rows and its report.

mod known;

use elastiplan_model::{Diagnostic, Severity};

use self::known::{read_given, read_known, read_known_text};
use crate::curves::draft;
use crate::format::{Format, Rows};
use crate::mapping::guess::{guess, suggested_filter};
use crate::mapping::{self, Bound, Guess, GuessedField, Mapping, Sample};
use crate::profiles::parts::ProfilePart;
use crate::registry::Choice;
use crate::report::{Confidence, FileKind, FileReport, FileRole};
use crate::sniff::{Sniffed, sample, sniff, unknown};
use crate::sources::{self, Fold, JobTable, Known};
use crate::text::findings::Findings;
use crate::text::header::{Fit, Header};
use crate::text::records::Records;
use crate::text::refusal::Refusal;
use crate::text::source::{Input, Meter, Source};
use crate::text::table::Table;
use crate::text::values::{first_names, short};

/// The result of reading one file.
pub(crate) struct Outcome {
    pub report: FileReport,
    pub rows: Option<Rows>,
    pub diagnostics: Vec<Diagnostic>,
}

const NOT_USED: &str = "File not used";
const NO_ROWS: &str = "There are no rows below the header";
const NO_BATCH_IN_NAME: &str = "The file's name does not say the batch size";

/// Earlier files with data that only one file may have.
#[derive(Clone, Copy)]
pub(crate) struct EarlierFiles<'p> {
    /// The file that gave the jobs.
    pub trace: Option<&'p str>,
    /// The file that gave the availability of nodes.
    pub availability: Option<&'p str>,
}

/// Reads a file.
pub(crate) fn read(
    source: Source<'_>,
    mapping: Option<&Mapping>,
    bytes_max: Option<u64>,
    earlier: EarlierFiles<'_>,
    meter: &mut Meter<'_>,
) -> Outcome {
    let path = source.path.clone();
    let bytes_before = meter.content_bytes;
    let outcome = match Input::open(source, bytes_max, meter) {
        Err(refusal) => refused(&path, refusal),
        Ok(input) => read_text(&path, input, mapping, earlier),
    };
    let bytes = meter.content_bytes - bytes_before;
    let mut report = FileReport { bytes, ..outcome.report };
    report.summarize();
    Outcome { report, ..outcome }
}

fn read_text(path: &str, input: Input<'_, '_>, mapping: Option<&Mapping>, earlier: EarlierFiles<'_>) -> Outcome {
    let mut records = Records::new(input);
    let start = records.peek(sources::START);
    if mapping.is_none()
        && let Some(known) = sources::recognise_start(start)
    {
        return read_known_text(path, records, known, earlier);
    }
    if let Some(refusal) = mapping.and_then(|_| sources::refuse_mapping(start)) {
        return refused(path, refusal);
    }
    let Sniffed { header, choice, text_kind } = match sniff(&mut records) {
        Ok(sniffed) => sniffed,
        Err(refusal) => return refused(path, refusal),
    };
    if let Some(mapping) = mapping {
        return read_given(path, records, header, mapping, earlier);
    }
    if !choice.as_ref().is_some_and(|choice| choice.fit.is_complete())
        && let Some(known) = sources::recognise(&header)
    {
        return read_known(path, records, header, known, earlier);
    }
    let near = choice.filter(|choice| choice.fit.is_complete() || choice.fit.is_near());
    let Some(Choice { format, fit, rivals }) = near else {
        return match text_kind {
            Some(refusal) => refused(path, refusal),
            None => read_unknown(path, records, header, earlier),
        };
    };
    if !fit.is_complete() {
        let suggested = suggested(&header, &sample(&mut records, &header), format.kind.role());
        return incomplete(path, &header, format, &fit, suggested);
    }
    let confidence = if rivals { Confidence::Unsure } else { Confidence::Sure };
    let report = FileReport { confidence, columns: header.named(), ..blank_report(path, format.kind) };
    if let Some(outcome) = earlier.refuse(&report) {
        return outcome;
    }
    let mut findings = new_findings(path, &records);
    report_header(&header, format.kind, |_, plain| format.knows(plain), &mut findings);
    let mut table = Table::new(records, header, findings);
    let rows = (format.read)(&mut table, path);
    report_rows(report, rows, table.findings)
}

impl EarlierFiles<'_> {
    /// The outcome of a further file with data that only one file may have; `None` if it is the first.
    fn refuse(&self, report: &FileReport) -> Option<Outcome> {
        let (other, noun, a_noun) = match report.kind.role() {
            FileRole::Jobs => (self.trace?, "job trace", "a job trace"),
            FileRole::Availability => (self.availability?, "availability log", "an availability log"),
            FileRole::Curves | FileRole::None => return None,
        };
        Some(second(report.clone(), other, noun, a_noun))
    }
}

fn new_findings(path: &str, records: &Records<'_, '_>) -> Findings {
    let mut findings = Findings::new(path);
    if records.input().is_utf16() {
        findings.file(Diagnostic::new(Severity::Info, "The text is in UTF-16", "Read so", "Nothing to do"));
    }
    findings
}

/// Reads a table of no known format by the mapping that its columns suggest, if there is no doubt about it.
fn read_unknown(path: &str, mut records: Records<'_, '_>, header: Header, earlier: EarlierFiles<'_>) -> Outcome {
    if header.looks_like_data() || header.names.len() < 2 {
        return refused(path, unknown(&header));
    }
    let sample = sample(&mut records, &header);
    let guess = guess(&header, &sample);
    if guess.is_sure() {
        let reading = Reading { guesses: guess.fields.clone(), ..Reading::by(guess.certain()) };
        return read_mapped(path, records, header, reading, earlier);
    }
    let Refusal { reason, repair } = unknown(&header);
    // A table without GPUs, or with nothing else, can be anything.
    if guess.mapping.value("gpus").is_none() || guess.mapping.missing().len() > 1 {
        return refused(path, Refusal { reason, repair });
    }
    let missing = guess.mapping.missing();
    let repair = match missing.as_slice() {
        [] => format!("Read it by this mapping, if it is right: {}", guess.mapping),
        _ => format!("Say what gives {}, beside what is guessed: {}", missing.join(", "), guess.mapping),
    };
    let repair = match suggested_filter(&header, &sample) {
        Some(filter) => format!("{repair}; add where {filter} to keep such jobs only"),
        None => repair,
    };
    let outcome = refused(path, Refusal { reason, repair });
    let report =
        FileReport { mapping: Some(guess.mapping), guesses: guess.fields, columns: header.named(), ..outcome.report };
    Outcome { report, ..outcome }
}

/// How a table is read as a job trace.
struct Reading {
    mapping: Mapping,
    /// What the mapping is guessed from.
    guesses: Vec<GuessedField>,
    /// The source that the mapping is of.
    known: Option<(&'static Known, &'static JobTable)>,
    /// What becomes of several rows of one job.
    fold: Fold,
    /// The column of free text, where the source has one that may hold the delimiter.
    text_column: Option<&'static str>,
}

impl Reading {
    fn by(mapping: Mapping) -> Self {
        Self { mapping, guesses: Vec::new(), known: None, fold: Fold::None, text_column: None }
    }
}

/// Reads a table as a job trace by a mapping, which may have been guessed.
fn read_mapped(
    path: &str,
    records: Records<'_, '_>,
    header: Header,
    Reading { mapping, guesses, known, fold, text_column }: Reading,
    earlier: EarlierFiles<'_>,
) -> Outcome {
    let bound = match Bound::new(&mapping, &header) {
        Ok(bound) => bound,
        Err(refusal) => {
            let outcome = refused(path, refusal);
            let report = FileReport { mapping: Some(mapping), columns: header.named(), ..outcome.report };
            return Outcome { report, ..outcome };
        }
    };
    let report = FileReport {
        confidence: Confidence::Sure,
        columns: header.named(),
        mapping: Some(mapping),
        guesses,
        source: known.map(|(known, _)| known.name.into()),
        ..blank_report(path, FileKind::JobsMapped)
    };
    if let Some(outcome) = earlier.refuse(&report) {
        return outcome;
    }
    let mut findings = new_findings(path, &records);
    let Some((known, jobs)) = known else {
        report_header(&header, FileKind::JobsMapped, |index, _| bound.uses(index), &mut findings);
        let mut table = Table::new(records, header, findings);
        if let Some(column) = text_column {
            table.join_text_in(column);
        }
        let mut rows = mapping::read(&mut table, &bound);
        sources::fold(&mut rows, fold, &mut table.findings);
        return report_rows(report, Rows::Jobs(rows), table.findings);
    };
    known.introduce(jobs.lacks, jobs.next, &mut findings);
    let bound = bound.explain(jobs.conditions.iter().map(|(_, finding)| *finding));
    let mut table = Table::new(records, header, findings);
    let mut rows = mapping::read(&mut table, &bound);
    sources::fold(&mut rows, fold, &mut table.findings);
    table.findings.assume_all_of_source(jobs.assumed);
    report_rows(report, Rows::Jobs(rows), table.findings)
}

/// Adds findings about the header of a recognised file.
fn report_header(header: &Header, kind: FileKind, uses: impl Fn(usize, &str) -> bool, findings: &mut Findings) {
    let mut report = |mut finding: Diagnostic| {
        finding.place.row = Some(header.line);
        findings.file(finding);
    };
    if let Some(name) = delimiter_name(header.delimiter) {
        let rule = format!("Columns are separated by {name}");
        report(Diagnostic::new(Severity::Info, rule, "Read so", "Nothing to do"));
    }
    for column in header.repeated().into_iter().take(8) {
        let (outcome, repair) = match kind {
            FileKind::AvailabilityMatrix => ("Nodes of their own, the later ones with a number", "Rename them"),
            _ => ("The first is used", "Remove or rename the others"),
        };
        let finding = Diagnostic::new(Severity::Warning, "Each column name once", outcome, repair);
        let value = format!("{}, again as column {}", column.name, column.index + 1);
        report(finding.in_column(column.name).with_value(value));
    }
    let unknown = header.unused(uses);
    if !unknown.is_empty() {
        let (rule, repair) = match kind {
            FileKind::JobsMapped => ("Columns of the mapping", "Use them in the mapping, if one of them should count"),
            _ => ("Columns of the format", "Check the spelling, if one of them should count"),
        };
        let finding = Diagnostic::new(Severity::Info, rule, "Not used", repair);
        report(finding.with_value(first_names(&unknown)));
    }
}

fn delimiter_name(delimiter: u8) -> Option<String> {
    match delimiter {
        b',' => None,
        b';' => Some("semicolons".into()),
        b'\t' => Some("tabs".into()),
        b'|' => Some("vertical bars".into()),
        other => Some(format!("\"{}\"", char::from(other))),
    }
}

/// The report of a file whose header fits completely.
fn report_rows(mut report: FileReport, rows: Rows, mut findings: Findings) -> Outcome {
    let counts = findings.counts();
    count(&rows, &mut report);
    let empty = [report.jobs, report.curves, report.points, report.nodes, report.intervals] == [0; 5];
    let reason = match &rows {
        Rows::None(Refusal { reason, .. }) => reason,
        _ if counts.read == 0 => NO_ROWS,
        Rows::Availability(Err(reason)) => reason,
        Rows::Part(ProfilePart { refused: Some(reason), .. }) => reason,
        Rows::Part(part) if part.is_nameless() => NO_BATCH_IN_NAME,
        _ => "No row could be used",
    };
    let not_used = empty.then(|| reason.to_string());
    if let Rows::None(Refusal { reason, repair }) = &rows {
        findings.file(Diagnostic::new(Severity::Error, reason.clone(), NOT_USED, repair.clone()));
    } else if empty && counts.read == 0 {
        let repair = "Check that the file was saved to the end";
        findings.file(Diagnostic::new(Severity::Error, NO_ROWS, NOT_USED, repair));
    }
    let (counts, assumptions, diagnostics) = findings.finish();
    let report = FileReport {
        not_used,
        rows_read: counts.read,
        rows_defaulted: counts.defaulted,
        rows_rejected: counts.rejected,
        assumptions,
        ..report
    };
    Outcome { report, rows: (!empty).then_some(rows), diagnostics }
}

/// Counts the data of a file.
fn count(rows: &Rows, report: &mut FileReport) {
    match rows {
        Rows::Jobs(rows) => report.jobs = rows.jobs.len() as u64,
        Rows::Curves(curves) => {
            report.curves = curves.len() as u64;
            report.points = curves.iter().map(|curve| draft::points_of(curve) as u64).sum();
        }
        Rows::Part(part) => report.points = part.points(),
        Rows::Scalability(part) => report.points = part.points(),
        Rows::Availability(Ok(log)) => {
            report.nodes = u64::from(log.nodes());
            report.intervals = log.changes().iter().filter(|change| change.up).count() as u64;
        }
        Rows::Availability(Err(_)) | Rows::None(_) => {}
    }
}

fn blank_report(path: &str, kind: FileKind) -> FileReport {
    FileReport { path: path.into(), kind, ..FileReport::default() }
}

/// The outcome of a file that is not read at all.
pub(crate) fn refused(path: &str, refusal: Refusal) -> Outcome {
    let Refusal { reason, repair } = refusal;
    let mut findings = Findings::new(path);
    findings.file(Diagnostic::new(Severity::Error, reason.clone(), NOT_USED, repair));
    let mut report = FileReport { not_used: Some(reason), ..blank_report(path, FileKind::Unrecognised) };
    report.summarize();
    Outcome { report, rows: None, diagnostics: findings.finish().2 }
}

/// The outcome of a further trace or log: only one can be simulated, and joining them would make one up.
fn second(report: FileReport, other: &str, noun: &str, a_noun: &str) -> Outcome {
    let reason = format!("There is already {a_noun}, {other}");
    let rule = format!("One {noun} at a time: {other} is used");
    let finding = Diagnostic::new(Severity::Warning, rule, NOT_USED, "Load it by itself to use it instead");
    let diagnostic = finding.in_file(&report.path);
    let report = FileReport { not_used: Some(reason), ..report };
    Outcome { report, rows: None, diagnostics: vec![diagnostic] }
}

/// The mapping that a table suggests which comes close to a format; `None` if it is no table of jobs.
fn suggested(header: &Header, sample: &Sample, role: FileRole) -> Option<Guess> {
    let guess = guess(header, sample);
    let is_likely = guess.mapping.value("gpus").is_some() && guess.mapping.missing().len() <= 1;
    (is_likely || (role == FileRole::Jobs && !guess.fields.is_empty())).then_some(guess)
}

/// The outcome of a file without some of the columns of the format it comes closest to, with the mapping that it may be
/// read by instead.
fn incomplete(path: &str, header: &Header, format: &Format, fit: &Fit, suggested: Option<Guess>) -> Outcome {
    let mut findings = Findings::new(path);
    let words = format.kind.words();
    for names in &fit.missing {
        let wanted = names.join(" or ");
        let near = header.closest(names, |name| !format.knows(name));
        let repair = match near {
            Some(near) => format!("Rename {} to {wanted}, if that is what it holds; else add the column", short(near)),
            None => format!("Add the column {wanted}"),
        };
        let rule = format!("{words}: a column {wanted}");
        let mut finding = Diagnostic::new(Severity::Error, rule, NOT_USED, repair);
        finding.place.row = Some(header.line);
        finding.place.column = names.first().map(|name| (*name).to_string());
        finding.value = near.map(short);
        findings.file(finding);
    }
    let missing: Vec<String> = fit.missing.iter().map(|names| names.join(" or ")).collect();
    let reason = format!("No column {}", missing.join(", no column "));
    let (columns, confidence) = (header.named(), Confidence::Unsure);
    let (mapping, guesses) = suggested.map(|guess| (guess.mapping, guess.fields)).unzip();
    let guesses = guesses.unwrap_or_default();
    let blank = blank_report(path, format.kind);
    let report = FileReport { not_used: Some(reason), confidence, columns, mapping, guesses, ..blank };
    Outcome { report, rows: None, diagnostics: findings.finish().2 }
}
