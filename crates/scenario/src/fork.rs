//! A change in the middle of a run.

use std::fmt;

use elastiplan_model::{Cluster, limits};
use elastiplan_text::format::duration;

use crate::fields::OutOfRange;

/// One change at a chosen time: the run is its origin until then, to the bit, and another one from there on.
///
/// The change comes before everything else that happens at its time: ends of jobs, changes of nodes, submissions. The
/// policy decides once, after all of them. [`Fork::to_string`] writes what [`Fork::from_str`](std::str::FromStr) reads.
///
/// ```
/// use elastiplan_scenario::{Fork, ForkChange};
///
/// let fork: Fork = "at=1d7h nodes=20".parse()?;
/// assert_eq!(fork, Fork { after_start_s: 111_600.0, change: ForkChange::Nodes(20) });
/// assert_eq!(fork.words(), "from 1d 07h: 20 nodes");
/// # Ok::<(), elastiplan_scenario::ForkTextError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fork {
    /// Seconds from the first submission to the change.
    pub after_start_s: f64,
    /// The change.
    pub change: ForkChange,
}

/// What changes.
#[derive(Clone, Debug, PartialEq)]
pub enum ForkChange {
    /// Nodes that are always there from then on; those of an availability log come in addition. The last ones leave, and
    /// their jobs lose GPUs as when nodes of a log leave; new ones are there at once. Where a policy sizes the cluster, it
    /// is the most that it can order.
    Nodes(u32),
    /// Another policy decides, by its id. It finds jobs running that it never started. The policy that decides already
    /// continues with what it knows.
    Policy(String),
    /// The user cancels a job that is submitted and has not ended.
    EndJob {
        /// The job's name.
        job: String,
    },
    /// The priority of a job that has not ended.
    Priority {
        /// The job's name.
        job: String,
        /// Its weight in the objective of policies that have one, above 0; 1 is as without one.
        priority: f64,
    },
    /// A node that is there fails, and is back after a while.
    NodeFails {
        /// The node, counted from 0.
        node: u32,
        /// Seconds until it is back.
        for_s: f64,
    },
}

impl Fork {
    /// Checks everything that depends neither on the jobs nor on the cluster.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        let error = |name: &str, value: String, rule| Err(OutOfRange { name: name.into(), value, rule });
        if !(0.0..=limits::TIME_MAX_S).contains(&self.after_start_s) {
            return error(
                "fork at",
                self.after_start_s.to_string(),
                "a time from 0 to 1e11 s after the first submission",
            );
        }
        match self.change {
            ForkChange::Nodes(nodes) if nodes > Cluster::NODES_MAX => {
                error("nodes of the fork", nodes.to_string(), "a whole number from 1 to 65,536")
            }
            ForkChange::Priority { priority, .. } if !(priority > 0.0 && priority <= limits::PRIORITY_MAX) => {
                error("priority of the fork", priority.to_string(), "a number above 0, at most 1e6")
            }
            ForkChange::NodeFails { for_s, .. } if !(for_s > 0.0 && for_s <= limits::TIME_MAX_S) => {
                error("time until the node is back", for_s.to_string(), "a number of seconds above 0, at most 1e11")
            }
            _ => Ok(()),
        }
    }

    /// Time and change in a few words, for names of runs and messages: `from 1d 07h: 20 nodes`.
    pub fn words(&self) -> String {
        format!("from {}: {}", duration(self.after_start_s), self.change)
    }
}

/// A few words: `20 nodes`, `alexnet-12 ends`.
impl fmt::Display for ForkChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ForkChange::Nodes(1) => f.write_str("1 node"),
            ForkChange::Nodes(nodes) => write!(f, "{nodes} nodes"),
            ForkChange::Policy(policy) => f.write_str(policy),
            ForkChange::EndJob { job } => write!(f, "{job} ends"),
            ForkChange::Priority { job, priority } => write!(f, "{job} has priority {priority}"),
            ForkChange::NodeFails { node, for_s } => write!(f, "node {node} fails for {}", duration(*for_s)),
        }
    }
}
