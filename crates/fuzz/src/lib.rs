//! Fuzzing on stable Rust: every parser is given damaged samples, one after the other, and none may panic, take longer
//! than [`SECONDS_MAX`] or more than [`MEMORY_FACTOR`] times the memory of its input.
//!
//! Inputs are mutations of real files: those of the public traces where they are there, and a few of our own. What was
//! found is kept in `corpus/<target>` and comes first in every run. An input that fails is written there.
//!
//! This crate knows every parser, and nothing of what they read.

#![allow(clippy::disallowed_methods)] // It is not fetched: it sorts as the standard library does.

mod memory;
mod mutate;
mod run;
mod samples;
mod targets;

pub use run::{MEMORY_FACTOR, Outcome, SECONDS_MAX, fuzz};
pub use targets::{TARGETS, Target};
