//! What a log of nodes that come and go amounts to, as text and for other programs.

use elastiplan_metrics::{FRAGMENT_LENGTHS_S, FragmentLengths, IdleNodes, IdlePeriod, idle_period_s, idle_periods};
use elastiplan_model::Availability;
use serde::Serialize;

use crate::table::{aligned, headed};

const HOUR_S: f64 = 3600.0;
/// How [`FRAGMENT_LENGTHS_S`] are written.
const LENGTHS: [&str; FRAGMENT_LENGTHS_S.len()] = ["1 min", "5 min", "10 min", "30 min", "1 h", "6 h", "24 h"];

/// The document that goes into JSON: docs/metrics.md has the definitions.
#[derive(Serialize)]
pub struct Document {
    nodes: u32,
    span_s: f64,
    events: u64,
    events_joining: u64,
    events_leaving: u64,
    events_per_hour: Option<f64>,
    events_joining_per_hour: Option<f64>,
    events_leaving_per_hour: Option<f64>,
    node_hours: f64,
    equivalent_nodes: Option<f64>,
    ratio: Option<f64>,
    nodes_most: u32,
    fragments: u64,
    fragments_from_start: u64,
    fragments_open: u64,
    fragment_median_s: Option<f64>,
    fragment_mean_s: Option<f64>,
    fragments_shorter: Vec<Shorter>,
    period_s: f64,
    periods: Vec<IdlePeriod>,
}

#[derive(Serialize)]
struct Shorter {
    than_s: f64,
    share_by_count: Option<f64>,
    share_by_node_time: Option<f64>,
}

impl Document {
    pub fn of(log: &Availability) -> Self {
        let (found, lengths) = (IdleNodes::of(log), FragmentLengths::of(log));
        let period_s = idle_period_s(found.span_s);
        let shorter = |than_s: f64| {
            let shares = lengths.share_shorter_than(than_s);
            Shorter {
                than_s,
                share_by_count: shares.map(|shares| shares.by_count),
                share_by_node_time: shares.and_then(|shares| shares.by_node_time),
            }
        };
        Self {
            nodes: found.nodes,
            span_s: found.span_s,
            events: found.events,
            events_joining: found.events_joining,
            events_leaving: found.events_leaving,
            events_per_hour: found.per_hour(found.events),
            events_joining_per_hour: found.per_hour(found.events_joining),
            events_leaving_per_hour: found.per_hour(found.events_leaving),
            node_hours: found.node_hours(),
            equivalent_nodes: found.equivalent_nodes(),
            ratio: found.ratio(),
            nodes_most: found.nodes_most,
            fragments: found.fragments,
            fragments_from_start: found.fragments_from_start,
            fragments_open: found.fragments_open,
            fragment_median_s: lengths.median_s(),
            fragment_mean_s: found.fragment_mean_s(),
            fragments_shorter: FRAGMENT_LENGTHS_S.into_iter().map(shorter).collect(),
            period_s,
            periods: idle_periods(log, period_s),
        }
    }

    /// The same as a table, without the periods.
    pub fn text(&self, file: &str) -> String {
        let row = |label: &str, value: String| vec![label.to_string(), value, String::new()];
        let rated = |label: &str, count: u64, rate: Option<f64>| {
            vec![label.to_string(), count.to_string(), or_dash(rate, |rate| format!("{rate:.1}/h"))]
        };
        let seconds = |length_s: f64| format!("{length_s:.1} s");
        let rows = [
            row("Nodes in the log", self.nodes.to_string()),
            row("Time covered", format!("{:.1} h", self.span_s / HOUR_S)),
            row("Node-hours", format!("{:.1}", self.node_hours)),
            row("Equivalent nodes", or_dash(self.equivalent_nodes, |nodes| format!("{nodes:.1}"))),
            row("Share of the log's nodes", percent(self.ratio)),
            row("Most nodes at once", self.nodes_most.to_string()),
            rated("Events", self.events, self.events_per_hour),
            rated("Some nodes come", self.events_joining, self.events_joining_per_hour),
            rated("Some nodes leave", self.events_leaving, self.events_leaving_per_hour),
            row("Fragments", self.fragments.to_string()),
            row("There from the start", self.fragments_from_start.to_string()),
            row("Still there at the end", self.fragments_open.to_string()),
            row("Median length", or_dash(self.fragment_median_s, seconds)),
            row("Mean length", or_dash(self.fragment_mean_s, seconds)),
        ];
        let shorter = self.fragments_shorter.iter().zip(LENGTHS).map(|(told, length)| {
            vec![length.to_string(), percent(told.share_by_count), percent(told.share_by_node_time)]
        });
        let shorter = headed(&["Fragments shorter than", "Of all", "Of node time"], [], shorter, 1);
        format!("\nNodes of {file}\n{}\n{shorter}", aligned(&rows, 1))
    }
}

fn percent(share: Option<f64>) -> String {
    or_dash(share, |share| format!("{:.1}%", share * 100.0))
}

fn or_dash(value: Option<f64>, written: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "-".into(), written)
}
