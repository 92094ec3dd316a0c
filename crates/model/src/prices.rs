//! Prices of a GPU that change over time, as spot prices do.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::limits;

const HOUR_S: f64 = 3600.0;

/// Dollars for one GPU and hour over time. A price holds from its time until the next; the first one holds before its
/// time as well, the last one for good.
///
/// ```
/// use elastiplan_model::Prices;
///
/// let prices = Prices::new([(0.0, 2.5), (3600.0, 0.9)])?;
/// assert_eq!((prices.at(1800.0), prices.at(3600.0)), (2.5, 0.9));
/// assert_eq!(prices.next_change_s(1800.0), Some(3600.0));
/// assert_eq!(prices.dollars(1800.0, 7200.0), 2.15); // half an hour at 2.5, an hour at 0.9
/// # Ok::<(), elastiplan_model::PricesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Prices {
    time_s: Vec<f64>,
    per_gpu_hour: Vec<f64>,
}

/// The stored form of prices, not validated.
#[derive(Deserialize)]
#[serde(rename = "Prices")]
struct Unchecked {
    time_s: Vec<f64>,
    per_gpu_hour: Vec<f64>,
}

impl TryFrom<Unchecked> for Prices {
    type Error = PricesError;

    fn try_from(stored: Unchecked) -> Result<Self, PricesError> {
        match stored.time_s.len() == stored.per_gpu_hour.len() {
            true => Self::new(stored.time_s.into_iter().zip(stored.per_gpu_hour)),
            false => Err(PricesError::Columns),
        }
    }
}

/// The reason why numbers are not valid prices.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum PricesError {
    /// None at all.
    #[error("no prices")]
    Empty,
    /// Stored columns that do not fit each other.
    #[error("not as many prices as times")]
    Columns,
    /// A time that is none.
    #[error("{0} s must be a number of seconds from 0 to 1e11")]
    Time(f64),
    /// A time that is not after the one before it.
    #[error("{time_s} s is not later than the time before it, {before_s} s")]
    NotRising {
        /// The time.
        time_s: f64,
        /// The time before it.
        before_s: f64,
    },
    /// A price that is none.
    #[error("{0} must be a number of dollars from 0 to 1,000,000")]
    Price(f64),
}

impl Prices {
    /// The most that a GPU may cost in an hour, in dollars.
    pub const MAX: f64 = 1e6;

    /// From times in seconds, which rise, and prices from then on. A price that is the one before it changes nothing
    /// and is left out.
    pub fn new(steps: impl IntoIterator<Item = (f64, f64)>) -> Result<Self, PricesError> {
        let mut prices = Self { time_s: Vec::new(), per_gpu_hour: Vec::new() };
        let mut before: Option<f64> = None;
        for (time_s, price) in steps {
            Self::check_step(before, time_s, price)?;
            before = Some(time_s);
            if prices.per_gpu_hour.last() != Some(&price) {
                // Adding 0 turns the negative zero into the positive one.
                prices.time_s.push(time_s + 0.0);
                prices.per_gpu_hour.push(price + 0.0);
            }
        }
        before.map(|_| prices).ok_or(PricesError::Empty)
    }

    /// A constant price of one dollar, for costs without a known price.
    pub fn unit() -> Self {
        Self { time_s: vec![0.0], per_gpu_hour: vec![1.0] }
    }

    /// Whether a price may follow the one that begins at `before_s`.
    pub fn check_step(before_s: Option<f64>, time_s: f64, price: f64) -> Result<(), PricesError> {
        if !(0.0..=limits::TIME_MAX_S).contains(&time_s) {
            return Err(PricesError::Time(time_s));
        }
        if !(0.0..=Self::MAX).contains(&price) {
            return Err(PricesError::Price(price));
        }
        match before_s {
            Some(before_s) if time_s <= before_s => Err(PricesError::NotRising { time_s, before_s }),
            _ => Ok(()),
        }
    }

