//! The plain job trace of this project, as docs/formats.md specifies it.
//!
//! ```csv
//! job_id,submit_s,model,gpus,samples,batch_global,deadline_s
//! vision-1,0,resnet50,4,12800000,256,86400
//! vision-2,600,resnet50,8,25600000,512,
//! ```

use elastiplan_model::{Job, Work};

use crate::format::{Format, JobRows, Rows};
use crate::jobs::columns::{
    AS_DOWN, AS_UP, BATCH_RANGE_DEFAULT, GPUS_MAX_DEFAULT, GPUS_MIN_DEFAULT, JobColumns, WorkUnit,
};
use crate::jobs::reader::{self, Reader};
use crate::report::FileKind;
use crate::text::cells::Cells;
use crate::text::findings::Findings;
use crate::text::header::{Fit, Header, Spec};
use crate::text::names::Names;
use crate::text::table::Table;

/// The columns, by their names.
pub(crate) static SPEC: Spec = Spec {
    required: &[&["job_id"], &["submit_s"], &["model"], &["gpus"], WORK],
    optional: &[
        "samples_per_epoch",
        "batch_global",
        "gpus_min",
        "gpus_max",
        "deadline_s",
        "best_effort",
        "user",
        "rescale_up_s",
        "rescale_down_s",
        "batch_min",
        "batch_max",
        "priority",
    ],
};

/// Columns of work; of each row the first that is filled counts.
const WORK: &[&str] = &["samples", "iterations", "duration_s", "gpu_seconds", "epochs", "trainings"];

pub(crate) static FORMAT: Format =
    Format { fit, ..Format::of(FileKind::JobsPlain, &SPEC, |table, _| Rows::Jobs(read(table))) };

/// The defaults for every row where an optional column is missing.
const DEFAULTS: [(&str, &str); 5] = [
    ("batch_global", "The model's only curve is used"),
    ("gpus_min", GPUS_MIN_DEFAULT),
    ("gpus_max", GPUS_MAX_DEFAULT),
    ("deadline_s", "No job has a deadline"),
    ("user", "Jobs cannot be grouped by user"),
];

fn fit(spec: &Spec, header: &Header) -> Fit {
    let mut fit = spec.fit(header);
    let has = |name: &&str| header.find(name).is_some();
    // Epochs mean nothing without their size, nor does the size without them.
    let work: Vec<&str> = WORK.iter().copied().filter(has).collect();
    if work == ["epochs"] && !has(&"samples_per_epoch") {
        fit.missing.push(&["samples_per_epoch"]);
    }
    if work.is_empty() && has(&"samples_per_epoch") {
        fit.missing.retain(|names| *names != WORK);
        fit.missing.push(&["epochs"]);
    }
    fit
}

fn read(table: &mut Table<'_, '_>) -> JobRows {
    let Some(columns) = columns(&table.header) else { return JobRows::default() };
    let rows = reader::read(table, &columns);
    let Table { header, findings, .. } = table;
    assume_missing(header, findings, &rows);
    rows
}

/// Reads rows of a plain trace one by one, wherever they come from.
pub(crate) struct PlainRows(JobColumns);

impl PlainRows {
    /// A reader for rows with this header; `None` if a column is missing that every trace has.
    pub fn new(header: &Header) -> Option<Self> {
        columns(header).map(Self)
    }

    /// The job of a row; `None`, with findings, if it cannot be used.
    pub fn job(&self, cells: &mut Cells<'_>, models: &mut Names) -> Option<Job> {
        Reader { columns: &self.0, cells: Cells { row: cells.row, findings: &mut *cells.findings } }.job(models, None)
    }

    /// Records what is used for all rows where a column is missing.
    pub fn assume_missing(header: &Header, findings: &mut Findings, rows: &JobRows) {
        assume_missing(header, findings, rows);
    }
}

/// Records what is used for all rows where a column is missing.
fn assume_missing(header: &Header, findings: &mut Findings, rows: &JobRows) {
    let is_missing = |column: &str| header.find(column).is_none();
    let given = rows.jobs.iter().any(|job| job.rescale.is_some());
    let rescale = [("rescale_up_s", AS_DOWN), ("rescale_down_s", AS_UP)].into_iter().filter(|_| given);
    let (least, most) = ("batch_min", "batch_max");
    for (column, used) in DEFAULTS.into_iter().filter(|(column, _)| is_missing(column)) {
        findings.assume(column, used, "Add the column to say otherwise");
    }
    for limit in [least, most].into_iter().filter(|limit| is_missing(limit) && is_missing(least) != is_missing(most)) {
        findings.assume(limit, BATCH_RANGE_DEFAULT, "Add the column: a range has two ends");
    }
    for (column, used) in rescale.filter(|(column, _)| is_missing(column)) {
        findings.assume(column, used, "Add the column to say otherwise");
    }
}

fn columns(header: &Header) -> Option<JobColumns> {
    let unit = |name: &str| match name {
        "samples" => WorkUnit::Amount(Work::Samples),
        "iterations" => WorkUnit::Amount(Work::Iterations),
        "duration_s" => WorkUnit::Amount(Work::DurationOnRequested),
        "gpu_seconds" => WorkUnit::Amount(Work::GpuSeconds),
        "trainings" => WorkUnit::Amount(Work::Trainings),
        _ => WorkUnit::EpochsOf(header.find("samples_per_epoch")),
    };
    let [name, submit, model, gpus] = header.find_all(["job_id", "submit_s", "model", "gpus"])?;
    Some(JobColumns {
        work: WORK.iter().filter_map(|name| Some((header.find(name)?, unit(name)))).collect(),
        batch: header.find("batch_global"),
        gpus_min: header.find("gpus_min"),
        gpus_max: header.find("gpus_max"),
        deadline: header.find("deadline_s"),
        best_effort: header.find("best_effort"),
        user: header.find("user"),
        rescale_up: header.find("rescale_up_s"),
        rescale_down: header.find("rescale_down_s"),
        batch_min: header.find("batch_min"),
        batch_max: header.find("batch_max"),
        priority: header.find("priority"),
        ..JobColumns::new(name, submit, model, gpus)
    })
}
