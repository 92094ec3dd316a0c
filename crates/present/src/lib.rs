//! Presentation of finished and running policies: the verdict, the metrics table, quantities over time and figures.
//!
//! - [`runs::RunEntry`] is one run of a comparison with its state; everything here is made from a slice of them.
//! - [`verdict::Verdict`] says in words which policy is best, [`metrics_table::Table`] lists metrics and differences.
//! - [`figure::Figure`] is a chart as plain data with its table; each module of [`charts`] makes one kind, and
//!   [`charts::figures_of_runs`] all of a comparison.
//! - [`drawing`] turns a figure into marks in pixels, which plotters draws on any backend; [`drawing::svg`] writes
//!   files, with their [`provenance`].
//!
//! This crate does not know the DOM, canvases, themes or the file system.

#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

pub mod charts;
pub mod comparable;
pub mod course;
pub mod drawing;
pub mod figure;
pub mod metrics_table;
pub mod palette;
pub mod paper;
pub mod provenance;
pub mod runs;
#[cfg(test)]
mod testing;
pub mod verdict;
