//! Nodes of the cluster and GPUs that jobs hold there.

use elastiplan_engine::{NodeGpus, View};
use elastiplan_model::JobId;

/// The nodes that are there now, in order.
pub(crate) fn present_nodes(view: &View<'_>) -> impl Iterator<Item = u32> {
    (0..view.nodes()).filter(|node| view.is_node_present(*node))
}

/// The GPUs of a node that a job holds.
pub(crate) fn gpus_held(view: &View<'_>, job: JobId, node: u32) -> u32 {
    view.place_of(job).iter().find(|held| held.node == node).map_or(0, |held| held.gpus())
}

/// Whether a job holds exactly these GPUs, which are in order of nodes.
pub(crate) fn holds(view: &View<'_>, job: JobId, on: &[NodeGpus]) -> bool {
    view.place_of(job).iter().map(|held| NodeGpus { node: held.node, gpus: held.gpus() }).eq(on.iter().copied())
}
