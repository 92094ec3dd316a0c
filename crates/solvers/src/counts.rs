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
    let usable: usize = values.iter().map(|values| values.len().saturating_sub(1)).sum();
    let width = usable.min(units as usize) + 1;
    let mut best = vec![0.0; width];
    let mut before = vec![0.0; width];
    let mut choices = vec![0.0; width * values.len()];
    let mut usable = 0;
    for (values, choices) in values.iter().zip(choices.chunks_exact_mut(width)) {
        std::mem::swap(&mut best, &mut before);
        usable = (usable + values.len().saturating_sub(1)).min(width - 1);
        fill(values, step, &before, &mut best, choices, usable);
    }
    let greatest = best.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut left = best.iter().position(|value| *value == greatest).unwrap_or(0);
    let mut chosen: Vec<u32> = choices
        .chunks_exact(width)
        .rev()
        .map(|choices| {
            let units = choices.get(left).copied().unwrap_or(0.0) as u32;
            left = left.saturating_sub(units as usize);
            units
        })
        .collect();
    chosen.reverse();
    let worth = |(units, values): (&u32, &&[f64])| worth_of(values, *units as usize);
    let value = chosen.iter().zip(values).map(worth).sum();
    Allocation { units: chosen, value }
}

/// One taker more: `best[k]` is the most that it and those before it are worth on `k` units, `choices[k]` the fewest
/// units of its own with which they are. More than `usable` units are worth no more to them. Choices are floats, too, so
/// that the processor compares and chooses several at a time.
fn fill(values: &[f64], step: f64, before: &[f64], best: &mut [f64], choices: &mut [f64], usable: usize) {
    let steps = |units: usize| (worth_of(values, units) / step).round_ties_even();
    let mut most = steps(0);
    for (best, before) in best.iter_mut().zip(before) {
        *best = before + most;
    }
    let (Some((near, far)), Some((chosen, chosen_far))) =
        (best.split_at_mut_checked(usable + 1), choices.split_at_mut_checked(usable + 1))
    else {
        return;
    };
    for units in 1..values.len().min(near.len()) {
        let worth = steps(units);
        // More units for no more are never better: those that are saved can be left over.
        if !worth.is_finite() || worth <= most {
            continue;
        }
        most = worth;
        let (best, chosen) = (near.get_mut(units..).unwrap_or_default(), chosen.get_mut(units..).unwrap_or_default());
        for ((best, choice), before) in best.iter_mut().zip(chosen).zip(before) {
            let with = before + worth;
            let is_better = with > *best;
            *best = if is_better { with } else { *best };
            *choice = if is_better { units as f64 } else { *choice };
        }
    }
    if let (Some(best), Some(choice)) = (near.last(), chosen.last()) {
        far.fill(*best);
        chosen_far.fill(*choice);
    }
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
