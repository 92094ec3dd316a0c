//! The plain job trace of this project, as docs/formats.md specifies it.
//!
//! ```csv
//! job_id,submit_s,model,gpus,samples,batch_global,deadline_s
//! vision-1,0,resnet50,4,12800000,256,86400
//! vision-2,600,resnet50,8,25600000,512,
//! ```

use elastiplan_model::Work;

use crate::header::{Header, Spec};
use crate::jobs::{self, GPUS_MAX_DEFAULT, GPUS_MIN_DEFAULT, JobColumns, WorkUnit};
use crate::registry::Format;
use crate::report::FileKind;
use crate::rows::{JobRows, Rows};
use crate::table::Table;

/// The columns, by their names.
pub(crate) static SPEC: Spec = Spec {
    required: &[&["job_id"], &["submit_s"], &["model"], &["gpus"], &["samples", "iterations", "duration_s"]],
    optional: &["batch_global", "gpus_min", "gpus_max", "deadline_s", "best_effort", "user"],
};

pub(crate) static FORMAT: Format = Format {
    kind: FileKind::JobsPlain,
    fit: |header| SPEC.fit(header),
    knows: |column| SPEC.knows(column),
    read: |table, _| Rows::Jobs(read(table)),
};

/// What holds for every row where an optional column is not there.
const DEFAULTS: [(&str, &str); 5] = [
    ("batch_global", "The model's only curve is used"),
    ("gpus_min", GPUS_MIN_DEFAULT),
    ("gpus_max", GPUS_MAX_DEFAULT),
    ("deadline_s", "No job has a deadline"),
    ("user", "Jobs cannot be grouped by user"),
];

fn read(table: &mut Table<'_, '_>) -> JobRows {
    let Some(columns) = columns(&table.header) else { return JobRows::default() };
    let rows = jobs::read(table, &columns);
    if !rows.jobs.is_empty() {
        for (column, used) in DEFAULTS {
            if table.header.find(column).is_none() {
                table.notes.assume(column, used, "Add the column to say otherwise");
            }
        }
    }
    rows
}

fn columns(header: &Header) -> Option<JobColumns> {
    let units: [(&str, WorkUnit); 3] =
        [("samples", Work::Samples), ("iterations", Work::Iterations), ("duration_s", Work::DurationOnRequested)];
    Some(JobColumns {
        name: header.find("job_id")?,
        submit: header.find("submit_s")?,
        model: header.find("model")?,
        gpus: header.find("gpus")?,
        work: units.into_iter().filter_map(|(name, unit)| Some((header.find(name)?, unit))).collect(),
        batch: header.find("batch_global"),
        batch_needed: false,
        gpus_min: header.find("gpus_min"),
        gpus_max: header.find("gpus_max"),
        deadline: header.find("deadline_s"),
        best_effort: header.find("best_effort"),
        user: header.find("user"),
    })
}
