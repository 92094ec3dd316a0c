//! The log of which nodes were away when.

use crate::Absences;
use crate::log::Log;
use crate::places::Places;

/// A node was away for a while.
#[derive(Clone, Copy, Debug)]
struct Absence {
    node: u32,
    start_s: f64,
    end_s: f64,
}

/// Nodes that are away since when, and when others were before.
#[derive(Clone, Debug)]
pub(crate) struct AbsenceLog {
    log: Log<Absence>,
    /// For each node since when it is away; `None` while it is there.
    since_s: Vec<Option<f64>>,
}

impl AbsenceLog {
    /// The nodes as they are at `start_s`.
    pub fn new(places: &Places, start_s: f64) -> Self {
        let since_s = (0..places.nodes()).map(|node| (!places.is_present(node)).then_some(start_s)).collect();
        Self { log: Log::default(), since_s }
    }

    /// A node goes.
    pub fn leaves(&mut self, node: u32, time_s: f64) {
        if let Some(since_s) = self.since_s.get_mut(node as usize) {
            since_s.get_or_insert(time_s);
        }
    }

    /// A node appears.
    pub fn comes(&mut self, node: u32, time_s: f64) {
        let since_s = self.since_s.get_mut(node as usize).and_then(Option::take);
        if let Some(start_s) = since_s.filter(|start_s| time_s > *start_s) {
            self.log.push(Absence { node, start_s, end_s: time_s });
        }
    }

    /// All of it up to `end_s`.
    pub fn record(&self, end_s: f64) -> Absences {
        let open = (0..).zip(&self.since_s).filter_map(|(node, since_s)| Some((node, (*since_s)?)));
        let open = open.filter(|(_, start_s)| end_s > *start_s);
        let open = open.map(|(node, start_s)| Absence { node, start_s, end_s });
        let mut rows: Vec<Absence> = self.log.iter().copied().chain(open).collect();
        // Stable: within a node the log is in order of time already.
        rows.sort_by_key(|row| row.node);
        let mut absences = Absences::default();
        for node in 0..=self.since_s.len() as u32 {
            absences.first.push(rows.partition_point(|row| row.node < node) as u32);
        }
        absences.start_s = rows.iter().map(|row| row.start_s).collect();
        absences.end_s = rows.iter().map(|row| row.end_s).collect();
        absences
    }
}
