//! A decision as a program, as a sheet shows it.

use std::rc::Rc;

use elastiplan_policies::PolicySpec;
use elastiplan_worker::messages::ShownProgram;

/// A decision as a program, once it is written.
#[derive(Clone, PartialEq)]
pub struct DecisionProgram {
    /// The slot of the run.
    pub slot: usize,
    /// The run's policy.
    pub policy: PolicySpec,
    /// The time at which the decision holds, in seconds on the clock of the trace.
    pub time_s: f64,
    /// Whether it is written node by node rather than by counts.
    pub node_by_node: bool,
    /// `None` while it is being written.
    pub answer: Option<Result<Rc<ShownProgram>, String>>,
    pub(super) request: Option<u32>,
}
