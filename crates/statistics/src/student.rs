//! Student's t distribution, with whole degrees of freedom.
//!
//! For these its distribution function is a finite sum of cosines (Abramowitz and Stegun, Handbook of Mathematical
//! Functions, 26.7.3 and 26.7.4), so that nothing has to be approximated.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// The probability that a value with `freedom` degrees of freedom, at least 1, lies below `t`.
pub fn cdf(t: f64, freedom: u32) -> f64 {
    let within = probability_within(t.abs(), freedom);
    if t < 0.0 { (1.0 - within) / 2.0 } else { (1.0 + within) / 2.0 }
}

/// The value below which another lies with `probability`, strictly between 0 and 1, to the last bit that [`cdf`] tells
/// apart.
///
/// ```
/// let t = elastiplan_statistics::student::quantile(0.975, 9);
/// assert!((t - 2.262157).abs() < 1e-6); // the factor of a 95 % interval from ten values
/// ```
pub fn quantile(probability: f64, freedom: u32) -> f64 {
    if probability < 0.5 {
        return -quantile(1.0 - probability, freedom);
    }
    let mut high = 1.0;
    while cdf(high, freedom) < probability && high < 1e300 {
        high *= 2.0;
    }
    let mut low = 0.0;
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return high;
        }
        if cdf(middle, freedom) < probability { low = middle } else { high = middle }
    }
}

/// The probability that a value lies between `-t` and `t`.
fn probability_within(t: f64, freedom: u32) -> f64 {
    let freedom_root = f64::from(freedom).sqrt();
    let angle = if t.is_finite() { libm::atan(t / freedom_root) } else { FRAC_PI_2 };
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    if freedom % 2 == 1 {
        let (mut term, mut sum) = (sine * cosine, 0.0);
        for k in (3..=freedom).step_by(2) {
            sum += term;
            term *= cosine * cosine * f64::from(k - 1) / f64::from(k);
        }
        FRAC_2_PI * (angle + sum)
    } else {
        let (mut term, mut sum) = (sine, 0.0);
        for k in (2..=freedom).step_by(2) {
            sum += term;
            term *= cosine * cosine * f64::from(k - 1) / f64::from(k);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As SciPy 1.17's `t.ppf` has it.
    #[test]
    fn quantiles_are_those_of_scipy() {
        for (probability, freedom, expected) in include!("student/scipy.in") {
            let t: f64 = quantile(probability, freedom);
            assert!((t - expected).abs() <= 1e-9 * expected.abs(), "{probability}, {freedom}: {t} is not {expected}");
        }
    }

    #[test]
    fn the_median_is_zero_and_the_sides_are_alike() {
        for freedom in 1..40 {
            assert_eq!(cdf(0.0, freedom), 0.5);
            assert_eq!(quantile(0.05, freedom), -quantile(0.95, freedom));
            assert_eq!((cdf(f64::INFINITY, freedom) * 1e12).round(), 1e12);
        }
    }
}
