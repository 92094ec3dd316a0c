//! The artifact's bookkeeping: progress of each job and its queue of future events.

use std::collections::{BTreeMap, BTreeSet};

use elastiplan_model::JobId;
use elastiplan_model::order::{sort_by_key, sort_by_number, sort_by_rank};
use elastiplan_solvers::{Clock, FreeGpus, minimum_share};

use super::entry::Entry;
use super::raising::raise;
use super::ranks::{Ranks, place};
use crate::artifact::overheads::RoundCount;

/// The number of events in a row without progress after which a job that has truly ended leaves the ledger.
const IDLE_EVENTS_MAX: u32 = 1000;

/// The outcome of an event.
pub(super) struct Settled {
    pub declined: Vec<JobId>,
    /// Jobs that ended after their deadlines, by the ledger.
    pub late: Vec<JobId>,
}

#[derive(Clone)]
pub(super) struct Ledger {
    slot_s: f64,
    /// The last event.
    now_s: Option<f64>,
    /// Submitted since then.
    arrived: Vec<(f64, Entry)>,
    /// In the order that earlier sorts have left, which equal deadlines and values keep.
    entries: Vec<Entry>,
    /// The next change of a plan.
    scale_s: f64,
    rounds: RoundCount,
    /// The sets of GPUs that were used since the last restart.
    used: BTreeSet<Ranks>,
}

impl Ledger {
    pub fn new(slot_s: f64) -> Self {
        let (arrived, entries, rounds) = (Vec::new(), Vec::new(), RoundCount::new(slot_s));
        Self { slot_s, now_s: None, arrived, entries, scale_s: f64::INFINITY, rounds, used: BTreeSet::new() }
    }

    fn clock(&self) -> Clock {
        Clock::Slots { slot_s: self.slot_s }
    }

    pub fn arrive(&mut self, submit_s: f64, entry: Entry) {
        self.arrived.push((submit_s, entry));
    }

    /// The GPUs that each job is to hold now.
    pub fn gpus(&self) -> BTreeMap<JobId, u32> {
        self.entries.iter().map(|entry| (entry.job, entry.gpus)).collect()
    }

    pub fn end_s_of(&self, job: JobId) -> Option<f64> {
        self.entries.iter().find(|entry| entry.job == job).map(|entry| entry.plan.end_s)
    }

    /// When the next event is: everything within a slot after the last one is one event at its end.
    pub fn next_event_s(&self, also_s: Option<f64>) -> Option<f64> {
        let arrivals = self.arrived.iter().map(|(submit_s, _)| *submit_s);
        let ends = self.entries.iter().map(|entry| entry.end_s);
        let all = arrivals.chain(ends).chain([self.scale_s]).chain(also_s).filter(|time_s| time_s.is_finite());
        let first_s = all.min_by(f64::total_cmp)?.ceil();
        Some(first_s.max(self.now_s.map_or(first_s, |now_s| now_s + self.slot_s)))
    }

    /// Handles all events until `now_s`. `left` is the true remaining work of a job; `None` if it has ended.
    pub fn settle(
        &mut self,
        now_s: f64,
        gpus: u32,
        gpus_per_node: u32,
        left: &dyn Fn(JobId) -> Option<f64>,
    ) -> Settled {
        let last_s = self.now_s.unwrap_or(now_s);
        self.now_s = Some(now_s);
        self.entries.iter_mut().filter(|entry| entry.gpus > 0).for_each(|entry| entry.progress(last_s, now_s));
        let late = self.complete(now_s, left);
        let declined = self.admit(now_s, gpus);
        sort_by_number(&mut self.entries, |entry| entry.deadline_s);
        let clock = self.clock();
        let free = fill(&mut self.entries, now_s, gpus, clock);
        self.entries.iter_mut().for_each(|entry| entry.gpus = entry.plan.gpus_at(now_s));
        let left = gpus.saturating_sub(self.entries.iter().map(|entry| entry.gpus).sum());
        raise(&mut self.entries, now_s, left, free, clock);
        sort_by_rank(&mut self.entries, |entry| u64::from(u32::MAX - entry.gpus));
        let changes = self.entries.iter().flat_map(|entry| entry.plan.steps.iter().map(|step| step.from_s));
        let change_s = changes.filter(|change_s| *change_s > now_s).fold(f64::INFINITY, f64::min);
        // A change that comes with the end of a job comes when the overhead of that job has put it off.
        let end_s = self.entries.iter().map(|entry| entry.end_s).fold(f64::INFINITY, f64::min);
        self.scale_s = if change_s < end_s { change_s } else { f64::INFINITY };
        self.charge(gpus, gpus_per_node);
        Settled { declined, late }
    }

