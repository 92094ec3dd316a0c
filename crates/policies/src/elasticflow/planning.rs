//! Plans for all jobs together: who holds how many GPUs from when on.

use std::collections::BTreeMap;
use std::rc::Rc;

use elastiplan_engine::{JobView, View};
use elastiplan_model::JobId;
use elastiplan_solvers::{
    Clock, Demand, FreeGpus, Level, Plan, completion_s, minimum_share, minimum_share_after, soonest,
};

use super::ElasticFlow;

/// Plans aim at this long before deadlines, and hold GPUs for this long after ends: the last digits of a time are not
/// the same when it is computed in another way.
const SPARE_S: f64 = 1e-3;
const CLOCK: Clock = Clock::Exact { spare_s: SPARE_S };

/// A job with what is worth giving to it.
#[derive(Clone)]
pub(super) struct Candidate<'a> {
    pub job: JobView<'a>,
    pub levels: Rc<[Level]>,
    /// What plans aim at; infinite for a job without deadline.
    pub deadline_s: f64,
}

impl<'a> Candidate<'a> {
    pub fn new(job: JobView<'a>, levels: Rc<[Level]>) -> Self {
        let deadline_s = job.job.deadline_s.map_or(f64::INFINITY, |deadline_s| deadline_s - SPARE_S);
        Self { job, levels, deadline_s }
    }

    pub fn minimum_share(&self, view: &View<'_>, free: &FreeGpus) -> Plan {
        self.with_demand(view, |demand| minimum_share(free, view.time_s(), demand, CLOCK))
    }

    pub fn minimum_share_after(&self, view: &View<'_>, free: &FreeGpus, first: Level) -> Plan {
        self.with_demand(view, |demand| minimum_share_after(free, view.time_s(), first, demand, CLOCK))
    }

    pub fn soonest(&self, view: &View<'_>, free: &FreeGpus) -> Plan {
        self.with_demand(view, |demand| soonest(free, view.time_s(), demand, CLOCK))
    }

    /// When it is done if it goes on with a plan.
    pub fn completion_s(&self, view: &View<'_>, plan: &Plan) -> Option<f64> {
        self.with_demand(view, |demand| completion_s(plan, view.time_s(), demand))
    }

    fn with_demand<T>(&self, view: &View<'_>, plan: impl FnOnce(&Demand<'_>) -> T) -> T {
        let pay_s = |before: Option<u32>, after: u32| view.change_s(&self.job, before, after);
        plan(&Demand {
            levels: &self.levels,
            work: self.job.samples_left,
            deadline_s: self.deadline_s,
            gpus_now: self.job.started.then_some(self.job.gpus),
            unpaid_s: self.job.rescale_left_s(),
            pay_s: &pay_s,
        })
    }
}

/// What is planned, and what that leaves free.
#[derive(Clone)]
pub(super) struct Board {
    pub free: FreeGpus,
    plans: BTreeMap<JobId, Plan>,
}

impl Board {
    fn new(from_s: f64, gpus: u32) -> Self {
        Self { free: FreeGpus::new(from_s, gpus), plans: BTreeMap::new() }
    }

    pub fn plan_of(&self, job: JobId) -> Option<&Plan> {
        self.plans.get(&job)
    }

    pub fn plans(&self) -> &BTreeMap<JobId, Plan> {
        &self.plans
    }

    pub fn into_plans(self) -> BTreeMap<JobId, Plan> {
        self.plans
    }

    /// Plans a job if all that it holds is free.
    pub fn add(&mut self, job: JobId, plan: Plan) -> bool {
        let fits = self.free.reserve(&plan);
        if fits {
            self.plans.insert(job, plan);
        }
        fits
    }

    /// Replaces the plan of a job; what it holds must be free once the old plan is given back.
    pub fn replace(&mut self, job: JobId, plan: Plan) -> bool {
        let old = self.plans.remove(&job);
        if let Some(old) = &old {
            self.free.give_back(old);
        }
        if self.add(job, plan) {
            return true;
        }
        if let Some(old) = old {
            self.add(job, old);
        }
        false
    }
}

