//! Job traces: their formats, the rows that all of them share, and the trace that rows make.

pub(crate) mod bftrainer;
mod columns;
pub(crate) mod elasticflow;
pub(crate) mod plain;
pub(crate) mod pollux;
mod reader;
pub(crate) mod trace;
mod work;
