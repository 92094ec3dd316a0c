//! The cheapest purchase of one job, including the cost of changes.
//!
//! The optimum of [`elastiplan_solvers::purchase`] changes GPUs for nothing and as often as it likes. Here every change
//! takes time, in which GPUs are paid for. Three kinds of plans are compared: the optimum, with the time that its
//! changes take left free at the end; keeping the current GPUs until the price changes and planning again then; and one
//! number of GPUs until the job is done. Where changes cost nothing, the first is never dearer than the others.

use elastiplan_solvers::purchase::{Bought, Period, Purchase, cheapest};

/// Costs nearer to each other, as a share, are taken as the same.
const SAME_COST: f64 = 1e-9;

/// The GPUs that a job would buy if it were alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Request {
    pub gpus: u32,
    /// For how long, if that is shorter than until the price changes.
    pub for_s: Option<f64>,
    /// Whether it cannot be in time any more.
    pub is_late: bool,
}

/// Prices until the deadline. Lengths are in seconds and prices for an hour: all costs are 3,600 times the true ones,
/// and only compared.
pub(super) struct Market<'a> {
    pub periods: Vec<Period>,
    /// By the number of GPUs; 0 where the job does not run.
    pub speeds: &'a [f64],
}

/// The GPUs that a job holds, and what changes cost it, in seconds without progress.
#[derive(Clone, Copy)]
pub(super) struct Holding {
    pub gpus: u32,
    /// The time left to pay for the last change, if there is no other.
    pub unpaid_s: f64,
    /// A change now.
    pub first_change_s: f64,
    /// One later.
    pub change_s: f64,
}

impl Market<'_> {
    /// The cheapest purchase for the work; `None` if it cannot be in time.
    pub fn cheapest(&self, holding: Holding, work: f64) -> Option<Request> {
        let planned = planned(&self.periods, self.speeds, work, holding);
        let steady = self.steady(holding, work);
        let least = |cost: f64| cost * (1.0 + SAME_COST);
        let request = |gpus: u32, for_s: Option<f64>| Some(Request { gpus, for_s, is_late: false });
        let others = [planned.map(|(cost, _)| cost), steady.map(|(cost, _)| cost)];
        let best = others.into_iter().flatten().fold(f64::INFINITY, f64::min);
        if holding.gpus > 0 && self.cost_of_keeping(holding, work).is_some_and(|cost| cost <= least(best)) {
            return request(holding.gpus, None);
        }
        match (planned, steady) {
            (Some((cost, first)), steady) if steady.is_none_or(|(other, _)| cost <= least(other)) => {
                let is_divided = first.more != first.fewer;
                request(first.more, is_divided.then_some(first.length_of_more))
            }
            (_, Some((_, gpus))) => request(gpus, None),
            _ => None,
        }
    }

    /// The cost if the job keeps its GPUs until the price changes; `None` if it would be late.
    fn cost_of_keeping(&self, holding: Holding, work: f64) -> Option<f64> {
        let (first, rest) = self.periods.split_first()?;
        let speed = self.speed(holding.gpus)?;
        let held_s = (holding.unpaid_s + work / speed).min(first.length);
        let now = f64::from(holding.gpus) * first.price * held_s;
        if held_s < first.length {
            return Some(now);
        }
        let left = work - speed * (held_s - holding.unpaid_s).max(0.0);
        let then =
            Holding { unpaid_s: (holding.unpaid_s - held_s).max(0.0), first_change_s: holding.change_s, ..holding };
        Some(now + planned(rest, self.speeds, left, then)?.0)
    }

    /// The cheapest number of GPUs that it can have from now on until it is done, with what that costs.
    fn steady(&self, holding: Holding, work: f64) -> Option<(f64, u32)> {
        let costs = (1..self.speeds.len() as u32).filter_map(|count| {
            let idle_s = if count == holding.gpus { holding.unpaid_s } else { holding.first_change_s };
            Some((f64::from(count) * self.price_of_gpu(idle_s + work / self.speed(count)?)?, count))
        });
        costs.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// What a GPU costs from now on for so many seconds; `None` if that is beyond the deadline.
    fn price_of_gpu(&self, mut seconds: f64) -> Option<f64> {
        let mut cost = 0.0;
        for period in &self.periods {
            if seconds <= period.length {
                return Some(cost + seconds * period.price);
            }
            seconds -= period.length;
            cost += period.length * period.price;
        }
        None
    }

    fn speed(&self, gpus: u32) -> Option<f64> {
        self.speeds.get(gpus as usize).copied().filter(|speed| *speed > 0.0)
    }
}

