//! Optimisers over plain numbers.
//!
//! This crate does not know jobs, clusters or policies: only values, units, capacities and amounts over time.

mod allocation;
mod claims;
mod fairness;
mod leases;

pub use allocation::{Allocation, Bidder, allocate};
pub use claims::{Claim, meet};
pub use fairness::{Taker, fair_shares};
pub use leases::{Bookings, Free, Goal, Plan, Tenant, in_order, plan};
