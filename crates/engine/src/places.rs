//! The GPUs of each node that each job holds.
//!
//! Nodes are indexed by their free GPUs and free aligned blocks, so that placing one job costs the same on 3 nodes and
//! on 60,000.

mod blocks;
mod gpus;
mod node_set;
#[cfg(test)]
mod tests;

use elastiplan_model::{Cluster, JobId, order};

use crate::invariants::Invariants;

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

/// The free GPUs of each node and the place of each job.
#[derive(Clone, Debug)]
pub struct Places {
    gpus_per_node: u32,
    /// Nodes of the cluster; the lists below may be longer, by nodes that have left it for good.
    nodes: u32,
    /// Free GPUs of each node as bits; none for an absent node.
    free: Vec<u64>,
    present: Vec<bool>,
    /// Present nodes, by number of free GPUs.
    by_free: Vec<NodeSet>,
    blocks: FreeBlocks,
    /// Jobs on each node, in order of arrival.
    jobs_on: Vec<Vec<JobId>>,
    /// What each job holds, in order of nodes.
    held_by: Vec<Vec<Held>>,
    gpus_present: u32,
    gpus_free: u32,
    /// Jobs whose place may have changed, with their place before.
    touched: Vec<(JobId, Vec<Held>)>,
    is_touched: Vec<bool>,
    pub(crate) invariants: Invariants,
}

impl Places {
    pub(crate) fn new(cluster: &Cluster, jobs: usize) -> Self {
        let (nodes, gpus_per_node) = (cluster.nodes(), cluster.gpus_per_node());
        Self {
            gpus_per_node,
            nodes,
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
            invariants: Invariants::default(),
        }
    }

    /// GPUs of each node.
    pub fn gpus_per_node(&self) -> u32 {
        self.gpus_per_node
    }

    /// Nodes of the cluster, absent ones included.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The most nodes that the cluster has had.
    pub(crate) fn nodes_ever(&self) -> u32 {
        self.free.len() as u32
    }

    /// Sets the number of nodes of the cluster. Nodes beyond it must have been removed; new ones are absent.
    pub(crate) fn resize(&mut self, nodes: u32) {
        self.nodes = nodes;
        if nodes <= self.nodes_ever() {
            return;
        }
        self.free.resize(nodes as usize, 0);
        self.present.resize(nodes as usize, false);
        self.jobs_on.resize(nodes as usize, Vec::new());
        self.by_free = vec![NodeSet::new(nodes); self.gpus_per_node as usize + 1];
        self.blocks = FreeBlocks::new(nodes, first_gpus(self.gpus_per_node));
        for (node, free) in (0..).zip(&self.free).filter(|(node, _)| self.present.get(*node as usize) == Some(&true)) {
            self.blocks.change(node, 0, *free);
            if let Some(nodes) = self.by_free.get_mut(free.count_ones() as usize) {
                nodes.insert(node);
            }
        }
    }

    /// Whether a node is present.
    pub fn is_present(&self, node: u32) -> bool {
        self.present.get(node as usize).copied().unwrap_or(false)
    }

    /// GPUs of the nodes that are present.
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

    /// Present nodes with exactly so many free GPUs, in order.
    pub fn nodes_with_free(&self, gpus: u32) -> impl Iterator<Item = u32> {
        self.by_free.get(gpus as usize).into_iter().flat_map(NodeSet::iter)
    }

    /// Number of present nodes with exactly so many free GPUs.
    pub fn count_with_free(&self, gpus: u32) -> u32 {
        self.by_free.get(gpus as usize).map_or(0, NodeSet::len)
    }

    /// A node, partly in use, with the smallest free aligned block of at least `gpus` GPUs, a power of two.
    pub fn node_for_block(&self, gpus: u32) -> Option<u32> {
        self.blocks.node_for(gpus.ilog2())
    }

    /// The first node of the smallest free aligned group of at least `nodes` nodes, a power of two.
    pub fn group_of_nodes(&self, nodes: u32) -> Option<u32> {
        self.blocks.group_for(nodes.ilog2())
    }

    /// Jobs that hold GPUs of a node.
    pub fn jobs_on(&self, node: u32) -> &[JobId] {
        self.jobs_on.get(node as usize).map_or(&[], Vec::as_slice)
    }

    /// The place of a job, in order of nodes.
    pub fn of(&self, job: JobId) -> &[Held] {
        self.held_by.get(job.index()).map_or(&[], Vec::as_slice)
    }

    /// How many GPUs a job holds.
    pub fn gpus_of(&self, job: JobId) -> u32 {
        self.of(job).iter().map(Held::gpus).sum()
    }

    /// GPUs of one node that a job holds, as bits.
    pub fn mask_on(&self, job: JobId, node: u32) -> u64 {
        let held = self.of(job);
        held.binary_search_by_key(&node, |held| held.node).ok().and_then(|at| held.get(at)).map_or(0, |held| held.mask)
    }

    /// The fewest nodes that have so many GPUs.
    pub fn nodes_needed(&self, gpus: u32) -> u32 {
        gpus.div_ceil(self.gpus_per_node)
    }

