//! `tiresias[artifact=true]`: Tiresias in the published simulator of ElasticFlow.
//!
//! Queues keep the order in which jobs came into them, a job moves by one queue at a time and only while it runs, and
//! GPU time spent on starting does not count. A start is charged at the next decision: a job that ends before pays
//! nothing. docs/fidelity.md lists the departures from the paper.

use std::collections::{BTreeMap, BTreeSet};

use elastiplan_engine::{Action, JobView, Policy, View};
use elastiplan_model::JobId;

use super::merged_events::MergedEvents;
use super::overheads::ArtifactOverheads;
use crate::shared::actions::allocate_if_changed;
use crate::shared::arrivals::Arrivals;
use crate::tiresias::queues::{ALARM_MAX_S, Queues, has_reached};

/// The policy.
#[derive(Clone)]
pub(crate) struct Tiresias {
    merged: MergedEvents,
    queues: Queues,
    starts: Starts,
    /// When the next job moves down.
    alarm_s: Option<f64>,
    arrivals: Arrivals,
}

/// What jobs pay for their starts.
#[derive(Clone, Default)]
struct Starts {
    overheads: ArtifactOverheads,
    /// What jobs that run, or did, have not paid for their last start.
    debts_s: BTreeMap<JobId, f64>,
    /// Until when jobs pay, and how much of it they owed before.
    paying: BTreeMap<JobId, (f64, f64)>,
    running: BTreeSet<JobId>,
}

impl Tiresias {
    pub fn new(interval_s: f64, limits_gpu_s: [f64; 2], last_submit_s: f64) -> Self {
        Self {
            merged: MergedEvents::with_ends_apart(interval_s, last_submit_s),
            queues: Queues::new(limits_gpu_s),
            starts: Starts { overheads: ArtifactOverheads::new(interval_s), ..Starts::default() },
            alarm_s: None,
            arrivals: Arrivals::default(),
        }
    }
}

impl Policy for Tiresias {
    fn explain(&self, _view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        self.queues.explain(job)
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        if !self.merged.is_due(view, self.alarm_s, actions) {
            self.starts.overheads.give(view, actions);
            return;
        }
        self.starts.stop_paying(view.time_s());
        let arrived = self.arrivals.admit(view, |job| job.bound.gpus_requested, actions);
        self.queues.update(view, &arrived);
        let has_had_enough = |job: &JobView<'_>, limit_gpu_s: f64| {
            self.starts.running.contains(&job.id) && has_reached(self.starts.served_gpu_s(job), limit_gpu_s)
        };
        for number in [1, 0] {
            self.queues.move_down(view, number, has_had_enough);
        }
        let wanted = self.queues.serve(view);
        let running: BTreeSet<JobId> = wanted.iter().filter(|(_, gpus)| *gpus > 0).map(|(job, _)| job.id).collect();
        self.set_alarm(view, &running, actions);
        self.starts.charge(view, &wanted, actions);
        self.merged.decided(view, running.iter().copied().collect(), 0);
        self.starts.running = running;
    }
}

impl Tiresias {
    /// Asks for a decision when the first of the running jobs will have had enough for its queue.
    fn set_alarm(&mut self, view: &View<'_>, running: &BTreeSet<JobId>, actions: &mut Vec<Action>) {
        let left_s = |job: &JobView<'_>, limit_gpu_s: f64| {
            // The simulator takes the seconds that the job has run for GPU-seconds: right for one GPU, late for more.
            let gpus = f64::from(job.bound.gpus_requested);
            ((limit_gpu_s - (self.starts.served_gpu_s(job) / gpus).round()) / gpus).ceil()
        };
        let next_s = self.merged.no_sooner_than_allowed(self.queues.next_limit_s(view, running, left_s));
        self.alarm_s = (next_s > view.time_s() && next_s <= ALARM_MAX_S).then_some(next_s);
        actions.extend(self.alarm_s.map(|time_s| Action::WakeAt { time_s }));
    }
}

impl Starts {
    /// The GPU time of a job without what was spent on starting.
    fn served_gpu_s(&self, job: &JobView<'_>) -> f64 {
        let gpus = job.bound.gpus_requested;
        let speed = job.curve.samples_per_s(gpus);
        if speed <= 0.0 {
            return job.gpu_seconds();
        }
        let debt_s = self.debts_s.get(&job.id).copied().unwrap_or(0.0);
        (job.samples_done() / speed - debt_s).max(0.0) * f64::from(gpus)
    }

    /// Ends all payments. What was left to pay of earlier debts is owed again.
    fn stop_paying(&mut self, now_s: f64) {
        self.overheads.forget();
        let unpaid = std::mem::take(&mut self.paying).into_iter().filter(|(_, (until_s, _))| *until_s > now_s);
        self.debts_s.extend(unpaid.map(|(job, (until_s, debt_s))| (job, debt_s.min(until_s - now_s))));
    }

    /// Gives jobs the `wanted` GPUs once they have paid. A start is owed until the next decision, unless all jobs
    /// restart.
    fn charge(&mut self, view: &View<'_>, wanted: &[(JobView<'_>, u32)], actions: &mut Vec<Action>) {
        let round = self.overheads.next_round(view);
        self.debts_s.retain(|job, _| view.job(*job).is_some());
        for (job, gpus) in wanted.iter().copied() {
            if gpus == 0 {
                allocate_if_changed(&job, gpus, actions);
                continue;
            }
            let debt_s = self.debts_s.remove(&job.id).unwrap_or(0.0);
            let mut pay_s = debt_s;
            if round.restarts {
                pay_s += round.overhead_s(gpus, false);
            } else if !self.running.contains(&job.id) {
                self.debts_s.insert(job.id, round.overhead_s(gpus, false));
            }
            let action = Action::Allocate { job: job.id, gpus };
            if pay_s > 0.0 {
                self.paying.insert(job.id, (view.time_s() + pay_s, debt_s));
                self.overheads.charge(view, job.id, pay_s, action, actions);
            } else if gpus != job.gpus {
                actions.push(action);
            }
        }
        self.overheads.wake(actions);
    }
}
