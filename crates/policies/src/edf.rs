//! `edf`: earliest deadline first, each job as wide as it gets faster, preemptive.
//!
//! A baseline of ElasticFlow (Gu et al., "ElasticFlow: An Elastic Serverless Training Platform for Distributed Deep
//! Learning", section 6.1: EDF "uses as many GPUs as a job can scale out without decreasing the throughput"). Jobs are
//! served in order of their deadlines, those without one last, in order of submission; each gets the number of GPUs at
//! which its measured speed first stops growing, or the largest measured number that is still free. Whoever comes later
//! gets less, or is suspended.
//!
//! With `admission=true` (EDF + Admission Control, section 6.4) every new job is tested on its own: it is admitted if
//! a plan in which all go on in this order meets its deadline and that of every job admitted before; else it is dropped.
//! The plan knows what is still to be paid for changes made, and takes those to come as free.
//!
//! With `elastic=true` (EDF + Elastic Scaling, section 6.4) it is [`mod@crate::elasticflow`] without admission control;
//! with both, ElasticFlow itself.
//!
//! With `artifact=true` it does what the published simulator does where that is not what the paper says: see
//! docs/fidelity.md.
//!
//! ```text
//! 4 GPUs; a gets no faster beyond 2 and is due at 9, b scales to 4 and is due at 5
//! a ..22   b 44        b first, on all it can use; then a, on 2
//! ```

mod overheads;
mod plan;

use elastiplan_engine::{Action, Cadence, JobView, OnLoss, Policy, View};
use elastiplan_model::JobId;

use crate::arrivals::Arrivals;
use crate::due::Due;
use crate::elasticflow::ElasticFlow;
use crate::merged_events::{ARTIFACT, INTERVAL, LAST_SUBMIT, MergedEvents};
use crate::spec::{Entry, Kind, Parameter, Parameters};
use overheads::Overheads;
use plan::{Plan, Planned};

/// In the registry.
pub const ENTRY: Entry = Entry {
    name: "edf",
    summary: "The earliest deadline first, on as many GPUs as make the job faster",
    source: "ElasticFlow, sections 6.1 and 6.4: EDF, with admission control, with elastic scaling",
    is_elastic: true,
    parameters: &[
        INTERVAL,
        Parameter {
            name: "admission",
            help: "Drops a job at submission if its deadline, or that of one admitted before, would be missed",
            kind: Kind::Flag { default: false },
        },
        Parameter {
            name: "elastic",
            help: "Shares GPUs as ElasticFlow does: the fewest that meet each deadline, and the rest where it helps most",
            kind: Kind::Flag { default: false },
        },
        ARTIFACT,
        LAST_SUBMIT,
    ],
};

/// The widest that the published simulator makes a job, whatever its speed.
const ARTIFACT_GPUS_MAX: u32 = 64;

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    let interval_s = parameters.number("interval_s");
    if parameters.flag("elastic") {
        return Box::new(ElasticFlow::plain(interval_s, parameters.flag("admission")));
    }
    Box::new(Edf {
        interval_s,
        admission: parameters.flag("admission"),
        published: parameters.flag("artifact").then(|| Published {
            merged: MergedEvents::new(interval_s, parameters.number(LAST_SUBMIT.name)),
            overheads: parameters.flag("admission").then(|| Overheads::new(interval_s)),
        }),
        arrivals: Arrivals::new(),
    })
}

#[derive(Clone)]
struct Edf {
    interval_s: f64,
    admission: bool,
    published: Option<Published>,
    arrivals: Arrivals,
}

/// As the published simulator. It charges only where it admits.
#[derive(Clone)]
struct Published {
    merged: MergedEvents,
    overheads: Option<Overheads>,
}

impl Policy for Edf {
    fn cadence(&self) -> Cadence {
        match self.published {
            Some(_) => Cadence::OnEvents,
            None => Cadence::AtMostEvery { interval_s: self.interval_s },
        }
    }

    fn on_loss(&self) -> OnLoss {
        OnLoss::Shrink
    }

