//! The machines that jobs run on.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A cluster of equal nodes with equal GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Cluster {
    nodes: u32,
    gpus_per_node: u32,
}

/// What a stored cluster holds, before it is known to be one.
#[derive(Deserialize)]
#[serde(rename = "Cluster")]
struct Unchecked {
    nodes: u32,
    gpus_per_node: u32,
}

impl TryFrom<Unchecked> for Cluster {
    type Error = ClusterError;

    fn try_from(stored: Unchecked) -> Result<Self, ClusterError> {
        Self::new(stored.nodes, stored.gpus_per_node)
    }
}

/// Why a cluster cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ClusterError {
    /// No nodes, or more than the planner handles.
    #[error("nodes: {0} is not a whole number from 1 to {max}", max = Cluster::NODES_MAX)]
    Nodes(u32),
    /// No GPUs in a node, or more than the planner handles.
    #[error("GPUs per node: {0} is not a whole number from 1 to {max}", max = Cluster::GPUS_PER_NODE_MAX)]
    GpusPerNode(u32),
}

impl Cluster {
    /// The largest number of nodes.
    pub const NODES_MAX: u32 = 65_536;
    /// The largest number of GPUs in a node.
    pub const GPUS_PER_NODE_MAX: u32 = 64;

    /// A cluster of `nodes` times `gpus_per_node` GPUs.
    pub fn new(nodes: u32, gpus_per_node: u32) -> Result<Self, ClusterError> {
        if !(1..=Self::NODES_MAX).contains(&nodes) {
            return Err(ClusterError::Nodes(nodes));
        }
        if !(1..=Self::GPUS_PER_NODE_MAX).contains(&gpus_per_node) {
            return Err(ClusterError::GpusPerNode(gpus_per_node));
        }
        Ok(Self { nodes, gpus_per_node })
    }

    /// How many nodes.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// How many GPUs each node has.
    pub fn gpus_per_node(&self) -> u32 {
        self.gpus_per_node
    }

    /// All GPUs of the cluster: at most 2^22, so that it never overflows.
    pub fn gpus_total(&self) -> u32 {
        self.nodes * self.gpus_per_node
    }
}
