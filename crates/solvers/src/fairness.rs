//! Shares of time that keep the largest ratio of finishing times as small as can be.
//!
//! Each of several takers of units waited for some time, still needs some time with its units to itself, and would have
//! finished in some time alone. With a share `x` of the time from now on it finishes at `waited + needed / x`; that
//! over `alone` is its ratio (the finish-time fairness of Themis, Mahajan et al. 2020; the convex program is that of
//! Gavel, Narayanan et al. 2020). All shares together, each times its units, must fit the units there are.
//!
//! At a level `r` of the ratio a taker asks for the share `needed / (r alone - waited)`, at most 1. What all ask for
//! falls as the level rises, so the answer is the level at which everything is used. Takers with share 1 may be above
//! it: they cannot be helped. No ratio can be made smaller without making another, which is no smaller, larger.
//!
//! ```
//! use elastiplan_solvers::{Taker, fair_shares};
//!
//! // Two jobs for one unit, both new. The second would take twice as long alone, and gets as much all the same.
//! let takers = [(10.0, 10.0), (20.0, 20.0)].map(|(needed, alone)| Taker { waited: 0.0, needed, alone, units: 1.0 });
//! assert_eq!(fair_shares(&takers, 1.0), [0.5, 0.5]);
//! ```

use elastiplan_model::order::sort_by_number;

/// A taker of units for a share of the time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taker {
    /// Time since it came: at least 0.
    pub waited: f64,
    /// Time that it needs from now on with its units to itself: above 0.
    pub needed: f64,
    /// Time from its coming to its end, alone on its part of everything: above 0.
    pub alone: f64,
    /// Units that it takes while it has any: above 0.
    pub units: f64,
}

impl Taker {
    /// Its ratio if it gets all the time from now on.
    fn at_best(&self) -> f64 {
        (self.waited + self.needed) / self.alone
    }

    fn units_at(&self, level: f64) -> f64 {
        let share = self.needed / (level * self.alone - self.waited);
        if level > self.at_best() { self.units * share } else { self.units }
    }
}

/// The share of time of each taker, in their order, so that together they use at most `capacity` units at a time.
///
/// The root is found by Newton's method on a convex function, from the left: it stops at the digits' end, after a
/// handful of steps.
pub fn fair_shares(takers: &[Taker], capacity: f64) -> Vec<f64> {
    let all: f64 = takers.iter().map(|taker| taker.units).sum();
    if all <= capacity {
        return vec![1.0; takers.len()];
    }
    let mut levels: Vec<f64> = takers.iter().map(Taker::at_best).collect();
    sort_by_number(&mut levels, |level| *level);
    let used_at = |level: f64| takers.iter().map(|taker| taker.units_at(level)).sum::<f64>();
    // Between two of these levels the same takers are at share 1. At the last one below the root too much is asked for.
    let too_low = levels.partition_point(|level| used_at(*level) > capacity);
    let start = too_low.checked_sub(1).and_then(|at| levels.get(at)).copied().unwrap_or(0.0);
    let whole = |taker: &&Taker| taker.at_best() > start;
    let left = capacity - takers.iter().filter(whole).map(|taker| taker.units).sum::<f64>();
    let level = root(takers.iter().filter(|taker| taker.at_best() <= start), left, start);
    takers.iter().map(|taker| (taker.units_at(level) / taker.units).min(1.0)).collect()
}

/// Where these takers ask for `capacity` together; `level` is a place left of it.
fn root<'a>(takers: impl Iterator<Item = &'a Taker> + Clone, capacity: f64, mut level: f64) -> f64 {
    const STEPS: u32 = 100;
    for _ in 0..STEPS {
        let (mut too_much, mut slope) = (-capacity, 0.0);
        for taker in takers.clone() {
            let rest = (level * taker.alone - taker.waited).max(taker.needed);
            let units = taker.units * taker.needed / rest;
            too_much += units;
            slope += units * taker.alone / rest;
        }
        let next = level + too_much / slope;
        if !(next > level && next.is_finite()) {
            break;
        }
        level = next;
    }
    level
}
