//! Idle nodes in the order in which they joined, as BFTrainer's published replayer keeps them.
//!
//! A job that shrinks releases its longest-available nodes first; a job that grows takes them in the same order. Nodes
//! that join together are in order of their numbers.

use elastiplan_engine::{Action, JobView, NodeGpus, View};

use crate::shared::places::{gpus_held, present_nodes};

/// The time without running jobs after which a decision is made although no node has joined or left: longer than any
/// such time in the published week (4,097 s).
const PATIENCE_S: f64 = 10_800.0;

/// The present nodes, in the order in which they joined.
#[derive(Clone, Default)]
pub(crate) struct IdlePool {
    nodes: Vec<u32>,
    /// When nodes last joined or left; `None` before the first change.
    changed_s: Option<f64>,
    seen: bool,
}

impl IdlePool {
    /// Whether the replayer decides now: when nodes have joined or left. If they never do, or no more, waiting jobs are
    /// admitted when no job runs.
    pub fn is_due(&mut self, view: &View<'_>, actions: &mut Vec<Action>) -> bool {
        let now_s = view.time_s();
        if self.update(view) {
            self.changed_s = self.seen.then_some(now_s);
            self.seen = true;
            return true;
        }
        if view.running().next().is_some() {
            return false;
        }
        let Some(changed_s) = self.changed_s else { return true };
        let due_s = changed_s + PATIENCE_S;
        if now_s < due_s {
            actions.push(Action::WakeAt { time_s: due_s });
        }
        now_s >= due_s
    }

    /// Updates the nodes. Returns whether any joined or left.
    fn update(&mut self, view: &View<'_>) -> bool {
        let before = self.nodes.len();
        self.nodes.retain(|node| view.is_node_present(*node));
        let mut known = vec![false; view.nodes() as usize];
        for node in &self.nodes {
            if let Some(known) = known.get_mut(*node as usize) {
                *known = true;
            }
        }
        let stayed = self.nodes.len();
        let is_new = |node: &u32| known.get(*node as usize) == Some(&false);
        self.nodes.extend(present_nodes(view).filter(is_new));
        stayed < before || self.nodes.len() > stayed
    }

    /// Places jobs on the `wanted` numbers of GPUs: first all that shrink, then all that grow, in their order.
    pub fn place(&self, view: &View<'_>, wanted: &[(JobView<'_>, u32)], actions: &mut Vec<Action>) {
        let mut free: Vec<(u32, u32)> = self.nodes.iter().map(|node| (*node, view.gpus_free_on(*node))).collect();
        let (shrinking, growing) = wanted.iter().partition::<Vec<&_>, _>(|(job, gpus)| *gpus < job.gpus);
        for (job, gpus) in shrinking.into_iter().chain(growing) {
            let (mut surplus, mut more) = (job.gpus.saturating_sub(*gpus), gpus.saturating_sub(job.gpus));
            let mut on = Vec::new();
            for (node, free) in &mut free {
                let has = gpus_held(view, job.id, *node);
                let (gives, takes) = (has.min(surplus), more.min(*free));
                surplus -= gives;
                more -= takes;
                *free = *free + gives - takes;
                let gpus = has + takes - gives;
                on.extend((gpus > 0).then_some(NodeGpus { node: *node, gpus }));
            }
            actions.push(Action::Place { job: job.id, on });
        }
    }
}
