//! `elasticflow`: admits a job only if its deadline can be met beside all deadlines promised, and gives the remaining
//! GPUs to the jobs that save most GPU time with them.
//!
//! ElasticFlow (Gu et al., ASPLOS 2023). At every event, and at planned changes, all plans are recomputed: in order of
//! deadlines every admitted job gets its minimum satisfactory share, the fewest GPUs over time with which it is done in
//! time beside those before it (section 4.1, Algorithm 1). An arriving job is admitted if all deadlines are met with
//! it, and dropped otherwise. GPUs that no plan needs now go, step by step, to the job that saves most GPU time with
//! them (section 4.2, Algorithm 2). Jobs hold powers of two (4.3), no more than speed them up.
//!
//! Jobs without a deadline, and with `soft_deadlines=true` those whose deadline cannot be met, are never dropped: they
//! take part in the second step only (4.4). `user_jobs_per_day` limits what each user gets admitted, and `reserve_gpus`
//! are kept out of promises, for nodes that may fail (4.4).
//!
//! Plans include the cost of every change, and promises are kept: if new plans would break a promise, the old ones
//! stay. A promise can still be broken by what no plan knows: nodes that leave, wrong estimates, speeds that depend on
//! places, a placer that moves jobs about.
//!
//! ```text
//! 4 GPUs; speeds 1, 1.5 and 2 on 1, 2 and 4 GPUs; a and b need 1 GPU until 1 and 2 GPUs until 1
//! c needs 3 units of work until 2: one GPU at first, four afterwards (Figure 4)        a a.  bb b.  c 14
//! ```

mod admission;
mod planning;
mod returns;

use std::collections::{BTreeMap, BTreeSet};

use elastiplan_engine::{Action, Cadence, JobView, OnLoss, Policy, View};
use elastiplan_model::JobId;
use elastiplan_model::order::sort_by_rank;
use elastiplan_solvers::Plan;

use crate::artifact::elasticflow::Artifact;
use crate::parameters::{Entry, Parameter, Parameters, YEAR_S};
use crate::shared::arrivals::Arrivals;
use crate::shared::levels::Levels;
use crate::shared::words;
use admission::{Refusal, UserQuota};
use planning::Schedule;
use returns::Bidder;

const INTERVAL: Parameter =
    Parameter::number("interval_s", "The fewest seconds from one decision to the next", 60.0, 0.0..=YEAR_S);
const ADMISSION: Parameter = Parameter::flag("admission", "A job whose deadline cannot be promised is declined", true);
const SOFT_DEADLINES: Parameter =
    Parameter::flag("soft_deadlines", "Such a job runs all the same, on what is left over", false);
const SOONER: Parameter = Parameter::flag(
    "sooner",
    "A job gets more only if by its plan it is then done sooner (line 11 of Algorithm 2)",
    false,
);
const USER_JOBS_PER_DAY: Parameter = Parameter::count(
    "user_jobs_per_day",
    "The most jobs that one user gets admitted in 24 hours; 0 for no limit",
    0.0,
    0.0..=1e6,
);
const RESERVE_GPUS: Parameter =
    Parameter::count("reserve_gpus", "GPUs on which no promise is based, for nodes that may fail", 0.0, 0.0..=65_536.0);
const ARTIFACT: Parameter =
    Parameter::flag("artifact", "What the published artifact does instead; only interval_s counts beside it", false);

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "elasticflow",
    summary: "Promises deadlines only where they can be met; remaining GPUs go to the jobs that save most GPU time with them",
    source: "ElasticFlow, sections 4.1 to 4.4, Algorithms 1 and 2",
    is_elastic: true,
    parameters: &[INTERVAL, ADMISSION, SOFT_DEADLINES, SOONER, USER_JOBS_PER_DAY, RESERVE_GPUS, ARTIFACT],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    if parameters.flag(&ARTIFACT) {
        // Slots of no length never end.
        return Box::new(Artifact::new(parameters.number(&INTERVAL).max(1.0)));
    }
    let admission = parameters.flag(&ADMISSION);
    Box::new(ElasticFlow::new(Rules {
        interval_s: parameters.number(&INTERVAL),
        // Without admission control every job is admitted, and its deadline is met if that is possible.
        drops: admission && !parameters.flag(&SOFT_DEADLINES),
        late_in_turn: false,
        sooner: parameters.flag(&SOONER),
        user_jobs_per_day: parameters.number(&USER_JOBS_PER_DAY) as usize,
        reserve_gpus: parameters.number(&RESERVE_GPUS) as u32,
    }))
}

/// What the parameters say.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    interval_s: f64,
    drops: bool,
    /// Whether jobs that cannot be in time are still served in order of their deadlines.
    late_in_turn: bool,
    sooner: bool,
    user_jobs_per_day: usize,
    reserve_gpus: u32,
}

