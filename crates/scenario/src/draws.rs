//! Random numbers of the usual distributions, with `libm`: the same bits on every machine.

use rand::{Rng, RngExt};

/// Exponential, of mean 1: times of it lie between two events of a Poisson process.
pub fn exponential(random: &mut impl Rng) -> f64 {
    -libm::log(1.0 - random.random::<f64>())
}

/// Normal, of mean 0 and deviation 1 (Box and Muller).
pub fn standard_normal(random: &mut impl Rng) -> f64 {
    let (radius, angle) = (1.0 - random.random::<f64>(), random.random::<f64>());
    libm::sqrt(-2.0 * libm::log(radius)) * libm::cos(std::f64::consts::TAU * angle)
}
