//! The number of nodes that a cluster uses well: Pollux, section 4.2.2.

use std::ops::RangeInclusive;

use elastiplan_engine::{Action, JobView, View};
use elastiplan_model::order::sort_by_key;

use crate::parameters::Parameter;
use crate::shared::places::present_nodes;

/// The lower end of the band.
pub(crate) const LOW_UTILITY: Parameter =
    Parameter::number("low_utility", "In a cloud: below this, nodes are given back", 0.5, 0.0..=1.0);

/// The upper end of the band.
pub(crate) const HIGH_UTILITY: Parameter =
    Parameter::number("high_utility", "In a cloud: above this, nodes are ordered", 0.7, 0.0..=1.0);

/// The utilities between which a cluster keeps its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Band {
    /// Below this there are too many nodes.
    pub low: f64,
    /// Above this there are too few.
    pub high: f64,
}

impl Band {
    fn holds(&self, utility: f64) -> bool {
        (self.low..=self.high).contains(&utility)
    }

    fn middle(&self) -> f64 {
        (self.low + self.high) / 2.0
    }
}

/// Orders the nodes of a cloud on which these jobs reach the wanted utility: at least `nodes_min`, and those that running jobs or
/// the `first` job need. Returns the nodes to use.
pub(crate) fn resize(
    view: &View<'_>,
    nodes_min: u32,
    jobs: &[JobView<'_>],
    first: u32,
    band: Band,
    utility: impl FnMut(u32) -> f64,
    actions: &mut Vec<Action>,
) -> Vec<u32> {
    let running: u32 = jobs.iter().filter(|job| job.gpus > 0).map(|job| job.bound.gpus_min).sum();
    let fewest = running.max(first).div_ceil(view.gpus_per_node()).max(nodes_min).min(view.nodes());
    let wanted = match jobs.is_empty() {
        true => nodes_min,
        false => node_count(view.nodes_ordered(), fewest..=view.nodes(), band, utility),
    };
    order(view, wanted, running, actions)
}

/// The nodes there are now, if the utility of so many is within the band; otherwise the number within the limits whose
/// utility is nearest to the middle of it.
///
/// It is found by halving, on the assumption that utility falls as nodes are added. Where utility rises in between, the
/// nearest of the numbers tried is returned; of two that are equally near, the smaller.
///
/// ```text
/// nodes     1    2    3    4    5    6    7    8
/// utility  .95  .90  .81  .72  .64  .57  .51  .46      band .5 to .7: 5 or 6 are left alone, from 1 it goes to 6
/// looked at            (2)       (3)       (1)         4, then 6, then 5
/// ```
fn node_count(now: u32, limits: RangeInclusive<u32>, band: Band, mut utility: impl FnMut(u32) -> f64) -> u32 {
    let (mut fewest, mut most) = limits.into_inner();
    let now = now.clamp(fewest, most.max(fewest));
    if band.holds(utility(now)) {
        return now;
    }
    let mut nearest = (f64::INFINITY, now);
    while fewest <= most {
        let nodes = fewest + (most - fewest) / 2;
        let value = utility(nodes);
        let distance = (value - band.middle()).abs();
        if distance < nearest.0 || (distance == nearest.0 && nodes < nearest.1) {
            nearest = (distance, nodes);
        }
        if value > band.middle() {
            fewest = nodes + 1;
        } else if nodes > fewest {
            most = nodes - 1;
        } else {
            break;
        }
    }
    nearest.1
}

/// Orders or releases nodes to get `wanted`, and returns the present nodes that stay. Enough stay for `gpus_needed`;
/// nodes that were ordered and have not joined are released first.
fn order(view: &View<'_>, wanted: u32, gpus_needed: u32, actions: &mut Vec<Action>) -> Vec<u32> {
    let (ordered, coming, per_node) = (view.nodes_ordered(), view.nodes_coming(), view.gpus_per_node());
    let there = view.gpus_total() / per_node;
    let spare = there.saturating_sub(gpus_needed.div_ceil(per_node));
    let leaving = ordered.saturating_sub(wanted).saturating_sub(coming).min(spare);
    let nodes = if wanted > ordered { wanted } else { wanted.max(ordered.saturating_sub(coming + leaving)) };
    if nodes != ordered {
        actions.push(Action::ResizeCluster { nodes });
    }
    kept_nodes(view, leaving)
}

/// The present nodes without `leaving` of them, of which those with the fewest GPUs in use leave.
pub(crate) fn kept_nodes(view: &View<'_>, leaving: u32) -> Vec<u32> {
    let mut nodes: Vec<u32> = present_nodes(view).collect();
    sort_by_key(&mut nodes, |node| (view.gpus_free_on(*node), *node));
    nodes.truncate(nodes.len().saturating_sub(leaving as usize));
    nodes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_example_of_the_documentation() {
        let utilities = [0.95, 0.9, 0.81, 0.72, 0.64, 0.57, 0.51, 0.46];
        let mut looked_at = Vec::new();
        let mut count = |now: u32, limits| {
            looked_at.clear();
            let utility = |nodes: u32| {
                looked_at.push(nodes);
                utilities[nodes as usize - 1]
            };
            (node_count(now, limits, Band { low: 0.5, high: 0.7 }, utility), looked_at.clone())
        };
        assert_eq!(count(5, 1..=8), (5, vec![5]));
        assert_eq!(count(1, 1..=8), (6, vec![1, 4, 6, 5]));
        assert_eq!(count(8, 1..=8).0, 6);
        assert_eq!(count(8, 1..=4).0, 4);
        assert_eq!(count(0, 8..=8).0, 8);
    }

    proptest! {
        /// Against a look at every number.
        #[test]
        fn the_nearest_of_all_is_found(
            falls in prop::collection::vec(0_u32..9, 1..40), first in 0_u32..5, now in 0_u32..50, low in 0.0..1.0f64,
        ) {
            let total: u32 = falls.iter().sum::<u32>() + 1;
            let mut left = total;
            let utilities: Vec<f64> = falls.iter().map(|fall| {
                left -= fall;
                f64::from(left) / f64::from(total)
            }).collect();
            let last = first + falls.len() as u32 - 1;
            let band = Band { low, high: low + 0.1 };
            let utility = |nodes: u32| utilities[(nodes - first) as usize];
            let found = node_count(now, first..=last, band, utility);
            let now = now.clamp(first, last);
            if band.holds(utility(now)) {
                prop_assert_eq!(found, now);
            } else {
                let distance = |nodes: u32| (utility(nodes) - band.middle()).abs();
                let nearest = (first..=last).map(distance).fold(f64::INFINITY, f64::min);
                prop_assert_eq!(distance(found), nearest);
            }
        }
    }
}
