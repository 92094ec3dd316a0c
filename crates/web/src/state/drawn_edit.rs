//! Edits for which a worker draws jobs, curves or a log of nodes first.

use elastiplan_workloads::generate::GeneratorSpec;
use elastiplan_workloads::{Drawing, Drawn, DrawnJobs};

use super::edit::Edit;
use super::inputs::Inputs;
use super::preset::Presets;

/// An edit that needs something drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum DrawnEdit {
    /// Jobs of a generator with a seed, and the curves of their models, in place of what was loaded.
    Generate(GeneratorSpec, u64),
    /// The present jobs drawn anew with another seed.
    Seed(u64),
    /// The preset of this name in place of everything.
    Preset(String),
}

impl DrawnEdit {
    /// What has to be drawn; `None` if the edit cannot be made.
    pub fn drawing(&self, inputs: &Inputs, presets: &Presets) -> Option<Drawing> {
        match self {
            Self::Generate(generator, seed) => Some(Drawing {
                jobs: Some((DrawnJobs::Generated(generator.clone()), *seed)),
                curves: Some(generator.generator().curves.into()),
                idle_nodes: None,
            }),
            Self::Seed(seed) => inputs.data.redrawing(*seed),
            Self::Preset(name) => Some(presets.named(name)?.drawing.clone()),
        }
    }

    /// The edit with what was drawn for it.
    pub fn edit(&self, inputs: &Inputs, presets: &Presets, drawing: &Drawing, drawn: Drawn) -> Option<Edit> {
        match self {
            Self::Generate(_, seed) => Some(Edit::Generate(inputs.data.with_drawn(drawing, drawn), *seed)),
            Self::Seed(seed) => Some(Edit::Seed(inputs.data.with_drawn(drawing, drawn), *seed)),
            Self::Preset(name) => Some(Edit::Preset(Box::new(presets.make(name, drawn)?))),
        }
    }
}
