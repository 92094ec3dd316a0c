//! The best choice by what it loses against the bound.
//!
//! A choice loses what each plan is worth less than the best one of its job at the prices, and what the units that are
//! left to the jobs that do not end are worth less than their price. All of it is at least 0. So the choices that lose
//! at most a budget are gone through job by job; of those that use the same units, the one that has lost least is
//! followed. What the units will lose at least, given what the jobs to come can use, is known beforehand, step by step.

use std::ops::RangeInclusive;
use std::rc::Rc;

use elastiplan_model::order::{sort_by_number, sort_by_rank, sort_by_wide_rank};

use super::STEPS_MAX;
use super::free::Free;
use super::plans::{Best, Job, Jobs, Plan};
use super::prices::Prices;
use super::round::{Losing, UnitsLost, mend};

/// The first budget, as a share of the bound, and by what it is multiplied as long as there is no choice within it.
const BUDGET_FIRST: f64 = 1e-5;
const BUDGET_FACTOR: f64 = 2.0;

/// The most plans of a job that are looked at.
const PLANS_MAX: usize = 4096;

/// The most choices that are followed from a job to the next.
const WIDTH_MAX: usize = 20_000;

/// How many are followed, and with how many plans, to find a good choice soon, and when the work is used up.
const WIDTH_PROMISING: usize = 100;
const PLANS_PROMISING: usize = 32;

/// The largest table of what units will lose; without it a search takes longer.
const TABLE_MAX: usize = 4_000_000;

/// Units of a step in a [`Choice`].
const UNITS_BITS: usize = 16;
const UNITS_MAX: u32 = (1 << (UNITS_BITS - 1)) - 1;

/// The result of a search.
pub(super) struct Found {
    /// Units by job that ends and step.
    pub plans: Vec<Vec<u32>>,
    /// Every choice loses at least this.
    pub loss_least: f64,
}

/// Plans of the first jobs.
#[derive(Clone, Copy)]
struct Choice {
    /// Units used by step, side by side.
    units: u128,
    lost: f64,
    /// A lower bound on its loss in the end.
    loses: f64,
    before: u32,
    plan: u32,
}

/// The limits of a search from job to job.
#[derive(Clone, Copy)]
struct Limits {
    budget: f64,
    width: usize,
}

/// The result of a search within a budget.
struct Attempt {
    /// The least loss, with the plan of each job.
    best: Option<(f64, Vec<Plan>)>,
    /// A lower bound on the loss of choices that were not followed; infinite if all were.
    unseen: f64,
}

struct Search<'a> {
    ending: &'a Jobs,
    prices: &'a Prices,
    /// What the units left over lose, by step and by units used.
    of_units: Vec<Vec<f64>>,
    /// Whether `of_units` covers all units, and not only as many as fit into a [`Choice`].
    all_units: bool,
    steps: usize,
    work: u64,
}

pub(super) fn search(ending: &Jobs, free: &Free, prices: &Prices, units: u32, work_cap: u64) -> Found {
    let steps = prices.prices.len();
    let of_units = units_lost(free, prices, units);
    let mut search = Search { ending, prices, of_units, all_units: units <= UNITS_MAX, steps, work: work_cap };
    let mut best = ((prices.bound - prices.met.0).max(0.0), prices.met.1.clone());
    let mut keep = |found: Option<(f64, Vec<Plan>)>| {
        if let Some(found) = found.filter(|found| found.0 < best.0) {
            best = found;
        }
        best.0
    };
    let mut most = keep(search.mended());
    let mut loss_least: f64 = 0.0;
    let mut budget = (BUDGET_FIRST * prices.bound.abs()).max(1e-9);
    // First the most promising, until there is a choice; then, within what that one loses, all.
    loop {
        let promising = search.within(budget.min(most), WIDTH_PROMISING);
        loss_least = loss_least.max(promising.unseen.min(budget));
        let is_there = promising.best.is_some();
        most = keep(promising.best);
        if is_there || budget >= most {
            break;
        }
        budget *= BUDGET_FACTOR;
    }
    if loss_least < most {
        let all = search.within(most, WIDTH_MAX);
        loss_least = loss_least.max(all.unseen);
        keep(all.best);
    }
    let loss_least = loss_least.min(best.0);
    let plans = best.1.iter().map(|plan| plan.units[..steps].to_vec()).collect();
    Found { plans, loss_least }
}

