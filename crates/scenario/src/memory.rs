//! How much memory a comparison takes.

use elastiplan_model::{Diagnostic, Place, Severity};
use elastiplan_policies::PolicySpec;

use crate::Scenario;

/// What runs will take, estimated before the first one starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryEstimate {
    /// Bytes of the jobs, curves and logs.
    pub scenario_bytes: u64,
    /// Bytes of the records of all runs.
    pub runs_bytes: u64,
}
impl MemoryEstimate {
    pub(crate) fn diagnostic(&self) -> Option<Diagnostic> { None }
}
impl Scenario {
    /// What it takes to run these policies.
    pub fn memory_estimate(&self, _policies: &[PolicySpec]) -> MemoryEstimate { MemoryEstimate{scenario_bytes:0,runs_bytes:0} }
}
