//! One run of a study.

use elastiplan_metrics::Metrics;
use elastiplan_planner::PolicyRun;
use serde::{Deserialize, Serialize};

/// A run: a point, a policy and a seed, each by its place in the study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unit {
    /// The point of the grid.
    pub point: u32,
    /// The place of the policy.
    pub policy: u32,
    /// The place of the seed.
    pub seed: u32,
}

/// What is kept of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// It ended.
    Ended {
        /// The fingerprint of its record.
        digest: String,
        /// Its metrics.
        metrics: Box<Metrics>,
    },
    /// It cannot be made, or the policy asked for something impossible.
    Failed {
        /// The reason.
        message: String,
    },
}

impl Outcome {
    /// Its metrics, if it ended.
    pub fn metrics(&self) -> Option<&Metrics> {
        match self {
            Self::Ended { metrics, .. } => Some(metrics),
            Self::Failed { .. } => None,
        }
    }
}

impl From<&PolicyRun> for Outcome {
    fn from(run: &PolicyRun) -> Self {
        Self::Ended { digest: run.digest.clone(), metrics: Box::new(run.summary.metrics.clone()) }
    }
}
