//! Scenarios that are built in. A new one is a file in `presets/` and one line here.

use elastiplan_policies::PolicySpec;
use serde::{Deserialize, Serialize};

use crate::{Document, DocumentError, PaperValue, Resolved, Scenario};

/// A scenario that is built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// What it is asked for by.
    pub name: &'static str,
    /// Its document.
    pub json: &'static str,
}

/// All of them, in the order in which a person meets them.
pub const PRESETS: &[Preset] = &[
    Preset { name: "sample", json: include_str!("../presets/sample.json") },
    Preset { name: "load-times-1.5", json: include_str!("../presets/load-times-1.5.json") },
    Preset { name: "nodes-that-fail", json: include_str!("../presets/nodes-that-fail.json") },
    Preset { name: "idle-nodes", json: include_str!("../presets/idle-nodes.json") },
];

impl Preset {
    /// The one of this name.
    pub fn named(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// What it says. A test reads all of them.
    pub fn document(&self) -> Result<Document, DocumentError> {
        Document::parse(self.json)
    }
}

/// A preset with everything in its document that the page shows. The page is built with presets that have been read, so
/// that it needs neither JSON nor importers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadPreset {
    /// What it is asked for by.
    pub name: String,
    /// What a person calls it.
    pub title: String,
    /// What it is about.
    pub about: String,
    /// The paper that it is from.
    pub source: String,
    /// What that paper says came out.
    pub paper: Vec<PaperValue>,
    /// The scenario with the first seed.
    pub scenario: Scenario,
    /// What is compared.
    pub policies: Vec<PolicySpec>,
}

impl ReadPreset {
    /// All of them, in the order of [`PRESETS`].
    pub fn all() -> Result<Vec<Self>, DocumentError> {
        PRESETS.iter().map(Self::of).collect()
    }

    fn of(preset: &Preset) -> Result<Self, DocumentError> {
        let document = preset.document()?;
        let Resolved { scenario, policies, .. } = document.resolve(&|_| None)?;
        let Document { title, about, source, paper, .. } = document;
        Ok(Self { name: preset.name.into(), title, about, source, paper, scenario, policies })
    }
}
