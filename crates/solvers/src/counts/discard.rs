//! Which counts may be part of a best choice: the others need not be tried.
//!
//! Where a unit costs `price`, every taker by itself takes what is worth most, and what all of them get that way, with
//! what all units cost, is never less than the best choice (Lagrange's bound). A count that is worth `loss` less to its
//! taker at that price lowers the bound on every choice with it by so much. What is then below a choice that is known
//! is part of no best one. It stays if it is as good: ties are broken later.
//!
//! ```text
//! 3 units; a is worth 0 5 6 7, b 0 4 6 7; a unit costs 2
//! a at that price    0 3 2 1      b    0 2 2 1     bound 3 + 2 + 3 x 2 = 11
//! known: a 1, b 2 = 11            left: a 1, b 1 and 2; with any other it is less than 11
//! ```

use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

use super::worths::{Count, STEPS_MAX, Steps, room};

/// What is left to choose from.
#[derive(Default)]
pub(crate) struct Kept {
    counts: Vec<Count>,
    /// Which of them are whose.
    of: Vec<Range<usize>>,
}

impl Kept {
    /// Of each taker, in order, the counts in order; each is worth more than those before it.
    pub fn takers(&self) -> impl DoubleEndedIterator<Item = &[Count]> + ExactSizeIterator {
        self.of.iter().map(|of| self.counts.get(of.clone()).unwrap_or_default())
    }

    /// One more taker. Of its counts, in order, those are kept that are worth more than all before them: more units for
    /// no more are never better, since those that are saved can be left over.
    pub fn push(&mut self, counts: impl Iterator<Item = Count>) {
        let first = self.counts.len();
        let mut most = f64::NEG_INFINITY;
        self.counts.extend(counts.filter(|count| {
            let is_more = count.worth > most;
            most = if is_more { count.worth } else { most };
            is_more
        }));
        self.of.push(first..self.counts.len());
    }
}

/// Leaves out counts that cannot be part of a best choice of at most `units`; also returns how many units one uses.
pub(super) fn kept(takers: &[Cow<'_, Steps>], units: usize) -> (Kept, RangeInclusive<usize>) {
    let near = Near::of(takers, units, 0.0);
    let mut kept = Kept { counts: Vec::with_capacity(2 * takers.len()), of: Vec::with_capacity(takers.len()) };
    for taker in takers {
        kept.push(near.counts(taker));
    }
    (kept, near.used_least()..=units)
}

/// How near to the bound a count has to be.
pub(crate) struct Near {
    price: f64,
    /// Whatever loses more is below a choice that is known.
    spare: f64,
    units: usize,
}

impl Near {
    /// `rounding`: by how many steps worths may be off, all together.
    pub fn of(takers: &[Cow<'_, Steps>], units: usize, rounding: f64) -> Self {
        let prices = prices(takers, units);
        let price = prices.lowest;
        let best = takers.iter().map(|taker| taker.at_price(price).net(price));
        // Whole numbers, and none too large: nothing is rounded.
        let spare = best.sum::<f64>() + price * units as f64 - known(takers, &prices, units) + rounding;
        Self { price, spare, units }
    }

    /// At least so many units are used in a best choice: each that is left over loses its price.
    pub fn used_least(&self) -> usize {
        self.units.saturating_sub(room(self.spare, self.price))
    }

    /// The counts of a taker that may be part of a best choice, in order.
    pub fn counts<'a>(&self, taker: &'a Steps) -> impl Iterator<Item = Count> + use<'a> {
        let (price, least) = (self.price, taker.at_price(self.price).net(self.price) - self.spare);
        let Range { start, end } = taker.near(price, self.spare);
        taker.counts(start..end.min(self.units + 1)).filter(move |count| count.net(price) >= least)
    }
}

/// Whole prices of a unit.
struct Prices {
    /// Where the bound is about lowest.
    lowest: f64,
    /// The lowest one that was found at which what all takers take fits; infinite if there was none.
    fitting: f64,
    /// The highest one that was found at which it does not.
    scarce: f64,
}

/// What all takers take by themselves at a price.
struct Taken {
    price: f64,
    units: f64,
    worth: f64,
}

impl Taken {
    fn at(takers: &[Cow<'_, Steps>], price: f64) -> Self {
        let corners = takers.iter().map(|taker| taker.at_price(price));
        let (units, worth) =
            corners.fold((0, 0.0), |(units, worth), corner| (units + corner.units, worth + corner.worth));
        Self { price, units: units as f64, worth }
    }
}

/// Where what is taken stays the same, the bound is a line over the price. It falls as long as more is taken than there
/// is, and is lowest where the lines from both sides meet.
fn prices(takers: &[Cow<'_, Steps>], units: usize) -> Prices {
    let dearest = takers.iter().map(|taker| taker.dearest()).fold(0.0, f64::max);
    let most: usize = takers.iter().map(|taker| taker.len()).sum();
    let (mut low, mut high) = (Taken::at(takers, 0.0), Taken::at(takers, dearest.min(exact_to(most))));
    let units = units as f64;
    if low.units <= units {
        return Prices { lowest: 0.0, fitting: 0.0, scarce: 0.0 };
    }
    if high.units > units {
        return Prices { lowest: high.price, fitting: f64::INFINITY, scarce: high.price };
    }
    loop {
        let meet = (low.worth - high.worth) / (low.units - high.units);
        let middle = Taken::at(takers, meet.floor().clamp(low.price, high.price));
        match middle.units {
            units if units == low.units || units == high.units => {
                return Prices { lowest: middle.price, fitting: high.price, scarce: low.price };
            }
            more if more > units => low = middle,
            _ => high = middle,
        }
    }
}

/// With prices up to there, sums of whole numbers stay exact, if there are that many counts.
fn exact_to(counts: usize) -> f64 {
    (STEPS_MAX / 4.0 / counts.max(1) as f64).floor()
}

/// The worth of a choice: what takers take at a price at which it fits, then, taker by taker, what they take where it
/// does not, and then, as long as units are left for it, whatever gains most.
fn known(takers: &[Cow<'_, Steps>], prices: &Prices, units: usize) -> f64 {
    let mut chosen: Vec<Count> = takers.iter().map(|taker| taker.at_price(prices.fitting)).collect();
    let mut left = units - chosen.iter().map(|count| count.units).sum::<usize>().min(units);
    for (taker, count) in takers.iter().zip(&mut chosen) {
        let more = taker.at_price(prices.scarce);
        if let Some(rest) = (left + count.units).checked_sub(more.units) {
            (left, *count) = (rest, more);
        }
    }
    while let Some((taker, more)) = greatest_gain(takers, &chosen, left) {
        let Some(count) = chosen.get_mut(taker) else { break };
        left -= (more.units - count.units).min(left);
        *count = more;
    }
    chosen.iter().map(|count| count.worth).sum()
}

/// The taker that gains most, with its units, of which at most `left` more than were chosen; `None` if no taker gains.
fn greatest_gain(takers: &[Cow<'_, Steps>], chosen: &[Count], left: usize) -> Option<(usize, Count)> {
    let mut best = None;
    let mut most = 0.0;
    for (taker, (steps, count)) in takers.iter().zip(chosen).enumerate() {
        for more in steps.counts(count.units + 1..count.units + 1 + left) {
            if more.worth - count.worth > most {
                most = more.worth - count.worth;
                best = Some((taker, more));
            }
        }
    }
    best
}
