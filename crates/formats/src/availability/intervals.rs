//! Availability as intervals: a row for each interval in which a node is available. The best shape: it names the nodes,
//! and small files hold long times.
//!
//! ```csv
//! node,idle_start,idle_end
//! e28n07,2021-02-10 20:21:15,2021-02-10 20:24:07
//! e30n07,2021-02-10 20:22:36,
//! ```

use elastiplan_model::Availability;
use elastiplan_model::order;

use crate::availability::log::{self, Draft, Intervals, NODE_NAMES};
use crate::format::{Format, Rows};
use crate::report::FileKind;
use crate::text::cells::Cells;
use crate::text::findings::{Effect, Finding, UsedRow};
use crate::text::header::{Column, Fit, Header, Spec};
use crate::text::names::Names;
use crate::text::table::Table;
use crate::text::times::Times;
use crate::text::values;

const START_NAMES: &[&str] = &["start_s", "idle_start", "available_from", "start"];
const END_NAMES: &[&str] = &["end_s", "idle_end", "available_until", "end"];
const LOG_END_NAMES: &[&str] = &["log_end_s", "log_end"];

static SPEC: Spec = Spec { required: &[NODE_NAMES, START_NAMES, END_NAMES], optional: LOG_END_NAMES };

pub(crate) static FORMAT: Format =
    Format { fit, ..Format::of(FileKind::AvailabilityIntervals, &SPEC, |table, _| Rows::Availability(read(table))) };

const NO_LENGTH: Finding = Finding::row_out("Later than the start", "Correct one of the two times");
const OVERLAP: Finding = Finding::new(
    Effect::Repaired,
    "Intervals of a node do not overlap",
    "Joined to one",
    "Correct the times, or remove one of the rows",
);

/// Tables of jobs have a start and an end too: without a column of nodes, only a specific name of a start counts.
fn fit(spec: &Spec, header: &Header) -> Fit {
    let fit = spec.fit(header);
    let specific = [NODE_NAMES, &["idle_start", "available_from"]];
    if specific.iter().any(|names| header.find_any(names).is_some()) { fit } else { Fit { found: 0, ..fit } }
}

/// The columns by their meaning.
struct Columns {
    node: Column,
    start: Column,
    end: Column,
    log_end: Option<Column>,
}

/// A row in use.
struct Interval {
    node: u32,
    start: f64,
    end: Option<f64>,
    row: UsedRow,
}

fn read(table: &mut Table<'_, '_>) -> Result<Availability, String> {
    let header = &table.header;
    let columns = (header.find_any(NODE_NAMES), header.find_any(START_NAMES), header.find_any(END_NAMES));
    // The header fits, so that they are there.
    let (Some(node), Some(start), Some(end)) = columns else { return Err(log::NO_ROW.into()) };
    let columns = Columns { node, start, end, log_end: header.find_any(LOG_END_NAMES) };
    let (mut times, mut names, mut draft) = (Times::new(), Names::default(), Draft::new());
    let mut intervals: Vec<Interval> = Vec::new();
    while let Some(mut cells) = table.next() {
        let Some(mut interval) = read_row(&mut cells, &columns, &mut times, &mut names) else { continue };
        times.follow(interval.start, &mut cells, &columns.start);
        let log_end = columns.log_end.as_ref().and_then(|column| times.dispensable(&mut cells, column));
        [Some(interval.start), interval.end].into_iter().flatten().for_each(|time| draft.reach(time));
        draft.last = draft.last.max(log_end.unwrap_or(draft.last));
        interval.row = cells.findings.used_row();
        intervals.push(interval);
    }
    draft.name(names);
    let overlaps = join(&intervals, &mut draft.nodes);
    table.findings.deferred(OVERLAP, &overlaps);
    draft.finish(&times, &mut table.findings)
}

/// The interval of a row; `None`, with a finding, if it cannot be used. All cells are read, so that all faults are
/// reported.
fn read_row(cells: &mut Cells<'_>, columns: &Columns, times: &mut Times, names: &mut Names) -> Option<Interval> {
    let start = times.needed(cells, &columns.start);
    let end = times.optional(cells, &columns.end);
    let backwards = start.zip(end.flatten()).is_some_and(|(start, end)| end <= start);
    if backwards {
        cells.report(NO_LENGTH, &columns.end);
    }
    let (start, end) = (start?, end.filter(|_| !backwards)?);
    let node = log::node(cells, &columns.node, names)?;
    Some(Interval { node, start, end, row: cells.findings.used_row() })
}

/// Computes the intervals of every node, with overlapping ones joined; returns the rows that overlap an earlier one.
fn join(intervals: &[Interval], nodes: &mut [(String, Intervals)]) -> Vec<(UsedRow, String)> {
    let mut overlaps = Vec::new();
    // For each node, the interval so far with the latest end.
    let mut longest: Vec<Option<&Interval>> = vec![None; nodes.len()];
    for interval in order::by_number(intervals, |interval| interval.start) {
        let node = interval.node as usize;
        let Some(((name, joined), longest)) = nodes.get_mut(node).zip(longest.get_mut(node)) else { continue };
        let is_longer = longest.is_none_or(|longest| end_or_never(interval) > end_or_never(longest));
        match longest.filter(|longest| interval.start < end_or_never(longest)) {
            Some(longest) => {
                overlaps.push((interval.row, format!("{}, with row {}", values::short(name), longest.row.line)));
                if let Some((_, end)) = joined.last_mut().filter(|_| is_longer) {
                    *end = interval.end;
                }
            }
            None => joined.push((interval.start, interval.end)),
        }
        if is_longer {
            *longest = Some(interval);
        }
    }
    overlaps
}

fn end_or_never(interval: &Interval) -> f64 {
    interval.end.unwrap_or(f64::INFINITY)
}
