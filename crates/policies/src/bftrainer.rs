//! `bftrainer`: the division of the idle nodes with the greatest gain in the time looked ahead, less what changes cost.
//!
//! Liu et al., "BFTrainer: Low-Cost Training of Neural Networks on Unfillable Supercomputer Nodes", section 3. Trainers
//! are admitted in order of submission, at most `max_trainers` at a time, and stay until they complete, even without
//! nodes. Whenever nodes join or leave, or Trainers arrive or end, the numbers of nodes are chosen that maximise eq.
//! 16: `t_fwd_s` times the objective on the new number, less the objective on the present one times the seconds that
//! the change takes. Jobs never migrate: a job that grows keeps its nodes.
//!
//! The best decisions do not add up to the best weeks: by throughput slow models starve and keep their places, by
//! scaling efficiency a second on a fast model counts no more than on a slow one. `plus=true` takes a mean of the two:
//! speed over the 0.9th power of that on one GPU. docs/fidelity.md has what it gains. `t_fwd_s=auto` looks ahead for
//! about as long as it takes until nodes leave.
//!
//! A Trainer's unit is a GPU: a cluster of nodes with one GPU each is one in which it is a node.
//!
//! ```text
//! 4 nodes; speeds a 1.0 1.9 2.7 3.4, b 1.0 1.2; a change takes 30 s
//! a 4444      alone
//! b arrives   a 444 b 1 gains 1.0 and loses .7 a second, for a stall of 30 s at 3.4: worth it from 340 s ahead on
//! ```
//!
//! Its decisions can be written as the program of the paper: see [`crate::decision`].

mod instance;
mod look_ahead;

use std::any::Any;
use std::collections::BTreeMap;
use std::rc::Rc;

use elastiplan_engine::{Action, JobView, OnLoss, Policy, View};
use elastiplan_model::JobId;
use elastiplan_solvers::{Worths, choose_counts_of};

use crate::artifact::bftrainer::Replayed;
use crate::decision::LastDecision;
use crate::parameters::{Entry, Parameter, Parameters, YEAR_S};
use crate::shared::actions::allocate_changed;
use crate::shared::trainers::{Trainers, max_trainers};
use crate::shared::words;

use look_ahead::LookAhead;

const OBJECTIVE: Parameter = Parameter::choice(
    "objective",
    "What is to be greatest: samples a second; how much faster than on one GPU, so that all models count \
                   alike; or that times the GPUs asked for",
    &["throughput", "scaling-efficiency", "weighted"],
);
const T_FWD_S: Parameter = Parameter::number_or_auto(
    "t_fwd_s",
    "Seconds to look ahead: for so long a decision is taken to last. auto: from the gaps between the \
                   departures of nodes so far",
    120.0,
    1.0..=YEAR_S,
);
const PLUS: Parameter = Parameter::flag(
    "plus",
    "Instead of the objective: most samples over weeks. Like scaling-efficiency, but fast models count a \
                   little more",
    false,
);

const MAX_TRAINERS: Parameter = max_trainers(10.0, "Jobs that share the cluster at a time; 0: all");

const REPLAYER: Parameter = Parameter::flag(
    "replayer",
    "As the published replayer: decides only when nodes come or go, gives up first the nodes that have been \
           there longest, and charges changes in samples, not in time",
    false,
);

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "bftrainer",
    summary: "The greatest gain in the time looked ahead, less what changes cost",
    source: "BFTrainer, section 3, solved exactly",
    is_elastic: true,
    parameters: &[OBJECTIVE, T_FWD_S, MAX_TRAINERS, PLUS, REPLAYER],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    let policy = BfTrainer {
        objective: match parameters.choice(&OBJECTIVE).as_str() {
            _ if parameters.flag(&PLUS) => Objective::Plus,
            "scaling-efficiency" => Objective::ScalingEfficiency,
            "weighted" => Objective::Weighted,
            _ => Objective::Throughput,
        },
        ahead: LookAhead::of(parameters.number_unless_auto(&T_FWD_S)),
        trainers: Trainers::new(parameters.limit(&MAX_TRAINERS)),
        cached: BTreeMap::new(),
        last: LastDecision::new(parameters),
    };
    if parameters.flag(&REPLAYER) { Box::new(Replayed::new(policy)) } else { Box::new(policy) }
}

#[derive(Clone, Copy)]
enum Objective {
    Throughput,
    ScalingEfficiency,
    Weighted,
    /// Between throughput, which is the power 0, and scaling efficiency, the power 1.
    Plus,
}

/// The power of the speed on one GPU that speeds are divided by: the best of .8 to 1 on a week of idle nodes, where .86
/// to .94 differ little (docs/fidelity.md, "Beyond the paper").
const PLUS_POWER: f64 = 0.9;

#[derive(Clone)]
pub(crate) struct BfTrainer {
    objective: Objective,
    ahead: LookAhead,
    trainers: Trainers,
    /// Values computed for admitted Trainers: most stay as they are from decision to decision.
    cached: BTreeMap<JobId, Cached>,
    last: LastDecision,
}

