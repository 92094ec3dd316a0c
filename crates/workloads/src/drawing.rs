//! What is drawn or looked up anew rather than kept.

use elastiplan_model::{Availability, Curves, Trace};
use elastiplan_scenario::sample;
use serde::{Deserialize, Serialize};

use crate::generate::{GeneratorSpec, IdleNodesSpec};
use crate::published::Published;

/// Parts of a scenario by what they are drawn with or called.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Drawing {
    /// The jobs and their seed.
    pub jobs: Option<(DrawnJobs, u64)>,
    /// The name of published curves.
    pub curves: Option<String>,
    /// Parameters of drawn idle nodes.
    pub idle_nodes: Option<IdleNodesSpec>,
}

/// Jobs that follow from a seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum DrawnJobs {
    /// Those of the built-in sample.
    Sample,
    /// Those of a generator.
    Generated(GeneratorSpec),
}

/// The parts of a [`Drawing`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drawn {
    /// The jobs.
    pub trace: Option<Trace>,
    /// Published curves with what they are.
    pub curves: Option<(PublishedInfo, Curves)>,
    /// The log of idle nodes.
    pub availability: Option<Availability>,
}

/// What published curves are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PublishedInfo {
    /// What they are asked for by.
    pub name: String,
    /// What they hold, in one phrase.
    pub summary: String,
    /// The publication.
    pub source: String,
}

impl DrawnJobs {
    /// The jobs of a seed.
    pub fn trace(&self, seed: u64) -> Trace {
        match self {
            Self::Sample => sample::trace(seed),
            Self::Generated(generator) => generator.trace(seed),
        }
    }
}

impl Drawing {
    /// Draws the parts. There are no curves where none are published under the name.
    pub fn draw(&self) -> Drawn {
        let trace = self.jobs.as_ref().map(|(jobs, seed)| jobs.trace(*seed));
        let published = self.curves.as_deref().and_then(Published::named);
        let info = |table: &Published| PublishedInfo {
            name: table.name.into(),
            summary: table.summary.into(),
            source: table.source.into(),
        };
        let curves = published.map(|table| (info(table), table.curves()));
        Drawn { trace, curves, availability: self.idle_nodes.map(|idle_nodes| idle_nodes.log()) }
    }
}
