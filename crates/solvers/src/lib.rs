//! Optimisers over plain numbers.
//!
//! This crate does not know jobs, clusters or time: only values, units and capacities.

mod allocation;
mod filling;

pub use allocation::{Allocation, Bidder, allocate};
pub use filling::{
    Clock, Demand, FreeGpus, Level, Plan, Step, completion_s, minimum_share, minimum_share_after, soonest,
};
