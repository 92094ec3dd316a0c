//! Random faults.

use serde::{Deserialize, Serialize};

/// Kinds of random faults, and how often they occur. By default none does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Faults {
    /// Mean time between the failures of one node, in seconds; failures come at random (exponentially distributed).
    pub node_mtbf_s: Option<f64>,
    /// How long a failed node is away, in seconds.
    pub node_repair_s: f64,
    /// Share of jobs that have a bug, 0 to 1.
    pub bug_share: f64,
    /// A job with a bug dies after at most so many seconds of training (uniformly distributed).
    pub bug_within_s: f64,
    /// Share of jobs that their users cancel, 0 to 1, when a part of the work is done (uniformly distributed).
    pub cancel_share: f64,
    /// Largest relative error of the remaining work that policies see (0.1: up to 10% too much or too little).
    pub estimate_error: f64,
    /// Largest relative error of the speeds that policies see, of each measured point by itself.
    pub profiling_noise: f64,
}

impl Faults {
    /// Returns whether no fault can occur.
    pub fn is_none(&self) -> bool {
        *self == Self { node_repair_s: self.node_repair_s, bug_within_s: self.bug_within_s, ..Self::default() }
    }
}
