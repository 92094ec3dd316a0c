//! Buying work at prices that change: how many units to hold in which period, so that so much work is done at the least
//! cost.
//!
//! A period has a length and a price; `k` units work at the speed `speeds[k]`, which need not be concave. As a period
//! can be divided, with more units in one part of it than in the other, only the corners of the upper concave hull of
//! the speeds matter: anything else is no cheaper than a mixture of two of them. From corner to corner more units give
//! less and less, so every step from one to the next, in every period, can be bought by itself, and the steps that give
//! most work for their money are the best to buy. All but the last are bought whole: at most one period is divided.
//!
//! IBM elastic scaling (Saxena et al., section VII) plans "to support spot pricing models to optimize the cost of job
//! execution" and says no more: the problem and its solution are ours.
//!
//! ```
//! use elastiplan_solvers::purchase::{Period, cheapest};
//!
//! // Two hours, the second at half the price. One unit does 1 of work in an hour, two do 1.5, three 1.6.
//! let periods = [Period { length: 1.0, price: 2.0 }, Period { length: 1.0, price: 1.0 }];
//! let bought = cheapest(&periods, &[0.0, 1.0, 1.5, 1.6], 2.25).expect("3.2 could be done");
//! let units: Vec<(u32, f64, u32)> = bought.periods.iter().map(|p| (p.more, p.length_of_more, p.fewer)).collect();
//! // One all the time, and another one for half of the second hour.
//! assert_eq!((units, bought.cost), (vec![(1, 1.0, 1), (2, 0.5, 1)], 3.5));
//! ```

use elastiplan_model::order::sort_by_number;

/// A stretch of time with one price.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Period {
    /// Its length.
    pub length: f64,
    /// The price of one unit for one unit of length; 0 if free.
    pub price: f64,
}

/// The purchase in a period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bought {
    /// Units for this part of its length.
    pub more: u32,
    /// The length of this part.
    pub length_of_more: f64,
    /// Units for the rest.
    pub fewer: u32,
}

/// A purchase over all periods.
#[derive(Clone, Debug, PartialEq)]
pub struct Purchase {
    /// Period by period.
    pub periods: Vec<Bought>,
    /// Its cost.
    pub cost: f64,
    /// The work that is done.
    pub work: f64,
}

/// What sums of work and money may be off by, as a share: less is not worth a purchase of its own.
const ROUNDING: f64 = 1e-12;

/// The cheapest way to do so much work; `None` if there is not enough time. Lengths, prices and speeds are finite and
/// not negative: what is not counts for nothing. Of ways that cost the same, the one that works sooner.
pub fn cheapest(periods: &[Period], speeds: &[f64], work: f64) -> Option<Purchase> {
    let work = work.max(0.0);
    let mut purchase = Purchase::nothing(periods, speeds);
    for step in steps(periods, speeds) {
        let left = work - purchase.work;
        if left <= work * ROUNDING {
            break;
        }
        purchase.buy(&step, left / (step.speed * step.length));
    }
    (purchase.work >= work * (1.0 - ROUNDING)).then_some(purchase)
}

impl Purchase {
    /// Nothing but what is done without units.
    fn nothing(periods: &[Period], speeds: &[f64]) -> Self {
        let idle = speeds.first().copied().filter(|speed| is_amount(*speed)).unwrap_or_default();
        let lengths = periods.iter().map(|period| period.length).filter(|length| is_amount(*length));
        let none = Bought { more: 0, length_of_more: 0.0, fewer: 0 };
        Self { periods: vec![none; periods.len()], cost: 0.0, work: idle * lengths.sum::<f64>() }
    }

    /// Buys this share of a step, or all of it. Steps of one period are bought in order.
    fn buy(&mut self, step: &Step, share: f64) {
        let share = if share >= 1.0 - ROUNDING { 1.0 } else { share };
        let Some(bought) = self.periods.get_mut(step.period) else { return };
        *bought = Bought { more: step.to, length_of_more: step.length * share, fewer: step.from };
        if share == 1.0 {
            bought.fewer = step.to;
        }
        self.cost += f64::from(step.to - step.from) * step.price * step.length * share;
        self.work += step.speed * step.length * share;
    }
}

/// From one corner of the hull to the next, for all of a period.
struct Step {
    period: usize,
    length: f64,
    price: f64,
    from: u32,
    to: u32,
    /// By how much faster.
    speed: f64,
    /// The cost of a unit of work.
    per_work: f64,
}

/// All steps, those first that give most for their money: of equal ones the earliest, of those the one with the fewest
/// units.
fn steps(periods: &[Period], speeds: &[f64]) -> Vec<Step> {
    let corners = upper_hull(speeds);
    let pairs = || corners.iter().zip(corners.iter().skip(1));
    let usable = |period: &Period| is_amount(period.length) && period.length > 0.0 && is_amount(period.price);
    let mut steps: Vec<Step> = Vec::with_capacity(periods.len() * corners.len());
    for (index, period) in periods.iter().enumerate().filter(|(_, period)| usable(period)) {
        steps.extend(pairs().map(|(&from, &to)| Step {
            period: index,
            length: period.length,
            price: period.price,
            from: from.0,
            to: to.0,
            speed: to.1 - from.1,
            per_work: period.price * units_per_work(from, to),
        }));
    }
    // Stable: steps of equal worth stay in order of periods, and within a period in order of units.
    sort_by_number(&mut steps, |step| step.per_work);
    steps
}

/// Corners of the upper concave hull of the speeds, as units and speed, from none to the fewest units that are fastest.
fn upper_hull(speeds: &[f64]) -> Vec<(u32, f64)> {
    let speed_of = |speed: f64| if is_amount(speed) { speed } else { 0.0 };
    let mut corners: Vec<(u32, f64)> = Vec::new();
    for (units, speed) in (0..).zip(speeds.iter().copied().map(speed_of)) {
        // More units that are no faster are no corner, whatever comes beyond them.
        if corners.last().is_some_and(|(_, before)| *before >= speed) {
            continue;
        }
        while let [.., before, last] = corners.as_slice()
            && units_per_work(*before, *last) >= units_per_work(*last, (units, speed))
        {
            corners.pop();
        }
        corners.push((units, speed));
    }
    corners
}

/// What the order of steps rests on: it rises from corner to corner, to the bit.
fn units_per_work(from: (u32, f64), to: (u32, f64)) -> f64 {
    f64::from(to.0 - from.0) / (to.1 - from.1)
}

fn is_amount(value: f64) -> bool {
    value.is_finite() && value >= 0.0
}
