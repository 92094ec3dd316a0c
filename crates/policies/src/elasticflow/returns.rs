//! Who gets the GPUs that no promise needs now: whoever saves most GPU time with them (section 4.2, Algorithm 2).

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

use elastiplan_engine::{JobView, View};
use elastiplan_model::JobId;
use elastiplan_solvers::{Level, Plan, Step};

use super::ElasticFlow;
use super::planning::{Board, Candidate};

/// Until then no change of the free GPUs is known, and spare GPUs can be lent.
const LOAN_S: f64 = 3_600.0;

/// One more step for one job.
struct Bid {
    /// GPU-seconds saved until the job is done, for each GPU added; below 0 where it costs some.
    saves: f64,
    job: JobId,
    level: Level,
    /// What the job would do; none for one without a promise.
    plan: Option<Plan>,
    /// How many steps had been taken when this was computed.
    as_of: usize,
}

impl ElasticFlow {
    /// What every job holds from now on. Plans on the board change with it.
    pub(super) fn share_out(&mut self, view: &View<'_>, board: &mut Board) -> BTreeMap<JobId, u32> {
        let now_s = view.time_s();
        let mut shares: BTreeMap<JobId, u32> =
            board.plans().iter().map(|(job, plan)| (*job, plan.gpus_at(now_s))).collect();
        let mut left = view.gpus_total().saturating_sub(shares.values().sum());
        self.lend_reserve(view, board);
        let candidates = self.takers(view, board, left);
        shares.extend(candidates.keys().filter(|job| board.plan_of(**job).is_none()).map(|job| (*job, 0)));
        shares.extend(view.running().filter(|job| !candidates.contains_key(&job.id)).map(|job| (job.id, 0)));
        if !self.rules.sooner && self.give_all_most(view, board, &candidates, &mut shares) {
            return shares;
        }
        let sooner = self.rules.sooner;
        let mut taken = 0;
        let mut bids: BinaryHeap<Bid> = BinaryHeap::new();
        bids.extend(candidates.values().filter_map(|candidate| bid(view, board, candidate, &shares, taken, sooner)));
        while left > 0
            && let Some(best) = bids.pop()
        {
            let held = shares.get(&best.job).copied().unwrap_or(0);
            let Some(candidate) = candidates.get(&best.job) else { continue };
            if best.level.gpus - held > left {
                continue;
            }
            // Others have taken GPUs since; what this one saves may have changed.
            if best.as_of < taken && best.plan.is_some() {
                bids.extend(bid(view, board, candidate, &shares, taken, sooner));
                continue;
            }
            if best.plan.is_some_and(|plan| !board.replace(best.job, plan)) {
                continue;
            }
            taken += 1;
            left -= best.level.gpus - held;
            shares.insert(best.job, best.level.gpus);
            bids.extend(bid(view, board, candidate, &shares, taken, sooner));
        }
        shares
    }

    /// Where there are GPUs enough for the most that each job can use, nobody need bid. False, and nothing has
    /// changed, where there are not.
    fn give_all_most(
        &self,
        view: &View<'_>,
        board: &mut Board,
        candidates: &BTreeMap<JobId, Candidate<'_>>,
        shares: &mut BTreeMap<JobId, u32>,
    ) -> bool {
        let most = candidates.values().filter_map(|candidate| candidate.levels.last());
        let wanted: u64 = most.map(|level| u64::from(level.gpus)).sum();
        if wanted > u64::from(view.gpus_total()) || self.unpromised.len() + board.plans().len() > candidates.len() {
            return false;
        }
        let before = (board.clone(), shares.clone());
        for (job, candidate) in candidates {
            let Some(level) = candidate.levels.last().copied() else { continue };
            if let Some(plan) = board.plan_of(*job) {
                let mut free = board.free.clone();
                free.give_back(plan);
                let faster = candidate.minimum_share_after(view, &free, level);
                if !(faster.end_s <= candidate.deadline_s && board.replace(*job, faster)) {
                    (*board, *shares) = before;
                    return false;
                }
            }
            shares.insert(*job, level.gpus);
        }
        true
    }

    /// Jobs that could take more: all that have a promise, and of the others as many as could get a GPU: earliest
    /// deadline first, those without one last.
    fn takers<'a>(&mut self, view: &View<'a>, board: &Board, left: u32) -> BTreeMap<JobId, Candidate<'a>> {
        let mut unpromised: Vec<JobView<'a>> = self.unpromised.iter().filter_map(|job| view.job(*job)).collect();
        unpromised.sort_by(|a, b| order(a).total_cmp(&order(b)));
        unpromised.truncate(left as usize);
        let promised = board.plans().keys().filter_map(|job| view.job(*job));
        promised.chain(unpromised).map(|job| (job.id, self.candidate(view, job))).collect()
    }

    /// GPUs kept for failures may be used until the next change of plans: whoever plans anew takes them back.
    fn lend_reserve(&self, view: &View<'_>, board: &mut Board) {
        let gpus = self.rules.reserve_gpus.min(view.gpus_total());
        if gpus > 0 {
            let from_s = view.time_s();
            let until_s = board.free.next_after(from_s).unwrap_or(from_s + LOAN_S);
            board.free.give_back(&Plan { steps: vec![Step { from_s, gpus }], end_s: until_s, release_s: until_s });
        }
    }
}

/// The deadline; later than all others where there is none. Jobs come in order of submission.
fn order(job: &JobView<'_>) -> f64 {
    job.job.deadline_s.unwrap_or(f64::INFINITY)
}

/// The next step up for a job; `None` if there is none, or it would not help.
fn bid(
    view: &View<'_>,
    board: &Board,
    candidate: &Candidate<'_>,
    shares: &BTreeMap<JobId, u32>,
    as_of: usize,
    sooner: bool,
) -> Option<Bid> {
    let job = candidate.job.id;
    let held = shares.get(&job).copied().unwrap_or(0);
    let level = candidate.levels.iter().copied().find(|level| level.gpus > held)?;
    let added = f64::from(level.gpus - held);
    let Some(plan) = board.plan_of(job) else {
        let saves = saved_without_plan(view, candidate, held, level)? / added;
        return Some(Bid { saves, job, level, plan: None, as_of });
    };
    let mut free = board.free.clone();
    free.give_back(plan);
    if free.at(view.time_s()) < level.gpus {
        return None;
    }
    let faster = candidate.minimum_share_after(view, &free, level);
    let gains = faster.end_s <= candidate.deadline_s && (!sooner || faster.end_s < plan.end_s);
    let saves = (plan.gpu_seconds() - faster.gpu_seconds()) / added;
    gains.then_some(Bid { saves, job, level, plan: Some(faster), as_of })
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
        self.saves.total_cmp(&other.saves).then(other.job.cmp(&self.job))
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
