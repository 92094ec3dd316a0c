//! Availability of nodes over time, as logs of machines that come and go record it.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::order::{sort_by, sort_by_wide_rank};
use crate::{Cluster, limits};

/// A node becomes available or unavailable.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeChange {
    /// When, in seconds on the clock of the log.
    pub time_s: f64,
    /// The node, an index into the names.
    pub node: u32,
    /// Whether it appears or goes.
    pub up: bool,
}

/// A stretch of time in which one node is there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeInterval {
    /// The node, an index into the names.
    pub node: u32,
    /// When it appears, in seconds.
    pub start_s: f64,
    /// When it goes; `None` if it is still there when the log ends.
    pub end_s: Option<f64>,
}

/// A log of when which nodes are there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Availability {
    names: Vec<String>,
    changes: Vec<NodeChange>,
    end_s: f64,
}

/// The stored form of a log, not validated.
#[derive(Deserialize)]
#[serde(rename = "Availability")]
struct Unchecked {
    names: Vec<String>,
    changes: Vec<NodeChange>,
    end_s: f64,
}

impl TryFrom<Unchecked> for Availability {
    type Error = AvailabilityError;

    fn try_from(stored: Unchecked) -> Result<Self, AvailabilityError> {
        let Unchecked { names, changes, end_s } = stored;
        let mut nodes: Vec<(String, Intervals)> = names.into_iter().map(|name| (name, Vec::new())).collect();
        for NodeChange { time_s, node, up } in changes {
            let count = nodes.len();
            let Some((name, intervals)) = nodes.get_mut(node as usize) else {
                return Err(AvailabilityError::UnknownNode { node, nodes: count });
            };
            match (intervals.last_mut(), up) {
                (None | Some((_, Some(_))), true) => intervals.push((time_s, None)),
                (Some((_, end)), false) if end.is_none() => *end = Some(time_s),
                _ => return Err(AvailabilityError::Unpaired { node: std::mem::take(name), time_s }),
            }
        }
        Self::from_intervals(nodes, end_s)
    }
}

/// Start and end of the intervals of one node.
type Intervals = Vec<(f64, Option<f64>)>;

/// The reason why intervals make no log.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum AvailabilityError {
    /// No nodes at all.
    #[error("no nodes")]
    Empty,
    /// More nodes than a cluster may have.
    #[error("{0} nodes are more than {max}", max = Cluster::NODES_MAX)]
    TooManyNodes(usize),
    /// A node without a name.
    #[error("node number {0} has no name")]
    EmptyName(usize),
    /// Two nodes have one name.
    #[error("node {0} is there twice: names must be unique")]
    DuplicateName(String),
    /// A time that is none.
    #[error("node {node}: {time_s} s must be a number of seconds from 0 to 1e11")]
    Time {
        /// The node's name.
        node: String,
        /// The value.
        time_s: f64,
    },
    /// An interval without length, or one that runs backwards.
    #[error("node {node}: an interval from {start_s} s must end later than it starts, not at {end_s} s")]
    Backwards {
        /// The node's name.
        node: String,
        /// Its start.
        start_s: f64,
        /// Its end.
        end_s: f64,
    },
    /// An interval that starts before the one listed before it has ended.
    #[error("node {node}: an interval starts at {start_s} s, but the one before it {}", ends_in_words(*before_s))]
    Overlap {
        /// The node's name.
        node: String,
        /// Its start.
        start_s: f64,
        /// The end of the interval before it; `None` if it has none.
        before_s: Option<f64>,
    },
    /// The end of the log is no time.
    #[error("the end of the log, {0} s, must be a number of seconds from 0 to 1e11")]
    End(f64),
    /// Something happens after the end of the log.
    #[error("node {node}: {time_s} s is later than the end of the log, {end_s} s")]
    AfterEnd {
        /// The node's name.
        node: String,
        /// The time.
        time_s: f64,
        /// The end of the log.
        end_s: f64,
    },
    /// A stored change of a node that is not listed.
    #[error("a change of node number {node}, which is not in the list of {nodes}")]
    UnknownNode {
        /// The number it gives.
        node: u32,
        /// The number of nodes.
        nodes: usize,
    },
    /// A stored change to the state that the node is in already.
    #[error("node {node}: the change at {time_s} s changes nothing")]
    Unpaired {
        /// The node's name.
        node: String,
        /// The time.
        time_s: f64,
    },
}

fn ends_in_words(end_s: Option<f64>) -> String {
    end_s.map_or("never ends".into(), |end_s| format!("ends at {end_s} s"))
}

impl Availability {
    /// A log from the intervals `[start_s, end_s)` of each node, in order; an end of `None` says that the node is
    /// still there when the log ends. Intervals that touch become one. A node may have none: it never appears.
    pub fn from_intervals(nodes: Vec<(String, Intervals)>, end_s: f64) -> Result<Self, AvailabilityError> {
        check_names(&nodes)?;
        if !is_time(end_s) {
            return Err(AvailabilityError::End(end_s));
        }
        let mut names = Vec::with_capacity(nodes.len());
        let mut changes = Changes::default();
        for (node, (name, intervals)) in (0..).zip(nodes) {
            check_intervals(&name, &intervals, end_s)?;
            changes.push(node, &intervals);
            names.push(name);
        }
        Ok(Self { names, changes: changes.in_order(), end_s: end_s + 0.0 })
    }

    /// The number of nodes, including those that never appear.
    pub fn nodes(&self) -> u32 {
        // At most `Cluster::NODES_MAX`.
        self.names.len() as u32
    }

