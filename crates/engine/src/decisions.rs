//! The log of decisions.

use crate::Decisions;
use crate::log::Log;

/// Counts of what one decision changed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Changes {
    pub started: u32,
    pub rescaled: u32,
    pub preempted: u32,
    pub dropped: u32,
    /// Whether a batch size or the size of the cluster changed.
    pub other: bool,
}

impl Changes {
    pub fn is_none(&self) -> bool {
        self.started + self.rescaled + self.preempted + self.dropped == 0 && !self.other
    }
}

/// The log of decisions as columns.
pub(crate) fn columns(log: &Log<(f64, Changes)>) -> Decisions {
    let mut decisions = Decisions::default();
    for (time_s, changes) in log.iter() {
        decisions.time_s.push(*time_s);
        decisions.started.push(changes.started);
        decisions.rescaled.push(changes.rescaled);
        decisions.preempted.push(changes.preempted);
        decisions.dropped.push(changes.dropped);
    }
    decisions
}
