//! What placers have in common: finding a node, and taking GPUs there.

use elastiplan_model::JobId;

use crate::places::{Held, Places, choose_gpus};

/// The node that would have the fewest GPUs left; `None` if no node has so many free.
pub(super) fn tightest(places: &Places, gpus: u32) -> Option<u32> {
    (gpus..=places.gpus_per_node()).find_map(|free| places.nodes_with_free(free).next())
}

/// The node with the most free GPUs; `None` if all are full.
pub(super) fn emptiest(places: &Places) -> Option<u32> {
    (1..=places.gpus_per_node()).rev().find_map(|free| places.nodes_with_free(free).next())
}

/// Gives a job up to `gpus` GPUs of a node, and says how many it took.
pub(super) fn take_from(places: &mut Places, job: JobId, node: u32, gpus: u32) -> u32 {
    let mask = choose_gpus(places.free_mask(node), gpus);
    places.take(job, Held { node, mask });
    mask.count_ones()
}
