//! `keep`: jobs keep their GPUs.
//!
//! A job that shrinks releases the nodes on which it holds least; a job that grows takes what is free on its own nodes,
//! then the node on which the rest fits most tightly, or else the emptiest nodes. No job is moved (BFTrainer, section
//! 3.3: Trainers do not migrate).
//!
//! ```text
//! nodes of 4; a holds 2 on node 0, b holds 3 on node 1
//! c asks for 1   it goes to node 1, which it fills
//! a asks for 4   the other two of node 0
//! ```

use elastiplan_model::{JobId, order};

use super::nodes::{emptiest, take_from, tightest};
use crate::places::{Held, Places, choose_gpus};

pub(super) fn place(places: &mut Places, wanted: &[(JobId, u32)]) {
    for &(job, gpus) in wanted {
        shrink(places, job, gpus);
    }
    for &(job, gpus) in wanted {
        grow(places, job, gpus);
    }
}

/// Releases what a job holds beyond `gpus`, first on the nodes where it holds least.
pub(crate) fn shrink(places: &mut Places, job: JobId, gpus: u32) {
    if gpus == 0 {
        places.release(job);
        return;
    }
    let mut surplus = places.gpus_of(job).saturating_sub(gpus);
    if surplus == 0 {
        return;
    }
    let mut least_first = places.of(job).to_vec();
    order::sort_by_rank(&mut least_first, |held| u64::from(held.gpus()) << 32 | u64::from(!held.node));
    for Held { node, mask } in least_first {
        let given = mask.count_ones().min(surplus);
        surplus -= given;
        let kept = choose_gpus(mask, mask.count_ones() - given);
        places.give_back(job, Held { node, mask: mask & !kept });
    }
}

/// Allocates further GPUs to a job, up to `gpus`.
pub(crate) fn grow(places: &mut Places, job: JobId, gpus: u32) {
    let mut more = gpus.saturating_sub(places.gpus_of(job));
    if more == 0 {
        return;
    }
    for Held { node, .. } in places.of(job).to_vec() {
        more -= take_from(places, job, node, more);
    }
    while more > 0
        && let Some(node) = tightest(places, more).or_else(|| emptiest(places))
    {
        more -= take_from(places, job, node, more);
    }
}
