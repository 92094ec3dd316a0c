//! Placers: the choice of GPUs for policies that decide only how many each job gets.
//!
//! A placer is one file, one line in [`placer_of`] and a variant of [`Placement`].

mod buddy;
mod keep;
mod nodes;
mod pack;
mod spread;
#[cfg(test)]
mod tests;

use dyn_clone::DynClone;
use elastiplan_model::JobId;
use elastiplan_scenario::Placement;

use crate::places::Places;

pub(crate) use keep::{grow, shrink};

/// The placer that follows a rule.
pub(crate) fn placer_of(placement: Placement) -> Box<dyn Placer> {
    match placement {
        Placement::Keep => Box::new(keep::Keep),
        Placement::Pack => Box::new(pack::Pack),
        Placement::Spread => Box::new(spread::Spread),
        Placement::Buddy => Box::new(buddy::Buddy),
    }
}

/// Chooses the GPUs of jobs.
///
/// `wanted` holds the jobs whose number of GPUs changes, in the order of the policy's actions (0: the job releases
/// all). The placer changes `places` so that each of them has its number; there are enough GPUs, and the engine checks
/// the result. It may move other jobs, but not change how many GPUs they have.
pub(crate) trait Placer: DynClone {
    fn place(&mut self, places: &mut Places, wanted: &[(JobId, u32)]);
}

dyn_clone::clone_trait_object!(Placer);
