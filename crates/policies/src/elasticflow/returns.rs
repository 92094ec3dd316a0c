//! GPUs that no promise needs now go to the jobs that save most GPU time with them (section 4.2, Algorithm 2).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use elastiplan_engine::{JobView, View};
use elastiplan_model::SAME_TIME_S;
use elastiplan_model::order::{Number, sort_by_key, sort_by_rank};
use elastiplan_solvers::{FreeGpus, Level, Plan, Step};

use super::ElasticFlow;
use super::planning::{Candidate, Planned, Schedule};
use crate::shared::due::Due;

/// Duration of a loan of reserved GPUs when no plan changes later: an hour, chosen freely. Plans are recomputed at the
/// next event, or when the loan ends, and take the reserve back.
const LOAN_DURATION_S: f64 = 3_600.0;

/// A job that could use more GPUs.
pub(super) struct Bidder<'a> {
    pub candidate: Candidate<'a>,
    /// `None` for a job without a promise.
    pub plan: Option<Plan>,
    /// The GPUs that it holds from now on.
    pub gpus: u32,
}

impl Bidder<'_> {
    fn next_level(&self) -> Option<Level> {
        self.candidate.levels.iter().copied().find(|level| level.gpus > self.gpus)
    }
}

/// One more step for one job.
struct Bid {
    level: Level,
    /// The job's plan with the step; `None` for a job without a promise.
    plan: Option<Plan>,
    /// The number of steps taken when this was computed.
    as_of: usize,
}

impl ElasticFlow {
    /// The GPUs and the plan of every job from now on, in order of submission: of all jobs with a promise, and of the
    /// others that could get GPUs.
    pub(super) fn share_out<'a>(&mut self, view: &View<'a>, schedule: Schedule<'a>) -> Vec<Bidder<'a>> {
        let mut free = schedule.free.clone();
        self.lend_reserve(view, &mut free);
        let (mut bidders, left) = self.bidders(view, schedule);
        let sooner = self.rules.sooner;
        if sooner || !self.give_all_most(view, &free, &mut bidders) {
            Auction::new(view, &mut bidders, left, free, sooner).run();
        }
        bidders
    }

    /// Gives every job the most GPUs that it can use, without bids. Returns false and changes nothing if there are too
    /// few.
    fn give_all_most(&self, view: &View<'_>, free: &FreeGpus, bidders: &mut [Bidder<'_>]) -> bool {
        let most = bidders.iter().filter_map(|bidder| bidder.candidate.levels.last());
        let wanted: u64 = most.map(|level| u64::from(level.gpus)).sum();
        let promised = bidders.iter().filter(|bidder| bidder.plan.is_some()).count();
        if wanted > u64::from(view.gpus_total()) || promised + self.unpromised.len() > bidders.len() {
            return false;
        }
        let mut free = free.clone();
        let mut plans = Vec::with_capacity(bidders.len());
        for Bidder { candidate, plan, .. } in bidders.iter() {
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
        for (bidder, plan) in bidders.iter_mut().zip(plans) {
            bidder.gpus = bidder.candidate.levels.last().map_or(bidder.gpus, |level| level.gpus);
            bidder.plan = plan.or(bidder.plan.take());
        }
        true
    }

    /// Returns the bidders in order of submission, and the GPUs that no plan holds now. All jobs with a promise bid,
    /// and of the others as many as could get a GPU: earliest deadline first, jobs without one last.
    fn bidders<'a>(&mut self, view: &View<'a>, schedule: Schedule<'a>) -> (Vec<Bidder<'a>>, u32) {
        let promised = schedule.into_planned().into_iter().map(|Planned { candidate, plan }| {
            let gpus = plan.gpus_at(view.time_s());
            Bidder { candidate, plan: Some(plan), gpus }
        });
        let mut bidders: Vec<Bidder<'a>> = promised.collect();
        let left = view.gpus_total().saturating_sub(bidders.iter().map(|bidder| bidder.gpus).sum());
        let mut unpromised: Vec<JobView<'a>> = self.unpromised.iter().filter_map(|job| view.job(*job)).collect();
        sort_by_key(&mut unpromised, Due::of);
        unpromised.truncate(left as usize);
        let without_plan = |job| Bidder { candidate: self.candidate(view, job), plan: None, gpus: 0 };
        bidders.extend(unpromised.into_iter().map(without_plan));
        sort_by_rank(&mut bidders, |bidder| bidder.candidate.job.id.0.into());
        (bidders, left)
    }

    /// Lends the GPUs reserved for failures until the next change of a plan.
    fn lend_reserve(&self, view: &View<'_>, free: &mut FreeGpus) {
        let gpus = self.rules.reserve_gpus.min(view.gpus_total());
        if gpus > 0 {
            let from_s = view.time_s();
            let until_s = free.next_after(from_s).unwrap_or(from_s + LOAN_DURATION_S);
            free.give_back(&Plan { steps: vec![Step { from_s, gpus }], end_s: until_s, release_s: until_s });
        }
    }
}

