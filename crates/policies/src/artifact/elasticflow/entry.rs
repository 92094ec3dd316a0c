//! A job as the artifact sees it.

use std::rc::Rc;

use elastiplan_model::JobId;
use elastiplan_solvers::{Demand, Level, Plan};

/// A job as the artifact sees it.
#[derive(Clone)]
pub(super) struct Entry {
    pub job: JobId,
    pub levels: Rc<[Level]>,
    pub work_left: f64,
    pub deadline_s: f64,
    /// It is never declined: it has no deadline, or another policy has started it.
    pub stays: bool,
    pub gpus: u32,
    pub plan: Plan,
    /// GPU-seconds of the plan as the artifact counts them.
    pub counted: f64,
    /// When the job would be done by its plan, to the second.
    pub real_end_s: f64,
    /// When the ledger takes it off: the end of the plan's last slot, and the overhead of the last event.
    pub end_s: f64,
    /// Seconds without progress after the last event.
    pub overhead_s: f64,
    /// Events in a row without any progress since the one before.
    pub idle_events: u32,
}

impl Entry {
    pub fn new(job: JobId, levels: Rc<[Level]>, work: f64, deadline_s: f64, started: bool) -> Self {
        let stays = started || deadline_s == f64::INFINITY;
        Self {
            job,
            levels,
            work_left: work,
            deadline_s,
            stays,
            gpus: 0,
            plan: Plan::default(),
            counted: 0.0,
            real_end_s: 0.0,
            end_s: 0.0,
            overhead_s: 0.0,
            idle_events: 0,
        }
    }

    fn work_per_s(&self) -> f64 {
        self.levels.iter().find(|level| level.gpus == self.gpus).map_or(0.0, |level| level.work_per_s)
    }

    pub fn next_level(&self) -> Option<Level> {
        self.levels.iter().copied().find(|level| level.gpus > self.gpus)
    }

    /// Advances to `now_s`: no further than its planned end, and without what the overhead took.
    pub fn progress(&mut self, last_s: f64, now_s: f64) {
        let worked_s = now_s.min(self.real_end_s.max(last_s)) - last_s - self.overhead_s;
        self.work_left -= worked_s.max(0.0) * self.work_per_s();
        self.overhead_s = 0.0;
        self.idle_events = if worked_s > 0.0 { 0 } else { self.idle_events.saturating_add(1) };
    }

    pub fn with_demand<T>(&self, plan: impl FnOnce(&Demand<'_>) -> T) -> T {
        plan(&Demand {
            levels: &self.levels,
            work: self.work_left,
            deadline_s: self.deadline_s,
            gpus_now: None,
            unpaid_s: 0.0,
            pay_s: &|_, _| 0.0,
        })
    }
}
