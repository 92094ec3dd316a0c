//! `chronus`: deadlines are promised where leases can be booked for them; who holds a lease now is optimised.
//!
//! Chronus (Gao et al., SoCC 2021), as ElasticFlow's public artifact models it. Time is cut into leases of `lease_s`, and
//! jobs run on the GPUs they ask for or not at all. How long a job will hold GPUs is estimated with a margin of a tenth,
//! and with what its resumptions cost. A job with a deadline is promised to meet it if its leases can be booked before
//! the deadline beside those of all who were promised before; it then runs on its leases only. Other jobs run on GPUs
//! that nobody has leased, the shortest first, and last those that are late whatever happens.
//!
//! At the beginning of each lease the promised jobs are booked anew, so that as many GPUs as possible are used now; or
//! as few as possible if there are jobs that were refused and could still be in time on what is left over.
//!
//! With `artifact=true` leases begin at multiples of `lease_s` on the clock of the trace instead of the first submission,
//! and a job that has come is booked from the lease after the next decision on, as in the public source.
//!
//! ```text
//! 2 GPUs, leases of 2 s; a needs both for 4 s and has no deadline; b comes at 2 and needs both for 2 s before 10
//! a 22--22     runs on what nobody has leased
//! b   22       its leases are booked as late as can be, but used at once: nobody was refused
//! ```

use std::collections::{BTreeMap, BTreeSet};

use elastiplan_engine::{Action, Cadence, JobView, Policy, View};
use elastiplan_model::JobId;
use elastiplan_solvers::leases::{Bookings, Free, Goal, Tenant, in_order, plan};

use crate::parameters::{Entry, Parameter, Parameters, YEAR_S};
use crate::shared::arrivals::{Arrivals, gpus_rigid};
use crate::shared::settling::Start;

const LEASE_S: Parameter = Parameter::number("lease_s", "Seconds of a lease", 240.0, 1.0..=YEAR_S);
const ARTIFACT: Parameter =
    Parameter::flag("artifact", "Leases begin and jobs are booked as in ElasticFlow's public source", false);

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "chronus",
    summary: "Leases for the deadlines that can be promised; the other jobs have what is left over",
    source: "Chronus (Gao et al., SoCC 2021), as ElasticFlow compares with it, section 6.1",
    is_elastic: true,
    has_program: false,
    parameters: &[LEASE_S, ARTIFACT],
};

/// A job's time with GPUs is estimated so much longer than it is.
const MARGIN: f64 = 1.1;
/// What a resumption is estimated to cost on one GPU, and for every doubling of the GPUs.
const RESUME_S: f64 = 0.5;
/// Leases are booked no further ahead than this; what cannot be done until then is not promised.
const LEASES_AHEAD: f64 = 100_000.0;
/// Steps of the search for a better first lease.
const WORK: u32 = 500;

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    Box::new(Chronus {
        lease_s: parameters.number(&LEASE_S),
        artifact: parameters.flag(&ARTIFACT),
        origin_s: None,
        told: BTreeMap::new(),
        some_refused: false,
        arrivals: Arrivals::new(),
    })
}

#[derive(Clone)]
struct Chronus {
    lease_s: f64,
    artifact: bool,
    /// When the first lease began.
    origin_s: Option<f64>,
    told: BTreeMap<JobId, Told>,
    /// Whether there is a job that was refused and that may still be in time.
    some_refused: bool,
    arrivals: Arrivals,
}

/// What a job was told.
#[derive(Clone)]
struct Told {
    answer: Answer,
    /// Seconds that it was estimated to hold GPUs in all.
    estimate_s: f64,
    /// Its leases after this one, if it was promised some.
    bookings: Bookings,
    start: Start,
}

/// What was said to a job about its deadline.
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

impl Policy for Chronus {
    fn cadence(&self) -> Cadence {
        if self.artifact { Cadence::OnEvents } else { Cadence::Ticks { interval_s: self.lease_s } }
    }