/// The bids of all bidders, by the GPU time saved for each GPU added ([`saved_per_gpu`]) and the bidder's place: of equal
/// savings, that of the job submitted first is the greatest. A bidder has one bid at a time.
type Bids = BTreeMap<(Number, Reverse<usize>), Bid>;

/// GPU time saved until a job is done for each GPU added, in GPU-milliseconds; below 0 where it costs some.
///
/// It is rounded to whole ones, as times are the same to the millisecond. Equal savings are common: a job that runs on
/// one GPU now rather than later saves nothing, or loses what another start costs. Their last digits, which hang on how
/// far away a deadline is, must not decide between jobs.
fn saved_per_gpu(gpu_seconds: f64, gpus_added: u32) -> Number {
    let rounded = (gpu_seconds / f64::from(gpus_added) / SAME_TIME_S).round();
    // Zero has a sign, by which numbers are ordered too.
    Number(if rounded == 0.0 { 0.0 } else { rounded })
}

/// Gives GPUs away a step at a time, to the job that saves most by it.
struct Auction<'b, 'a> {
    view: &'b View<'a>,
    bidders: &'b mut [Bidder<'a>],
    sooner: bool,
    /// GPUs that no job holds now.
    left: u32,
    free: FreeGpus,
    /// Steps taken.
    taken: usize,
    /// The GPUs that would be free without the plan of one bidder, whose own steps do not change that.
    without: FreeGpus,
    without_bidder: Option<usize>,
}

impl<'b, 'a> Auction<'b, 'a> {
    fn new(view: &'b View<'a>, bidders: &'b mut [Bidder<'a>], left: u32, free: FreeGpus, sooner: bool) -> Self {
        let without = free.clone();
        Self { view, bidders, sooner, left, free, taken: 0, without, without_bidder: None }
    }

    fn run(mut self) {
        let mut bids: Bids = (0..self.bidders.len()).filter_map(|bidder| self.bid(bidder)).collect();
        while self.left > 0
            && let Some(((_, Reverse(bidder)), best)) = bids.pop_last()
        {
            // Other jobs have taken GPUs since; what this job saves may have changed.
            let is_stale = best.as_of < self.taken && best.plan.is_some();
            if is_stale || self.take(bidder, best) {
                bids.extend(self.bid(bidder));
            }
        }
    }

    /// The next step up for a job; `None` if there is none, or it would not help, or not so many GPUs are left.
    fn bid(&mut self, at: usize) -> Option<((Number, Reverse<usize>), Bid)> {
        let bidder = self.bidders.get(at)?;
        let Bidder { candidate, plan, gpus } = bidder;
        let level = bidder.next_level()?;
        let added = level.gpus - gpus;
        if added > self.left {
            return None;
        }
        let as_of = self.taken;
        let bid = |saves: f64, plan| ((saved_per_gpu(saves, added), Reverse(at)), Bid { level, plan, as_of });
        let Some(plan) = plan else {
            let saves = saved_without_plan(self.view, candidate, *gpus, level)?;
            return Some(bid(saves, None));
        };
        if self.without_bidder != Some(at) {
            self.without.clone_from(&self.free);
            self.without.give_back(plan);
            self.without_bidder = Some(at);
        }
        if self.without.at(self.view.time_s()) < level.gpus {
            return None;
        }
        let faster = candidate.minimum_share_after(self.view, &self.without, level);
        let gains = faster.end_s <= candidate.deadline_s && (!self.sooner || faster.end_s < plan.end_s);
        gains.then(|| bid(plan.gpu_seconds() - faster.gpu_seconds(), Some(faster)))
    }

    /// Takes a step if there are GPUs for it.
    fn take(&mut self, at: usize, Bid { level, plan, .. }: Bid) -> bool {
        let Some(bidder) = self.bidders.get_mut(at) else { return false };
        let added = level.gpus - bidder.gpus;
        if added > self.left {
            return false;
        }
        if let (Some(old), Some(new)) = (&mut bidder.plan, plan) {
            if self.without_bidder == Some(at) {
                self.free.clone_from(&self.without);
            } else {
                self.free.give_back(old);
                self.without.clone_from(&self.free);
                self.without_bidder = Some(at);
            }
            if !self.free.reserve(&new) {
                self.free.reserve(old);
                return false;
            }
            *old = new;
        }
        bidder.gpus = level.gpus;
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
