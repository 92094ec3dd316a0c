//! Logs of idle supercomputer nodes, drawn after what BFTrainer tells of Summit.
//!
//! Liu et al., "BFTrainer: Low-Cost Training of Neural Networks on Unfillable Supercomputer Nodes", section 2.1: of 4,608
//! nodes 8.6 % are idle on average in the two weeks of its experiments; nodes join 42 times an hour and leave 31 times;
//! 58 % of the stretches in which a node is idle are shorter than 10 minutes, and they hold 10 % of the node-time. There
//! is one log-normal distribution of which the latter two are true; its mean is 1,337 s and its median 445 s. Nodes join
//! in groups, whose sizes the paper does not tell: they are geometric here, of the mean that the share of idle nodes asks
//! for. Who leaves does so together with others: at that moment, of those at which nodes leave, which is nearest to the
//! end of its stretch. Of the machine 1,024 nodes are looked at, as in the paper's section 4.3.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use elastiplan_model::Availability;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use super::stream;
use crate::fault::{Fault, first_out_of_range};
use elastiplan_scenario::draws::{exponential, standard_normal};

/// Mean and standard deviation of the logarithm of seconds in which a node is idle.
const LOG_MEAN: f64 = 6.097_4;
const LOG_DEVIATION: f64 = 1.483_5;

/// What a log is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct IdleNodesSpec {
    /// Nodes that are looked at, 1 to 4,608.
    pub nodes: u32,
    /// Length of the log, in days.
    pub days: f64,
    /// Idle nodes on average, as a share of all.
    pub idle_share: f64,
    /// How often nodes of the whole machine join in an hour.
    pub joins_per_h: f64,
    /// How often nodes of the whole machine leave in an hour.
    pub departures_per_h: f64,
    /// What it is drawn with: whatever the seed of a run, all runs have the same log.
    pub seed: u64,
}

impl Default for IdleNodesSpec {
    fn default() -> Self {
        Self { nodes: 1024, days: 7.0, idle_share: 0.086, joins_per_h: 42.0, departures_per_h: 31.0, seed: 0 }
    }
}

impl IdleNodesSpec {
    /// The first value that cannot be, with what it must be.
    pub fn fault(&self) -> Option<Fault> {
        first_out_of_range([
            ("nodes", f64::from(self.nodes), 1.0..=4608.0, "1 to 4608"),
            ("days", self.days, 0.01..=60.0, "0.01 to 60"),
            ("idle_share", self.idle_share, 0.001..=0.5, "0.001 to 0.5"),
            ("joins_per_h", self.joins_per_h, 0.1..=360.0, "0.1 to 360"),
            ("departures_per_h", self.departures_per_h, 0.1..=360.0, "0.1 to 360"),
        ])
    }

    /// The log; of values that cannot be, that of the default.
    pub fn log(&self) -> Availability {
        if self.fault().is_some() {
            return Self::default().log();
        }
        let length_s = (self.days * 86_400.0).floor();
        let departures = self.departures(length_s);
        let mut joins = stream(self.seed, 1);
        let mut groups = stream(self.seed, 2);
        let mut lives = stream(self.seed, 3);
        let mut choices = stream(self.seed, 4);
        let mut drawn = Drawn {
            departures: &departures,
            length_s,
            absent: (0..self.nodes).collect(),
            present: BinaryHeap::new(),
            intervals: vec![Vec::new(); self.nodes as usize],
        };
        let idle = (f64::from(self.nodes) * self.idle_share).round() as u32;
        for _ in 0..idle {
            // Whoever looks in meets the longer stretches, each with what is left of it.
            let whole_s = life_s(&mut lives, LOG_MEAN + LOG_DEVIATION * LOG_DEVIATION);
            drawn.join(0.0, whole_s * lives.random::<f64>(), &mut choices);
        }
        let mean_group = self.mean_group();
        let mut time_s = gap_s(&mut joins, self.joins_per_h);
        while time_s < length_s {
            for _ in 0..group(&mut groups, mean_group) {
                drawn.join(time_s.floor(), life_s(&mut lives, LOG_MEAN), &mut choices);
            }
            time_s += gap_s(&mut joins, self.joins_per_h);
        }
        let named = (1..).zip(drawn.intervals).map(|(number, intervals)| (format!("n{number}"), intervals));
        Availability::from_intervals(named.collect(), length_s)
            .unwrap_or_else(|error| unreachable!("drawn stretches follow each other: {error}"))
    }

