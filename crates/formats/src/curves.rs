//! Measured points to curves: what all throughput files share.
//!
//! A throughput that is 0 or missing says that the model does not run on that many GPUs: there is no point, and if
//! nothing larger runs either, the curve ends for good at its last point.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use elastiplan_model::{Curve, CurveKey, Severity, limits};

use crate::header::Column;
use crate::jobs::model_name;
use crate::notes::{Effect, FileFinding, Finding, Notes, ROW_OUT, Repair, needed};
use crate::records::Row;
use crate::rows::Names;
use crate::table::Table;
use crate::values::{self, Cell};

pub(crate) const NOT_RUNNABLE: Finding = Finding {
    effect: Effect::None,
    rule: "A throughput above 0 where the model runs",
    outcome: "Taken as: does not run on that many GPUs",
    repair: Repair::Say("Fill in the value if it does"),
};
pub(crate) const SAME_POINT: Finding = Finding {
    effect: Effect::LeftOut,
    rule: "One row for a model, batch size and number of GPUs",
    outcome: "The first is used; row left out",
    repair: Repair::Say("Remove one of them, or merge them to their mean"),
};
const ONE_GPU_TYPE: Finding = Finding {
    effect: Effect::LeftOut,
    rule: "One GPU type at a time: the first of the file is used",
    outcome: ROW_OUT,
    repair: Repair::Say("Keep the rows of the GPU type you plan with"),
};
const NO_BATCH: Finding = Finding {
    effect: Effect::LeftOut,
    rule: "Iterations need a batch size to become samples",
    outcome: ROW_OUT,
    repair: Repair::Say("Fill in the batch size, or give samples_per_s"),
};

/// A curve while its points are collected; `None` stands for "does not run".
pub(crate) type Points = BTreeMap<u32, Option<f64>>;

/// The curves of collected points. Says which models run nowhere, and which were measured only once.
pub(crate) fn finish(drafts: impl IntoIterator<Item = (CurveKey, Points)>, notes: &mut Notes) -> Vec<Curve> {
    let (mut curves, mut nowhere, mut single) = (Vec::new(), Few::default(), Few::default());
    for (key, points) in drafts {
        match curve(key.clone(), &points) {
            Some(curve) => {
                if curve.points().len() == 1 && curve.runs_beyond() {
                    single.add(&key);
                }
                curves.push(curve);
            }
            None => nowhere.add(&key),
        }
    }
    nowhere.note(notes, Severity::Error, "A number of GPUs on which the model runs", "Curve left out");
    let held = "Its speed is used for every larger number of GPUs";
    single.note(notes, Severity::Info, "Two measured points or more make a curve", held);
    curves
}

fn curve(key: CurveKey, points: &Points) -> Option<Curve> {
    let runs = points.iter().filter_map(|(&gpus, &speed)| Some((gpus, speed?)));
    let curve = Curve::new(key, runs).ok()?;
    let ends = points.keys().next_back().is_some_and(|&largest| largest > curve.gpus_largest());
    Some(if ends { curve.ending_at_last_point() } else { curve })
}

/// Curves that one finding is about: the first by name, and how many there are.
#[derive(Default)]
struct Few {
    first: Option<CurveKey>,
    count: u64,
}

impl Few {
    fn add(&mut self, key: &CurveKey) {
        self.first.get_or_insert_with(|| key.clone());
        self.count += 1;
    }

    fn note(self, notes: &mut Notes, severity: Severity, rule: &str, outcome: &str) {
        let Some(first) = self.first else { return };
        let value = match self.count {
            1 => first.to_string(),
            count => format!("{first} and {} more", count - 1),
        };
        let finding = FileFinding::new(severity, rule, outcome, "Add measured points");
        notes.file(FileFinding { value: Some(value), count: self.count, ..finding });
    }
}

/// How a column gives throughput.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpeedUnit {
    SamplesPerSecond,
    IterationsPerSecond,
}

/// Where a table with a row for each point has what.
pub(crate) struct LongColumns {
    pub model: Column,
    pub gpus: Column,
    /// Of each row the first that is filled counts.
    pub speed: Vec<(Column, SpeedUnit)>,
    pub batch: Option<Column>,
    pub gpu_type: Option<Column>,
}

