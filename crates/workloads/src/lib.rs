//! Workloads that come with the planner: generators of jobs, idle nodes and prices, curves that papers measured, and
//! built-in scenarios as the page holds them.
//!
//! [`generate`] draws jobs and availability logs, [`DrawnPrices`] prices, [`published`] holds curves. A [`PackedPreset`]
//! is a built-in scenario without the parts that a [`Drawing`] draws again.
//!
//! This crate does not know files, scenario documents, or how a run is made.

#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

mod drawing;
mod drawn_prices;
mod fault;
pub mod generate;
mod packed_preset;
pub mod published;

pub use drawing::{Drawing, Drawn, DrawnJobs, PublishedInfo};
pub use drawn_prices::DrawnPrices;
pub use fault::Fault;
pub use packed_preset::PackedPreset;
