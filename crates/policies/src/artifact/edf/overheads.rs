//! What the published simulator charges under `admission=true`.

use std::collections::BTreeSet;

use elastiplan_engine::{Action, JobView, View};
use elastiplan_model::JobId;
use elastiplan_model::order::sort_by_rank;

use crate::artifact::overheads::ArtifactOverheads;

/// Every running job pays at every decision: little where its GPUs have been used together since the last restart of
/// everybody, more where not.
#[derive(Clone)]
pub(super) struct Overheads {
    charges: ArtifactOverheads,
    /// Jobs in the order in which they are given GPUs: that of admission, and at a decision that admits nobody that of
    /// the deadlines from then on.
    order: Vec<JobId>,
    /// The first GPU and the number of those that were used together.
    used: BTreeSet<(u32, u32)>,
}

impl Overheads {
    pub fn new(interval_s: f64) -> Self {
        Self { charges: ArtifactOverheads::new(interval_s), order: Vec::new(), used: BTreeSet::new() }
    }

    /// Gives jobs that have paid what they are owed.
    pub fn give(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        self.charges.give(view, actions);
    }

    /// Lets all pay before they get what is `wanted` for them; that is in order of the deadlines.
    pub fn charge(&mut self, view: &View<'_>, wanted: &[(JobView<'_>, u32)], actions: &mut Vec<Action>) {
        self.charges.forget();
        let round = self.charges.next_round(view);
        let in_order = self.in_order(wanted);
        let mut first = 0;
        for (job, gpus) in in_order {
            if gpus == 0 {
                if job.gpus > 0 {
                    actions.push(Action::Allocate { job: job.id, gpus });
                }
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
