//! Throughput profiles of ElasticFlow (pkusys/ElasticFlow, folder `throughputs_A100` and the like): one model to a
//! file, a row for each global batch size, a column for each number of GPUs, iterations per second in the cells. An
//! empty cell, `nan` or 0 says that the model does not run so.
//!
//! The content says what the file is; the model's name is only in the file's name.
//!
//! ```csv
//! global_batch_size,1,2,4,8,16,32,64
//! 64,6.03,8.64,10.36,11.06,10.99,10.61,9.25
//! ```

use std::collections::BTreeMap;

use elastiplan_model::{Curve, CurveKey, limits};

use crate::curves::draft::{self, NOT_RUNNABLE, Points};
use crate::format::{Format, Rows};
use crate::report::{Assumption, FileKind};
use crate::text::cells::Cells;
use crate::text::cells::needed;
use crate::text::findings::{Effect, Finding, Repair};
use crate::text::header::{Column, Fit, Header, Spec};
use crate::text::paths::stem;
use crate::text::table::Table;
use crate::text::values::{self, Cell};

const BATCH: &str = "global_batch_size";

pub(crate) static FORMAT: Format = Format {
    kind: FileKind::CurvesElasticFlow,
    spec: &Spec::NONE,
    fit: |_, header| fit(header),
    knows: |_, column| column == BATCH || gpus_of(column).is_some(),
    read: |table, path| Rows::Curves(read(table, path)),
};

const BAD_POINT: Finding =
    Finding { effect: Effect::Repaired, rule: values::SPEED.rule, outcome: "Point left out", repair: Repair::Number };
const SAME_BATCH: Finding = Finding::new(
    Effect::LeftOut,
    "One row for a batch size",
    "The first is used; row left out",
    "Remove one of them, or correct its batch size",
);

fn fit(header: &Header) -> Fit {
    let needed: [(bool, &'static [&'static str]); 2] =
        [(header.find(BATCH).is_some(), &[BATCH]), (!gpu_columns(header).is_empty(), &["1"])];
    let missing: Vec<_> = needed.into_iter().filter(|(is_there, _)| !is_there).map(|(_, names)| names).collect();
    Fit { found: needed.len() - missing.len(), missing }
}

/// The number of GPUs that a column is for, by its name.
fn gpus_of(name: &str) -> Option<u32> {
    values::whole(name.as_bytes(), values::GPUS).value()
}

/// Columns with measured points; of two for one number of GPUs the first.
fn gpu_columns(header: &Header) -> Vec<(u32, Column)> {
    let mut columns: BTreeMap<u32, Column> = BTreeMap::new();
    for (index, name) in header.names.iter().enumerate() {
        if let Some((gpus, column)) = gpus_of(name).zip(header.column(index)) {
            columns.entry(gpus).or_insert(column);
        }
    }
    columns.into_iter().collect()
}

fn read(table: &mut Table<'_, '_>, path: &str) -> Vec<Curve> {
    let columns = gpu_columns(&table.header);
    let Some(batch_column) = table.header.find(BATCH) else { return Vec::new() };
    let mut drafts: BTreeMap<u32, Points> = BTreeMap::new();
    while let Some(mut cells) = table.next() {
        let cell = cells.cell(&batch_column);
        match values::whole(cell, values::BATCH) {
            Cell::Is(batch) if drafts.contains_key(&batch) => cells.report(SAME_BATCH, &batch_column),
            Cell::Is(batch) => {
                drafts.insert(batch, points(&mut cells, batch, &columns));
            }
            Cell::Missing | Cell::Bad => cells.report(needed(values::BATCH), &batch_column),
        }
    }
    let model = stem(path);
    let key = |batch| CurveKey { model: model.clone(), batch_global: Some(batch) };
    let curves = draft::finish(drafts.into_iter().map(|(batch, points)| (key(batch), points)), &mut table.findings);
    let used = format!("{model}, by the file's name");
    table.findings.assumptions.push(Assumption { column: "model".into(), used, rows: curves.len() as u64 });
    curves
}

fn points(cells: &mut Cells<'_>, batch: u32, columns: &[(u32, Column)]) -> Points {
    let mut points = Points::new();
    // Of the sizes it does not run on only the largest matters: it may be where the curve ends.
    let mut largest_stop = None;
    for (gpus, column) in columns {
        let cell = cells.cell(column);
        match values::number(cell, values::SPEED) {
            Cell::Is(speed) if speed * f64::from(batch) > limits::WORK_MAX => cells.report(BAD_POINT, column),
            Cell::Is(speed) if speed > 0.0 => {
                points.insert(*gpus, Some(speed * f64::from(batch)));
            }
            Cell::Is(_) | Cell::Missing => {
                cells.report(NOT_RUNNABLE, column);
                largest_stop = Some((*gpus, None));
            }
            Cell::Bad => cells.report(BAD_POINT, column),
        }
    }
    points.extend(largest_stop);
    points
}
