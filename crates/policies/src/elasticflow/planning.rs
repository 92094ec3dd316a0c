//! Plans for all jobs together: the GPUs of each over time.

use std::rc::Rc;

use elastiplan_engine::{JobView, View};
use elastiplan_model::order::{Number, sort_by_key};
use elastiplan_model::{JobId, SAME_TIME_S};
use elastiplan_solvers::{
    Clock, Demand, FreeGpus, Level, Plan, completion_s, minimum_share, minimum_share_after, soonest,
};

use super::{ElasticFlow, Rules};
use crate::shared::due::Due;

/// Plans hold GPUs for this long after ends: times computed in another way differ in the last digits, and a plan must
/// not give GPUs away while the job before still has a rounding error to run. Fifty jobs, each on the GPUs of the one
/// before, are not later by more than [`AIM_S`] for it.
const SPARE_S: f64 = 1e-5;
/// Plans end at most this long after deadlines. A deadline is met to the millisecond ([`SAME_TIME_S`]), so that work
/// that fits exactly is admitted; the other half is left to the last digits.
const AIM_S: f64 = SAME_TIME_S / 2.0;
/// What the last digits may use up of the other half before a promise counts as broken.
const ROUNDING_S: f64 = SAME_TIME_S / 4.0;
const CLOCK: Clock = Clock::Exact { spare_s: SPARE_S };

/// A job with the numbers of GPUs that it can use.
#[derive(Clone)]
pub(super) struct Candidate<'a> {
    pub job: JobView<'a>,
    pub levels: Rc<[Level]>,
    /// What plans aim at; infinite for a job without deadline.
    pub deadline_s: f64,
}

impl<'a> Candidate<'a> {
    pub fn new(job: JobView<'a>, levels: Rc<[Level]>) -> Self {
        let deadline_s = Due::of(&job).deadline_s.0 + AIM_S;
        Self { job, levels, deadline_s }
    }

    pub fn due(&self) -> Due {
        Due { deadline_s: Number(self.deadline_s), job: self.job.id }
    }

    pub fn minimum_share(&self, view: &View<'_>, free: &FreeGpus) -> Plan {
        self.with_demand(view, |demand| minimum_share(free, view.time_s(), demand, CLOCK))
    }

    pub fn minimum_share_after(&self, view: &View<'_>, free: &FreeGpus, first: Level) -> Plan {
        self.with_demand(view, |demand| minimum_share_after(free, view.time_s(), first, demand, CLOCK).0)
    }

    pub fn soonest(&self, view: &View<'_>, free: &FreeGpus) -> Plan {
        self.with_demand(view, |demand| soonest(free, view.time_s(), demand, CLOCK))
    }

    /// The completion of the job by a plan; `None` if it is not done by it.
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

/// A job with its plan.
pub(super) struct Planned<'a> {
    pub candidate: Candidate<'a>,
    pub plan: Plan,
}

/// The plans of all jobs, and the GPUs that they leave free.
pub(super) struct Schedule<'a> {
    pub free: FreeGpus,
    /// Earliest deadline first.
    planned: Vec<Planned<'a>>,
    /// Whether each job was planned beside the jobs before it only.
    in_turn: bool,
}

impl<'a> Schedule<'a> {
    pub fn into_planned(self) -> Vec<Planned<'a>> {
        self.planned
    }

    /// Adds a job that is due after all others, if all that its plan holds is free.
    fn push(&mut self, candidate: Candidate<'a>, plan: Plan) -> bool {
        let fits = self.free.reserve(&plan);
        if fits {
            self.planned.push(Planned { candidate, plan });
        }
        fits
    }

    /// Plans a job in the gaps that the others leave. Returns false and changes nothing if it would be late.
    pub fn add_in_gaps(&mut self, view: &View<'_>, candidate: &Candidate<'a>) -> bool {
        let plan = candidate.minimum_share(view, &self.free);
        let fits = plan.end_s <= candidate.deadline_s && self.free.reserve(&plan);
        if fits {
            let at = self.place_of(candidate);
            self.planned.insert(at, Planned { candidate: candidate.clone(), plan });
            self.in_turn = false;
        }
        fits
    }

    /// Plans one job and replans the jobs after it. Returns false and leaves all plans unchanged if a job would be
    /// late.
    pub fn add_in_turn(&mut self, view: &View<'_>, candidate: &Candidate<'a>, rules: &Rules) -> bool {
        let at = self.place_of(candidate);
        // Jobs planned beside the ones before them would get the same plan again.
        let kept = if self.in_turn { at } else { 0 };
        let mut free = self.free.clone();
        self.planned.iter().skip(kept).for_each(|planned| free.give_back(&planned.plan));
        let before = self.planned.iter().take(at).skip(kept).map(|planned| &planned.candidate);
        let after = self.planned.iter().skip(at).map(|planned| &planned.candidate);
        let mut anew = Vec::with_capacity(self.planned.len() + 1 - kept);
        for candidate in before.chain([candidate]).chain(after) {
            let plan = candidate.minimum_share(view, &free);
            if !(rules.accept(&plan, candidate) && free.reserve(&plan)) {
                return false;
            }
            anew.push(Planned { candidate: candidate.clone(), plan });
        }
        self.planned.truncate(kept);
        self.planned.extend(anew);
        (self.free, self.in_turn) = (free, true);
        true
    }

    fn place_of(&self, candidate: &Candidate<'_>) -> usize {
        self.planned.partition_point(|planned| planned.candidate.due() < candidate.due())
    }
}

