//! `shortest-first`: the job with the shortest run time starts next, on the GPUs it asked for, and is not interrupted.
//!
//! The usual alternative to first come, first served: on one machine whose jobs are all submitted at once it has the
//! least mean completion time (Smith 1956). Run times are taken as known. No job overtakes the next job while that
//! waits for its GPUs, so narrow jobs cannot starve a wide one; short jobs can starve a long one. A job that requests
//! more GPUs than the cluster has is dropped at submission.
//!
//! ```text
//! 2 GPUs; a asks for 2 and takes 4 s, b asks for 1 and takes 3 s, c asks for 1 and takes 2 s; all submitted at 0
//! a ...2222   b 111   c 11
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use elastiplan_engine::{Action, JobView, Policy, View};
use elastiplan_model::JobId;
use elastiplan_model::order::Number;

use crate::parameters::{Entry, Parameters};
use crate::shared::arrivals::{Arrivals, gpus_rigid};

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "shortest-first",
    summary: "The shortest job next, on the GPUs it asked for",
    source: "Smith 1956; the usual rival of first come, first served",
    is_elastic: false,
    parameters: &[],
};

pub(crate) fn build(_: &Parameters) -> Box<dyn Policy> {
    Box::new(ShortestFirst { arrivals: Arrivals::default(), queue: BinaryHeap::new() })
}

#[derive(Clone)]
struct ShortestFirst {
    arrivals: Arrivals,
    /// Kept in order between decisions: sorting a long queue each time would take most of a run.
    queue: BinaryHeap<Reverse<Queued>>,
}

/// A job in the queue, in order of run time and then of submission.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Queued {
    run_time_s: Number,
    job: JobId,
}

impl Policy for ShortestFirst {
    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        let gpus = job.bound.gpus_requested;
        if job.gpus > 0 {
            return Some(format!("Has the {gpus} it asked for until it is done"));
        }
        let shorter = view.waiting().filter(|other| Queued::new(other) < Queued::new(job)).count();
        Some(match shorter {
            0 => format!("The shortest in line: asks for {gpus}, {} free", view.gpus_free()),
            shorter => format!("{shorter} in line are shorter"),
        })
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        // New jobs are not queued yet, whether another policy's were interrupted or not.
        let interrupted: Vec<JobId> = view.lost().iter().copied().filter(|job| self.arrivals.has_met(*job)).collect();
        let interrupted = interrupted.into_iter().filter_map(|job| view.job(job));
        let arrived = self.arrivals.admit(view, |job| job.bound.gpus_requested, actions);
        let waiting = arrived.into_iter().chain(interrupted).filter(|job| job.gpus == 0);
        self.queue.extend(waiting.map(|job| Reverse(Queued::new(&job))));
        let mut free = view.gpus_free();
        while let Some(Reverse(next)) = self.queue.peek() {
            let waiting = view.job(next.job).filter(|job| job.gpus == 0);
            let gpus = waiting.map_or(0, |job| gpus_rigid(&job, view.gpus_most()));
            if gpus > free {
                return;
            }
            if gpus > 0 {
                free -= gpus;
                actions.push(Action::Allocate { job: next.job, gpus });
            }
            self.queue.pop();
        }
    }
}

impl Queued {
    fn new(job: &JobView<'_>) -> Self {
        let run_time_s = job.samples_left / job.curve.samples_per_s(job.bound.gpus_requested);
        Self { run_time_s: Number(run_time_s), job: job.id }
    }
}
