//! Bidders whose values are concave: each unit goes to the highest bid.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Whether no unit is worth more than the one before it. A rounding error's worth of convexity does not count: the
/// sums that decide are no more exact than that.
pub(super) fn is_concave(values: &[f64]) -> bool {
    let tolerance = 1e-12 * values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    values.windows(3).all(|three| match three {
        [a, b, c] => c - b <= b - a + tolerance,
        _ => true,
    })
}

/// One more unit for one bidder. Its order is written out: a derived one makes dividing GPUs 7 % slower.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bid {
    pub gain: f64,
    pub bidder: usize,
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
pub(super) fn highest_bids(concave: &[usize], rising: &[&[f64]], most: usize) -> Vec<Bid> {
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
