//! Pollux's models and workloads: against its public measurements, and by themselves.
#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests do this, but not what tests share.
#![allow(clippy::disallowed_methods)] // Tests need no small code: they sort as the standard library does.

mod configurations;
#[path = "../../../../tests/data_pack.rs"]
mod data_pack;
mod figures;
mod pack;
mod stages;
mod workloads;
