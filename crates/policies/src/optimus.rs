//! `optimus`: the next GPU goes to the job whose remaining time it shortens most.
//!
//! Peng et al., "Optimus: An Efficient Dynamic Resource Scheduler for Deep Learning Clusters", EuroSys 2018, as Pollux
//! compares itself with it (section 5.2, Optimus+Oracle): batch sizes stay as they are, speeds are known, and so is the
//! work that is left. Every round divides all GPUs: the fewest that each job runs on, in order of submission, then one
//! at a time. Jobs whose number of GPUs stays keep them; the others are placed on the emptiest nodes, the smallest
//! first.
//!
//! `artifact=true` counts the work left as the published simulator does: `artifact/optimus.rs`.
//!
//! ```text
//! 3 GPUs, speeds 1, 2 and 3, in rounds of 1 s; a has 10 s of work, b 2 s
//! a 2233   b 11      the second GPU saves a 5 s and b 1 s
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use elastiplan_engine::{Action, JobView, Policy, View};
use elastiplan_model::JobId;
use elastiplan_model::order::{Number, sort_by_key, sort_by_rank};

use crate::artifact::optimus;
use crate::parameters::{Entry, Parameters};
use crate::shared::arrivals::Arrivals;
use crate::shared::emptiest_first::FreeNodes;
use crate::shared::rivals::ARTIFACT;
use crate::shared::rounds::{INTERVAL, Rounds};
use crate::shared::words;

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "optimus",
    summary: "The next GPU to the job whose remaining time it shortens most",
    source: "Optimus, section 4, with exact knowledge of speed and work, as the rival in Pollux, section 5.2",
    is_elastic: true,
    parameters: &[INTERVAL, ARTIFACT],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    Box::new(Optimus {
        rounds: Rounds::new(parameters.number(&INTERVAL)),
        samples_left: if parameters.flag(&ARTIFACT) { optimus::samples_left } else { samples_left },
        arrivals: Arrivals::default(),
    })
}

#[derive(Clone)]
struct Optimus {
    rounds: Rounds,
    /// Samples to be processed until a job ends.
    samples_left: fn(&JobView<'_>) -> f64,
    arrivals: Arrivals,
}

/// A job that could get one more GPU. The greatest saves most; of equal ones, the job submitted first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// The time that one more GPU would save.
    saved_s: Number,
    /// Its place among the jobs.
    at: Reverse<usize>,
}

impl Policy for Optimus {
    fn explain(&self, _view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        let samples = (self.samples_left)(job);
        let left_s = |gpus: u32| remaining_s(job, samples, gpus);
        Some(match job.gpus {
            0 => "Waits: jobs that came before it hold all GPUs".into(),
            held => format!(
                "On {} it needs {} more; another GPU would change that by {}",
                words::gpus(held),
                words::duration(left_s(held)),
                words::duration(left_s(held) - left_s(held + 1)),
            ),
        })
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        if !self.rounds.is_due(view, actions) {
            return;
        }
        self.arrivals.admit(view, |job| job.bound.gpus_min, actions);
        let dropped = actions.iter().filter_map(|action| match action {
            Action::Drop { job } => Some(*job),
            _ => None,
        });
        let dropped: Vec<JobId> = dropped.collect();
        let mut jobs: Vec<JobView<'_>> = view.running().chain(view.waiting()).collect();
        jobs.retain(|job| dropped.binary_search(&job.id).is_err());
        sort_by_rank(&mut jobs, |job| job.id.0.into());
        let counts = self.counts(view, &jobs);
        let mut changed: Vec<(u32, &JobView<'_>)> =
            counts.into_iter().zip(&jobs).filter(|(gpus, job)| *gpus != job.gpus).collect();
        let mut free = FreeNodes::without(view, changed.iter().map(|(_, job)| job.id));
        sort_by_key(&mut changed, |(gpus, job)| (*gpus, job.id));
        actions.extend(changed.iter().map(|(gpus, job)| Action::Place { job: job.id, on: free.take(*gpus) }));
    }
}

impl Optimus {
    /// The GPUs of each job, for jobs in order of submission.
    fn counts(&self, view: &View<'_>, jobs: &[JobView<'_>]) -> Vec<u32> {
        let mut free = view.gpus_total();
        let mut counts: Vec<u32> = Vec::with_capacity(jobs.len());
        for job in jobs {
            let gpus = job.bound.gpus_min;
            let given = if gpus <= free { gpus } else { 0 };
            free -= given;
            counts.push(given);
        }
        let samples: Vec<f64> = jobs.iter().map(|job| (self.samples_left)(job)).collect();
        let candidate = |at: usize, gpus: u32| {
            let (job, samples) = (jobs.get(at)?, samples.get(at)?);
            let more = gpus > 0 && gpus < job.bound.gpus_max;
            let saved_s = remaining_s(job, *samples, gpus) - remaining_s(job, *samples, gpus + 1);
            (more && saved_s > 0.0).then_some(Candidate { saved_s: Number(saved_s), at: Reverse(at) })
        };
        let mut queue: BinaryHeap<Candidate> =
            counts.iter().enumerate().filter_map(|(at, gpus)| candidate(at, *gpus)).collect();
        while free > 0 {
            let Some(next) = queue.pop() else { break };
            let Some(gpus) = counts.get_mut(next.at.0) else { break };
            *gpus += 1;
            free -= 1;
            queue.extend(candidate(next.at.0, *gpus));
        }
        counts
    }
}

/// Samples to be processed until the end, at the batch size that the job has.
fn samples_left(job: &JobView<'_>) -> f64 {
    let Some((efficiency, batch)) = job.curve.efficiency().zip(job.batch_global()) else { return job.samples_left };
    efficiency.steps_left(batch, job.samples_left, job.bound.samples) * f64::from(batch)
}

/// The steps left times the time of one. Samples added to make a batch whole on every GPU do not count as progress.
fn remaining_s(job: &JobView<'_>, samples: f64, gpus: u32) -> f64 {
    let more = job.batch_global().map_or(1.0, |batch| f64::from(job.curve.batch_on(gpus, batch)) / f64::from(batch));
    samples * more / job.curve.samples_per_s(gpus)
}
