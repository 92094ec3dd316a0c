//! The reader of tables with a row for each measured point, which several formats share.
//!
//! The location of the GPUs of a point is given as a number of nodes, as a word, or not at all. Which of them counts
//! for a curve is known only after its last row; rows that do not fit get their finding then.

use std::collections::BTreeMap;

use elastiplan_model::order::sort_by_key;
use elastiplan_model::{Curve, CurveKey, limits};

use crate::curves::draft::{self, Draft, Location, NOT_RUNNABLE};
use crate::text::cells::{Cells, GpuType, filled, needed};
use crate::text::findings::{Effect, Finding, Findings, UsedRow};
use crate::text::header::Column;
use crate::text::names::Names;
use crate::text::table::Table;
use crate::text::values::{self, Cell};

/// "Does not run", of GPUs on so many nodes.
const NOT_RUNNABLE_THERE: Finding =
    Finding { outcome: "Taken as: does not run on that many GPUs, unless it does on other nodes", ..NOT_RUNNABLE };
/// "Does not run", of spread GPUs: no curve can say that packed GPUs run and spread ones do not.
const NOT_RUNNABLE_SPREAD: Finding =
    Finding::row_out("A throughput above 0 for spread GPUs", "Fill in the value, or remove the row");
const SAME_POINT: Finding = Finding::new(
    Effect::LeftOut,
    "One row for a model, batch size and number of GPUs",
    "The first is used; row left out",
    "Remove one of them, or merge them to their mean",
);
const SAME_POINT_NODES: Finding =
    Finding { rule: "One row for a model, batch size, number of GPUs and number of nodes", ..SAME_POINT };
const SAME_POINT_PLACEMENT: Finding =
    Finding { rule: "One row for a model, batch size, number of GPUs and placement", ..SAME_POINT };
const NO_BATCH: Finding =
    Finding::row_out("Iterations need a batch size to become samples", "Fill in the batch size, or give samples_per_s");
const BAD_PLACEMENT: Finding =
    Finding::row_out("packed or spread", "Write packed for GPUs on as few nodes as possible, else spread");
const NODES_AND_PLACEMENT: Finding = Finding::new(
    Effect::None,
    "Nodes or a placement, not both",
    "The nodes are used",
    "Nothing to do, if the nodes are right",
);
const NO_NODES: Finding = Finding::row_out("A number of nodes, as other rows of the curve have", "Fill in the nodes");
const PACKED: &str = "Taken as packed";

/// The unit in which a column gives throughput.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpeedUnit {
    SamplesPerSecond,
    IterationsPerSecond,
}

/// The columns of such a table by their meaning.
pub(crate) struct LongColumns {
    pub model: Column,
    pub gpus: Column,
    /// Columns of throughput; of each row the first that is filled counts.
    pub speed: Vec<(Column, SpeedUnit)>,
    pub batch: Option<Column>,
    pub gpu_type: Option<Column>,
    /// The number of nodes. Counts before the placement.
    pub nodes: Option<Column>,
    /// `packed` or `spread`.
    pub placement: Option<Column>,
}

/// Reads a table with a row for each point.
pub(crate) fn read(table: &mut Table<'_, '_>, columns: &LongColumns) -> Vec<Curve> {
    let mut models = Names::default();
    let mut drafts: BTreeMap<(u32, Option<u32>), (Draft, Vec<WithoutNodes>)> = BTreeMap::new();
    let mut gpu_type = GpuType::default();
    while let Some(cells) = table.next() {
        let mut reader = Reader { columns, cells };
        let Some(point) = reader.point(&mut gpu_type) else { continue };
        let (draft, without_nodes) = drafts.entry((models.number(&point.model), point.batch)).or_default();
        if !draft.add(point.gpus, point.location.unwrap_or(Location::Packed), point.speed) {
            reader.cells.report(same_point(columns, point.location), &columns.gpus);
        } else if point.speed.is_some() && columns.has_locations() {
            without_nodes.extend(reader.without_nodes(point.location));
        }
    }
    report_without_nodes(drafts.values(), columns, &mut table.findings);
    let key = |model: u32, batch_global| CurveKey { model: models.name(model).into(), batch_global };
    let named = drafts.into_iter().map(|((model, batch), (draft, _))| (key(model, batch), draft));
    draft::finish(named, &mut table.findings)
}

impl LongColumns {
    /// Whether rows may give the location of their GPUs.
    fn has_locations(&self) -> bool {
        self.nodes.is_some() || self.placement.is_some()
    }
}

fn same_point(columns: &LongColumns, location: Option<Location>) -> Finding {
    match location {
        Some(Location::Nodes(_)) => SAME_POINT_NODES,
        _ if columns.placement.is_some() => SAME_POINT_PLACEMENT,
        _ => SAME_POINT,
    }
}

/// A row whose point has no number of nodes: whether it is used depends on the other rows of its curve.
struct WithoutNodes {
    row: UsedRow,
    /// Whether it names a placement.
    placed: bool,
}

/// Adds findings about rows that give less than others of their curve.
fn report_without_nodes<'d>(
    drafts: impl Iterator<Item = &'d (Draft, Vec<WithoutNodes>)>,
    columns: &LongColumns,
    findings: &mut Findings,
) {
    let mut found: Vec<(&WithoutNodes, Finding, &Column)> = Vec::new();
    for (draft, without_nodes) in drafts {
        if let Some(column) = columns.nodes.as_ref().filter(|_| draft.is_by_nodes()) {
            found.extend(without_nodes.iter().map(|row| (row, NO_NODES, column)));
        } else if let Some(column) = columns.placement.as_ref().filter(|_| draft.has_spread()) {
            found.extend(without_nodes.iter().filter(|row| !row.placed).map(|row| (row, filled(PACKED), column)));
        }
    }
    sort_by_key(&mut found, |(without, _, _)| without.row.line);
    for (without, finding, column) in found {
        findings.reopen_row(without.row);
        findings.cell(finding, column, b"");
    }
}

