//! Presentation of finished and running policies: the verdict, the metrics table, quantities over time and figures.
//!
//! - [`runs::RunEntry`] is one run of a comparison with its state; everything here is made from a slice of them.
//! - [`goal::Goal`] is what runs are judged by; [`verdict::Verdict`] says in words which run meets it and at what price,
//!   [`run_table::RunTable`] has runs as rows and metrics as columns, of all jobs or of some ([`of_jobs::OfJobs`]).
//! - [`quantity::Quantity`] writes values by unit, so that those that differ never read alike.
//! - [`figure::Figure`] is a chart as plain data with its table; each module of [`charts`] makes one kind, and
//!   [`charts::figures_of_runs`] all of a comparison.
//! - [`study::StudyView`] is a study as far as it has come, with its sentences and figures.
//! - [`report::Report`] writes all of it as one HTML file to print or send; [`findings::lines`] tells in words what was
//!   found in the data.
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
pub mod findings;
pub mod goal;
pub mod metric_text;
pub mod of_jobs;
pub mod palette;
pub mod paper;
pub mod provenance;
pub mod quantity;
pub mod report;
pub mod run_table;
pub mod runs;
pub mod study;
#[cfg(test)]
mod testing;
pub mod verdict;
