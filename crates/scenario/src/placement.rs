//! Rules of placement.

use serde::{Deserialize, Serialize};

/// Rule by which GPUs are chosen for policies that decide only how many GPUs a job gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Placement {
    /// Jobs keep their GPUs: a growing job adds GPUs, a shrinking one releases some, no other job moves.
    #[default]
    Keep,
    /// Jobs that change are placed again on as few nodes as possible, no other job moves.
    Pack,
    /// GPUs are taken where most are free and released where fewest are, no job moves.
    Spread,
    /// Jobs get aligned blocks of a power of two; where none is free, smaller jobs are moved.
    Buddy,
}

impl Placement {
    /// All rules, in the order in which they are listed.
    pub const ALL: &[Placement] = &[Placement::Keep, Placement::Pack, Placement::Spread, Placement::Buddy];
    /// Their names, in the same order.
    pub const NAMES: &[&str] = &["keep", "pack", "spread", "buddy"];

    /// Its name in scenarios and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Placement::Keep => "keep",
            Placement::Pack => "pack",
            Placement::Spread => "spread",
            Placement::Buddy => "buddy",
        }
    }

    /// The rule of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|placement| placement.name() == name)
    }

    /// A summary in one sentence.
    pub fn summary(self) -> &'static str {
        match self {
            Placement::Keep => "Jobs keep their GPUs; new ones go where the fewest nodes are needed",
            Placement::Pack => "Jobs that change are placed anew on as few nodes as possible; no other job moves",
            Placement::Spread => "GPUs are taken where most are free, so that all nodes are equally full; no job moves",
            Placement::Buddy => "Jobs get aligned blocks of a power of two; smaller jobs move where none is free",
        }
    }
}
