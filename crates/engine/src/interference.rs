//! Jobs on several nodes that meet on one of them slow each other down, where the conditions say so.
//!
//! A node interferes if more than one job that holds GPUs of several nodes is on it. Whoever of these jobs is on such a
//! node trains slower; who is in the way of whom, and how many, makes no difference.
//!
//! ```text
//! node 0   a a . .      node 1   a b b .      node 2   b b c c      node 3   c c d d
//!                                a and b meet          b and c meet          d is on one node: it meets nobody
//! ```

use elastiplan_model::JobId;

use crate::places::{Held, Places};
use crate::simulation::Simulation;

impl Simulation<'_> {
    /// Remembers where a job was and is: who shares a node with it may be faster or slower from now on.
    pub(crate) fn note_nodes(&mut self, before: &[Held], after: &[Held]) {
        if self.conditions.interference_slowdown > 0.0 {
            self.nodes_changed.extend(before.iter().chain(after).map(|held| held.node));
        }
    }

    /// What the speed of a job is multiplied with where it is now.
    pub(crate) fn undisturbed_share(&self, job: JobId) -> f64 {
        let slowdown = self.conditions.interference_slowdown;
        if slowdown > 0.0 && is_disturbed(&self.places, job) { 1.0 - slowdown } else { 1.0 }
    }

    /// At the end of an instant: gives a new pace to those who are disturbed and were not, or the other way round.
    pub(crate) fn settle_interference(&mut self) {
        if self.nodes_changed.is_empty() {
            return;
        }
        let mut nodes = std::mem::take(&mut self.nodes_changed);
        nodes.sort_unstable();
        nodes.dedup();
        let mut jobs: Vec<JobId> = nodes.iter().flat_map(|node| distributed_on(&self.places, *node)).collect();
        jobs.sort_unstable();
        jobs.dedup();
        for job in jobs {
            if self.state.get(job).is_some_and(|state| state.undisturbed_share() != self.undisturbed_share(job)) {
                let pace = self.pace(job, self.state.gpus(job));
                let interval_s = self.conditions.checkpoint_interval_s;
                let foreseen = self.state.disturb(job, pace, self.time_s, interval_s);
                self.expect(foreseen);
            }
        }
        nodes.clear();
        self.nodes_changed = nodes;
    }
}

/// Jobs on a node that are on others too.
fn distributed_on(places: &Places, node: u32) -> impl Iterator<Item = JobId> + '_ {
    places.jobs_on(node).iter().copied().filter(|job| places.of(*job).len() > 1)
}

fn is_disturbed(places: &Places, job: JobId) -> bool {
    let held = places.of(job);
    held.len() > 1 && held.iter().any(|held| distributed_on(places, held.node).nth(1).is_some())
}
