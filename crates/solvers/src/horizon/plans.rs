//! Plans of one job: how many units in each step, and what they are worth.

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

    /// Something about each job, found out once for those that are alike.
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

/// Plans with what they lose against the best one.
pub(super) struct Worthy {
    /// The best first.
    pub plans: Vec<(f64, Plan)>,
    /// What those that are not among them lose at least.
    pub others_lose: f64,
    /// Ways to go on that were looked at.
    pub looked_at: u64,
}

impl Worthy {
    /// Keeps the best, so many of them.
    fn keep(&mut self, count_max: usize) {
        self.plans.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.units.cmp(&b.1.units)));
        let next = self.plans.get(count_max).map_or(f64::INFINITY, |(loses, _)| *loses);
        self.others_lose = self.others_lose.min(next);
        self.plans.truncate(count_max);
    }
}

impl Job {
    pub fn new(demand: &Demand<'_>, steps: usize) -> Self {
        let share = |option: &StepOption| StepOption { work: option.work / demand.work, ..*option };
        Self { options: demand.options.iter().map(share).collect(), steps }
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

    /// The best plan at these prices. `near` is one that is likely to be good, such as the best at prices that are near.
    pub fn best(&self, prices: &[f64], near: &Plan) -> Plan {
        let ahead = Ahead::new(self, prices);
        let mut best = self.at(prices, near);
        let mut open = vec![(Plan::default(), 0)];
        while let Some((beginning, step)) = open.pop() {
            if beginning.net + ahead.most(&beginning, step) <= best.net {
                continue;
            }
            self.go_on(&beginning, step, prices, |next| match ahead.ended(self, &next, step + 1) {
                Some(plan) if plan.net > best.net => best = plan,
                None if next.net + ahead.most(&next, step + 1) > best.net => open.push((next, step + 1)),
                _ => (),
            });
        }
        best
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

    /// All plans that lose at most `budget` against `best`, which is the best one, but at most `count_max` of them.
    pub fn all_worth(&self, prices: &[f64], best: &Plan, budget: f64, count_max: usize) -> Worthy {
        let ahead = Ahead::new(self, prices);
        // A little more than the budget: rounding must not leave out what is just within.
        let mut budget = budget + 1e-12 * best.net.abs().max(1.0);
        let mut all = Worthy { plans: vec![(0.0, *best)], others_lose: f64::INFINITY, looked_at: 0 };
        let mut open = vec![(Plan::default(), 0)];
        while let Some((beginning, step)) = open.pop() {
            let loses = best.net - (beginning.net + ahead.most(&beginning, step));
            if loses > budget {
                continue;
            }
            all.looked_at += 1;
            if all.looked_at > LOOKED_AT_MAX {
                all.others_lose = all.others_lose.min(loses.max(0.0));
                continue;
            }
            self.go_on(&beginning, step, prices, |next| match ahead.ended(self, &next, step + 1) {
                Some(plan) if best.net - plan.net <= budget && plan.units != best.units => {
                    all.plans.push(((best.net - plan.net).max(0.0), plan));
                }
                None => open.push((next, step + 1)),
                _ => (),
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
