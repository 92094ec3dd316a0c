//! Scenarios that are built in. A new one is a file in `presets/` and one line here.

use elastiplan_model::{Curves, Trace};
use elastiplan_policies::PolicySpec;
use serde::{Deserialize, Serialize};

use crate::generate::{GeneratorSpec, IdleNodesSpec};
use crate::published::Published;
use crate::{
    AvailabilitySource, CurveSource, Document, DocumentError, GeneratedJobs, JobSource, PaperValue, Resolved, Scenario,
};

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
    /// The scenario with the first seed, without what is drawn or built in anyhow.
    packed: Scenario,
    /// What draws the jobs, as text.
    generator: Option<String>,
    /// The name of the curves that are built in.
    published: Option<String>,
    /// What draws the idle nodes.
    idle_nodes: Option<IdleNodesSpec>,
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
            packed.availability = None;
        }
        if generator.is_some() {
            packed.trace = Trace::default();
        }
        if published.is_some() {
            packed.curves = Curves::default();
        }
        let name = preset.name.into();
        Ok(Self { name, title, about, source, paper, packed, generator, published, idle_nodes, policies })
    }

    /// What draws the jobs with the seed of the scenario, where something does.
    pub fn generator(&self) -> Option<GeneratorSpec> {
        self.generator.as_ref()?.parse().ok()
    }

    /// The curves, where they are built in.
    pub fn published(&self) -> Option<&'static Published> {
        Published::named(self.published.as_ref()?)
    }

    /// The scenario with the first seed.
    pub fn scenario(&self) -> Scenario {
        let mut scenario = self.packed.clone();
        if let Some(generator) = self.generator() {
            scenario.trace = generator.trace(scenario.what_if.seed);
        }
        if let Some(published) = self.published() {
            scenario.curves = published.curves();
        }
        if let Some(idle_nodes) = self.idle_nodes {
            scenario.availability = Some(idle_nodes.log());
        }
        scenario
    }
}