    fn explain(&self, view: &View<'_>, job: JobId) -> Option<String> {
        let job = view.job(job)?;
        let Some(told) = self.told.get(&job.id) else { return Some("Waits for the next lease".into()) };
        let booked = told.bookings.count();
        Some(match (told.answer, job.gpus) {
            (Answer::Promised { .. }, 0) => {
                format!("Its deadline is promised: no lease now, {booked} booked for later")
            }
            (Answer::Promised { .. }, _) => format!("Its deadline is promised: a lease now, {booked} booked for later"),
            (Answer::Refused { overran: true }, 0) => "Took longer than was promised: waits for spare GPUs".into(),
            (Answer::Refused { overran: true }, _) => "Took longer than was promised: has spare GPUs".into(),
            (Answer::Refused { .. }, 0) => "Its deadline is not promised: waits for GPUs that nobody has leased".into(),
            (Answer::Refused { .. }, _) => "Its deadline is not promised: has GPUs that nobody has leased".into(),
            (Answer::Late, 0) => "Too late for its deadline: waits behind all others".into(),
            (Answer::Late, _) => "Too late for its deadline: has GPUs that nobody else wants".into(),
            (Answer::BestEffort, 0) => "No deadline: waits for GPUs that nobody has leased".into(),
            (Answer::BestEffort, _) => "No deadline: has GPUs that nobody has leased".into(),
        })
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let now_s = view.time_s();
        if self.artifact {
            let next_s = ((now_s / self.lease_s).floor() + 1.0) * self.lease_s;
            if next_s > now_s {
                actions.push(Action::WakeAt { time_s: next_s });
            }
            if (now_s / self.lease_s).round() * self.lease_s != now_s {
                return;
            }
        }
        let origin_s = *self.origin_s.get_or_insert(if self.artifact { 0.0 } else { now_s });
        // A policy that takes over may begin between two rounds.
        let lease = ((now_s - origin_s) / self.lease_s - 1e-9).ceil().max(0.0) as u64;
        let came = self.arrivals.admit(view, |job| job.bound.gpus_requested, actions);
        let most = view.gpus_most();
        let mut jobs: Vec<JobView<'_>> = view.running().chain(view.waiting()).collect();
        jobs.retain(|job| gpus_rigid(job, most) <= most);
        jobs.sort_by_key(|job| job.id);
        self.told.retain(|id, _| jobs.binary_search_by_key(id, |job| job.id).is_ok());
        let holders = if self.artifact {
            let holders = self.lease_out(&jobs, lease, view);
            self.answer(&came, lease + 1, lease, view);
            holders
        } else {
            self.answer(&came, lease, lease, view);
            self.give_up(&jobs, view);
            self.some_refused = self.is_some_refused();
            self.lease_out(&jobs, lease, view)
        };
        self.some_refused = self.is_some_refused();
        self.give_up(&jobs, view);
        self.fill(&jobs, &holders, view, actions);
    }
}

impl Told {
    /// Seconds that it is still expected to hold GPUs; below 0 where it holds them for longer than was estimated.
    fn left_s(&self, job: &JobView<'_>, gpus: u32) -> f64 {
        self.estimate_s - held_s(job, gpus)
    }
}

/// Seconds that a job held its GPUs.
fn held_s(job: &JobView<'_>, gpus: u32) -> f64 {
    job.gpu_seconds() / f64::from(gpus)
}

impl Chronus {
    fn leases(&self, seconds: f64) -> u32 {
        // What is a whole number of leases but for a rounding error is not one more.
        (seconds / self.lease_s - 1e-9).ceil().clamp(0.0, 2.0 * LEASES_AHEAD) as u32
    }

