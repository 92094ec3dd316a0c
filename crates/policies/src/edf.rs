//! `edf`: earliest deadline first, each job as wide as it gets faster, preemptive.
//!
//! A baseline of ElasticFlow (Gu et al., "ElasticFlow: An Elastic Serverless Training Platform for Distributed Deep
//! Learning", section 6.1: EDF "uses as many GPUs as a job can scale out without decreasing the throughput"). Jobs are
//! served in order of their deadlines, those without one last, in order of submission; each gets the number of GPUs at
//! which its measured speed first stops growing, or the largest measured number that is still free. Later jobs get
//! less, or are suspended.
//!
//! With `admission=true` (EDF + Admission Control, section 6.4) every new job is tested on its own: it is admitted if a
//! plan in which all jobs continue in this order meets its deadline and that of every job admitted before; else it is
//! dropped. The plan counts what is left to pay for past changes, and takes later changes as free.
//!
//! With `elastic=true` (EDF + Elastic Scaling, section 6.4) it is [`mod@crate::elasticflow`] without admission control;
//! with both, ElasticFlow itself.
//!
//! `artifact=true` is the published simulator where that departs from the paper: `artifact/edf.rs`.
//!
//! ```text
//! 4 GPUs; a gets no faster beyond 2 and is due at 9, b scales to 4 and is due at 5
//! a ..22   b 44        b first, on all it can use; then a, on 2
//! ```

pub(crate) mod plan;
pub(crate) mod queue;
mod standing;

use elastiplan_engine::{Action, Cadence, JobView, OnLoss, Policy, View};

use crate::artifact::edf::Edf as PublishedEdf;
use crate::elasticflow::ElasticFlow;
use crate::parameters::{Entry, Parameter, Parameters};
use crate::shared::actions::allocate_changed;
use crate::shared::due::Due;
use crate::shared::rivals::{ARTIFACT, INTERVAL, LAST_SUBMIT};
use plan::{Plan, Planned};
use queue::{Queue, levels};
use standing::Standing;

const ADMISSION: Parameter = Parameter::flag(
    "admission",
    "Drops a job at submission if its deadline, or that of one admitted before, would be missed",
    false,
);
const ELASTIC: Parameter = Parameter::flag(
    "elastic",
    "Shares GPUs as ElasticFlow does: the fewest that meet each deadline, and the rest where it helps most",
    false,
);

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "edf",
    summary: "The earliest deadline first, on as many GPUs as make the job faster",
    source: "ElasticFlow, sections 6.1 and 6.4: EDF, with admission control, with elastic scaling",
    is_elastic: true,
    parameters: &[INTERVAL, ADMISSION, ELASTIC, ARTIFACT, LAST_SUBMIT],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    let (interval_s, admission) = (parameters.number(&INTERVAL), parameters.flag(&ADMISSION));
    match (parameters.flag(&ELASTIC), parameters.flag(&ARTIFACT)) {
        (true, _) => Box::new(ElasticFlow::plain(interval_s, admission)),
        (false, true) => Box::new(PublishedEdf::new(interval_s, parameters.number(&LAST_SUBMIT), admission)),
        (false, false) => Box::new(Edf { interval_s, jobs: Jobs::new(admission) }),
    }
}

#[derive(Clone)]
struct Edf {
    interval_s: f64,
    jobs: Jobs,
}

/// The jobs of the cluster.
#[derive(Clone)]
enum Jobs {
    /// With admission control, which looks at all of them.
    Tested(Queue),
    Standing(Standing),
}

impl Jobs {
    fn new(admission: bool) -> Self {
        if admission { Jobs::Tested(Queue::new(true, widest)) } else { Jobs::Standing(Standing::default()) }
    }
}

impl Policy for Edf {
    fn cadence(&self) -> Cadence {
        Cadence::AtMostEvery { interval_s: self.interval_s }
    }

    fn on_loss(&self) -> OnLoss {
        OnLoss::Shrink
    }

    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        Some(queue::explain(view, job, widest))
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let wanted = match &mut self.jobs {
            Jobs::Tested(queue) => queue.serve(view, |plans| are_all_in_time(view, plans), actions),
            Jobs::Standing(jobs) => jobs.serve(view, widest, actions),
        };
        allocate_changed(wanted, actions);
    }
}

/// Whether all jobs meet their deadlines if they are planned in this order.
fn are_all_in_time(view: &View<'_>, jobs: &[(Due, Planned)]) -> bool {
    let mut plan = Plan::new(view.time_s(), view.gpus_total());
    // Jobs without a deadline come last and have none to miss.
    let mut with_deadline = jobs.iter().map(|(_, job)| job).take_while(|job| job.deadline_s < f64::INFINITY);
    with_deadline.all(|job| plan.end_s(job) <= job.deadline_s)
}

/// The number of GPUs, of at most `total`, at which a job's measured speed first stops growing; 0 if it cannot run.
fn widest(job: &JobView<'_>, total: u32) -> u32 {
    let mut fastest = (0, 0.0);
    for gpus in levels(job).take_while(|gpus| *gpus <= total) {
        let speed = job.curve.samples_per_s(gpus);
        if speed < fastest.1 {
            break;
        }
        fastest = (gpus, speed);
    }
    fastest.0
}
