//! `elastic-dp`: every `delta_s` seconds, divide the GPUs so that the sum of throughput scaling factors is greatest.
//!
//! IBM's autoscaler and optimizer (Saxena et al., "Effective Elastic Scaling of Deep Learning Workloads", sections
//! III-C and III-D). A job's scaling factor on `k` GPUs is its throughput there over its throughput on one GPU (eq. 1).
//! In each round after an arrival or an end, jobs are admitted in order until one would leave another without a GPU;
//! then the dynamic program of eq. 3-5 divides all GPUs. With `queue=false` the arrivals that did not fit are dropped,
//! one by one. A job whose minimum is more than the cluster is dropped in any case.
//!
//! Where a job may have several batch sizes, it gets the one that is fastest on its GPUs (eq. 2), and so may run on
//! fewer GPUs than a large batch needs. The paper's baselines fix the batch size and scale the GPUs alone (section
//! IV-B): `batch=max`, `batch=min`, `batch=random`. A job's factors are multiplied by its priority, which the paper
//! names as future work (section VII).
//!
//! With `ended_share`, a decision is made between rounds too, as soon as that share of the jobs that ran after the last
//! decision has ended: the "hybrid strategy" of section V-B, "wait 10 minutes or until 5% of the jobs in the cluster
//! terminate".
//!
//! ```text
//! 4 GPUs; a doubles its speed on 2 and gains nothing beyond, b gains 0.3 with every GPU
//! factors: a 1, 2, 2, 2   b 1, 1.3, 1.6, 1.9        a aa   b bb   (2 + 1.3 is the greatest sum)
//! ```

mod hybrid;
mod offers;

use std::any::Any;
use std::rc::Rc;

use elastiplan_engine::{Action, Cadence, JobView, OnLoss, Policy, View};
use elastiplan_solvers::{Bidder, allocate, division_program};

use crate::decision::{Decision, Instance, LastDecision};
use crate::parameters::{Entry, Parameter, Parameters, YEAR_S};
use crate::shared::actions::{allocate_if_changed, set_batch, take};
use crate::shared::arrivals::Arrivals;
use crate::shared::gpus_limit::GPUS_LIMIT;
use crate::shared::scaling::Scaling;
use crate::shared::words;

use hybrid::Hybrid;
use offers::{BatchRule, Offers};

const DELTA_S: Parameter =
    Parameter::number("delta_s", "Seconds between decisions; 0: whenever a job arrives or ends", 600.0, 0.0..=YEAR_S);
const QUEUE: Parameter = Parameter::flag("queue", "Jobs that do not fit wait; otherwise they are declined", true);
const ENDED_SHARE: Parameter = Parameter::number(
    "ended_share",
    "Decide between rounds when this share of running jobs has ended; 0: in rounds only",
    0.0,
    0.0..=1.0,
);
const BATCH: Parameter = Parameter::choice(
    "batch",
    "Batch size of a job that may have several: the fastest on its GPUs, or one for good",
    BatchRule::WORDS,
);

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "elastic-dp",
    summary: "The division of GPUs with the greatest sum of speed-ups, every so often",
    source: "IBM elastic scaling, sections III-C and III-D, eq. 3-5",
    is_elastic: true,
    parameters: &[DELTA_S, QUEUE, GPUS_LIMIT, ENDED_SHARE, BATCH],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    let gpus_max = parameters.limit(&GPUS_LIMIT);
    let (delta_s, ended_share) = (parameters.number(&DELTA_S), parameters.number(&ENDED_SHARE));
    let rule = BatchRule::of(&parameters.choice(&BATCH));
    Box::new(ElasticDp {
        delta_s,
        hybrid: (delta_s > 0.0 && ended_share > 0.0).then(|| Hybrid::new(ended_share)),
        queue: parameters.flag(&QUEUE),
        offers: Offers::new(rule, gpus_max, parameters.seed),
        arrivals: Arrivals::default(),
        last: LastDecision::new(parameters),
    })
}

#[derive(Clone)]
struct ElasticDp {
    delta_s: f64,
    hybrid: Option<Hybrid>,
    queue: bool,
    offers: Offers,
    arrivals: Arrivals,
    last: LastDecision,
}

