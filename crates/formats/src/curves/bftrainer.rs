//! Trainers of BFTrainer's replayer, the table with their speeds: for each Trainer a list of numbers of nodes and one
//! of samples a second on them.
//!
//! ```csv
//! job,Ns,Ps,Os,Tsub
//! J00001-vgg16,"[0, 1, 2]","[0.0, 1193.3, 2389.2]","[0.0, 1193.3, 2389.2]",2021-02-10 20:21:51
//! ```
//!
//! `Os`, the objective on so many nodes, is a matter of the policy and not of the curve: in the published tables it is
//! the speed, or the speed relative to one node. Where it is neither, a finding says so.

use elastiplan_model::{Curve, CurveKey};

use crate::curves::draft::{self, Draft, NOT_RUNNABLE, Points};
use crate::format::{Format, Rows};
use crate::report::FileKind;
use crate::text::cells::Cells;
use crate::text::findings::{Effect, Finding};
use crate::text::header::{Column, Spec};
use crate::text::names::Names;
use crate::text::table::Table;
use crate::text::values::{self, Range};
use crate::trainers;

static SPEC: Spec = Spec { required: &[&["ns"], &["ps"]], optional: &["job", "os", "tsub"] };

pub(crate) static FORMAT: Format = Format::of(FileKind::CurvesBfTrainer, &SPEC, |table, _| Rows::Curves(read(table)));

const BAD_LIST: Finding = Finding::row_out(
    "Numbers as [0, 1, 2]: nodes from 0 to 65,536, each once, speeds from 0 to 1e18",
    "Write the list in square brackets, with commas between its numbers",
);
const OTHER_LENGTH: Finding =
    Finding::row_out("As many speeds as numbers of nodes", "Write one speed for each number of nodes");
const SAME_TRAINER: Finding =
    Finding::new(Effect::LeftOut, "One row for a Trainer", "The first is used; row left out", "Remove one of them");
const OTHER_OBJECTIVE: Finding = Finding::new(
    Effect::None,
    "An objective in proportion to the speed",
    "Not used: a policy says what is to be greatest",
    "Choose the objective where the policy is set",
);

struct Columns {
    name: Column,
    nodes: Column,
    speeds: Column,
    objective: Option<Column>,
}

fn read(table: &mut Table<'_, '_>) -> Vec<Curve> {
    let header = &table.header;
    // The header fits, so that they are there.
    let found = trainers::name_column(header).zip(header.find_all(["ns", "ps"]));
    let Some((name, [nodes, speeds])) = found else { return Vec::new() };
    let columns = Columns { name, nodes, speeds, objective: header.find("os") };
    let mut names = Names::default();
    let mut drafts: Vec<Draft> = Vec::new();
    while let Some(mut cells) = table.next() {
        let Some((name, points)) = read_row(&mut cells, &columns) else { continue };
        if names.number(&name) as usize == drafts.len() {
            drafts.push(points.into());
        } else {
            cells.report(SAME_TRAINER, &columns.name);
        }
    }
    let key = |model: String| CurveKey { model, batch_global: None };
    draft::finish(names.into_list().into_iter().map(key).zip(drafts), &mut table.findings)
}

/// A Trainer and its points; `None`, with a finding, if the row cannot be used.
fn read_row<'r>(cells: &mut Cells<'r>, columns: &Columns) -> Option<(std::borrow::Cow<'r, str>, Points)> {
    let name = cells.model(&columns.name);
    let mut read = |column: &Column, range| {
        let cell = cells.cell(column);
        let list = list(cell, range);
        if list.is_none() {
            cells.report(BAD_LIST, column);
        }
        list
    };
    let (nodes, speeds) = (read(&columns.nodes, values::NODES), read(&columns.speeds, values::SPEED));
    let (name, nodes, speeds) = (name?, nodes?, speeds?);
    if nodes.len() != speeds.len() {
        cells.report(OTHER_LENGTH, &columns.speeds);
        return None;
    }
    let mut points = Points::new();
    for (nodes, speed) in nodes.iter().zip(&speeds).filter(|(nodes, _)| **nodes > 0.0) {
        if *speed == 0.0 {
            cells.report(NOT_RUNNABLE, &columns.speeds);
        }
        if points.insert(*nodes as u32, Some(*speed).filter(|speed| *speed > 0.0)).is_some() {
            cells.report(BAD_LIST, &columns.nodes);
            return None;
        }
    }
    // The tables end where Trainers do: more nodes are not possible.
    if let Some((largest, _)) = points.last_key_value() {
        points.insert(largest + 1, None);
    }
    if let Some(column) = &columns.objective
        && !is_in_proportion(cells.cell(column), &speeds)
    {
        cells.report(OTHER_OBJECTIVE, column);
    }
    Some((name, points))
}

/// The numbers of a list; `None` if the cell holds no list.
fn list(cell: &[u8], range: Range) -> Option<Vec<f64>> {
    let inside = cell.trim_ascii().strip_prefix(b"[")?.strip_suffix(b"]")?;
    inside.split(|byte| *byte == b',').map(|cell| values::number(cell.trim_ascii(), range).value()).collect()
}

/// Whether an objective is proportional to the speed.
fn is_in_proportion(cell: &[u8], speeds: &[f64]) -> bool {
    let Some(objective) = list(cell, values::SPEED).filter(|list| list.len() == speeds.len()) else { return false };
    let (most, fastest) = (objective.iter().copied().fold(0.0, f64::max), speeds.iter().copied().fold(0.0, f64::max));
    let is_near = |(value, speed): (&f64, &f64)| (value * fastest - speed * most).abs() <= 1e-6 * most * fastest;
    objective.iter().zip(speeds).all(is_near)
}
