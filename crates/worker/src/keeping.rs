//! What crosses when scenarios are opened and shared.

pub use elastiplan_documents::{CHARACTERS_FREE, KnownResult, ShownView};
use elastiplan_model::Diagnostic;
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Scenario;
use elastiplan_study::Spec;
use elastiplan_workloads::{Drawing, Drawn, PackedPreset};
use serde::{Deserialize, Serialize};

/// A scenario from a document, a bundle or a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenedScenario {
    /// What it was opened from: the name of a file, or `The link`.
    pub from: String,
    /// The scenario with what was drawn for it; `None` as long as files are missing.
    pub scenario: Option<(PackedPreset, Drawn)>,
    /// What to show of it.
    pub view: ShownView,
    /// Digests that came with it.
    pub known: Vec<KnownResult>,
    /// Files that it needs and does not have, each with the start of its hash, where that is known.
    pub needs: Vec<(String, Option<String>)>,
    /// What could not be read, in sentences.
    pub faults: Vec<String>,
    /// Parts that the sample stands in for.
    pub missing: Vec<String>,
    /// Findings about the data.
    pub diagnostics: Vec<Diagnostic>,
}

/// A scenario that is to be shared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShareOrder {
    /// The address of the page.
    pub base: String,
    /// The name of the scenario.
    pub title: String,
    /// The preset, if it is one as it came.
    pub preset: Option<String>,
    /// The scenario.
    pub scenario: Scenario,
    /// Parts that may have been drawn or looked up.
    pub drawing: Drawing,
    /// Policies to compare.
    pub policies: Vec<PolicySpec>,
    /// What is varied.
    pub study: Option<Spec>,
    /// What is shown.
    pub view: ShownView,
    /// Digests of its runs.
    pub known: Vec<KnownResult>,
    /// The build that made them.
    pub build: String,
}

/// A shared scenario in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharedScenario {
    /// The link; or why there is none.
    pub link: Result<String, String>,
    /// Files that the link needs: the name, the start of the hash, and bytes.
    pub needs: Vec<(String, String, u64)>,
    /// What stands in the link, in words.
    pub contains: Vec<String>,
}
