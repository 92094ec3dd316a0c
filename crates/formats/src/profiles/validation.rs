//! Validation runs of Pollux's profiles: `validation-<batch size>.csv` of a model's folder, a row for each epoch of a
//! whole training at that batch size.
//!
//! `progress` counts steps of the smallest batch size, `iteration` actual steps; `grad_var` is the variance of the mean
//! gradient of a batch of the smallest size. `metric` is not used: a training ends after its epochs.
//!
//! ```csv
//! progress,iteration,metric,grad_sqr,grad_var
//! 391.0,390,0.44,8.95,5.07
//! ```

use elastiplan_model::{Diagnostic, Severity};

use crate::format::{Format, Rows};
use crate::profiles::parts::{Epoch, PartData, ProfileName, ProfilePart, Training, batch_of};
use crate::report::FileKind;
use crate::text::cells::Cells;
use crate::text::cells::needed;
use crate::text::findings::{Effect, Finding};
use crate::text::header::{Column, Spec};
use crate::text::table::Table;
use crate::text::values::{self, Range};

static SPEC: Spec =
    Spec { required: &[&["progress"], &["iteration"], &["grad_sqr"], &["grad_var"]], optional: &["metric"] };

pub(crate) static FORMAT: Format = Format::of(FileKind::Validation, &SPEC, |table, path| Rows::Part(read(table, path)));

const NOT_RISING: Finding = Finding::new(
    Effect::LeftOut,
    "Progress rises from row to row",
    "Row left out; other batch sizes say what holds in its epoch",
    "Check that the rows are in order",
);
const NO_GRADIENTS: &str = "Other batch sizes say what holds in its epoch";
const BOTH_ZERO: Finding =
    Finding::new(Effect::Repaired, "A gradient or noise: not both 0", NO_GRADIENTS, "Fill in what was measured");

/// The columns of progress, iterations, and the squared norm and variance of gradients.
type Columns = [Column; 4];

fn read(table: &mut Table<'_, '_>, path: &str) -> ProfilePart {
    let of = ProfileName::of(path);
    let mut training = Training { batch: batch_of(path), epochs: Vec::new() };
    if let Some(columns) = table.header.find_all(["progress", "iteration", "grad_sqr", "grad_var"]) {
        let mut progress = 0.0;
        while let Some(cells) = table.next() {
            // Rows are epochs by their position: one that could not be split into fields leaves a gap.
            let before = cells.findings.rows_begun().saturating_sub(1) as usize;
            training.epochs.resize(before, None);
            let epoch = Reader { columns: &columns, cells }.epoch(progress);
            progress = epoch.map_or(progress, |epoch| epoch.progress);
            training.epochs.push(epoch);
        }
        training.epochs.resize(table.findings.rows_begun() as usize, None);
    }
    if training.batch.is_none() {
        let (rule, outcome) =
            ("The batch size at the end of the file's name, as in validation-128.csv", "File not used");
        let repair = "Name the file by the batch size of its training";
        table.findings.file(Diagnostic::new(Severity::Error, rule, outcome, repair));
    } else if training.epochs.iter().any(Option::is_some) {
        of.assume(&mut table.findings, training.epochs.iter().flatten().count());
    }
    ProfilePart { of, data: PartData::Validation(training), refused: None }
}

/// A row while it is read.
struct Reader<'r> {
    columns: &'r Columns,
    cells: Cells<'r>,
}

impl Reader<'_> {
    fn number(&self, column: &Column, range: Range) -> Option<f64> {
        values::number(self.cells.cell(column), range).value()
    }

    /// `before`: the progress of the row above.
    fn epoch(mut self, before: f64) -> Option<Epoch> {
        let [progress_column, iteration, square_column, variance_column] = self.columns;
        let progress = self.number(progress_column, values::WORK);
        match progress {
            None => self.cells.report(Finding { outcome: NOT_RISING.outcome, ..needed(values::WORK) }, progress_column),
            Some(progress) if progress <= before => self.cells.report(NOT_RISING, progress_column),
            Some(_) => {}
        }
        let progress = progress.filter(|progress| *progress > before)?;
        let steps = self.number(iteration, values::WORK);
        if steps.is_none() {
            self.cells.report(repaired(values::WORK, "The steps of its epoch are not known"), iteration);
        }
        let (square, variance) =
            (self.number(square_column, values::GRADIENT), self.number(variance_column, values::GRADIENT));
        for (value, column) in [(square, square_column), (variance, variance_column)] {
            if value.is_none() {
                self.cells.report(repaired(values::GRADIENT, NO_GRADIENTS), column);
            }
        }
        let mut gradients = square.zip(variance);
        if gradients == Some((0.0, 0.0)) {
            self.cells.report(BOTH_ZERO, square_column);
            gradients = None;
        }
        Some(Epoch { line: self.cells.line(), progress, steps, gradients })
    }
}

fn repaired(range: Range, outcome: &'static str) -> Finding {
    Finding { effect: Effect::Repaired, outcome, ..needed(range) }
}
