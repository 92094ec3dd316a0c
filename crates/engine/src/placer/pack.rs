//! `pack`: on as few nodes as possible.
//!
//! A job whose number of GPUs changes is placed anew: it is restarted anyway. Of the ways to hold so many GPUs on the
//! fewest nodes it gets one that stays on its present nodes where that is no worse, and that ends on the node where the
//! rest fits most tightly, so that large gaps stay large. No other job is moved. Jobs that change together are placed
//! the largest first: small ones fit into what is left. Workers on one node synchronise faster (Pollux, section 3.2).
//!
//! ```text
//! nodes of 4; a and b hold 2 each on node 0, node 1 has 3 free, node 2 all 4
//! c asks for 3   node 1, which it fills
//! a asks for 4   node 2: whole on one node, where `keep` would add 2 there
//! a asks for 1   node 2 still, although node 0 would be tighter
//! ```

use elastiplan_model::{JobId, order};

use super::nodes::{emptiest, take_from, tightest};
use crate::places::Places;

pub(super) fn place(places: &mut Places, wanted: &[(JobId, u32)]) {
    let release = |&(job, gpus): &(JobId, u32)| (job, gpus, places.release(job));
    let mut largest_first: Vec<_> = wanted.iter().map(release).collect();
    order::sort_by_rank(&mut largest_first, |(_, gpus, _)| u64::from(!*gpus));
    for (job, gpus, before) in largest_first {
        let own = before.iter().map(|held| held.node).collect();
        place_anew(places, job, gpus, own);
    }
}

/// Places a job that holds no GPUs, on its `own` former nodes where that is no worse.
fn place_anew(places: &mut Places, job: JobId, gpus: u32, mut own: Vec<u32>) {
    order::sort_by_rank(&mut own, |node| u64::from(places.free_on(*node)));
    let mut more = gpus;
    while more > 0 {
        let nodes = fewest_nodes(places, more);
        // The node itself may be counted once more for the rest; but then it is one of the emptiest, and good.
        let is_as_good = |node: &u32| fewest_nodes(places, more.saturating_sub(places.free_on(*node))) < nodes;
        let found = match nodes {
            1 => tightest_of(places, &own, more).or_else(|| tightest(places, more)),
            // If the emptiest of them is not good enough, no other is.
            _ => own.pop_if(|node| is_as_good(node)).or_else(|| emptiest(places)),
        };
        let Some(node) = found else { break };
        more -= take_from(places, job, node, more);
    }
}

/// Of some nodes, the one with the fewest free GPUs, but at least so many.
fn tightest_of(places: &Places, nodes: &[u32], gpus: u32) -> Option<u32> {
    let enough = nodes.iter().copied().filter(|node| places.free_on(*node) >= gpus);
    enough.min_by_key(|node| (places.free_on(*node), *node))
}

/// The smallest number of nodes whose free GPUs suffice.
fn fewest_nodes(places: &Places, gpus: u32) -> u32 {
    let (mut nodes, mut rest) = (0, gpus);
    for free in (1..=places.gpus_per_node()).rev() {
        let used = places.count_with_free(free).min(rest.div_ceil(free));
        nodes += used;
        rest = rest.saturating_sub(used * free);
        if rest == 0 {
            return nodes;
        }
    }
    u32::MAX
}
