//! Studies beside the page.

use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Scenario;
use elastiplan_study::Spec;
use elastiplan_workloads::DrawnJobs;
use serde::{Deserialize, Serialize};

/// A study to be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyOrder {
    /// The scenario without what is varied, data included. Its seed is the first.
    pub scenario: Scenario,
    /// The source of the jobs, where they are drawn by the seed.
    pub drawn: Option<DrawnJobs>,
    /// The study.
    pub spec: Spec,
    /// The policies; the first is the baseline.
    pub policies: Vec<PolicySpec>,
    /// The keys of the metrics that are shown.
    pub metrics: Vec<String>,
    /// Workers that make its runs.
    pub runners: u32,
}
