//! `elastic-dp`: every `delta_s` seconds, divide the GPUs so that the sum of throughput scaling factors is greatest.
//!
//! IBM's autoscaler and optimizer (Saxena et al., "Effective Elastic Scaling of Deep Learning Workloads", sections
//! III-C and III-D). A job's scaling factor on `k` GPUs is its throughput there over its throughput on one GPU (eq. 1).
//! At each round in which something came or went, arrivals join in order until one would leave somebody without a
//! GPU; then the dynamic program of eq. 3-5 divides all GPUs anew. With `queue=false` the arrivals that did not fit are
//! dropped. A job whose minimum is more than the cluster is dropped in any case. The batch size of each job is the one
//! in its trace.
//!
//! With `ended_share`, it is decided between rounds as well, as soon as that share of the jobs that ran after the last
//! decision has ended: the "hybrid strategy" of section V-B, "wait 10 minutes or until 5% of the jobs in the cluster
//! terminate".
//!
//! ```text
//! 4 GPUs; a doubles its speed on 2 and gains nothing beyond, b gains 0.3 with every GPU
//! factors: a 1, 2, 2, 2   b 1, 1.3, 1.6, 1.9        a aa   b bb   (2 + 1.3 is the greatest sum)
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use elastiplan_engine::{Action, Cadence, JobView, OnLoss, Policy, View};
use elastiplan_model::JobId;
use elastiplan_solvers::{Bidder, allocate};

use crate::arrivals::Arrivals;
use crate::spec::{Entry, Kind, Parameter, Parameters};

/// In the registry.
pub const ENTRY: Entry = Entry {
    name: "elastic-dp",
    summary: "The division of GPUs with the greatest sum of speed-ups, every so often",
    source: "IBM elastic scaling, sections III-C and III-D, eq. 3-5",
    is_elastic: true,
    parameters: &[
        Parameter {
            name: "delta_s",
            help: "Seconds between decisions",
            kind: Kind::Number { default: 600.0, min: 1.0, max: 31_536_000.0, whole: false },
        },
        Parameter {
            name: "queue",
            help: "Jobs that do not fit wait; otherwise they are dropped",
            kind: Kind::Flag { default: true },
        },
        Parameter {
            name: "gpus_max",
            help: "The most GPUs for one job; 0 for no limit but its curve",
            kind: Kind::Number { default: 0.0, min: 0.0, max: 65_536.0, whole: true },
        },
        Parameter {
            name: "ended_share",
            help: "Decide between rounds when this share of running jobs has ended; 0: in rounds only",
            kind: Kind::Number { default: 0.0, min: 0.0, max: 1.0, whole: false },
        },
    ],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    let limit = parameters.number("gpus_max") as u32;
    let ended_share = parameters.number("ended_share");
    Box::new(ElasticDp {
        delta_s: parameters.number("delta_s"),
        hybrid: (ended_share > 0.0).then(|| Hybrid { ended_share, ran: Vec::new(), round_s: None }),
        queue: parameters.flag("queue"),
        gpus_max: if limit == 0 { u32::MAX } else { limit },
        factors: BTreeMap::new(),
        arrivals: Arrivals::new(),
    })
}

#[derive(Clone)]
struct ElasticDp {
    delta_s: f64,
    hybrid: Option<Hybrid>,
    queue: bool,
    gpus_max: u32,
    /// Scaling factors by curve and range: jobs share them.
    factors: BTreeMap<(u32, u32, u32), Rc<[f64]>>,
    arrivals: Arrivals,
}

/// Rounds, and between them when enough has ended.
#[derive(Clone)]
struct Hybrid {
    ended_share: f64,
    /// Who ran after the last decision.
    ran: Vec<JobId>,
    /// The round in which what happened since then is answered at the latest.
    round_s: Option<f64>,
}

/// How much too late an event may come, in intervals, and still be answered in its round: times have only so many
/// digits.
const ROUND_TOLERANCE: f64 = 1e-9;

