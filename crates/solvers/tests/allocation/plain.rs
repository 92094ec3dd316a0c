//! The same with a table over all counts and all sums for everybody whose values are not concave.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use elastiplan_solvers::{Allocation, Bidder};

/// Divides at most `capacity` units; `None` if the minima alone exceed it, or a bidder has no values.
///
/// Units that would raise nobody's value are left over. Of several best divisions it is always the same one that is
/// found: bidders with concave values come before others, and among each kind the one that comes first.
pub fn allocate(bidders: &[Bidder<'_>], capacity: u32) -> Option<Allocation> {
    let minima: u64 = bidders.iter().map(|bidder| u64::from(bidder.minimum)).sum();
    let surplus = u64::from(capacity).checked_sub(minima)?;
    if bidders.iter().any(|bidder| bidder.values.is_empty()) {
        return None;
    }
    let rising: Vec<&[f64]> = bidders.iter().map(|bidder| until_peak(bidder.values)).collect();
    let (concave, other): (Vec<usize>, Vec<usize>) =
        (0..bidders.len()).partition(|&at| rising.get(at).is_some_and(|values| is_concave(values)));

    let mut extra = vec![0u32; bidders.len()];
    let table = Table::fill(&other, &rising, surplus as usize);
    let bids = highest_bids(&concave, &rising, surplus as usize);
    let for_table = best_split(&table, &bids, surplus as usize);
    table.trace_back(for_table, &mut extra);
    for bid in bids.iter().take(surplus as usize - for_table) {
        if let Some(units) = extra.get_mut(bid.bidder) {
            *units += 1;
        }
    }

    let value = extra.iter().zip(&rising).filter_map(|(&units, values)| values.get(units as usize)).sum();
    let units = extra.iter().zip(bidders).map(|(extra, bidder)| bidder.minimum + extra).collect();
    Some(Allocation { units, value })
}

/// The values up to the first greatest one: more units than that are never worth having.
fn until_peak(values: &[f64]) -> &[f64] {
    let mut peak = 0;
    let mut highest = f64::NEG_INFINITY;
    for (at, &value) in values.iter().enumerate() {
        if value > highest {
            (peak, highest) = (at, value);
        }
    }
    values.get(..=peak).unwrap_or_default()
}

/// Whether no unit is worth more than the one before it. A rounding error's worth of convexity does not count: the
/// sums that decide are no more exact than that.
fn is_concave(values: &[f64]) -> bool {
    let tolerance = 1e-12 * values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    values.windows(3).all(|three| match three {
        [a, b, c] => c - b <= b - a + tolerance,
        _ => true,
    })
}

/// One more unit for one bidder.
#[derive(Clone, Copy, Debug)]
struct Bid {
    gain: f64,
    bidder: usize,
    units: usize,
}

impl PartialEq for Bid {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Bid {}

impl PartialOrd for Bid {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bid {
    /// The greater gain is greater; of equal gains, the bidder that comes first.
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then(Reverse(self.bidder).cmp(&Reverse(other.bidder)))
    }
}

/// The `most` highest bids of concave bidders, highest first.
fn highest_bids(concave: &[usize], rising: &[&[f64]], most: usize) -> Vec<Bid> {
    let bid = |bidder: usize, units: usize| {
        let values = rising.get(bidder)?;
        Some(Bid { gain: values.get(units)? - values.get(units - 1)?, bidder, units })
    };
    let mut heap: BinaryHeap<Bid> = concave.iter().filter_map(|&bidder| bid(bidder, 1)).collect();
    let mut taken = Vec::new();
    while taken.len() < most
        && let Some(highest) = heap.pop()
    {
        heap.extend(bid(highest.bidder, highest.units + 1));
        taken.push(highest);
    }
    taken
}

/// The dynamic program over the surplus of bidders whose values are not concave.
struct Table<'a> {
    bidders: &'a [usize],
    width: usize,
    /// The greatest value for each surplus, with all bidders.
    best: Vec<f64>,
    /// For bidder `j` and surplus `s`, at `j * width + s`: how many of `s` units `j` takes.
    choices: Vec<u32>,
}

impl<'a> Table<'a> {
    fn fill(bidders: &'a [usize], rising: &[&[f64]], surplus: usize) -> Self {
        let of = |bidder: &usize| rising.get(*bidder).copied().unwrap_or_default();
        let usable: usize = bidders.iter().map(|bidder| of(bidder).len() - 1).sum();
        let width = usable.min(surplus) + 1;
        let mut best = vec![0.0; width];
        let mut choices = vec![0; bidders.len() * width];
        for (bidder, choices) in bidders.iter().zip(choices.chunks_exact_mut(width)) {
            best = row(of(bidder), &best, choices);
        }
        Self { bidders, width, best, choices }
    }

    fn trace_back(&self, mut surplus: usize, extra: &mut [u32]) {
        for (&bidder, choices) in self.bidders.iter().zip(self.choices.chunks_exact(self.width)).rev() {
            let taken = choices.get(surplus).copied().unwrap_or(0);
            if let Some(units) = extra.get_mut(bidder) {
                *units = taken;
            }
            surplus -= taken as usize;
        }
    }
}

/// One more bidder: the best value for each surplus, and what the bidder takes of it.
fn row(values: &[f64], before: &[f64], choices: &mut [u32]) -> Vec<f64> {
    let mut best = vec![f64::NEG_INFINITY; before.len()];
    for (taken, value) in values.iter().enumerate() {
        let rest = before.iter().map(|rest| rest + value);
        let places = best.iter_mut().zip(choices.iter_mut()).skip(taken);
        for ((best, choice), candidate) in places.zip(rest) {
            if candidate > *best {
                *best = candidate;
                *choice = taken as u32;
            }
        }
    }
    best
}

/// How much of the surplus goes to the bidders of the table, the rest to the highest bids.
fn best_split(table: &Table<'_>, bids: &[Bid], surplus: usize) -> usize {
    let mut gains = Vec::with_capacity(bids.len() + 1);
    let mut sum = 0.0;
    gains.push(sum);
    for bid in bids {
        sum += bid.gain;
        gains.push(sum);
    }
    let total = |for_table: usize, value: &f64| {
        let gain = gains.get((surplus - for_table).min(bids.len())).copied().unwrap_or(0.0);
        value + gain
    };
    let mut best = (0, f64::NEG_INFINITY);
    for (for_table, value) in table.best.iter().enumerate() {
        let total = total(for_table, value);
        if total > best.1 {
            best = (for_table, total);
        }
    }
    best.0
}
