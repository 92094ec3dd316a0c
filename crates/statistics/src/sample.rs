//! A sample of a number: one value from each seed.

/// How many values there are, their mean, and their variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// Values.
    pub n: u32,
    /// Their mean.
    pub mean: f64,
    /// The mean squared distance from the mean, divided by `n - 1` rather than by `n`.
    pub variance: f64,
}

impl Moments {
    /// Of values that are all finite. `None` where there are fewer than two.
    pub fn of(values: &[f64]) -> Option<Self> {
        let n = u32::try_from(values.len()).ok().filter(|&n| n >= 2)?;
        let mean = values.iter().sum::<f64>() / f64::from(n);
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        Some(Self { n, mean, variance: squares / f64::from(n - 1) })
    }

    /// How far the mean of so many values strays from the mean of all that could be drawn.
    pub fn standard_error(&self) -> f64 {
        (self.variance / f64::from(self.n)).sqrt()
    }
}

/// The value below which a share of the sorted `values` lies, straight between the two nearest; `None` where there are
/// none.
pub fn quantile_of_sorted(values: &[f64], share: f64) -> Option<f64> {
    let place = share.clamp(0.0, 1.0) * values.len().checked_sub(1)? as f64;
    let below = *values.get(place.floor() as usize)?;
    let above = *values.get(place.ceil() as usize)?;
    Some(below + (above - below) * place.fract())
}
