//! The log of when nodes were absent.

use elastiplan_model::order;

use crate::Absences;
use crate::invariants::Invariants;
use crate::log::Log;
use crate::places::Places;

/// The absence of a node.
#[derive(Clone, Copy, Debug)]
struct Absence {
    node: u32,
    start_s: f64,
    end_s: f64,
}

/// Nodes that are absent, since when, and absences before.
#[derive(Clone, Debug)]
pub(crate) struct AbsenceLog {
    log: Log<Absence>,
    /// For each node, since when it is absent; `None` while it is present.
    since_s: Vec<Option<f64>>,
    pub invariants: Invariants,
}

impl AbsenceLog {
    /// An empty log: nodes that are absent at `start_s` are absent since then.
    pub fn new(places: &Places, start_s: f64) -> Self {
        let since_s = (0..places.nodes()).map(|node| (!places.is_present(node)).then_some(start_s)).collect();
        Self { log: Log::default(), since_s, invariants: Invariants::default() }
    }

    /// Extends the log to the first `nodes` nodes: those that are new were absent since `start_s`.
    pub fn extend(&mut self, nodes: u32, start_s: f64) {
        let nodes = self.since_s.len().max(nodes as usize);
        self.since_s.resize(nodes, Some(start_s));
    }

    /// Records that a node leaves.
    pub fn leave(&mut self, node: u32, time_s: f64) {
        if let Some(since_s) = self.invariants.require(self.since_s.get_mut(node as usize), "a known node", None) {
            since_s.get_or_insert(time_s);
        }
    }

    /// Records that a node joins.
    pub fn join(&mut self, node: u32, time_s: f64) {
        let since_s = self.since_s.get_mut(node as usize).and_then(Option::take);
        let Some(start_s) = self.invariants.require(since_s, "an absent node", None) else { return };
        if time_s > start_s {
            self.log.push(Absence { node, start_s, end_s: time_s });
        }
    }

    /// The log as columns, with absences that last recorded up to `end_s`.
    pub fn record(&self, end_s: f64) -> Absences {
        let open = (0..).zip(&self.since_s).filter_map(|(node, since_s)| Some((node, (*since_s)?)));
        let open = open.filter(|(_, start_s)| end_s > *start_s);
        let open = open.map(|(node, start_s)| Absence { node, start_s, end_s });
        let mut rows: Vec<Absence> = self.log.iter().copied().chain(open).collect();
        // Within a node the log is in order of time already, and stays so.
        order::sort_by_rank(&mut rows, |row| u64::from(row.node));
        let mut absences = Absences::default();
        for node in 0..=self.since_s.len() as u32 {
            absences.first.push(rows.partition_point(|row| row.node < node) as u32);
        }
        absences.start_s = rows.iter().map(|row| row.start_s).collect();
        absences.end_s = rows.iter().map(|row| row.end_s).collect();
        absences
    }
}
