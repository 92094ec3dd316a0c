//! The interface of placers.

use dyn_clone::DynClone;
use elastiplan_model::JobId;

use crate::places::Places;

/// Chooses the GPUs of jobs.
///
/// `wanted` holds the jobs whose number of GPUs changes, in the order of the policy's actions (0: the job releases
/// all). The placer changes `places` so that each of them has its number; there are enough GPUs, and the engine checks
/// the result. It may move other jobs, but not change how many GPUs they have.
pub(crate) trait Placer: DynClone {
    fn place(&mut self, places: &mut Places, wanted: &[(JobId, u32)]);
}

dyn_clone::clone_trait_object!(Placer);
