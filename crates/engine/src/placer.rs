//! Placers: the choice of GPUs for policies that decide only how many each job gets.
//!
//! A placer is one file and one line in [`Placement`].

mod buddy;
mod interface;
mod keep;
mod nodes;
mod pack;
mod spread;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub(crate) use interface::Placer;
pub(crate) use keep::{grow, shrink};

/// How places are chosen for policies that decide only how many GPUs a job gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// Jobs keep what they have: a growing job adds GPUs, a shrinking one gives some back, nobody is moved.
    #[default]
    Keep,
    /// Jobs that change are placed anew on as few nodes as possible, nobody else is moved.
    Pack,
    /// GPUs are taken where most are free and given back where fewest are, nobody is moved.
    Spread,
    /// Jobs get aligned blocks of a power of two; where none is free, smaller jobs are moved.
    Buddy,
}

impl Placement {
    /// All of them, in the order in which a person meets them.
    pub const ALL: &[Placement] = &[Placement::Keep, Placement::Pack, Placement::Spread, Placement::Buddy];

    /// Its name in scenarios and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Placement::Keep => "keep",
            Placement::Pack => "pack",
            Placement::Spread => "spread",
            Placement::Buddy => "buddy",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|placement| placement.name() == name)
    }

    /// What it does, in one sentence.
    pub fn summary(self) -> &'static str {
        match self {
            Placement::Keep => "Jobs keep their GPUs; new ones go where the fewest nodes are needed",
            Placement::Pack => "Jobs that change are placed anew on as few nodes as possible; nobody else moves",
            Placement::Spread => "GPUs are taken where most are free, so that all nodes are equally full; nobody moves",
            Placement::Buddy => "Jobs get aligned blocks of a power of two; smaller jobs move where none is free",
        }
    }

    pub(crate) fn placer(self) -> Box<dyn Placer> {
        match self {
            Placement::Keep => Box::new(keep::Keep),
            Placement::Pack => Box::new(pack::Pack),
            Placement::Spread => Box::new(spread::Spread),
            Placement::Buddy => Box::new(buddy::Buddy),
        }
    }
}