/// What the units of a step lose that are left to jobs that do not end, by units used by the others.
fn units_lost(free: &Free, prices: &Prices, units: u32) -> Vec<Vec<f64>> {
    let steps = prices.prices.len();
    let of_step = |(step, price): (usize, &f64)| {
        let counts = (steps - step) as f64;
        let (_, best) = free.best(counts, *price);
        let lost = |left: u32| (best - (counts * free.progress(left) - price * f64::from(left))).max(0.0);
        (0..=units.min(UNITS_MAX)).map(|used| lost(units - used)).collect()
    };
    prices.prices.iter().enumerate().map(of_step).collect()
}

impl Search<'_> {
    /// A good choice to begin with.
    fn mended(&self) -> Option<(f64, Vec<Plan>)> {
        let Prices { prices, best, whole, .. } = self.prices;
        let choices: Vec<Losing> = self.ending.find(|number, job| match best.get(number) {
            Some(best) => job.all_worth(prices, best, f64::INFINITY, PLANS_PROMISING).plans.into(),
            None => Rc::default(),
        });
        let at_prices = |((job, plan), best): ((&Job, &Plan), &Best)| {
            let plan = job.at(prices, plan);
            ((best.net_most - plan.net).max(0.0), plan)
        };
        let mut plans: Vec<(f64, Plan)> = self.ending.all.iter().zip(whole).zip(best).map(at_prices).collect();
        let excess = 1.0 + 10.0 * prices.iter().copied().fold(0.0, f64::max);
        let units = UnitsLost { by_step: &self.of_units, excess };
        let lost = mend(&mut plans, &choices, &units)?;
        Some((lost, plans.into_iter().map(|(_, plan)| plan).collect()))
    }

    /// The best choice that loses at most `budget`, of the `width` most promising ones from job to job.
    fn within(&mut self, budget: f64, width: usize) -> Attempt {
        let mut unseen = f64::INFINITY;
        let count_max = if width == WIDTH_MAX && self.work > 0 { PLANS_MAX } else { PLANS_PROMISING };
        let Prices { prices, best, .. } = self.prices;
        let mut looked_at = 0;
        let plans: Vec<Losing> = self.ending.find(|number, job| {
            let Some(best) = best.get(number) else { return Rc::default() };
            let all = job.all_worth(prices, best, budget, count_max);
            looked_at += all.looked_at;
            unseen = unseen.min(all.others_lose);
            all.plans.into()
        });
        self.work = self.work.saturating_sub(looked_at);
        let ahead = self.ahead(&plans);
        let mut layers: Vec<Vec<Choice>> = Vec::with_capacity(plans.len() + 1);
        layers.push(vec![Choice { units: 0, lost: 0.0, loses: 0.0, before: 0, plan: 0 }]);
        for (number, plans) in plans.iter().enumerate() {
            let Some(from) = layers.last() else { break };
            let lower = ahead.get(number + 1).map(Vec::as_slice).unwrap_or_default();
            let (next, cut) = self.with_one_more(from, plans, lower, Limits { budget, width });
            unseen = unseen.min(cut);
            layers.push(next);
        }
        let ends = layers.last().map(Vec::as_slice).unwrap_or_default();
        let end_loss = |choice: &Choice| choice.lost + self.lost(choice.units);
        let least = ends.iter().enumerate().map(|(at, choice)| (end_loss(choice), at));
        let least = least.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(loss, _)| loss.is_finite());
        Attempt { best: least.map(|(loss, at)| (loss, trace(&layers, &plans, at))), unseen }
    }

    /// All choices with a plan of one more job; and what those that are not followed lose at least.
    fn with_one_more(
        &mut self,
        from: &[Choice],
        plans: &[(f64, Plan)],
        lower: &[Lower],
        limits: Limits,
    ) -> (Vec<Choice>, f64) {
        let budget = limits.budget * (1.0 + 1e-12) + 1e-12;
        let mut next: Vec<Choice> = Vec::new();
        let mut unseen = f64::INFINITY;
        for (before, choice) in (0..).zip(from) {
            if self.work == 0 && before as usize >= WIDTH_PROMISING {
                // The most promising come first.
                unseen = unseen.min(choice.loses);
                break;
            }
            for (number, (loses, plan)) in (0..).zip(plans) {
                let lost = choice.lost + loses;
                if lost > budget {
                    break;
                }
                if self.work == 0 && number as usize >= PLANS_PROMISING {
                    unseen = unseen.min(lost);
                    break;
                }
                self.work = self.work.saturating_sub(1);
                let Some(units) = self.with_units(choice.units, plan) else {
                    unseen = if self.all_units { unseen } else { unseen.min(lost) };
                    continue;
                };
                let ahead = lower.iter().enumerate().map(|(step, lower)| lower.of(used_in(units, step)));
                let loses = lost + ahead.sum::<f64>();
                if loses <= budget {
                    next.push(Choice { units, lost, loses, before, plan: number });
                }
            }
        }
        sort_by_wide_rank(&mut next, |choice| choice.units);
        // Of choices that use the same units, the one that has lost least is kept; of those, the first.
        next.dedup_by(|choice, kept| {
            let same = choice.units == kept.units;
            if same && choice.lost.total_cmp(&kept.lost).is_lt() {
                *kept = *choice;
            }
            same
        });
        sort_by_number(&mut next, |choice| choice.loses);
        let width = if self.work > 0 { limits.width } else { WIDTH_PROMISING };
        unseen = unseen.min(next.get(width).map_or(f64::INFINITY, |choice| choice.loses));
        next.truncate(width);
        (next, unseen)
    }

    /// Units of a choice and a plan together; `None` where they are more than there are.
    fn with_units(&self, units: u128, plan: &Plan) -> Option<u128> {
        let mut sum = units;
        for (step, units) in plan.units.iter().enumerate().take(self.steps) {
            if *units > UNITS_MAX {
                return None;
            }
            sum += u128::from(*units) << (step * UNITS_BITS);
            let used = used_in(sum, step);
            let most = self.of_units.get(step).map_or(0, Vec::len);
            if used >= most {
                return None;
            }
        }
        Some(sum)
    }

    /// What the units lose in the end.
    fn lost(&self, units: u128) -> f64 {
        let of_step =
            |(step, lost): (usize, &Vec<f64>)| lost.get(used_in(units, step)).copied().unwrap_or(f64::INFINITY);
        self.of_units.iter().enumerate().map(of_step).sum()
    }

    /// For each number of jobs that have a plan: what the units lose at least in the end, by step and units used.
    fn ahead(&self, plans: &[Losing]) -> Vec<Vec<Lower>> {
        let entries = self.of_units.iter().map(Vec::len).sum::<usize>() * (plans.len() + 1);
        if entries > TABLE_MAX {
            return Vec::new();
        }
        let mut ahead: Vec<Vec<Lower>> = vec![Vec::with_capacity(self.steps); plans.len() + 1];
        for (step, of_units) in self.of_units.iter().enumerate() {
            let counts: Vec<Vec<usize>> = plans.iter().map(|plans| counts_in(plans, step)).collect();
            let mut ranges = vec![0..=0];
            for counts in &counts {
                let (Some(before), Some(least), Some(most)) = (ranges.last(), counts.first(), counts.last()) else {
                    break;
                };
                ranges.push(before.start() + least..=(before.end() + most).min(of_units.len()));
            }
            let Some(range) = ranges.pop().filter(|_| ranges.len() == plans.len()) else { continue };
            let mut after = Lower::at_end(of_units, range);
            for (number, (range, counts)) in ranges.into_iter().zip(&counts).enumerate().rev() {
                let before = after.before(counts, range);
                if let Some(ahead) = ahead.get_mut(number + 1) {
                    ahead.push(after);
                }
                after = before;
            }
            if let Some(ahead) = ahead.first_mut() {
                ahead.push(after);
            }
        }
        ahead
    }
}

