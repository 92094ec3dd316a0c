//! Built-in scenarios. A new one is a file in `presets/` and one line here.

use std::sync::Arc;

use elastiplan_workloads::PackedPreset;

use crate::document::{AvailabilitySource, CurveSource, Document, DocumentError, GeneratedJobs, JobSource, Resolved};

/// A built-in scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name.
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
    Preset { name: "spot-prices", json: include_str!("../presets/spot-prices.json") },
    Preset { name: "elasticflow-6b", json: include_str!("../presets/elasticflow-6b.json") },
    Preset { name: "elasticflow-7", json: include_str!("../presets/elasticflow-7.json") },
    Preset { name: "elasticflow-8a", json: include_str!("../presets/elasticflow-8a.json") },
    Preset { name: "elasticflow-8b-cluster10", json: include_str!("../presets/elasticflow-8b-cluster10.json") },
    Preset { name: "elasticflow-8b-philly", json: include_str!("../presets/elasticflow-8b-philly.json") },
    Preset { name: "elasticflow-9", json: include_str!("../presets/elasticflow-9.json") },
    Preset { name: "elasticflow-10", json: include_str!("../presets/elasticflow-10.json") },
    Preset { name: "elasticflow-11", json: include_str!("../presets/elasticflow-11.json") },
    Preset { name: "pollux-table-2", json: include_str!("../presets/pollux-table-2.json") },
    Preset { name: "pollux-7", json: include_str!("../presets/pollux-7.json") },
    Preset { name: "pollux-8", json: include_str!("../presets/pollux-8.json") },
    Preset { name: "pollux-9", json: include_str!("../presets/pollux-9.json") },
    Preset { name: "pollux-10", json: include_str!("../presets/pollux-10.json") },
    Preset { name: "pollux-table-3", json: include_str!("../presets/pollux-table-3.json") },
    Preset { name: "bftrainer-9", json: include_str!("../presets/bftrainer-9.json") },
    Preset { name: "bftrainer-12", json: include_str!("../presets/bftrainer-12.json") },
    Preset { name: "bftrainer-14", json: include_str!("../presets/bftrainer-14.json") },
    Preset { name: "bftrainer-16", json: include_str!("../presets/bftrainer-16.json") },
    Preset { name: "modelarts-70", json: include_str!("../presets/modelarts-70.json") },
    Preset { name: "modelarts-110", json: include_str!("../presets/modelarts-110.json") },
    Preset { name: "modelarts-150", json: include_str!("../presets/modelarts-150.json") },
    Preset { name: "modelarts-12", json: include_str!("../presets/modelarts-12.json") },
    Preset { name: "modelarts-13", json: include_str!("../presets/modelarts-13.json") },
    Preset { name: "modelarts-14", json: include_str!("../presets/modelarts-14.json") },
    Preset { name: "modelarts-15", json: include_str!("../presets/modelarts-15.json") },
    Preset { name: "ibm-5a", json: include_str!("../presets/ibm-5a.json") },
    Preset { name: "ibm-5b", json: include_str!("../presets/ibm-5b.json") },
    Preset { name: "ibm-5c", json: include_str!("../presets/ibm-5c.json") },
    Preset { name: "ibm-5d", json: include_str!("../presets/ibm-5d.json") },
    Preset { name: "ibm-6a", json: include_str!("../presets/ibm-6a.json") },
    Preset { name: "ibm-6b", json: include_str!("../presets/ibm-6b.json") },
    Preset { name: "ibm-7", json: include_str!("../presets/ibm-7.json") },
    Preset { name: "ibm-8a", json: include_str!("../presets/ibm-8a.json") },
    Preset { name: "ibm-8c", json: include_str!("../presets/ibm-8c.json") },
    Preset { name: "ibm-9", json: include_str!("../presets/ibm-9.json") },
];

impl Preset {
    /// The preset of this name.
    pub fn named(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// Its document, parsed. A test reads all of them.
    pub fn document(&self) -> Result<Document, DocumentError> {
        Document::parse(self.json)
    }
}

/// Reads all presets and packs them for the page, in the order of [`PRESETS`].
pub fn packed_presets() -> Result<Vec<PackedPreset>, DocumentError> {
    PRESETS.iter().map(packed).collect()
}

fn packed(preset: &Preset) -> Result<PackedPreset, DocumentError> {
    let document = preset.document()?;
    let Resolved { scenario: mut packed, policies, .. } = document.resolve(&|_| None)?;
    let Document { title, about, source, paper, jobs, curves, availability, .. } = document;
    let generator = match jobs {
        // Jobs with a seed of their own are not those of the scenario's seed: they are packed as they are.
        JobSource::Generated(GeneratedJobs { spec, seed: None }) => Some(spec.to_string()),
        _ => None,
    };
    let published = match curves {
        CurveSource::Published(name) => Some(name.into()),
        _ => None,
    };
    let idle_nodes = match availability {
        Some(AvailabilitySource::IdleNodes(drawn)) => Some(drawn),
        _ => None,
    };
    if idle_nodes.is_some() {
        packed.conditions.availability = None;
    }
    if generator.is_some() {
        packed.trace = Arc::default();
    }
    if published.is_some() {
        packed.curves = Arc::default();
    }
    let name = preset.name.into();
    Ok(PackedPreset { name, title, about, source, paper, packed, generator, published, idle_nodes, policies })
}