impl Rules {
    fn drops_if(&self, refusal: &Refusal) -> bool {
        match refusal {
            Refusal::BestEffort => false,
            Refusal::TooLarge { .. } | Refusal::OverQuota { .. } => true,
            Refusal::OverdueOnArrival { .. } | Refusal::TooTight { .. } | Refusal::TooBusy { .. } => self.drops,
        }
    }
}

#[derive(Clone)]
pub(crate) struct ElasticFlow {
    rules: Rules,
    arrivals: Arrivals,
    quota: UserQuota,
    levels: Levels,
    /// Plans of the jobs whose deadline was promised.
    promised: BTreeMap<JobId, Plan>,
    /// Jobs that run on what is left.
    unpromised: BTreeSet<JobId>,
}

impl Policy for ElasticFlow {
    fn cadence(&self) -> Cadence {
        Cadence::AtMostEvery { interval_s: self.rules.interval_s }
    }

    fn on_loss(&self) -> OnLoss {
        OnLoss::Shrink
    }

    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        let Some(plan) = self.promised.get(&job.id) else {
            let why = if job.job.deadline_s.is_some() { "Its deadline is not promised" } else { "It has no deadline" };
            return Some(format!("{why}: it runs on what promises leave over"));
        };
        let early_s = (job.job.deadline_s? - plan.end_s).max(0.0);
        let share = match plan.next_after(view.time_s()) {
            Some(next_s) if next_s < plan.end_s => format!("{} now", words::gpus(job.gpus)),
            _ => format!("{} to the end", words::gpus(job.gpus)),
        };
        Some(format!("Promised: {share}, and done {} before its deadline", words::duration(early_s)))
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        self.promised.retain(|job, _| view.job(*job).is_some());
        self.unpromised.retain(|job| view.job(*job).is_some());
        let mut schedule = self.plan_promised(view);
        for job in self.arrivals.admit(view, |_| 0, actions) {
            self.receive(view, job, &mut schedule, actions);
        }
        self.try_unpromised(view, &mut schedule);
        let bidders = self.share_out(view, schedule);
        carry_out(view, &bidders, actions);
        let with_plan = bidders.into_iter().filter_map(|bidder| Some((bidder.candidate.job.id, bidder.plan?)));
        self.promised = with_plan.collect();
        let next_s = self.promised.values().filter_map(|plan| plan.next_after(view.time_s())).min_by(f64::total_cmp);
        actions.extend(next_s.map(|time_s| Action::WakeAt { time_s }));
    }
}

impl ElasticFlow {
    /// Elastic scaling as the paper compares its parts, with or without admission control. Without, a job that cannot
    /// be in time gets all that it can use when its turn comes, and jobs due later get the rest.
    pub(crate) fn plain(interval_s: f64, admission: bool) -> Self {
        let (drops, late_in_turn) = (admission, !admission);
        Self::new(Rules { interval_s, drops, late_in_turn, sooner: false, user_jobs_per_day: 0, reserve_gpus: 0 })
    }

    fn new(rules: Rules) -> Self {
        Self {
            rules,
            arrivals: Arrivals::default(),
            quota: UserQuota::default(),
            levels: Levels::powers_of_two(),
            promised: BTreeMap::new(),
            unpromised: BTreeSet::new(),
        }
    }

    /// Promises an arriving job its deadline, admits it without a promise, or drops it.
    fn receive<'a>(
        &mut self,
        view: &View<'a>,
        job: JobView<'a>,
        schedule: &mut Schedule<'a>,
        actions: &mut Vec<Action>,
    ) {
        match self.try_promise(view, &job, schedule) {
            Ok(()) => actions.push(Action::Admit { job: job.id }),
            Err(refusal) if self.rules.late_in_turn && refusal.is_of_deadline() => {
                self.plan_late(view, &job, schedule);
                actions.push(Action::Admit { job: job.id });
            }
            Err(refusal) if job.started || !self.rules.drops_if(&refusal) => {
                self.unpromised.insert(job.id);
                actions.push(Action::Admit { job: job.id });
            }
            Err(refusal) => {
                actions.push(Action::Remark { job: job.id, text: refusal.in_words() });
                actions.push(Action::Drop { job: job.id });
            }
        }
    }
}

/// Emits the actions that turn the current allocation into the planned one. Running jobs without a bid are suspended.
fn carry_out(view: &View<'_>, bidders: &[Bidder<'_>], actions: &mut Vec<Action>) {
    let takes = |job: &JobView<'_>| bidders.binary_search_by_key(&job.id, |bidder| bidder.candidate.job.id).is_ok();
    let stopped = view.running().filter(|job| !takes(job)).map(|job| (job.id, 0));
    let changed = bidders.iter().filter(|bidder| bidder.gpus != bidder.candidate.job.gpus);
    let mut wanted: Vec<(JobId, u32)> =
        changed.map(|bidder| (bidder.candidate.job.id, bidder.gpus)).chain(stopped).collect();
    sort_by_rank(&mut wanted, |(job, _)| job.0.into());
    actions.extend(wanted.into_iter().map(|(job, gpus)| Action::Allocate { job, gpus }));
}
