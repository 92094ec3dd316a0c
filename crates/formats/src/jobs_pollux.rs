//! Workloads of Pollux (Qiao et al., OSDI 2021), as its public artifact has them: each job trains a model from beginning
//! to end, however long that takes by the model's profile.
//!
//! ```csv
//! name,time,application,num_replicas,batch_size
//! cifar10-0,107,cifar10,6,2048
//! ```

use crate::header::{Header, Spec};
use crate::jobs::{self, GPUS_MAX_DEFAULT, GPUS_MIN_DEFAULT, JobColumns};
use crate::registry::Format;
use crate::report::FileKind;
use crate::rows::{JobRows, Rows};
use crate::table::Table;

static SPEC: Spec =
    Spec { required: &[&["name"], &["time"], &["application"], &["num_replicas"], &["batch_size"]], optional: &[] };

pub(crate) static FORMAT: Format = Format {
    kind: FileKind::JobsPollux,
    fit: |header| SPEC.fit(header),
    knows: |column| SPEC.knows(column),
    read: |table, _| Rows::Jobs(read(table)),
};

fn read(table: &mut Table<'_, '_>) -> JobRows {
    let Some(columns) = columns(&table.header) else { return JobRows::default() };
    let rows = jobs::read(table, &columns);
    if !rows.jobs.is_empty() {
        let repair = "The format has none; the plain format does";
        table.notes.assume("trainings", "1 is used: each job trains its model to the end", repair);
        table.notes.assume("gpus_min", GPUS_MIN_DEFAULT, repair);
        table.notes.assume("gpus_max", GPUS_MAX_DEFAULT, repair);
    }
    rows
}

fn columns(header: &Header) -> Option<JobColumns> {
    Some(JobColumns {
        name: header.find("name")?,
        submit: header.find("time")?,
        has_dates: false,
        model: header.find("application")?,
        gpus: header.find("num_replicas")?,
        work: Vec::new(),
        batch: header.find("batch_size"),
        batch_needed: false,
        gpus_min: None,
        gpus_max: None,
        deadline: None,
        best_effort: None,
        user: None,
        rescale_up: None,
        rescale_down: None,
        batch_min: None,
        batch_max: None,
        priority: None,
    })
}
