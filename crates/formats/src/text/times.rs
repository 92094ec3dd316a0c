//! Times of rows: seconds, or date and time, each file in one way.

use crate::text::cells::{AS_MISSING, Cells};
use crate::text::clock::{Clock, Reading};
use crate::text::findings::{Effect, Finding, ROW_OUT, Repair};
use crate::text::header::Column;

const WRITE_TIME: Repair = Repair::Say("Write it as 2021-02-10 20:21:15, or as a number of seconds");
const TIME_RULE: &str = "Date and time, or seconds from 0 to 1e11";
const NO_TIME: Finding = Finding { effect: Effect::LeftOut, rule: TIME_RULE, outcome: ROW_OUT, repair: WRITE_TIME };
const OTHER_TIME: Finding =
    Finding::row_out("All times of a file as the first: date and time, or seconds", "Write all times in one way");
pub(crate) const OTHER_ZONE: Finding = Finding::new(
    Effect::Repaired,
    "A time zone in all times of a file, as in the first, or in none",
    "Times without one are taken as UTC",
    "Write all times with their zone, or all without",
);
const UNSORTED: Finding = Finding::new(Effect::None, "Rows in order of time", "Put in order", "Nothing to do");

/// The times of a file in the order of its rows.
#[derive(Debug)]
pub(crate) struct Times {
    clock: Clock,
    /// The latest time that a row in use began with.
    latest: f64,
}

impl Times {
    pub fn new() -> Self {
        Self { clock: Clock::default(), latest: f64::NEG_INFINITY }
    }

    /// Seconds of a time that was read: as the file has them, or since `first` where it has date and time.
    pub fn seconds(&self, time: f64, first: f64) -> f64 {
        self.clock.seconds(time, first)
    }

    /// The time that a row cannot do without; `None`, with a finding, if it has none.
    pub fn needed(&mut self, cells: &mut Cells<'_>, column: &Column) -> Option<f64> {
        match self.optional(cells, column) {
            Some(None) => {
                cells.report(NO_TIME, column);
                None
            }
            time => time.flatten(),
        }
    }

    /// A time that may be missing; `None`, with a finding, if the row cannot be used.
    pub fn optional(&mut self, cells: &mut Cells<'_>, column: &Column) -> Option<Option<f64>> {
        self.read(cells, column, |finding| finding)
    }

    /// A time that a row can do without: a bad one is treated as missing.
    pub fn dispensable(&mut self, cells: &mut Cells<'_>, column: &Column) -> Option<f64> {
        let as_missing = |finding| Finding { effect: Effect::Repaired, outcome: AS_MISSING, ..finding };
        self.read(cells, column, as_missing).flatten()
    }

    /// A time, `Some(None)` where it is missing, `None` where it is bad, with what `finding_of` makes of the finding.
    fn read(
        &mut self,
        cells: &mut Cells<'_>,
        column: &Column,
        finding_of: fn(Finding) -> Finding,
    ) -> Option<Option<f64>> {
        let cell = cells.cell(column);
        let finding = match self.clock.read(cell) {
            Reading::Is(time) => return Some(Some(time)),
            Reading::OtherZone(time) => {
                cells.report(OTHER_ZONE, column);
                return Some(Some(time));
            }
            Reading::Missing => return Some(None),
            Reading::Bad => NO_TIME,
            Reading::OtherKind => OTHER_TIME,
        };
        cells.report(finding_of(finding), column);
        None
    }

    /// Adds a finding where a row in use is earlier than one before it.
    pub fn follow(&mut self, time: f64, cells: &mut Cells<'_>, column: &Column) {
        if time < self.latest {
            cells.report(UNSORTED, column);
        }
        self.latest = self.latest.max(time);
    }
}
