//! Built-in scenarios as the page holds them.

use elastiplan_planner::PaperValue;
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Scenario;
use elastiplan_study::Spec;
use serde::{Deserialize, Serialize};

use crate::Drawing;

/// A built-in scenario with everything in its document that the page shows. The build script of the page packs them, so
/// that the page needs neither JSON nor importers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackedPreset {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// A description in a few sentences.
    pub about: String,
    /// The paper that it is from.
    pub source: String,
    /// Results that the paper reports.
    pub paper: Vec<PaperValue>,
    /// The scenario with the first seed, without the parts that are drawn or looked up.
    pub packed: Scenario,
    /// The parts that are drawn or looked up.
    pub drawing: Drawing,
    /// Policies to compare.
    pub policies: Vec<PolicySpec>,
    /// Its study, if it has one.
    pub study: Option<Spec>,
}
