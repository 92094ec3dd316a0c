//! The artifact's own account of who has done how much, and of what is to happen when.

use std::rc::Rc;

use elastiplan_model::JobId;
use elastiplan_solvers::{Clock, Demand, FreeGpus, Grounds, Level, Plan, Stretch, minimum_share, minimum_share_after};

use super::ranks::{Cache, place};
use crate::artifact_overheads::Rounds;

/// A job as the artifact sees it.
#[derive(Clone)]
pub(super) struct Entry {
    pub job: JobId,
    pub levels: Rc<[Level]>,
    work_left: f64,
    deadline_s: f64,
    /// It is never declined: it has no deadline, or another policy has started it.
    stays: bool,
    gpus: u32,
    plan: Plan,
    /// GPU-seconds of the plan as the artifact counts them.
    counted: f64,
    /// When the job would be done by its plan, to the second.
    real_end_s: f64,
    /// When the ledger takes it off: the end of the plan's last slot, and the overhead of the last event.
    end_s: f64,
    /// Seconds without progress after the last event.
    overhead_s: f64,
}

impl Entry {
    pub fn new(job: JobId, levels: Rc<[Level]>, work: f64, deadline_s: f64, started: bool) -> Self {
        let plan = Plan { steps: Vec::new(), end_s: 0.0, release_s: 0.0 };
        let (gpus, counted, real_end_s, end_s, overhead_s) = (0, 0.0, 0.0, 0.0, 0.0);
        let stays = started || deadline_s == f64::INFINITY;
        Self { job, levels, work_left: work, deadline_s, stays, gpus, plan, counted, real_end_s, end_s, overhead_s }
    }

    fn work_per_s(&self) -> f64 {
        self.levels.iter().find(|level| level.gpus == self.gpus).map_or(0.0, |level| level.work_per_s)
    }

    fn next_level(&self) -> Option<Level> {
        self.levels.iter().copied().find(|level| level.gpus > self.gpus)
    }

    /// Goes on until `now_s`: no further than its planned end, and without what the overhead took.
    fn progress(&mut self, last_s: f64, now_s: f64) {
        let worked_s = now_s.min(self.real_end_s.max(last_s)) - last_s - self.overhead_s;
        self.work_left -= worked_s.max(0.0) * self.work_per_s();
        self.overhead_s = 0.0;
    }