    fn explain(&self, view: &View<'_>, job: JobId) -> Option<String> {
        let job = view.job(job)?;
        let earlier = |other: &JobView<'_>| Due::of(other) < Due::of(&job);
        let ahead = view.running().chain(view.waiting()).filter(earlier).count();
        let ahead = match (ahead, job.job.deadline_s) {
            (0, _) => "nobody comes before it".into(),
            (ahead, Some(_)) => format!("{ahead} with an earlier deadline before it"),
            (ahead, None) => format!("no deadline of its own, and {ahead} before it"),
        };
        let widest = self.widest(&job, view.gpus_total());
        Some(match job.gpus {
            0 => format!("Waits: {ahead}"),
            gpus if gpus >= widest => format!("Has the {gpus} it can use; {ahead}"),
            gpus => format!("Has {gpus} of the {widest} it can use; {ahead}"),
        })
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        if let Some(Published { merged, overheads }) = &mut self.published
            && !merged.is_due(view, None, actions)
        {
            if let Some(overheads) = overheads {
                overheads.give(view, actions);
            }
            return;
        }
        let met = self.arrivals.clone();
        let arrived = self.arrivals.admit(view, |job| job.bound.gpus_min, actions);
        let can_run = |job: &JobView<'_>| job.started || job.bound.gpus_min <= view.gpus_most();
        let mut jobs: Vec<JobView<'_>> = view.running().chain(view.waiting()).filter(can_run).collect();
        if self.admission {
            // Who has started, or was promised to run by another policy, is in; everybody else was met and admitted.
            let is_in = |job: &JobView<'_>| met.has_met(job.id) || job.started || job.admitted();
            jobs.retain(is_in);
            self.admit(view, &mut jobs, arrived.into_iter().filter(|job| !is_in(job)), actions);
        }
        jobs.sort_by_key(Due::of);
        let wanted = self.divide(view, &jobs);
        if let Some(Published { merged, overheads }) = &mut self.published {
            let running: Vec<JobId> = wanted.iter().filter(|(_, gpus)| *gpus > 0).map(|(job, _)| job.id).collect();
            let suspended = wanted.iter().filter(|(job, gpus)| *gpus == 0 && job.started).count();
            let ends_to_come = running.len() + suspended;
            merged.decided(view, running, ends_to_come);
            if let Some(overheads) = overheads {
                overheads.charge(view, &wanted, actions);
                return;
            }
        }
        let changed = wanted.into_iter().filter(|(job, gpus)| *gpus != job.gpus);
        actions.extend(changed.map(|(job, gpus)| Action::Allocate { job: job.id, gpus }));
    }
}

impl Edf {
    /// What each job in turn can use of what is free.
    fn divide<'a>(&self, view: &View<'a>, jobs: &[JobView<'a>]) -> Vec<(JobView<'a>, u32)> {
        let total = view.gpus_total();
        let mut free = total;
        let give = |job: &JobView<'a>| {
            let gpus = largest_level(job, self.widest(job, total).min(free));
            free -= gpus;
            (*job, gpus)
        };
        jobs.iter().map(give).collect()
    }

    /// Adds those of `new` to `jobs` with whom all deadlines are met, and drops the others.
    fn admit<'a>(
        &self,
        view: &View<'a>,
        jobs: &mut Vec<JobView<'a>>,
        new: impl Iterator<Item = JobView<'a>>,
        actions: &mut Vec<Action>,
    ) {
        let total = view.gpus_total();
        let planned = |job: &JobView<'_>| self.planned(job, view.time_s(), total);
        let mut plans: Vec<(Due, Planned)> = jobs.iter().map(|job| (Due::of(job), planned(job))).collect();
        plans.sort_by_key(|(due, _)| *due);
        for job in new {
            let due = Due::of(&job);
            let at = plans.partition_point(|(other, _)| *other < due);
            plans.insert(at, (due, planned(&job)));
            if self.is_met_by_all(view, plans.iter().map(|(_, planned)| planned)) {
                actions.push(Action::Admit { job: job.id });
                jobs.push(job);
            } else {
                plans.remove(at);
                actions.push(Action::Drop { job: job.id });
            }
        }
    }

    fn is_met_by_all<'p>(&self, view: &View<'_>, mut jobs: impl Iterator<Item = &'p Planned>) -> bool {
        let (now_s, total) = (view.time_s(), view.gpus_total());
        match self.published {
            Some(_) => {
                let mut plan = plan::ArtifactPlan::new(now_s, self.interval_s, total);
                jobs.all(|job| plan.meets_deadline(job))
            }
            None => {
                // Nobody after the last deadline has one to miss.
                let mut plan = Plan::new(now_s, total);
                jobs.take_while(|job| job.deadline_s < f64::INFINITY).all(|job| plan.end_s(job) <= job.deadline_s)
            }
        }
    }

    fn planned(&self, job: &JobView<'_>, now_s: f64, total: u32) -> Planned {
        let widest = self.widest(job, total);
        let speeds = levels(job).take_while(|gpus| *gpus <= widest).map(|gpus| (gpus, job.curve.samples_per_s(gpus)));
        Planned {
            deadline_s: Due::of(job).deadline_s,
            samples_left: job.samples_left,
            ready_s: now_s + job.rescale_left_s(),
            speeds: speeds.collect(),
        }
    }

    /// The most GPUs that the job is given on a cluster of `total`; 0 if it cannot run there.
    fn widest(&self, job: &JobView<'_>, total: u32) -> u32 {
        if self.published.is_some() {
            let batch_global = job.batch_global().unwrap_or(u32::MAX);
            let most = ARTIFACT_GPUS_MAX.min(batch_global).max(job.bound.gpus_min);
            return largest_level(job, most.min(total));
        }
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
}

/// The numbers of GPUs that a job may get: the fewest that it runs on, and those at which its speed was measured.
fn levels<'a>(job: &JobView<'a>) -> impl Iterator<Item = u32> + use<'a> {
    let (least, most) = (job.bound.gpus_min, job.bound.gpus_max);
    let measured = job.curve.points().iter().map(|point| point.gpus);
    std::iter::once(least).chain(measured.filter(move |gpus| (least + 1..=most).contains(gpus)))
}

fn largest_level(job: &JobView<'_>, most: u32) -> u32 {
    levels(job).take_while(|gpus| *gpus <= most).last().unwrap_or(0)
}
