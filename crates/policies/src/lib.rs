//! Scheduling policies, one a file, and the registry that makes them from text.
//!
//! A policy's id is its name with the parameters that were given: `elastic-dp[delta_s=600,queue=true]`. Parsing and
//! printing it round-trips. To add a policy, write its file after the model of [`mod@fixed`] and add one line to
//! [`REGISTRY`].
//!
//! This crate does not know the browser, files, or how the engine keeps time.

mod arrivals;
mod artifact_overheads;
pub mod bftrainer;
pub mod chronus;
pub mod decision;
mod due;
pub mod edf;
pub mod elastic_dp;
pub mod elasticflow;
mod emptiest_first;
pub mod equal_share;
pub mod fixed;
pub mod gandiva;
mod gpus_limit;
mod idle_pool;
mod levels;
mod look_ahead;
mod merged_events;
pub mod modelarts;
pub mod modelarts_greedy;
mod node_count;
pub mod optimus;
pub mod pollux;
mod registry;
mod regular_times;
mod rounds;
mod scaling;
mod settling;
pub mod shortest_first;
mod spec;
pub mod spot;
pub mod themis;
pub mod throughput_autoscaling;
pub mod tiresias;
mod trainers;
mod words;

pub use registry::{REGISTRY, find};
pub use spec::{AUTO, Entry, Kind, Parameter, Parameters, PolicySpec, SpecError};

#[cfg(doctest)]
#[doc = include_str!("../../../docs/add-a-policy.md")]
struct AddAPolicy;
