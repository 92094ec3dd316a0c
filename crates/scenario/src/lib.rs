//! What decides a run: the jobs, the curves, the cluster, and the what-ifs. And how to run it.
//!
//! A [`Scenario`] is plain data. [`Scenario::workload`] applies the what-ifs and binds jobs to curves, with diagnostics
//! for what was left out or assumed; [`simulation`] starts one policy on it, [`run`] takes it to its end and sums it up.
//! [`tables`] writes results as CSV.
//! [`sample`] is the scenario that is there before anybody has loaded anything.
//!
//! ```
//! use elastiplan_scenario::{run, sample};
//!
//! let scenario = sample::scenario(sample::SEED);
//! let (workload, diagnostics) = scenario.workload();
//! assert!(diagnostics.is_empty());
//! let result = run(&scenario, &workload, &"equal-share".parse().unwrap())?;
//! assert_eq!(result.summary.metrics.jobs_completed, 48);
//! # Ok::<(), elastiplan_scenario::StartError>(())
//! ```
//!
//! This crate does not know files, the DOM, or how results are shown.

pub mod sample;
mod scenario;
pub mod tables;

pub use scenario::{PolicyRun, Scenario, StartError, WhatIf, WhatIfError, run, simulation};
