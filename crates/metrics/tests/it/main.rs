//! The metrics by hand, and against a second, slow computation on random runs.
#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.
#![allow(clippy::disallowed_methods)] // Tests need no small code: they sort as the standard library does.

mod bounds;
mod comparison;
mod dice;
mod gamble;
mod hand;
mod idle_nodes;
mod jobs;
#[path = "../../../policies/tests/it/naive_metrics.rs"]
mod naive_metrics;
mod of_jobs;
mod over_time;
mod rescaling;
mod stories;
mod table;
mod training;