/// A job with its speed-ups.
type Offer<'a> = (JobView<'a>, Rc<Scaling>);

impl Policy for ElasticDp {
    fn cadence(&self) -> Cadence {
        match self.hybrid {
            None if self.delta_s > 0.0 => Cadence::Every { interval_s: self.delta_s },
            _ => Cadence::OnEvents,
        }
    }

    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        let scaling = self.offers.clone().of(job, view);
        let Some(held) = scaling.speedup(job.gpus) else {
            return Some(format!("Waits for a round in which {} are left for it", words::gpus(scaling.gpus_min())));
        };
        let batch = scaling.batch_global(job.gpus).map_or(String::new(), |batch| format!(", batch {batch}"));
        let last = match (job.gpus, job.gpus.checked_sub(1).and_then(|fewer| scaling.speedup(fewer))) {
            (1, _) => format!("Its last GPU adds {held:.2} to the sum of speed-ups"),
            (_, Some(fewer)) => format!("Its last GPU adds {:.2} to the sum of speed-ups", held - fewer),
            (gpus, None) => format!("Its {gpus} GPUs, the fewest it runs on, add {held:.2} to the sum of speed-ups"),
        };
        Some(match scaling.speedup(job.gpus + 1) {
            Some(more) => format!("{last}, one more would add {:.2}{batch}", more - held),
            None => format!("{last}, and it gets no more{batch}"),
        })
    }

    fn last_decision(&self) -> Option<&dyn Any> {
        self.last.get()
    }

    fn on_loss(&self) -> OnLoss {
        OnLoss::Shrink
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        if self.hybrid.as_mut().is_some_and(|hybrid| !hybrid.is_due(self.delta_s, view, actions)) {
            return;
        }
        let total = view.gpus_total();
        let offers = &mut self.offers;
        self.arrivals.admit(view, |job| offers.of(job, view).gpus_min(), actions);
        let mut executing: Vec<Offer<'_>> = view.running().map(|job| (job, offers.of(&job, view))).collect();
        let mut left = total.saturating_sub(executing.iter().map(|(_, scaling)| scaling.gpus_min()).sum());
        for job in view.waiting() {
            let scaling = offers.of(&job, view);
            if scaling.gpus_min() > view.gpus_most() {
                continue;
            }
            if take(&mut left, scaling.gpus_min()) {
                executing.push((job, scaling));
            } else if self.queue {
                break;
            } else if !job.started {
                // A job that a leaving node interrupted was admitted before.
                actions.push(Action::Drop { job: job.id });
            }
        }
        if self.last.is_kept() {
            self.last.keep(decision(view.time_s(), total, &executing));
        }
        divide(total, &executing, actions);
        if let Some(hybrid) = &mut self.hybrid {
            hybrid.ran = executing.iter().map(|(job, _)| job.id).collect();
        }
    }
}

/// The instance of a decision, as plain numbers.
fn decision(time_s: f64, gpus_total: u32, executing: &[Offer<'_>]) -> Decision {
    let job = |(job, scaling): &Offer<'_>| {
        let Bidder { minimum, values } = scaling.bidder();
        division_program::Job { name: job.job.name.clone(), minimum, values: values.to_vec() }
    };
    let instance = division_program::Instance { units: gpus_total, jobs: executing.iter().map(job).collect() };
    let jobs = executing.iter().map(|(job, _)| (job.id, job.gpus)).collect();
    Decision { time_s, instance: Instance::Division(instance), jobs }
}

/// Gives jobs the GPUs and batch sizes with the greatest sum.
fn divide(gpus_total: u32, executing: &[Offer<'_>], actions: &mut Vec<Action>) {
    let bidders: Vec<Bidder<'_>> = executing.iter().map(|(_, scaling)| scaling.bidder()).collect();
    let Some(best) = allocate(&bidders, gpus_total) else { return };
    for ((job, scaling), gpus) in executing.iter().zip(best.units) {
        set_batch(job, scaling.batch_global(gpus), actions);
        allocate_if_changed(job, gpus, actions);
    }
}