impl Rules {
    /// Whether a job gets a plan when its turn comes.
    fn accept(&self, plan: &Plan, candidate: &Candidate<'_>) -> bool {
        plan.end_s <= candidate.deadline_s || self.late_in_turn
    }
}

impl ElasticFlow {
    pub(super) fn candidate<'a>(&mut self, view: &View<'_>, job: JobView<'a>) -> Candidate<'a> {
        let levels = self.levels.of(&job, view.gpus_most());
        Candidate::new(job, levels)
    }

    fn empty_schedule<'a>(&self, view: &View<'_>) -> Schedule<'a> {
        let gpus = view.gpus_total().saturating_sub(self.rules.reserve_gpus);
        Schedule { free: FreeGpus::new(view.time_s(), gpus), planned: Vec::new(), in_turn: true }
    }

    /// Jobs with a promise, earliest deadline first.
    fn promised_by_deadline<'a>(&mut self, view: &View<'a>) -> Vec<Candidate<'a>> {
        let jobs = self.promised.keys().filter_map(|job| view.job(*job)).collect();
        self.candidates_by_deadline(view, jobs)
    }

    fn candidates_by_deadline<'a>(&mut self, view: &View<'_>, jobs: Vec<JobView<'a>>) -> Vec<Candidate<'a>> {
        let mut candidates: Vec<Candidate<'a>> = jobs.into_iter().map(|job| self.candidate(view, job)).collect();
        sort_by_key(&mut candidates, Candidate::due);
        candidates
    }

    /// Replans all promised jobs. If the new plans would break a promise and the old ones keep it, the old ones stay.
    /// If both break one, the jobs that cannot be in time lose their promise.
    pub(super) fn plan_promised<'a>(&mut self, view: &View<'a>) -> Schedule<'a> {
        let candidates = self.promised_by_deadline(view);
        let (fresh, late) = self.fill(view, &candidates);
        if late.is_empty() {
            return fresh;
        }
        if let Some(schedule) = self.as_before(view, candidates) {
            return schedule;
        }
        self.unpromised.extend(late);
        fresh
    }

    /// Minimum shares in order of deadlines, and the jobs that have none. With `late_in_turn` such jobs get all that
    /// they can use, and none is returned.
    fn fill<'a>(&self, view: &View<'_>, by_deadline: &[Candidate<'a>]) -> (Schedule<'a>, Vec<JobId>) {
        let mut schedule = self.empty_schedule(view);
        let mut late = Vec::new();
        for candidate in by_deadline {
            let plan = candidate.minimum_share(view, &schedule.free);
            if !(self.rules.accept(&plan, candidate) && schedule.push(candidate.clone(), plan)) {
                late.push(candidate.job.id);
            }
        }
        (schedule, late)
    }

    /// The plans as they are, if there are GPUs for them and all keep their promise.
    fn as_before<'a>(&self, view: &View<'_>, by_deadline: Vec<Candidate<'a>>) -> Option<Schedule<'a>> {
        let mut schedule = Schedule { in_turn: false, ..self.empty_schedule(view) };
        for candidate in by_deadline {
            let plan = self.promised.get(&candidate.job.id)?;
            let end_s = candidate.completion_s(view, plan)?;
            let in_time = end_s <= candidate.deadline_s + ROUNDING_S;
            if !(in_time && schedule.push(candidate, plan.clone())) {
                return None;
            }
        }
        Some(schedule)
    }

    /// Promises jobs without a promise their deadline, if all other promises are kept.
    pub(super) fn try_unpromised<'a>(&mut self, view: &View<'a>, schedule: &mut Schedule<'a>) {
        let jobs = self.unpromised.iter().filter_map(|job| view.job(*job));
        let with_deadline = jobs.filter(|job| job.job.deadline_s.is_some_and(|d| d > view.time_s())).collect();
        for candidate in self.candidates_by_deadline(view, with_deadline) {
            if schedule.add_in_gaps(view, &candidate) {
                self.unpromised.remove(&candidate.job.id);
            }
        }
    }
}
