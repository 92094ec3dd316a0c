//! All-reduce times of a job scalability analyzer (Saxena et al., section III-B2): how long the GPUs of a cluster take
//! to add up so many weights. They hold for every model.
//!
//! ```csv
//! weights,gpus,time_s
//! 10e6,2,0.011
//! 10e6,4,0.017
//! 20e6,2,0.021
//! ```

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use elastiplan_model::order::sort_by_key;

use crate::format::{Format, Rows};
use crate::report::FileKind;
use crate::scalability::parts::{MeasuredAllReduce, ScalabilityPart};
use crate::text::cells::Cells;
use crate::text::findings::{Effect, Finding, Findings};
use crate::text::header::{Column, Spec};
use crate::text::table::Table;
use crate::text::values;

static SPEC: Spec = Spec { required: &[&["weights"], &["gpus"], &["time_s"]], optional: &[] };

pub(crate) static FORMAT: Format = Format::of(FileKind::ScalabilityAllReduce, &SPEC, |table, _| {
    Rows::Scalability(ScalabilityPart::AllReduce(read(table)))
});

const SAME_ALL_REDUCE: Finding = Finding::new(
    Effect::LeftOut,
    "One row for a number of weights and GPUs",
    "The first is used; row left out",
    "Remove one of them, or merge them to their mean",
);
const SINGLE_GPU: Finding = Finding::new(
    Effect::None,
    "An all-reduce is among two GPUs or more",
    "Row not used: a single GPU takes no time",
    "Nothing to do",
);
const FALLING_BY_WEIGHTS: Finding = Finding::new(
    Effect::Doubted,
    "More weights on as many GPUs take no less time",
    "Used as it was measured",
    "Measure again, if there is no reason for it",
);
const FALLING_BY_GPUS: Finding =
    Finding { rule: "As many weights on more GPUs take no less time", ..FALLING_BY_WEIGHTS };

/// The columns of weights, GPUs and times.
type Columns = [Column; 3];

fn read(table: &mut Table<'_, '_>) -> Vec<MeasuredAllReduce> {
    // The header fits, so that they are there.
    let Some(columns) = table.header.find_all(["weights", "gpus", "time_s"]) else { return Vec::new() };
    // By the bits of the weights, which order positive numbers as they are.
    let mut rows: BTreeMap<(u64, u32), MeasuredAllReduce> = BTreeMap::new();
    while let Some(mut cells) = table.next() {
        let Some(measured) = read_row(&mut cells, &columns) else { continue };
        match rows.entry((measured.weights.to_bits(), measured.gpus)) {
            Entry::Vacant(free) => _ = free.insert(measured),
            Entry::Occupied(_) => cells.report(SAME_ALL_REDUCE, &columns[1]),
        }
    }
    let mut rows: Vec<MeasuredAllReduce> = rows.into_values().collect();
    report_falling(&rows, FALLING_BY_GPUS, |row| row.weights.to_bits(), &mut table.findings);
    // In order of the weights already: a stable sort by GPUs keeps that.
    sort_by_key(&mut rows, |row| row.gpus);
    report_falling(&rows, FALLING_BY_WEIGHTS, |row| u64::from(row.gpus), &mut table.findings);
    rows
}

/// The measurement of a row; `None`, with a finding, if it cannot be used or is of a single GPU. All faults of the row
/// are reported at once.
fn read_row(cells: &mut Cells<'_>, [weights_column, gpus_column, time_column]: &Columns) -> Option<MeasuredAllReduce> {
    let gpus = values::whole(cells.cell(gpus_column), values::GPUS_OF_STEPS).value();
    if gpus == Some(1) {
        cells.report(SINGLE_GPU, gpus_column);
        return None;
    }
    let mut number = |column: &Column, range: values::Range| cells.needed(column, range, values::number);
    let weights = number(weights_column, values::WEIGHTS);
    number(gpus_column, values::GPUS_OF_STEPS);
    let time_s = number(time_column, values::STEP);
    Some(MeasuredAllReduce { line: cells.line(), weights: weights?, gpus: gpus?, time_s: time_s? })
}

/// Adds findings about rows that take less time than the one before, among rows that belong together.
fn report_falling(
    rows: &[MeasuredAllReduce],
    finding: Finding,
    together: fn(&MeasuredAllReduce) -> u64,
    findings: &mut Findings,
) {
    let pairs = rows.iter().zip(rows.iter().skip(1)).filter(|(before, row)| together(before) == together(row));
    let mut falling: Vec<_> = pairs.filter(|(before, row)| row.time_s < before.time_s).collect();
    sort_by_key(&mut falling, |(_, row)| row.line);
    for (before, row) in falling {
        findings.begin_skipped_line(row.line);
        findings.row(finding, || {
            let of = |row: &MeasuredAllReduce| (row.time_s, row.weights, row.gpus);
            let ((time_s, weights, gpus), (longer_s, other_weights, other_gpus)) = (of(row), of(before));
            format!("{time_s} s for {weights} weights on {gpus} GPUs, {longer_s} s for {other_weights} on {other_gpus}")
        });
    }
}
