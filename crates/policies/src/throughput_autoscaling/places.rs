//! Placement of jobs on the nodes that stay when others are released.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use elastiplan_engine::{Held, NodeGpus, View};
use elastiplan_model::JobId;
use elastiplan_model::order::sort_by_key;

/// Places the `wanted` GPUs of each job on these nodes, which have enough. A job keeps the GPUs that it holds there,
/// first on the node where it holds most; further GPUs are on the node that fits most tightly, or else on the emptiest.
pub(super) fn places(view: &View<'_>, nodes: &[u32], wanted: &[(JobId, u32)]) -> Vec<Vec<NodeGpus>> {
    let mut room = Room::new(nodes, view.gpus_per_node());
    let keep = |(job, gpus): &(JobId, u32)| {
        let mut held: Vec<&Held> = view.place_of(*job).iter().collect();
        sort_by_key(&mut held, |held| (Reverse(held.gpus()), held.node));
        let mut place = BTreeMap::new();
        let mut left = *gpus;
        for held in held {
            left -= room.take(&mut place, held.node, held.gpus().min(left));
        }
        (place, left)
    };
    let mut kept: Vec<(BTreeMap<u32, u32>, u32)> = wanted.iter().map(keep).collect();
    for (place, left) in &mut kept {
        while let Some(node) = room.node_for(*left) {
            *left -= room.take(place, node, *left);
        }
    }
    let on = |place: BTreeMap<u32, u32>| place.into_iter().map(|(node, gpus)| NodeGpus { node, gpus }).collect();
    kept.into_iter().map(|(place, _)| on(place)).collect()
}

/// Free GPUs.
struct Room {
    on: BTreeMap<u32, u32>,
    /// By GPUs and node, without nodes that are full.
    by_gpus: BTreeSet<(u32, u32)>,
}

impl Room {
    fn new(nodes: &[u32], gpus_per_node: u32) -> Self {
        let on = nodes.iter().map(|node| (*node, gpus_per_node)).collect();
        Self { on, by_gpus: nodes.iter().map(|node| (gpus_per_node, *node)).collect() }
    }

    /// Adds up to so many free GPUs of a node to a place. Returns how many.
    fn take(&mut self, place: &mut BTreeMap<u32, u32>, node: u32, gpus: u32) -> u32 {
        let Some(free) = self.on.get_mut(&node) else { return 0 };
        let taken = gpus.min(*free);
        if taken > 0 {
            self.by_gpus.remove(&(*free, node));
            *free -= taken;
            self.by_gpus.extend((*free > 0).then_some((*free, node)));
            *place.entry(node).or_default() += taken;
        }
        taken
    }

    /// The first of the fullest nodes with so many free GPUs, or else the first of the emptiest.
    fn node_for(&self, gpus: u32) -> Option<u32> {
        if gpus == 0 {
            return None;
        }
        let most = self.by_gpus.last()?.0;
        self.by_gpus.range((gpus.min(most), 0)..).next().map(|(_, node)| *node)
    }
}