/// Values of one Trainer.
#[derive(Clone)]
struct Cached {
    /// Gain a second on 0, 1, 2, ... GPUs.
    gains: Rc<[f64]>,
    /// Eq. 16 for each of them, for `gpus` held now and `ahead_s` looked ahead.
    values: Rc<Worths>,
    gpus: u32,
    ahead_s: f64,
}

impl Policy for BfTrainer {
    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        if let Some(reason) = self.trainers.reason_outside(job.id) {
            return Some(reason);
        }
        let ahead_s = self.ahead.seconds(view.time_s());
        if job.gpus == 0 {
            return Some(format!("Waits: others gain more with the GPUs in the next {}", words::duration(ahead_s)));
        }
        let gains = self.objective.gains(job);
        let gain = |gpus: u32| gains.get(gpus as usize).copied().unwrap_or(f64::NEG_INFINITY);
        let lost_s = view.change_s(job, Some(job.gpus), job.gpus + 1);
        let more = ahead_s * (gain(job.gpus + 1) - gain(job.gpus));
        let cost = gain(job.gpus) * lost_s;
        Some(match gain(job.gpus + 1).is_finite() {
            true => format!(
                "One more than its {} would gain {more:.4} in {}, for a change that costs {cost:.4}",
                words::gpus(job.gpus),
                words::duration(ahead_s),
            ),
            false => format!("{}: it makes use of no more", words::gpus(job.gpus)),
        })
    }

    fn on_loss(&self) -> OnLoss {
        OnLoss::Shrink
    }

    fn last_decision(&self) -> Option<&dyn Any> {
        self.last.get()
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let changed = self.choose(view, actions);
        allocate_changed(changed, actions);
    }
}

impl BfTrainer {
    /// Chooses the numbers of GPUs with the greatest value. Returns the Trainers whose number changes, in order of
    /// submission.
    pub(crate) fn choose<'a>(&mut self, view: &View<'a>, actions: &mut Vec<Action>) -> Vec<(JobView<'a>, u32)> {
        self.ahead.observe(view);
        let jobs = self.trainers.admit(view, actions);
        self.cached.retain(|job, _| view.job(*job).is_some());
        if self.last.is_kept() {
            self.last.keep(self.decision(view, &jobs));
        }
        let values: Vec<Rc<Worths>> = jobs.iter().map(|job| self.values(view, job)).collect();
        let values: Vec<&Worths> = values.iter().map(Rc::as_ref).collect();
        let counts = choose_counts_of(&values, view.gpus_total()).units;
        jobs.into_iter().zip(counts).filter(|(job, gpus)| *gpus != job.gpus).collect()
    }

    /// Eq. 16 for each number of GPUs that a Trainer could have.
    fn values(&mut self, view: &View<'_>, job: &JobView<'_>) -> Rc<Worths> {
        let ahead_s = self.ahead.seconds(view.time_s());
        let cached = self.cached.get(&job.id);
        if let Some(cached) = cached.filter(|cached| cached.gpus == job.gpus && cached.ahead_s == ahead_s) {
            return Rc::clone(&cached.values);
        }
        let gains = cached.map_or_else(|| self.objective.gains(job), |cached| Rc::clone(&cached.gains));
        let gain_now = gains.get(job.gpus as usize).copied().filter(|gain| gain.is_finite()).unwrap_or(0.0);
        let value = |(gpus, gain): (u32, &f64)| {
            let change_s = if gain_now == 0.0 { 0.0 } else { change_s(view, job, gpus) };
            ahead_s * gain - gain_now * change_s
        };
        let values = Rc::new(Worths::new((0..).zip(gains.iter()).map(value).collect()));
        self.cached.insert(job.id, Cached { gains, values: Rc::clone(&values), gpus: job.gpus, ahead_s });
        values
    }
}

/// Seconds that a change to so many GPUs costs. In the paper's model releasing all GPUs is a change like any other; the
/// engine charges the later start instead.
fn change_s(view: &View<'_>, job: &JobView<'_>, gpus: u32) -> f64 {
    match gpus {
        _ if gpus == job.gpus => 0.0,
        0 => view.change_s(job, Some(job.gpus + 1), job.gpus),
        _ => view.change_s(job, Some(job.gpus), gpus),
    }
}

impl Objective {
    /// The gain a second on 0, 1, 2, ... GPUs; negative infinity where the Trainer does not run.
    fn gains(self, job: &JobView<'_>) -> Rc<[f64]> {
        let (least, most) = (job.bound.gpus_min, job.bound.gpus_max);
        let smallest = job.curve.gpus_smallest();
        let unit = job.curve.samples_per_s(smallest) / f64::from(smallest.max(1));
        let factor = match self {
            Objective::Throughput => 1.0,
            Objective::ScalingEfficiency => 1.0 / unit,
            Objective::Plus => libm::pow(unit, -PLUS_POWER),
            Objective::Weighted => f64::from(job.bound.gpus_requested) / unit,
        };
        let gain = |gpus: u32| {
            let samples_per_s = if gpus >= least { job.curve.samples_per_s(gpus) } else { 0.0 };
            match gpus {
                0 => 0.0,
                _ if samples_per_s > 0.0 => samples_per_s * factor,
                _ => f64::NEG_INFINITY,
            }
        };
        (0..=most).map(gain).collect()
    }
}
