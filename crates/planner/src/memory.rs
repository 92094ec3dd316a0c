//! Memory of a comparison.

use elastiplan_model::{Diagnostic, Severity};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Scenario;

/// Upper estimate of the memory of runs, from measurements.
///
/// Measured were the peaks of whole runs, natively, with jobs drawn like the sample's: 100,000 on 128 GPUs and 20,000 on
/// 1,024. The greediest policy, equal-share, leaves 23 and 41 spans a job, elastic-dp 5 and 3, fixed 1; a span takes 140
/// to 200 bytes with the rows of nodes that belong to it, a job 1,000 to 1,300. So 100,000 jobs took 112 MB with fixed,
/// 172 MB with elastic-dp and 471 MB with equal-share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryEstimate {
    /// Bytes of all runs together.
    pub bytes: f64,
}

/// A job, in the trace, the workload and the record.
const BYTES_PER_JOB: f64 = 1_000.0;
/// A span with the rows of nodes that belong to it, while the record is made.
const BYTES_PER_SPAN: f64 = 170.0;
/// Spans of a job under a policy that changes every job at every event.
const SPANS_PER_JOB: f64 = 40.0;
/// Spans of a job under a policy that never resizes jobs.
const SPANS_PER_RIGID_JOB: f64 = 3.0;
/// Spans that begin where one node comes or goes.
const SPANS_PER_CHANGE: f64 = 8.0;

impl MemoryEstimate {
    /// Memory that a browser tab can be expected to have.
    pub const LIMIT_BYTES: f64 = 1e9;

    /// Estimates the memory of these policies' runs.
    pub fn of(scenario: &Scenario, policies: &[PolicySpec]) -> Self {
        let jobs = scenario.trace.jobs().len() as f64;
        let changes = node_changes(scenario);
        let of_one = |policy: &PolicySpec| {
            let is_rigid = policy.entry().is_some_and(|entry| !entry.is_elastic);
            let per_job = if is_rigid { SPANS_PER_RIGID_JOB } else { SPANS_PER_JOB };
            let spans = jobs * per_job + changes * SPANS_PER_CHANGE;
            jobs * BYTES_PER_JOB + spans * BYTES_PER_SPAN
        };
        Self { bytes: policies.iter().map(of_one).sum() }
    }

    /// Whether it may be too much for a browser tab.
    pub fn is_large(&self) -> bool {
        self.bytes > Self::LIMIT_BYTES
    }

    pub(crate) fn diagnostic(&self) -> Option<Diagnostic> {
        let rule = format!("The runs may take up to {:.1} GB of memory", self.bytes / 1e9);
        let repair = "Compare fewer policies at a time, use a part of the jobs, or the command line";
        self.is_large().then(|| Diagnostic::new(Severity::Warning, rule, "A browser tab may have less", repair))
    }
}

/// How often nodes come and go: by the log, and by failures for as long as jobs are submitted.
fn node_changes(scenario: &Scenario) -> f64 {
    let Scenario { trace, cluster, conditions, .. } = scenario;
    let logged = conditions.availability.as_ref().map_or(0, |log| log.changes().len());
    let end_s = trace.jobs().last().map_or(0.0, |job| job.submit_s);
    let lasts_s = (end_s - trace.start_s()) / conditions.arrival_rate;
    let nodes = f64::from(cluster.nodes());
    let failures = conditions.faults.node_mtbf_s.map_or(0.0, |mtbf_s| nodes * lasts_s / mtbf_s);
    logged as f64 + 2.0 * failures
}
