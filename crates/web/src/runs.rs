//! The runs as the page holds them: one for each ticked policy, in the order ticked.

use std::rc::Rc;

use elastiplan_engine::Progress;
use elastiplan_planner::PolicyRun;
use elastiplan_policies::PolicySpec;
use elastiplan_worker::messages::Failure;

/// How a run stands.
#[derive(Clone, Debug, PartialEq)]
pub enum RunState {
    /// Asked for; its worker has said nothing yet.
    Started,
    /// On its way.
    Running(Progress),
    /// Came to its own end.
    Finished,
    /// Stopped by the person; what there is stands.
    Cancelled,
    /// Could not go on.
    Failed(Failure),
}

/// One policy's run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEntry {
    /// Its place in the order ticked, 0 to 3: badge A to D, colour, and 0 is the baseline.
    pub slot: usize,
    /// The policy with its parameters.
    pub policy: PolicySpec,
    /// How it stands.
    pub state: RunState,
    /// The latest record: whole, or so far.
    pub result: Option<Rc<PolicyRun>>,
    /// How long it took, in milliseconds, where it has ended.
    pub wall_ms: Option<f64>,
}

impl RunEntry {
    /// The badge: A to D.
    pub fn letter(&self) -> char {
        ['A', 'B', 'C', 'D'].get(self.slot).copied().unwrap_or('?')
    }

    /// The policy's name, with the badge where the same policy runs twice.
    pub fn name_among(&self, entries: &[RunEntry]) -> String {
        let name = self.policy.name();
        let is_twice = entries.iter().filter(|other| other.policy.name() == name).count() > 1;
        if is_twice { format!("{name} {}", self.letter()) } else { name.into() }
    }

    /// Whether it is still on its way.
    pub fn is_running(&self) -> bool {
        matches!(self.state, RunState::Started | RunState::Running(_))
    }
}
