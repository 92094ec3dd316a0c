//! Rows to jobs: the reader that all formats of job traces share.
//!
//! A bad value in a needed column leaves the row out. A bad value elsewhere is reported and treated as missing: the job
//! still counts for load and waiting, which leaving it out would falsify.

use elastiplan_model::{BatchRange, Job};

use crate::format::JobRows;
use crate::jobs::columns::{BATCH_RANGE_DEFAULT, GPUS_MAX_DEFAULT, GPUS_MIN_DEFAULT, JobColumns, PRIORITY_DEFAULT};
use crate::text::cells::{AS_MISSING, Cells, optional};
use crate::text::findings::{Effect, Finding};
use crate::text::header::Column;
use crate::text::names::Names;
use crate::text::table::Table;
use crate::text::times::Times;
use crate::text::values::{self, Cell, Range};

const NO_DEADLINE: &str = "Treated as no deadline";

const NO_NAME: Finding =
    Finding::new(Effect::Filled, "A name for the job", "Named after its row", "Fill in the names to find jobs by them");
const LATE_SUBMISSION: Finding = Finding::new(
    Effect::Repaired,
    "Not earlier than the submission",
    NO_DEADLINE,
    "Write the deadline on the clock of the submission, not as a duration",
);
const CROSSED_LIMITS: Finding = Finding::new(
    Effect::Repaired,
    "At most the largest number of GPUs",
    "Both limits treated as missing",
    "Correct one of the two",
);
const CROSSED_BATCHES: Finding =
    Finding::new(Effect::Repaired, "At most batch_max", "Both limits treated as missing", "Correct one of the two");
const BATCH_OUTSIDE: Finding = Finding::new(
    Effect::Repaired,
    "From batch_min to batch_max",
    "Moved to the nearer of the two",
    "Correct the batch size or its limits",
);
const BAD_FLAG: Finding =
    Finding::new(Effect::Repaired, values::FLAG, "Treated as 0", "Write 1 for a job without a deadline, else 0");

/// Reads all rows of a trace.
pub(crate) fn read(table: &mut Table<'_, '_>, columns: &JobColumns) -> JobRows {
    let mut rows = JobRows::default();
    let mut times = columns.has_dates.then(Times::new);
    while let Some(cells) = table.next() {
        let times = times.as_mut();
        let mut reader = Reader { columns, cells };
        if let Some(job) = reader.job(&mut rows.models, times) {
            rows.jobs.push(job);
            rows.defaulted.push(reader.cells.findings.used_row().defaulted);
        }
    }
    if let Some(times) = times {
        let first = rows.jobs.iter().map(|job| job.submit_s).fold(f64::INFINITY, f64::min);
        rows.jobs.iter_mut().for_each(|job| job.submit_s = times.seconds(job.submit_s, first));
    }
    rows
}

/// A row of a trace while it is read.
pub(crate) struct Reader<'r> {
    pub columns: &'r JobColumns,
    pub cells: Cells<'r>,
}

