//! Optimisers over plain numbers.
//!
//! This crate does not know jobs, clusters or policies: only values, units, capacities and amounts over time.

mod allocation;
mod best_sums;
mod claims;
mod counts;
pub mod counts_program;
pub mod division_program;
mod fairness;
mod filling;
pub mod fit;
pub mod goodput;
pub mod horizon;
pub mod horizon_program;
pub mod leases;
pub mod placement_search;
mod program;
pub mod purchase;

pub use allocation::{
    Allocation, AllocationTable, Bidder, TABLE_BIDDERS_MAX, TABLE_UNITS_MAX, allocate, allocation_table,
};
pub use claims::{Claim, meet};
pub use counts::{Worths, choose_counts, choose_counts_of};
pub use fairness::{Taker, fair_shares};
pub use filling::{
    Clock, Demand, FreeGpus, Grounds, Level, Plan, Step, Stretch, completion_s, minimum_share, minimum_share_after,
    soonest,
};
