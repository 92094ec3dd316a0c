//! Placers: the choice of GPUs for policies that decide only how many each job gets.
//!
//! A placer is one file, one line in [`placer_of`] and a variant of [`Placement`].

mod buddy;
mod interface;
mod keep;
mod nodes;
mod pack;
mod spread;
#[cfg(test)]
mod tests;

use elastiplan_scenario::Placement;

pub(crate) use interface::Placer;
pub(crate) use keep::{grow, shrink};

/// The placer that follows a rule.
pub(crate) fn placer_of(placement: Placement) -> Box<dyn Placer> {
    match placement {
        Placement::Keep => Box::new(keep::Keep),
        Placement::Pack => Box::new(pack::Pack),
        Placement::Spread => Box::new(spread::Spread),
        Placement::Buddy => Box::new(buddy::Buddy),
    }
}
