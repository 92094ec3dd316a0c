//! Statistics of an availability log, before anything runs on it (BFTrainer, section 2.1, Table 1, Figures 1 and 6).
//! docs/metrics.md has the definitions.

use elastiplan_model::{Availability, NodeInterval, order};
use serde::Serialize;

use crate::capacity::HOUR_S;
use crate::distribution::percentile;

/// Counts over a whole availability log.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IdleNodes {
    /// Nodes of the log, including those that are never present.
    pub nodes: u32,
    /// Time from the first node to the end of the log, in seconds.
    pub span_s: f64,
    /// Instants at which the set of nodes changes, except the first one.
    pub events: u64,
    /// Events at which at least one node joins.
    pub events_joining: u64,
    /// Events at which at least one node leaves. Both counts include an event at which some join and others leave.
    pub events_leaving: u64,
    /// Node-seconds: time in which nodes are present, summed over nodes.
    pub node_seconds: f64,
    /// The most nodes present at once.
    pub nodes_most: u32,
    /// Fragments: stretches of time in which one node is present.
    pub fragments: u64,
    /// Fragments from the first instant on, which may have begun before.
    pub fragments_from_start: u64,
    /// Fragments at the end of the log, which count with the length seen.
    pub fragments_open: u64,
}

impl IdleNodes {
    /// Computes the counts of a log, in one pass.
    pub fn of(log: &Availability) -> Self {
        let mut found = Self { nodes: log.nodes(), span_s: log.end_s() - log.start_s(), ..Self::default() };
        let (mut now, mut before_s) = (0_u32, log.start_s());
        for moment in moments(log) {
            let Moment { time_s, joining, leaving } = moment;
            found.node_seconds += f64::from(now) * (time_s - before_s);
            before_s = time_s;
            now = moment.nodes_after(now);
            found.nodes_most = found.nodes_most.max(now);
            found.fragments += u64::from(joining);
            if time_s == log.start_s() {
                found.fragments_from_start = joining.into();
            } else {
                found.events += 1;
                found.events_joining += u64::from(joining > 0);
                found.events_leaving += u64::from(leaving > 0);
            }
        }
        found.node_seconds += f64::from(now) * (log.end_s() - before_s);
        found.fragments_open = now.into();
        found
    }

    /// The static number of nodes that gives as many node-hours (eq. 18); `None` if no time passes.
    pub fn equivalent_nodes(&self) -> Option<f64> {
        (self.span_s > 0.0).then(|| self.node_seconds / self.span_s)
    }

    /// Share of the nodes of the log present on average, 0 to 1.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.equivalent_nodes()? / f64::from(self.nodes))
    }

    /// The resource integral (eq. 17).
    pub fn node_hours(&self) -> f64 {
        self.node_seconds / HOUR_S
    }

    /// A count per hour; `None` if no time passes.
    pub fn per_hour(&self, count: u64) -> Option<f64> {
        (self.span_s > 0.0).then(|| count as f64 / (self.span_s / HOUR_S))
    }

    /// The mean length of a fragment, in seconds; `None` if there is none.
    pub fn fragment_mean_s(&self) -> Option<f64> {
        (self.fragments > 0).then(|| self.node_seconds / self.fragments as f64)
    }
}

/// The distribution of the lengths of fragments, by number and by node time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FragmentLengths {
    /// Distinct lengths in seconds, rising.
    pub lengths_s: Vec<f64>,
    /// Number of fragments that are at most so long.
    pub fragments: Vec<u64>,
    /// Node-seconds of those fragments.
    pub node_seconds: Vec<f64>,
    /// Median length.
    median_s: Option<f64>,
}

/// Lengths in seconds for which tables show the share of shorter fragments.
pub const FRAGMENT_LENGTHS_S: [f64; 7] = [60.0, 300.0, 600.0, 1800.0, HOUR_S, 6.0 * HOUR_S, 24.0 * HOUR_S];

/// Shares of fragments, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FragmentShares {
    /// Share of their number.
    pub by_count: f64,
    /// Share of node time; `None` if there is none.
    pub by_node_time: Option<f64>,
}

impl FragmentLengths {
    /// The distribution over all fragments of a log.
    pub fn of(log: &Availability) -> Self {
        let intervals = log.intervals();
        let length_s = |interval: &NodeInterval| interval.end_s.unwrap_or(log.end_s()) - interval.start_s;
        let mut sorted: Vec<f64> = intervals.iter().map(length_s).collect();
        order::sort_by_number(&mut sorted, |length_s| *length_s);
        let mut found = Self { median_s: percentile(&sorted, 0.5), ..Self::default() };
        let (mut count, mut node_seconds) = (0, 0.0);
        for equal in sorted.chunk_by(|a, b| a == b) {
            let Some(&length_s) = equal.first() else { continue };
            count += equal.len() as u64;
            node_seconds += length_s * equal.len() as f64;
            found.lengths_s.push(length_s);
            found.fragments.push(count);
            found.node_seconds.push(node_seconds);
        }
        found
    }

