//! The nodes that are present: by the availability log, by failures, by orders from a cloud.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::sync::Arc;

use elastiplan_model::order::Number;
use elastiplan_model::{Availability, Cluster, NodeChange, order};
use elastiplan_scenario::{Cloud, Faults};

use crate::faults::{self, Failures};
use crate::invariants::Invariants;

/// Reasons for the absence of a node, as bits; a node without one is present.
mod reason {
    pub const LOG: u8 = 1;
    pub const FAILED: u8 = 2;
    pub const NOT_ORDERED: u8 = 4;
    /// Made to fail by a fork.
    pub const MADE_TO_FAIL: u8 = 8;
    /// Beyond the last node of the cluster, which a fork has made smaller.
    pub const NOT_IN_CLUSTER: u8 = 16;
}

/// A node joins or leaves at a scheduled time, for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Planned {
    time_s: Number,
    /// Whether the node joins; at equal times departures come first.
    up: bool,
    node: u32,
    reason: u8,
}

/// A node has joined or left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub node: u32,
    pub present: bool,
}

/// The nodes of a cluster over time.
#[derive(Clone, Debug)]
pub(crate) struct Capacity {
    /// For each node, the reasons for its absence.
    away: Vec<u8>,
    log: Option<Arc<Availability>>,
    next_in_log: usize,
    /// Offset from the times of the log to those of the simulation.
    log_offset_s: f64,
    failures: Vec<Failures>,
    faults: Faults,
    seed: u64,
    planned: BinaryHeap<Reverse<Planned>>,
    ordered: u32,
    pub invariants: Invariants,
}

impl Capacity {
    /// The nodes just before `start_s`. The log covers the first nodes of the cluster; it is shifted to start at
    /// `start_s`.
    pub fn new(
        cluster: &Cluster,
        log: Option<Arc<Availability>>,
        cloud: Option<&Cloud>,
        faults: &Faults,
        seed: u64,
        start_s: f64,
    ) -> Self {
        let nodes = cluster.nodes();
        let in_log = log.as_ref().map_or(0, |log| log.nodes());
        let ordered = cloud.map_or(nodes, |cloud| cloud.nodes_start.min(nodes));
        let reasons = |node: u32| {
            let by_log = if node < in_log { reason::LOG } else { 0 };
            by_log | if node < ordered { 0 } else { reason::NOT_ORDERED }
        };
        let mut capacity = Self {
            away: (0..nodes).map(reasons).collect(),
            log_offset_s: log.as_ref().map_or(0.0, |log| start_s - log.start_s()),
            log,
            next_in_log: 0,
            faults: *faults,
            seed,
            failures: (0..nodes).filter_map(|node| faults::failures_of(faults, seed, node)).collect(),
            planned: BinaryHeap::new(),
            ordered,
            invariants: Invariants::default(),
        };
        for node in 0..capacity.failures.len() as u32 {
            capacity.plan_failure(node, start_s);
        }
        capacity
    }

