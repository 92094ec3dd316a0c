//! What published simulators do instead of what their papers say: `artifact=true`, `share=replayer`, `replayer=true`.
//!
//! Each policy here is built by the policy that it departs from, which is written after the paper. docs/fidelity.md
//! lists the differences.

pub(crate) mod bftrainer;
pub(crate) mod chronus;
pub(crate) mod edf;
pub(crate) mod elasticflow;
pub(crate) mod equal_share;
pub(crate) mod gandiva;
pub(crate) mod idle_pool;
pub(crate) mod merged_events;
pub(crate) mod optimus;
pub(crate) mod overheads;
pub(crate) mod pollux;
pub(crate) mod themis;
pub(crate) mod tiresias;
