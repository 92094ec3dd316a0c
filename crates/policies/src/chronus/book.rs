//! Leases booked for jobs, and the answers that jobs get about their deadlines.

use std::collections::{BTreeMap, BTreeSet};

use elastiplan_engine::{Action, JobView, View};
use elastiplan_model::JobId;
use elastiplan_model::order::sort_by;
use elastiplan_solvers::leases::{Bookings, Free, Goal, Tenant, in_order, plan};

use crate::shared::arrivals::{Arrivals, gpus_rigid, rigid_jobs};
use crate::shared::settling::Start;

/// A job's time with GPUs is estimated by this factor longer than it is.
const MARGIN: f64 = 1.1;
/// The estimated duration of a resumption on one GPU, and of every doubling of the GPUs, in seconds.
const RESUME_S: f64 = 0.5;
/// Leases are booked no further ahead than this; a job that takes longer is promised nothing.
const LEASES_AHEAD: f64 = 100_000.0;
/// Steps of the search for a better first lease.
const WORK: u32 = 500;

/// By how much of a lease a duration may miss a whole number of leases and still count as one.
const ROUNDING: f64 = 1e-9;

/// The state of all jobs from one lease to the next.
#[derive(Clone)]
pub(crate) struct LeaseBook {
    pub lease_s: f64,
    states: BTreeMap<JobId, JobState>,
    arrivals: Arrivals,
}

/// The state of one job.
#[derive(Clone)]
struct JobState {
    answer: Answer,
    /// Seconds that it was estimated to hold GPUs in all.
    estimate_s: f64,
    /// Its leases after this one, if it was promised some.
    bookings: Bookings,
    start: Start,
}

/// The answer that a job got about its deadline.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// It has all its leases before this one.
    Promised { until: u64 },
    /// Nothing is promised. `overran`: it has used up what was promised, and comes before other such jobs.
    Refused { overran: bool },
    /// It cannot be in time any more.
    Late,
    /// It has no deadline.
    BestEffort,
}

impl JobState {
    /// Seconds that it is still expected to hold GPUs; below 0 when it has held them for longer than estimated.
    fn left_s(&self, job: &JobView<'_>, gpus: u32) -> f64 {
        self.estimate_s - held_s(job, gpus)
    }
}

/// Seconds for which a job held its GPUs.
fn held_s(job: &JobView<'_>, gpus: u32) -> f64 {
    job.gpu_seconds() / f64::from(gpus)
}

impl LeaseBook {
    pub fn new(lease_s: f64) -> Self {
        Self { lease_s, states: BTreeMap::new(), arrivals: Arrivals::default() }
    }

    /// The number of the lease that begins so many seconds after the first.
    pub fn lease_at(&self, since_first_s: f64) -> u64 {
        // A policy that takes over may begin between two rounds.
        (since_first_s / self.lease_s - ROUNDING).ceil().max(0.0) as u64
    }

