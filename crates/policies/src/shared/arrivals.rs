//! Jobs as they arrive, each met once: a long queue is not gone through at every decision.

use elastiplan_engine::{Action, JobView, View};
use elastiplan_model::JobId;
use elastiplan_model::order::sort_by_rank;

/// Which jobs a policy has met.
#[derive(Clone, Default)]
pub(crate) struct Arrivals {
    /// Jobs that were submitted before the last decision.
    met: u32,
}

impl Arrivals {
    pub fn new() -> Self {
        Self { met: 0 }
    }

    /// Whether a job was submitted before the last decision.
    pub fn has_met(&self, job: JobId) -> bool {
        job.0 < self.met
    }

    /// To be called at every decision. Drops the jobs submitted since the last one that need more GPUs than the
    /// cluster can have, and gives the others; `gpus_needed` tells the fewest GPUs that a job could start on.
    pub fn admit<'a>(
        &mut self,
        view: &View<'a>,
        mut gpus_needed: impl FnMut(&JobView<'a>) -> u32,
        actions: &mut Vec<Action>,
    ) -> Vec<JobView<'a>> {
        let new = (self.met..view.jobs_submitted()).filter_map(|job| view.job(JobId(job)));
        // One that has started was started on fewer GPUs by another policy: it can go on.
        let can_run = |job: &JobView<'a>| job.started || gpus_needed(job) <= view.gpus_most();
        let (fit, too_large): (Vec<_>, Vec<_>) = new.partition(can_run);
        self.met = view.jobs_submitted();
        actions.extend(too_large.iter().map(|job| Action::Drop { job: job.id }));
        fit
    }
}

/// The GPUs that a rigid policy gives a job: those it asked for. One that another policy has started on fewer, and that
/// a node's departure has interrupted, gets no more than there can be: it must not wait for ever.
pub(crate) fn gpus_rigid(job: &JobView<'_>, gpus_most: u32) -> u32 {
    let requested = job.bound.gpus_requested;
    if job.started { requested.min(gpus_most) } else { requested }
}

/// The jobs that a rigid policy can run, in order of submission.
pub(crate) fn rigid_jobs<'a>(view: &View<'a>) -> Vec<JobView<'a>> {
    let can_run = |job: &JobView<'_>| gpus_rigid(job, view.gpus_most()) <= view.gpus_most();
    let mut jobs: Vec<JobView<'a>> = view.running().chain(view.waiting()).filter(can_run).collect();
    sort_by_rank(&mut jobs, |job| job.id.0.into());
    jobs
}
