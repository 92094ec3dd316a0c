//! Progressive filling against the published vectors, and against naive second versions.
#![allow(clippy::unwrap_used, clippy::panic)]

mod alike;
#[path = "../../../../tests/data_pack.rs"]
mod data_pack;
mod naive;
mod plain;
mod published;
