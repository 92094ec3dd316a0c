//! Job traces of ElasticFlow (Gu et al., ASPLOS 2023), in the two headers that were published: the cluster traces of
//! microsoft/elasticflow-traces and the files of the simulator in pkusys/ElasticFlow. Both mean the same: times in
//! seconds, work in iterations of one global batch, `best_effort` 1 for a job without a deadline.
//!
//! ```csv
//! job_id,submission_time,num_iteration,model_name,deadline,batch_size,num_gpu,duration
//! a1,3715485,3249,deepspeech2,3716178,32,1,1075
//! ```
//!
//! ```csv
//! job_id,submit_time,iteration,model_name,ddl,batch_size,num_gpu,duration,best_effort
//! 0,0,7246,resnet50,5896,256,1,3930,0
//! ```

use elastiplan_model::Work;

use crate::format::{Format, JobRows, Rows};
use crate::jobs::columns::{GPUS_MAX_DEFAULT, GPUS_MIN_DEFAULT, JobColumns, WorkUnit};
use crate::jobs::reader;
use crate::report::{ElasticFlowDialect, FileKind};
use crate::text::header::{Header, Spec};
use crate::text::table::Table;

static PUBLISHED_SPEC: Spec = Spec {
    required: &[
        &["job_id"],
        &["submission_time"],
        &["num_iteration"],
        &["model_name"],
        &["deadline"],
        &["batch_size"],
        &["num_gpu"],
    ],
    optional: OPTIONAL,
};

static SIMULATOR_SPEC: Spec = Spec {
    required: &[
        &["job_id"],
        &["submit_time"],
        &["iteration"],
        &["model_name"],
        &["ddl"],
        &["batch_size"],
        &["num_gpu"],
    ],
    optional: OPTIONAL,
};

/// `duration` follows from the iterations and the profile; one file repeats it and the iterations as `real_…`.
const OPTIONAL: &[&str] = &["best_effort", "duration", "real_iteration", "real_duration"];

pub(crate) static PUBLISHED: Format =
    Format::of(FileKind::JobsElasticFlow(ElasticFlowDialect::Published), &PUBLISHED_SPEC, |table, _| {
        Rows::Jobs(read(table, "submission_time", "num_iteration", "deadline"))
    });

pub(crate) static SIMULATOR: Format =
    Format::of(FileKind::JobsElasticFlow(ElasticFlowDialect::Simulator), &SIMULATOR_SPEC, |table, _| {
        Rows::Jobs(read(table, "submit_time", "iteration", "ddl"))
    });

fn read(table: &mut Table<'_, '_>, submit: &str, iterations: &str, deadline: &str) -> JobRows {
    let Some(columns) = columns(&table.header, submit, iterations, deadline) else { return JobRows::default() };
    let rows = reader::read(table, &columns);
    let repair = "The format has none; the plain format does";
    table.findings.assume("gpus_min", GPUS_MIN_DEFAULT, repair);
    table.findings.assume("gpus_max", GPUS_MAX_DEFAULT, repair);
    rows
}

fn columns(header: &Header, submit: &str, iterations: &str, deadline: &str) -> Option<JobColumns> {
    let [name, submit, model, gpus] = header.find_all(["job_id", submit, "model_name", "num_gpu"])?;
    Some(JobColumns {
        work: vec![(header.find(iterations)?, WorkUnit::Amount(Work::Iterations))],
        batch: header.find("batch_size"),
        // Without it, iterations do not become samples.
        batch_needed: true,
        deadline: header.find(deadline),
        best_effort: header.find("best_effort"),
        ..JobColumns::new(name, submit, model, gpus)
    })
}
