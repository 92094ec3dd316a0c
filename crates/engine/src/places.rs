//! Which job holds which GPUs of which node.
//!
//! What a placer looks for is kept at hand: nodes by how many of their GPUs are free, and free aligned blocks. So a
//! decision about one job costs the same on 3 nodes and on 60,000.

mod blocks;
mod gpus;
mod node_set;
#[cfg(test)]
mod tests;

use elastiplan_model::{Cluster, JobId};

pub use gpus::choose_gpus;
pub(crate) use gpus::{choose_blocks, first_gpus};

use blocks::FreeBlocks;
use node_set::NodeSet;

/// GPUs of one node that one job holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The node, counted from 0.
    pub node: u32,
    /// Which of its GPUs: bit `k` is GPU `k`. Never 0.
    pub mask: u64,
}

impl Held {
    /// How many GPUs.
    pub fn gpus(&self) -> u32 {
        self.mask.count_ones()
    }
}

/// Every node's free GPUs and every job's place.
#[derive(Clone, Debug)]
pub struct Places {
    gpus_per_node: u32,
    /// Free GPUs of each node as bits; none for a node that is not there.
    free: Vec<u64>,
    present: Vec<bool>,
    /// Nodes that are there, by how many of their GPUs are free.
    by_free: Vec<NodeSet>,
    blocks: FreeBlocks,
    /// Jobs on each node, in the order in which they came.
    jobs_on: Vec<Vec<JobId>>,
    /// What each job holds, in order of nodes.
    held_by: Vec<Vec<Held>>,
    gpus_present: u32,
    gpus_free: u32,
    /// Jobs whose place may have changed, with what they held before.
    touched: Vec<(JobId, Vec<Held>)>,
    is_touched: Vec<bool>,
}

impl Places {
    pub(crate) fn new(cluster: &Cluster, jobs: usize) -> Self {
        let (nodes, gpus_per_node) = (cluster.nodes(), cluster.gpus_per_node());
        Self {
            gpus_per_node,
            free: vec![0; nodes as usize],
            present: vec![false; nodes as usize],
            by_free: vec![NodeSet::new(nodes); gpus_per_node as usize + 1],
            blocks: FreeBlocks::new(nodes, first_gpus(gpus_per_node)),
            jobs_on: vec![Vec::new(); nodes as usize],
            held_by: vec![Vec::new(); jobs],
            gpus_present: 0,
            gpus_free: 0,
            touched: Vec::new(),
            is_touched: vec![false; jobs],
        }
    }

    /// GPUs of each node.
    pub fn gpus_per_node(&self) -> u32 {
        self.gpus_per_node
    }

    /// Nodes that there can be; some may be away.
    pub fn nodes(&self) -> u32 {
        self.free.len() as u32
    }

    /// Whether a node is there.
    pub fn is_present(&self, node: u32) -> bool {
        self.present.get(node as usize).copied().unwrap_or(false)
    }

    /// GPUs of the nodes that are there.
    pub fn gpus_present(&self) -> u32 {
        self.gpus_present
    }

    /// GPUs that no job holds.
    pub fn gpus_free(&self) -> u32 {
        self.gpus_free
    }

    /// The free GPUs of a node, as bits.
    pub fn free_mask(&self, node: u32) -> u64 {
        self.free.get(node as usize).copied().unwrap_or(0)
    }

    /// How many GPUs of a node are free.
    pub fn free_on(&self, node: u32) -> u32 {
        self.free_mask(node).count_ones()
    }

    /// Nodes that are there with exactly so many free GPUs, in order.
    pub fn nodes_with_free(&self, gpus: u32) -> impl Iterator<Item = u32> {
        self.by_free.get(gpus as usize).into_iter().flat_map(NodeSet::iter)
    }

    /// How many nodes are there with exactly so many free GPUs.
    pub fn count_with_free(&self, gpus: u32) -> u32 {
        self.by_free.get(gpus as usize).map_or(0, NodeSet::len)
    }

    /// A node, partly in use, on which the smallest free aligned block with `gpus` GPUs is; a power of two.
    pub fn node_for_block(&self, gpus: u32) -> Option<u32> {
        self.blocks.node_for(gpus.ilog2())
    }

    /// The first node of the smallest free aligned group that has `nodes` nodes; a power of two.
    pub fn group_of_nodes(&self, nodes: u32) -> Option<u32> {
        self.blocks.group_for(nodes.ilog2())
    }

    /// Jobs that hold GPUs of a node.
    pub fn jobs_on(&self, node: u32) -> &[JobId] {
        self.jobs_on.get(node as usize).map_or(&[], Vec::as_slice)
    }

    /// What a job holds, in order of nodes.
    pub fn of(&self, job: JobId) -> &[Held] {
        self.held_by.get(job.index()).map_or(&[], Vec::as_slice)
    }

    /// How many GPUs a job holds.
    pub fn gpus_of(&self, job: JobId) -> u32 {
        self.of(job).iter().map(Held::gpus).sum()
    }

