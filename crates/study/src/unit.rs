//! One run of a study.

use elastiplan_metrics::Metrics;
use elastiplan_model::Workload;
use elastiplan_planner::{PolicyRun, run};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Scenario;
use serde::{Deserialize, Serialize};

use crate::Key;

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

/// All that decides a run.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The policy, with the parameters of its point.
    pub policy: PolicySpec,
    /// The scenario of its point and seed.
    pub scenario: Scenario,
}

impl Inputs {
    /// The name under which the outcome can be found again.
    pub fn key(&self) -> Key {
        Key::of(&self.scenario, &self.policy)
    }

    /// Makes the run: its record, and the jobs that it is of. The error is the reason why it cannot be made.
    pub fn run(&self) -> Result<(Workload, PolicyRun), String> {
        self.scenario.validate().map_err(|error| error.to_string())?;
        let (workload, _) = self.scenario.workload();
        let run = run(&self.scenario, &workload, &self.policy).map_err(|error| error.to_string())?;
        Ok((workload, run))
    }

    /// Makes the run, and keeps what is kept of it.
    pub fn outcome(&self) -> Outcome {
        match self.run() {
            Ok((_, run)) => Outcome::from(&run),
            Err(message) => Outcome::Failed { message },
        }
    }
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
