//! What there is to say of an availability log.

use elastiplan_model::Availability;

/// What a log amounts to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogFacts {
    /// Nodes, those included that never appear.
    pub nodes: u32,
    /// Stretches of time in which a node is there.
    pub intervals: u64,
    /// From the first change to the end.
    pub span_s: f64,
    /// The most nodes that are there at once.
    pub nodes_most: u64,
    /// Nodes that are there, on average over time.
    pub nodes_mean: f64,
}

impl LogFacts {
    /// Goes through the log once.
    pub fn of(log: &Availability) -> Self {
        let (mut now, mut most, mut intervals, mut node_seconds) = (0u64, 0, 0, 0.0);
        let mut before_s = log.start_s();
        for change in log.changes() {
            node_seconds += now as f64 * (change.time_s - before_s);
            before_s = change.time_s;
            if change.up {
                now += 1;
                intervals += 1;
            } else {
                now = now.saturating_sub(1);
            }
            most = most.max(now);
        }
        node_seconds += now as f64 * (log.end_s() - before_s);
        let span_s = log.end_s() - log.start_s();
        let nodes_mean = if span_s > 0.0 { node_seconds / span_s } else { now as f64 };
        Self { nodes: log.nodes(), intervals, span_s, nodes_most: most, nodes_mean }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_summed_up() {
        let nodes = vec![("a".into(), vec![(10.0, Some(60.0)), (80.0, None)]), ("b".into(), vec![(40.0, Some(90.0))])];
        let facts = LogFacts::of(&Availability::from_intervals(nodes, 110.0).unwrap());
        let expected = LogFacts { nodes: 2, intervals: 3, span_s: 100.0, nodes_most: 2, nodes_mean: 1.3 };
        assert_eq!(facts, expected);
    }
}
