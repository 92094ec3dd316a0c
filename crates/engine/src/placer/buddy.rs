//! `buddy`: aligned blocks, and migration where none is free (ElasticFlow, section 4.3).
//!
//! The cluster is a tree: GPUs, pairs, sockets, nodes, groups of 2, 4, 8 ... nodes. A job of a power of two of GPUs
//! gets a subtree, the smallest free one that is large enough (best fit). If none is free although GPUs are, smaller
//! jobs move out of the one with the fewest of them, and are placed anew in the same way.
//!
//! ```text
//! nodes of 4                   aabb ccdd
//! a and d end                  ..bb cc..
//! e asks for 4: b moves out    eeee ccbb
//! ```
//!
//! As long as jobs and nodes have powers of two of GPUs, this always works: what is in use of a block of `2^k` is held
//! by smaller jobs, or all of it by one job; so where `2^k` GPUs are free, one of the blocks has only smaller jobs in
//! it, and these have room elsewhere by the same argument. Hence the guarantee: after every decision each job of at
//! most a node's size is on one node in an aligned block, and each larger job has whole nodes. Whether these are
//! neighbours is left to best fit: no job moves for that.
//!
//! Other sizes are made of such blocks, on one node if there is one with room for all (6 = 4 + 2), else each by itself
//! (24 on nodes of 8 = 2 nodes + 1 node). Where nodes are no powers of two, a block that cannot be had is split; every
//! job still gets its number.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use elastiplan_model::JobId;

use crate::places::{Held, Places, choose_blocks, first_gpus};

pub(super) fn place(places: &mut Places, wanted: &[(JobId, u32)]) {
    for (job, _) in wanted {
        places.release(*job);
    }
    let per_node = places.gpus_per_node();
    let mut queue = Queue::default();
    for &(job, gpus) in wanted {
        let nodes = gpus / per_node;
        let groups = (0..32).map(|order| nodes & 1 << order);
        groups.for_each(|nodes| queue.add(job, nodes * per_node));
        queue.add(job, gpus % per_node);
    }
    while let Some(part) = queue.parts.pop() {
        place_part(places, &mut queue, &part);
    }
}

/// Parts of jobs to be placed.
#[derive(Default)]
struct Queue {
    parts: BinaryHeap<Part>,
    added: u32,
}

/// A part of a job. The largest come first, then those that were added first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    /// A power of two of nodes, or less than a node.
    gpus: u32,
    turn: Reverse<u32>,
    job: JobId,
}

impl Queue {
    fn add(&mut self, job: JobId, gpus: u32) {
        if gpus > 0 {
            self.parts.push(Part { gpus, turn: Reverse(self.added), job });
            self.added += 1;
        }
    }
}

/// Places a part where there is room for it, if necessary after moving other jobs out; or else queues smaller parts.
///
/// The loop around it ends because a part is only ever replaced by smaller ones.
fn place_part(places: &mut Places, queue: &mut Queue, part: &Part) {
    let &Part { gpus, job, .. } = part;
    let nodes = gpus / places.gpus_per_node();
    let free = if nodes > 0 { places.group_of_nodes(nodes) } else { room_on_one_node(places, gpus) };
    if let Some(first) = free {
        take(places, job, first, gpus);
    } else if nodes > 1 {
        queue.add(job, gpus / 2);
        queue.add(job, gpus / 2);
    } else if let Some(block) = cheapest_block(places, gpus) {
        for (job, gpus) in clear(places, block) {
            queue.add(job, gpus);
        }
        places.take(job, block);
    } else if gpus > 1 {
        let most = 1 << (gpus - 1).ilog2();
        queue.add(job, most);
        queue.add(job, gpus - most);
    }
}

/// Allocates aligned blocks of a node, or whole nodes from `first` on.
fn take(places: &mut Places, job: JobId, first: u32, gpus: u32) {
    let per_node = places.gpus_per_node();
    for node in first..first + gpus.div_ceil(per_node) {
        if let Some(mask) = choose_blocks(places.free_mask(node), gpus.min(per_node)) {
            places.take(job, Held { node, mask });
        }
    }
}

/// The node with the smallest free block for a part of a node; for a part that is no power of two, the first one on
/// which it would leave the fewest GPUs free.
fn room_on_one_node(places: &Places, gpus: u32) -> Option<u32> {
    if gpus.is_power_of_two() {
        return places.node_for_block(gpus).or_else(|| places.group_of_nodes(1));
    }
    let mut candidates = (gpus..=places.gpus_per_node()).filter_map(|free| places.nodes_with_free(free).next());
    candidates.find(|node| choose_blocks(places.free_mask(*node), gpus).is_some())
}

/// The block of a node out of which the fewest jobs must move, with the fewest GPUs; `None` if there is none that would
/// not just change its owner, or if `gpus` is neither a block nor a node.
fn cheapest_block(places: &Places, gpus: u32) -> Option<Held> {
    let per_node = places.gpus_per_node();
    if !gpus.is_power_of_two() && gpus != per_node {
        return None;
    }
    let mut best: Option<((u32, u32), Held)> = None;
    for free in (1..=per_node).rev() {
        let at_least = (1, gpus.saturating_sub(free));
        if best.is_some_and(|(cost, _)| cost <= at_least) {
            break;
        }
        let blocks = |node| (0..per_node / gpus).map(move |at| Held { node, mask: first_gpus(gpus) << (at * gpus) });
        for block in places.nodes_with_free(free).flat_map(blocks) {
            let cost = cost(places, block).filter(|cost| best.is_none_or(|(least, _)| *cost < least));
            best = cost.map(|cost| (cost, block)).or(best);
        }
    }
    best.map(|(_, block)| block)
}

/// Number of jobs that would have to leave a block, and of their GPUs; `None` if one job holds all of it.
fn cost(places: &Places, block: Held) -> Option<(u32, u32)> {
    let inside = |job: &&JobId| places.mask_on(**job, block.node) & block.mask != 0;
    let jobs = places.jobs_on(block.node).iter().filter(inside).count() as u32;
    let used = (block.mask & !places.free_mask(block.node)).count_ones();
    (jobs > 1 || used < block.gpus()).then_some((jobs, used))
}

/// Releases a block; returns the jobs that held a part of it, with the number of GPUs.
fn clear(places: &mut Places, block: Held) -> Vec<(JobId, u32)> {
    let inside = |job: &JobId| (*job, (places.mask_on(*job, block.node) & block.mask).count_ones());
    let mut moved: Vec<(JobId, u32)> = places.jobs_on(block.node).iter().map(inside).collect();
    moved.retain(|(_, gpus)| *gpus > 0);
    for (job, _) in &moved {
        places.give_back(*job, block);
    }
    moved
}
