//! Progressive filling against the published vectors, and against a naive second version.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../../../tests/data_pack.rs"]
mod data_pack;
mod naive;
mod published;
