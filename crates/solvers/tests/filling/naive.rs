//! Plans on random steps of free GPUs against a clock that goes second by second.

use elastiplan_solvers::{
    Clock, Demand, FreeGpus, Level, Plan, Step, completion_s, minimum_share, minimum_share_after, soonest,
};
use proptest::prelude::*;

const EXACT: Clock = Clock::Exact { spare_s: 0.0 };

/// Everything in whole seconds and whole units of work a second.
#[derive(Clone, Debug)]
struct Case {
    free: Vec<Step>,
    levels: Vec<Level>,
    work: u32,
    deadline_s: u32,
    gpus_now: Option<u32>,
    unpaid_s: u32,
    /// For a first start, for a change, and for each GPU after it.
    pay_s: (u32, u32, u32),
}

impl Case {
    fn pay_s(&self, before: Option<u32>, after: u32) -> u32 {
        let (start_s, change_s, each_s) = self.pay_s;
        if before.is_none() { start_s } else { change_s + each_s * after }
    }

    fn with_demand<T>(&self, plan: impl FnOnce(&FreeGpus, &Demand<'_>) -> T) -> T {
        let free = FreeGpus::from_steps(self.free.clone()).unwrap();
        plan(
            &free,
            &Demand {
                levels: &self.levels,
                work: f64::from(self.work),
                deadline_s: f64::from(self.deadline_s),
                gpus_now: self.gpus_now,
                unpaid_s: f64::from(self.unpaid_s),
                pay_s: &|before, after| f64::from(self.pay_s(before, after)),
            },
        )
    }

    fn free_at(&self, second: u32) -> u32 {
        self.free.iter().rfind(|step| step.from_s <= f64::from(second)).unwrap().gpus
    }

    /// When the job is done if it holds so many GPUs in each second; `None` if not within 2,000 s.
    fn done_after(&self, gpus_in: impl Fn(u32) -> u32) -> Option<u32> {
        let (mut held, mut unpaid_s, mut work) = (self.gpus_now, self.unpaid_s, f64::from(self.work));
        for second in 0..2000 {
            let gpus = gpus_in(second);
            if gpus > 0 && held != Some(gpus) {
                unpaid_s = self.pay_s(held, gpus);
            }
            if gpus > 0 || held.is_some() {
                held = Some(gpus);
            }
            let speed = self.levels.iter().find(|level| level.gpus == gpus).map_or(0.0, |level| level.work_per_s);
            // What is to be paid is paid whether the job holds GPUs or not: the next change sets it anew.
            match unpaid_s {
                0 => work -= speed,
                _ => unpaid_s -= 1,
            }
            if work <= 1e-9 {
                return Some(second + 1);
            }
        }
        None
    }

    /// The same if it holds in each second as much as is free of at most one level.
    fn done_at_most(&self, most: u32) -> Option<u32> {
        self.done_after(|second| {
            let fits = |level: &&Level| level.gpus <= self.free_at(second).min(most);
            self.levels.iter().rfind(fits).map_or(0, |level| level.gpus)
        })
    }

    fn assert_true_of(&self, plan: &Plan) {
        let mut free = FreeGpus::from_steps(self.free.clone()).unwrap();
        if plan.end_s.is_infinite() {
            return;
        }
        assert!(free.clone().reserve(plan), "{plan:?} takes more than is free");
        // Plans change at whole seconds only, so that only their ends fall between two.
        let done_s =
            self.done_after(|second| if f64::from(second) < plan.end_s { plan.gpus_at(f64::from(second)) } else { 0 });
        let Some(done_s) = done_s else { panic!("{plan:?} does not do the work") };
        assert!((f64::from(done_s) - plan.end_s.ceil()).abs() < 1e-9, "{plan:?} is done after {done_s} s");
        let computed_s = self.with_demand(|_, demand| completion_s(plan, 0.0, demand)).unwrap();
        assert!((computed_s - plan.end_s).abs() < 1e-6, "{plan:?}, computed {computed_s}");
        let before = free.clone();
        free.reserve(plan);
        free.give_back(plan);
        assert_eq!(free, before);
    }
}

fn case(pays: bool) -> impl Strategy<Value = Case> {
    let free = prop::collection::vec((1..30u32, 0..9u32), 0..8).prop_flat_map(|changes| {
        (0..9u32, 1..9u32).prop_map(move |(first, last)| {
            let mut steps = vec![Step { from_s: 0.0, gpus: first }];
            let mut from_s = 0;
            for (after_s, gpus) in changes.iter().copied().chain([(5, last)]) {
                from_s += after_s;
                if steps.last().unwrap().gpus != gpus {
                    steps.push(Step { from_s: f64::from(from_s), gpus });
                }
            }
            steps
        })
    });
    let levels = (0..2u32, prop::collection::vec(1..9u32, 1..4)).prop_map(|(first, faster)| {
        let mut speed = 0;
        let level = |(power, more): (u32, u32)| {
            speed += more;
            Level { gpus: 1 << power, work_per_s: f64::from(speed) }
        };
        (first..).zip(faster).map(level).collect::<Vec<_>>()
    });
    let most_s: u32 = if pays { 8 } else { 1 };
    let pay_s = (0..most_s, 0..most_s, 0..most_s.min(3));
    (free, levels, 1..400u32, 0..160u32, prop::option::of(0..9usize), 0..most_s, pay_s).prop_map(
        |(free, levels, work, deadline_s, now, unpaid_s, pay_s)| {
            let gpus_now = now.map(|at| levels.get(at).map_or(0, |level| level.gpus));
            let unpaid_s = if gpus_now.is_some_and(|gpus| gpus > 0) { unpaid_s } else { 0 };
            Case { free, levels, work, deadline_s, gpus_now, unpaid_s, pay_s }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn plans_do_what_they_say(case in case(true)) {
        let (least, most) =
            case.with_demand(|free, demand| (minimum_share(free, 0.0, demand, EXACT), soonest(free, 0.0, demand, EXACT)));
        case.assert_true_of(&least);
        case.assert_true_of(&most);
        let fits = case.levels.iter().copied().filter(|level| level.gpus <= case.free_at(0));
        for first in fits {
            let plan = case.with_demand(|free, demand| minimum_share_after(free, 0.0, first, demand, EXACT).0);
            // Nothing is held until a deadline that is now.
            prop_assert!(plan.gpus_at(0.0) == first.gpus || plan.end_s.is_infinite() || case.deadline_s == 0);
            case.assert_true_of(&plan);
        }
    }

    #[test]
    fn nothing_smaller_would_do(case in case(false)) {
        let plan = case.with_demand(|free, demand| minimum_share(free, 0.0, demand, EXACT));
        let in_time = |most: &Level| case.done_at_most(most.gpus).is_some_and(|done_s| done_s <= case.deadline_s);
        let needed = case.levels.iter().find(|level| in_time(level));
        match needed {
            Some(level) => {
                prop_assert!(plan.end_s <= f64::from(case.deadline_s), "{plan:?}, but {level:?} does it");
                prop_assert_eq!(plan.steps.iter().map(|step| step.gpus).max(), Some(level.gpus), "{:?}", plan);
            }
            // A job done a part of a second too late is late, and naively counted in whole seconds.
            None => prop_assert!(plan.end_s > f64::from(case.deadline_s) - 1.0, "{plan:?}, but no level does it"),
        }
    }
}
