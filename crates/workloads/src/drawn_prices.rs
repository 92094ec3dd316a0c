//! Prices that are drawn: a daily swing, and noise that comes and goes.

use elastiplan_model::Prices;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::fault::{Fault, first_out_of_range};
use elastiplan_scenario::draws::standard_normal;

const HOUR_S: f64 = 3600.0;
/// The hour of the day at which GPUs are most expensive.
const PEAK_HOUR: f64 = 14.0;
/// How much of the noise of an hour is left in the next: half of it after six and a half hours.
const KEPT: f64 = 0.9;

/// What prices are drawn with. Every hour has its own: the mean, times a cosine of the time of day, times a log-normal
/// factor of mean 1 whose logarithm reverts to its mean (an autoregressive process of order one).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct DrawnPrices {
    /// Dollars for a GPU and hour, on average.
    pub mean: f64,
    /// So much more expensive than on average are GPUs at 14:00, as a share, and so much cheaper at 2:00.
    pub swing: f64,
    /// Deviation of the logarithm of the noise.
    pub noise: f64,
    /// Length, in days; the last price holds from then on.
    pub days: f64,
    /// What they are drawn with: whatever the seed of a run, all runs have the same prices.
    pub seed: u64,
}

impl Default for DrawnPrices {
    fn default() -> Self {
        Self { mean: 2.0, swing: 0.3, noise: 0.2, days: 7.0, seed: 0 }
    }
}

impl DrawnPrices {
    /// The first value that cannot be, with what it must be.
    pub fn fault(&self) -> Option<Fault> {
        first_out_of_range([
            ("mean", self.mean, 0.0..=10_000.0, "a number of dollars from 0 to 10,000"),
            ("swing", self.swing, 0.0..=1.0, "a number from 0 to 1"),
            ("noise", self.noise, 0.0..=1.0, "a number from 0 to 1"),
            ("days", self.days, 0.05..=400.0, "a number from 0.05 to 400"),
        ])
    }

    /// The prices from the full hour before `start_s` on, on a clock whose 0 is midnight; of values that cannot be,
    /// those of the default.
    pub fn prices(&self, start_s: f64) -> Prices {
        if self.fault().is_some() {
            return Self::default().prices(start_s);
        }
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let first_hour = (start_s.max(0.0) / HOUR_S).floor();
        let hours = (self.days * 24.0).ceil() as u32;
        let mut noise = self.noise * standard_normal(&mut random);
        let fresh = self.noise * libm::sqrt(1.0 - KEPT * KEPT);
        let steps = (0..hours).map(|hour| {
            let hour = first_hour + f64::from(hour);
            let of_day = libm::cos(std::f64::consts::TAU * (hour - PEAK_HOUR) / 24.0);
            let factor = libm::exp(noise - self.noise * self.noise / 2.0);
            noise = KEPT * noise + fresh * standard_normal(&mut random);
            (hour * HOUR_S, hundredths_of_cents(self.mean * (1.0 + self.swing * of_day) * factor))
        });
        Prices::new(steps).unwrap_or_else(|error| unreachable!("drawn prices are in range: {error}"))
    }
}

/// Prices have four digits after the point, as price lists do.
fn hundredths_of_cents(dollars: f64) -> f64 {
    (dollars * 1e4).round().clamp(0.0, 1e4 * Prices::MAX) / 1e4
}
