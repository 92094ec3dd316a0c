//! Intervals of the mean of what is skewed, such as 99th percentiles: values are drawn again from those that are there.
//!
//! Each resample tells how many of its own standard errors its mean lies from the mean of all (the studentized
//! bootstrap; Efron and Tibshirani, An Introduction to the Bootstrap, 12.5). Few values hold fewer extremes than all that
//! could be drawn; the plain percentiles of the means of resamples would be too narrow for that.

use elastiplan_model::order::sort_by_number;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::interval::{Interval, VALUES_MIN};
use crate::sample::{Moments, quantile_of_sorted};

/// Resamples: as many give ends that hardly depend on the generator.
pub const RESAMPLES: usize = 2000;

/// An interval of the mean of `values`; the same for the same values and seed. `None` below [`VALUES_MIN`] values.
///
/// ```
/// let waiting_s = [40.0, 55.0, 38.0, 47.0, 310.0, 52.0, 61.0, 44.0];
/// let interval = elastiplan_statistics::bootstrap::of_mean(&waiting_s, 0.95, 0).unwrap();
/// // One long wait: more may be found above the mean than below it.
/// assert!(interval.high - interval.mean > 2.0 * (interval.mean - interval.low));
/// ```
pub fn of_mean(values: &[f64], confidence: f64, seed: u64) -> Option<Interval> {
    if values.len() < VALUES_MIN || !values.iter().all(|value| value.is_finite()) {
        return None;
    }
    let Moments { n, mean, variance } = Moments::of(values)?;
    let error = (variance / f64::from(n)).sqrt();
    let distances = distances(values, mean, seed);
    let tail = (1.0 - confidence) / 2.0;
    let low = mean - error * quantile_of_sorted(&distances, 1.0 - tail).unwrap_or_default();
    let high = mean - error * quantile_of_sorted(&distances, tail).unwrap_or_default();
    Some(Interval { n, mean, low, high })
}

/// How many of its own standard errors the mean of each resample lies above the mean of all; sorted. Resamples of equal
/// values have no error and are left out.
fn distances(values: &[f64], mean: f64, seed: u64) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut resample = values.to_vec();
    let mut distances = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        for value in &mut resample {
            *value = values.get(random.random_range(0..values.len())).copied().unwrap_or(mean);
        }
        if let Some(moments) = Moments::of(&resample).filter(|moments| moments.variance > 0.0) {
            distances.push((moments.mean - mean) / moments.standard_error());
        }
    }
    sort_by_number(&mut distances, |&distance| distance);
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_values_and_seed_have_the_same_interval() {
        let values: Vec<f64> = (0..20).map(|at| f64::from(at * at)).collect();
        let [first, again, other] = [0, 0, 1].map(|seed| of_mean(&values, 0.95, seed).unwrap());
        assert_eq!(first, again);
        assert_ne!(first, other);
        assert!((first.low - other.low).abs() < 0.1 * first.half_width());
    }

    #[test]
    fn values_that_are_all_equal_have_a_point() {
        let interval = of_mean(&[3.0; 8], 0.95, 0).unwrap();
        assert_eq!((interval.low, interval.high), (3.0, 3.0));
    }

    #[test]
    fn too_few_values_have_no_interval() {
        assert_eq!(of_mean(&[1.0, 2.0, 3.0, 4.0], 0.95, 0), None);
        assert_eq!(of_mean(&[1.0, 2.0, 3.0, 4.0, f64::INFINITY], 0.95, 0), None);
    }
}
