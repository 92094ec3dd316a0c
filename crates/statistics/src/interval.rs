//! Intervals that hold the mean of all seeds that could be drawn, from the values of a few of them.
//!
//! Student's t where values are about as likely to lie far above as far below. Differences and ratios are taken pair by
//! pair: both runs of a pair have the same seed and so the same jobs, and what these share cancels out (common random
//! numbers; docs/studies.md has what this saves). [`crate::bootstrap`] has intervals of what is skewed.

use crate::sample::Moments;
use crate::student;

/// With fewer values there is no interval: it would be too wide to help, and depends too much on how values scatter.
pub const VALUES_MIN: usize = 5;

/// A mean with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Values, or pairs.
    pub n: u32,
    /// Their mean.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Of the mean of `values` with a confidence such as 0.95. `None` below [`VALUES_MIN`] values.
    ///
    /// ```
    /// use elastiplan_statistics::Interval;
    ///
    /// let interval = Interval::of_mean(&[61.0, 64.0, 59.0, 66.0, 60.0], 0.95).unwrap();
    /// assert_eq!((interval.mean, interval.n), (62.0, 5));
    /// assert!((interval.low - 58.38).abs() < 0.01 && (interval.high - 65.62).abs() < 0.01);
    /// ```
    pub fn of_mean(values: &[f64], confidence: f64) -> Option<Self> {
        let moments = moments(values)?;
        let half_width = student::quantile(f64::midpoint(1.0, confidence), moments.n - 1) * moments.standard_error();
        let Moments { n, mean, .. } = moments;
        Some(Self { n, mean, low: mean - half_width, high: mean + half_width })
    }

    /// Of the mean difference `ours - theirs` of pairs. `None` as for [`Self::of_mean`], and where the two are not
    /// equally many.
    pub fn of_difference(ours: &[f64], theirs: &[f64], confidence: f64) -> Option<Self> {
        Self::of_mean(&pairs(ours, theirs, |ours, theirs| ours - theirs)?, confidence)
    }

    /// Of the geometric mean of the ratios `ours / theirs` of pairs, which are all above 0.
    pub fn of_ratio(ours: &[f64], theirs: &[f64], confidence: f64) -> Option<Self> {
        let ratios = pairs(ours, theirs, |ours, theirs| libm::log(ours / theirs))?;
        let Self { n, mean, low, high } = Self::of_mean(&ratios, confidence)?;
        Some(Self { n, mean: libm::exp(mean), low: libm::exp(low), high: libm::exp(high) })
    }

    /// How far the ends lie from the mean: the larger distance.
    pub fn half_width(&self) -> f64 {
        (self.mean - self.low).max(self.high - self.mean)
    }

    /// Whether it holds a value.
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// A number that the mean of all seeds is above, with this confidence.
pub fn lower_bound(values: &[f64], confidence: f64) -> Option<f64> {
    let moments = moments(values)?;
    Some(moments.mean - student::quantile(confidence, moments.n - 1) * moments.standard_error())
}

/// A number that the mean of all seeds is below, with this confidence.
pub fn upper_bound(values: &[f64], confidence: f64) -> Option<f64> {
    let moments = moments(values)?;
    Some(moments.mean + student::quantile(confidence, moments.n - 1) * moments.standard_error())
}

fn moments(values: &[f64]) -> Option<Moments> {
    let usable = values.len() >= VALUES_MIN && values.iter().all(|value| value.is_finite());
    usable.then(|| Moments::of(values)).flatten()
}

fn pairs(ours: &[f64], theirs: &[f64], of: impl Fn(f64, f64) -> f64) -> Option<Vec<f64>> {
    (ours.len() == theirs.len()).then(|| ours.iter().zip(theirs).map(|(&ours, &theirs)| of(ours, theirs)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(interval: Option<Interval>, expected: Option<(f64, f64, f64)>) {
        let found = interval.map(|Interval { mean, low, high, .. }| [mean, low, high]);
        match (found, expected) {
            (None, None) => {}
            (Some(found), Some((mean, low, high))) => {
                for (found, expected) in found.into_iter().zip([mean, low, high]) {
                    assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{found} is not {expected}");
                }
            }
            other => panic!("{other:?}"),
        }
    }

    const VALUES: [f64; 6] = [12.0, 15.5, 9.25, 14.0, 11.0, 13.75];

    /// As SciPy 1.17's `t.interval` has them.
    #[test]
    fn intervals_are_those_of_scipy() {
        check(Interval::of_mean(&VALUES, 0.95), Some(include!("interval/mean95.in")));
        check(Interval::of_mean(&VALUES, 0.9), Some(include!("interval/mean90.in")));
    }

    #[test]
    fn too_few_values_have_no_interval() {
        check(Interval::of_mean(&VALUES[..4], 0.95), None);
        check(Interval::of_mean(&[1.0, 2.0, f64::NAN, 3.0, 4.0, 5.0], 0.95), None);
        check(Interval::of_difference(&VALUES, &VALUES[1..], 0.95), None);
        check(Interval::of_ratio(&VALUES, &[0.0; 6], 0.95), None);
    }

    #[test]
    fn what_pairs_share_cancels_out() {
        let shifted = VALUES.map(|value| value - 2.0);
        check(Interval::of_difference(&VALUES, &shifted, 0.95), Some((2.0, 2.0, 2.0)));
        let doubled = VALUES.map(|value| value * 2.0);
        check(Interval::of_ratio(&doubled, &VALUES, 0.95), Some((2.0, 2.0, 2.0)));
    }

    #[test]
    fn a_bound_is_the_end_of_an_interval_that_is_wrong_on_both_sides() {
        let interval = Interval::of_mean(&VALUES, 0.9).unwrap();
        assert_eq!(lower_bound(&VALUES, 0.95), Some(interval.low));
        assert_eq!(upper_bound(&VALUES, 0.95), Some(interval.high));
    }
}
