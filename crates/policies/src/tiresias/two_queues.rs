//! Two queues in fixed rounds, as the rival in Pollux (section 5.2, and its published simulator).
//!
//! A job moves to the end of the second queue when it has had enough GPU time, and never back. In every round the jobs
//! of both queues that fit run, in order; a job that did not run before is placed on the emptiest nodes.

use elastiplan_engine::{Action, JobView, Policy, View};
use elastiplan_model::JobId;

use super::queues::{gpus_served, has_reached};
use crate::shared::actions::take;
use crate::shared::arrivals::Arrivals;
use crate::shared::emptiest_first::FreeNodes;
use crate::shared::rounds::Rounds;
use crate::shared::words;

/// The policy.
#[derive(Clone)]
pub(super) struct TwoQueues {
    rounds: Rounds,
    limit_gpu_s: f64,
    queues: [Vec<JobId>; 2],
    arrivals: Arrivals,
}

impl TwoQueues {
    pub fn new(interval_s: f64, limit_gpu_s: f64) -> Self {
        Self { rounds: Rounds::new(interval_s), limit_gpu_s, queues: Default::default(), arrivals: Arrivals::default() }
    }

    fn move_down(&mut self, view: &View<'_>) {
        let [first, second] = &mut self.queues;
        let has_had_enough =
            |id: &JobId| view.job(*id).is_some_and(|job| has_reached(job.gpu_seconds(), self.limit_gpu_s));
        let (down, stay) = std::mem::take(first).into_iter().partition(has_had_enough);
        *first = stay;
        second.extend::<Vec<JobId>>(down);
    }
}

impl Policy for TwoQueues {
    fn explain(&self, _view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        let number = 1 + self.queues.iter().position(|queue| queue.contains(&job.id))?;
        let had = job.gpu_seconds().round();
        Some(match job.gpus {
            0 => format!("Waits in queue {number} for {}: has had {had} GPU-seconds", job.bound.gpus_requested),
            held => format!("Runs on {}, from queue {number}: has had {had} GPU-seconds", words::gpus(held)),
        })
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        if !self.rounds.is_due(view, actions) {
            return;
        }
        let arrived = self.arrivals.admit(view, |job| job.bound.gpus_requested, actions);
        for queue in &mut self.queues {
            queue.retain(|job| view.job(*job).is_some());
        }
        let [first, _] = &mut self.queues;
        first.extend(arrived.iter().map(|job| job.id));
        self.move_down(view);
        let mut gpus_left = view.gpus_total();
        let (mut starting, mut stopping): (Vec<(JobView<'_>, u32)>, Vec<JobId>) = Default::default();
        for job in self.queues.iter().flatten().filter_map(|id| view.job(*id)) {
            let gpus = gpus_served(&job, view);
            match take(&mut gpus_left, gpus) {
                true => starting.extend((job.gpus == 0).then_some((job, gpus))),
                false => stopping.extend((job.gpus > 0).then_some(job.id)),
            }
        }
        actions.extend(stopping.iter().map(|job| Action::Place { job: *job, on: Vec::new() }));
        let mut free = FreeNodes::without(view, stopping);
        actions.extend(starting.into_iter().map(|(job, gpus)| Action::Place { job: job.id, on: free.take(gpus) }));
    }
}
