//! Rows to availability: what all logs of coming and going nodes share, whatever their shape.
//!
//! Nodes are numbered in the order of their names and rows are put in order of time, so that the order of the rows does
//! not matter.

use std::borrow::Cow;

use elastiplan_model::order::{by_number, sort_by_key};
use elastiplan_model::{Availability, Cluster, Severity};

use crate::clock::{Clock, Reading};
use crate::header::Column;
use crate::jobs::NOT_UTF8;
use crate::notes::{Effect, FileFinding, Finding, Notes, ROW_OUT, Repair};
use crate::records::Row;
use crate::rows::Names;
use crate::values;

/// What the column of times is called where a row is one moment.
pub(crate) const TIME_NAMES: &[&str] = &["timestamp", "time", "time_s"];
/// What the column of nodes is called.
pub(crate) const NODE_NAMES: &[&str] = &["node", "node_name", "host", "hostname"];

/// Start and end of the intervals of one node, in order, on the clock of the file.
pub(crate) type Intervals = Vec<(f64, Option<f64>)>;

/// Why there is no log where every row was left out.
pub(crate) const NO_ROW: &str = "No row could be used";

const WRITE_TIME: Repair = Repair::Say("Write it as 2021-02-10 20:21:15, or as a number of seconds");
const TIME_RULE: &str = "Date and time, or seconds from 0 to 1e11";
const NO_TIME: Finding = Finding { effect: Effect::LeftOut, rule: TIME_RULE, outcome: ROW_OUT, repair: WRITE_TIME };
const OTHER_TIME: Finding = Finding {
    effect: Effect::LeftOut,
    rule: "All times of a file as the first: date and time, or seconds",
    outcome: ROW_OUT,
    repair: Repair::Say("Write all times in one way"),
};
const OTHER_ZONE: Finding = Finding {
    effect: Effect::Repaired,
    rule: "A time zone in all times of a file, as in the first, or in none",
    outcome: "Times without one are taken as UTC",
    repair: Repair::Say("Write all times with their zone, or all without"),
};
const GAP: Finding = Finding {
    effect: Effect::None,
    rule: "Rows at most ten times as far apart as 99 in 100 of them",
    outcome: "Nodes are taken to stay as in the row before",
    repair: Repair::Say("Nothing to do if nothing changed; if recording stopped, load the parts by themselves"),
};
/// Fewer steps than these say nothing of what is usual.
const GAP_STEPS_MIN: usize = 10;
/// How much longer than usual a gap is.
const GAP_FACTOR: f64 = 10.0;

const UNSORTED: Finding = Finding {
    effect: Effect::None,
    rule: "Rows in order of time",
    outcome: "Put in order",
    repair: Repair::Say("Nothing to do"),
};
const NO_NODE: Finding = Finding {
    effect: Effect::LeftOut,
    rule: "The node's name",
    outcome: ROW_OUT,
    repair: Repair::Say("Fill in the name"),
};
const TOO_MANY_NODES: Finding = Finding {
    effect: Effect::LeftOut,
    rule: "At most 65,536 nodes",
    outcome: ROW_OUT,
    repair: Repair::Say("Leave out nodes that you do not plan with"),
};

/// The same of a cell that the row can do without.
fn as_missing(finding: Finding) -> Finding {
    Finding { effect: Effect::Repaired, outcome: "Treated as missing", ..finding }
}

/// The times of a log as its rows come.
#[derive(Debug)]
pub(crate) struct Times {
    clock: Clock,
    /// The latest time that a row in use began with.
    latest: f64,
}

impl Times {
    pub fn new() -> Self {
        Self { clock: Clock::default(), latest: f64::NEG_INFINITY }
    }

    /// Seconds of a time that was read: as the file has them, or since `first` where it has date and time.
    pub fn seconds(&self, time: f64, first: f64) -> f64 {
        self.clock.seconds(time, first)
    }

    /// The time that a row cannot do without; noted if it has none.
    pub fn needed(&mut self, row: &Row<'_>, column: &Column, notes: &mut Notes) -> Option<f64> {
        match self.optional(row, column, notes) {
            Some(None) => {
                notes.cell(NO_TIME, column, row.cell(column.index));
                None
            }
            time => time.flatten(),
        }
    }

