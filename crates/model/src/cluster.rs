//! The machines that jobs run on.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A cluster of equal nodes with equal GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Cluster {
    nodes: u32,
    gpus_per_node: u32,
    topology: Option<Topology>,
}

/// The tree of GPU, socket, node and rack, and how fast a job is whose GPUs span each level.
///
/// ```
/// use elastiplan_model::{Level, Topology};
///
/// let topology = Topology { gpus_per_socket: 4, nodes_per_rack: 8, speed: [1.0, 0.95, 0.9, 0.7] };
/// assert_eq!(topology.level(&[(0, 0b0110)]), Level::Socket);
/// assert_eq!(topology.level(&[(0, 0b11000)]), Level::Node); // GPU 3 and GPU 4 have different sockets
/// assert_eq!(topology.level(&[(6, 1), (7, 1)]), Level::Rack);
/// assert_eq!(topology.level(&[(7, 1), (8, 1)]), Level::Cluster);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "struct TopologyPart")]
pub struct Topology {
    /// GPUs that share a socket; at least 1.
    pub gpus_per_socket: u32,
    /// Nodes that share a rack; at least 1.
    pub nodes_per_rack: u32,
    /// The factors of the speed of a job whose GPUs span a socket, a node, a rack, the cluster; from 0.01
    /// to 1.
    pub speed: [f64; 4],
}

/// The distance between the GPUs of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// On one socket.
    Socket,
    /// On one node.
    Node,
    /// In one rack.
    Rack,
    /// In several racks.
    Cluster,
}

impl Topology {
    /// The distance between GPUs, given as (node, GPUs of the node as bits) in order of nodes.
    pub fn level(&self, held: &[(u32, u64)]) -> Level {
        let rack = |node: u32| node / self.nodes_per_rack.max(1);
        match held {
            [] => Level::Socket,
            [(_, mask)] => {
                let socket = |gpu: u32| gpu / self.gpus_per_socket.max(1);
                let (first, last) = (mask.trailing_zeros(), 63 - mask.leading_zeros().min(63));
                if socket(first) == socket(last) { Level::Socket } else { Level::Node }
            }
            [(first, _), .., (last, _)] if rack(*first) == rack(*last) => Level::Rack,
            _ => Level::Cluster,
        }
    }

    /// The factor of the speed of a job.
    pub fn speed_at(&self, level: Level) -> f64 {
        self.speed.get(level as usize).copied().unwrap_or(1.0)
    }

    fn is_good(&self) -> bool {
        let speeds = self.speed.iter().all(|speed| (0.01..=1.0).contains(speed));
        speeds && self.gpus_per_socket > 0 && self.nodes_per_rack > 0
    }
}

/// The stored form of a cluster, not validated.
#[derive(Deserialize)]
#[serde(rename = "Cluster")]
struct Unchecked {
    nodes: u32,
    gpus_per_node: u32,
    #[serde(default)]
    topology: Option<Topology>,
}

impl TryFrom<Unchecked> for Cluster {
    type Error = ClusterError;

    fn try_from(stored: Unchecked) -> Result<Self, ClusterError> {
        let cluster = Self::new(stored.nodes, stored.gpus_per_node)?;
        stored.topology.map_or(Ok(cluster), |topology| cluster.with_topology(topology))
    }
}

/// The reason why a cluster is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ClusterError {
    /// No nodes, or more than the planner handles.
    #[error("nodes: {0} is not a whole number from 1 to {max}", max = Cluster::NODES_MAX)]
    Nodes(u32),
    /// No GPUs in a node, or more than the planner handles.
    #[error("GPUs per node: {0} is not a whole number from 1 to {max}", max = Cluster::GPUS_PER_NODE_MAX)]
    GpusPerNode(u32),
    /// A level without GPUs or nodes, or speeds outside 0.01 to 1.
    #[error("topology: at least 1 GPU a socket and 1 node a rack, speeds from 0.01 to 1")]
    Topology,
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
        Ok(Self { nodes, gpus_per_node, topology: None })
    }

    /// The cluster, with a topology: speed depends on the distance between the GPUs of a job.
    pub fn with_topology(self, topology: Topology) -> Result<Self, ClusterError> {
        match topology.is_good() {
            true => Ok(Self { topology: Some(topology), ..self }),
            false => Err(ClusterError::Topology),
        }
    }

    /// As many nodes and GPUs as told, with the same topology.
    pub fn resized(&self, nodes: u32, gpus_per_node: u32) -> Result<Self, ClusterError> {
        Ok(Self { topology: self.topology, ..Self::new(nodes, gpus_per_node)? })
    }

    /// The topology; `None` if distances do not count.
    pub fn topology(&self) -> Option<&Topology> {
        self.topology.as_ref()
    }

    /// The number of nodes.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The number of GPUs of each node.
    pub fn gpus_per_node(&self) -> u32 {
        self.gpus_per_node
    }

    /// All GPUs of the cluster: at most 2^22, so that it never overflows.
    pub fn gpus_total(&self) -> u32 {
        self.nodes * self.gpus_per_node
    }
}
