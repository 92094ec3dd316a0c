//! Built-in scenarios as the page holds them.

use std::sync::Arc;

use elastiplan_planner::PaperValue;
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Scenario;
use serde::{Deserialize, Serialize};

use crate::generate::{GeneratorSpec, IdleNodesSpec};
use crate::published::Published;

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
    /// The scenario with the first seed, without the parts that the following three members draw or name.
    pub packed: Scenario,
    /// The generator of the jobs, as text.
    pub generator: Option<String>,
    /// The name of published curves.
    pub published: Option<String>,
    /// Parameters of drawn idle nodes.
    pub idle_nodes: Option<IdleNodesSpec>,
    /// Policies to compare.
    pub policies: Vec<PolicySpec>,
}

impl PackedPreset {
    /// The generator that draws the jobs with the seed of the scenario, if there is one.
    pub fn generator(&self) -> Option<GeneratorSpec> {
        self.generator.as_ref()?.parse().ok()
    }

    /// The published curves, if it names some.
    pub fn published(&self) -> Option<&'static Published> {
        Published::named(self.published.as_ref()?)
    }

    /// The scenario with the first seed.
    pub fn scenario(&self) -> Scenario {
        let mut scenario = self.packed.clone();
        if let Some(generator) = self.generator() {
            scenario.trace = Arc::new(generator.trace(scenario.conditions.seed));
        }
        if let Some(published) = self.published() {
            scenario.curves = Arc::new(published.curves());
        }
        if let Some(idle_nodes) = self.idle_nodes {
            scenario.conditions.availability = Some(Arc::new(idle_nodes.log()));
        }
        scenario
    }
}
