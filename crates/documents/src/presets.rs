//! Built-in scenarios. A new one is a file in `presets/` and one line here.

use std::sync::Arc;

use elastiplan_workloads::{Drawing, DrawnJobs, PackedPreset};

use crate::document::{AvailabilitySource, CurveSource, Document, DocumentError, GeneratedJobs, JobSource, Resolved};

/// A built-in scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// Its document.
    pub json: &'static str,
}

/// Presets of these names, each with the file that is called by it.
macro_rules! presets {
    ($($name:literal),+ $(,)?) => {
        &[$(Preset { name: $name, json: include_str!(concat!("../presets/", $name, ".json")) }),+]
    };
}

/// All of them, in the order in which a person meets them.
pub const PRESETS: &[Preset] = presets![
    "sample",
    "load-times-1.5",
    "nodes-that-fail",
    "idle-nodes",
    "spot-prices",
    "elasticflow-6b",
    "elasticflow-7",
    "elasticflow-8a",
    "elasticflow-8b-cluster10",
    "elasticflow-8b-philly",
    "elasticflow-9",
    "elasticflow-10",
    "elasticflow-11",
    "pollux-table-2",
    "pollux-7",
    "pollux-8",
    "pollux-9",
    "pollux-10",
    "pollux-table-3",
    "bftrainer-9",
    "bftrainer-12",
    "bftrainer-14",
    "bftrainer-16",
    "modelarts-70",
    "modelarts-110",
    "modelarts-150",
    "modelarts-12",
    "modelarts-13",
    "modelarts-14",
    "modelarts-15",
    "ibm-5a",
    "ibm-5b",
    "ibm-5c",
    "ibm-5d",
    "ibm-6a",
    "ibm-6b",
    "ibm-7",
    "ibm-8a",
    "ibm-8c",
    "ibm-9",
    "study-nodes",
    "study-load",
    "study-rescale-cost",
    "study-curves",
    "study-spot",
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
    let resolved = document.resolve(&|_| None)?;
    Ok(document.packed(preset.name, resolved))
}

impl Document {
    /// The document as the page holds it, with what came of it when it was resolved.
    pub fn packed(self, name: &str, resolved: Resolved) -> PackedPreset {
        let Resolved { scenario: mut packed, policies, .. } = resolved;
        let Document { title, about, source, paper, jobs, curves, availability, study, .. } = self;
        let seed = packed.conditions.seed;
        // Jobs with a seed of their own are not those of the scenario's seed: they are packed as they are.
        let jobs = match jobs {
            JobSource::Sample(jobs) if jobs.seed.is_none_or(|own| own == seed) => Some((DrawnJobs::Sample, seed)),
            JobSource::Generated(GeneratedJobs { spec, seed: None }) => Some((DrawnJobs::Generated(spec), seed)),
            _ => None,
        };
        let curves = match curves {
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
        if jobs.is_some() {
            packed.trace = Arc::default();
        }
        if curves.is_some() {
            packed.curves = Arc::default();
        }
        let name = name.into();
        let drawing = Drawing { jobs, curves, idle_nodes };
        PackedPreset { name, title, about, source, paper, packed, drawing, policies, study }
    }
}
