//! The dynamic program as it is written down, with all of its table: to be looked at, not to decide by.

use super::{Allocation, Bidder};

/// The most bidders of a table.
pub const TABLE_BIDDERS_MAX: usize = 12;

/// The most units of a table.
pub const TABLE_UNITS_MAX: u32 = 40;

/// The table of IBM's Algorithm 1, mended.
///
/// Printed, it cannot be run. In `p ← RECALL(E(j), k) + P(j-1, k-g+1)` the job is worth what `g` units are, not `k`,
/// and leaves `k - g`, not `k - g + 1`; `SOL(j, k) = k` should be `g`; tracing back, `j` is decremented before `SOL(j,
/// k)` is read; arrays of `J × K` have neither the row of no jobs nor the column of no units. So it is here
///
/// ```text
/// P(0, k) = 0    P(j, k) = max over g of P(j-1, k-g) + value_j(g)    SOL(j, k) = the g of the maximum
/// ```
///
/// where `g` is at least the bidder's minimum and at most `k`, and `P` is absent, for minus infinity, where there is no
/// such `g`: in column 0 wherever a bidder needs a unit. A division is feasible if there is a `P(J, K)`, positive or
/// not.
#[derive(Clone, Debug, PartialEq)]
pub struct AllocationTable {
    /// `best[j][k]` is `P(j, k)`, what the first `j` bidders are worth at the most on at most `k` units; absent where
    /// their minima are more.
    pub best: Vec<Vec<Option<f64>>>,
    /// `choices[j][k]` is `SOL(j, k)`, how many units bidder `j` takes then, of several the fewest; absent for `j = 0`.
    pub choices: Vec<Vec<Option<u32>>>,
    /// The cells `(j, k)` whose choices make up the division, from the last bidder to the row of none. The first is on
    /// the fewest units on which all are worth as much as on all units; empty if it is infeasible.
    pub path: Vec<(usize, usize)>,
}

impl AllocationTable {
    /// The division that is traced back; `None` if it is infeasible.
    pub fn division(&self) -> Option<Allocation> {
        let value = self.path.first().and_then(|&cell| at(&self.best, cell))?;
        let mut units: Vec<u32> = self.path.iter().filter_map(|&cell| at(&self.choices, cell)).collect();
        units.reverse();
        Some(Allocation { units, value })
    }
}

/// The table for bidders and units that are few enough to be looked at ([`TABLE_BIDDERS_MAX`], [`TABLE_UNITS_MAX`]);
/// `None` if they are not.
///
/// ```
/// use elastiplan_solvers::{Bidder, allocation_table};
///
/// // Values for 1, 2 and 3 units.
/// let bidders = [Bidder { minimum: 1, values: &[1.0, 1.9, 2.7] }, Bidder { minimum: 1, values: &[1.0, 1.5, 1.6] }];
/// let table = allocation_table(&bidders, 3).expect("two bidders, three units");
/// assert_eq!(table.best[1], [None, Some(1.0), Some(1.9), Some(2.7)]);
/// assert_eq!(table.best[2], [None, None, Some(2.0), Some(2.9)]);
/// // The second takes 1 of 3, the first 2 of the 2 that are left.
/// assert_eq!(table.path, [(2, 3), (1, 2), (0, 0)]);
/// assert_eq!(table.division().map(|best| best.units), Some(vec![2, 1]));
/// ```
pub fn allocation_table(bidders: &[Bidder<'_>], capacity: u32) -> Option<AllocationTable> {
    if bidders.len() > TABLE_BIDDERS_MAX || capacity > TABLE_UNITS_MAX {
        return None;
    }
    let columns = capacity as usize + 1;
    let mut table =
        AllocationTable { best: vec![vec![Some(0.0); columns]], choices: vec![vec![None; columns]], path: vec![] };
    for bidder in bidders {
        let before = table.best.last().map(Vec::as_slice).unwrap_or_default();
        let cells = (0..columns).map(|units| cell(bidder, before, units));
        let (best, choices) = cells.map(Option::unzip).unzip();
        table.best.push(best);
        table.choices.push(choices);
    }
    table.path = path(&table);
    Some(table)
}

/// What a cell is worth, and what the bidder takes there.
fn cell(bidder: &Bidder<'_>, before: &[Option<f64>], units: usize) -> Option<(f64, u32)> {
    let mut best: Option<(f64, u32)> = None;
    for (taken, value) in (bidder.minimum..).zip(bidder.values) {
        let Some(Some(rest)) = units.checked_sub(taken as usize).and_then(|rest| before.get(rest)) else { continue };
        let worth = rest + value;
        if best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, taken));
        }
    }
    best
}

fn path(table: &AllocationTable) -> Vec<(usize, usize)> {
    let mut bidders = table.best.len() - 1;
    let last = table.best.last().map(Vec::as_slice).unwrap_or_default();
    let Some(best) = last.last().copied().flatten() else { return vec![] };
    let Some(mut units) = last.iter().position(|worth| *worth == Some(best)) else { return vec![] };
    let mut path = vec![(bidders, units)];
    while let Some(taken) = at(&table.choices, (bidders, units)) {
        (bidders, units) = (bidders - 1, units - taken as usize);
        path.push((bidders, units));
    }
    path
}

fn at<T: Copy>(rows: &[Vec<Option<T>>], (row, column): (usize, usize)) -> Option<T> {
    *rows.get(row)?.get(column)?
}
