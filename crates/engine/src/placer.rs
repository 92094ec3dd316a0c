//! Placers: the choice of GPUs for policies that decide only how many each job gets.
//!
//! A placer is one file, one line in [`place`] and a variant of [`Placement`].

mod buddy;
mod keep;
mod nodes;
mod pack;
mod spread;
#[cfg(test)]
mod tests;

use elastiplan_model::JobId;
use elastiplan_scenario::Placement;

use crate::places::Places;

pub(crate) use keep::{grow, shrink};

/// Chooses the GPUs of jobs by a rule.
///
/// `wanted` holds the jobs whose number of GPUs changes, in the order of the policy's actions (0: the job releases
/// all). The placer changes `places` so that each of them has its number; there are enough GPUs, and the engine checks
/// the result. It may move other jobs, but not change how many GPUs they have.
pub(crate) fn place(placement: Placement, places: &mut Places, wanted: &[(JobId, u32)]) {
    match placement {
        Placement::Keep => keep::place(places, wanted),
        Placement::Pack => pack::place(places, wanted),
        Placement::Spread => spread::place(places, wanted),
        Placement::Buddy => buddy::place(places, wanted),
    }
}
