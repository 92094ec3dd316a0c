//! The prices of units in each step at which the best plans gain least over the value of all units: an upper bound.
//!
//! The bound is convex in the prices, and where it is touched at some prices is a plan of all jobs. The [`Master`] says
//! for the plans met so far which prices are best; the plans that are best there are met next. Asked half way between
//! these prices and the best so far, it gets there in a few dozen rounds.

use super::free::Free;
use super::master::{Column, Master};
use super::plans::{Best, Jobs, Plan};
use super::round::whole;

/// How far from the least bound is near enough, as a share of it. What is missing is made up for by the search.
const NEAR: f64 = 1e-7;

/// The most rounds.
const ROUNDS_MAX: usize = 300;

/// Prices, and what they say.
pub(super) struct Prices {
    /// Of a unit, by step.
    pub prices: Vec<f64>,
    /// No choice is worth more.
    pub bound: f64,
    /// The mixture of plans that is best, made whole: it may not fit.
    pub whole: Vec<Plan>,
    /// The best choice met on the way that fits: what it is worth, and the plans of the jobs that end.
    pub met: (f64, Vec<Plan>),
    /// The best plans at these prices.
    pub best: Vec<Best>,
}

/// The best plans of all jobs at some prices.
struct Asked {
    bound: f64,
    column: Column,
    best: Vec<Best>,
}

impl Asked {
    fn plans(&self) -> Vec<Plan> {
        self.best.iter().map(|best| best.plan).collect()
    }
}

/// The jobs that end within the horizon, and all others.
struct Choices<'a> {
    ending: &'a Jobs,
    free: &'a Free,
    units: u32,
    steps: usize,
}

/// Finds them. What the jobs hold at least must fit.
pub(super) fn find(ending: &Jobs, free: &Free, units: u32, steps: usize) -> Prices {
    let choices = Choices { ending, free, units, steps };
    let (least, plans) = choices.least();
    let mut all = vec![plans.clone()];
    let mut met = (choices.worth(&plans).unwrap_or(f64::NEG_INFINITY), plans);
    let mut master = Master::new(&least, f64::from(units));
    let mut best = (f64::INFINITY, vec![0.0; steps], Vec::new());
    let mut ask_at = vec![0.0; steps];
    for _ in 0..ROUNDS_MAX {
        let asked = choices.ask(&ask_at, all.last().unwrap_or(&met.1));
        let plans = asked.plans();
        if let Some(worth) = choices.worth(&plans).filter(|worth| *worth > met.0) {
            met = (worth, plans.clone());
        }
        master.add(&asked.column);
        all.push(plans);
        if asked.bound < best.0 {
            best = (asked.bound, ask_at, asked.best);
        }
        let (mixture, prices) = master.solve();
        if best.0 - mixture <= NEAR * best.0.abs() {
            break;
        }
        ask_at = prices.iter().zip(&best.1).map(|(new, old)| (new + old) / 2.0).collect();
    }
    let part = |(column, share): (usize, f64)| Some((share, all.get(column)?.as_slice()));
    let mixture: Vec<(f64, &[Plan])> = master.mixture().into_iter().filter_map(part).collect();
    let whole = whole(&mixture, ending.all.len());
    Prices { prices: best.1, bound: best.0, best: best.2, met, whole }
}

impl Choices<'_> {
    /// The plan in which every job always holds its least.
    fn least(&self) -> (Column, Vec<Plan>) {
        let no_price = vec![0.0; self.steps];
        let plans: Vec<Plan> = self.ending.find(|_, job| job.at(&no_price, &job.least()));
        let free = vec![self.free.units_least; self.steps];
        (self.column(&plans, &free, &no_price), plans)
    }

    /// The best plans of all jobs at these prices.
    fn ask(&self, prices: &[f64], near: &[Plan]) -> Asked {
        let best = self.ending.find(|number, job| match near.get(number) {
            Some(near) => job.best(prices, near),
            None => job.best(prices, &job.least()),
        });
        let free: Vec<(u32, f64)> =
            prices.iter().enumerate().map(|(step, price)| self.free.best(self.counts(step), *price)).collect();
        let plans: Vec<Plan> = best.iter().map(|best| best.plan).collect();
        let of_plans: f64 = best.iter().map(|best| best.net_most).sum();
        let of_free: f64 = free.iter().map(|(_, net)| net).sum();
        let of_units: f64 = prices.iter().map(|price| price * f64::from(self.units)).sum();
        let free: Vec<u32> = free.into_iter().map(|(units, _)| units).collect();
        Asked { bound: of_plans + of_free + of_units, column: self.column(&plans, &free, prices), best }
    }

    fn column(&self, plans: &[Plan], free: &[u32], prices: &[f64]) -> Column {
        let mut units: Vec<f64> = free.iter().map(|units| f64::from(*units)).collect();
        let mut value: f64 =
            free.iter().enumerate().map(|(step, units)| self.counts(step) * self.free.progress(*units)).sum();
        for plan in plans {
            value += plan.net;
            for ((units, own), price) in units.iter_mut().zip(plan.units).zip(prices) {
                *units += f64::from(own);
                value += price * f64::from(own);
            }
        }
        Column { value, units }
    }

    /// The value of the plans with all other jobs on the units left over; `None` if that is too little.
    fn worth(&self, plans: &[Plan]) -> Option<f64> {
        let mut worth: f64 =
            self.ending.all.iter().zip(plans).map(|(job, plan)| job.value(&plan.units[..self.steps])).sum();
        for step in 0..self.steps {
            let left = plans.iter().try_fold(self.units, |left, plan| left.checked_sub(plan.units[step]))?;
            let progress = self.free.progress(left);
            worth += Some(progress).filter(|progress| progress.is_finite())? * self.counts(step);
        }
        Some(worth)
    }

    /// Progress in a step counts in it and in all that follow.
    fn counts(&self, step: usize) -> f64 {
        (self.steps - step) as f64
    }
}
