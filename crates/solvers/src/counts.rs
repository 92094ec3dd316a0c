//! Choose how many units each taker holds, none included, so that the sum of what the counts are worth is greatest: a
//! multiple-choice knapsack.
//!
//! This is the decision of BFTrainer (Liu et al., "BFTrainer: Low-Cost Training of Neural Networks on Unfillable
//! Supercomputer Nodes", section 3). Its integer program names nodes, but idle nodes are alike, and that nobody migrates
//! says no more than that whoever grows keeps what it has and whoever shrinks gives up some of it. So only counts are
//! to be chosen, and `P(j, k) = max over n of P(j-1, k-n) + value_j(n)` finds the best in takers × units × counts.
//! What a change of the count costs is part of its value.
//!
//! Ties are common (takers that are alike always tie) and are broken in one way: as few units in all as possible, then
//! as few as possible for the last taker, for the one before it, and so on. Values are compared in steps of a millionth
//! (smaller ones where no value reaches 1), whole numbers of which add up without a rounding error: sums that should be
//! equal are.
//!
//! ```
//! use elastiplan_solvers::choose_counts;
//!
//! // Values of 0, 1, 2, ... units. The second runs on 2 units or none.
//! let none = f64::NEG_INFINITY;
//! let best = choose_counts(&[&[0.0, 1.0, 1.8, 2.5], &[0.0, none, 2.0]], 3);
//! assert_eq!(best.units, [1, 2]);
//! assert_eq!(best.value, 3.0);
//! ```

use crate::Allocation;

/// The step in which values are compared.
const STEP: f64 = 1e-6;

/// The largest whole number of steps that all values together may come to: a float has every one up to there.
const STEPS_MAX: f64 = (1u64 << 52) as f64;

/// Chooses counts that sum up to `units` at most. `values[j][n]` is what it is worth that taker `j` holds `n` units;
/// one that is not finite says that it cannot. Everybody can hold none: where that is not finite, or nothing is there,
/// it counts as 0.
pub fn choose_counts(values: &[&[f64]], units: u32) -> Allocation {
    let step = step(values);
    let most: usize = values.iter().map(|values| values.len().saturating_sub(1)).sum();
    let width = most.min(units as usize) + 1;
    let mut rows: Vec<Vec<f64>> = Vec::with_capacity(values.len());
    let mut before = vec![0.0; width];
    let mut usable = 0;
    let whole: Vec<Vec<f64>> = values.iter().map(|values| in_steps(values, step, width)).collect();
    for worths in &whole {
        usable = (usable + worths.len().saturating_sub(1)).min(width - 1);
        let best = row(worths, &before, usable);
        rows.push(std::mem::replace(&mut before, best));
    }
    let greatest = before.last().copied().unwrap_or(0.0);
    let mut left = before.iter().position(|value| *value == greatest).unwrap_or(0);
    let mut worth = greatest;
    let mut chosen = vec![0u32; values.len()];
    for ((chosen, worths), before) in chosen.iter_mut().zip(&whole).zip(&rows).rev() {
        // Whole numbers: what was the best sum is found again exactly.
        let makes = |(units, own): &(usize, &f64)| {
            let rest = left.checked_sub(*units).and_then(|rest| before.get(rest));
            rest.is_some_and(|rest| rest + *own == worth)
        };
        let (units, own) = worths.iter().enumerate().find(makes).unwrap_or((0, &0.0));
        *chosen = units as u32;
        worth -= own;
        left -= units.min(left);
    }
    let value = chosen.iter().zip(values).map(|(units, values)| worth_of(values, *units as usize)).sum();
    Allocation { units: chosen, value }
}

/// One taker more: the most that it and those before it are worth on 0, 1, 2, ... units. More than `usable` units are
/// worth no more to them.
fn row(worths: &[f64], before: &[f64], usable: usize) -> Vec<f64> {
    let mut most = worths.first().copied().unwrap_or(0.0);
    let mut best: Vec<f64> = before.iter().map(|before| before + most).collect();
    let Some((near, far)) = best.split_at_mut_checked(usable + 1) else { return best };
    for (units, &worth) in worths.iter().enumerate().skip(1) {
        // More units for no more are never better: those that are saved can be left over.
        if !worth.is_finite() || worth <= most {
            continue;
        }
        most = worth;
        // Slices of one length, and no branch: that is what compilers make one step of for several numbers.
        let Some(near) = near.get_mut(units..) else { break };
        for (best, before) in near.iter_mut().zip(before) {
            let with = before + worth;
            *best = if with > *best { with } else { *best };
        }
    }
    far.fill(near.last().copied().unwrap_or(0.0));
    best
}

/// What 0, 1, 2, ... units are worth, at most as many as there are, as whole numbers of steps.
fn in_steps(values: &[f64], step: f64, width: usize) -> Vec<f64> {
    let counts = 0..values.len().clamp(1, width);
    counts.map(|units| (worth_of(values, units) / step).round_ties_even()).collect()
}

fn worth_of(values: &[f64], units: usize) -> f64 {
    let worth = values.get(units).copied().unwrap_or(f64::NEG_INFINITY);
    if units == 0 && !worth.is_finite() { 0.0 } else { worth }
}

/// A millionth; a smaller power of ten where the greatest value is below 1, so that small ones are told apart as well,
/// and a larger one where sums would not be exact.
fn step(values: &[&[f64]]) -> f64 {
    let sizes = values.iter().flat_map(|values| values.iter()).map(|value| value.abs());
    let largest = sizes.filter(|size| size.is_finite()).fold(0.0, f64::max);
    let exact = largest * (values.len() as f64 / STEPS_MAX);
    let mut step = STEP;
    while step > largest * STEP && step > f64::MIN_POSITIVE * 10.0 {
        step /= 10.0;
    }
    while step < exact {
        step *= 10.0;
    }
    step
}