/// The point of a row.
struct Point<'r> {
    model: std::borrow::Cow<'r, str>,
    batch: Option<u32>,
    gpus: u32,
    /// The location of the GPUs, if the row gives it.
    location: Option<Location>,
    /// Samples per second; `None` where the model does not run.
    speed: Option<f64>,
}

/// A row while it is read.
struct Reader<'r> {
    columns: &'r LongColumns,
    cells: Cells<'r>,
}

impl<'r> Reader<'r> {
    fn point(&mut self, gpu_type: &mut GpuType) -> Option<Point<'r>> {
        let columns = self.columns;
        if !gpu_type.is_that_of(&mut self.cells, columns.gpu_type.as_ref()) {
            return None;
        }
        let model = self.cells.model(&columns.model);
        let gpus = self.cells.needed(&columns.gpus, values::GPUS, values::whole);
        let batch = self.batch();
        let location = self.location(gpus);
        let speed = self.speed(location.flatten());
        let (model, gpus, batch, location) = (model?, gpus?, batch?, location?);
        let speed = self.samples_per_s(speed?, batch)?;
        Some(Point { model, batch, gpus, location, speed })
    }

    /// A throughput in samples; `None` if the row cannot be used.
    fn samples_per_s(&mut self, speed: Speed<'_>, batch: Option<u32>) -> Option<Option<f64>> {
        let Some(value) = speed.value else { return Some(None) };
        let samples_per_s = match (speed.unit, batch) {
            (SpeedUnit::SamplesPerSecond, _) => value,
            (SpeedUnit::IterationsPerSecond, Some(batch)) => value * f64::from(batch),
            (SpeedUnit::IterationsPerSecond, None) => {
                self.cells.report(NO_BATCH, speed.column);
                return None;
            }
        };
        if samples_per_s > limits::WORK_MAX {
            self.cells.report(needed(values::SPEED), speed.column);
            return None;
        }
        Some(Some(samples_per_s))
    }

    /// The batch size; `None` if the row cannot be used, `Some(None)` if it has none.
    fn batch(&mut self) -> Option<Option<u32>> {
        let Some(column) = &self.columns.batch else { return Some(None) };
        match values::whole(self.cells.cell(column), values::BATCH) {
            Cell::Is(batch) => Some(Some(batch)),
            Cell::Missing => Some(None),
            Cell::Bad => {
                self.cells.report(needed(values::BATCH), column);
                None
            }
        }
    }

    /// The location of the GPUs; `None` if the row cannot be used, `Some(None)` if it has none.
    fn location(&mut self, gpus: Option<u32>) -> Option<Option<Location>> {
        let columns = self.columns;
        let cell = |column: &Column| self.cells.cell(column);
        let words = [("packed", Location::Packed), ("spread", Location::Spread)];
        let placement = columns.placement.as_ref().map(|column| (column, values::word(cell(column), &words)));
        if let Some(column) = &columns.nodes {
            match values::whole(cell(column), values::NODES_OF_GPUS) {
                Cell::Is(nodes) if gpus.is_none_or(|gpus| nodes <= gpus) => {
                    if let Some((column, Cell::Is(_) | Cell::Bad)) = placement {
                        self.cells.report(NODES_AND_PLACEMENT, column);
                    }
                    return Some(Some(Location::Nodes(nodes)));
                }
                Cell::Is(_) | Cell::Bad => {
                    self.cells.report(needed(values::NODES_OF_GPUS), column);
                    return None;
                }
                Cell::Missing => {}
            }
        }
        match placement {
            Some((column, Cell::Bad)) => {
                self.cells.report(BAD_PLACEMENT, column);
                None
            }
            Some((_, location)) => Some(location.value()),
            None => Some(None),
        }
    }

    /// The row, if its point has no number of nodes.
    fn without_nodes(&self, location: Option<Location>) -> Option<WithoutNodes> {
        let named = matches!(location, Some(Location::Nodes(_)));
        (!named).then(|| WithoutNodes { row: self.cells.findings.used_row(), placed: location.is_some() })
    }

    /// The first throughput that is filled; `None` if the row cannot be used.
    fn speed(&mut self, location: Option<Location>) -> Option<Speed<'r>> {
        let columns = self.columns;
        let (first, first_unit) = columns.speed.first()?;
        let mut speed = Speed { column: first, unit: *first_unit, value: None };
        for (column, unit) in &columns.speed {
            match values::number(self.cells.cell(column), values::SPEED) {
                Cell::Is(value) => {
                    speed = Speed { column, unit: *unit, value: Some(value).filter(|&value| value > 0.0) };
                    break;
                }
                Cell::Missing => {}
                Cell::Bad => {
                    self.cells.report(needed(values::SPEED), column);
                    return None;
                }
            }
        }
        match (speed.value, location) {
            (Some(_), _) => {}
            (None, None | Some(Location::Packed)) => self.cells.report(NOT_RUNNABLE, speed.column),
            (None, Some(Location::Nodes(_))) => self.cells.report(NOT_RUNNABLE_THERE, speed.column),
            (None, Some(Location::Spread)) => {
                self.cells.report(NOT_RUNNABLE_SPREAD, speed.column);
                return None;
            }
        }
        Some(speed)
    }
}

/// A throughput in the unit of its column.
struct Speed<'r> {
    column: &'r Column,
    unit: SpeedUnit,
    /// `None` where the model does not run.
    value: Option<f64>,
}
