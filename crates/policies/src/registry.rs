//! All policies. A new one is one line here.

use crate::{Entry, chronus, elastic_dp, equal_share, fixed, shortest_first, themis};

/// Every policy, in the order in which a person meets them.
pub const REGISTRY: &[&Entry] =
    &[&fixed::ENTRY, &shortest_first::ENTRY, &themis::ENTRY, &chronus::ENTRY, &equal_share::ENTRY, &elastic_dp::ENTRY];

/// The policy of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    REGISTRY.iter().copied().find(|entry| entry.name == name)
}
