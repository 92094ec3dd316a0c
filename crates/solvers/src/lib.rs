//! Optimisers over plain numbers.
//!
//! This crate does not know jobs, clusters or time: only values, units and capacities.

mod allocation;

pub use allocation::{Allocation, Bidder, allocate};
