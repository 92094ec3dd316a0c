//! The best of several, such as policies at one size: Kim and Nelson's procedure, "A fully sequential procedure for
//! indifference-zone selection in simulation", ACM Transactions on Modeling and Computer Simulation 11(3), 2001.
//!
//! Whoever is behind by more than chance explains is out, and draws no more. It allows for variances that differ and for
//! pairs that share their seed.

use crate::sample::Moments;

/// What the selection may get wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    /// A mean that is better by less does not matter.
    pub indifference: f64,
    /// The probability at most that one is selected which is worse by more than that.
    pub error: f64,
    /// Values of each that are drawn before anything is out, at least 2.
    pub at_least: usize,
}

/// How far a selection has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Contenders {
    /// Those that may still be the best, by their places.
    pub left: Vec<usize>,
    /// Values of each that it took to know this.
    pub values_used: usize,
}

impl Selection {
    /// Goes through the values of each, in the order of seeds, until one is left or values are used up. Larger is better;
    /// for what is better when it is smaller, turn the signs. `None` with fewer than [`Self::at_least`] values of any.
    ///
    /// ```
    /// use elastiplan_statistics::Selection;
    ///
    /// let ratios = [
    ///     vec![0.91, 0.93, 0.90, 0.92, 0.94, 0.92], // elastic-dp
    ///     vec![0.93, 0.95, 0.92, 0.95, 0.96, 0.94], // equal-share
    ///     vec![0.41, 0.45, 0.47, 0.43, 0.40, 0.44], // fixed
    /// ];
    /// let selection = Selection { indifference: 0.01, error: 0.05, at_least: 5 };
    /// assert_eq!(selection.among(&ratios).unwrap().left, [1]);
    /// ```
    pub fn among(&self, values: &[Vec<f64>]) -> Option<Contenders> {
        let at_least = self.at_least.max(2);
        let drawn = values.iter().map(Vec::len).min().filter(|&drawn| drawn >= at_least)?;
        let mut left: Vec<usize> = (0..values.len()).collect();
        let variances = variances(values, at_least);
        let scale = self.scale(values.len(), at_least);
        let mut sums: Vec<f64> = values.iter().map(|values| values.iter().take(at_least).sum()).collect();
        for n in at_least..=drawn {
            let leads = |winner: usize, loser: usize| {
                let variance = variances.get(loser).and_then(|row| row.get(winner)).copied().unwrap_or(0.0);
                let lead = sums.get(winner).zip(sums.get(loser)).map_or(0.0, |(winner, loser)| winner - loser);
                lead > self.allowance(scale * variance, n) * n as f64
            };
            let survivors = left.iter().filter(|&&one| !left.iter().any(|&other| other != one && leads(other, one)));
            left = survivors.copied().collect();
            if left.len() == 1 || n == drawn {
                return Some(Contenders { left, values_used: n });
            }
            for (sum, values) in sums.iter_mut().zip(values) {
                *sum += values.get(n).copied().unwrap_or(0.0);
            }
        }
        None
    }

    /// How far a mean of `n` values may be behind another.
    fn allowance(&self, scaled_variance: f64, n: usize) -> f64 {
        let n = n as f64;
        (self.indifference / (2.0 * n) * (scaled_variance / (self.indifference * self.indifference) - n)).max(0.0)
    }

    /// The square of the paper's h, with its constant c = 1.
    fn scale(&self, count: usize, at_least: usize) -> f64 {
        let freedom = at_least as f64 - 1.0;
        let share = 2.0 * self.error / (count as f64 - 1.0).max(1.0);
        (libm::pow(share, -2.0 / freedom) - 1.0) * freedom
    }
}

/// The variance of the difference of each two, from their first values.
fn variances(values: &[Vec<f64>], at_least: usize) -> Vec<Vec<f64>> {
    let variance = |ours: &[f64], theirs: &[f64]| {
        let differences: Vec<f64> = ours.iter().zip(theirs).take(at_least).map(|(a, b)| a - b).collect();
        Moments::of(&differences).map_or(0.0, |moments| moments.variance)
    };
    values.iter().map(|ours| values.iter().map(|theirs| variance(ours, theirs)).collect()).collect()
}

#[cfg(test)]
#[allow(clippy::approx_constant)] // Drawn values may look like π.
mod tests {
    use super::*;

    /// What `KN` of sim-tools 1.3.0 selects from the same values, and after how many, where its table of variances is
    /// asked for the right pair (it takes another one where the first of a pair stands behind the second).
    #[test]
    fn selections_are_those_of_sim_tools() {
        type Case = (f64, f64, usize, usize, usize, &'static [&'static [f64]]);
        let cases: &[Case] = &include!("kim_nelson/sim_tools.in");
        assert!(cases.len() >= 60);
        for &(indifference, error, at_least, best, used, values) in cases {
            let selection = Selection { indifference, error, at_least };
            let values: Vec<Vec<f64>> = values.iter().map(|values| values.to_vec()).collect();
            let expected = Contenders { left: vec![best], values_used: used };
            assert_eq!(selection.among(&values), Some(expected), "{selection:?} of {values:?}");
        }
    }

    #[test]
    fn one_alone_is_the_best() {
        let selection = Selection { indifference: 1.0, error: 0.05, at_least: 2 };
        assert_eq!(selection.among(&[vec![1.0, 2.0]]), Some(Contenders { left: vec![0], values_used: 2 }));
        assert_eq!(selection.among(&[]), None);
        assert_eq!(selection.among(&[vec![1.0]]), None);
    }

    #[test]
    fn what_is_equal_stays() {
        let selection = Selection { indifference: 0.01, error: 0.05, at_least: 3 };
        let values = vec![vec![1.0, 3.0, 2.0, 4.0, 1.0], vec![2.0, 1.0, 4.0, 1.0, 3.0]];
        assert_eq!(selection.among(&values), Some(Contenders { left: vec![0, 1], values_used: 5 }));
    }
}
