//! Throughput curves: their formats, curves while points are collected, and the set of curves of several files.

pub(crate) mod bftrainer;
pub(crate) mod by_nodes;
pub(crate) mod draft;
pub(crate) mod elasticflow;
pub(crate) mod elasticflow_long;
mod long;
pub(crate) mod plain;
pub(crate) mod set;
