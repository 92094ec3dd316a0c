//! Bidders whose values are not concave: the dynamic program over those counts that may be part of a best division.
//!
//! What is left out is found by Lagrange's bound, in whole numbers of a small step. What is left is added up as it is,
//! in the order of the bidders: the table finds to the bit what it would find over all counts.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use crate::counts::discard::{Kept, Near};
use crate::counts::table::{Row, Table};
use crate::counts::worths::{Count, Steps};

/// Below so many additions, to fill the table costs less than to find out what can be left out.
const ADDITIONS_FEW: usize = 20_000;

/// The units that each of these bidders takes of `surplus`. `values` are worth what 0, 1, 2, ... units more than the
/// minimum are; `gains` what 0, 1, 2, ... units bring that go to other bidders, each no more than the one before.
pub(super) fn best(values: &[&[f64]], gains: &[f64], surplus: usize) -> Vec<u32> {
    let Options { kept, units } = some(values, gains, surplus).unwrap_or_else(|| all(values, surplus));
    let table = Table::fill(kept.takers(), units);
    table.choices(split(table.last(), gains, surplus))
}

/// What there is to choose from.
struct Options {
    kept: Kept,
    /// How many units go to these bidders.
    units: RangeInclusive<usize>,
}

fn all(values: &[&[f64]], surplus: usize) -> Options {
    let mut kept = Kept::default();
    for values in values {
        kept.push((0..=surplus).zip(*values).map(|(units, value)| Count { units, worth: *value }));
    }
    Options { kept, units: 0..=surplus }
}

/// Without what cannot be part of a best division; `None` where it is not worth it, or values are not finite.
fn some(values: &[&[f64]], gains: &[f64], surplus: usize) -> Option<Options> {
    let counts: usize = values.iter().map(|values| values.len()).sum();
    if counts * counts.min(surplus) < ADDITIONS_FEW {
        return None;
    }
    let step = step(values, gains).filter(|step| step.is_normal())?;
    let takers = std::iter::once(gains).chain(values.iter().copied());
    let takers: Vec<Cow<'_, Steps>> = takers.map(|values| Cow::Owned(Steps::new(values, step))).collect();
    // Each value is off by half a step at most, in what is known and in what is compared with it; sums of unrounded
    // values by much less.
    let rounding = (2 * takers.len() + gains.len()) as f64;
    let near = Near::of(&takers, surplus, rounding);
    let mut kept = Kept::default();
    for (taker, values) in takers.iter().skip(1).zip(values) {
        let unrounded = |count: Count| values.get(count.units).map(|worth| Count { units: count.units, worth: *worth });
        kept.push(near.counts(taker).filter_map(unrounded));
    }
    let mut others = takers.first().into_iter().flat_map(|gains| near.counts(gains)).map(|count| count.units);
    let fewest = others.next().unwrap_or(0);
    let most = others.last().unwrap_or(fewest);
    Some(Options { kept, units: near.used_least().saturating_sub(most)..=surplus.saturating_sub(fewest) })
}

/// The smallest step in which all sums and prices are exact.
fn step(values: &[&[f64]], gains: &[f64]) -> Option<f64> {
    let size = |values: &[f64]| values.iter().fold(0.0, |size: f64, value| size.max(value.abs()));
    let is_finite = |values: &&[f64]| values.iter().all(|value| value.is_finite());
    if !values.iter().all(is_finite) || !is_finite(&gains) {
        return None;
    }
    let greatest =
        gains.windows(2).next().map_or(0.0, size).max(values.iter().map(|values| size(values)).fold(0.0, f64::max));
    let total: f64 = values.iter().map(|values| size(values)).sum::<f64>() + size(gains);
    let counts: usize = values.iter().map(|values| values.len()).sum::<usize>() + gains.len();
    Some(total.max(2.0 * greatest * counts as f64) / (1u64 << 50) as f64)
}

/// How many units go to these bidders: of several equally good splits the one with the fewest.
fn split(row: &Row, gains: &[f64], surplus: usize) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (units, worth) in row.sums() {
        let others = (surplus - units.min(surplus)).min(gains.len() - 1);
        let total = worth + gains.get(others).copied().unwrap_or(0.0);
        if total > best.1 {
            best = (units, total);
        }
    }
    best.0
}
