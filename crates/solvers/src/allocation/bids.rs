//! Bidders whose values are concave: each unit goes to the highest bid.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use elastiplan_model::order::Number;

/// Whether no unit is worth more than the one before it. A rounding error's worth of convexity does not count: the
/// sums that decide are no more exact than that.
pub(super) fn is_concave(values: &[f64]) -> bool {
    let tolerance = 1e-12 * values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    values.windows(3).all(|three| match three {
        [a, b, c] => c - b <= b - a + tolerance,
        _ => true,
    })
}

/// One more unit for one bidder. The greater gain is greater; of equal gains, that of the bidder that comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bid {
    pub gain: Number,
    pub bidder: Reverse<usize>,
    units: usize,
}

/// The `most` highest bids of concave bidders, highest first.
pub(super) fn highest_bids(concave: &[usize], rising: &[&[f64]], most: usize) -> Vec<Bid> {
    let bid = |bidder: usize, units: usize| {
        let values = rising.get(bidder)?;
        Some(Bid { gain: Number(values.get(units)? - values.get(units - 1)?), bidder: Reverse(bidder), units })
    };
    let mut heap: BinaryHeap<Bid> = concave.iter().filter_map(|&bidder| bid(bidder, 1)).collect();
    let mut taken = Vec::new();
    while taken.len() < most
        && let Some(highest) = heap.pop()
    {
        heap.extend(bid(highest.bidder.0, highest.units + 1));
        taken.push(highest);
    }
    taken
}
