//! Drawn workloads and published curves.
#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.

mod generate;
mod ibm;
mod idle_nodes;
