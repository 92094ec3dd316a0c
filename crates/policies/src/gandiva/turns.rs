//! Turns of jobs that share nodes, and the places of the jobs whose turn it is.

use std::collections::BTreeMap;

use elastiplan_engine::{Action, JobView, NodeGpus, View};
use elastiplan_model::JobId;
use elastiplan_model::order::sort_by_key;

use super::classes::{Classes, NodeSet};
use crate::shared::arrivals::gpus_rigid;

/// The samples that each running job had done when its turn began.
#[derive(Clone, Default)]
pub(crate) struct Turns(BTreeMap<JobId, f64>);

impl Turns {
    /// Whether a job ran after the last decision.
    pub fn has(&self, job: JobId) -> bool {
        self.0.contains_key(&job)
    }

    /// All jobs that ran after the last decision.
    pub fn jobs(&self) -> impl Iterator<Item = JobId> {
        self.0.keys().copied()
    }

    /// Seconds that a job has trained since its turn began, by its curve; infinite if it does not run.
    pub fn trained_s(&self, view: &View<'_>, job: JobId) -> f64 {
        let (Some(began), Some(job)) = (self.0.get(&job), view.job(job)) else { return f64::INFINITY };
        if job.gpus > 0 { (job.samples_done() - began) / job.curve.samples_per_s(job.gpus) } else { f64::INFINITY }
    }

    /// Begins the turn of a job now, or when it began by `before`.
    pub fn begin(&mut self, view: &View<'_>, job: JobId, before: Option<&Turns>) {
        let Some(seen) = view.job(job) else { return };
        let began = before.and_then(|before| before.0.get(&job).copied());
        self.0.insert(job, began.unwrap_or(seen.samples_done()));
    }
}

/// The GPUs that a job requests; `None` if it has ended.
pub(crate) fn gpus_of(view: &View<'_>, job: JobId) -> Option<u32> {
    view.job(job).map(|job| gpus_rigid(&job, view.gpus_most()))
}

/// The GPUs of each job whose turn it is.
pub(crate) fn places_of_running(classes: &Classes, gpus_per_node: u32) -> BTreeMap<JobId, Vec<NodeGpus>> {
    let mut running = BTreeMap::new();
    for (gpus, set) in classes.sets() {
        running.extend(set.running().iter().map(|job| (*job, places(gpus, set, gpus_per_node))));
    }
    running
}

/// The GPUs of one job of a set: on as few nodes as it needs, in order.
fn places(gpus: u32, set: &NodeSet, gpus_per_node: u32) -> Vec<NodeGpus> {
    let mut left = gpus;
    let mut on: Vec<NodeGpus> = Vec::new();
    for node in &set.nodes {
        let gpus = left.min(gpus_per_node);
        left -= gpus;
        if gpus > 0 {
            on.push(NodeGpus { node: *node, gpus });
        }
    }
    sort_by_key(&mut on, |place| place.node);
    on
}

/// Suspends running jobs whose turn it is not.
pub(crate) fn suspend_others(view: &View<'_>, running: &BTreeMap<JobId, Vec<NodeGpus>>, actions: &mut Vec<Action>) {
    let others = view.running().filter(|job| !running.contains_key(&job.id));
    actions.extend(others.map(|job| Action::Allocate { job: job.id, gpus: 0 }));
}

/// Explains the present allocation of a job.
pub(crate) fn explain(classes: &Classes, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
    let gpus = gpus_rigid(job, view.gpus_most());
    let Some((_, set)) = classes.find(job.id) else {
        return Some(format!("Waits until enough nodes are free for its {gpus}"));
    };
    let (places, jobs) = (set.places, set.jobs.len());
    Some(match (job.gpus, jobs > places) {
        (0, _) => format!("Waits for its turn: {jobs} jobs on {gpus} GPUs each share room for {places}"),
        (_, true) => format!("Has its turn on the {gpus} it asked for: {jobs} jobs share room for {places}"),
        (_, false) => format!("Has the {gpus} it asked for: {jobs} in room for {places}"),
    })
}
