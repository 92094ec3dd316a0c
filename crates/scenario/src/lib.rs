//! What decides a run: the jobs, the curves, the cluster, and the what-ifs. And how to run it.
//!
//! A [`Scenario`] is plain data. [`Scenario::workload`] applies the what-ifs and binds jobs to curves, with diagnostics
//! for what was left out or assumed; [`simulation`] starts one policy on it, [`run`] takes it to its end and sums it up.
//! [`tables`] writes results as CSV, [`record`] as one file that holds everything.
//! [`sample`] is the scenario that is there before anybody has loaded anything; [`generate`] draws other workloads,
//! [`published`] holds curves that papers measured. A [`Document`] is a scenario as JSON, with
//! the policies to compare; [`PRESETS`] are those that are built in.
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
//! This crate does not know the file system, the DOM, or how results are shown.

#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

mod advice;
mod decision_at;
mod decision_times;
mod document;
mod drawn_prices;
mod draws;
mod faults_text;
pub mod generate;
mod memory;
mod paper;
mod presets;
pub mod published;
pub mod record;
mod runs;
pub mod sample;
mod scenario;
pub mod tables;

pub use advice::Outline;
pub use decision_at::{DecisionError, decision_at, program_at};
pub use decision_times::{DecisionTimes, TimesShared};
pub use document::{
    AvailabilitySource, ClusterPart, CurveSource, Document, DocumentError, GeneratedJobs, JobSource, PaperValue,
    PriceSource, PublishedName, Resolved, SampleJobs, TopologyPart, VERSION as DOCUMENT_VERSION, WhatIfPart, given,
};
pub use drawn_prices::DrawnPrices;
pub use faults_text::{FaultsText, FaultsTextError};
pub use memory::MemoryEstimate;
pub use paper::{Beside, Measure, beside};
pub use presets::{PRESETS, Preset, ReadPreset};
pub use runs::{PolicyResult, PolicyRun, StartError, run, simulation, timed_simulation};
pub use scenario::{Conditions, Scenario, WhatIf, WhatIfError};