    /// Adds a node, with all GPUs free.
    pub(crate) fn add_node(&mut self, node: u32) {
        let absent = self.present.get_mut(node as usize).filter(|present| !**present);
        let Some(present) = self.invariants.require(absent, "an absent node", None) else { return };
        *present = true;
        self.gpus_present += self.gpus_per_node;
        if let Some(nodes) = self.by_free.first_mut() {
            nodes.insert(node);
        }
        self.set_free(node, first_gpus(self.gpus_per_node));
    }

    /// Removes a node, whose GPUs must all have been released.
    pub(crate) fn remove_node(&mut self, node: u32) {
        let present = self.present.get_mut(node as usize).filter(|present| **present);
        let Some(present) = self.invariants.require(present, "a node that is present", None) else { return };
        *present = false;
        self.gpus_present -= self.gpus_per_node;
        self.set_free(node, 0);
        if let Some(nodes) = self.by_free.first_mut() {
            nodes.remove(node);
        }
    }

    /// Allocates free GPUs of a node to a job. The caller has checked that they are free.
    pub fn take(&mut self, job: JobId, taken: Held) {
        let free = self.free_mask(taken.node);
        if !self.invariants.check(free & taken.mask == taken.mask, "free GPUs to allocate", Some(job))
            || taken.mask == 0
        {
            return;
        }
        self.touch(job);
        let Some(held) = job_entry(&mut self.held_by, job, &self.invariants) else { return };
        match held.binary_search_by_key(&taken.node, |held| held.node) {
            Ok(at) => held.iter_mut().skip(at).take(1).for_each(|held| held.mask |= taken.mask),
            Err(at) => {
                held.insert(at, taken);
                if let Some(jobs) = self.jobs_on.get_mut(taken.node as usize) {
                    jobs.push(job);
                }
            }
        }
        self.set_free(taken.node, free & !taken.mask);
    }

    /// Releases GPUs of a node, as far as the job holds them.
    pub fn give_back(&mut self, job: JobId, given: Held) {
        // A job that holds none of them has nothing to release.
        let Ok(at) = self.of(job).binary_search_by_key(&given.node, |held| held.node) else { return };
        let freed = self.of(job).get(at).map_or(0, |held| held.mask & given.mask);
        if freed == 0 {
            return;
        }
        self.touch(job);
        let Some(places) = job_entry(&mut self.held_by, job, &self.invariants) else { return };
        places.iter_mut().skip(at).take(1).for_each(|held| held.mask &= !freed);
        if places.get(at).is_some_and(|held| held.mask == 0) {
            places.remove(at);
            self.remove_from_node(job, given.node);
        }
        self.set_free(given.node, self.free_mask(given.node) | freed);
    }

    /// Releases everything that a job holds, and returns it.
    pub fn release(&mut self, job: JobId) -> Vec<Held> {
        let Some(held) = job_entry(&mut self.held_by, job, &self.invariants) else { return Vec::new() };
        let held = std::mem::take(held);
        if held.is_empty() {
            return held;
        }
        for Held { node, mask } in held.iter().copied() {
            self.remove_from_node(job, node);
            self.set_free(node, self.free_mask(node) | mask);
        }
        self.touch_with(job, || held.clone());
        held
    }

    /// Records the place of a job before its first change.
    fn touch(&mut self, job: JobId) {
        if self.is_touched.get(job.index()) == Some(&false) {
            let before = self.of(job).to_vec();
            self.touch_with(job, || before);
        }
    }

    fn touch_with(&mut self, job: JobId, before: impl FnOnce() -> Vec<Held>) {
        let Some(is_touched) = job_entry(&mut self.is_touched, job, &self.invariants) else { return };
        if !*is_touched {
            *is_touched = true;
            self.touched.push((job, before()));
        }
    }

    /// Jobs whose place differs from that at the last call, with their place then, in order of submission.
    pub(crate) fn take_touched(&mut self) -> Vec<(JobId, Vec<Held>)> {
        let mut touched = std::mem::take(&mut self.touched);
        for (job, _) in &touched {
            if let Some(is_touched) = job_entry(&mut self.is_touched, *job, &self.invariants) {
                *is_touched = false;
            }
        }
        touched.retain(|(job, before)| self.of(*job) != before);
        order::sort_by_rank(&mut touched, |(job, _)| u64::from(job.0));
        touched
    }

    fn remove_from_node(&mut self, job: JobId, node: u32) {
        if let Some(jobs) = self.jobs_on.get_mut(node as usize) {
            jobs.retain(|other| *other != job);
        }
    }

    fn set_free(&mut self, node: u32, mask: u64) {
        let free = self.invariants.require(self.free.get_mut(node as usize), "a known node", None);
        let Some(free) = free else { return };
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

/// The entry of a job that is known to exist.
#[track_caller]
fn job_entry<'a, T>(entries: &'a mut [T], job: JobId, invariants: &Invariants) -> Option<&'a mut T> {
    invariants.require(entries.get_mut(job.index()), "a known job", Some(job))
}
