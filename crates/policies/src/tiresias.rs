//! `tiresias`: the job that has had the least GPU time goes first, in three queues, on the GPUs it asked for,
//! preemptive.
//!
//! Two-dimensional least attained service with discretised queues (Gu et al., "Tiresias: A GPU Cluster Manager for
//! Distributed Deep Learning", NSDI 2019, section 3.2), as ElasticFlow compares itself with it (section 6.1). A job
//! starts in the first queue and moves down when the GPU time it has had reaches the limit of its queue; it never moves
//! up. Jobs run in order of their queues and, within one, of submission; one that does not fit is skipped. Neither run
//! times nor deadlines are known to it.
//!
//! `artifact=true` is the published simulator of ElasticFlow where that differs: `artifact/tiresias.rs`.
//! `two_queues=true` is the rival in Pollux: two queues with one limit, decided on in fixed rounds.
//!
//! ```text
//! 1 GPU, limits 3 and 9 GPU-seconds; a takes 5 s, b comes at 2 and takes 2 s
//! a 111--11   b   .11        at 3 a moves to the second queue, and b comes first
//! ```

pub(crate) mod queues;
mod two_queues;

use elastiplan_engine::{Action, Cadence, JobView, Policy, View};

use crate::artifact::tiresias::Tiresias as PublishedTiresias;
use crate::parameters::{Entry, Parameter, Parameters};
use crate::shared::actions::allocate_changed;
use crate::shared::arrivals::Arrivals;
use crate::shared::rivals::{ARTIFACT, INTERVAL, LAST_SUBMIT};
use queues::{ALARM_MAX_S, Queues, has_reached};
use two_queues::TwoQueues;

const FIRST_LIMIT_GPU_S: Parameter =
    Parameter::number("first_limit_gpu_s", "GPU-seconds after which a job leaves the first queue", 3250.0, 0.0..=1e12);
const SECOND_LIMIT_GPU_S: Parameter = Parameter::number(
    "second_limit_gpu_s",
    "GPU-seconds after which a job leaves the second queue",
    7200.0,
    0.0..=1e12,
);
const TWO_QUEUES: Parameter =
    Parameter::flag("two_queues", "Two queues, decided on in rounds of interval_s, as the rival in Pollux", false);
const TWO_QUEUE_LIMIT_GPU_S: Parameter = Parameter::number(
    "two_queue_limit_gpu_s",
    "With two_queues=true: GPU-seconds after which a job leaves the first queue",
    57_600.0,
    0.0..=1e12,
);

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "tiresias",
    summary: "The least GPU time so far first, on the GPUs each job asked for, with interruptions",
    source: "Tiresias, section 3.2 (2D-LAS with queues), as the rival in ElasticFlow, section 6.1",
    is_elastic: false,
    parameters: &[
        INTERVAL,
        FIRST_LIMIT_GPU_S,
        SECOND_LIMIT_GPU_S,
        ARTIFACT,
        LAST_SUBMIT,
        TWO_QUEUES,
        TWO_QUEUE_LIMIT_GPU_S,
    ],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    let interval_s = parameters.number(&INTERVAL);
    let limits_gpu_s = [parameters.number(&FIRST_LIMIT_GPU_S), parameters.number(&SECOND_LIMIT_GPU_S)];
    match (parameters.flag(&TWO_QUEUES), parameters.flag(&ARTIFACT)) {
        (true, _) => Box::new(TwoQueues::new(interval_s, parameters.number(&TWO_QUEUE_LIMIT_GPU_S))),
        (false, true) => Box::new(PublishedTiresias::new(interval_s, limits_gpu_s, parameters.number(&LAST_SUBMIT))),
        (false, false) => {
            Box::new(Tiresias { interval_s, queues: Queues::new(limits_gpu_s), arrivals: Arrivals::default() })
        }
    }
}

#[derive(Clone)]
struct Tiresias {
    interval_s: f64,
    queues: Queues,
    arrivals: Arrivals,
}

impl Policy for Tiresias {
    fn cadence(&self) -> Cadence {
        Cadence::AtMostEvery { interval_s: self.interval_s }
    }

    fn explain(&self, _view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        self.queues.explain(job)
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let arrived = self.arrivals.admit(view, |job| job.bound.gpus_requested, actions);
        self.queues.update(view, &arrived);
        for number in [0, 1] {
            self.queues.move_down(view, number, |job, limit_gpu_s| has_reached(job.gpu_seconds(), limit_gpu_s));
        }
        self.queues.sort_by_submission();
        let wanted = self.queues.serve(view);
        let now_s = view.time_s();
        let left_s = |job: &JobView<'_>, limit_gpu_s: f64| {
            (limit_gpu_s - job.gpu_seconds()) / f64::from(job.gpus.max(job.bound.gpus_requested))
        };
        let running = wanted.iter().filter(|(_, gpus)| *gpus > 0).map(|(job, _)| job.id).collect();
        let next_s = self.queues.next_limit_s(view, &running, left_s).max(now_s + self.interval_s);
        if next_s > now_s && next_s <= ALARM_MAX_S {
            actions.push(Action::WakeAt { time_s: next_s });
        }
        allocate_changed(wanted, actions);
    }
}
