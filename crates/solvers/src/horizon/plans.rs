//! Plans of one job: how many units in each step, and what they are worth.

use elastiplan_model::order::sort_by;

use super::{Demand, STEPS_MAX, StepOption};

/// Units by step; those beyond the horizon are 0.
pub(super) type Units = [u32; STEPS_MAX];

/// A job, with its work as the unit of work.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Job {
    /// What it may hold, with the share of its work that it does on it in a step; both rise.
    pub options: Vec<StepOption>,
    pub steps: usize,
}

/// A plan, or the beginning of one, at some prices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Plan {
    pub units: Units,
    /// The share of the work that is done.
    pub done: f64,
    /// What it is worth, less the price of what it holds.
    pub net: f64,
}

/// The best plan of a job at some prices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Best {
    pub plan: Plan,
    /// No plan is worth more, net. It is what the plan is worth, unless there were too many to look at.
    pub net_most: f64,
}

/// Jobs, of which some may be alike.
pub(super) struct Jobs {
    pub all: Vec<Job>,
    /// For each the first that is like it: what is found out about one holds for all.
    like: Vec<usize>,
}

impl Jobs {
    pub fn new(all: Vec<Job>) -> Self {
        let first = |job: &Job| all.iter().position(|other| other == job).unwrap_or(0);
        let like = all.iter().map(first).collect();
        Self { all, like }
    }

    /// A value for each job, computed once for jobs that are alike.
    pub fn find<T: Clone>(&self, mut find: impl FnMut(usize, &Job) -> T) -> Vec<T> {
        let mut found: Vec<T> = Vec::with_capacity(self.all.len());
        for (number, (job, like)) in self.all.iter().zip(&self.like).enumerate() {
            let known = found.get(*like).cloned();
            found.push(known.unwrap_or_else(|| find(number, job)));
        }
        found
    }
}

/// Ways to go on that are looked at for a job.
const LOOKED_AT_MAX: u64 = 20_000;

/// Ways to go on that are looked at to find the best plan of a job: more than there are in five steps with five
/// options. It is asked for at hundreds of prices.
const LOOKED_AT_FOR_BEST_MAX: usize = 20_000;

/// Plans with their losses against the best one.
pub(super) struct RankedPlans {
    /// The best first.
    pub plans: Vec<(f64, Plan)>,
    /// A lower bound on the loss of plans that are not among them.
    pub others_lose: f64,
    /// Ways to go on that were looked at.
    pub looked_at: u64,
}

impl RankedPlans {
    /// Keeps the best, so many of them.
    fn keep(&mut self, count_max: usize) {
        sort_by(&mut self.plans, |a, b| a.0.total_cmp(&b.0).then_with(|| a.1.units.cmp(&b.1.units)));
        let next = self.plans.get(count_max).map_or(f64::INFINITY, |(loses, _)| *loses);
        self.others_lose = self.others_lose.min(next);
        self.plans.truncate(count_max);
    }
}

impl Job {
    /// With `spare` units beyond what all hold at least. Options for which that is too little are left out, and those
    /// that are not above the ones before in units and in work.
    pub fn new(demand: &Demand<'_>, steps: usize, spare: u32) -> Self {
        let least = demand.options.first().map_or(0, |option| option.units);
        let mut options: Vec<StepOption> = Vec::with_capacity(demand.options.len());
        for option in demand.options {
            let work = demand.share(option);
            let rises = options.last().is_none_or(|before| option.units > before.units && work > before.work);
            if rises && option.units.saturating_sub(least) <= spare {
                options.push(StepOption { work, ..*option });
            }
        }
        Self { options, steps }
    }

    /// Whether it can be done before the horizon ends.
    pub fn ends(&self) -> bool {
        self.options.last().is_some_and(|most| most.work * self.steps as f64 > 1.0)
    }

    /// What it holds at least.
    pub fn units_least(&self) -> u32 {
        self.options.first().map_or(0, |option| option.units)
    }

    /// The sum over steps of the share that is done by then.
    pub fn value(&self, units: &[u32]) -> f64 {
        let work = |units: &u32| self.options.iter().find(|option| option.units == *units).map_or(0.0, |o| o.work);
        let mut done: f64 = 0.0;
        let by_step = units.iter().map(|units| {
            done = (done + work(units)).min(1.0);
            done
        });
        by_step.sum()
    }

    /// The best plan at these prices, or, where there are too many, the best that was met. `near` is one that is likely
    /// to be good, such as the best at prices that are near.
    pub fn best(&self, prices: &[f64], near: &Plan) -> Best {
        let ahead = Ahead::new(self, prices);
        let mut best = self.at(prices, near);
        let mut open = vec![(Plan::default(), 0)];
        let mut looked_at = 0;
        while let Some((beginning, step)) = open.pop() {
            let most = beginning.net + ahead.most(&beginning, step);
            if most <= best.net {
                continue;
            }
            looked_at += self.options.len();
            if looked_at > LOOKED_AT_FOR_BEST_MAX {
                let most_of = |(beginning, step): &(Plan, usize)| beginning.net + ahead.most(beginning, *step);
                let net_most = open.iter().map(most_of).fold(best.net.max(most), f64::max);
                return Best { plan: best, net_most };
            }
            self.go_on(&beginning, step, prices, |next| match ahead.ended(self, &next, step + 1) {
                Some(plan) if plan.net > best.net => best = plan,
                None if next.net + ahead.most(&next, step + 1) > best.net => open.push((next, step + 1)),
                _ => (),
            });
        }
        Best { plan: best, net_most: best.net }
    }

    /// A plan at other prices.
    pub fn at(&self, prices: &[f64], plan: &Plan) -> Plan {
        let of_units = prices.iter().zip(plan.units).map(|(price, units)| price * f64::from(units)).sum::<f64>();
        Plan { net: self.value(&plan.units[..self.steps]) - of_units, ..*plan }
    }