/// The best of three ways to carry out the optimum when changes take time: as it is, with the time of its changes taken
/// out of their periods, and with that time left free at the end. Returns its cost and first purchase; `None` if none
/// is in time.
fn planned(periods: &[Period], speeds: &[f64], work: f64, holding: Holding) -> Option<(f64, Bought)> {
    let free = cheapest(periods, speeds, work)?;
    let idle_s = idle_s(&free, holding);
    let is_changed = idle_s.iter().any(|seconds| *seconds > 0.0);
    let mut in_place = is_changed.then(|| cheapest(&shortened(periods, &idle_s), speeds, work)).flatten();
    for (bought, idle_s) in in_place.iter_mut().flat_map(|plan| &mut plan.periods).zip(&idle_s) {
        bought.length_of_more += idle_s;
    }
    let without_the_end = || cheapest(&without_the_last(periods, idle_s.iter().sum()), speeds, work);
    let at_the_end = is_changed.then(without_the_end).flatten();
    let carried_out = |plan: Purchase| {
        let cost = carry_out(periods, speeds, work, &plan, holding)?;
        Some((cost, plan.periods.first().copied().unwrap_or(Bought { more: 0, length_of_more: 0.0, fewer: 0 })))
    };
    let plans = [Some(free), in_place, at_the_end].into_iter().flatten();
    plans.filter_map(carried_out).min_by(|a, b| a.0.total_cmp(&b.0))
}

/// The time without progress in each period of a plan.
fn idle_s(plan: &Purchase, holding: Holding) -> Vec<f64> {
    let (mut gpus, mut kept_s, mut change_s) = (holding.gpus, holding.unpaid_s, holding.first_change_s);
    let mut in_period = |bought: &Bought| {
        let mut seconds = 0.0;
        for next in [bought.more, bought.fewer] {
            seconds += match next {
                0 => 0.0,
                next if next == gpus => kept_s,
                _ => change_s,
            };
            (gpus, kept_s, change_s) = (next, 0.0, holding.change_s);
        }
        seconds
    };
    plan.periods.iter().map(&mut in_period).collect()
}

/// The cost of a plan when changes take time; `None` if the work is not done by it.
fn carry_out(periods: &[Period], speeds: &[f64], work: f64, plan: &Purchase, holding: Holding) -> Option<f64> {
    let (mut gpus, mut unpaid_s, mut change_s) = (holding.gpus, holding.unpaid_s, holding.first_change_s);
    let (mut cost, mut left) = (0.0, work);
    for (period, bought) in periods.iter().zip(&plan.periods) {
        let first_s =
            if bought.more == bought.fewer { period.length } else { bought.length_of_more.min(period.length) };
        for (next, length_s) in [(bought.more, first_s), (bought.fewer, period.length - first_s)] {
            if next != gpus {
                unpaid_s = if next > 0 { change_s } else { 0.0 };
            }
            (gpus, change_s) = (next, holding.change_s);
            let idle_s = f64::min(unpaid_s, length_s);
            let speed = speeds.get(next as usize).copied().unwrap_or_default();
            let needed_s = idle_s + if speed > 0.0 { left / speed } else { f64::INFINITY };
            if needed_s <= length_s * (1.0 + SAME_COST) {
                return Some(cost + f64::from(next) * period.price * needed_s);
            }
            unpaid_s -= idle_s;
            left -= speed * (length_s - idle_s);
            cost += f64::from(next) * period.price * length_s;
        }
    }
    // Plans are worked out to rounding.
    (left <= work * SAME_COST).then_some(cost)
}

fn shortened(periods: &[Period], by_s: &[f64]) -> Vec<Period> {
    let shorter = |(period, by_s): (&Period, &f64)| Period { length: (period.length - by_s).max(0.0), ..*period };
    periods.iter().zip(by_s).map(shorter).collect()
}

fn without_the_last(periods: &[Period], mut seconds: f64) -> Vec<Period> {
    let mut left = periods.to_vec();
    for period in left.iter_mut().rev() {
        let cut = seconds.min(period.length);
        period.length -= cut;
        seconds -= cut;
    }
    left
}

/// The fewest GPUs that are fastest, of at most so many.
pub(super) fn fastest_within(speeds: &[f64], most: u32) -> u32 {
    let mut fastest = (0, 0.0);
    for (gpus, speed) in (0..=most).zip(speeds.iter().copied()) {
        if speed > fastest.1 {
            fastest = (gpus, speed);
        }
    }
    fastest.0
}