    /// The name of a node; `None` for a number that is not in the list.
    pub fn name(&self, node: u32) -> Option<&str> {
        self.names.get(node as usize).map(String::as_str)
    }

    /// The names of all nodes, by their numbers.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Everything that happens, in order of time; at one time departures before arrivals, then by node. All nodes are
    /// absent before their first change.
    pub fn changes(&self) -> &[NodeChange] {
        &self.changes
    }

    /// The first change, in seconds; the end of the log if nothing ever changes.
    pub fn start_s(&self) -> f64 {
        self.changes.first().map_or(self.end_s, |change| change.time_s)
    }

    /// The largest number of nodes that are present at once.
    pub fn nodes_at_once(&self) -> u32 {
        let (mut present, mut most) = (0_u32, 0);
        for instant in self.changes.chunk_by(|a, b| a.time_s == b.time_s) {
            let joining = instant.iter().filter(|change| change.up).count() as u32;
            present = (present + joining).saturating_sub(instant.len() as u32 - joining);
            most = most.max(present);
        }
        most
    }

    /// The end of the log, in seconds: what comes later is not known.
    pub fn end_s(&self) -> f64 {
        self.end_s
    }

    /// The stretches in which nodes are there, in order of their starts, then by node.
    pub fn intervals(&self) -> Vec<NodeInterval> {
        let mut intervals: Vec<NodeInterval> = Vec::with_capacity(self.changes.len().div_ceil(2));
        let mut open: Vec<Option<usize>> = vec![None; self.names.len()];
        for &NodeChange { time_s, node, up } in &self.changes {
            let Some(open) = open.get_mut(node as usize) else { continue };
            if up {
                *open = Some(intervals.len());
                intervals.push(NodeInterval { node, start_s: time_s, end_s: None });
            } else if let Some(interval) = open.take().and_then(|at| intervals.get_mut(at)) {
                interval.end_s = Some(time_s);
            }
        }
        intervals
    }
}

fn is_time(time_s: f64) -> bool {
    (0.0..=limits::TIME_MAX_S).contains(&time_s)
}

fn check_names(nodes: &[(String, Intervals)]) -> Result<(), AvailabilityError> {
    if nodes.is_empty() {
        return Err(AvailabilityError::Empty);
    }
    if nodes.len() > Cluster::NODES_MAX as usize {
        return Err(AvailabilityError::TooManyNodes(nodes.len()));
    }
    if let Some(node) = nodes.iter().position(|(name, _)| name.is_empty()) {
        return Err(AvailabilityError::EmptyName(node));
    }
    let mut names: Vec<&str> = nodes.iter().map(|(name, _)| name.as_str()).collect();
    sort_by(&mut names, |a, b| a.cmp(b));
    let twice = names.windows(2).find(|pair| pair.first() == pair.last()).and_then(|pair| pair.first());
    twice.map_or(Ok(()), |name| Err(AvailabilityError::DuplicateName((*name).into())))
}

/// Whether the intervals of a node are times within the log, each after the one before it.
fn check_intervals(name: &str, intervals: &Intervals, log_end_s: f64) -> Result<(), AvailabilityError> {
    let node = || name.to_string();
    let mut before: Option<Option<f64>> = None;
    for &(start_s, end_s) in intervals {
        if let Some(time_s) = [Some(start_s), end_s].into_iter().flatten().find(|&time_s| !is_time(time_s)) {
            return Err(AvailabilityError::Time { node: node(), time_s });
        }
        if let Some(end_s) = end_s.filter(|&end_s| end_s <= start_s) {
            return Err(AvailabilityError::Backwards { node: node(), start_s, end_s });
        }
        if let Some(before_s) = before.filter(|before| before.is_none_or(|before_s| start_s < before_s)) {
            return Err(AvailabilityError::Overlap { node: node(), start_s, before_s });
        }
        if let Some(time_s) = Some(end_s.unwrap_or(start_s)).filter(|&time_s| time_s > log_end_s) {
            return Err(AvailabilityError::AfterEnd { node: node(), time_s, end_s: log_end_s });
        }
        before = Some(end_s);
    }
    Ok(())
}

/// Changes while they are collected, each as two numbers in whose order they are to stand: the bits of its time, which
/// are in the order of times as none is negative; and its node, with the highest bit for an arrival.
#[derive(Default)]
struct Changes(Vec<(u64, u32)>);

impl Changes {
    const UP: u32 = 1 << 31;

    /// Adds the changes of a node. Where one interval ends as the next starts, nothing happens.
    fn push(&mut self, node: u32, intervals: &Intervals) {
        let mut ended: Option<f64> = None;
        for &(start_s, end_s) in intervals {
            // Adding 0 turns the negative zero into the positive one.
            let start_s = start_s + 0.0;
            if ended != Some(start_s) {
                self.0.extend(ended.map(|time_s| (time_s.to_bits(), node)));
                self.0.push((start_s.to_bits(), node | Self::UP));
            }
            ended = end_s;
        }
        self.0.extend(ended.map(|time_s| (time_s.to_bits(), node)));
    }

    /// In order of time, departures first, then by node.
    fn in_order(mut self) -> Vec<NodeChange> {
        sort_by_wide_rank(&mut self.0, |(time, node)| u128::from(*time) << 32 | u128::from(*node));
        let change = |(time, node)| NodeChange {
            time_s: f64::from_bits(time),
            node: node & !Self::UP,
            up: node & Self::UP != 0,
        };
        self.0.into_iter().map(change).collect()
    }
}
