//! What the published artifact of ElasticFlow does instead of what the paper says: for checks of fidelity.
//!
//! The artifact (pkusys/ElasticFlow) simulates time itself, in whole seconds, and keeps a ledger of its own: progress,
//! planned ends, overheads. This policy keeps the same ledger and hands its decisions to the engine, which should run
//! without costs then, as the ledger has its own. Departures from the paper:
//!
//! - After an event, everything within `interval_s` is one event at the end of that interval. All jobs that arrive in
//!   it are admitted, or dropped, together.
//! - GPUs are released at the ends of slots of `interval_s` only.
//! - The job whose GPU time *grows* most gets GPUs first, a doubling at a time, whether that ends it sooner or not.
//!   What is compared includes time after a job's end, until the number of free GPUs changes.
//! - Overhead is charged to every job at every event, by a formula that knows which sets of GPUs were used before, and
//!   never planned with; what the last one costs is never paid.
//!
//! A job that is still there when the ledger has completed it continues with the work left that the engine reports.

mod entry;
mod ledger;
mod raising;
mod ranks;

use elastiplan_engine::{Action, JobView, OnLoss, Policy, View};
use elastiplan_model::JobId;

use crate::shared::actions::allocate_if_changed;
use crate::shared::arrivals::Arrivals;
use crate::shared::levels::Levels;
use crate::shared::words;
use entry::Entry;
use ledger::{Ledger, Settled};

#[derive(Clone)]
pub(crate) struct Artifact {
    slot_s: f64,
    arrivals: Arrivals,
    levels: Levels,
    ledger: Ledger,
    gpus_total: u32,
}

impl Artifact {
    pub fn new(slot_s: f64) -> Self {
        Self {
            slot_s,
            arrivals: Arrivals::default(),
            levels: Levels::until_slower(),
            ledger: Ledger::new(slot_s),
            gpus_total: 0,
        }
    }

    fn entry(&mut self, view: &View<'_>, job: JobId) -> Option<Entry> {
        let job = view.job(job)?;
        let levels = self.levels.of(&job, view.gpus_most());
        let deadline_s = job.job.deadline_s.unwrap_or(f64::INFINITY);
        Some(Entry::new(job.id, levels, job.samples_left, deadline_s, job.started))
    }

    /// Lets the ledger decide, and asks for its GPUs.
    fn settle(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let left = |job: JobId| view.job(job).map(|job| job.samples_left);
        self.gpus_total = view.gpus_total();
        let Settled { declined, late } =
            self.ledger.settle(view.time_s(), view.gpus_total(), view.gpus_per_node(), &left);
        let remark = |job: JobId| Action::Remark { job, text: "Late by the artifact's own count".into() };
        actions.extend(late.into_iter().map(remark));
        for job in declined {
            let started = view.job(job).is_none_or(|job| job.started);
            if !started {
                let text = format!("Declined with all that came in the same {}", words::duration(self.slot_s));
                actions.extend([Action::Remark { job, text }, Action::Drop { job }]);
            }
        }
        // Declined jobs are not in the ledger, and hold nothing.
        let gpus = self.ledger.gpus();
        for job in view.running().chain(view.waiting()) {
            allocate_if_changed(&job, gpus.get(&job.id).copied().unwrap_or(0), actions);
        }
    }
}

impl Policy for Artifact {
    fn on_loss(&self) -> OnLoss {
        OnLoss::Shrink
    }

    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        let end_s = self.ledger.end_s_of(job.id)?;
        let left = words::duration(end_s - view.time_s());
        Some(format!("By the artifact's ledger: {} now, done in {left}", words::gpus(job.gpus)))
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        for job in self.arrivals.admit(view, |_| 0, actions) {
            match self.entry(view, job.id) {
                Some(entry) if !entry.levels.is_empty() => self.ledger.arrive(job.job.submit_s, entry),
                _ if job.started => {}
                _ => {
                    let text = format!("Declined: the cluster has fewer than {}", words::gpus(job.bound.gpus_min));
                    actions.extend([Action::Remark { job: job.id, text }, Action::Drop { job: job.id }]);
                }
            }
        }
        let nodes_changed = (self.gpus_total != view.gpus_total()).then_some(view.time_s());
        let mut next_s = self.ledger.next_event_s(nodes_changed);
        if next_s.is_some_and(|next_s| next_s <= view.time_s()) {
            self.settle(view, actions);
            next_s = self.ledger.next_event_s(None);
        }
        actions.extend(next_s.filter(|next_s| *next_s > view.time_s()).map(|time_s| Action::WakeAt { time_s }));
    }
}
