//! Overheads of the published simulator under `admission=true`.

use std::collections::BTreeSet;

use elastiplan_engine::{Action, JobView, View};
use elastiplan_model::JobId;
use elastiplan_model::order::sort_by_rank;

use crate::artifact::overheads::ArtifactOverheads;
use crate::shared::actions::allocate_if_changed;

/// Charges every running job at every decision: less where its GPUs have been used together since the last restart of
/// all jobs.
#[derive(Clone)]
pub(super) struct Overheads {
    charges: ArtifactOverheads,
    /// Jobs in the order in which they get GPUs: that of admission, and after a decision that admits no job that of
    /// deadlines.
    order: Vec<JobId>,
    /// First GPU and number of GPUs that were used together.
    used: BTreeSet<(u32, u32)>,
}

impl Overheads {
    pub fn new(interval_s: f64) -> Self {
        Self { charges: ArtifactOverheads::new(interval_s), order: Vec::new(), used: BTreeSet::new() }
    }

    /// Starts the jobs that have paid.
    pub fn give(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        self.charges.give(view, actions);
    }

    /// Charges all jobs before they get the `wanted` GPUs, which are in order of deadlines.
    pub fn charge(&mut self, view: &View<'_>, wanted: &[(JobView<'_>, u32)], actions: &mut Vec<Action>) {
        self.charges.forget();
        let round = self.charges.next_round(view);
        let in_order = self.in_order(wanted);
        let mut first = 0;
        for (job, gpus) in in_order {
            if gpus == 0 {
                allocate_if_changed(&job, gpus, actions);
                continue;
            }
            let reused = !self.used.insert((first, gpus));
            first += gpus;
            let action = Action::Allocate { job: job.id, gpus };
            self.charges.charge(view, job.id, round.overhead_s(gpus, reused), action, actions);
        }
        if round.restarts {
            self.used.clear();
        }
        self.charges.wake(actions);
    }

    fn in_order<'a>(&mut self, wanted: &[(JobView<'a>, u32)]) -> Vec<(JobView<'a>, u32)> {
        let known: BTreeSet<JobId> = self.order.iter().copied().collect();
        let mut new: Vec<JobId> = wanted.iter().map(|(job, _)| job.id).filter(|job| !known.contains(job)).collect();
        if new.is_empty() {
            self.order = wanted.iter().map(|(job, _)| job.id).collect();
            return wanted.to_vec();
        }
        sort_by_rank(&mut new, |job| job.0.into());
        self.order.extend(new);
        let find = |id: &JobId| wanted.iter().find(|(job, _)| job.id == *id).copied();
        let in_order: Vec<(JobView<'a>, u32)> = self.order.iter().filter_map(find).collect();
        self.order = in_order.iter().map(|(job, _)| job.id).collect();
        in_order
    }
}
