//! Interference: distributed jobs that share a node slow each other down, if the conditions say so.
//!
//! A job is distributed if it holds GPUs of several nodes. It trains slower while it shares at least one of its nodes
//! with another distributed job; with how many, and on how many nodes, makes no difference.
//!
//! ```text
//! node 0   a a . .      node 1   a b b .      node 2   b b c c      node 3   c c d d
//!                                a and b interfere     b and c interfere     d is on one node: it interferes with no job
//! ```

use elastiplan_model::{JobId, order};

use crate::places::{Held, Places};
use crate::simulation::Simulation;

impl Simulation<'_> {
    /// Records where a job was and is: jobs that share a node with it may be faster or slower from now on.
    pub(crate) fn record_changed_nodes(&mut self, before: &[Held], after: &[Held]) {
        if self.conditions.interference_slowdown > 0.0 {
            self.nodes_changed.extend(before.iter().chain(after).map(|held| held.node));
        }
    }

    /// Factor on the speed of a job where it is now.
    pub(crate) fn interference_factor(&self, job: JobId) -> f64 {
        let slowdown = self.conditions.interference_slowdown;
        if slowdown > 0.0 && is_slowed(&self.places, job) { 1.0 - slowdown } else { 1.0 }
    }

    /// Updates the pace of jobs whose interference has changed, at the end of an instant.
    pub(crate) fn settle_interference(&mut self) {
        if self.nodes_changed.is_empty() {
            return;
        }
        let mut nodes = std::mem::take(&mut self.nodes_changed);
        order::sort_by_rank(&mut nodes, |node| u64::from(*node));
        nodes.dedup();
        let mut jobs: Vec<JobId> = nodes.iter().flat_map(|node| distributed_on(&self.places, *node)).collect();
        order::sort_by_rank(&mut jobs, |job| u64::from(job.0));
        jobs.dedup();
        for job in jobs {
            if self.state.get(job).is_some_and(|state| state.interference_factor() != self.interference_factor(job)) {
                let pace = self.pace(job, self.state.gpus(job));
                let interval_s = self.conditions.checkpoint_interval_s;
                let next = self.state.set_pace_unsaved(job, pace, self.time_s, interval_s);
                self.schedule(next);
            }
        }
        nodes.clear();
        self.nodes_changed = nodes;
    }
}

/// Jobs on a node that hold GPUs of other nodes too.
fn distributed_on(places: &Places, node: u32) -> impl Iterator<Item = JobId> + '_ {
    places.jobs_on(node).iter().copied().filter(|job| places.of(*job).len() > 1)
}

fn is_slowed(places: &Places, job: JobId) -> bool {
    let held = places.of(job);
    held.len() > 1 && held.iter().any(|held| distributed_on(places, held.node).nth(1).is_some())
}
