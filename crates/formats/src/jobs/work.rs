//! Work and rescale costs of a job: values that a row gives in one of several columns, or in two columns together.

use elastiplan_model::{RescaleSeconds, Work};

use crate::jobs::columns::{AS_DOWN, AS_UP, WorkUnit};
use crate::jobs::reader::Reader;
use crate::text::cells::{AS_MISSING, filled, needed, optional};
use crate::text::findings::Finding;
use crate::text::header::Column;
use crate::text::values::{self, Cell};

const NO_EPOCH_SIZE: Finding = Finding::row_out(
    "Epochs need samples_per_epoch to become samples",
    "Add the column samples_per_epoch, or give samples",
);
const SCENARIO_RESCALE: &str = "The scenario's rescale cost is used";

impl Reader<'_> {
    /// Work from the first filled column; a whole training where the format has no such column.
    pub fn work(&mut self) -> Option<Work> {
        let columns = self.columns;
        if columns.work.is_empty() {
            return Some(Work::Trainings(1.0));
        }
        for (column, unit) in &columns.work {
            let work = match unit {
                WorkUnit::Amount(work) => self.amount(column).map(*work),
                WorkUnit::EpochsOf(size) => self.epochs(column, size.as_ref()),
            };
            match work {
                Cell::Is(work) => return Some(work),
                Cell::Missing => {}
                Cell::Bad => return None,
            }
        }
        if let Some((column, _)) = columns.work.first() {
            self.cells.report(needed(values::WORK), column);
        }
        None
    }

    /// An amount of work, with a finding if it is bad.
    fn amount(&mut self, column: &Column) -> Cell<f64> {
        let amount = values::number(self.cells.cell(column), values::WORK);
        if amount == Cell::Bad {
            self.cells.report(needed(values::WORK), column);
        }
        amount
    }

    /// Epochs and their size: neither is of use without the other.
    fn epochs(&mut self, column: &Column, size: Option<&Column>) -> Cell<Work> {
        let epochs = self.amount(column);
        let Some(size) = size else {
            if let Cell::Is(_) = epochs {
                self.cells.report(NO_EPOCH_SIZE, column);
            }
            return if epochs == Cell::Missing { Cell::Missing } else { Cell::Bad };
        };
        match (epochs, self.amount(size)) {
            (Cell::Is(epochs), Cell::Is(samples_each)) => return Cell::Is(Work::Epochs { epochs, samples_each }),
            (Cell::Missing, Cell::Missing) => return Cell::Missing,
            (Cell::Missing, _) => self.cells.report(needed(values::WORK), column),
            (_, Cell::Missing) => self.cells.report(needed(values::WORK), size),
            (Cell::Bad, _) | (_, Cell::Bad) => {}
        }
        Cell::Bad
    }

    /// The rescale cost of the job. Where one direction is missing, that of the other is used.
    pub fn rescale(&mut self) -> Option<RescaleSeconds> {
        let columns = self.columns;
        let (up, down) = (columns.rescale_up.as_ref(), columns.rescale_down.as_ref());
        let (up_s, down_s) = (self.seconds(up), self.seconds(down));
        self.report_seconds(up, up_s, down_s.value().map(|_| AS_DOWN));
        self.report_seconds(down, down_s, up_s.value().map(|_| AS_UP));
        let (up_s, down_s) = (up_s.value(), down_s.value());
        Some(RescaleSeconds { up_s: up_s.or(down_s)?, down_s: down_s.or(up_s)? })
    }

    fn seconds(&self, column: Option<&Column>) -> Cell<f64> {
        column.map_or(Cell::Missing, |column| values::number(self.cells.cell(column), values::RESCALE))
    }

    /// Adds a finding about a missing or bad cost, with the default that is used instead.
    fn report_seconds(&mut self, column: Option<&Column>, seconds: Cell<f64>, other: Option<&'static str>) {
        let Some(column) = column else { return };
        match seconds {
            Cell::Is(_) => {}
            Cell::Missing => self.cells.report(filled(other.unwrap_or(SCENARIO_RESCALE)), column),
            Cell::Bad => self.cells.report(optional(values::RESCALE, other.unwrap_or(AS_MISSING)), column),
        }
    }
}
