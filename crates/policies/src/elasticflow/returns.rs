//! Who gets the GPUs that no promise needs now: whoever saves most GPU time with them (section 4.2, Algorithm 2).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use elastiplan_engine::{JobView, View};
use elastiplan_model::order::{sort_by_key, sort_by_rank};
use elastiplan_solvers::{FreeGpus, Level, Plan, Step};

use super::ElasticFlow;
use super::planning::{Board, Candidate, Planned};
use crate::shared::due::Due;

/// Until then no change of the free GPUs is known, and spare GPUs can be lent.
const LOAN_S: f64 = 3_600.0;

/// A job that could take more.
pub(super) struct Taker<'a> {
    pub candidate: Candidate<'a>,
    /// None for a job without a promise.
    pub plan: Option<Plan>,
    /// What it is to hold now.
    pub gpus: u32,
}

impl Taker<'_> {
    fn next_level(&self) -> Option<Level> {
        self.candidate.levels.iter().copied().find(|level| level.gpus > self.gpus)
    }
}

/// One more step for one job.
struct Bid {
    /// GPU-seconds saved until the job is done, for each GPU added; below 0 where it costs some.
    saves: f64,
    /// Its place among the takers.
    taker: usize,
    level: Level,
    /// What the job would do; none for one without a promise.
    plan: Option<Plan>,
    /// How many steps had been taken when this was computed.
    as_of: usize,
}

impl ElasticFlow {
    /// What every job holds from now on, and by which plan, in order of submission: all that have a promise, and of the
    /// others those that could get anything.
    pub(super) fn share_out<'a>(&mut self, view: &View<'a>, board: Board<'a>) -> Vec<Taker<'a>> {
        let mut free = board.free.clone();
        self.lend_reserve(view, &mut free);
        let (mut takers, left) = self.takers(view, board);
        let sooner = self.rules.sooner;
        if sooner || !self.give_all_most(view, &free, &mut takers) {
            Auction::new(view, &mut takers, left, free, sooner).run();
        }
        takers
    }

    /// Where there are GPUs enough for the most that each job can use, nobody need bid. False, and nothing has
    /// changed, where there are not.
    fn give_all_most(&self, view: &View<'_>, free: &FreeGpus, takers: &mut [Taker<'_>]) -> bool {
        let most = takers.iter().filter_map(|taker| taker.candidate.levels.last());
        let wanted: u64 = most.map(|level| u64::from(level.gpus)).sum();
        let promised = takers.iter().filter(|taker| taker.plan.is_some()).count();
        if wanted > u64::from(view.gpus_total()) || promised + self.unpromised.len() > takers.len() {
            return false;
        }
        let mut free = free.clone();
        let mut plans = Vec::with_capacity(takers.len());
        for Taker { candidate, plan, .. } in takers.iter() {
            let (Some(plan), Some(level)) = (plan, candidate.levels.last()) else {
                plans.push(None);
                continue;
            };
            free.give_back(plan);
            let faster = candidate.minimum_share_after(view, &free, *level);
            if !(faster.end_s <= candidate.deadline_s && free.reserve(&faster)) {
                return false;
            }
            plans.push(Some(faster));
        }
        for (taker, plan) in takers.iter_mut().zip(plans) {
            taker.gpus = taker.candidate.levels.last().map_or(taker.gpus, |level| level.gpus);
            taker.plan = plan.or(taker.plan.take());
        }
        true
    }

    /// Jobs that could take more, in order of submission: all that have a promise, and of the others as many as could
    /// get a GPU: earliest deadline first, those without one last. Then the GPUs that no plan holds now.
    fn takers<'a>(&mut self, view: &View<'a>, board: Board<'a>) -> (Vec<Taker<'a>>, u32) {
        let promised = board.into_planned().into_iter().map(|Planned { candidate, plan }| {
            let gpus = plan.gpus_at(view.time_s());
            Taker { candidate, plan: Some(plan), gpus }
        });
        let mut takers: Vec<Taker<'a>> = promised.collect();
        let left = view.gpus_total().saturating_sub(takers.iter().map(|taker| taker.gpus).sum());
        let mut unpromised: Vec<JobView<'a>> = self.unpromised.iter().filter_map(|job| view.job(*job)).collect();
        sort_by_key(&mut unpromised, Due::of);
        unpromised.truncate(left as usize);
        let without_plan = |job| Taker { candidate: self.candidate(view, job), plan: None, gpus: 0 };
        takers.extend(unpromised.into_iter().map(without_plan));
        sort_by_rank(&mut takers, |taker| taker.candidate.job.id.0.into());
        (takers, left)
    }

    /// GPUs kept for failures may be used until the next change of plans: whoever plans anew takes them back.
    fn lend_reserve(&self, view: &View<'_>, free: &mut FreeGpus) {
        let gpus = self.rules.reserve_gpus.min(view.gpus_total());
        if gpus > 0 {
            let from_s = view.time_s();
            let until_s = free.next_after(from_s).unwrap_or(from_s + LOAN_S);
            free.give_back(&Plan { steps: vec![Step { from_s, gpus }], end_s: until_s, release_s: until_s });
        }
    }
}

