//! Workloads of Pollux (Qiao et al., OSDI 2021), as its public artifact has them: each job trains a model from
//! beginning to end, however long that takes by the model's profile.
//!
//! ```csv
//! name,time,application,num_replicas,batch_size
//! cifar10-0,107,cifar10,6,2048
//! ```

use crate::format::{Format, JobRows, Rows};
use crate::jobs::columns::{GPUS_MAX_DEFAULT, GPUS_MIN_DEFAULT, JobColumns};
use crate::jobs::reader;
use crate::report::FileKind;
use crate::text::header::{Header, Spec};
use crate::text::table::Table;

static SPEC: Spec =
    Spec { required: &[&["name"], &["time"], &["application"], &["num_replicas"], &["batch_size"]], optional: &[] };

pub(crate) static FORMAT: Format = Format::of(FileKind::JobsPollux, &SPEC, |table, _| Rows::Jobs(read(table)));

fn read(table: &mut Table<'_, '_>) -> JobRows {
    let Some(columns) = columns(&table.header) else { return JobRows::default() };
    let rows = reader::read(table, &columns);
    let repair = "The format has none; the plain format does";
    table.findings.assume("trainings", "1 is used: each job trains its model to the end", repair);
    table.findings.assume("gpus_min", GPUS_MIN_DEFAULT, repair);
    table.findings.assume("gpus_max", GPUS_MAX_DEFAULT, repair);
    rows
}

fn columns(header: &Header) -> Option<JobColumns> {
    let [name, submit, model, gpus] = header.find_all(["name", "time", "application", "num_replicas"])?;
    Some(JobColumns { batch: header.find("batch_size"), ..JobColumns::new(name, submit, model, gpus) })
}
