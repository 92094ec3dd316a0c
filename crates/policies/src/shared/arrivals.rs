//! Jobs as they arrive, each looked at once, so that a decision does not walk through a long queue.

use elastiplan_engine::{Action, JobView, View};
use elastiplan_model::JobId;
use elastiplan_model::order::sort_by_rank;

/// The jobs that a policy has looked at.
#[derive(Clone, Default)]
pub(crate) struct Arrivals {
    /// Jobs that were submitted before the last decision.
    met: u32,
}

impl Arrivals {
    /// Whether a job was submitted before the last decision.
    pub fn has_met(&self, job: JobId) -> bool {
        job.0 < self.met
    }

    /// Call at every decision. Drops the jobs submitted since the last one that need more GPUs than the cluster can
    /// have, and returns the others. `gpus_needed` is the fewest GPUs that a job could start on.
    pub fn admit<'a>(
        &mut self,
        view: &View<'a>,
        mut gpus_needed: impl FnMut(&JobView<'a>) -> u32,
        actions: &mut Vec<Action>,
    ) -> Vec<JobView<'a>> {
        let new = (self.met..view.jobs_submitted()).filter_map(|job| view.job(JobId(job)));
        // A job that has started was started on fewer GPUs by another policy, and can continue.
        let can_run = |job: &JobView<'a>| job.started || gpus_needed(job) <= view.gpus_most();
        let (fit, too_large): (Vec<_>, Vec<_>) = new.partition(can_run);
        self.met = view.jobs_submitted();
        actions.extend(too_large.iter().map(|job| Action::Drop { job: job.id }));
        fit
    }
}

/// The GPUs that a rigid policy gives a job: all that it requested. A job that another policy started on fewer and that
/// a leaving node interrupted gets no more than there can be, or it would wait for ever; unless it does not run on so few,
/// as in a cluster that a fork has made smaller.
pub(crate) fn gpus_rigid(job: &JobView<'_>, gpus_most: u32) -> u32 {
    let requested = job.bound.gpus_requested;
    if job.started && job.runs_on(gpus_most) { requested.min(gpus_most) } else { requested }
}

/// The jobs that a rigid policy can run, in order of submission.
pub(crate) fn rigid_jobs<'a>(view: &View<'a>) -> Vec<JobView<'a>> {
    let can_run = |job: &JobView<'_>| gpus_rigid(job, view.gpus_most()) <= view.gpus_most();
    let mut jobs: Vec<JobView<'a>> = view.running().chain(view.waiting()).filter(can_run).collect();
    sort_by_rank(&mut jobs, |job| job.id.0.into());
    jobs
}