    /// Updates the jobs of the cluster. Returns those that can run, in order of submission, and those that arrived.
    pub fn update_jobs<'a>(
        &mut self,
        view: &View<'a>,
        actions: &mut Vec<Action>,
    ) -> (Vec<JobView<'a>>, Vec<JobView<'a>>) {
        let arrived = self.arrivals.admit(view, |job| job.bound.gpus_requested, actions);
        let jobs = rigid_jobs(view);
        self.states.retain(|id, _| jobs.binary_search_by_key(id, |job| job.id).is_ok());
        (jobs, arrived)
    }

    fn leases(&self, seconds: f64) -> u32 {
        (seconds / self.lease_s - ROUNDING).ceil().clamp(0.0, 2.0 * LEASES_AHEAD) as u32
    }

    /// Answers the jobs that arrived, one after the other. Leases are booked from number `first` on; the one that
    /// begins now is number `now`.
    pub fn answer(&mut self, arrived: &[JobView<'_>], first: u64, now: u64, view: &View<'_>) {
        let mut candidates: Vec<(JobId, Tenant)> = Vec::new();
        for job in arrived {
            let gpus = gpus_rigid(job, view.gpus_most());
            let resume_s = RESUME_S * (1.0 + libm::log2(f64::from(gpus)));
            let work_s = job.samples_left / job.curve.samples_per_s(gpus);
            let needed_s = work_s * MARGIN * (1.0 + resume_s / self.lease_s);
            let answer = job.job.deadline_s.map_or(Answer::BestEffort, |_| Answer::Refused { overran: false });
            let start = Start::of(job, view.time_s());
            let estimate_s = held_s(job, gpus) + needed_s;
            self.states.insert(job.id, JobState { answer, estimate_s, bookings: Bookings::default(), start });
            let Some(deadline_s) = job.job.deadline_s else { continue };
            let ahead = ((deadline_s - view.time_s()) / self.lease_s + ROUNDING).floor().clamp(0.0, LEASES_AHEAD);
            let tenant = Tenant { width: gpus, needed: self.leases(needed_s), until: now + ahead as u64 };
            if tenant.until >= first + u64::from(tenant.needed) {
                candidates.push((job.id, tenant));
            }
        }
        // Earlier bookings stay; jobs that arrived together are booked again with each of them.
        let Some(until) = candidates.iter().map(|(_, tenant)| tenant.until).max() else { return };
        let free = self.free(first, until, view);
        let mut promised = Vec::new();
        for candidate in candidates {
            promised.push(candidate);
            if !self.book(&promised, free.clone()) {
                promised.pop();
            }
        }
    }

    /// The GPUs that are free beside all bookings.
    fn free(&self, first: u64, until: u64, view: &View<'_>) -> Free {
        let booked = self.states.iter().filter_map(|(id, state)| Some((view.job(*id)?, state)));
        let booked = booked.filter(|(_, state)| matches!(state.answer, Answer::Promised { .. }));
        let mut free = Free::new(first, until, view.gpus_total());
        for (job, state) in booked {
            free.take(&state.bookings, gpus_rigid(&job, view.gpus_most()));
        }
        free
    }

    /// Books these jobs and promises them their deadlines. Returns false and changes nothing if there is no room.
    fn book(&mut self, promised: &[(JobId, Tenant)], mut free: Free) -> bool {
        let tenants: Vec<Tenant> = promised.iter().map(|(_, tenant)| *tenant).collect();
        let Some(bookings) = free.book_all(&tenants) else { return false };
        for ((id, tenant), bookings) in promised.iter().zip(bookings) {
            if let Some(state) = self.states.get_mut(id) {
                state.answer = Answer::Promised { until: tenant.until };
                state.bookings = bookings;
            }
        }
        true
    }

    /// Books all promised jobs again. Returns those that hold the lease that begins now: as few as possible if
    /// `some_refused`, otherwise as many as possible.
    pub fn lease_out(
        &mut self,
        jobs: &[JobView<'_>],
        now: u64,
        some_refused: bool,
        view: &View<'_>,
    ) -> BTreeSet<JobId> {
        let mut promised: Vec<(JobId, Tenant)> = Vec::new();
        for job in jobs {
            let gpus = gpus_rigid(job, view.gpus_most());
            let Some(state) = self.states.get(&job.id) else { continue };
            let Answer::Promised { until } = state.answer else { continue };
            let needed = self.leases(state.left_s(job, gpus));
            if needed == 0 {
                self.refuse(job.id, true);
            } else {
                promised.push((job.id, Tenant { width: gpus, needed, until }));
            }
        }
        let goal = if some_refused { Goal::Least } else { Goal::Most };
        let capacity = view.gpus_total();
        let known = |(id, _): &(JobId, Tenant)| self.states.get(id).map(|state| state.bookings.clone());
        let known: Vec<Bookings> = promised.iter().filter_map(known).collect();
        let tenants: Vec<Tenant> = promised.iter().map(|(_, tenant)| *tenant).collect();
        let best = plan(&tenants, now, capacity, goal, &known, WORK).or_else(|| {
            // Nodes have left, or estimates were wrong: promises are kept while they fit, one after the other.
            self.break_promises(&mut promised, now, capacity);
            let tenants: Vec<Tenant> = promised.iter().map(|(_, tenant)| *tenant).collect();
            plan(&tenants, now, capacity, goal, &[], WORK)
        });
        let mut holders = BTreeSet::new();
        for ((id, _), mut bookings) in promised.iter().zip(best.unwrap_or_default().bookings) {
            if bookings.has(now) {
                holders.insert(*id);
                bookings.remove_first();
            }
            if let Some(state) = self.states.get_mut(id) {
                state.bookings = bookings;
            }
        }
        holders
    }

    /// Refuses the jobs whose promises cannot be kept.
    fn break_promises(&mut self, promised: &mut Vec<(JobId, Tenant)>, now: u64, capacity: u32) {
        let tenants: Vec<Tenant> = promised.iter().map(|(_, tenant)| *tenant).collect();
        let until = tenants.iter().map(|tenant| tenant.until).max().unwrap_or(now);
        let mut free = Free::new(now, until, capacity);
        let mut kept = vec![false; tenants.len()];
        for at in in_order(&tenants) {
            if let (Some(tenant), Some(kept)) = (tenants.get(at), kept.get_mut(at)) {
                *kept = free.book(tenant).is_some();
            }
        }
        let mut kept = kept.into_iter();
        promised.retain(|(id, _)| {
            let keeps = kept.next().unwrap_or(false);
            if !keeps {
                self.refuse(*id, false);
            }
            keeps
        });
    }

    fn refuse(&mut self, job: JobId, overran: bool) {
        if let Some(state) = self.states.get_mut(&job) {
            state.answer = Answer::Refused { overran };
            state.bookings = Bookings::default();
        }
    }

    /// Whether a job was refused that may still be in time.
    pub fn is_some_refused(&self) -> bool {
        self.states.values().any(|state| matches!(state.answer, Answer::Refused { .. }))
    }

    /// Marks refused jobs that cannot meet their deadlines any more as late.
    pub fn give_up(&mut self, jobs: &[JobView<'_>], view: &View<'_>) {
        for job in jobs {
            let gpus = gpus_rigid(job, view.gpus_most());
            let soonest_s = view.time_s() + job.samples_left / job.curve.samples_per_s(gpus);
            let is_late = job.job.deadline_s.is_some_and(|deadline_s| deadline_s < soonest_s);
            let refused = |state: &&mut JobState| matches!(state.answer, Answer::Refused { .. });
            if let Some(state) = self.states.get_mut(&job.id).filter(refused).filter(|_| is_late) {
                state.answer = Answer::Late;
            }
        }
    }

    /// Runs the jobs that hold a lease. GPUs left over go to jobs without a promise, in order of rank.
    pub fn fill(
        &mut self,
        jobs: &[JobView<'_>],
        holders: &BTreeSet<JobId>,
        view: &View<'_>,
        actions: &mut Vec<Action>,
    ) {
        let (mut free, most, now_s) = (view.gpus_total(), view.gpus_most(), view.time_s());
        let mut ranked: Vec<(Rank, &JobView<'_>, u32)> = Vec::with_capacity(jobs.len());
        for job in jobs {
            let gpus = gpus_rigid(job, most);
            let Some(state) = self.states.get_mut(&job.id) else { continue };
            let deadline_s = job.job.deadline_s.unwrap_or(now_s);
            let holds = holders.contains(&job.id);
            let stays = job.gpus == gpus && state.start.is_settling(job, now_s);
            let left_s = state.left_s(job, gpus);
            let (class, urgency_s) = match state.answer {
                _ if holds => (4, 0.0),
                Answer::Promised { .. } => continue,
                _ if stays => (3, 0.0),
                Answer::Refused { overran: true } => (2, -left_s),
                Answer::Refused { overran: false } | Answer::BestEffort => (1, -left_s),
                Answer::Late => (0, left_s - (deadline_s - now_s)),
            };
            ranked.push((Rank { class, urgency: urgency_s * f64::from(gpus) }, job, gpus));
        }
        sort_by(&mut ranked, |(a, ..), (b, ..)| b.class.cmp(&a.class).then(b.urgency.total_cmp(&a.urgency)));
        let mut runs = BTreeSet::new();
        for (_, job, gpus) in ranked {
            if gpus <= free {
                free -= gpus;
                runs.insert(job.id);
            }
        }
        for job in jobs {
            let gpus = if runs.contains(&job.id) { gpus_rigid(job, most) } else { 0 };
            if gpus != job.gpus {
                actions.push(Action::Allocate { job: job.id, gpus });
                if let Some(state) = self.states.get_mut(&job.id) {
                    state.start = Start::of(job, now_s);
                }
            }
        }
    }

    /// Explains the present allocation of a job.
    pub fn explain(&self, job: &JobView<'_>) -> Option<String> {
        let Some(state) = self.states.get(&job.id) else { return Some("Waits for the next lease".into()) };
        let booked = state.bookings.count();
        Some(match (state.answer, job.gpus) {
            (Answer::Promised { .. }, 0) => {
                format!("Its deadline is promised: no lease now, {booked} booked for later")
            }
            (Answer::Promised { .. }, _) => format!("Its deadline is promised: a lease now, {booked} booked for later"),
            (Answer::Refused { overran: true }, 0) => "Took longer than was promised: waits for spare GPUs".into(),
            (Answer::Refused { overran: true }, _) => "Took longer than was promised: has spare GPUs".into(),
            (Answer::Refused { .. }, 0) => "Its deadline is not promised: waits for unleased GPUs".into(),
            (Answer::Refused { .. }, _) => "Its deadline is not promised: runs on unleased GPUs".into(),
            (Answer::Late, 0) => "Too late for its deadline: waits behind all others".into(),
            (Answer::Late, _) => "Too late for its deadline: runs on GPUs that no other job wants".into(),
            (Answer::BestEffort, 0) => "No deadline: waits for unleased GPUs".into(),
            (Answer::BestEffort, _) => "No deadline: runs on unleased GPUs".into(),
        })
    }
}

/// The order in which jobs get GPUs that are left over: the greatest first.
struct Rank {
    class: u8,
    /// In GPU-seconds.
    urgency: f64,
}