    /// Answers the jobs that have come, one after the other. Leases are booked from number `first` on; the one that
    /// begins now is number `now`.
    fn answer(&mut self, came: &[JobView<'_>], first: u64, now: u64, view: &View<'_>) {
        let mut candidates: Vec<(JobId, Tenant)> = Vec::new();
        for job in came {
            let gpus = gpus_rigid(job, view.gpus_most());
            let resume_s = RESUME_S * (1.0 + libm::log2(f64::from(gpus)));
            let work_s = job.samples_left / job.curve.samples_per_s(gpus);
            let needed_s = work_s * MARGIN * (1.0 + resume_s / self.lease_s);
            let answer = job.job.deadline_s.map_or(Answer::BestEffort, |_| Answer::Refused { overran: false });
            let start = Start::of(job, view.time_s());
            let estimate_s = held_s(job, gpus) + needed_s;
            self.told.insert(job.id, Told { answer, estimate_s, bookings: Bookings::default(), start });
            let Some(deadline_s) = job.job.deadline_s else { continue };
            let ahead = ((deadline_s - view.time_s()) / self.lease_s + 1e-9).floor().clamp(0.0, LEASES_AHEAD);
            let tenant = Tenant { width: gpus, needed: self.leases(needed_s), until: now + ahead as u64 };
            if tenant.until >= first + u64::from(tenant.needed) {
                candidates.push((job.id, tenant));
            }
        }
        // What is booked already stays; those who came together are booked anew with each.
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

    /// What is free beside all that is booked.
    fn free(&self, first: u64, until: u64, view: &View<'_>) -> Free {
        let booked = self.told.iter().filter_map(|(id, told)| Some((view.job(*id)?, told)));
        let booked = booked.filter(|(_, told)| matches!(told.answer, Answer::Promised { .. }));
        let mut free = Free::new(first, until, view.gpus_total());
        for (job, told) in booked {
            free.take(&told.bookings, gpus_rigid(&job, view.gpus_most()));
        }
        free
    }

    /// Books these jobs and promises them their deadlines; false, and nothing changes, if there is no room.
    fn book(&mut self, promised: &[(JobId, Tenant)], mut free: Free) -> bool {
        let tenants: Vec<Tenant> = promised.iter().map(|(_, tenant)| *tenant).collect();
        let Some(bookings) = free.book_all(&tenants) else { return false };
        for ((id, tenant), bookings) in promised.iter().zip(bookings) {
            if let Some(told) = self.told.get_mut(id) {
                told.answer = Answer::Promised { until: tenant.until };
                told.bookings = bookings;
            }
        }
        true
    }

    /// Books all who were promised something anew, and gives those who hold the lease that begins now.
    fn lease_out(&mut self, jobs: &[JobView<'_>], now: u64, view: &View<'_>) -> BTreeSet<JobId> {
        let mut promised: Vec<(JobId, Tenant)> = Vec::new();
        for job in jobs {
            let gpus = gpus_rigid(job, view.gpus_most());
            let Some(told) = self.told.get(&job.id) else { continue };
            let Answer::Promised { until } = told.answer else { continue };
            let needed = self.leases(told.left_s(job, gpus));
            if needed == 0 {
                self.refuse(job.id, true);
            } else {
                promised.push((job.id, Tenant { width: gpus, needed, until }));
            }
        }
        let goal = if self.some_refused { Goal::Least } else { Goal::Most };
        let capacity = view.gpus_total();
        let known = |(id, _): &(JobId, Tenant)| self.told.get(id).map(|told| told.bookings.clone());
        let known: Vec<Bookings> = promised.iter().filter_map(known).collect();
        let tenants: Vec<Tenant> = promised.iter().map(|(_, tenant)| *tenant).collect();
        let best = plan(&tenants, now, capacity, goal, &known, WORK).or_else(|| {
            // Nodes have left, or estimates were wrong: as many promises as possible are kept, one after the other.
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
            if let Some(told) = self.told.get_mut(id) {
                told.bookings = bookings;
            }
        }
        holders
    }

    /// Takes back what cannot be kept.
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
        if let Some(told) = self.told.get_mut(&job) {
            told.answer = Answer::Refused { overran };
            told.bookings = Bookings::default();
        }
    }

    fn is_some_refused(&self) -> bool {
        self.told.values().any(|told| matches!(told.answer, Answer::Refused { .. }))
    }

    /// Of those who were refused, notes who cannot be in time any more.
    fn give_up(&mut self, jobs: &[JobView<'_>], view: &View<'_>) {
        for job in jobs {
            let gpus = gpus_rigid(job, view.gpus_most());
            let soonest_s = view.time_s() + job.samples_left / job.curve.samples_per_s(gpus);
            let is_late = job.job.deadline_s.is_some_and(|deadline_s| deadline_s < soonest_s);
            let refused = |told: &&mut Told| matches!(told.answer, Answer::Refused { .. });
            if let Some(told) = self.told.get_mut(&job.id).filter(refused).filter(|_| is_late) {
                told.answer = Answer::Late;
            }
        }
    }

    /// Who holds a lease runs; what is left over goes to those who were promised nothing, in order of what they need.
    fn fill(&mut self, jobs: &[JobView<'_>], holders: &BTreeSet<JobId>, view: &View<'_>, actions: &mut Vec<Action>) {
        let (mut free, most, now_s) = (view.gpus_total(), view.gpus_most(), view.time_s());
        let mut ranked: Vec<(Rank, &JobView<'_>, u32)> = Vec::with_capacity(jobs.len());
        for job in jobs {
            let gpus = gpus_rigid(job, most);
            let Some(told) = self.told.get_mut(&job.id) else { continue };
            let deadline_s = job.job.deadline_s.unwrap_or(now_s);
            let holds = holders.contains(&job.id);
            let stays = job.gpus == gpus && told.start.is_settling(job, now_s);
            let left_s = told.left_s(job, gpus);
            let (class, urgency_s) = match told.answer {
                _ if holds => (4, 0.0),
                Answer::Promised { .. } => continue,
                _ if stays => (3, 0.0),
                Answer::Refused { overran: true } => (2, -left_s),
                Answer::Refused { overran: false } | Answer::BestEffort => (1, -left_s),
                Answer::Late => (0, left_s - (deadline_s - now_s)),
            };
            ranked.push((Rank { class, urgency: urgency_s * f64::from(gpus) }, job, gpus));
        }
        ranked.sort_by(|(a, ..), (b, ..)| b.class.cmp(&a.class).then(b.urgency.total_cmp(&a.urgency)));
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
                if let Some(told) = self.told.get_mut(&job.id) {
                    told.start = Start::of(job, now_s);
                }
            }
        }
    }
}

/// Who comes first where GPUs are left over: the greater.
struct Rank {
    class: u8,
    /// In GPU-seconds.
    urgency: f64,
}
