//! Values out of range.

use std::ops::RangeInclusive;

/// A value that is out of range: its name, itself, and what it must be.
pub type Fault = (&'static str, f64, &'static str);

/// The first of some values, each with name, range and rule, that is out of its range.
pub(crate) fn first_out_of_range<const N: usize>(
    values: [(&'static str, f64, RangeInclusive<f64>, &'static str); N],
) -> Option<Fault> {
    let fault = values.into_iter().find(|(_, value, range, _)| !range.contains(value));
    fault.map(|(name, value, _, rule)| (name, value, rule))
}
