//! `edf[artifact=true]`: earliest deadline first in the published simulator of ElasticFlow.
//!
//! Jobs are as wide as their batch allows, up to 64 GPUs, whatever their speed. Events are merged ([`MergedEvents`]).
//! With admission control, plans count in whole seconds and intervals, and every running job pays at every decision.

mod overheads;
mod plan;

use elastiplan_engine::{Action, JobView, OnLoss, Policy, View};
use elastiplan_model::JobId;

use super::merged_events::MergedEvents;
use crate::edf::plan::Planned;
use crate::edf::queue::{Queue, explain, largest_level};
use crate::shared::actions::allocate_changed;
use crate::shared::due::Due;
use overheads::Overheads;
use plan::ArtifactPlan;

/// The most GPUs for one job.
const GPUS_MAX: u32 = 64;

/// The policy.
#[derive(Clone)]
pub(crate) struct Edf {
    interval_s: f64,
    merged: MergedEvents,
    /// Charged only where jobs are tested for admission.
    overheads: Option<Overheads>,
    queue: Queue,
}

impl Edf {
    pub fn new(interval_s: f64, last_submit_s: f64, admission: bool) -> Self {
        Self {
            interval_s,
            merged: MergedEvents::new(interval_s, last_submit_s),
            overheads: admission.then(|| Overheads::new(interval_s)),
            queue: Queue::new(admission, widest),
        }
    }
}

impl Policy for Edf {
    fn on_loss(&self) -> OnLoss {
        OnLoss::Shrink
    }

    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        Some(explain(view, job, widest))
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        if !self.merged.is_due(view, None, actions) {
            if let Some(overheads) = &mut self.overheads {
                overheads.give(view, actions);
            }
            return;
        }
        let all_in_time = |jobs: &[(Due, Planned)]| {
            let mut plan = ArtifactPlan::new(view.time_s(), self.interval_s, view.gpus_total());
            jobs.iter().all(|(_, job)| plan.meets_deadline(job))
        };
        let wanted = self.queue.serve(view, all_in_time, actions);
        let running: Vec<JobId> = wanted.iter().filter(|(_, gpus)| *gpus > 0).map(|(job, _)| job.id).collect();
        let suspended = wanted.iter().filter(|(job, gpus)| *gpus == 0 && job.started).count();
        let ends_to_come = running.len() + suspended;
        self.merged.decided(view, running, ends_to_come);
        match &mut self.overheads {
            Some(overheads) => overheads.charge(view, &wanted, actions),
            None => allocate_changed(wanted, actions),
        }
    }
}

/// The most GPUs that a job is given on a cluster of `total`: no more than its batch has samples.
fn widest(job: &JobView<'_>, total: u32) -> u32 {
    let batch_global = job.batch_global().unwrap_or(u32::MAX);
    let most = GPUS_MAX.min(batch_global).max(job.bound.gpus_min);
    largest_level(job, most.min(total))
}
