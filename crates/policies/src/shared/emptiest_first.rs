//! GPUs from the emptiest nodes: how the rivals in Pollux's published simulator are placed.

use std::collections::BTreeMap;

use elastiplan_engine::{NodeGpus, View};
use elastiplan_model::JobId;

/// Free GPUs of each node while jobs are placed.
pub(crate) struct FreeNodes {
    gpus: Vec<u32>,
}

impl FreeNodes {
    /// The GPUs that are free once the jobs `leaving` have released theirs.
    pub fn without(view: &View<'_>, leaving: impl IntoIterator<Item = JobId>) -> Self {
        let mut gpus: Vec<u32> = (0..view.nodes()).map(|node| view.gpus_free_on(node)).collect();
        for job in leaving {
            for held in view.place_of(job) {
                if let Some(free) = gpus.get_mut(held.node as usize) {
                    *free += held.gpus();
                }
            }
        }
        Self { gpus }
    }

    /// Takes GPUs from the node with most free ones (of equal nodes the first), until there are enough. The caller has
    /// checked that so many are free.
    pub fn take(&mut self, gpus: u32) -> Vec<NodeGpus> {
        let mut on: BTreeMap<u32, u32> = BTreeMap::new();
        let mut left = gpus;
        while left > 0 {
            let most = (0..).zip(&mut self.gpus).max_by_key(|(node, free)| (**free, std::cmp::Reverse(*node)));
            let Some((node, free)) = most.filter(|(_, free)| **free > 0) else { break };
            let taken = left.min(*free);
            *free -= taken;
            left -= taken;
            *on.entry(node).or_default() += taken;
        }
        on.into_iter().map(|(node, gpus)| NodeGpus { node, gpus }).collect()
    }
}