    /// What a job holds of one node, as bits.
    pub fn mask_on(&self, job: JobId, node: u32) -> u64 {
        let held = self.of(job);
        held.binary_search_by_key(&node, |held| held.node).ok().and_then(|at| held.get(at)).map_or(0, |held| held.mask)
    }

    /// The fewest nodes that have so many GPUs.
    pub fn nodes_needed(&self, gpus: u32) -> u32 {
        gpus.div_ceil(self.gpus_per_node)
    }

    pub(crate) fn add_node(&mut self, node: u32) {
        let Some(present) = self.present.get_mut(node as usize).filter(|present| !**present) else { return };
        *present = true;
        self.gpus_present += self.gpus_per_node;
        if let Some(nodes) = self.by_free.first_mut() {
            nodes.insert(node);
        }
        self.set_free(node, first_gpus(self.gpus_per_node));
    }

    /// Takes a node away. What jobs hold there must have been released.
    pub(crate) fn remove_node(&mut self, node: u32) {
        let Some(present) = self.present.get_mut(node as usize).filter(|present| **present) else { return };
        *present = false;
        self.gpus_present -= self.gpus_per_node;
        self.set_free(node, 0);
        if let Some(nodes) = self.by_free.first_mut() {
            nodes.remove(node);
        }
    }

    /// Gives a job free GPUs of a node; false and nothing done if one of them is not free.
    pub fn take(&mut self, job: JobId, taken: Held) -> bool {
        let free = self.free_mask(taken.node);
        if free & taken.mask != taken.mask || job.index() >= self.held_by.len() {
            return false;
        }
        if taken.mask == 0 {
            return true;
        }
        self.note(job);
        self.set_free(taken.node, free & !taken.mask);
        let Some(held) = self.held_by.get_mut(job.index()) else { return false };
        match held.binary_search_by_key(&taken.node, |held| held.node) {
            Ok(at) => held.iter_mut().skip(at).take(1).for_each(|held| held.mask |= taken.mask),
            Err(at) => {
                held.insert(at, taken);
                if let Some(jobs) = self.jobs_on.get_mut(taken.node as usize) {
                    jobs.push(job);
                }
            }
        }
        true
    }

    /// Takes GPUs of a node from a job, as far as it holds them.
    pub fn give_back(&mut self, job: JobId, given: Held) {
        let Ok(at) = self.of(job).binary_search_by_key(&given.node, |held| held.node) else { return };
        let freed = self.of(job).get(at).map_or(0, |held| held.mask & given.mask);
        if freed == 0 {
            return;
        }
        self.note(job);
        let Some(held) = self.held_by.get_mut(job.index()) else { return };
        let Some(there) = held.get_mut(at) else { return };
        there.mask &= !freed;
        if there.mask == 0 {
            held.remove(at);
            self.forget(job, given.node);
        }
        self.set_free(given.node, self.free_mask(given.node) | freed);
    }

    /// Takes everything from a job, and says what it was.
    pub fn release(&mut self, job: JobId) -> Vec<Held> {
        let Some(held) = self.held_by.get_mut(job.index()).filter(|held| !held.is_empty()) else { return Vec::new() };
        let held = std::mem::take(held);
        for Held { node, mask } in held.iter().copied() {
            self.forget(job, node);
            self.set_free(node, self.free_mask(node) | mask);
        }
        self.note_before(job, || held.clone());
        held
    }

    /// Remembers what a job holds before it is first touched.
    fn note(&mut self, job: JobId) {
        if self.is_touched.get(job.index()) == Some(&false) {
            let before = self.of(job).to_vec();
            self.note_before(job, || before);
        }
    }

    fn note_before(&mut self, job: JobId, before: impl FnOnce() -> Vec<Held>) {
        if let Some(known) = self.is_touched.get_mut(job.index()).filter(|known| !**known) {
            *known = true;
            self.touched.push((job, before()));
        }
    }

    /// What each job held whose place is another than when this was last asked, in order of submission.
    pub(crate) fn take_touched(&mut self) -> Vec<(JobId, Vec<Held>)> {
        let mut touched = std::mem::take(&mut self.touched);
        for (job, _) in &touched {
            if let Some(known) = self.is_touched.get_mut(job.index()) {
                *known = false;
            }
        }
        touched.retain(|(job, before)| self.of(*job) != before);
        touched.sort_unstable_by_key(|(job, _)| *job);
        touched
    }

    /// A job is no longer on a node.
    fn forget(&mut self, job: JobId, node: u32) {
        if let Some(jobs) = self.jobs_on.get_mut(node as usize) {
            jobs.retain(|other| *other != job);
        }
    }

    fn set_free(&mut self, node: u32, mask: u64) {
        let Some(free) = self.free.get_mut(node as usize) else { return };
        let before = std::mem::replace(free, mask);
        self.blocks.change(node, before, mask);
        let (before, after) = (before.count_ones(), mask.count_ones());
        self.gpus_free = self.gpus_free + after - before;
        if let Some(nodes) = self.by_free.get_mut(before as usize) {
            nodes.remove(node);
        }
        if let Some(nodes) = self.by_free.get_mut(after as usize) {
            nodes.insert(node);
        }
    }
}
