//! The linear program of prices: of all plans met so far, each a column, the mixture of greatest value that fits.
//!
//! A column is a plan of all jobs: its value, and the units used in each step. Shares of columns sum up to 1, and the
//! mixture uses no more units in a step than there are. The prices are the multipliers of that capacity. It has a row
//! for each step and one more, so that the inverse of a basis is a few dozen numbers; the simplex continues from the
//! basis of the last time.

/// Gains below this are rounding.
const TOLERANCE: f64 = 1e-11;

/// After so many steps without gain the first column that gains is taken, which never goes round in a circle.
const STEPS_IN_PLACE_MAX: usize = 30;

/// The most exchanges of columns at a time: a few dozen are enough, unless rounding leads in a circle. Prices that are
/// not the best are a bound, too.
const EXCHANGES_MAX: usize = 1000;

/// A plan of all jobs.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// Its value.
    pub value: f64,
    /// Units used by step.
    pub units: Vec<f64>,
}

pub(super) struct Master {
    /// Values and entries by row; the first columns are units left over in each step.
    columns: Vec<(f64, Vec<f64>)>,
    /// The column of each row.
    basis: Vec<usize>,
    /// Rows of the inverse of the basis.
    inverse: Vec<Vec<f64>>,
    /// Shares of the columns of the basis.
    shares: Vec<f64>,
}

impl Master {
    /// `first` must fit into `units` in every step.
    pub fn new(first: &Column, units: f64) -> Self {
        let steps = first.units.len();
        let unit_row = |row: usize| (0..=steps).map(|at| f64::from(u8::from(at == row))).collect::<Vec<f64>>();
        let mut columns: Vec<(f64, Vec<f64>)> = (0..steps).map(|step| (0.0, unit_row(step))).collect();
        columns.push(entries(first));
        // In the basis are units left over, and the first column for the row of shares.
        let mut inverse: Vec<Vec<f64>> = (0..=steps).map(unit_row).collect();
        for (row, used) in inverse.iter_mut().zip(&first.units) {
            row[steps] = -used;
        }
        let mut shares: Vec<f64> = first.units.iter().map(|used| units - used).collect();
        shares.push(1.0);
        Self { columns, basis: (0..=steps).collect(), inverse, shares }
    }

    pub fn add(&mut self, column: &Column) {
        self.columns.push(entries(column));
    }

    /// What the best mixture is worth, and the prices of units by step.
    pub fn solve(&mut self) -> (f64, Vec<f64>) {
        let mut in_place = 0;
        for _ in 0..EXCHANGES_MAX {
            let multipliers = self.multipliers();
            let gain = |(value, entries): &(f64, Vec<f64>)| value - dot(&multipliers, entries);
            let gains = self.columns.iter().map(gain).enumerate().filter(|(_, gain)| *gain > TOLERANCE * self.scale());
            let entering = match in_place < STEPS_IN_PLACE_MAX {
                true => gains.fold(None, |best: Option<(usize, f64)>, next| match best {
                    Some(best) if best.1 >= next.1 => Some(best),
                    _ => Some(next),
                }),
                false => gains.into_iter().next(),
            };
            let Some(share) = entering.and_then(|(column, _)| self.exchange(column)) else { break };
            in_place = if share > TOLERANCE { 0 } else { in_place + 1 };
        }
        let mut prices = self.multipliers();
        prices.truncate(self.basis.len() - 1);
        prices.iter_mut().for_each(|price| *price = price.max(0.0));
        (self.value(), prices)
    }

    /// The columns of the mixture, in the order in which they were added, the first one included, with their shares.
    pub fn mixture(&self) -> Vec<(usize, f64)> {
        let steps = self.basis.len() - 1;
        let parts = self.basis.iter().zip(&self.shares);
        parts.filter_map(|(column, share)| column.checked_sub(steps).map(|column| (column, *share))).collect()
    }

    fn value(&self) -> f64 {
        self.basis.iter().zip(&self.shares).map(|(column, share)| self.columns[*column].0 * share).sum()
    }

    fn scale(&self) -> f64 {
        self.value().abs().max(1.0)
    }

    fn multipliers(&self) -> Vec<f64> {
        let mut multipliers = vec![0.0; self.basis.len()];
        for (column, row) in self.basis.iter().zip(&self.inverse) {
            let value = self.columns[*column].0;
            multipliers.iter_mut().zip(row).for_each(|(multiplier, entry)| *multiplier += value * entry);
        }
        multipliers
    }

    /// Takes a column into the basis; gives its share, or nothing if no column leaves.
    fn exchange(&mut self, column: usize) -> Option<f64> {
        let entries = &self.columns[column].1;
        let direction: Vec<f64> = self.inverse.iter().map(|row| dot(row, entries)).collect();
        let ratios = direction.iter().zip(&self.shares).enumerate().filter(|(_, (direction, _))| **direction > 1e-9);
        let ratios = ratios.map(|(row, (direction, share))| (row, (share / direction).max(0.0)));
        let first = |best: Option<(usize, f64)>, next: (usize, f64)| match best {
            Some(best) if (best.1, self.basis[best.0]) <= (next.1, self.basis[next.0]) => Some(best),
            _ => Some(next),
        };
        let (leaving, share) = ratios.fold(None, first)?;
        let pivot: Vec<f64> = self.inverse[leaving].iter().map(|entry| entry / direction[leaving]).collect();
        for (row, direction) in direction.iter().enumerate() {
            if row != leaving {
                self.inverse[row].iter_mut().zip(&pivot).for_each(|(entry, pivot)| *entry -= direction * pivot);
                self.shares[row] = (self.shares[row] - direction * share).max(0.0);
            }
        }
        self.inverse[leaving] = pivot;
        self.shares[leaving] = share;
        self.basis[leaving] = column;
        Some(share)
    }
}

/// A column with its entry in the row of shares.
fn entries(column: &Column) -> (f64, Vec<f64>) {
    (column.value, column.units.iter().copied().chain([1.0]).collect())
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
