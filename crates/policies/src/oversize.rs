//! Jobs that will never fit the cluster.

use elastiplan_engine::{Action, JobView, View};
use elastiplan_model::JobId;

/// Drops jobs that need more GPUs than the cluster has, at the first decision after their submission. Only new jobs are
/// looked at: a long queue is not gone through each time.
#[derive(Clone)]
pub(crate) struct Oversize {
    /// The first job that was not submitted yet at the last decision.
    unseen: JobId,
}

impl Oversize {
    pub fn new() -> Self {
        Self { unseen: JobId(0) }
    }

    /// To be called at every decision; `gpus_needed` tells the fewest GPUs that a job could start on.
    pub fn drop_new(&mut self, view: &View<'_>, gpus_needed: impl Fn(&JobView<'_>) -> u32, actions: &mut Vec<Action>) {
        let new = (self.unseen.0..view.jobs_submitted()).map(JobId).filter_map(|job| view.job(job));
        let can_never_start = |job: &JobView<'_>| !job.started && gpus_needed(job) > view.gpus_total();
        actions.extend(new.filter(can_never_start).map(|job| Action::Drop { job: job.id }));
        self.unseen = JobId(view.jobs_submitted());
    }
}
