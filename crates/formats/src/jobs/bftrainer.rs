//! Trainers of BFTrainer's replayer (Liu et al., "BFTrainer: Low-Cost Training of Neural Networks on Unfillable
//! Supercomputer Nodes"), the table with their bounds: fewest and most nodes, seconds that growing and shrinking take,
//! samples to process, submission. Their speeds are in a table of their own.
//!
//! ```csv
//! job,Tcup,Tcdw,Jmin,Jmax,Pmax,Tsub
//! J00001-vgg16,17.5,11.3,1,64,1.3e8,2021-02-10 20:21:51
//! ```

use elastiplan_model::Work;

use crate::format::{Format, JobRows, Rows};
use crate::jobs::columns::{JobColumns, WorkUnit};
use crate::jobs::reader;
use crate::report::FileKind;
use crate::text::header::{Header, Spec};
use crate::text::table::Table;
use crate::trainers;

static SPEC: Spec =
    Spec { required: &[&["tcup"], &["tcdw"], &["jmin"], &["jmax"], &["pmax"], &["tsub"]], optional: &["job"] };

pub(crate) static FORMAT: Format = Format::of(FileKind::JobsBfTrainer, &SPEC, |table, _| Rows::Jobs(read(table)));

fn read(table: &mut Table<'_, '_>) -> JobRows {
    let Some(columns) = columns(&table.header) else { return JobRows::default() };
    let rows = reader::read(table, &columns);
    table.findings.assume("gpus", "Jmin is used: Trainers ask for no number", "The plain format has it");
    rows
}

fn columns(header: &Header) -> Option<JobColumns> {
    let name = trainers::name_column(header)?;
    // The speeds are those of the Trainer with this name.
    let model = name.clone();
    Some(JobColumns {
        has_dates: true,
        work: vec![(header.find("pmax")?, WorkUnit::Amount(Work::Samples))],
        gpus_min: header.find("jmin"),
        gpus_max: header.find("jmax"),
        rescale_up: header.find("tcup"),
        rescale_down: header.find("tcdw"),
        ..JobColumns::new(name, header.find("tsub")?, model, header.find("jmin")?)
    })
}
