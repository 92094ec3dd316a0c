//! Availability as events: a row for each moment at which a node becomes available (1) or unavailable (0). Nodes are
//! unavailable before their first row, so that the rows of the first moment are the initial state.
//!
//! ```csv
//! timestamp,node,idle
//! 2021-02-10 20:21:15,g13n14,1
//! 2021-02-10 20:22:06,g13n14,0
//! ```

use elastiplan_model::Availability;
use elastiplan_model::order;

use crate::availability::gaps;
use crate::availability::log::{self, Draft, NODE_NAMES, TIME_NAMES};
use crate::format::{Format, Rows};
use crate::report::FileKind;
use crate::text::cells::Cells;
use crate::text::findings::{Effect, Finding, UsedRow};
use crate::text::header::{Column, Spec};
use crate::text::names::Names;
use crate::text::table::Table;
use crate::text::times::Times;
use crate::text::values;

/// Names of the column of states.
pub(crate) const STATE_NAMES: &[&str] = &["up", "idle", "available"];

static SPEC: Spec = Spec { required: &[TIME_NAMES, NODE_NAMES, STATE_NAMES], optional: &[] };

pub(crate) static FORMAT: Format =
    Format::of(FileKind::AvailabilityEvents, &SPEC, |table, _| Rows::Availability(read(table)));

const NO_STATE: Finding = Finding::row_out(values::FLAG, "Write 1 where the node appears, 0 where it goes");
const CONTRADICTION: Finding = Finding::new(
    Effect::LeftOut,
    "One state for a node and time",
    "Row left out, and all others of that node and time",
    "Keep the row that holds",
);

const REPEAT: Finding = Finding::new(
    Effect::None,
    "One row for a node and time",
    "The row says the same again: nothing changes",
    "Nothing to do",
);

/// A row in use.
struct Event {
    node: u32,
    time: f64,
    up: bool,
    row: UsedRow,
}

fn read(table: &mut Table<'_, '_>) -> Result<Availability, String> {
    let header = &table.header;
    let columns = (header.find_any(TIME_NAMES), header.find_any(NODE_NAMES), header.find_any(STATE_NAMES));
    // The header fits, so that they are there.
    let (Some(time), Some(node), Some(state)) = columns else { return Err(log::NO_ROW.into()) };
    let (mut times, mut names, mut draft) = (Times::new(), Names::default(), Draft::new());
    let mut events: Vec<Event> = Vec::new();
    while let Some(mut cells) = table.next() {
        let at = times.needed(&mut cells, &time);
        let up = read_state(&mut cells, &state);
        let Some((at, up)) = at.zip(up) else { continue };
        let Some(node) = log::node(&mut cells, &node, &mut names) else { continue };
        times.follow(at, &mut cells, &time);
        events.push(Event { node, time: at, up, row: cells.findings.used_row() });
    }
    draft.name(names);
    let DoubtfulRows { contradictions, repeats } = apply(&events, &mut draft);
    table.findings.deferred(CONTRADICTION, &contradictions);
    table.findings.deferred(REPEAT, &repeats);
    gaps::report(&times, events.iter().map(|event| (event.time, event.row)), &mut table.findings);
    draft.finish(&times, &mut table.findings)
}

fn read_state(cells: &mut Cells<'_>, column: &Column) -> Option<bool> {
    let state = values::flag(cells.cell(column)).value();
    if state.is_none() {
        cells.report(NO_STATE, column);
    }
    state
}

/// Rows that contradict others, and rows that repeat one.
#[derive(Default)]
struct DoubtfulRows {
    contradictions: Vec<(UsedRow, String)>,
    repeats: Vec<(UsedRow, String)>,
}

/// Computes the intervals of every node. A row that repeats the state of its node changes nothing; if it is of the same
/// time, it is reported.
fn apply(events: &[Event], draft: &mut Draft) -> DoubtfulRows {
    let mut doubtful = DoubtfulRows::default();
    // For each node, the lines at the current time that make it unavailable and available.
    let mut states: Vec<[Option<u64>; 2]> = vec![[None; 2]; draft.nodes.len()];
    for moment in order::by_number(events, |event| event.time).chunk_by(|a, b| a.time == b.time) {
        for event in moment {
            if let Some([down, up]) = states.get_mut(event.node as usize) {
                if event.up { up } else { down }.get_or_insert(event.row.line);
            }
        }
        for event in moment {
            let node = event.node as usize;
            let Some(&[down, up]) = states.get(node) else { continue };
            let doubt = |words: String| {
                let name = draft.nodes.get(node).map(|(name, _)| values::short(name)).unwrap_or_default();
                (event.row, name + &words)
            };
            let (same, other) = if event.up { (up, down) } else { (down, up) };
            if let Some(against) = other {
                doubtful.contradictions.push(doubt(format!(", against row {against}")));
                continue;
            }
            if let Some(first) = same.filter(|first| *first != event.row.line) {
                doubtful.repeats.push(doubt(format!(", as row {first}")));
            }
            if let Some((_, intervals)) = draft.nodes.get_mut(node) {
                log::set(intervals, event.time, event.up);
                draft.reach(event.time);
            }
        }
        for event in moment {
            if let Some(state) = states.get_mut(event.node as usize) {
                *state = [None; 2];
            }
        }
    }
    doubtful
}
