//! Those of several that may be the best: the screening of Nelson, Swann, Goldsman and Song, "Simple procedures for
//! selecting the best simulated system when the number of alternatives is large", Operations Research 49(6), 2001.
//!
//! What is far behind is out after a few values already, however little difference matters; of what is close,
//! [`crate::Selection`] finds the best with more. Here each pair has its part of the error (Bonferroni), since pairs share
//! their seeds.

use crate::interval::VALUES_MIN;
use crate::sample::Moments;
use crate::student;

/// The places of those that may be the best, by as many first values as all have. Larger is better; `indifference` is
/// what does not matter, and the best is left with a probability of at least `1 - error` if it is better by that. `None`
/// below [`VALUES_MIN`] values of any.
///
/// ```
/// let ratios = [
///     vec![0.92, 0.93, 0.90, 0.92, 0.94], // elastic-dp
///     vec![0.92, 0.93, 0.92, 0.91, 0.95], // equal-share
///     vec![0.41, 0.45, 0.47, 0.43, 0.40], // fixed
/// ];
/// assert_eq!(elastiplan_statistics::screened(&ratios, 0.01, 0.05), Some(vec![0, 1]));
/// ```
pub fn screened(values: &[Vec<f64>], indifference: f64, error: f64) -> Option<Vec<usize>> {
    let n = values.iter().map(Vec::len).min().filter(|&n| n >= VALUES_MIN)?;
    let each = error / (values.len() as f64 - 1.0).max(1.0);
    let quantile = student::quantile(1.0 - each, n as u32 - 1);
    let is_behind = |one: &[f64], other: &[f64]| {
        let leads: Vec<f64> = other.iter().zip(one).take(n).map(|(other, one)| other - one).collect();
        let allowed = |moments: &Moments| (quantile * moments.standard_error() - indifference).max(0.0);
        Moments::of(&leads).is_some_and(|moments| moments.mean > allowed(&moments))
    };
    let may_be_best = |one: &Vec<f64>| !values.iter().any(|other| is_behind(one, other));
    Some((0..values.len()).filter(|&place| values.get(place).is_some_and(may_be_best)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[&[f64]], indifference: f64, expected: Option<&[usize]>) {
        let values: Vec<Vec<f64>> = values.iter().map(|values| values.to_vec()).collect();
        assert_eq!(screened(&values, indifference, 0.05).as_deref(), expected, "{values:?}");
    }

    #[test]
    fn what_is_behind_by_more_than_chance_is_out() {
        let far: &[f64] = &[10.0, 11.0, 9.0, 10.5, 9.5];
        let near: &[f64] = &[1.0, 3.0, 2.0, 1.5, 2.5];
        check(&[far, near], 0.1, Some(&[0]));
        check(&[near, far, near], 0.1, Some(&[1]));
        check(&[far, far], 0.1, Some(&[0, 1]));
        check(&[far], 0.1, Some(&[0]));
        check(&[far, &near[..4]], 0.1, None);
        check(&[], 0.1, None);
    }

    #[test]
    fn what_pairs_share_cancels_out() {
        let seeds: &[f64] = &[10.0, 50.0, 20.0, 90.0, 40.0];
        let ahead: Vec<f64> = seeds.iter().map(|value| value + 0.5).collect();
        check(&[seeds, &ahead], 0.1, Some(&[1]));
    }
}
