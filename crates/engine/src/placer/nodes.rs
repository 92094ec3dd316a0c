//! Shared by placers: finding a node, and taking GPUs there.

use elastiplan_model::JobId;

use crate::places::{Held, Places, choose_gpus};

/// The node with the fewest free GPUs, but at least so many; `None` if there is none.
pub(super) fn tightest(places: &Places, gpus: u32) -> Option<u32> {
    (gpus..=places.gpus_per_node()).find_map(|free| places.nodes_with_free(free).next())
}

/// The node with the most free GPUs; `None` if none is free.
pub(super) fn emptiest(places: &Places) -> Option<u32> {
    (1..=places.gpus_per_node()).rev().find_map(|free| places.nodes_with_free(free).next())
}

/// Allocates up to `gpus` GPUs of a node to a job; returns how many.
pub(super) fn take_from(places: &mut Places, job: JobId, node: u32, gpus: u32) -> u32 {
    let mask = choose_gpus(places.free_mask(node), gpus);
    places.take(job, Held { node, mask });
    mask.count_ones()
}