    /// Completes jobs whose planned end has passed. Jobs with work left continue with their true remaining work.
    /// Returns the jobs that ended late.
    fn complete(&mut self, now_s: f64, left: &dyn Fn(JobId) -> Option<f64>) -> Vec<JobId> {
        let mut late = Vec::new();
        self.entries.retain_mut(|entry| {
            // Overheads at every event can take all progress for ever; a job that has truly ended is removed all the
            // same.
            let is_stuck = entry.idle_events >= IDLE_EVENTS_MAX && left(entry.job).is_none();
            if entry.end_s > now_s && entry.work_left > 0.0 && !is_stuck {
                return true;
            }
            let in_truth = left(entry.job).filter(|left| *left > 0.0);
            entry.work_left = in_truth.unwrap_or(0.0);
            if in_truth.is_none() && entry.real_end_s > entry.deadline_s {
                late.push(entry.job);
            }
            in_truth.is_some()
        });
        late
    }

    /// Admits all jobs that arrived or, if a job would be late, only those that are never declined. Returns the
    /// declined ones.
    fn admit(&mut self, now_s: f64, gpus: u32) -> Vec<JobId> {
        let (arrived, later): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.arrived).into_iter().partition(|(submit_s, _)| *submit_s <= now_s);
        self.arrived = later;
        if arrived.is_empty() {
            return Vec::new();
        }
        let arrived: Vec<Entry> = arrived.into_iter().map(|(_, entry)| entry).collect();
        let mut all: Vec<&Entry> = self.entries.iter().chain(&arrived).collect();
        sort_by_number(&mut all, |entry| entry.deadline_s);
        let in_time = are_in_time(&all, now_s, gpus, self.clock());
        let (admitted, declined): (Vec<Entry>, Vec<Entry>) =
            arrived.into_iter().partition(|entry| in_time || entry.stays);
        self.entries.extend(admitted);
        declined.into_iter().map(|entry| entry.job).collect()
    }

    /// Charges overhead to every job that holds GPUs.
    fn charge(&mut self, gpus: u32, gpus_per_node: u32) {
        let sizes: Vec<u32> = self.entries.iter().map(|entry| entry.gpus).filter(|gpus| *gpus > 0).collect();
        let ranks = place(&sizes, gpus_per_node.max(1));
        // The artifact looks at its GPUs from the first to the last.
        let mut in_order: Vec<usize> = (0..ranks.len()).collect();
        sort_by_key(&mut in_order, |at| ranks.get(*at).copied());
        let mut known = vec![false; ranks.len()];
        for at in in_order {
            if let (Some(ranks), Some(known)) = (ranks.get(at), known.get_mut(at)) {
                *known = !self.used.insert(*ranks);
            }
        }
        let round = self.rounds.next(gpus);
        if round.restarts {
            self.used.clear();
        }
        for (entry, known) in self.entries.iter_mut().filter(|entry| entry.gpus > 0).zip(known) {
            entry.overhead_s = round.overhead_s(entry.gpus, known);
            entry.end_s += entry.overhead_s;
        }
    }
}

/// Whether all are in time if they are planned in this order.
fn are_in_time(entries: &[&Entry], now_s: f64, gpus: u32, clock: Clock) -> bool {
    let mut free = FreeGpus::new(now_s, gpus);
    entries.iter().all(|entry| {
        let plan = entry.with_demand(|demand| minimum_share(&free, now_s, demand, clock));
        free.reserve(&plan);
        plan.end_s <= entry.deadline_s && plan.end_s.is_finite()
    })
}

/// Plans all jobs in their order. Returns the GPUs that are free then.
fn fill(entries: &mut [Entry], now_s: f64, gpus: u32, clock: Clock) -> FreeGpus {
    let mut free = FreeGpus::new(now_s, gpus);
    for entry in entries {
        let plan = entry.with_demand(|demand| minimum_share(&free, now_s, demand, clock));
        entry.counted = plan.gpu_seconds_to_change(&free, clock.aligned(now_s, entry.deadline_s));
        free.reserve(&plan);
        (entry.real_end_s, entry.end_s) = (plan.end_s, plan.release_s);
        entry.plan = plan;
    }
    free
}