/// What the units of a step lose at least in the end, by units used so far: for as many as the jobs so far can use.
#[derive(Clone)]
struct Lower {
    first: usize,
    losses: Vec<f64>,
}

impl Lower {
    /// All jobs have a plan.
    fn at_end(of_units: &[f64], range: RangeInclusive<usize>) -> Self {
        let end = of_units.len().min(range.end() + 1);
        let losses = of_units.get(*range.start()..end).unwrap_or_default().to_vec();
        Self { first: *range.start(), losses }
    }

    /// A job less has a plan: one of these numbers of units will be added. More units than there are lose infinitely.
    fn before(&self, counts: &[usize], range: RangeInclusive<usize>) -> Self {
        let first = *range.start();
        let mut losses = vec![f64::INFINITY; (range.end() + 1).saturating_sub(first)];
        for count in counts {
            let there = (first + count).checked_sub(self.first).and_then(|from| self.losses.get(from..));
            for (least, after) in losses.iter_mut().zip(there.unwrap_or_default()) {
                *least = if after < least { *after } else { *least };
            }
        }
        Self { first, losses }
    }

    fn of(&self, used: usize) -> f64 {
        used.checked_sub(self.first).and_then(|at| self.losses.get(at)).copied().unwrap_or(f64::INFINITY)
    }
}

