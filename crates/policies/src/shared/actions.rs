//! Actions that several policies ask for.

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
