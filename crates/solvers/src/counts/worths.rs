//! The values of counts to one taker, prepared for choosing.

use std::borrow::Cow;
use std::ops::Range;

/// The step in which values are compared.
const STEP: f64 = 1e-6;

/// The largest whole number of steps that all values together may come to: a float has every one up to there.
pub(super) const STEPS_MAX: f64 = (1u64 << 52) as f64;

/// The values of 0, 1, 2, ... units to one taker; one that is not finite says that it cannot hold so many.
#[derive(Clone, Debug)]
pub struct Worths {
    values: Vec<f64>,
    /// The greatest size of the values up to each of them.
    largest: Vec<f64>,
    /// In steps of a millionth, which they nearly always are.
    steps: Steps,
}

/// The same as whole numbers of steps; not finite for counts that it cannot hold.
#[derive(Clone, Debug)]
pub(crate) struct Steps {
    worths: Vec<f64>,
    corners: Vec<Corner>,
}

/// A count that is worth most at some whole price of a unit; of several the one with the fewest units.
#[derive(Clone, Copy, Debug)]
struct Corner {
    count: Count,
    /// The lowest whole price at which it is not worth more than the corner before; infinite for the first.
    below: f64,
}

/// A count with what it is worth.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    pub units: usize,
    pub worth: f64,
}

impl Count {
    /// What is left of its worth where a unit costs `price`.
    pub fn net(&self, price: f64) -> f64 {
        self.worth - price * self.units as f64
    }
}

impl Worths {
    /// Every taker can hold none: where that is not finite, or nothing is there, it counts as 0.
    pub fn new(values: Vec<f64>) -> Self {
        let mut most: f64 = 0.0;
        let greatest = |value: &f64| {
            most = if value.is_finite() { most.max(value.abs()) } else { most };
            most
        };
        Self { largest: values.iter().map(greatest).collect(), steps: Steps::new(&values, STEP), values }
    }

    /// The most units it may be able to hold.
    pub(super) fn units_most(&self) -> usize {
        self.values.len().saturating_sub(1)
    }

    /// What so many units are worth.
    pub(super) fn worth(&self, units: usize) -> f64 {
        worth(&self.values, units)
    }

    /// The greatest size of what up to so many units are worth.
    fn largest(&self, units: usize) -> f64 {
        self.largest.get(units).or(self.largest.last()).copied().unwrap_or(0.0)
    }
}

/// Takers whose values are compared in one step, none of them on more than `units`.
///
/// The step is a millionth; a smaller power of ten where the greatest value is below 1, so that small ones differ
/// as well, and a larger one where sums would not be exact.
pub(super) fn in_steps<'a>(takers: &[&'a Worths], units: usize) -> Vec<Cow<'a, Steps>> {
    let largest = |units: usize| takers.iter().map(|taker| taker.largest(units)).fold(0.0, f64::max);
    let exact = |largest: f64| largest * (takers.len() as f64 / STEPS_MAX);
    let (mut step, size) = (STEP, largest(units));
    while step > size * STEP && step > f64::MIN_POSITIVE * 10.0 {
        step /= 10.0;
    }
    while step < exact(size) {
        step *= 10.0;
    }
    // What was made ready is for more units, too: sums have to be exact with what those are worth.
    let is_ready = step == STEP && exact(largest(usize::MAX)) <= STEP;
    let usable = |taker: &Worths| taker.values.get(..=units).unwrap_or(&taker.values).to_vec();
    let steps = |taker: &&'a Worths| match is_ready {
        true => Cow::Borrowed(&taker.steps),
        false => Cow::Owned(Steps::new(&usable(taker), step)),
    };
    takers.iter().map(steps).collect()
}

impl Steps {
    pub fn new(values: &[f64], step: f64) -> Self {
        let counts = 0..values.len().max(1);
        let worths: Vec<f64> = counts.map(|units| (worth(values, units) / step).round_ties_even()).collect();
        Self { corners: corners(&worths), worths }
    }

