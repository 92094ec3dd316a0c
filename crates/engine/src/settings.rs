//! What holds for every policy of a comparison.

use std::sync::Arc;

use elastiplan_model::{Availability, Cluster, Prices};
use thiserror::Error;

use crate::{Cloud, Costs, Faults, HORIZON_S, Placement};

/// What holds for every policy of a comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The seed for policies that draw random numbers, and for what goes wrong.
    pub seed: u64,
    /// Stop at this time, in seconds on the clock of the trace.
    pub until_s: Option<f64>,
    /// What changes cost.
    pub costs: Costs,
    /// Where GPUs are taken for policies that decide only how many.
    pub placement: Placement,
    /// When the first nodes of the cluster are there; further nodes always are.
    pub availability: Option<Arc<Availability>>,
    /// What goes wrong.
    pub faults: Faults,
    /// If a policy may change the number of nodes.
    pub cloud: Option<Cloud>,
    /// What a GPU costs when. GPUs are paid for while jobs hold them; where a policy sizes the cluster, while their nodes
    /// are there, and these prices stand for the one of the cloud.
    pub prices: Option<Arc<Prices>>,
    /// How much slower jobs on several nodes are that share one of them with another such job, as a share: from 0, no
    /// slower, to below 1.
    pub interference_slowdown: f64,
}

/// Why settings cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SettingsError {
    /// Negative, not a number, or beyond a year.
    #[error("rescale cost: {0} is not a number of seconds from 0 to 31,536,000")]
    RescaleCost(f64),
    /// Negative, not a number, or infinite.
    #[error("time to stop: {0} is not a number of seconds from 0 to 1e12")]
    Until(f64),
    /// A number that says nothing about what goes wrong.
    #[error("{name}: {value} is not {rule}")]
    Fault {
        /// Which.
        name: &'static str,
        /// The value.
        value: f64,
        /// What it must be.
        rule: &'static str,
    },
    /// Negative, not a number, or nothing left of the speed.
    #[error("interference_slowdown: {0} is not a number from 0 to below 1")]
    Interference(f64),
    /// More nodes in the log than in the cluster.
    #[error("The availability log has {in_log} nodes, the cluster {in_cluster}")]
    LogNodes {
        /// Nodes in the log.
        in_log: u32,
        /// Nodes of the cluster.
        in_cluster: u32,
    },
    /// A cloud that cannot be.
    #[error(
        "cloud: nodes at least and at the start must be from 0 to {nodes}, provisioning from 0 to 1e6 s, the price from 0"
    )]
    Cloud {
        /// Nodes of the cluster.
        nodes: u32,
    },
}

impl Settings {
    /// Settings with one cost for every change.
    pub fn with_rescale_cost_s(rescale_cost_s: f64) -> Self {
        Self { costs: Costs::constant(rescale_cost_s), ..Self::default() }
    }

    /// Checks the values that do not depend on the cluster.
    pub fn validate(&self) -> Result<(), SettingsError> {
        if let Some(value) = self.costs.out_of_range() {
            return Err(SettingsError::RescaleCost(value));
        }
        if let Some((name, value, rule)) = self.faults.out_of_range() {
            return Err(SettingsError::Fault { name, value, rule });
        }
        if !(0.0..1.0).contains(&self.interference_slowdown) {
            return Err(SettingsError::Interference(self.interference_slowdown));
        }
        match self.until_s {
            Some(until_s) if !(0.0..=HORIZON_S).contains(&until_s) => Err(SettingsError::Until(until_s)),
            _ => Ok(()),
        }
    }

    /// Checks everything.
    pub fn validate_for(&self, cluster: &Cluster) -> Result<(), SettingsError> {
        self.validate()?;
        let nodes = cluster.nodes();
        let in_log = self.availability.as_ref().map_or(0, |log| log.nodes());
        if in_log > nodes {
            return Err(SettingsError::LogNodes { in_log, in_cluster: nodes });
        }
        let is_good = |cloud: &Cloud| {
            cloud.nodes_start.max(cloud.nodes_min) <= nodes
                && (0.0..=1e6).contains(&cloud.provisioning_s)
                && (0.0..=1e6).contains(&cloud.price_per_gpu_hour)
        };
        match self.cloud.as_ref().is_none_or(is_good) {
            true => Ok(()),
            false => Err(SettingsError::Cloud { nodes }),
        }
    }
}
