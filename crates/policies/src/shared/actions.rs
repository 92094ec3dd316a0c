//! Actions that several policies ask for, and the GPUs left for more of them.

use elastiplan_engine::{Action, JobView};

/// Asks for so many GPUs unless the job holds them already.
pub(crate) fn allocate_if_changed(job: &JobView<'_>, gpus: u32, actions: &mut Vec<Action>) {
    if gpus != job.gpus {
        actions.push(Action::Allocate { job: job.id, gpus });
    }
}

/// The same for several jobs.
pub(crate) fn allocate_changed<'a>(wanted: impl IntoIterator<Item = (JobView<'a>, u32)>, actions: &mut Vec<Action>) {
    wanted.into_iter().for_each(|(job, gpus)| allocate_if_changed(&job, gpus, actions));
}

/// Asks for this batch size, if any, unless the job has it already.
pub(crate) fn set_batch(job: &JobView<'_>, batch: Option<u32>, actions: &mut Vec<Action>) {
    if let Some(batch_global) = batch.filter(|batch| Some(*batch) != job.batch_global()) {
        actions.push(Action::SetBatch { job: job.id, batch_global });
    }
}

/// Takes GPUs from what is left. Returns false and takes none if there are too few.
pub(crate) fn take(left: &mut u32, gpus: u32) -> bool {
    let fits = gpus <= *left;
    *left -= if fits { gpus } else { 0 };
    fits
}
