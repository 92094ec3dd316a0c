//! The runs of a comparison: one for each policy, in the order chosen.

use std::rc::Rc;

use elastiplan_engine::Progress;
use elastiplan_model::Workload;
use elastiplan_planner::PolicyRun;
use elastiplan_policies::PolicySpec;

/// How many runs have a colour of their own.
pub const COLOURS: usize = 8;

/// State of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum RunState {
    /// Requested; no progress has been reported yet.
    Started,
    /// Being simulated.
    Running(Progress),
    /// Simulated to its end.
    Finished,
    /// Stopped by the user; the record up to then stands.
    Cancelled,
    /// Ended by an error.
    Failed(RunFailure),
}

/// Reason that a run ended early.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunFailure {
    /// One sentence for the user.
    pub message: String,
    /// Technical detail for a report: the place of a panic. Empty where the message is complete.
    pub detail: String,
}

/// A run of a comparison: a policy, its settings, and what else differs from the other runs.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEntry {
    /// Its place in the list of runs: decides badge and colour. 0 is the baseline.
    pub slot: usize,
    /// The policy with its parameters.
    pub policy: PolicySpec,
    /// What the user calls it; `None` for the policy's name.
    pub label: Option<String>,
    /// What differs from the inputs of the comparison, a few words each: "72 nodes".
    pub differs: Vec<String>,
    /// Whether its inputs are frozen: edits make other runs.
    pub is_pinned: bool,
    /// Whether it is left out of pictures and tables.
    pub is_hidden: bool,
    /// Its jobs where they are not those of the comparison.
    pub own_workload: Option<Rc<Workload>>,
    /// Its state.
    pub state: RunState,
    /// The latest record: whole, or so far.
    pub result: Option<Rc<PolicyRun>>,
    /// Wall-clock time in milliseconds; `None` until the run has ended.
    pub wall_ms: Option<f64>,
}

impl RunEntry {
    /// A run that has not begun.
    pub fn new(slot: usize, policy: PolicySpec) -> Self {
        Self {
            slot,
            policy,
            label: None,
            differs: Vec::new(),
            is_pinned: false,
            is_hidden: false,
            own_workload: None,
            state: RunState::Started,
            result: None,
            wall_ms: None,
        }
    }

    /// A finished run.
    pub fn finished(slot: usize, run: PolicyRun) -> Self {
        let entry = Self::new(slot, run.policy.clone());
        Self { state: RunState::Finished, result: Some(Rc::new(run)), ..entry }
    }

    /// The jobs it ran: its own, or those of the comparison.
    pub fn workload<'a>(&'a self, compared: &'a Workload) -> &'a Workload {
        self.own_workload.as_deref().unwrap_or(compared)
    }

    /// The record, if the run has finished.
    pub fn whole(&self) -> Option<&PolicyRun> {
        self.result.as_deref().filter(|_| self.state == RunState::Finished)
    }

    /// The badge: A to D on the page, and on to Z where more runs are compared.
    pub fn letter(&self) -> char {
        ('A'..='Z').nth(self.slot).unwrap_or('?')
    }

    /// The policy's name without its parameters.
    pub fn name(&self) -> &str {
        self.policy.name()
    }

    /// The policy's parameters without its name.
    pub fn parameters(&self) -> String {
        let id = self.policy.to_string();
        id.split_once('[').map_or("", |(_, rest)| rest.trim_end_matches(']')).replace(',', ", ")
    }

    /// The index of its colour and dashes: 0 to 7 for A to H, and 8, grey, for all others.
    pub fn colour_index(&self) -> u8 {
        self.slot.min(COLOURS) as u8
    }

    /// The policy's name, with the badge where the same policy runs twice.
    pub fn name_among(&self, entries: &[RunEntry]) -> String {
        let name = self.policy.name();
        let is_twice = entries.iter().filter(|other| other.policy.name() == name).count() > 1;
        if is_twice { format!("{name} {}", self.letter()) } else { name.into() }
    }

    /// Whether its record is still growing.
    pub fn is_running(&self) -> bool {
        matches!(self.state, RunState::Started | RunState::Running(_))
    }
}

/// The entries that pictures and tables show. Their places in the whole list are their slots.
pub fn shown(entries: &[RunEntry]) -> impl Iterator<Item = &RunEntry> + Clone {
    entries.iter().filter(|entry| !entry.is_hidden)
}
