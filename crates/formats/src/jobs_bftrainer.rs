//! Trainers of BFTrainer's replayer (Liu et al., "BFTrainer: Low-Cost Training of Neural Networks on Unfillable
//! Supercomputer Nodes"), the table with their bounds: fewest and most nodes, seconds that growing and shrinking take,
//! samples to process, submission. Their speeds are in a table of their own.
//!
//! ```csv
//! job,Tcup,Tcdw,Jmin,Jmax,Pmax,Tsub
//! J00001-vgg16,17.5,11.3,1,64,1.3e8,2021-02-10 20:21:51
//! ```

use elastiplan_model::Work;

use crate::bftrainer_join;
use crate::header::{Header, Spec};
use crate::jobs::{self, JobColumns};
use crate::jobs_work::WorkUnit;
use crate::registry::Format;
use crate::report::FileKind;
use crate::rows::{JobRows, Rows};
use crate::table::Table;

static SPEC: Spec =
    Spec { required: &[&["tcup"], &["tcdw"], &["jmin"], &["jmax"], &["pmax"], &["tsub"]], optional: &["job"] };

pub(crate) static FORMAT: Format = Format {
    kind: FileKind::JobsBfTrainer,
    fit: |header| SPEC.fit(header),
    knows: |column| SPEC.knows(column),
    read: |table, _| Rows::Jobs(read(table)),
};

fn read(table: &mut Table<'_, '_>) -> JobRows {
    let Some(columns) = columns(&table.header) else { return JobRows::default() };
    let rows = jobs::read(table, &columns);
    if !rows.jobs.is_empty() {
        table.notes.assume("gpus", "Jmin is used: Trainers ask for no number", "The plain format has it");
    }
    rows
}

fn columns(header: &Header) -> Option<JobColumns> {
    let name = bftrainer_join::name_column(header)?;
    Some(JobColumns {
        // Whose speeds those are is told by the name.
        model: name.clone(),
        name,
        submit: header.find("tsub")?,
        has_dates: true,
        gpus: header.find("jmin")?,
        work: vec![(header.find("pmax")?, WorkUnit::Amount(Work::Samples))],
        batch: None,
        batch_needed: false,
        gpus_min: header.find("jmin"),
        gpus_max: header.find("jmax"),
        deadline: None,
        best_effort: None,
        user: None,
        rescale_up: header.find("tcup"),
        rescale_down: header.find("tcdw"),
        batch_min: None,
        batch_max: None,
        priority: None,
    })
}
