//! What a person should know about a scenario before it runs.

use elastiplan_model::{Diagnostic, Place, Severity};
use elastiplan_policies::PolicySpec;

use crate::Scenario;

impl Scenario {
    /// What is worth knowing before these policies run: what was done to the availability log, and whether memory
    /// will do. Before any is chosen, one is taken.
    pub fn advice(&self, policies: &[PolicySpec]) -> Vec<Diagnostic> {
        let memory = self.memory_estimate(policies.len().max(1)).diagnostic();
        self.availability_advice().into_iter().chain(memory).collect()
    }

    fn availability_advice(&self) -> Option<Diagnostic> {
        let log = self.availability.as_ref()?;
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
