//! Divide units among bidders so that the sum of their values is greatest, each getting at least its minimum.
//!
//! This is the dynamic program of IBM's elastic scaling (Saxena et al., "Effective Elastic Scaling of Deep Learning
//! Workloads", eq. 3-5 and Algorithm 1) with the printed algorithm's slips mended: row 0 is zero, column 0 is
//! impossible, and a job that takes `g` units leaves `k - g` to those before it.
//!
//! `P(j, k) = max over g of P(j-1, k-g) + value_j(g)`
//!
//! Three observations make it quick without making it inexact. Minima are not a choice, so only the surplus is divided;
//! where there is none, nothing is left to do. Where every further unit is worth no more than the one before, giving
//! each unit to the highest bid is optimal; so the table is filled only for bidders whose values are not concave, and
//! the two parts are joined at the end. And most counts of the table need not be tried: a price of units shows, as in
//! [`choose_counts`](crate::choose_counts), which ones cannot be part of a best division. What is left is added up as
//! it was, so the division is to the bit the one of the whole table.
//!
//! ```
//! use elastiplan_solvers::{Bidder, allocate};
//!
//! // Two bidders for 3 units; values for 1, 2 and 3 units.
//! let bidders = [Bidder { minimum: 1, values: &[1.0, 1.9, 2.7] }, Bidder { minimum: 1, values: &[1.0, 1.5, 1.6] }];
//! let best = allocate(&bidders, 3).expect("3 units cover both minima");
//! assert_eq!(best.units, [2, 1]);
//! assert_eq!(best.value, 2.9);
//! ```

mod bids;
mod recurrence;
mod steps;

use bids::{Bid, highest_bids, is_concave};
pub use recurrence::{AllocationTable, TABLE_BIDDERS_MAX, TABLE_UNITS_MAX, allocation_table};

/// A bidder with its values.
#[derive(Clone, Copy, Debug)]
pub struct Bidder<'a> {
    /// The fewest units it must get.
    pub minimum: u32,
    /// `values[i]` is the value of holding `minimum + i` units; finite, at least one.
    pub values: &'a [f64],
}

/// An optimal division.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Allocation {
    /// Units for each bidder, in order.
    pub units: Vec<u32>,
    /// The sum of their values.
    pub value: f64,
}

/// Divides at most `capacity` units; `None` if the minima alone exceed it, or a bidder has no values.
///
/// Units that would raise no bidder's value are left over. Of several best divisions it is always the same one that is
/// found: bidders with concave values come before others, and among each kind the one that comes first.
pub fn allocate(bidders: &[Bidder<'_>], capacity: u32) -> Option<Allocation> {
    let minima: u64 = bidders.iter().map(|bidder| u64::from(bidder.minimum)).sum();
    let surplus = u64::from(capacity).checked_sub(minima)?;
    if bidders.iter().any(|bidder| bidder.values.is_empty()) {
        return None;
    }
    if surplus == 0 {
        let value = bidders.iter().filter_map(|bidder| bidder.values.first()).sum();
        return Some(Allocation { units: bidders.iter().map(|bidder| bidder.minimum).collect(), value });
    }
    let rising: Vec<&[f64]> = bidders.iter().map(|bidder| until_peak(bidder.values)).collect();
    let (concave, other): (Vec<usize>, Vec<usize>) =
        (0..bidders.len()).partition(|&at| rising.get(at).is_some_and(|values| is_concave(values)));

    let mut extra = vec![0u32; bidders.len()];
    let bids = highest_bids(&concave, &rising, surplus as usize);
    let mut left = surplus as usize;
    for (&bidder, taken) in other.iter().zip(steps::best(&of(&other, &rising), &gains(&bids), left)) {
        left -= (taken as usize).min(left);
        if let Some(units) = extra.get_mut(bidder) {
            *units = taken;
        }
    }
    for bid in bids.iter().take(left) {
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

fn of<'a>(some: &[usize], values: &[&'a [f64]]) -> Vec<&'a [f64]> {
    some.iter().filter_map(|&at| values.get(at).copied()).collect()
}

/// The sums of the 0, 1, 2, ... highest bids.
fn gains(bids: &[Bid]) -> Vec<f64> {
    let mut sum = 0.0;
    let sums = bids.iter().map(|bid| {
        sum += bid.gain;
        sum
    });
    std::iter::once(0.0).chain(sums).collect()
}
