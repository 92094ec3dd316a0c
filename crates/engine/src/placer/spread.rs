//! `spread`: all nodes are kept equally full.
//!
//! A job that grows takes GPUs one by one, each from the node with the most free GPUs; a job that shrinks releases
//! them one by one, each on the fullest of its nodes. No job is moved. It is the opposite of `pack`: close to the most
//! pessimistic placement, with all workers of a job on different nodes (ElasticFlow, section 4.3), it shows what
//! placement can cost.
//!
//! ```text
//! nodes of 4       free: 1 4 4
//! b asks for 5     2 on node 1, 2 on node 2, then one more on node 1     free: 1 1 2
//! b asks for 3     one back on node 1, then one on node 2                free: 1 2 3
//! ```

use std::cmp::Reverse;
use std::collections::BTreeSet;

use elastiplan_model::{JobId, order};

use super::nodes::take_from;
use crate::places::{Held, Places, choose_gpus};

pub(super) fn place(places: &mut Places, wanted: &[(JobId, u32)]) {
    for &(job, gpus) in wanted {
        shrink(places, job, gpus);
    }
    for &(job, gpus) in wanted {
        grow(places, job, gpus);
    }
}

/// Releases what a job holds beyond `gpus`, one by one on the fullest of its nodes; of equals on the last.
fn shrink(places: &mut Places, job: JobId, gpus: u32) {
    if gpus == 0 {
        places.release(job);
        return;
    }
    let surplus = places.gpus_of(job).saturating_sub(gpus);
    if surplus == 0 {
        return;
    }
    // Free GPUs and node come first: they are the order. Then what is given back so far, of what is held.
    let on_node = |held: &Held| (places.free_on(held.node), Reverse(held.node), 0, held.mask);
    let mut fullest_first: BTreeSet<(u32, Reverse<u32>, u32, u64)> = places.of(job).iter().map(on_node).collect();
    for _ in 0..surplus {
        let Some((free, Reverse(node), given, mask)) = fullest_first.pop_first() else { break };
        if given + 1 == mask.count_ones() {
            places.give_back(job, Held { node, mask });
        } else {
            fullest_first.insert((free + 1, Reverse(node), given + 1, mask));
        }
    }
    for (_, Reverse(node), given, mask) in fullest_first {
        let kept = choose_gpus(mask, mask.count_ones() - given);
        places.give_back(job, Held { node, mask: mask & !kept });
    }
}

/// Allocates further GPUs to a job, up to `gpus`, one by one on the node with the most free GPUs; of equals on the
/// first.
fn grow(places: &mut Places, job: JobId, gpus: u32) {
    let more = gpus.saturating_sub(places.gpus_of(job));
    if more > 0 {
        for (node, gpus) in evened_out(places, more) {
            take_from(places, job, node, gpus);
        }
    }
}

/// Nodes with the GPUs to take there if each of `more` GPUs comes from the node that then has the most free: what they
/// have above a common level, and one more on the first of them.
fn evened_out(places: &Places, more: u32) -> Vec<(u32, u32)> {
    let (mut level, mut above, mut rest) =
        (places.gpus_per_node(), places.count_with_free(places.gpus_per_node()), more);
    while level > 0 && above <= rest {
        rest -= above;
        level -= 1;
        above += places.count_with_free(level);
    }
    let higher = (level + 1..=places.gpus_per_node()).flat_map(|free| places.nodes_with_free(free));
    let at_level = places.nodes_with_free(level).take(rest as usize);
    let mut nodes: Vec<u32> = higher.chain(at_level).collect();
    order::sort_by_rank(&mut nodes, |node| u64::from(*node));
    let one_more = |at: usize| u32::from(at < rest as usize);
    let gives = |(at, node): (usize, u32)| (node, places.free_on(node) - level + one_more(at));
    nodes.into_iter().enumerate().map(gives).filter(|(_, gpus)| *gpus > 0).collect()
}