    /// The length in the middle, in seconds; between the middle two if their number is even.
    pub fn median_s(&self) -> Option<f64> {
        self.median_s
    }

    /// Shares of the fragments that are shorter; `None` if there is no fragment.
    pub fn share_shorter_than(&self, length_s: f64) -> Option<FragmentShares> {
        self.share_of_first(self.lengths_s.partition_point(|&other_s| other_s < length_s))
    }

    /// Shares of the fragments that are at most as long as the length in this row; `None` if there is no such row.
    pub fn share_at_row(&self, row: usize) -> Option<FragmentShares> {
        (row < self.lengths_s.len()).then(|| self.share_of_first(row + 1))?
    }

    fn share_of_first(&self, rows: usize) -> Option<FragmentShares> {
        let (all, all_s) = (*self.fragments.last()?, *self.node_seconds.last()?);
        let last = rows.checked_sub(1);
        let count = last.and_then(|row| self.fragments.get(row)).copied().unwrap_or(0);
        let node_s = last.and_then(|row| self.node_seconds.get(row)).copied().unwrap_or(0.0);
        Some(FragmentShares {
            by_count: count as f64 / all as f64,
            by_node_time: (all_s > 0.0).then(|| node_s / all_s),
        })
    }
}

/// One period of an availability log; all but the last are equally long.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct IdlePeriod {
    /// Start, in seconds on the clock of the log.
    pub start_s: f64,
    /// End: the start of the next one, or the end of the log.
    pub end_s: f64,
    /// Mean number of nodes present.
    pub nodes_mean: f64,
    /// Events in the period; one at its end belongs to the next period, if there is one.
    pub events: u64,
}

/// Round periods in seconds; after the last one they double.
const PERIODS_S: [f64; 8] =
    [60.0, 600.0, HOUR_S, 6.0 * HOUR_S, 24.0 * HOUR_S, 168.0 * HOUR_S, 672.0 * HOUR_S, 8760.0 * HOUR_S];
/// The most periods in a table or a chart.
const PERIODS_MAX: f64 = 60.0;

/// The period for a log of this length: the shortest round one with at most 60 periods. For a week or two it is six
/// hours, as in BFTrainer's Figure 6.
pub fn idle_period_s(span_s: f64) -> f64 {
    let longest_s = PERIODS_S.last().copied().unwrap_or(HOUR_S);
    let longer = std::iter::successors(Some(2.0 * longest_s), |period_s| Some(2.0 * period_s));
    PERIODS_S.into_iter().chain(longer).find(|period_s| span_s <= period_s * PERIODS_MAX).unwrap_or(longest_s)
}

/// The periods of a log, from its first node on; none if no time passes or the length is not above 0.
pub fn idle_periods(log: &Availability, period_s: f64) -> Vec<IdlePeriod> {
    let (from_s, to_s) = (log.start_s(), log.end_s());
    // A period must advance the clock.
    if from_s + period_s <= from_s || period_s.is_nan() {
        return Vec::new();
    }
    let mut moments = moments(log).peekable();
    let (mut now, mut begun) = (0, 0.0);
    let mut periods = Vec::new();
    loop {
        let (start_s, next_s) = (from_s + begun * period_s, from_s + (begun + 1.0) * period_s);
        if start_s >= to_s {
            return periods;
        }
        let (is_last, end_s) = (next_s >= to_s, next_s.min(to_s));
        let (mut before_s, mut node_seconds, mut events) = (start_s, 0.0, 0);
        while let Some(moment) = moments.next_if(|moment| is_last || moment.time_s < end_s) {
            node_seconds += f64::from(now) * (moment.time_s - before_s);
            before_s = moment.time_s;
            now = moment.nodes_after(now);
            events += u64::from(moment.time_s > from_s);
        }
        node_seconds += f64::from(now) * (end_s - before_s);
        periods.push(IdlePeriod { start_s, end_s, nodes_mean: node_seconds / (end_s - start_s), events });
        begun += 1.0;
    }
}

/// Numbers of nodes that join and leave at one instant.
#[derive(Clone, Copy)]
struct Moment {
    time_s: f64,
    joining: u32,
    leaving: u32,
}

impl Moment {
    fn nodes_after(self, before: u32) -> u32 {
        // Nodes that leave were present, nodes that join were not.
        before.saturating_sub(self.leaving) + self.joining
    }
}

/// The instants at which the set of nodes changes, in order.
fn moments(log: &Availability) -> impl Iterator<Item = Moment> {
    log.changes().chunk_by(|a, b| a.time_s == b.time_s).filter_map(|changes| {
        let joining = changes.iter().filter(|change| change.up).count();
        let leaving = changes.len() - joining;
        // At most `Cluster::NODES_MAX`.
        Some(Moment { time_s: changes.first()?.time_s, joining: joining as u32, leaving: leaving as u32 })
    })
}
