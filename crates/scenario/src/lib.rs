//! Inputs of a run: jobs, curves, cluster, and the conditions that all policies of a comparison meet.
//!
//! A [`Scenario`] is plain data, cheap to clone. [`Scenario::workload`] applies arrival rate and deadline slack, draws what
//! jobs lack where that is asked for, and binds jobs to curves, with diagnostics for what was left out or assumed; the
//! engine runs the workload under the [`Conditions`]. [`fields::FIELDS`] is the table of all that can be set: documents,
//! the command line and the page are driven by it. [`sample`] is the built-in scenario.
//!
//! Policies are not part of a scenario: a comparison is a scenario, a list of policies and a list of seeds. Documents,
//! the page's inputs and the command line's arguments hold the three together.
//!
//! ```
//! use elastiplan_scenario::sample;
//!
//! let scenario = sample::scenario(sample::SEED);
//! let (workload, diagnostics) = scenario.workload();
//! assert!(diagnostics.is_empty());
//! assert_eq!(workload.jobs().len(), 48);
//! ```
//!
//! This crate does not know how time passes, any policy, files, or the browser.

#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

mod conditions;
mod costs;
mod drawn;
pub mod draws;
mod faults;
mod faults_text;
pub mod fields;
mod fork;
mod fork_text;
mod placement;
pub mod sample;
mod scenario;

pub use conditions::{Cloud, Conditions, ConditionsError};
pub use drawn::{Interval, ModelMix, Users, deadline_factor};
pub use faults::Faults;
pub use faults_text::{FaultsText, FaultsTextError};
pub use fork::{Fork, ForkChange};
pub use fork_text::ForkTextError;
pub use placement::Placement;
pub use scenario::{JobFactors, Scenario};
