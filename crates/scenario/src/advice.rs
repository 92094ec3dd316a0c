//! What a person should know about a scenario before it runs.

use elastiplan_model::{Diagnostic, Place, Severity};
use elastiplan_policies::PolicySpec;

use crate::Scenario;

impl Scenario {
    /// What is worth knowing before these policies run: what was done to the availability log, and whether memory
    /// will do.
    pub fn advice(&self, policies: &[PolicySpec]) -> Vec<Diagnostic> {
        let memory = self.memory_estimate(policies).diagnostic();
        self.availability_advice().into_iter().chain(memory).collect()
    }

    fn availability_advice(&self) -> Option<Diagnostic> {
        let log = self.availability.as_ref()?;
        let (start_s, log_s) = (self.trace.start_s(), log.start_s());
        let lasts_s = log.end_s() - log_s;
        let outcome = match log_s == start_s {
            true => format!("It begins with the jobs, at {start_s} s, and lasts {lasts_s} s"),
            false => format!("It is moved by {} s to begin with the jobs, at {start_s} s, and lasts {lasts_s} s", start_s - log_s),
        };
        Some(Diagnostic {
            severity: Severity::Info,
            place: Place::default(),
            count: 1,
            value: None,
            rule: format!("Availability log with {} nodes", log.nodes()),
            outcome,
            repair: "After its end nodes stay as they are".into(),
        })
    }
}
