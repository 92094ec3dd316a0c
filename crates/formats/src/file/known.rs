//! Files of known sources, and tables read by a mapping that was given.

use super::{EarlierFiles, Outcome, Reading, blank_report, new_findings, read_mapped, refused, report_rows};
use crate::mapping::Mapping;
use crate::report::{Confidence, FileKind, FileReport};
use crate::sniff::{header_for, own_header, unknown};
use crate::sources::{self, Fold, Known, TableReader, Treatment};
use crate::text::header::Header;
use crate::text::records::Records;
use crate::text::refusal::Refusal;
use crate::text::table::Table;

/// Reads a table by a mapping that was given. Where it is of a known source, its columns have the names of the source
/// even without a header, and rows of one job and free text are treated as the source's are.
pub(super) fn read_given(
    path: &str,
    mut records: Records<'_, '_>,
    first: Header,
    mapping: &Mapping,
    earlier: EarlierFiles<'_>,
) -> Outcome {
    let known = sources::recognise(&first);
    let header = header_for(mapping, first, &mut records);
    let fold = known.map_or(Fold::None, Known::fold);
    let text_column = known.and_then(Known::text_column);
    read_mapped(path, records, header, Reading { fold, text_column, ..Reading::by(mapping.clone()) }, earlier)
}

/// Reads a table of a known source.
pub(super) fn read_known(
    path: &str,
    mut records: Records<'_, '_>,
    first: Header,
    known: &'static Known,
    earlier: EarlierFiles<'_>,
) -> Outcome {
    let table = match &known.treatment {
        Treatment::Jobs(table) => table,
        Treatment::Table(reader) => return read_known_table(path, records, first, (known, reader), earlier),
        Treatment::Text(_) => return refused(path, unknown(&first)),
        Treatment::Refused { reason, repair } => {
            return refused_known(path, known, first.named(), Refusal::new(*reason, *repair));
        }
    };
    let header = own_header(&first, &mut records).unwrap_or(first);
    // A test sees to it that the mappings of all sources can be read.
    let Some(mapping) = table.full_mapping() else { return refused(path, unknown(&header)) };
    let reading = Reading { known: Some((known, table)), fold: table.fold, ..Reading::by(mapping) };
    read_mapped(path, records, header, reading, earlier)
}

/// The outcome of a file of a known source that cannot serve.
fn refused_known(path: &str, known: &Known, columns: u32, refusal: Refusal) -> Outcome {
    let outcome = refused(path, refusal);
    let source = Some(known.name.into());
    let report = FileReport { source, columns, confidence: Confidence::Sure, ..outcome.report };
    Outcome { report, ..outcome }
}

/// Reads a table by the reader of its source.
fn read_known_table(
    path: &str,
    records: Records<'_, '_>,
    header: Header,
    (known, reader): (&'static Known, &'static TableReader),
    earlier: EarlierFiles<'_>,
) -> Outcome {
    if let Some(refusal) = (reader.refuse)(&header) {
        return refused_known(path, known, header.named(), refusal);
    }
    let report = known_report(path, known, reader.kind, header.named());
    if let Some(outcome) = earlier.refuse(&report) {
        return outcome;
    }
    let mut findings = new_findings(path, &records);
    known.introduce(reader.lacks, reader.next, &mut findings);
    let mut table = Table::new(records, header, findings);
    if let Some(column) = known.text_column() {
        table.join_text_in(column);
    }
    let rows = (reader.read)(&mut table);
    table.findings.assume_all_of_source(reader.assumed);
    report_rows(report, rows, table.findings)
}

/// Reads a text that is no table by the reader of its source.
pub(super) fn read_known_text(
    path: &str,
    mut records: Records<'_, '_>,
    known: &'static Known,
    earlier: EarlierFiles<'_>,
) -> Outcome {
    let reader = match &known.treatment {
        Treatment::Text(reader) => reader,
        Treatment::Refused { reason, repair } => {
            return refused_known(path, known, 0, Refusal::new(*reason, *repair));
        }
        Treatment::Jobs(_) | Treatment::Table(_) => return refused(path, Refusal::new(known.name, "")),
    };
    let report = known_report(path, known, reader.kind, 0);
    if let Some(outcome) = earlier.refuse(&report) {
        return outcome;
    }
    let mut findings = new_findings(path, &records);
    known.introduce(reader.lacks, reader.next, &mut findings);
    let rows = (reader.read)(&mut records, &mut findings);
    findings.assume_all_of_source(reader.assumed);
    report_rows(report, rows, findings)
}

fn known_report(path: &str, known: &Known, kind: FileKind, columns: u32) -> FileReport {
    let source = Some(known.name.into());
    FileReport { source, columns, confidence: Confidence::Sure, ..blank_report(path, kind) }
}
