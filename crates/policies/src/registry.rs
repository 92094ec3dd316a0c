//! All policies. A new one is one line here.

use crate::{
    Entry, chronus, edf, elastic_dp, elasticflow, equal_share, fixed, gandiva, shortest_first, themis, tiresias,
};

/// Every policy, in the order in which a person meets them.
pub const REGISTRY: &[&Entry] = &[
    &fixed::ENTRY,
    &shortest_first::ENTRY,
    &equal_share::ENTRY,
    &elastic_dp::ENTRY,
    &elasticflow::ENTRY,
    &edf::ENTRY,
    &tiresias::ENTRY,
    &gandiva::ENTRY,
    &themis::ENTRY,
    &chronus::ENTRY,
];

/// The policy of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    REGISTRY.iter().copied().find(|entry| entry.name == name)
}
