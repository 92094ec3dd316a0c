//! Advice before a run.

use elastiplan_model::{Diagnostic, Severity};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Scenario;

use crate::MemoryEstimate;

/// Returns what is worth knowing before these policies run: how the availability log was moved, and whether memory may
/// be short.
pub fn advice(scenario: &Scenario, policies: &[PolicySpec]) -> Vec<Diagnostic> {
    let memory = MemoryEstimate::of(scenario, policies).diagnostic();
    availability_advice(scenario).into_iter().chain(memory).collect()
}

fn availability_advice(scenario: &Scenario) -> Option<Diagnostic> {
    let log = scenario.conditions.availability.as_ref()?;
    let (start_s, log_s) = (scenario.trace.start_s(), log.start_s());
    let lasts_s = log.end_s() - log_s;
    let moved = match start_s - log_s {
        0.0 => "It begins".into(),
        by_s => format!("It is moved by {by_s} s to begin"),
    };
    let rule = format!("Availability log with {} node{}", log.nodes(), if log.nodes() == 1 { "" } else { "s" });
    let outcome = format!("{moved} with the jobs, at {start_s} s, and lasts {lasts_s} s");
    Some(Diagnostic::new(Severity::Info, rule, outcome, "After its end nodes stay as they are"))
}
