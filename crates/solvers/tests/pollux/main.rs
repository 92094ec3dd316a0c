//! The mathematics of Pollux against the vectors of its artifact, and against naive second versions.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../../../tests/data_pack.rs"]
mod data_pack;
mod fit;
mod goodput;
mod placement;
