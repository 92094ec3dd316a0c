//! `modelarts-greedy`: as many nodes as possible at work, by four rules.
//!
//! Hu et al., "An Optimal Resource Allocator of Elastic Training for Deep Learning Jobs on Cloud", section 3: the
//! allocator that ModelArts had, after Zhu et al., "A Design and Implementation Method for Elastic Distributed Training
//! Systems". Every five minutes:
//!
//! 1. Nodes are idle, jobs wait: the first in the queue gets as many as possible, then the next. This happens between
//!    decisions too.
//! 2. Nodes are idle, no job waits: the job with the shortest training time gets as many more as possible, then the
//!    next.
//! 3. No node is idle, jobs wait: the job with the longest training time is halved, and the first in the queue gets
//!    what that releases. The paper halves one job a decision; `halve_all=true` halves jobs until none waits.
//! 4. No node is idle, no job waits: nothing changes.
//!
//! The training time is the time left on the nodes that the job has, or with `training_time=elapsed` the time since its
//! start. Neither the paper nor its figures say which is meant.
//!
//! ```text
//! 2 idle, no job waits; d ends first         a 4444 b 1111 c 2222 d 3355     (Figure 4, above)
//! none idle, h waits; e takes longest      e 4422 f 2222 g 4444 h ..22     (Figure 4, below)
//! ```

use elastiplan_engine::{Action, JobView, OnLoss, Policy, View};
use elastiplan_model::order::sort_by_number;

use crate::parameters::{Entry, Parameter, Parameters};
use crate::shared::arrivals::Arrivals;
use crate::shared::regular_times::{GPUS_MAX, INTERVAL, Sizes, fill, queue};
use crate::shared::rounds::Rounds;
use crate::shared::words;

const TRAINING_TIME: Parameter = Parameter::choice(
    "training_time",
    "What makes a job the shortest or the longest: the time it still needs on what it has, or the time \
                   since it started",
    &["remaining", "elapsed"],
);
const HALVE_ALL: Parameter = Parameter::flag(
    "halve_all",
    "While jobs wait, one after the other is halved at a decision; otherwise only one",
    false,
);

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "modelarts-greedy",
    summary: "As many GPUs at work as possible: idle ones to the queue or the shortest job, the longest one halved",
    source: "ModelArts, section 3",
    is_elastic: true,
    parameters: &[INTERVAL, TRAINING_TIME, HALVE_ALL, GPUS_MAX],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    Box::new(ModelArtsGreedy {
        sizes: Sizes { most: parameters.number(&GPUS_MAX) as u32, powers_of_two: false },
        by_elapsed: parameters.choice(&TRAINING_TIME) == "elapsed",
        halve_all: parameters.flag(&HALVE_ALL),
        rounds: Rounds::new(parameters.number(&INTERVAL)),
        arrivals: Arrivals::default(),
    })
}

#[derive(Clone)]
struct ModelArtsGreedy {
    sizes: Sizes,
    by_elapsed: bool,
    halve_all: bool,
    rounds: Rounds,
    arrivals: Arrivals,
}

impl Policy for ModelArtsGreedy {
    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        let ahead = view.waiting().take_while(|other| other.id != job.id).count();
        let left_s = job.samples_left / job.curve.samples_per_s(job.gpus);
        Some(match (job.gpus, ahead) {
            (0, 0) => "Next in line: gets what is idle, or half of the job that takes longest".into(),
            (0, ahead) => format!("Waits: {ahead} in line before it"),
            _ => format!("Has {} and needs another {}", words::gpus(job.gpus), words::duration(left_s)),
        })
    }

    fn on_loss(&self) -> OnLoss {
        OnLoss::Shrink
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        self.arrivals.admit(view, |job| job.bound.gpus_min, actions);
        let is_due = self.rounds.is_due(view, actions);
        let started = actions.len();
        let idle = fill(view, &self.sizes, actions);
        let waiting: Vec<JobView<'_>> = queue(view).skip(actions.len() - started).collect();
        match (is_due, waiting.is_empty()) {
            (false, _) => (),
            (true, true) => self.enlarge(view, idle, actions),
            (true, false) => self.halve(view, &waiting, idle, actions),
        }
    }
}

impl ModelArtsGreedy {
    /// Running jobs, from the shortest training time to the longest.
    fn running<'a>(&self, view: &View<'a>) -> Vec<JobView<'a>> {
        let mut running: Vec<JobView<'a>> = view.running().collect();
        sort_by_number(&mut running, |job| self.training_s(view, job));
        running
    }

    fn training_s(&self, view: &View<'_>, job: &JobView<'_>) -> f64 {
        match self.by_elapsed {
            true => view.time_s() - job.first_start_s().unwrap_or(view.time_s()),
            false => job.samples_left / job.curve.samples_per_s(job.gpus),
        }
    }

    /// The second rule. Jobs that have just been started have as much as possible already.
    fn enlarge(&self, view: &View<'_>, mut idle: u32, actions: &mut Vec<Action>) {
        for job in self.running(view) {
            let gpus = self.sizes.most_of(&job, view, job.gpus + idle);
            if gpus > job.gpus {
                idle -= gpus - job.gpus;
                actions.push(Action::Allocate { job: job.id, gpus });
            }
        }
    }

    /// The third rule. A job is not halved below the fewest GPUs that it runs on, and a waiting job that needs more
    /// than is released stays in the queue.
    fn halve(&self, view: &View<'_>, waiting: &[JobView<'_>], mut idle: u32, actions: &mut Vec<Action>) {
        let mut halved = self.running(view).into_iter().rev().filter(|job| job.gpus / 2 >= self.sizes.least(job, view));
        for job in waiting {
            let mut released = Vec::new();
            let mut gpus = self.sizes.most_of(job, view, idle);
            while gpus == 0 && (released.is_empty() || self.halve_all) {
                let Some(longest) = halved.next() else { return };
                let left = longest.gpus / 2;
                idle += longest.gpus - left;
                released.push(Action::Allocate { job: longest.id, gpus: left });
                gpus = self.sizes.most_of(job, view, idle);
            }
            if gpus == 0 {
                return;
            }
            idle -= gpus;
            actions.append(&mut released);
            actions.push(Action::Allocate { job: job.id, gpus });
            if !self.halve_all {
                return;
            }
        }
    }
}
