//! Slurm's accounting as text: `sacct` with `-P` or `-p`, columns as one asks for them. Rows of steps are left out, runs
//! of a job that was requeued are folded into its last.
//!
//! ```sh
//! sacct -a -X -P -S 2026-07-01 -o JobIDRaw,JobID,User,State,Submit,Start,End,ElapsedRaw,ReqTRES,AllocTRES
//! ```

use super::job_rows::JobMaker;
use super::slurm::{self, Facts, Gpus};
use super::{Fold, GIVE_LAW, Known, TableReader, Tell, Treatment, fold};
use crate::format::Rows;
use crate::mapping::{moment, seconds};
use crate::report::FileKind;
use crate::text::cells::Cells;
use crate::text::header::{Column, Header};
use crate::text::refusal::Refusal;
use crate::text::table::Table;

pub(crate) static TABLE: Known = Known {
    name: "Slurm accounting (sacct)",
    origin: slurm::COMMAND,
    tell: Tell::Header(is_sacct),
    treatment: Treatment::Table(TableReader {
        kind: FileKind::JobsKnown,
        refuse,
        read,
        text_column: "jobname",
        fold: Fold::LastRun,
        lacks: slurm::LACKS,
        next: GIVE_LAW,
        assumed: slurm::ASSUMED,
    }),
};

/// The default form of `sacct`, whose columns are cut to a width.
pub(crate) static FIXED_WIDTH: Known = Known {
    name: "Slurm accounting (sacct)",
    origin: slurm::COMMAND,
    tell: Tell::Start(|start| {
        let mut lines = start.lines();
        let names = lines.next().is_some_and(|first| first.trim_start().starts_with("JobID") && !first.contains('|'));
        names && lines.next().is_some_and(|rule| rule.len() > 8 && rule.bytes().all(|byte| matches!(byte, b'-' | b' ')))
    }),
    treatment: Treatment::Refused {
        reason: "sacct cuts columns to a width, unless it is given -P",
        repair: slurm::RUN_COMMAND,
    },
};

const IDS: &[&str] = &["jobid", "jobidraw"];
/// Columns that only Slurm has under these names.
const TELLING: &[&str] =
    &["alloctres", "reqtres", "allocgres", "reqgres", "elapsedraw", "timelimitraw", "nodelist", "ncpus", "allocnodes"];
const GPUS: &[&str] = &["alloctres", "reqtres", "allocgres", "reqgres"];
const TIMES: &[&str] = &["elapsedraw", "elapsed", "end"];

fn is_sacct(header: &Header) -> bool {
    header.find_any(IDS).is_some() && header.find_any(TELLING).is_some()
}

/// What a table lacks that jobs need.
fn refuse(header: &Header) -> Option<Refusal> {
    let lacks = |names: &[&str]| header.find_any(names).is_none();
    let missing = match () {
        () if lacks(&["submit"]) => "Submit",
        () if lacks(GPUS) => "AllocTRES",
        () if lacks(TIMES) => "ElapsedRaw",
        () => return None,
    };
    Some(Refusal::new(format!("This table of sacct has no column {missing}"), slurm::RUN_COMMAND))
}

/// The columns of a table, where it has them.
struct Columns {
    id: Option<Column>,
    state: Option<Column>,
    user: Option<Column>,
    submit: Option<Column>,
    start: Option<Column>,
    end: Option<Column>,
    elapsed: Option<Column>,
    elapsed_raw: Option<Column>,
    deadline: Option<Column>,
    nodes: Option<Column>,
    resources: Vec<Column>,
    per_node: Vec<Column>,
}

fn read(table: &mut Table<'_, '_>) -> Rows {
    let Some(mut maker) = JobMaker::new(slurm::FIELDS) else { return Rows::Jobs(Default::default()) };
    let header = &table.header;
    let columns = Columns {
        id: header.find_any(IDS),
        state: header.find("state"),
        user: header.find("user"),
        submit: header.find("submit"),
        start: header.find("start"),
        end: header.find("end"),
        elapsed: header.find("elapsed"),
        elapsed_raw: header.find("elapsedraw"),
        deadline: header.find("deadline"),
        nodes: header.find_any(&["nnodes", "allocnodes"]),
        resources: ["alloctres", "reqtres"].iter().filter_map(|name| header.find(name)).collect(),
        per_node: ["allocgres", "reqgres"].iter().filter_map(|name| header.find(name)).collect(),
    };
    while let Some(mut cells) = table.next() {
        let line = cells.line();
        let facts = facts(&mut cells, &columns);
        slurm::add(line, &facts, &mut maker, cells.findings);
    }
    let mut rows = maker.finish(&mut table.findings);
    fold(&mut rows, Fold::LastRun, &mut table.findings);
    Rows::Jobs(rows)
}

/// What a row says of its job.
fn facts(cells: &mut Cells<'_>, columns: &Columns) -> Facts {
    let row = cells.row;
    let cell = |column: &Column| String::from_utf8_lossy(row.cell(column.index));
    let text = |column: &Option<Column>| column.as_ref().map(|column| cell(column).into_owned()).unwrap_or_default();
    let at = |column: &Option<Column>| moment(row.cell(column.as_ref()?.index));
    let took = |column: &Option<Column>| seconds(row.cell(column.as_ref()?.index));
    let id = text(&columns.id);
    let nodes = text(&columns.nodes).parse::<f64>().unwrap_or(1.0);
    let of_job = columns.resources.iter().find_map(|column| slurm::gpus_of_job(&cell(column)));
    let per_node = || columns.per_node.iter().find_map(|column| slurm::gpus_of_node(&cell(column)));
    // Where GPUs are not tracked among the resources of jobs, older columns may have them.
    let tracked = of_job.filter(|gpus| *gpus != Gpus::Whole(0.0));
    Facts {
        is_step: id.contains('.'),
        is_waiting_array: id.contains('['),
        state: text(&columns.state),
        user: text(&columns.user),
        submit: text(&columns.submit),
        submit_s: at(&columns.submit),
        deadline_s: at(&columns.deadline),
        elapsed_s: took(&columns.elapsed_raw)
            .or_else(|| took(&columns.elapsed))
            .or_else(|| Some(at(&columns.end)? - at(&columns.start)?)),
        gpus: tracked.or_else(|| per_node().map(|gpus| gpus.times(nodes))).or(of_job),
        id,
    }
}
