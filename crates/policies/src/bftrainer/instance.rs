//! The instance of a decision of `bftrainer`, as plain numbers.

use std::rc::Rc;

use elastiplan_engine::{JobView, View};
use elastiplan_solvers::counts_program::{self, Trainer};

use super::{BfTrainer, change_s};
use crate::decision::{Decision, Instance};
use crate::shared::places::present_nodes;

impl BfTrainer {
    /// The instance of the decision to be made now.
    pub(super) fn decision(&self, view: &View<'_>, jobs: &[JobView<'_>]) -> Decision {
        let present: Vec<u32> = present_nodes(view).collect();
        let instance = counts_program::Instance {
            t_fwd_s: self.ahead.seconds(view.time_s()),
            nodes: names(&present, view.gpus_per_node()),
            trainers: jobs.iter().map(|job| self.trainer(view, job, &present)).collect(),
        };
        let jobs = jobs.iter().map(|job| (job.id, job.gpus)).collect();
        Decision { time_s: view.time_s(), instance: Instance::Counts(instance), jobs }
    }

    fn trainer(&self, view: &View<'_>, job: &JobView<'_>, present: &[u32]) -> Trainer {
        let gains =
            self.cached.get(&job.id).map_or_else(|| self.objective.gains(job), |cached| Rc::clone(&cached.gains));
        let per_node = view.gpus_per_node();
        let mut holds = Vec::new();
        for held in view.place_of(job.id) {
            let place = present.partition_point(|node| *node < held.node) as u32;
            holds.extend((0..per_node).filter(|gpu| held.mask >> gpu & 1 == 1).map(|gpu| place * per_node + gpu));
        }
        let change_s = (0..gains.len() as u32).map(|gpus| change_s(view, job, gpus)).collect();
        Trainer { name: job.job.name.clone(), holds, gains: gains.to_vec(), change_s }
    }
}

/// `7` for a node with one GPU, `7_0`, `7_1` for one with two.
fn names(nodes: &[u32], gpus_per_node: u32) -> Vec<String> {
    match gpus_per_node {
        1 => nodes.iter().map(u32::to_string).collect(),
        _ => nodes.iter().flat_map(|node| (0..gpus_per_node).map(move |gpu| format!("{node}_{gpu}"))).collect(),
    }
}
