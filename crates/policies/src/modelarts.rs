//! `modelarts`: every five minutes, the division of nodes for the next 25 minutes with which all jobs together get on
//! furthest; the first five minutes of it are carried out.
//!
//! Hu et al., "An Optimal Resource Allocator of Elastic Training for Deep Learning Jobs on Cloud", section 4. The progress
//! of a job is the share of its remaining work that is done; what is summed up are those shares at the end of each of the
//! next `horizon` steps, over all jobs (eq. 1). So what is nearly done comes first, and a share done early counts in
//! every step. Each job has at least its minimum in every step (eq. 15); jobs for whom too few are left wait, in order of
//! submission, which the paper's program has no solution for. Idle nodes go to the queue between decisions.
//! [`elastiplan_solvers::horizon`] solves it exactly; with many jobs that are alike it stops within a percent.
//!
//! A job's unit is a GPU: a cluster of nodes with one GPU each is one in which it is a node. The work left is what the
//! policy is told of it: the paper's ETA.
//!
//! ```text
//! 4 GPUs, decisions every 5; speeds 1 1.6 2.56 on 1 2 4
//! a has 40 to do, b 4:     a 11 2222...  b 22       b gains .4 with a second GPU while a would gain .015
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use elastiplan_engine::{Action, JobView, OnLoss, Policy, View};
use elastiplan_model::JobId;
use elastiplan_solvers::horizon::{self, Demand, STEPS_MAX, StepOption};
use elastiplan_solvers::horizon_program;

use crate::arrivals::Arrivals;
use crate::decision::{Decision, DecisionShared, Instance};
use crate::regular_times::{Sizes, fill, queue};
use crate::rounds::Rounds;
use crate::spec::{Entry, Kind, Parameter, Parameters};
use crate::words;

/// In the registry.
pub const ENTRY: Entry = Entry {
    name: "modelarts",
    summary: "The greatest progress of all jobs over the next steps, planned anew every few minutes",
    source: "ModelArts, section 4, solved exactly",
    is_elastic: true,
    parameters: &[
        Parameter {
            name: "horizon",
            help: "Steps to look ahead",
            kind: Kind::Number { default: 5.0, min: 1.0, max: STEPS_MAX as f64, whole: true },
        },
        INTERVAL,
        Parameter {
            name: "powers_of_two",
            help: "A job has 1, 2, 4, 8, ... GPUs: other numbers may cost accuracy",
            kind: Kind::Flag { default: true },
        },
        gpus_max(),
    ],
};

/// How often the two allocators of ModelArts decide.
pub(crate) const INTERVAL: Parameter = Parameter {
    name: "interval_s",
    help: "Seconds between decisions, which are also the length of a step",
    kind: Kind::Number { default: 300.0, min: 1.0, max: 31_536_000.0, whole: false },
};

/// The most that the two allocators of ModelArts give to a job.
pub(crate) const fn gpus_max() -> Parameter {
    Parameter {
        name: "gpus_max",
        help: "The most GPUs for one job",
        kind: Kind::Number { default: 16.0, min: 1.0, max: 65_536.0, whole: true },
    }
}

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    Box::new(make(parameters))
}

/// The same policy, which leaves what it decides about to be looked at.
pub(crate) fn watched(parameters: &Parameters) -> (Box<dyn Policy>, DecisionShared) {
    let last = DecisionShared::default();
    (Box::new(ModelArts { watched: Some(Rc::clone(&last)), ..make(parameters) }), last)
}

fn make(parameters: &Parameters) -> ModelArts {
    let interval_s = parameters.number(INTERVAL.name);
    ModelArts {
        steps: parameters.number("horizon") as usize,
        interval_s,
        sizes: Sizes { most: parameters.number("gpus_max") as u32, powers_of_two: parameters.flag("powers_of_two") },
        rounds: Rounds::new(interval_s),
        arrivals: Arrivals::new(),
        options: BTreeMap::new(),
        watched: None,
    }
}

