//! Availability as counts: how many nodes are available, not which. Node `k` is taken to be available while the count
//! is at least `k`, so that the last node to come is the first to go; this is reported as an assumption, since real
//! nodes go in any order.
//!
//! ```csv
//! timestamp,idle_nodes
//! 2021-02-10 20:21:15,228
//! 2021-02-10 20:22:06,258
//! ```

use elastiplan_model::order;
use elastiplan_model::{Availability, Cluster};

use crate::availability::gaps;
use crate::availability::log::{self, Draft, Intervals, TIME_NAMES};
use crate::format::{Format, Rows};
use crate::report::FileKind;
use crate::text::findings::{Effect, Finding, Findings, UsedRow};
use crate::text::header::Spec;
use crate::text::table::Table;
use crate::text::times::Times;
use crate::text::values;

/// Names of the column of counts.
pub(crate) const COUNT_NAMES: &[&str] = &["nodes", "idle_nodes", "available_nodes"];

static SPEC: Spec = Spec { required: &[TIME_NAMES, COUNT_NAMES], optional: &[] };

pub(crate) static FORMAT: Format =
    Format::of(FileKind::AvailabilityCounts, &SPEC, |table, _| Rows::Availability(read(table)));

/// The most changes over all rows: a small file could need more memory than there is.
const CHANGES_MAX: u64 = 5_000_000;

const CONTRADICTION: Finding = Finding::new(
    Effect::LeftOut,
    "One count for a time",
    "Row left out, and all others of that time",
    "Keep the row that holds",
);
const TOO_MANY_CHANGES: Finding =
    Finding::row_out("At most 5,000,000 nodes come and go", "Load a shorter time, or count in larger steps");

/// A row in use.
struct Count {
    time: f64,
    nodes: u32,
    row: UsedRow,
}

fn read(table: &mut Table<'_, '_>) -> Result<Availability, String> {
    let columns = (table.header.find_any(TIME_NAMES), table.header.find_any(COUNT_NAMES));
    // The header fits, so that they are there.
    let (Some(time), Some(nodes)) = columns else { return Err(log::NO_ROW.into()) };
    let (mut times, mut draft) = (Times::new(), Draft::new());
    let mut counts: Vec<Count> = Vec::new();
    while let Some(mut cells) = table.next() {
        let at = times.needed(&mut cells, &time);
        let count = cells.needed(&nodes, values::NODES, values::whole);
        let Some((at, nodes)) = at.zip(count) else { continue };
        times.follow(at, &mut cells, &time);
        counts.push(Count { time: at, nodes, row: cells.findings.used_row() });
    }
    apply(&counts, &mut draft, &mut table.findings);
    gaps::report(&times, counts.iter().map(|count| (count.time, count.row)), &mut table.findings);
    let log = draft.finish(&times, &mut table.findings);
    if log.is_ok() {
        let used = "The last node to come is the first to go";
        table.findings.assume("node", used, "Use a log of single nodes to be exact");
    }
    log
}

/// Computes the intervals of every node.
fn apply(counts: &[Count], draft: &mut Draft, findings: &mut Findings) {
    let (mut contradictions, mut excess) = (Vec::new(), Vec::new());
    let mut nodes: Vec<Intervals> = Vec::new();
    let (mut there, mut changes) = (0_u32, 0_u64);
    for moment in order::by_number(counts, |count| count.time).chunk_by(|a, b| a.time == b.time) {
        let Some(first) = moment.first() else { continue };
        if let Some(other) = moment.iter().find(|count| count.nodes != first.nodes) {
            contradictions.extend(moment.iter().map(|count| {
                let against = if count.nodes == first.nodes { other } else { first };
                (count.row, format!("{}, against {} in row {}", count.nodes, against.nodes, against.row.line))
            }));
            continue;
        }
        changes += u64::from(there.abs_diff(first.nodes));
        if changes > CHANGES_MAX {
            excess.extend(moment.iter().map(|count| (count.row, count.nodes.to_string())));
            continue;
        }
        step(&mut nodes, there, first);
        there = first.nodes;
        draft.reach(first.time);
    }
    draft.nodes = (1..).map(|number| format!("node-{number}")).zip(nodes).collect();
    findings.deferred(CONTRADICTION, &contradictions);
    findings.deferred(TOO_MANY_CHANGES, &excess);
}

/// Opens or closes intervals until as many nodes are available as were counted.
fn step(nodes: &mut Vec<Intervals>, there: u32, count: &Count) {
    let target = count.nodes.min(Cluster::NODES_MAX) as usize;
    if nodes.len() < target {
        nodes.resize(target, Intervals::new());
    }
    let there = there as usize;
    let (range, up) = if there < target { (there..target, true) } else { (target..there, false) };
    for intervals in nodes.get_mut(range).unwrap_or_default() {
        log::set(intervals, count.time, up);
    }
}
