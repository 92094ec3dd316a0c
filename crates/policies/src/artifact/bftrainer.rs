//! `bftrainer[replayer=true]`: the policy in the authors' published replayer.
//!
//! It decides only when nodes join or leave, places jobs by the age of nodes ([`IdlePool`]), and changes are charged in
//! samples.

use std::any::Any;

use elastiplan_engine::{Action, Charging, JobView, OnLoss, Policy, View};

use super::idle_pool::IdlePool;
use crate::bftrainer::BfTrainer;

/// The choice of the paper at the times and on the nodes of the replayer.
#[derive(Clone)]
pub(crate) struct Replayed {
    policy: BfTrainer,
    pool: IdlePool,
}

impl Replayed {
    pub fn new(policy: BfTrainer) -> Self {
        Self { policy, pool: IdlePool::default() }
    }
}

impl Policy for Replayed {
    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        self.policy.explain(view, job)
    }

    fn last_decision(&self) -> Option<&dyn Any> {
        self.policy.last_decision()
    }

    fn on_loss(&self) -> OnLoss {
        OnLoss::Shrink
    }

    fn charging(&self) -> Charging {
        Charging::Work
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        if self.pool.is_due(view, actions) {
            let changed = self.policy.choose(view, actions);
            self.pool.place(view, &changed, actions);
        }
    }
}
