//! Aligned blocks of free GPUs: the free lists of a buddy allocator.

use super::gpus::block_sizes;
use super::node_set::NodeSet;

/// Maximal free aligned blocks: within nodes that are partly in use, and groups of nodes that are wholly free.
#[derive(Clone, Debug)]
pub(super) struct FreeBlocks {
    /// All GPUs of a node.
    whole: u64,
    /// For each `k`, the nodes, partly in use, with a maximal free block of `2^k` GPUs.
    in_node: [NodeSet; 7],
    /// For each `k`, the maximal groups of `2^k` free nodes: group `g` starts at node `g * 2^k`.
    groups: Vec<NodeSet>,
}

impl FreeBlocks {
    pub fn new(nodes: u32, whole: u64) -> Self {
        let orders = 0..=nodes.max(1).ilog2();
        Self {
            whole,
            in_node: std::array::from_fn(|_| NodeSet::new(nodes)),
            groups: orders.map(|order| NodeSet::new(nodes >> order)).collect(),
        }
    }

    /// Updates the blocks for a node whose free GPUs were `before` and are `after`.
    pub fn change(&mut self, node: u32, before: u64, after: u64) {
        if before == self.whole {
            self.split(node);
        }
        let (had, has) = (self.sizes(before), self.sizes(after));
        for (order, nodes) in self.in_node.iter_mut().enumerate().filter(|(order, _)| (had ^ has) >> order & 1 == 1) {
            match has >> order & 1 {
                0 => nodes.remove(node),
                _ => nodes.insert(node),
            };
        }
        if after == self.whole {
            self.merge(node);
        }
    }

    /// A node, partly in use, with the smallest free block of at least `2^order` GPUs.
    pub fn node_for(&self, order: u32) -> Option<u32> {
        self.in_node.iter().skip(order as usize).find_map(|nodes| nodes.iter().next())
    }

    /// The first node of the smallest free group of at least `2^order` nodes.
    pub fn group_for(&self, order: u32) -> Option<u32> {
        let mut groups = (0_u32..).zip(&self.groups).skip(order as usize);
        groups.find_map(|(order, groups)| Some(groups.iter().next()? << order))
    }

    fn sizes(&self, free: u64) -> u32 {
        if free == self.whole { 0 } else { block_sizes(free) }
    }

    /// Adds a free node; groups merge with their neighbour as long as that is free too.
    fn merge(&mut self, node: u32) {
        let mut group = node;
        for groups in &mut self.groups {
            if !groups.remove(group ^ 1) {
                groups.insert(group);
                return;
            }
            group /= 2;
        }
    }

    /// Removes a free node; its group is split into halves.
    fn split(&mut self, node: u32) {
        let mut orders = 0..self.groups.len();
        let found = orders.find(|order| self.groups.get_mut(*order).is_some_and(|groups| groups.remove(node >> order)));
        for (order, groups) in self.groups.iter_mut().enumerate().take(found.unwrap_or(0)) {
            groups.insert(node >> order ^ 1);
        }
    }
}