    /// Times in seconds and dollars for a GPU and hour from then on. Times rise, and neighbours differ.
    pub fn steps(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.time_s.iter().copied().zip(self.per_gpu_hour.iter().copied())
    }

    /// The price at a time.
    pub fn at(&self, time_s: f64) -> f64 {
        self.per_gpu_hour.get(self.step_at(time_s)).copied().unwrap_or_default()
    }

    /// When it changes next after a time; `None` if it does not.
    pub fn next_change_s(&self, time_s: f64) -> Option<f64> {
        self.time_s.get(self.step_at(time_s) + 1).copied()
    }

    /// The stretches of one price between two times: from, until, price.
    pub fn between(&self, from_s: f64, until_s: f64) -> impl Iterator<Item = (f64, f64, f64)> + '_ {
        let first = self.step_at(from_s);
        let steps = (first..self.time_s.len()).map_while(move |at| {
            let start_s = if at == first { from_s } else { *self.time_s.get(at)? };
            let end_s = self.time_s.get(at + 1).copied().unwrap_or(until_s).min(until_s);
            (start_s < until_s).then_some((start_s, end_s, *self.per_gpu_hour.get(at)?))
        });
        steps.filter(|(start_s, end_s, _)| start_s < end_s)
    }

    /// The cost of one GPU between two times, in dollars: the integral.
    pub fn dollars(&self, from_s: f64, until_s: f64) -> f64 {
        self.between(from_s, until_s).map(|(start_s, end_s, price)| (end_s - start_s) / HOUR_S * price).sum()
    }

    /// The mean over the time between two times; at one time, the price then.
    pub fn mean(&self, from_s: f64, until_s: f64) -> f64 {
        let length_s = until_s - from_s;
        if length_s > 0.0 { self.dollars(from_s, until_s) * HOUR_S / length_s } else { self.at(from_s) }
    }

    /// The step that holds at a time: the first one before it begins.
    fn step_at(&self, time_s: f64) -> usize {
        self.time_s.partition_point(|start_s| *start_s <= time_s).saturating_sub(1)
    }
}

/// Prices as far as a policy may know them: those that were, those until `foresight_s` from now, and how long the
/// present one holds.
#[derive(Clone, Copy, Debug)]
pub struct KnownPrices<'a> {
    prices: &'a Prices,
    start_s: f64,
    now_s: f64,
    until_s: f64,
}

impl<'a> KnownPrices<'a> {
    /// What is known at a time. What was is remembered from `start_s` on.
    pub fn new(prices: &'a Prices, start_s: f64, now_s: f64, foresight_s: f64) -> Self {
        let until_s = prices.next_change_s(now_s).unwrap_or(f64::INFINITY).max(now_s + foresight_s);
        Self { prices, start_s, now_s, until_s }
    }

    /// The price now.
    pub fn now(&self) -> f64 {
        self.prices.at(self.now_s)
    }

    /// Until when the price of now holds; `None`: for good.
    pub fn next_change_s(&self) -> Option<f64> {
        self.prices.next_change_s(self.now_s)
    }

    /// What to expect until a time: stretches from now on with their prices, in seconds and dollars for a GPU and hour.
    /// What is not known is expected to cost the mean of what is known.
    pub fn until(&self, time_s: f64) -> Vec<(f64, f64)> {
        let known_s = self.until_s.min(time_s);
        let known = self.prices.between(self.now_s, known_s).map(|(start_s, end_s, price)| (end_s - start_s, price));
        let unknown = (time_s > self.until_s).then(|| (time_s - self.until_s, self.mean()));
        known.chain(unknown).collect()
    }

    /// The mean of what is known, of the past as of the future.
    pub fn mean(&self) -> f64 {
        let until_s = if self.until_s.is_finite() { self.until_s } else { self.now_s };
        self.prices.mean(self.start_s, until_s)
    }
}