/// GPUs given away a step at a time, to whoever saves most by it.
struct Auction<'b, 'a> {
    view: &'b View<'a>,
    takers: &'b mut [Taker<'a>],
    sooner: bool,
    /// GPUs that nobody holds now.
    left: u32,
    free: FreeGpus,
    /// Steps taken.
    taken: usize,
    /// What would be free without the plan of one taker. A step that it takes itself changes nothing in that.
    without: FreeGpus,
    without_whom: Option<usize>,
}

impl<'b, 'a> Auction<'b, 'a> {
    fn new(view: &'b View<'a>, takers: &'b mut [Taker<'a>], left: u32, free: FreeGpus, sooner: bool) -> Self {
        let without = free.clone();
        Self { view, takers, sooner, left, free, taken: 0, without, without_whom: None }
    }

    fn run(mut self) {
        let mut bids: BinaryHeap<Bid> = (0..self.takers.len()).filter_map(|taker| self.bid(taker)).collect();
        while self.left > 0
            && let Some(best) = bids.pop()
        {
            // Others have taken GPUs since; what this one saves may have changed.
            let is_stale = best.as_of < self.taken && best.plan.is_some();
            let taker = best.taker;
            if is_stale || self.take(best) {
                bids.extend(self.bid(taker));
            }
        }
    }

    /// The next step up for a job; `None` if there is none, or it would not help, or not so many GPUs are left.
    fn bid(&mut self, at: usize) -> Option<Bid> {
        let taker = self.takers.get(at)?;
        let Taker { candidate, plan, gpus } = taker;
        let level = taker.next_level()?;
        let added = level.gpus - gpus;
        if added > self.left {
            return None;
        }
        let as_of = self.taken;
        let bid = |saves: f64, plan| Bid { saves: saves / f64::from(added), taker: at, level, plan, as_of };
        let Some(plan) = plan else {
            let saves = saved_without_plan(self.view, candidate, *gpus, level)?;
            return Some(bid(saves, None));
        };
        if self.without_whom != Some(at) {
            self.without.clone_from(&self.free);
            self.without.give_back(plan);
            self.without_whom = Some(at);
        }
        if self.without.at(self.view.time_s()) < level.gpus {
            return None;
        }
        let faster = candidate.minimum_share_after(self.view, &self.without, level);
        let gains = faster.end_s <= candidate.deadline_s && (!self.sooner || faster.end_s < plan.end_s);
        gains.then(|| bid(plan.gpu_seconds() - faster.gpu_seconds(), Some(faster)))
    }

    /// Takes a step if there are GPUs for it.
    fn take(&mut self, Bid { taker: at, level, plan, .. }: Bid) -> bool {
        let Some(taker) = self.takers.get_mut(at) else { return false };
        let added = level.gpus - taker.gpus;
        if added > self.left {
            return false;
        }
        if let (Some(old), Some(new)) = (&mut taker.plan, plan) {
            if self.without_whom == Some(at) {
                self.free.clone_from(&self.without);
            } else {
                self.free.give_back(old);
                self.without.clone_from(&self.free);
                self.without_whom = Some(at);
            }
            if !self.free.reserve(&new) {
                self.free.reserve(old);
                return false;
            }
            *old = new;
        }
        taker.gpus = level.gpus;
        self.left -= added;
        self.taken += 1;
        true
    }
}

/// GPU-seconds that a job without a promise saves on this level; `None` if it would be done no sooner.
///
/// Without a deadline its minimum share is the slowest level, at some later time: running there now costs nothing more.
fn saved_without_plan(view: &View<'_>, candidate: &Candidate<'_>, held: u32, level: Level) -> Option<f64> {
    let job = &candidate.job;
    let Some(now) = candidate.levels.iter().find(|level| level.gpus == held) else { return Some(0.0) };
    let before = job.started.then_some(job.gpus);
    let lasts_s = |level: &Level| {
        let keeps = before == Some(level.gpus);
        let pays_s = if keeps { job.rescale_left_s() } else { view.change_s(job, before, level.gpus) };
        pays_s + job.samples_left / level.work_per_s
    };
    let (now_s, then_s) = (lasts_s(now), lasts_s(&level));
    (then_s < now_s).then(|| f64::from(now.gpus) * now_s - f64::from(level.gpus) * then_s)
}

impl Ord for Bid {
    /// The greatest saves most; of equal ones, the job submitted first.
    fn cmp(&self, other: &Self) -> Ordering {
        self.saves.total_cmp(&other.saves).then(other.taker.cmp(&self.taker))
    }
}

impl PartialOrd for Bid {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for Bid {}

impl PartialEq for Bid {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