impl Hybrid {
    /// Whether it is time to decide; to be called at every event. Otherwise asks to be asked in the next round.
    fn is_due(&mut self, delta_s: f64, view: &View<'_>, actions: &mut Vec<Action>) -> bool {
        let round_s = *self.round_s.get_or_insert_with(|| next_round_s(view, delta_s));
        let ended = self.ran.iter().filter(|job| view.job(**job).is_none()).count();
        let is_due = view.time_s() >= round_s || ended > 0 && ended as f64 >= self.ended_share * self.ran.len() as f64;
        if is_due {
            self.round_s = None;
        } else {
            actions.push(Action::WakeAt { time_s: round_s });
        }
        is_due
    }
}

/// The first round from now on; they are counted from the first submission.
fn next_round_s(view: &View<'_>, delta_s: f64) -> f64 {
    let (now_s, start_s) = (view.time_s(), view.first_submit_s());
    let rounds = ((now_s - start_s) / delta_s - ROUND_TOLERANCE).ceil();
    (start_s + rounds * delta_s).max(now_s)
}

impl Policy for ElasticDp {
    fn cadence(&self) -> Cadence {
        match self.hybrid {
            Some(_) => Cadence::OnEvents,
            None => Cadence::Every { interval_s: self.delta_s },
        }
    }

    fn explain(&self, view: &View<'_>, job: JobId) -> Option<String> {
        let job = view.job(job)?;
        let Some(fewer) = job.gpus.checked_sub(1) else {
            return Some(format!("Waits for a round in which {} are left for it", job.bound.gpus_min));
        };
        let single = job.curve.samples_per_s_single();
        let factor = |gpus: u32| job.curve.samples_per_s(gpus) / single;
        let (last, next) = (factor(job.gpus) - factor(fewer), factor(job.gpus + 1) - factor(job.gpus));
        Some(format!("Its last GPU adds {last:.2} to the sum of speed-ups, one more would add {next:.2}"))
    }

    fn on_loss(&self) -> OnLoss {
        OnLoss::Shrink
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        if self.hybrid.as_mut().is_some_and(|hybrid| !hybrid.is_due(self.delta_s, view, actions)) {
            return;
        }
        let total = view.gpus_total();
        self.arrivals.admit(view, |job| job.bound.gpus_min, actions);
        let mut executing: Vec<JobView<'_>> = view.running().collect();
        let mut left = total.saturating_sub(executing.iter().map(|job| job.bound.gpus_min).sum());
        let mut refused = Vec::new();
        let mut arrived = view.waiting().filter(|job| job.bound.gpus_min <= view.gpus_most());
        for job in arrived.by_ref() {
            let Some(rest) = left.checked_sub(job.bound.gpus_min) else {
                refused.push(job);
                break;
            };
            left = rest;
            executing.push(job);
        }
        if !self.queue {
            refused.extend(arrived);
            // One that a node's departure has sent back to the queue was promised to run.
            let never_started = refused.iter().filter(|job| !job.started);
            actions.extend(never_started.map(|job| Action::Drop { job: job.id }));
        }
        self.divide(total, &executing, actions);
        if let Some(hybrid) = &mut self.hybrid {
            hybrid.ran = executing.iter().map(|job| job.id).collect();
        }
    }
}

impl ElasticDp {
    fn divide(&mut self, gpus_total: u32, executing: &[JobView<'_>], actions: &mut Vec<Action>) {
        let factors: Vec<Rc<[f64]>> = executing.iter().map(|job| self.scaling_factors(job)).collect();
        let bidders: Vec<Bidder<'_>> = executing
            .iter()
            .zip(&factors)
            .map(|(job, factors)| Bidder { minimum: job.bound.gpus_min, values: factors })
            .collect();
        let Some(best) = allocate(&bidders, gpus_total) else { return };
        for (job, gpus) in executing.iter().zip(best.units) {
            if gpus != job.gpus {
                actions.push(Action::Allocate { job: job.id, gpus });
            }
        }
    }

    /// The throughput scaling factor (eq. 1) on each number of GPUs the job may get.
    fn scaling_factors(&mut self, job: &JobView<'_>) -> Rc<[f64]> {
        let most = job.bound.gpus_max.min(self.gpus_max).max(job.bound.gpus_min);
        let key = (job.bound.curve, job.bound.gpus_min, most);
        let compute = || {
            let single = job.curve.samples_per_s_single();
            (job.bound.gpus_min..=most).map(|gpus| job.curve.samples_per_s(gpus) / single).collect()
        };
        self.factors.entry(key).or_insert_with(compute).clone()
    }
}
