//! Choose how many units each taker holds, none included, so that the sum of what the counts are worth is greatest: a
//! multiple-choice knapsack.
//!
//! This is the decision of BFTrainer (Liu et al., "BFTrainer: Low-Cost Training of Neural Networks on Unfillable
//! Supercomputer Nodes", section 3). Its integer program names nodes, but idle nodes are alike, and without
//! migration a job that grows keeps its nodes and a job that shrinks releases some of them. So only counts are
//! to be chosen, and `P(j, k) = max over n of P(j-1, k-n) + value_j(n)` finds the best in takers × units × counts.
//! What a change of the count costs is part of its value.
//!
//! Most counts need not be tried. A price of units gives a bound on what all takers together can be worth, and says of
//! each count how far below the bound every choice with it stays; where that is below a choice that is known, the count
//! is left out. In weeks of idle nodes one in ten is left to try.
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

pub(crate) mod discard;
pub(crate) mod table;
pub(crate) mod worths;

use crate::Allocation;
pub use worths::Worths;
use worths::in_steps;

/// Chooses counts that sum up to `units` at most. `values[j][n]` is what it is worth that taker `j` holds `n` units;
/// one that is not finite says that it cannot. Every taker can hold none: where that is not finite, or nothing is
/// there, it counts as 0.
pub fn choose_counts(values: &[&[f64]], units: u32) -> Allocation {
    let takers: Vec<Worths> = values.iter().map(|values| Worths::new(values.to_vec())).collect();
    choose_counts_of(&takers.iter().collect::<Vec<_>>(), units)
}

/// The same for takers that were made ready before: most of them stay as they are from one decision to the next.
pub fn choose_counts_of(takers: &[&Worths], units: u32) -> Allocation {
    let most: usize = takers.iter().map(|taker| taker.units_most()).sum();
    let units = most.min(units as usize);
    let (kept, used) = discard::kept(&in_steps(takers, units), units);
    let chosen = table::best(&kept, used);
    let value = chosen.iter().zip(takers).map(|(units, taker)| taker.worth(*units as usize)).sum();
    Allocation { units: chosen, value }
}