    /// A time that may be missing: `None`, and noted, if the row cannot be used.
    pub fn optional(&mut self, row: &Row<'_>, column: &Column, notes: &mut Notes) -> Option<Option<f64>> {
        let cell = row.cell(column.index);
        let finding = match self.clock.read(cell) {
            Reading::Is(time) => return Some(Some(time)),
            Reading::OtherZone(time) => {
                notes.cell(OTHER_ZONE, column, cell);
                return Some(Some(time));
            }
            Reading::Missing => return Some(None),
            Reading::Bad => NO_TIME,
            Reading::OtherKind => OTHER_TIME,
        };
        notes.cell(finding, column, cell);
        None
    }

    /// A time that a row can do without.
    pub fn dispensable(&mut self, row: &Row<'_>, column: &Column, notes: &mut Notes) -> Option<f64> {
        let cell = row.cell(column.index);
        match self.clock.read(cell) {
            Reading::Is(time) => return Some(time),
            Reading::OtherZone(time) => {
                notes.cell(OTHER_ZONE, column, cell);
                return Some(time);
            }
            Reading::Missing => {}
            Reading::Bad => notes.cell(as_missing(NO_TIME), column, cell),
            Reading::OtherKind => notes.cell(as_missing(OTHER_TIME), column, cell),
        }
        None
    }

    /// Notes rows in use before which nothing was written for much longer than usual: whether nothing happened or
    /// nobody looked, a log does not say. Rows are given by time, line, and whether something in them was repaired.
    pub fn note_gaps(&self, rows: impl Iterator<Item = (f64, u64, bool)>, notes: &mut Notes) {
        let rows: Vec<(f64, u64, bool)> = rows.collect();
        let moments: Vec<&(f64, u64, bool)> = by_number(&rows, |row| row.0);
        let step_s = |from: f64, to: f64| self.seconds(to, from) - self.seconds(from, from);
        let steps = moments.array_windows().map(|[(from, ..), (to, ..)]| step_s(*from, *to));
        let steps: Vec<f64> = steps.filter(|step_s| *step_s > 0.0).collect();
        if steps.len() < GAP_STEPS_MIN {
            return;
        }
        let usual_s =
            by_number(&steps, |step_s| *step_s).get((steps.len() - 1) * 99 / 100).map_or(0.0, |step_s| **step_s);
        let gaps = moments.array_windows().filter_map(|[(from, before, _), (to, line, defaulted)]| {
            let step_s = step_s(*from, *to);
            let value = || format!("{step_s} s after row {before}");
            (step_s > GAP_FACTOR * usual_s).then(|| Late { line: *line, defaulted: *defaulted, value: value() })
        });
        note_late(GAP, &gaps.collect::<Vec<_>>(), notes);
    }

    /// Notes a row in use that stands behind a later one.
    pub fn follow(&mut self, time: f64, row: &Row<'_>, column: &Column, notes: &mut Notes) {
        if time < self.latest {
            notes.cell(UNSORTED, column, row.cell(column.index));
        }
        self.latest = self.latest.max(time);
    }
}

/// The number of the node that a row is about; `None`, and noted, if it cannot be used.
pub(crate) fn node(row: &Row<'_>, column: &Column, names: &mut Names, notes: &mut Notes) -> Option<u32> {
    let cell = row.cell(column.index);
    if cell.is_empty() {
        notes.cell(NO_NODE, column, cell);
        return None;
    }
    let number = names.number(&name(cell, column, notes));
    if number >= Cluster::NODES_MAX {
        notes.cell(TOO_MANY_NODES, column, cell);
        return None;
    }
    Some(number)
}

fn name<'c>(cell: &'c [u8], column: &Column, notes: &mut Notes) -> Cow<'c, str> {
    let (name, replaced) = values::text(cell);
    if replaced {
        notes.cell(NOT_UTF8, column, cell);
    }
    name
}

/// A name as a finding shows it.
pub(crate) fn shown(name: &str) -> String {
    values::shown(name.as_bytes())
}

/// Something that shows only when all rows are known: which row it is about, and the words on it.
#[derive(Debug)]
pub(crate) struct Late {
    pub line: u64,
    /// Whether something in the row had been repaired before.
    pub defaulted: bool,
    pub value: String,
}

/// Notes what shows when all rows are known, in order of the rows.
pub(crate) fn note_late(finding: Finding, late: &[Late], notes: &mut Notes) {
    for Late { line, defaulted, value } in by_number(late, |late| late.line as f64) {
        notes.return_to_row(*line, *defaulted);
        notes.row(finding, || value.clone());
    }
}

/// A log while it is put together.
#[derive(Debug)]
pub(crate) struct Draft {
    pub nodes: Vec<(String, Intervals)>,
    /// First and last time that a row in use has.
    pub first: f64,
    pub last: f64,
}

