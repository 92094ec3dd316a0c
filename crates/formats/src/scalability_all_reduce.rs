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

use crate::header::{Column, Header, Spec};
use crate::notes::{Effect, Finding, Notes, Repair};
use crate::records::Row;
use crate::registry::Format;
use crate::report::FileKind;
use crate::rows::Rows;
use crate::scalability_parts::{MeasuredAllReduce, ScalabilityPart, needed_number};
use crate::table::Table;
use crate::values;

static SPEC: Spec = Spec { required: &[&["weights"], &["gpus"], &["time_s"]], optional: &[] };

pub(crate) static FORMAT: Format = Format {
    kind: FileKind::ScalabilityAllReduce,
    fit: |header| SPEC.fit(header),
    knows: |column| SPEC.knows(column),
    read: |table, _| Rows::Scalability(ScalabilityPart::AllReduce(read(table))),
};

const SAME_ALL_REDUCE: Finding = Finding {
    effect: Effect::LeftOut,
    rule: "One row for a number of weights and GPUs",
    outcome: "The first is used; row left out",
    repair: Repair::Say("Remove one of them, or merge them to their mean"),
};
const SINGLE_GPU: Finding = Finding {
    effect: Effect::None,
    rule: "An all-reduce is among two GPUs or more",
    outcome: "Row not used: a single GPU takes no time",
    repair: Repair::Say("Nothing to do"),
};
const FALLING_BY_WEIGHTS: Finding = Finding {
    effect: Effect::Doubted,
    rule: "More weights on as many GPUs take no less time",
    outcome: "Used as it was measured",
    repair: Repair::Say("Measure again, if there is no reason for it"),
};
const FALLING_BY_GPUS: Finding =
    Finding { rule: "As many weights on more GPUs take no less time", ..FALLING_BY_WEIGHTS };

struct Columns {
    weights: Column,
    gpus: Column,
    time: Column,
}

impl Columns {
    fn of(header: &Header) -> Option<Self> {
        Some(Self { weights: header.find("weights")?, gpus: header.find("gpus")?, time: header.find("time_s")? })
    }
}

fn read(table: &mut Table<'_, '_>) -> Vec<MeasuredAllReduce> {
    // The header fits, so that they are there.
    let Some(columns) = Columns::of(&table.header) else { return Vec::new() };
    // By the bits of the weights, which order positive numbers as they are.
    let mut rows: BTreeMap<(u64, u32), MeasuredAllReduce> = BTreeMap::new();
    while let Some((row, notes)) = table.next() {
        let Some(measured) = read_row(&row, &columns, notes) else { continue };
        match rows.entry((measured.weights.to_bits(), measured.gpus)) {
            Entry::Vacant(free) => _ = free.insert(measured),
            Entry::Occupied(_) => notes.cell(SAME_ALL_REDUCE, &columns.gpus, row.cell(columns.gpus.index)),
        }
    }
    let mut rows: Vec<MeasuredAllReduce> = rows.into_values().collect();
    tell_falling(&rows, FALLING_BY_GPUS, |row| row.weights.to_bits(), &mut table.notes);
    rows.sort_by(|a, b| a.gpus.cmp(&b.gpus).then(a.weights.total_cmp(&b.weights)));
    tell_falling(&rows, FALLING_BY_WEIGHTS, |row| u64::from(row.gpus), &mut table.notes);
    rows
}

/// A row; `None`, and noted, if it cannot be used or is of a single GPU. All faults of the row are told at once.
fn read_row(row: &Row<'_>, columns: &Columns, notes: &mut Notes) -> Option<MeasuredAllReduce> {
    let gpus = values::whole(row.cell(columns.gpus.index), values::GPUS_OF_STEPS).value();
    if gpus == Some(1) {
        notes.cell(SINGLE_GPU, &columns.gpus, row.cell(columns.gpus.index));
        return None;
    }
    let mut number = |column: &Column, range: values::Range| needed_number(row, column, range, notes);
    let weights = number(&columns.weights, values::WEIGHTS);
    number(&columns.gpus, values::GPUS_OF_STEPS);
    let time_s = number(&columns.time, values::STEP);
    Some(MeasuredAllReduce { line: row.line, weights: weights?, gpus: gpus?, time_s: time_s? })
}

/// Tells rows that take less time than the one before, of rows that belong together.
fn tell_falling(
    rows: &[MeasuredAllReduce],
    finding: Finding,
    together: fn(&MeasuredAllReduce) -> u64,
    notes: &mut Notes,
) {
    let pairs = rows.iter().zip(rows.iter().skip(1)).filter(|(before, row)| together(before) == together(row));
    let mut falling: Vec<_> = pairs.filter(|(before, row)| row.time_s < before.time_s).collect();
    falling.sort_by_key(|(_, row)| row.line);
    for (before, row) in falling {
        notes.begin_aside(row.line);
        notes.row(finding, || {
            let of = |row: &MeasuredAllReduce| (row.time_s, row.weights, row.gpus);
            let ((time_s, weights, gpus), (longer_s, other_weights, other_gpus)) = (of(row), of(before));
            format!("{time_s} s for {weights} weights on {gpus} GPUs, {longer_s} s for {other_weights} on {other_gpus}")
        });
    }
}