    fn with_demand<T>(&self, plan: impl FnOnce(&Demand<'_>) -> T) -> T {
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

/// A step up.
struct Raise {
    level: Level,
    plan: Plan,
    counted: f64,
    grounds: Grounds,
}

/// A job with its next step up.
struct Rated {
    entry: Entry,
    /// None if there is no further level, or not so many GPUs are left.
    raise: Option<Raise>,
    /// GPU-seconds that the step costs, for each GPU added. Who has come to the last level keeps the rating that
    /// brought it there.
    rating: f64,
}

impl Rated {
    fn new(entry: Entry) -> Self {
        Self { entry, raise: None, rating: f64::NEG_INFINITY }
    }

    /// Rates the next step anew, if anything that it was rated by has `changed` since.
    fn rate(&mut self, now_s: f64, left: u32, free: &FreeGpus, changed: &[Stretch], clock: Clock) {
        let known = self.raise.take();
        let entry = &self.entry;
        let Some(level) = entry.next_level() else { return };
        if level.gpus - entry.gpus > left {
            self.rating = f64::NEG_INFINITY;
            return;
        }
        self.raise = known.filter(|known| known.grounds.hold(free, &entry.plan, changed));
        if self.raise.is_some() {
            return;
        }
        let mut free = free.clone();
        free.give_back(&entry.plan);
        let (plan, mut grounds) = entry.with_demand(|demand| minimum_share_after(&free, now_s, level, demand, clock));
        let at_once = free.next_after(now_s).is_none_or(|change_s| plan.release_s <= change_s);
        let before_s = clock.aligned(now_s, entry.deadline_s);
        let counted = if at_once {
            plan.gpu_seconds()
        } else {
            grounds = grounds.and_from(plan.release_s, before_s);
            plan.gpu_seconds_to_change(&free, before_s)
        };
        self.rating = match entry.gpus {
            0 => f64::INFINITY,
            gpus => (counted - entry.counted) / f64::from(level.gpus - gpus),
        };
        self.raise = Some(Raise { level, plan, counted, grounds });
    }

    /// Takes the step: how many GPUs that took, and when it has changed how many are free.
    fn take(&mut self, free: &mut FreeGpus, now_s: f64) -> (u32, Vec<Stretch>) {
        let Some(Raise { level, plan, counted, .. }) = self.raise.take() else { return (0, Vec::new()) };
        let entry = &mut self.entry;
        free.give_back(&entry.plan);
        let reserved = free.reserve(&plan);
        let nothing = Plan { steps: Vec::new(), end_s: now_s, release_s: now_s };
        let changed = entry.plan.differences(if reserved { &plan } else { &nothing }, now_s).collect();
        let added = level.gpus - entry.gpus;
        entry.gpus = level.gpus;
        (entry.real_end_s, entry.end_s) = (plan.end_s, plan.release_s);
        (entry.plan, entry.counted) = (plan, counted);
        (added, changed)
    }
}

/// What came of an event.
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
    /// In an order that earlier sorts have left: equal deadlines and values keep it.
    entries: Vec<Entry>,
    /// When some plan changes next.
    scale_s: f64,
    rounds: Rounds,
    cache: Cache,
}

impl Ledger {
    pub fn new(slot_s: f64) -> Self {
        let (arrived, entries, rounds) = (Vec::new(), Vec::new(), Rounds::new(slot_s));
        Self { slot_s, now_s: None, arrived, entries, scale_s: f64::INFINITY, rounds, cache: Cache::default() }
    }

    fn clock(&self) -> Clock {
        Clock::Slots { slot_s: self.slot_s }
    }

    pub fn arrive(&mut self, submit_s: f64, entry: Entry) {
        self.arrived.push((submit_s, entry));
    }

    pub fn gpus_of(&self, job: JobId) -> u32 {
        self.entries.iter().find(|entry| entry.job == job).map_or(0, |entry| entry.gpus)
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

    /// Handles all that has happened until `now_s`. `left` tells how much work a job has left in truth; `None` if it is
    /// gone.
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
        let late = self.take_off(now_s, left);
        let declined = self.admit(now_s, gpus);
        self.entries.sort_by(|a, b| a.deadline_s.total_cmp(&b.deadline_s));
        let clock = self.clock();
        let (mut free, _) = fill(&mut self.entries, now_s, gpus, clock);
        self.entries.iter_mut().for_each(|entry| entry.gpus = entry.plan.gpus_at(now_s));
        self.raise(now_s, gpus, &mut free);
        self.entries.sort_by_key(|entry| std::cmp::Reverse(entry.gpus));
        let changes = self.entries.iter().flat_map(|entry| entry.plan.steps.iter().map(|step| step.from_s));
        let change_s = changes.filter(|change_s| *change_s > now_s).fold(f64::INFINITY, f64::min);
        // A change that comes with the end of a job comes when the overhead of that job has put it off.
        let end_s = self.entries.iter().map(|entry| entry.end_s).fold(f64::INFINITY, f64::min);
        self.scale_s = if change_s < end_s { change_s } else { f64::INFINITY };
        self.charge(gpus, gpus_per_node);
        Settled { declined, late }
    }

    /// Ends what should be done; what is not in truth goes on by what is left in truth. Gives those that ended late.
    fn take_off(&mut self, now_s: f64, left: &dyn Fn(JobId) -> Option<f64>) -> Vec<JobId> {
        let mut late = Vec::new();
        self.entries.retain_mut(|entry| {
            if entry.end_s > now_s && entry.work_left > 0.0 {
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

    /// All that arrived, or, if somebody would be late, only those that are never declined.
    fn admit(&mut self, now_s: f64, gpus: u32) -> Vec<JobId> {
        let (arrived, later): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.arrived).into_iter().partition(|(submit_s, _)| *submit_s <= now_s);
        self.arrived = later;
        if arrived.is_empty() {
            return Vec::new();
        }
        let arrived: Vec<Entry> = arrived.into_iter().map(|(_, entry)| entry).collect();
        let mut all: Vec<Entry> = self.entries.iter().chain(&arrived).cloned().collect();
        all.sort_by(|a, b| a.deadline_s.total_cmp(&b.deadline_s));
        let (_, in_time) = fill(&mut all, now_s, gpus, self.clock());
        let (admitted, declined): (Vec<Entry>, Vec<Entry>) =
            arrived.into_iter().partition(|entry| in_time || entry.stays);
        self.entries.extend(admitted);
        declined.into_iter().map(|entry| entry.job).collect()
    }

    /// Gives what is free, a level at a time, to the job to which it costs most GPU time. The order in which that
    /// leaves the jobs tells where they are placed.
    fn raise(&mut self, now_s: f64, gpus: u32, free: &mut FreeGpus) {
        let mut left = gpus.saturating_sub(self.entries.iter().map(|entry| entry.gpus).sum());
        if left == 0 {
            return;
        }
        let clock = self.clock();
        let mut rated: Vec<Rated> = self.entries.drain(..).map(Rated::new).collect();
        let mut changed = Vec::new();
        loop {
            rated.iter_mut().for_each(|rated| rated.rate(now_s, left, free, &changed, clock));
            rated.sort_by(|a, b| b.rating.total_cmp(&a.rating));
            let Some(best) = rated.iter_mut().find(|rated| rated.raise.is_some()) else { break };
            let added;
            (added, changed) = best.take(free, now_s);
            left -= added;
        }
        self.entries = rated.into_iter().map(|rated| rated.entry).collect();
    }

    /// Charges overhead to everybody who holds GPUs.
    fn charge(&mut self, gpus: u32, gpus_per_node: u32) {
        let sizes: Vec<u32> = self.entries.iter().map(|entry| entry.gpus).filter(|gpus| *gpus > 0).collect();
        let ranks = place(&sizes, gpus_per_node.max(1));
        // The artifact looks at its GPUs from the first to the last.
        let mut in_order: Vec<usize> = (0..ranks.len()).collect();
        in_order.sort_by_key(|at| ranks.get(*at).copied());
        let mut known = vec![false; ranks.len()];
        for at in in_order {
            if let (Some(ranks), Some(known)) = (ranks.get(at), known.get_mut(at)) {
                *known = self.cache.note(*ranks);
            }
        }
        let round = self.rounds.next(gpus);
        if round.restarts {
            self.cache.clear();
        }
        for (entry, known) in self.entries.iter_mut().filter(|entry| entry.gpus > 0).zip(known) {
            entry.overhead_s = round.overhead_s(entry.gpus, known);
            entry.end_s += entry.overhead_s;
        }
    }
}

/// Plans all anew in their order, and says whether all are in time.
fn fill(entries: &mut [Entry], now_s: f64, gpus: u32, clock: Clock) -> (FreeGpus, bool) {
    let mut free = FreeGpus::new(now_s, gpus);
    let mut in_time = true;
    for entry in entries {
        let plan = entry.with_demand(|demand| minimum_share(&free, now_s, demand, clock));
        in_time &= plan.end_s <= entry.deadline_s && plan.end_s.is_finite();
        entry.counted = plan.gpu_seconds_to_change(&free, clock.aligned(now_s, entry.deadline_s));
        free.reserve(&plan);
        (entry.real_end_s, entry.end_s) = (plan.end_s, plan.release_s);
        entry.plan = plan;
    }
    (free, in_time)
}