    /// Everything at the least.
    pub fn least(&self) -> Plan {
        let mut plan = Plan::default();
        plan.units[..self.steps].fill(self.units_least());
        plan
    }

    /// All plans that lose at most `budget` against what the best is worth at most, but at most `count_max` of them.
    pub fn all_worth(&self, prices: &[f64], best: &Best, budget: f64, count_max: usize) -> RankedPlans {
        let ahead = Ahead::new(self, prices);
        // A little more than the budget: rounding must not leave out what is just within.
        let mut budget = budget + 1e-12 * best.net_most.abs().max(1.0);
        let lost = |plan: &Plan| (best.net_most - plan.net).max(0.0);
        let mut all =
            RankedPlans { plans: vec![(lost(&best.plan), best.plan)], others_lose: f64::INFINITY, looked_at: 0 };
        let mut open = vec![(Plan::default(), 0)];
        while let Some((beginning, step)) = open.pop() {
            let loses = best.net_most - (beginning.net + ahead.most(&beginning, step));
            if loses > budget {
                // The budget may have been lowered: this is not among the best, but perhaps next to them.
                all.others_lose = all.others_lose.min(loses);
                continue;
            }
            all.looked_at += 1;
            if all.looked_at > LOOKED_AT_MAX {
                all.others_lose = all.others_lose.min(loses.max(0.0));
                continue;
            }
            self.go_on(&beginning, step, prices, |next| match ahead.ended(self, &next, step + 1) {
                Some(plan) if plan.units == best.plan.units => (),
                Some(plan) if lost(&plan) > budget => all.others_lose = all.others_lose.min(lost(&plan)),
                Some(plan) => all.plans.push((lost(&plan), plan)),
                None => open.push((next, step + 1)),
            });
            if all.plans.len() >= 2 * count_max {
                all.keep(count_max);
                budget = all.plans.last().map_or(budget, |(loses, _)| *loses);
            }
        }
        all.keep(count_max);
        all
    }

    /// Every way to go on for a step. Once the work is done more units do nothing.
    fn go_on(&self, beginning: &Plan, step: usize, prices: &[f64], mut visit: impl FnMut(Plan)) {
        let price = prices.get(step).copied().unwrap_or(0.0);
        for option in &self.options {
            let mut next = *beginning;
            next.done = (next.done + option.work).min(1.0);
            next.net += next.done - price * f64::from(option.units);
            if let Some(units) = next.units.get_mut(step) {
                *units = option.units;
            }
            visit(next);
            if next.done >= 1.0 {
                return;
            }
        }
    }
}

/// What the rest of a plan can be worth, from each step on.
struct Ahead {
    /// Everything is done, and the least is held.
    done: [f64; STEPS_MAX + 1],
    /// Nothing is done before, and work never ends.
    endless: [f64; STEPS_MAX + 1],
    steps: usize,
}

impl Ahead {
    fn new(job: &Job, prices: &[f64]) -> Self {
        let (mut done, mut endless) = ([0.0; STEPS_MAX + 1], [0.0; STEPS_MAX + 1]);
        let steps = job.steps;
        for (step, price) in prices.iter().enumerate().take(steps).rev() {
            let counts = (steps - step) as f64;
            let net = |option: &StepOption| counts * option.work - price * f64::from(option.units);
            let most = job.options.iter().map(net).fold(f64::NEG_INFINITY, f64::max);
            done[step] = done[step + 1] + 1.0 - price * f64::from(job.units_least());
            endless[step] = endless[step + 1] + most;
        }
        Self { done, endless, steps }
    }

    /// The most that the steps from this one on can add.
    fn most(&self, beginning: &Plan, step: usize) -> f64 {
        let endless = beginning.done * (self.steps - step) as f64 + self.endless[step];
        endless.min(self.done[step])
    }

    /// The whole plan, if nothing is left to choose before this step.
    fn ended(&self, job: &Job, beginning: &Plan, step: usize) -> Option<Plan> {
        if beginning.done < 1.0 && step < self.steps {
            return None;
        }
        let mut plan = *beginning;
        plan.net += self.done[step];
        plan.units[step..self.steps].fill(job.units_least());
        Some(plan)
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// The plans that are kept are the best ones, and no other loses less than the bound.
    #[test]
    fn other_plans_lose_at_least_the_bound() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut cut = 0;
        for case in 0..2000 {
            let mut share = 0.0;
            let mut option = |units: u32| {
                share += random.random_range(0.01..0.3);
                StepOption { units, work: share }
            };
            let options: Vec<StepOption> = (1..=5).map(&mut option).collect();
            let job = Job { options, steps: 4 };
            let prices: Vec<f64> = (0..4).map(|_| random.random_range(0.0..0.3)).collect();
            let best = job.best(&prices, &job.least());
            let count_max = random.random_range(1..60);
            let budget = random.random_range(0.0..1.0);
            let all = job.all_worth(&prices, &best, f64::INFINITY, usize::MAX / 2).plans;
            let some = job.all_worth(&prices, &best, budget, count_max);
            let within = all.iter().filter(|(loses, _)| *loses <= budget).count();
            assert_eq!(some.plans.len(), within.min(count_max), "case {case}");
            for ((loses, _), (least, _)) in some.plans.iter().zip(&all) {
                assert!((loses - least).abs() < 1e-12, "case {case}: {loses} for {least}");
            }
            if let Some((loses, _)) = all[..within].get(count_max) {
                cut += 1;
                assert!(some.others_lose <= loses + 1e-12, "case {case}: {} for {loses}", some.others_lose);
            }
        }
        assert!(cut > 500, "{cut}");
    }
}
