//! How many seeds are enough: the rule of Hoad, Robinson and Davies, "Automated selection of the number of replications
//! for a discrete-event simulation", Journal of the Operational Research Society 61(11), 2010.
//!
//! Seeds are added until the interval is narrow enough, and stays so for some more: the first few values may agree by
//! chance.

use crate::sample::Moments;
use crate::student;

/// When an interval is narrow enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// The confidence of the interval, such as 0.95.
    pub confidence: f64,
    /// Half of its width at most, as a share of the mean or in the metric's own unit.
    pub half_width: Width,
    /// Values that are drawn before the width is looked at.
    pub at_least: usize,
    /// For how many more values the interval has to stay narrow enough; of more than 100, so many of each hundred.
    pub look_ahead: usize,
}

/// Half of the width of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Width {
    /// As a share of the mean, such as 0.05: for times and costs.
    OfMean(f64),
    /// In the unit of the values: for shares and counts.
    Absolute(f64),
}

impl Precision {
    /// A 95 % interval; three values first, and five more that have to agree, as the paper has it.
    pub fn new(half_width: Width) -> Self {
        Self { confidence: 0.95, half_width, at_least: 3, look_ahead: 5 }
    }

    /// The number of values, in their order, that was enough, if all that it takes to know this are there.
    ///
    /// ```
    /// use elastiplan_statistics::{Precision, Width};
    ///
    /// let values = [10.0, 10.4, 9.9, 10.2, 9.7, 10.1, 10.3, 9.8];
    /// assert_eq!(Precision::new(Width::OfMean(0.1)).enough(&values), Some(3));
    /// assert_eq!(Precision::new(Width::OfMean(0.1)).enough(&values[..7]), None); // still looking ahead
    /// ```
    pub fn enough(&self, values: &[f64]) -> Option<usize> {
        let mut narrow_since = None;
        for n in self.at_least.max(2)..=values.len() {
            if !self.is_narrow(&values[..n]) {
                narrow_since = None;
                continue;
            }
            let since = *narrow_since.get_or_insert(n);
            if n - since >= self.look_ahead * n.max(100) / 100 {
                return Some(since);
            }
        }
        None
    }

    fn is_narrow(&self, values: &[f64]) -> bool {
        let Some(moments) = Moments::of(values) else { return false };
        let t = student::quantile(f64::midpoint(1.0, self.confidence), moments.n - 1);
        let half_width = t * moments.standard_error();
        match self.half_width {
            Width::OfMean(share) => half_width <= share * moments.mean.abs(),
            Width::Absolute(most) => half_width <= most,
        }
    }
}

#[cfg(test)]
#[allow(clippy::approx_constant)] // Drawn values may look like π.
mod tests {
    use super::*;

    fn check(share: f64, look_ahead: usize, values: &[f64], expected: Option<usize>) {
        let precision = Precision { look_ahead, ..Precision::new(Width::OfMean(share)) };
        assert_eq!(precision.enough(values), expected, "{share}, {look_ahead}, {values:?}");
    }

    /// What `ReplicationsAlgorithm` of sim-tools 1.3.0 selects from the same values, with three at first.
    #[test]
    fn numbers_are_those_of_sim_tools() {
        let cases: &[(f64, usize, Option<usize>, &[f64])] = &include!("replications/sim_tools.in");
        assert!(cases.len() > 100 && cases.iter().any(|case| case.2.is_none()));
        for &(share, look_ahead, expected, values) in cases {
            check(share, look_ahead, values, expected);
        }
    }

    #[test]
    fn luck_at_the_start_is_not_enough() {
        let values = [10.0, 10.0, 10.0, 30.0, 10.0, 10.0, 10.0, 10.0];
        check(0.1, 0, &values, Some(3));
        check(0.1, 5, &values, None);
    }

    #[test]
    fn a_width_in_the_unit_of_the_values() {
        let values = [0.001, -0.001, 0.002, 0.0, 0.001, -0.002, 0.0, 0.001, 0.0];
        assert_eq!(Precision::new(Width::Absolute(0.01)).enough(&values), Some(3));
        assert_eq!(Precision::new(Width::OfMean(0.01)).enough(&values), None);
    }
}
