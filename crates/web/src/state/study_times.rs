//! How long runs of a study may take, from those of the page.

use elastiplan_model::order;
use elastiplan_policies::PolicySpec;

use super::page::Page;

/// What a run takes where none has been made, in milliseconds.
const WALL_MS: f64 = 5.0;

impl Page {
    /// The policies of a study with how long a run of each took last, in milliseconds: as long as the longest where it has
    /// not run.
    pub fn study_times(&self) -> Vec<(PolicySpec, f64)> {
        let set = self.planner.shown.as_ref();
        let entries = || set.into_iter().flat_map(|set| &set.entries);
        let mut all: Vec<f64> = entries().filter_map(|entry| entry.wall_ms).collect();
        order::sort_by_number(&mut all, |&wall_ms| wall_ms);
        let longest = all.last().copied().unwrap_or(WALL_MS);
        let policies = self.planner.inputs().study_policies().into_iter();
        policies
            .map(|policy| {
                let own = entries().filter(|entry| entry.policy == policy).find_map(|entry| entry.wall_ms);
                (policy, own.unwrap_or(longest))
            })
            .collect()
    }
}