impl Draft {
    pub fn new() -> Self {
        Self { nodes: Vec::new(), first: f64::INFINITY, last: f64::NEG_INFINITY }
    }

    /// Takes nodes that have no interval yet.
    pub fn name(&mut self, names: Names) {
        let list = names.into_list().into_iter().take(Cluster::NODES_MAX as usize);
        self.nodes = list.map(|name| (name, Intervals::new())).collect();
    }

    /// Takes a time of a row in use into account.
    pub fn reach(&mut self, time: f64) {
        self.first = self.first.min(time);
        self.last = self.last.max(time);
    }

    /// The log; or why there is none, in words that are noted already.
    pub fn finish(mut self, times: &Times, notes: &mut Notes) -> Result<Availability, String> {
        if self.first > self.last {
            return Err(NO_ROW.into());
        }
        let absent = self.nodes.extract_if(.., |(_, intervals)| intervals.is_empty()).collect::<Vec<_>>();
        note_absent(absent.iter().filter(|_| !self.nodes.is_empty()).map(|(name, _)| name.as_str()), notes);
        self.nodes = in_order_of_names(self.nodes);
        let seconds = |time| times.clock.seconds(time, self.first);
        for (start, end) in self.nodes.iter_mut().flat_map(|(_, intervals)| intervals) {
            *start = seconds(*start);
            *end = end.map(seconds);
        }
        let mut refuse = |reason: String| {
            let finding = FileFinding::new(Severity::Error, reason.clone(), "File not used", "Check the values");
            notes.file(finding);
            reason
        };
        if self.nodes.is_empty() {
            return Err(refuse("No node is ever there".into()));
        }
        Availability::from_intervals(self.nodes, seconds(self.last)).map_err(|error| refuse(error.to_string()))
    }
}

/// Opens an interval, or closes the last one, unless that is so already.
pub(crate) fn set(intervals: &mut Intervals, time: f64, up: bool) {
    match (intervals.last_mut(), up) {
        (None | Some((_, Some(_))), true) => intervals.push((time, None)),
        (Some((_, end @ None)), false) => *end = Some(time),
        _ => {}
    }
}

/// Tells nodes that are named but never there.
fn note_absent<'n>(mut absent: impl Iterator<Item = &'n str>, notes: &mut Notes) {
    let Some(first) = absent.next().map(shown) else { return };
    let others = absent.count();
    let finding = FileFinding::new(Severity::Info, "A node is there at some time", "Node left out", "Nothing to do");
    let value = if others == 0 { first } else { format!("{first} and {others} more") };
    notes.file(FileFinding { value: Some(value), count: 1 + others as u64, ..finding });
}

/// Nodes in the order in which people count: `n2` before `n10`.
fn in_order_of_names(mut nodes: Vec<(String, Intervals)>) -> Vec<(String, Intervals)> {
    let keys: Vec<String> = nodes.iter().map(|(name, _)| counting_key(name)).collect();
    let mut order: Vec<(&str, usize)> = keys.iter().map(String::as_str).zip(0..).collect();
    sort_by_key(&mut order, |&name| name);
    order.into_iter().filter_map(|(_, index)| nodes.get_mut(index).map(std::mem::take)).collect()
}

/// A text in whose order names are as people count: with the length of each number in front of it.
fn counting_key(name: &str) -> String {
    let mut key = String::with_capacity(2 * name.len() + 8);
    let mut rest = name;
    while !rest.is_empty() {
        let (text, numbers) = rest.split_at(rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len()));
        let (number, after) = numbers.split_at(numbers.find(|c: char| !c.is_ascii_digit()).unwrap_or(numbers.len()));
        key.push_str(text);
        if !number.is_empty() {
            let number = number.trim_start_matches('0');
            let length = u32::try_from(number.len()).ok().and_then(char::from_u32).unwrap_or(char::MAX);
            key.extend(['0', length]);
            key.push_str(number);
        }
        rest = after;
    }
    // `n02` and `n2` are one number, but two names.
    key.push('\0');
    key + name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_as_people_count() {
        let nodes: Vec<(String, Intervals)> =
            ["n10", "n2", "a10n3", "n", "a9n10", "n02", "10", "9", "é1", "n2b", "a10n20", "n123456789012345678901"]
                .map(|name| (name.into(), Vec::new()))
                .into();
        let nodes = in_order_of_names(nodes);
        let names: Vec<&str> = nodes.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            ["9", "10", "a9n10", "a10n3", "a10n20", "n", "n02", "n2", "n2b", "n10", "n123456789012345678901", "é1"]
        );
    }
}
