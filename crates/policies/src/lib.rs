//! Scheduling policies and the registry that builds them from text.
//!
//! A policy's id is its name with the parameters that were given: `elastic-dp[delta_s=600,queue=true]`. Parsing and
//! printing it round-trips. To add a policy, write its file after the model of [`mod@fixed`] and add one line to
//! [`REGISTRY`].
//!
//! - Each policy is a file, with a folder for its parts: [`gandiva`], [`pollux`]. It follows the paper that it names.
//! - `shared` holds what several policies use: arrivals, rounds, deadlines, batch sizes, wording.
//! - `artifact` holds what published simulators do instead of what their papers say, for `artifact=true` and
//!   `replayer=true`. Policies there are built by the policy that they depart from.
//! - [`PolicySpec`] is a policy's id, on top of the registry; parameters are at the bottom.
//!
//! This crate does not know the browser, files, or how the engine keeps time.

mod artifact;
pub mod bftrainer;
pub mod chronus;
pub mod decision;
pub mod edf;
pub mod elastic_dp;
pub mod elasticflow;
pub mod equal_share;
pub mod fixed;
pub mod gandiva;
pub mod modelarts;
pub mod modelarts_greedy;
pub mod optimus;
mod parameters;
pub mod pollux;
mod registry;
mod shared;
pub mod shortest_first;
mod spec;
pub mod spot;
pub mod themis;
pub mod throughput_autoscaling;
pub mod tiresias;

pub use parameters::{AUTO, Entry, Kind, Parameter, Parameters};
pub use registry::{REGISTRY, SAMPLE, WITH_PROGRAM, find};
pub use spec::{PolicySpec, SpecError};

#[cfg(doctest)]
#[doc = include_str!("../../../docs/add-a-policy.md")]
struct AddAPolicy;