/// Reads a table with a row for each point.
pub(crate) fn read_long(table: &mut Table<'_, '_>, columns: &LongColumns) -> Vec<Curve> {
    let mut models = Names::default();
    let mut drafts: BTreeMap<(u32, Option<u32>), Points> = BTreeMap::new();
    let mut gpu_type: Option<Vec<u8>> = None;
    while let Some((row, notes)) = table.next() {
        let mut reader = Reader { columns, row, notes };
        if let Some(point) = reader.point(&mut gpu_type) {
            let points = drafts.entry((models.number(&point.model), point.batch)).or_default();
            match points.entry(point.gpus) {
                Entry::Vacant(free) => {
                    free.insert(point.speed);
                }
                Entry::Occupied(_) => reader.note(SAME_POINT, &columns.gpus),
            }
        }
    }
    let key = |model: u32, batch_global| CurveKey { model: models.name(model).into(), batch_global };
    let named = drafts.into_iter().map(|((model, batch), points)| (key(model, batch), points));
    finish(named, &mut table.notes)
}

/// What a row says.
struct Point<'r> {
    model: std::borrow::Cow<'r, str>,
    batch: Option<u32>,
    gpus: u32,
    /// Samples per second; `None` where the model does not run.
    speed: Option<f64>,
}

/// One row while it is read.
struct Reader<'r> {
    columns: &'r LongColumns,
    row: Row<'r>,
    notes: &'r mut Notes,
}

impl<'r> Reader<'r> {
    fn note(&mut self, finding: Finding, column: &Column) {
        self.notes.cell(finding, column, self.row.cell(column.index));
    }

    fn point(&mut self, gpu_type: &mut Option<Vec<u8>>) -> Option<Point<'r>> {
        let columns = self.columns;
        if !self.is_of(gpu_type) {
            return None;
        }
        let model = model_name(self.row.cell(columns.model.index), &columns.model, self.notes);
        let gpus = match values::whole(self.row.cell(columns.gpus.index), values::GPUS) {
            Cell::Is(gpus) => Some(gpus),
            Cell::Missing | Cell::Bad => {
                self.note(needed(values::GPUS), &columns.gpus);
                None
            }
        };
        let batch = self.batch();
        let speed = self.speed();
        let (model, gpus, batch) = (model?, gpus?, batch?);
        let speed = self.samples_per_s(speed?, batch)?;
        Some(Point { model, batch, gpus, speed })
    }

    /// A throughput in samples; `None` if the row cannot be used.
    fn samples_per_s(&mut self, speed: Speed<'_>, batch: Option<u32>) -> Option<Option<f64>> {
        let Some(value) = speed.value else { return Some(None) };
        let samples_per_s = match (speed.unit, batch) {
            (SpeedUnit::SamplesPerSecond, _) => value,
            (SpeedUnit::IterationsPerSecond, Some(batch)) => value * f64::from(batch),
            (SpeedUnit::IterationsPerSecond, None) => {
                self.note(NO_BATCH, speed.column);
                return None;
            }
        };
        if samples_per_s > limits::WORK_MAX {
            self.note(needed(values::SPEED), speed.column);
            return None;
        }
        Some(Some(samples_per_s))
    }

    /// Whether the row is of the GPU type that the file began with.
    fn is_of(&mut self, gpu_type: &mut Option<Vec<u8>>) -> bool {
        let Some(column) = &self.columns.gpu_type else { return true };
        let cell = self.row.cell(column.index);
        let first = gpu_type.get_or_insert_with(|| cell.to_vec());
        let same = first.as_slice() == cell;
        if !same {
            self.note(ONE_GPU_TYPE, column);
        }
        same
    }

    /// `None` if the row cannot be used, `Some(None)` if it says nothing about a batch.
    fn batch(&mut self) -> Option<Option<u32>> {
        let Some(column) = &self.columns.batch else { return Some(None) };
        match values::whole(self.row.cell(column.index), values::BATCH) {
            Cell::Is(batch) => Some(Some(batch)),
            Cell::Missing => Some(None),
            Cell::Bad => {
                self.note(needed(values::BATCH), column);
                None
            }
        }
    }

    /// The first throughput that is filled; `None` if the row cannot be used.
    fn speed(&mut self) -> Option<Speed<'r>> {
        let columns = self.columns;
        let (first, first_unit) = columns.speed.first()?;
        let mut speed = Speed { column: first, unit: *first_unit, value: None };
        for (column, unit) in &columns.speed {
            match values::number(self.row.cell(column.index), values::SPEED) {
                Cell::Is(value) => {
                    speed = Speed { column, unit: *unit, value: Some(value).filter(|&value| value > 0.0) };
                    break;
                }
                Cell::Missing => {}
                Cell::Bad => {
                    self.note(needed(values::SPEED), column);
                    return None;
                }
            }
        }
        if speed.value.is_none() {
            self.note(NOT_RUNNABLE, speed.column);
        }
        Some(speed)
    }
}

/// A throughput as the row gives it.
struct Speed<'r> {
    column: &'r Column,
    unit: SpeedUnit,
    /// `None` where the model does not run.
    value: Option<f64>,
}