    /// Nodes that are present.
    pub fn present(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.away).filter(|(_, away)| **away == 0).map(|(node, _)| node)
    }

    /// Time of the next change.
    pub fn next_s(&self) -> Option<f64> {
        let planned_s = self.planned.peek().map(|Reverse(planned)| planned.time_s.0);
        let logged_s = self.log.as_ref().and_then(|log| log.changes().get(self.next_in_log));
        let logged_s = logged_s.map(|change| change.time_s + self.log_offset_s);
        [planned_s, logged_s].into_iter().flatten().min_by(f64::total_cmp)
    }

    /// Whether the log has further changes, which are finitely many, unlike failures.
    pub fn has_more_in_log(&self) -> bool {
        self.log.as_ref().is_some_and(|log| self.next_in_log < log.changes().len())
    }

    /// Applies all changes up to `time_s`. Nodes that differ afterwards are added to `changes`, departures first.
    pub fn advance(&mut self, time_s: f64, changes: &mut Vec<Change>) {
        let mut touched: Vec<(u32, bool)> = Vec::new();
        while let Some((node, up, reason)) = self.pop_due(time_s) {
            let away = self.invariants.require(self.away.get_mut(node as usize), "a known node", None);
            let Some(away) = away else { continue };
            if !touched.iter().any(|(known, _)| *known == node) {
                touched.push((node, *away == 0));
            }
            *away = if up { *away & !reason } else { *away | reason };
        }
        let now = |node: u32| self.away.get(node as usize) == Some(&0);
        let differ = touched.into_iter().filter(|(node, before)| now(*node) != *before);
        changes.extend(differ.map(|(node, before)| Change { node, present: !before }));
        order::sort_by_key(changes, |change| (change.present, change.node));
    }

    fn pop_due(&mut self, time_s: f64) -> Option<(u32, bool, u8)> {
        let logged = self.log.as_ref().and_then(|log| log.changes().get(self.next_in_log));
        if let Some(change) = logged.filter(|change| change.time_s + self.log_offset_s <= time_s).copied() {
            self.next_in_log += 1;
            if !self.has_more_in_log() {
                self.cancel_failures_of_departed(&change);
            }
            return Some((change.node, change.up, reason::LOG));
        }
        let next = self.planned.peek_mut()?;
        if next.0.time_s.0 > time_s {
            return None;
        }
        let Reverse(planned) = PeekMut::pop(next);
        if planned.up && planned.reason == reason::FAILED {
            self.plan_failure(planned.node, planned.time_s.0);
        }
        Some((planned.node, planned.up, planned.reason))
    }

    /// Cancels failures of nodes that are absent after the last change of the log: these never return, and a run must
    /// not be prolonged by their failures.
    fn cancel_failures_of_departed(&mut self, last: &NodeChange) {
        let is_gone = |node: u32| match node == last.node {
            true => !last.up,
            false => self.away.get(node as usize).is_some_and(|away| away & reason::LOG != 0),
        };
        let nodes: Vec<bool> = (0..self.away.len() as u32).map(is_gone).collect();
        let is_gone = |node: u32| nodes.get(node as usize).copied().unwrap_or(false);
        self.planned.retain(|Reverse(planned)| planned.reason != reason::FAILED || !is_gone(planned.node));
    }

    fn plan_failure(&mut self, node: u32, from_s: f64) {
        let failures = self.invariants.require(self.failures.get_mut(node as usize), "a node that can fail", None);
        let Some((fails_s, back_s)) = failures.map(|failures| failures.next(from_s)) else { return };
        self.plan(fails_s, node, false, reason::FAILED);
        self.plan(back_s, node, true, reason::FAILED);
    }

    fn plan(&mut self, time_s: f64, node: u32, up: bool, reason: u8) {
        self.planned.push(Reverse(Planned { time_s: Number(time_s.max(0.0)), up, node, reason }));
    }

    /// Nodes ordered, present or on the way.
    pub fn nodes_ordered(&self) -> u32 {
        self.ordered
    }

    /// Nodes ordered that are still being provisioned.
    pub fn nodes_coming(&self) -> u32 {
        self.on_the_way().count() as u32
    }

    /// Raises the number of ordered nodes to `nodes`: the first nodes without an order join at `ready_s`.
    pub fn order(&mut self, nodes: u32, ready_s: f64) {
        let not_ordered = (0..).zip(&self.away).filter(|(_, away)| **away & reason::NOT_ORDERED != 0);
        let not_ordered: Vec<u32> = not_ordered.map(|(node, _)| node).collect();
        let on_the_way: Vec<u32> = self.on_the_way().collect();
        let more = nodes.saturating_sub(self.ordered) as usize;
        for node in not_ordered.into_iter().filter(|node| !on_the_way.contains(node)).take(more) {
            self.plan(ready_s, node, true, reason::NOT_ORDERED);
            self.ordered += 1;
        }
    }

    fn on_the_way(&self) -> impl Iterator<Item = u32> {
        let ordered = self.planned.iter().filter(|Reverse(planned)| planned.reason == reason::NOT_ORDERED);
        ordered.map(|Reverse(planned)| planned.node)
    }

    /// Cancels up to `nodes` orders that are on the way, the last nodes first; returns how many.
    pub fn cancel_orders(&mut self, nodes: u32) -> u32 {
        let mut on_the_way: Vec<u32> = self.on_the_way().collect();
        order::sort_by_key(&mut on_the_way, |node| Reverse(*node));
        on_the_way.truncate(nodes as usize);
        self.planned
            .retain(|Reverse(planned)| planned.reason != reason::NOT_ORDERED || !on_the_way.contains(&planned.node));
        self.ordered -= on_the_way.len() as u32;
        on_the_way.len() as u32
    }

    /// Nodes that the log covers: the first ones.
    pub fn in_log(&self) -> u32 {
        self.log.as_ref().map_or(0, |log| log.nodes())
    }

    /// Makes a node that is present fail until `back_s`.
    pub fn fail(&mut self, node: u32, back_s: f64) {
        if let Some(away) = self.invariants.require(self.away.get_mut(node as usize), "a known node", None) {
            *away |= reason::MADE_TO_FAIL;
        }
        self.plan(back_s, node, true, reason::MADE_TO_FAIL);
    }

    /// Sets the number of nodes of the cluster at `time_s`: the last ones leave for good, new ones are there at once, or
    /// can be ordered if the cluster is `elastic`. Returns the nodes that join or leave.
    pub fn resize(&mut self, nodes: u32, elastic: bool, time_s: f64) -> Vec<Change> {
        let beyond = |node: u32| node >= nodes;
        self.planned.retain(|Reverse(planned)| !beyond(planned.node));
        let before = self.away.len() as u32;
        let (mut changes, mut new) = (Vec::new(), Vec::new());
        for (node, away) in (0..).zip(&mut self.away) {
            let was_present = *away == 0;
            match (beyond(node), *away & reason::NOT_IN_CLUSTER != 0) {
                (true, false) => {
                    // What would have brought it back is cancelled above.
                    *away = reason::NOT_IN_CLUSTER | *away & reason::LOG;
                    if was_present {
                        changes.push(Change { node, present: false });
                    }
                }
                (false, true) => {
                    *away = if elastic { reason::NOT_ORDERED } else { 0 };
                    new.push(node);
                }
                _ => {}
            }
        }
        for node in before..nodes {
            self.away.push(if elastic { reason::NOT_ORDERED } else { 0 });
            self.failures.extend(faults::failures_of(&self.faults, self.seed, node));
            new.push(node);
        }
        for node in new {
            changes.extend((!elastic).then_some(Change { node, present: true }));
            if !self.failures.is_empty() {
                self.plan_failure(node, time_s);
            }
        }
        let in_cluster = self.away.iter().take(nodes as usize);
        let not_ordered = in_cluster.filter(|away| **away & reason::NOT_ORDERED != 0).count() as u32;
        self.ordered = nodes - not_ordered + self.on_the_way().count() as u32;
        changes
    }

    /// Returns a node to the cloud at once.
    pub fn give_up(&mut self, node: u32) {
        if let Some(away) = self.invariants.require(self.away.get_mut(node as usize), "a known node", None) {
            *away |= reason::NOT_ORDERED;
            self.ordered -= 1;
        }
    }
}
