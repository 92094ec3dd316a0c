//! Whether a job's deadline can be promised, and if not, why and what would help (sections 4.1 and 4.4).

use std::collections::{BTreeMap, VecDeque};

use elastiplan_engine::{JobView, View};

use super::ElasticFlow;
use super::planning::Schedule;
use crate::shared::words;

const DAY_S: f64 = 86_400.0;

/// The reason for which a job is not promised its deadline.
pub(super) enum Refusal {
    /// It runs only on more GPUs than there can be.
    TooLarge { gpus_min: u32, gpus_most: u32 },
    /// Its user has reached the quota.
    OverQuota { user: String, jobs_per_day: usize },
    /// It has no deadline to promise.
    BestEffort,
    /// Its deadline was before its submission.
    OverdueOnArrival { needs_s: f64 },
    /// It would be late even alone on the cluster.
    TooTight { gpus: u32, needs_s: f64, short_by_s: f64 },
    /// It would be late beside the jobs promised before.
    TooBusy { short_by_s: f64 },
}

impl Refusal {
    /// Whether a later deadline would have helped.
    pub fn is_of_deadline(&self) -> bool {
        matches!(self, Refusal::OverdueOnArrival { .. } | Refusal::TooTight { .. } | Refusal::TooBusy { .. })
    }

    /// What happened, and the smallest change that would have helped.
    pub fn in_words(&self) -> String {
        match self {
            Refusal::TooLarge { gpus_min, gpus_most } => {
                format!("Declined: it needs at least {}, the cluster has {gpus_most}", words::gpus(*gpus_min))
            }
            Refusal::OverQuota { user, jobs_per_day } => {
                let jobs = if *jobs_per_day == 1 { "a job" } else { &format!("{jobs_per_day} jobs") };
                format!("Declined: {user} has had {jobs} admitted within 24 h; a later submission would do")
            }
            Refusal::BestEffort => "It has no deadline and runs on what is left over".into(),
            Refusal::OverdueOnArrival { needs_s } => format!(
                "Declined: its deadline was over when it was submitted; {} after submission would do",
                words::duration(*needs_s)
            ),
            Refusal::TooTight { gpus, needs_s, short_by_s } => format!(
                "Declined: even alone on {} it takes {}; a deadline {} later would do",
                words::gpus(*gpus),
                words::duration(*needs_s),
                words::duration(*short_by_s)
            ),
            Refusal::TooBusy { short_by_s } => {
                format!(
                    "Declined: not beside what is promised; a deadline {} later would do",
                    words::duration(*short_by_s)
                )
            }
        }
    }
}

impl ElasticFlow {
    /// Promises a job its deadline and plans it, if all other promises are kept.
    pub(super) fn try_promise<'a>(
        &mut self,
        view: &View<'a>,
        job: &JobView<'a>,
        schedule: &mut Schedule<'a>,
    ) -> Result<(), Refusal> {
        let candidate = self.candidate(view, *job);
        let Some(fastest) = candidate.levels.last().copied() else {
            return Err(Refusal::TooLarge { gpus_min: job.bound.gpus_min, gpus_most: view.gpus_most() });
        };
        self.quota.check(job, self.rules.user_jobs_per_day)?;
        let Some(deadline_s) = job.job.deadline_s else {
            self.quota.count(job);
            return Err(Refusal::BestEffort);
        };
        let needs_s = view.change_s(job, None, fastest.gpus) + job.samples_left / fastest.work_per_s;
        if deadline_s <= job.job.submit_s {
            let soonest_s = candidate.soonest(view, &schedule.free).end_s;
            return Err(Refusal::OverdueOnArrival { needs_s: soonest_s - job.job.submit_s });
        }
        if schedule.add_in_turn(view, &candidate, &self.rules) || schedule.add_in_gaps(view, &candidate) {
            self.quota.count(job);
            return Ok(());
        }
        let short_by_s = candidate.soonest(view, &schedule.free).end_s - candidate.deadline_s;
        Err(match view.time_s() + needs_s > candidate.deadline_s {
            true => Refusal::TooTight { gpus: fastest.gpus, needs_s, short_by_s },
            false => Refusal::TooBusy { short_by_s },
        })
    }

    /// Plans a job in order of deadlines, whether it will be in time or not.
    pub(super) fn plan_late<'a>(&mut self, view: &View<'a>, job: &JobView<'a>, schedule: &mut Schedule<'a>) {
        let candidate = self.candidate(view, *job);
        schedule.add_in_turn(view, &candidate, &self.rules);
    }
}

/// When each user's jobs of the last 24 hours were admitted.
#[derive(Clone, Default)]
pub(super) struct UserQuota {
    admitted_s: BTreeMap<String, VecDeque<f64>>,
}

impl UserQuota {
    /// Whether one more is within the quota; a quota of 0 is none.
    fn check(&mut self, job: &JobView<'_>, jobs_per_day: usize) -> Result<(), Refusal> {
        let Some(user) = job.job.user.as_ref().filter(|_| jobs_per_day > 0) else { return Ok(()) };
        let Some(admitted_s) = self.admitted_s.get_mut(user) else { return Ok(()) };
        while admitted_s.front().is_some_and(|first_s| first_s + DAY_S <= job.job.submit_s) {
            admitted_s.pop_front();
        }
        match admitted_s.len() < jobs_per_day {
            true => Ok(()),
            false => Err(Refusal::OverQuota { user: user.clone(), jobs_per_day }),
        }
    }

    fn count(&mut self, job: &JobView<'_>) {
        if let Some(user) = &job.job.user {
            self.admitted_s.entry(user.clone()).or_default().push_back(job.job.submit_s);
        }
    }
}