impl ElasticFlow {
    pub(super) fn candidate<'a>(&mut self, view: &View<'_>, job: JobView<'a>) -> Candidate<'a> {
        let levels = self.levels.of(&job, view.gpus_most());
        Candidate::new(job, levels)
    }

    pub(super) fn empty_board(&self, view: &View<'_>) -> Board {
        Board::new(view.time_s(), view.gpus_total().saturating_sub(self.rules.reserve_gpus))
    }

    /// Jobs with a promise, earliest deadline first.
    pub(super) fn promised_by_deadline<'a>(&mut self, view: &View<'a>) -> Vec<Candidate<'a>> {
        let jobs: Vec<JobView<'a>> = self.promised.keys().filter_map(|job| view.job(*job)).collect();
        let mut candidates: Vec<Candidate<'a>> = jobs.into_iter().map(|job| self.candidate(view, job)).collect();
        sort_by_deadline(&mut candidates);
        candidates
    }

    /// Plans for all promised jobs, made anew. If those would break a promise, the old ones go on, if they keep it. If
    /// neither do, the jobs that cannot be done in time lose their promise.
    pub(super) fn plan_promised(&mut self, view: &View<'_>) -> Board {
        let candidates = self.promised_by_deadline(view);
        let (fresh, late) = self.fill(view, &candidates);
        if late.is_empty() {
            return fresh;
        }
        if let Some(board) = self.as_before(view, &candidates) {
            return board;
        }
        self.unpromised.extend(late);
        fresh
    }

    /// Minimum shares in order of deadlines, and the jobs for which there is none. Where those have their turn too, they
    /// get as much as helps, and none is told.
    pub(super) fn fill(&self, view: &View<'_>, by_deadline: &[Candidate<'_>]) -> (Board, Vec<JobId>) {
        let mut board = self.empty_board(view);
        let mut late = Vec::new();
        for candidate in by_deadline {
            let plan = candidate.minimum_share(view, &board.free);
            let in_time = plan.end_s <= candidate.deadline_s || self.rules.late_in_turn;
            if !(in_time && board.add(candidate.job.id, plan)) {
                late.push(candidate.job.id);
            }
        }
        (board, late)
    }

    /// The plans as they are, if there are GPUs for them and all keep their promise.
    fn as_before(&self, view: &View<'_>, candidates: &[Candidate<'_>]) -> Option<Board> {
        let mut board = self.empty_board(view);
        for candidate in candidates {
            let plan = self.promised.get(&candidate.job.id)?;
            let end_s = candidate.completion_s(view, plan)?;
            // Plans aim at a little before the deadline; here the last digits may use some of that up.
            let in_time = end_s <= candidate.deadline_s + SPARE_S / 2.0;
            if !(in_time && board.add(candidate.job.id, plan.clone())) {
                return None;
            }
        }
        Some(board)
    }

    /// Whoever has no promise gets one if nobody is hurt by that.
    pub(super) fn try_unpromised(&mut self, view: &View<'_>, board: &mut Board) {
        let jobs: Vec<JobView<'_>> = self.unpromised.iter().filter_map(|job| view.job(*job)).collect();
        let with_deadline = jobs.into_iter().filter(|job| job.job.deadline_s.is_some_and(|d| d > view.time_s()));
        let mut candidates: Vec<Candidate<'_>> = with_deadline.map(|job| self.candidate(view, job)).collect();
        sort_by_deadline(&mut candidates);
        for candidate in candidates {
            let plan = candidate.minimum_share(view, &board.free);
            if plan.end_s <= candidate.deadline_s && board.add(candidate.job.id, plan) {
                self.unpromised.remove(&candidate.job.id);
            }
        }
    }
}

pub(super) fn sort_by_deadline(candidates: &mut [Candidate<'_>]) {
    candidates.sort_by(|a, b| a.deadline_s.total_cmp(&b.deadline_s).then(a.job.id.cmp(&b.job.id)));
}
