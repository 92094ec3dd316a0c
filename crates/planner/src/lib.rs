//! Runs policies on scenarios, and sums up what came out.
//!
//! [`simulation`] starts one policy on a scenario, [`run`] takes it to its end and sums it up as a [`PolicyRun`].
//! [`advice`] and [`MemoryEstimate`] say what is worth knowing before a run, [`PaperComparison`] holds results against
//! the values of a paper, [`decision_at`] repeats one decision, [`tables`] writes results as CSV, [`trace_events`] as Chrome trace JSON,
//! [`in_dialect`] as the log that the jobs were read from.
//!
//! ```
//! use elastiplan_planner::run;
//! use elastiplan_scenario::sample;
//!
//! let scenario = sample::scenario(sample::SEED);
//! let (workload, diagnostics) = scenario.workload();
//! assert!(diagnostics.is_empty());
//! let result = run(&scenario, &workload, &"equal-share".parse().unwrap())?;
//! assert_eq!(result.summary.metrics.jobs_completed, 48);
//! # Ok::<(), elastiplan_planner::StartError>(())
//! ```
//!
//! This crate does not know the file system, scenario documents, the DOM, or how results are shown.

#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

mod advice;
mod decision_at;
mod decision_times;
mod dialects;
mod memory;
mod paper;
mod runs;
pub mod tables;
mod trace_events;

pub use advice::advice;
pub use decision_at::{DecisionError, decision_at, program_at};
pub use decision_times::{DecisionTimes, TimesShared};
pub use dialects::in_dialect;
pub use memory::MemoryEstimate;
pub use paper::{Measure, PaperComparison, PaperValue};
pub use runs::{PolicyResult, PolicyRun, StartError, run, simulation, timed_simulation};
pub use trace_events::trace_events;
