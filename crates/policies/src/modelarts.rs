//! `modelarts`: every five minutes, the division of nodes for the next 25 minutes that brings all jobs together the
//! most progress; its first five minutes are carried out.
//!
//! Hu et al., "An Optimal Resource Allocator of Elastic Training for Deep Learning Jobs on Cloud", section 4. The
//! progress of a job is the share of its remaining work that is done; the sum of these shares over all jobs at the end
//! of each of the next `horizon` steps is maximised (eq. 1). So nearly completed jobs come first, and early progress
//! counts in every step. Each job has at least its minimum in every step (eq. 15); jobs for which too few are left
//! wait, in order of submission; the paper's program has no solution then. Idle nodes go to the queue between
//! decisions. [`elastiplan_solvers::horizon`] solves it exactly; with many similar jobs it stops within a percent of
//! the optimum.
//!
//! A job's unit is a GPU: a cluster of nodes with one GPU each is one in which it is a node. The work left is the
//! estimate that the policy sees: the paper's ETA.
//!
//! ```text
//! 4 GPUs, decisions every 5; speeds 1 1.6 2.56 on 1 2 4
//! a has 40 to do, b 4:     a 11 2222...  b 22       b gains .4 with a second GPU while a would gain .015
//! ```

use std::any::Any;
use std::collections::BTreeMap;
use std::rc::Rc;

use elastiplan_engine::{Action, JobView, OnLoss, Policy, View};
use elastiplan_solvers::horizon::{self, Demand, STEPS_MAX, StepOption};
use elastiplan_solvers::horizon_program;

use crate::decision::{Decision, Instance, LastDecision};
use crate::parameters::{Entry, Parameter, Parameters};
use crate::shared::actions::allocate_changed;
use crate::shared::arrivals::Arrivals;
use crate::shared::regular_times::{GPUS_MAX, INTERVAL, Sizes, fill, queue};
use crate::shared::rounds::Rounds;
use crate::shared::words;

const HORIZON: Parameter = Parameter::count("horizon", "Steps to look ahead", 5.0, 1.0..=STEPS_MAX as f64);
const POWERS_OF_TWO: Parameter =
    Parameter::flag("powers_of_two", "A job has 1, 2, 4, 8, ... GPUs: other numbers may cost accuracy", true);

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "modelarts",
    summary: "The greatest progress of all jobs over the next steps, planned anew every few minutes",
    source: "ModelArts, section 4, solved exactly",
    is_elastic: true,
    parameters: &[HORIZON, INTERVAL, POWERS_OF_TWO, GPUS_MAX],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    let interval_s = parameters.number(&INTERVAL);
    Box::new(ModelArts {
        steps: parameters.number(&HORIZON) as usize,
        interval_s,
        sizes: Sizes { most: parameters.number(&GPUS_MAX) as u32, powers_of_two: parameters.flag(&POWERS_OF_TWO) },
        rounds: Rounds::new(interval_s),
        arrivals: Arrivals::default(),
        options: BTreeMap::new(),
        last: LastDecision::new(parameters),
    })
}

#[derive(Clone)]
struct ModelArts {
    steps: usize,
    interval_s: f64,
    sizes: Sizes,
    rounds: Rounds,
    arrivals: Arrivals,
    /// GPUs that jobs may have, with the work done on them in a step, by curve and range: jobs that are alike share
    /// them.
    options: BTreeMap<(u32, u32, u32), Rc<[StepOption]>>,
    last: LastDecision,
}

impl Policy for ModelArts {
    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        if job.gpus == 0 {
            return Some(format!(
                "Waits for {}, behind those that came before it",
                words::gpus(self.sizes.least(job, view))
            ));
        }
        let horizon_s = self.interval_s * self.steps as f64;
        let done = (job.curve.samples_per_s(job.gpus) * horizon_s / job.samples_left).min(1.0);
        let (ahead, percent) = (words::duration(horizon_s), 100.0 * done);
        Some(format!("On its {} it gets {percent:.1} % of what is left done in {ahead}", words::gpus(job.gpus)))
    }

    fn last_decision(&self) -> Option<&dyn Any> {
        self.last.get()
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
        if self.last.is_kept() {
            self.last.keep(self.decision(view, &jobs, &demands));
        }
        let best = horizon::plan(&demands, view.gpus_total(), self.steps, horizon::WORK_CAP);
        let first = best.units.iter().map(|units| units.first().copied().unwrap_or(0));
        allocate_changed(jobs.iter().copied().zip(first), actions);
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

    /// The numbers of GPUs that a job may have, without those that are no faster than fewer.
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