    /// How many counts there are.
    pub fn len(&self) -> usize {
        self.worths.len()
    }

    /// Some of the counts, in order.
    pub fn counts(&self, units: Range<usize>) -> impl Iterator<Item = Count> {
        let first = units.start;
        let some = self.worths.get(first..units.end.min(self.len())).unwrap_or_default();
        (first..).zip(some).map(|(units, worth)| Count { units, worth: *worth })
    }

    /// What it takes where a unit costs `price`, a whole number of steps.
    pub fn at_price(&self, price: f64) -> Count {
        self.corners.get(self.corner_at(price)).map(|corner| corner.count).unwrap_or_default()
    }

    fn corner_at(&self, price: f64) -> usize {
        self.corners.iter().skip(1).take_while(|corner| price < corner.below).count()
    }

    /// The lowest whole price at which it takes nothing.
    pub fn dearest(&self) -> f64 {
        self.corners.get(1).map_or(0.0, |corner| corner.below)
    }

    /// Among these are all counts that are worth at most `spare` less, at a price, than what it takes.
    ///
    /// A corner is worth most at all prices from that of the next one to just below its own: at those, others are worth
    /// no more. So beyond it every unit loses what such a price is away from this one.
    pub fn near(&self, price: f64, spare: f64) -> Range<usize> {
        let at = self.corner_at(price);
        let (before, after) = self.corners.split_at_checked(at).unwrap_or_default();
        let least = self.at_price(price).net(price) - spare;
        let is_near = |corner: &&Corner| corner.count.net(price) >= least;
        let fewer = before.iter().rev().take_while(is_near).count();
        let more = after.iter().take_while(is_near).count();
        let corner = |at: usize| self.corners.get(at);
        let mut range = 0..self.len();
        if let Some((first, below)) = corner(at - fewer).zip(corner((at - fewer).wrapping_sub(1))) {
            let room = room(first.count.net(price) - least, first.below - 1.0 - price);
            range.start = first.count.units.saturating_sub(room).max(below.count.units + 1);
        }
        if let Some(last) = (at + more).checked_sub(1).and_then(corner) {
            let next = corner(at + more);
            let room = room(last.count.net(price) - least, price - next.map_or(0.0, |next| next.below));
            let end = next.map_or(self.len(), |next| next.count.units);
            range.end = last.count.units.saturating_add(room).saturating_add(1).min(end);
        }
        range
    }
}

/// For how many units it is enough that each loses so much.
pub(super) fn room(spare: f64, each: f64) -> usize {
    if each > 0.0 { (spare / each) as usize } else { usize::MAX }
}

fn corners(worths: &[f64]) -> Vec<Corner> {
    let mut corners: Vec<Corner> = Vec::new();
    for (units, worth) in worths.iter().copied().enumerate() {
        let mut below = f64::INFINITY;
        while let Some(last) = corners.last() {
            // The last one is worth most so far: whatever is worth no more, on more units, is none.
            below = if worth > last.count.worth { whole_above(&last.count, worth, units) } else { 0.0 };
            // At every price at which the last one is worth more than that before it, this one is worth more still.
            if below < last.below {
                break;
            }
            corners.pop();
        }
        if below > 0.0 {
            corners.push(Corner { count: Count { units, worth }, below });
        }
    }
    corners
}

/// What each unit more than those of `count` is worth, rounded up.
fn whole_above(count: &Count, worth: f64, units: usize) -> f64 {
    let (more, units) = (worth - count.worth, (units - count.units) as f64);
    let whole = (more / units) as i64 as f64;
    // The quotient may have been rounded, the product is not.
    if whole * units < more { whole + 1.0 } else { whole }
}

/// What so many units are worth; not finite where that is impossible.
fn worth(values: &[f64], units: usize) -> f64 {
    match values.get(units).copied() {
        Some(worth) if worth.is_finite() => worth,
        _ if units == 0 => 0.0,
        _ => f64::NEG_INFINITY,
    }
}