/// Units that plans use in a step, each number once, rising.
fn counts_in(plans: &[(f64, Plan)], step: usize) -> Vec<usize> {
    let mut counts: Vec<usize> = plans.iter().filter_map(|(_, plan)| Some(*plan.units.get(step)? as usize)).collect();
    sort_by_rank(&mut counts, |count| *count as u64);
    counts.dedup();
    counts
}

fn used_in(units: u128, step: usize) -> usize {
    (units >> (step * UNITS_BITS)) as usize & ((1 << UNITS_BITS) - 1)
}

/// The plans of a choice, from the last job to the first.
fn trace(layers: &[Vec<Choice>], plans: &[Losing], end: usize) -> Vec<Plan> {
    let mut at = end;
    let mut chosen = Vec::with_capacity(plans.len());
    for (layer, plans) in layers.iter().skip(1).zip(plans).rev() {
        let Some(choice) = layer.get(at) else { break };
        chosen.push(plans.get(choice.plan as usize).map(|(_, plan)| *plan).unwrap_or_default());
        at = choice.before as usize;
    }
    chosen.reverse();
    chosen
}

const _: () = assert!(STEPS_MAX * UNITS_BITS <= u128::BITS as usize);

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Within what the jobs so far can use, losses are those of a table of all units.
    #[test]
    fn losses_ahead_are_those_of_a_table_of_all_units() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for case in 0..3000 {
            let mut drawn = |count: usize| (0..count).map(|_| random.random_range(0.0..1.0)).collect::<Vec<f64>>();
            let (first, of_units) = (0..=3, drawn(30));
            let counts: Vec<usize> = drawn(4).into_iter().map(|part| (12.0 * part) as usize).collect();
            let most = counts.iter().copied().max().unwrap_or(0);
            let after = Lower::at_end(&of_units, 0..=(3 + most).min(of_units.len()));
            let before = after.before(&counts, first.clone());
            for used in first {
                let all = counts.iter().filter_map(|count| of_units.get(used + count)).copied();
                assert_eq!(before.of(used), all.fold(f64::INFINITY, f64::min), "case {case}");
            }
            assert_eq!(before.of(4), f64::INFINITY);
        }
    }
}
