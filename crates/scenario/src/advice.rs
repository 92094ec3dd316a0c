//! What a person should know about a scenario before it runs.

use elastiplan_model::{Availability, Cluster, Diagnostic, Place, Severity, Trace};
use elastiplan_policies::PolicySpec;

use crate::{Conditions, Scenario, WhatIf};

/// What advice depends on: a scenario by reference and without its curves, so that whoever holds its parts need not
/// put copies of them together to ask.
#[derive(Clone, Copy, Debug)]
pub struct Outline<'a> {
    /// The jobs.
    pub trace: &'a Trace,
    /// When the first nodes of the cluster are there.
    pub availability: Option<&'a Availability>,
    /// The machines.
    pub cluster: Cluster,
    /// What is asked to be different from the files.
    pub what_if: WhatIf,
    /// What runs meet.
    pub conditions: &'a Conditions,
}

impl Scenario {
    /// As far as advice depends on it.
    pub fn outline(&self) -> Outline<'_> {
        let Self { trace, cluster, what_if, availability, conditions, .. } = self;
        Outline { trace, availability: availability.as_ref(), cluster: *cluster, what_if: *what_if, conditions }
    }

    /// What is worth knowing before these policies run.
    pub fn advice(&self, policies: &[PolicySpec]) -> Vec<Diagnostic> {
        self.outline().advice(policies)
    }
}

impl Outline<'_> {
    /// What is worth knowing before these policies run: what was done to the availability log, and whether memory
    /// will do.
    pub fn advice(&self, policies: &[PolicySpec]) -> Vec<Diagnostic> {
        let memory = self.memory_estimate(policies).diagnostic();
        self.availability_advice().into_iter().chain(memory).collect()
    }

    fn availability_advice(&self) -> Option<Diagnostic> {
        let log = self.availability?;
        let (start_s, log_s) = (self.trace.start_s(), log.start_s());
        let lasts_s = log.end_s() - log_s;
        let moved = match start_s - log_s {
            0.0 => "It begins".into(),
            by_s => format!("It is moved by {by_s} s to begin"),
        };
        Some(Diagnostic {
            severity: Severity::Info,
            place: Place::default(),
            count: 1,
            value: None,
            rule: format!("Availability log with {} node{}", log.nodes(), if log.nodes() == 1 { "" } else { "s" }),
            outcome: format!("{moved} with the jobs, at {start_s} s, and lasts {lasts_s} s"),
            repair: "After its end nodes stay as they are".into(),
        })
    }
}
