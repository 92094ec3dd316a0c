//! Statistics of what is simulated several times, once for each seed.
//!
//! [`Interval`] has the intervals of means, of differences and of ratios of pairs; [`bootstrap`] those of what is skewed;
//! [`Precision`] tells how many seeds are enough; [`Selection`] finds the best of several, once [`screened`]
//! has left out what is far behind; [`feasibility`] tells whether a
//! size meets its goals, and from which size on all do; [`Looks`] judges with more seeds where fewer do not decide.
//! Everything follows from its arguments to the bit.
//!
//! This crate knows plain numbers: neither jobs nor policies, nor how a number was simulated.

pub mod bootstrap;
pub mod feasibility;
mod interval;
mod kim_nelson;
mod looks;
mod replications;
mod sample;
mod screening;
pub mod student;

pub use interval::{Interval, VALUES_MIN, lower_bound, upper_bound};
pub use kim_nelson::{Contenders, Selection};
pub use looks::Looks;
pub use replications::{Precision, Width};
pub use sample::{Moments, quantile_of_sorted};
pub use screening::screened;
