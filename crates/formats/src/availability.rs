//! Availability logs: their four shapes, and the log that rows of any shape make.

pub(crate) mod counts;
pub(crate) mod events;
mod gaps;
pub(crate) mod intervals;
mod log;
pub(crate) mod matrix;
