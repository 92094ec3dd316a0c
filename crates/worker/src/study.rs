//! Studies beside the page.
//!
//! The page sends a [`StudyOrder`] to a worker of its own, which holds a [`Director`]. That starts more workers, the
//! runners, deals the runs out to them, keeps their outcomes by their keys, here and in IndexedDB, and sends the page what
//! there is to show. Where a worker cannot start others, it makes the runs itself.

pub mod costs;
pub mod director;
mod host;
mod runner;
mod source;
pub(crate) mod store;
mod why;

use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Scenario;
use elastiplan_study::{Key, Spec};
use elastiplan_workloads::DrawnJobs;
use serde::{Deserialize, Serialize};

pub use director::Director;
pub(crate) use host::handle;
pub use source::Source;
pub use store::KeptRuns;

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

impl StudyOrder {
    /// The name of its data: studies of the same data may share runs.
    pub fn group(&self) -> Key {
        let trace = self.drawn.is_none().then_some(&self.scenario.trace);
        Key::of_value(&(&self.drawn, trace, &self.scenario.curves))
    }
}
