//! Rows to an availability log: what all shapes of logs share.
//!
//! Nodes are numbered in the order of their names and rows are put in order of time, so that the order of the rows does
//! not matter.

use elastiplan_model::order::sort_by_key;
use elastiplan_model::{Availability, Cluster, Diagnostic, Severity};

use crate::text::cells::Cells;
use crate::text::findings::{Finding, Findings};
use crate::text::header::Column;
use crate::text::names::Names;
use crate::text::times::Times;
use crate::text::values;

/// Names of the column of times where a row is one moment.
pub(crate) const TIME_NAMES: &[&str] = &["timestamp", "time", "time_s"];
/// Names of the column of nodes.
pub(crate) const NODE_NAMES: &[&str] = &["node", "node_name", "host", "hostname"];

/// Start and end of the intervals of one node, in order, on the clock of the file.
pub(crate) type Intervals = Vec<(f64, Option<f64>)>;

/// The reason for having no log where every row was left out.
pub(crate) const NO_ROW: &str = "No row could be used";

const NO_NODE: Finding = Finding::row_out("The node's name", "Fill in the name");
const TOO_MANY_NODES: Finding = Finding::row_out("At most 65,536 nodes", "Leave out nodes that you do not plan with");

/// The number of the node that a row is about; `None`, with a finding, if it cannot be used.
pub(crate) fn node(cells: &mut Cells<'_>, column: &Column, names: &mut Names) -> Option<u32> {
    let name = cells.text(column);
    if name.is_empty() {
        cells.report(NO_NODE, column);
        return None;
    }
    let number = names.number(&name);
    if number >= Cluster::NODES_MAX {
        cells.report(TOO_MANY_NODES, column);
        return None;
    }
    Some(number)
}

/// A log while its rows are read.
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

    /// The log; or the reason why there is none, which already has a finding.
    pub fn finish(mut self, times: &Times, findings: &mut Findings) -> Result<Availability, String> {
        if self.first > self.last {
            return Err(NO_ROW.into());
        }
        let absent = self.nodes.extract_if(.., |(_, intervals)| intervals.is_empty()).collect::<Vec<_>>();
        report_absent(absent.iter().filter(|_| !self.nodes.is_empty()).map(|(name, _)| name.as_str()), findings);
        self.nodes = in_order_of_names(self.nodes);
        let seconds = |time| times.seconds(time, self.first);
        for (start, end) in self.nodes.iter_mut().flat_map(|(_, intervals)| intervals) {
            *start = seconds(*start);
            *end = end.map(seconds);
        }
        let mut refuse = |reason: String| {
            findings.file(Diagnostic::new(Severity::Error, reason.clone(), "File not used", "Check the values"));
            reason
        };
        if self.nodes.is_empty() {
            return Err(refuse("No node is ever there".into()));
        }
        Availability::from_intervals(self.nodes, seconds(self.last)).map_err(|error| refuse(error.to_string()))
    }
}

/// Opens an interval or closes the last one, unless it is open or closed already.
pub(crate) fn set(intervals: &mut Intervals, time: f64, up: bool) {
    match (intervals.last_mut(), up) {
        (None | Some((_, Some(_))), true) => intervals.push((time, None)),
        (Some((_, end @ None)), false) => *end = Some(time),
        _ => {}
    }
}

/// Adds a finding about nodes that are named but never available.
fn report_absent<'n>(mut absent: impl Iterator<Item = &'n str>, findings: &mut Findings) {
    let Some(first) = absent.next().map(values::short) else { return };
    let others = absent.count();
    let finding = Diagnostic::new(Severity::Info, "A node is there at some time", "Node left out", "Nothing to do");
    let value = if others == 0 { first } else { format!("{first} and {others} more") };
    findings.file(finding.with_value(value).with_count(1 + others as u64));
}

/// Nodes in natural order of their names: `n2` before `n10`.
fn in_order_of_names(mut nodes: Vec<(String, Intervals)>) -> Vec<(String, Intervals)> {
    let keys: Vec<String> = nodes.iter().map(|(name, _)| natural_key(name)).collect();
    let mut order: Vec<(&str, usize)> = keys.iter().map(String::as_str).zip(0..).collect();
    sort_by_key(&mut order, |&name| name);
    order.into_iter().filter_map(|(_, index)| nodes.get_mut(index).map(std::mem::take)).collect()
}

/// A text that sorts names in natural order: with the length of each number in front of it.
fn natural_key(name: &str) -> String {
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
    fn names_are_in_natural_order() {
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