    /// Nodes of those looked at that join together, on average.
    fn mean_group(&self) -> f64 {
        let mean_s = libm::exp(LOG_MEAN + LOG_DEVIATION * LOG_DEVIATION / 2.0);
        f64::from(self.nodes) * self.idle_share * 3600.0 / mean_s / self.joins_per_h
    }

    /// The moments at which nodes of the machine leave, in whole seconds, rising, until well after the end.
    fn departures(&self, length_s: f64) -> Vec<f64> {
        let mut random = stream(self.seed, 0);
        let mut moments = Vec::new();
        let mut time_s = 0.0;
        while time_s < length_s + 86_400.0 {
            time_s += gap_s(&mut random, self.departures_per_h).max(1.0);
            moments.push(time_s.floor());
        }
        moments.dedup();
        moments
    }
}

/// A log while it is drawn.
struct Drawn<'a> {
    departures: &'a [f64],
    length_s: f64,
    absent: Vec<u32>,
    /// When whoever is there leaves, in whole seconds.
    present: BinaryHeap<Reverse<(u64, u32)>>,
    intervals: Vec<Vec<(f64, Option<f64>)>>,
}

impl Drawn<'_> {
    /// A node joins for about so long, if one is left.
    fn join(&mut self, time_s: f64, life_s: f64, random: &mut impl Rng) {
        // Whoever leaves at this very moment is not back at once.
        while let Some(Reverse((end_s, node))) = self.present.peek().copied()
            && (end_s as f64) < time_s
        {
            self.present.pop();
            self.absent.push(node);
        }
        if self.absent.is_empty() {
            return;
        }
        let node = self.absent.swap_remove(random.random_range(0..self.absent.len() as u32) as usize);
        let end_s = self.nearest_departure(time_s, time_s + life_s);
        self.present.push(Reverse((end_s as u64, node)));
        if let Some(intervals) = self.intervals.get_mut(node as usize) {
            intervals.push((time_s, Some(end_s).filter(|end_s| *end_s < self.length_s)));
        }
    }

    /// The moment of departure that is nearest to `end_s`, of those after `start_s`.
    fn nearest_departure(&self, start_s: f64, end_s: f64) -> f64 {
        let after = self.departures.partition_point(|moment_s| *moment_s <= start_s);
        let at = self.departures.partition_point(|moment_s| *moment_s < end_s).max(after);
        let later = self.departures.get(at).copied().unwrap_or(end_s.max(start_s + 1.0).ceil());
        let earlier = at.checked_sub(1).filter(|at| *at >= after).and_then(|at| self.departures.get(at));
        earlier.copied().filter(|earlier| end_s - earlier < later - end_s).unwrap_or(later)
    }
}

/// Seconds until the next of so many an hour.
fn gap_s(random: &mut impl Rng, per_h: f64) -> f64 {
    exponential(random) * 3600.0 / per_h
}

/// Seconds that a node is idle.
fn life_s(random: &mut impl Rng, log_mean: f64) -> f64 {
    libm::exp(log_mean + LOG_DEVIATION * standard_normal(random))
}

/// A geometric number of this mean.
fn group(random: &mut impl Rng, mean: f64) -> u32 {
    let share = mean / (1.0 + mean);
    (exponential(random) / -libm::log(share)).floor().min(4608.0) as u32
}
