//! To the last bit what is done by the letter, for many jobs that are planned one after the other.

use elastiplan_solvers::{
    Clock, Demand, FreeGpus, Grounds, Level, Plan, Stretch, minimum_share, minimum_share_after, soonest,
};
use proptest::prelude::*;

use crate::plain;

#[derive(Clone, Debug)]
struct Job {
    levels: Vec<Level>,
    work: f64,
    deadline_s: f64,
    gpus_now: Option<u32>,
    unpaid_s: f64,
    /// For a first start, for a change, and for each GPU after it.
    pay_s: (f64, f64, f64),
}

impl Job {
    fn with_demand<T>(&self, plan: impl FnOnce(&Demand<'_>) -> T) -> T {
        let (start_s, change_s, each_s) = self.pay_s;
        plan(&Demand {
            levels: &self.levels,
            work: self.work,
            deadline_s: self.deadline_s,
            gpus_now: self.gpus_now,
            unpaid_s: self.unpaid_s,
            pay_s: &|before, after| before.map_or(start_s, |_| change_s + each_s * f64::from(after)),
        })
    }
}

/// With `slots`, as the artifact sees jobs: whole seconds, and nothing is paid for changes.
fn job(slots: bool) -> impl Strategy<Value = Job> {
    let levels = (0..2u32, prop::collection::vec(0.01..4.0, 1..7)).prop_map(|(first, faster)| {
        let mut work_per_s = 0.0;
        let level = |(power, more): (u32, f64)| {
            work_per_s += more;
            Level { gpus: 1 << power, work_per_s }
        };
        (first..).zip(faster).map(level).collect::<Vec<_>>()
    });
    let deadline_s = prop_oneof![
        9 => (10.0..40_000.0).prop_map(move |d: f64| if slots { d.round() } else { d }),
        1 => Just(f64::INFINITY),
    ];
    let most_s = if slots { f64::MIN_POSITIVE } else { 300.0 };
    let pay_s = (0.0..most_s, 0.0..most_s, 0.0..most_s / 20.0);
    let now = prop::option::of(0..8usize);
    (levels, 1.0..60_000.0, deadline_s, now, 0.0..most_s, pay_s).prop_map(
        move |(levels, work, deadline_s, now, unpaid_s, pay_s)| {
            let gpus_now = now.map(|at| levels.get(at).map_or(0, |level| level.gpus)).filter(|_| !slots);
            let (unpaid_s, pay_s) = if slots { (0.0, (0.0, 0.0, 0.0)) } else { (unpaid_s, pay_s) };
            Job { levels, work, deadline_s, gpus_now, unpaid_s, pay_s }
        },
    )
}

fn gpu_seconds_to_change(plan: &Plan, free: &FreeGpus, before_s: f64) -> f64 {
    let mut changes = free.steps().into_iter().map(|step| step.from_s);
    let tail_s = changes.find(|change_s| *change_s >= plan.release_s && *change_s < before_s);
    Plan { release_s: tail_s.unwrap_or(plan.release_s), ..plan.clone() }.gpu_seconds()
}

/// Plans all jobs in turn, and then the next level for each of them.
fn check(jobs: &[Job], from_s: f64, gpus: u32, clock: Clock) {
    let mut free = FreeGpus::new(from_s, gpus);
    let mut plans = Vec::new();
    for job in jobs {
        let (plan, plainly) = job.with_demand(|demand| {
            assert_eq!(soonest(&free, from_s, demand, clock), plain::soonest(&free, from_s, demand, clock));
            (minimum_share(&free, from_s, demand, clock), plain::minimum_share(&free, from_s, demand, clock))
        });
        assert_eq!(plan, plainly);
        reserve(&mut free, &plan);
        plans.push(plan);
    }
    for (job, plan) in jobs.iter().zip(&mut plans) {
        give_back(&mut free, plan);
        for level in &job.levels {
            if free.at(from_s) < level.gpus {
                break;
            }
            let (next, plainly) = job.with_demand(|demand| {
                let next = minimum_share_after(&free, from_s, *level, demand, clock).0;
                (next, plain::minimum_share_after(&free, from_s, *level, demand, clock))
            });
            assert_eq!(next, plainly);
            let counted = next.gpu_seconds_to_change(&free, job.deadline_s);
            assert_eq!(counted.to_bits(), gpu_seconds_to_change(&next, &free, job.deadline_s).to_bits());
            *plan = next;
        }
        reserve(&mut free, plan);
    }
}

/// The next level for a job, with what the artifact counts of it.
fn raise(free: &FreeGpus, plan: &Plan, job: &Job, (from_s, clock): (f64, Clock)) -> Option<(Plan, f64, Grounds)> {
    let mut without = free.clone();
    without.give_back(plan);
    let level = *job.levels.iter().find(|level| level.gpus > plan.gpus_at(from_s))?;
    let fits = level.gpus <= without.at(from_s);
    let (raised, grounds) = job.with_demand(|demand| minimum_share_after(&without, from_s, level, demand, clock));
    let before_s = clock.aligned(from_s, job.deadline_s);
    let counted = raised.gpu_seconds_to_change(&without, before_s);
    let grounds = grounds.and_from(raised.release_s, before_s);
    fits.then_some((raised, counted, grounds))
}

/// Raises jobs in turn as long as that goes. What has grounds that hold comes out as before; that, and the others.
fn check_grounds(jobs: &[Job], from_s: f64, gpus: u32, clock: Clock) -> (usize, usize) {
    let mut free = FreeGpus::new(from_s, gpus);
    let mut plans: Vec<Plan> = Vec::new();
    for job in jobs {
        let plan = job.with_demand(|demand| minimum_share(&free, from_s, demand, clock));
        // A job that ends in the middle of a slot may be in the way until its end.
        let fits = free.reserve(&plan);
        plans.push(if fits { plan } else { Plan { steps: Vec::new(), end_s: from_s, release_s: from_s } });
    }
    let raises = |free: &FreeGpus, plans: &[Plan]| -> Vec<Option<(Plan, f64, Grounds)>> {
        jobs.iter().zip(plans).map(|(job, plan)| raise(free, plan, job, (from_s, clock))).collect()
    };
    let (mut holding, mut others) = (0, 0);
    let mut known = raises(&free, &plans);
    for turn in 0..jobs.len() * 2 {
        let taker = turn % jobs.len();
        let Some((plan, ..)) = known[taker].clone() else { continue };
        let old = std::mem::replace(&mut plans[taker], plan);
        free.give_back(&old);
        if !free.reserve(&plans[taker]) {
            free.reserve(&old);
            plans[taker] = old;
            continue;
        }
        let changed: Vec<Stretch> = old.differences(&plans[taker], from_s).collect();
        let anew = raises(&free, &plans);
        for (job, (known, anew)) in known.iter().zip(&anew).enumerate().filter(|(job, _)| *job != taker) {
            let (Some(known), Some(anew)) = (known, anew) else { continue };
            let holds = known.2.hold(&free, &plans[job], &changed);
            *if holds { &mut holding } else { &mut others } += 1;
            assert!(!holds || known == anew, "{known:?} is no longer {anew:?}");
        }
        known = anew;
    }
    (holding, others)
}

fn reserve(free: &mut FreeGpus, plan: &Plan) {
    let plainly = plain::without(&free.steps(), plan, false);
    let before = free.clone();
    assert_eq!(free.reserve(plan), plainly.is_some());
    assert_eq!(free.steps(), plainly.unwrap_or(before.steps().to_vec()));
}

fn give_back(free: &mut FreeGpus, plan: &Plan) {
    let plainly = plain::without(&free.steps(), plan, true);
    free.give_back(plan);
    assert_eq!(free.steps(), plainly.unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn exact_plans(jobs in prop::collection::vec(job(false), 1..20), from_s in 0.0..1e6, gpus in 1..65u32) {
        let late = |job: &Job| Job { deadline_s: from_s + job.deadline_s, ..job.clone() };
        let jobs: Vec<Job> = jobs.iter().map(late).collect();
        check(&jobs, from_s, gpus, Clock::Exact { spare_s: 1e-3 });
        check_grounds(&jobs, from_s, gpus, Clock::Exact { spare_s: 1e-3 });
    }

    #[test]
    fn plans_in_slots(jobs in prop::collection::vec(job(true), 1..20), from_s in 0..1_000_000u32, gpus in 1..65u32) {
        let from_s = f64::from(from_s);
        let late = |job: &Job| Job { deadline_s: from_s + job.deadline_s, ..job.clone() };
        let jobs: Vec<Job> = jobs.iter().map(late).collect();
        check(&jobs, from_s, gpus, Clock::Slots { slot_s: 240.0 });
        check_grounds(&jobs, from_s, gpus, Clock::Slots { slot_s: 240.0 });
    }

    #[test]
    fn no_plan_takes_more_than_is_free(jobs in prop::collection::vec(job(false), 1..20), gpus in 1..9u32) {
        // Plans that know nothing of each other.
        let alone = FreeGpus::new(0.0, gpus);
        let mut free = alone.clone();
        for job in &jobs {
            let plan = job.with_demand(|demand| minimum_share(&alone, 0.0, demand, Clock::Exact { spare_s: 1e-3 }));
            reserve(&mut free, &plan);
        }
    }
}