impl Reader<'_> {
    /// The job of the row; `None`, with findings, if it cannot be used.
    pub fn job(&mut self, models: &mut Names, times: Option<&mut Times>) -> Option<Job> {
        let columns = self.columns;
        // Every cell is read even after a bad one, so that all faults of a row are reported at once.
        let submit_s = match times {
            Some(times) => times.needed(&mut self.cells, &columns.submit),
            None => self.cells.needed(&columns.submit, values::TIME, values::number),
        };
        let gpus_requested = self.cells.needed(&columns.gpus, values::GPUS, values::whole);
        let work = self.work();
        let batch_global = self.batch();
        let (gpus_min, gpus_max) = self.gpu_limits();
        let batch_range = self.batch_range();
        let batch_global = batch_global.map(|own| self.batch_within(own, batch_range));
        let priority = self.priority();
        let deadline_s = self.deadline(submit_s);
        let rescale = self.rescale();
        let (submit_s, gpus_requested, work, batch_global) = (submit_s?, gpus_requested?, work?, batch_global?);
        let model = models.model(&self.cells.model(&columns.model)?);
        let name = self.name();
        let user = self.user();
        let source_row = self.cells.line();
        Some(Job {
            name,
            source_row,
            submit_s,
            model,
            batch_global,
            gpus_requested,
            gpus_min,
            gpus_max,
            work,
            deadline_s,
            user,
            rescale,
            batch_range,
            priority,
        })
    }

    /// The batch size; `None` if the row cannot be used, `Some(None)` if it has none.
    fn batch(&mut self) -> Option<Option<u32>> {
        let Some(column) = &self.columns.batch else { return Some(None) };
        if self.columns.batch_needed {
            return self.cells.needed(column, values::BATCH, values::whole).map(Some);
        }
        Some(self.limit(column, values::BATCH, "The model's only curve is used"))
    }

    /// A whole number that may be missing.
    fn limit(&mut self, column: &Column, range: Range, default: &'static str) -> Option<u32> {
        self.cells.optional(column, range, values::whole, [default, AS_MISSING])
    }

    fn gpu_limits(&mut self) -> (Option<u32>, Option<u32>) {
        let columns = self.columns;
        let min = columns.gpus_min.as_ref().and_then(|column| self.limit(column, values::GPUS, GPUS_MIN_DEFAULT));
        let max = columns.gpus_max.as_ref().and_then(|column| self.limit(column, values::GPUS, GPUS_MAX_DEFAULT));
        if let (Some(least), Some(most), Some(column)) = (min, max, &columns.gpus_min)
            && least > most
        {
            self.cells.report(CROSSED_LIMITS, column);
            return (None, None);
        }
        (min, max)
    }

    /// The range of batch sizes; one limit alone makes no range.
    fn batch_range(&mut self) -> Option<BatchRange> {
        let columns = self.columns;
        let (min, max) = (columns.batch_min.as_ref()?, columns.batch_max.as_ref()?);
        let mut of = |column: &Column| self.limit(column, values::BATCH, BATCH_RANGE_DEFAULT);
        let (least, most) = (of(min), of(max));
        let (least, most) = least.zip(most)?;
        if least > most {
            self.cells.report(CROSSED_BATCHES, min);
            return None;
        }
        Some(BatchRange { least, most })
    }

    /// Moves a batch size outside the range into it.
    fn batch_within(&mut self, own: Option<u32>, range: Option<BatchRange>) -> Option<u32> {
        let (Some(batch), Some(range)) = (own, range) else { return own };
        if let Some(column) = self.columns.batch.as_ref().filter(|_| !range.contains(batch)) {
            self.cells.report(BATCH_OUTSIDE, column);
        }
        Some(batch.clamp(range.least, range.most))
    }

    fn priority(&mut self) -> Option<f64> {
        let column = self.columns.priority.as_ref()?;
        self.cells.optional(column, values::PRIORITY, values::number, [PRIORITY_DEFAULT; 2])
    }

    fn deadline(&mut self, submit_s: Option<f64>) -> Option<f64> {
        let columns = self.columns;
        if let Some(column) = &columns.best_effort {
            match values::flag(self.cells.cell(column)) {
                // The deadline of a best-effort job is a stand-in for "never", such as 2^63-1.
                Cell::Is(true) => return None,
                Cell::Is(false) | Cell::Missing => {}
                Cell::Bad => self.cells.report(BAD_FLAG, column),
            }
        }
        let column = columns.deadline.as_ref()?;
        match values::number(self.cells.cell(column), values::TIME) {
            Cell::Is(deadline_s) if submit_s.is_some_and(|submit_s| deadline_s < submit_s) => {
                self.cells.report(LATE_SUBMISSION, column);
                None
            }
            Cell::Is(deadline_s) => Some(deadline_s),
            Cell::Missing => None,
            Cell::Bad => {
                self.cells.report(optional(values::TIME, NO_DEADLINE), column);
                None
            }
        }
    }

    fn name(&mut self) -> String {
        let column = &self.columns.name;
        let name = self.cells.text(column);
        if name.is_empty() {
            self.cells.report(NO_NAME, column);
            return format!("row-{}", self.cells.line());
        }
        name.into_owned()
    }

    fn user(&mut self) -> Option<String> {
        let user = self.cells.text(self.columns.user.as_ref()?);
        Some(user.into_owned()).filter(|user| !user.is_empty())
    }
}