#[derive(Clone)]
struct ModelArts {
    steps: usize,
    interval_s: f64,
    sizes: Sizes,
    rounds: Rounds,
    arrivals: Arrivals,
    /// What jobs may have and get done on it in a step, by curve and range: jobs share them.
    options: BTreeMap<(u32, u32, u32), Rc<[StepOption]>>,
    /// Where it leaves what it decides about, if somebody looks.
    watched: Option<DecisionShared>,
}

impl Policy for ModelArts {
    fn explain(&self, view: &View<'_>, job: JobId) -> Option<String> {
        let job = view.job(job)?;
        if job.gpus == 0 {
            return Some(format!(
                "Waits for {}, behind those that came before it",
                words::gpus(self.sizes.least(&job, view))
            ));
        }
        let horizon_s = self.interval_s * self.steps as f64;
        let done = (job.curve.samples_per_s(job.gpus) * horizon_s / job.samples_left).min(1.0);
        let (ahead, percent) = (words::duration(horizon_s), 100.0 * done);
        Some(format!("On its {} it gets {percent:.1} % of what is left done in {ahead}", words::gpus(job.gpus)))
    }

    fn on_loss(&self) -> OnLoss {
        OnLoss::Shrink
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        self.arrivals.admit(view, |job| job.bound.gpus_min, actions);
        if !self.rounds.is_due(view, actions) {
            fill(view, &self.sizes, actions);
            return;
        }
        let jobs: Vec<JobView<'_>> = view.running().chain(queue(view)).collect();
        let options: Vec<Rc<[StepOption]>> = jobs.iter().map(|job| self.options(job, view)).collect();
        let demands: Vec<Demand<'_>> = jobs
            .iter()
            .zip(&options)
            .map(|(job, options)| Demand { work: job.samples_left.max(f64::MIN_POSITIVE), options })
            .collect();
        if let Some(last) = &self.watched {
            last.replace(Some(self.decision(view, &jobs, &demands)));
        }
        let best = horizon::plan(&demands, view.gpus_total(), self.steps, horizon::WORK_CAP);
        let first = best.units.iter().map(|units| units.first().copied().unwrap_or(0));
        let changed = jobs.iter().zip(first).filter(|(job, gpus)| *gpus != job.gpus);
        actions.extend(changed.map(|(job, gpus)| Action::Allocate { job: job.id, gpus }));
    }
}

impl ModelArts {
    fn decision(&self, view: &View<'_>, jobs: &[JobView<'_>], demands: &[Demand<'_>]) -> Decision {
        let job = |(job, demand): (&JobView<'_>, &Demand<'_>)| horizon_program::Job {
            name: job.job.name.clone(),
            work: demand.work,
            options: demand.options.to_vec(),
        };
        let instance = horizon_program::Instance {
            units: view.gpus_total(),
            steps: self.steps,
            jobs: jobs.iter().zip(demands).map(job).collect(),
        };
        let jobs = jobs.iter().map(|job| (job.id, job.gpus)).collect();
        Decision { time_s: view.time_s(), instance: Instance::Horizon(instance), jobs }
    }

    /// What a job may have, as long as more of it gets more done.
    fn options(&mut self, job: &JobView<'_>, view: &View<'_>) -> Rc<[StepOption]> {
        let (sizes, interval_s) = (self.sizes, self.interval_s);
        let find = || {
            let mut most = 0.0;
            let option = |gpus: u32| StepOption { units: gpus, work: interval_s * job.curve.samples_per_s(gpus) };
            let all = sizes.all(job, view).map(option);
            let gains = |option: &StepOption| {
                let gains = option.work > most;
                most = option.work.max(most);
                gains
            };
            all.filter(gains).collect()
        };
        let key = (job.bound.curve, job.bound.gpus_min, job.bound.gpus_max);
        Rc::clone(self.options.entry(key).or_insert_with(find))
    }
}
