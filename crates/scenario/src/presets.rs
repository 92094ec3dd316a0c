//! Scenarios that are built in. A new one is a file in `presets/` and one line here.

use crate::{Document, DocumentError};

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
