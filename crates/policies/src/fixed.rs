//! `fixed`: first come, first served, every job on the GPUs it asked for, from start to end.
//!
//! The rigid baseline of elastic schedulers. A job that requests more GPUs than the cluster has is dropped at
//! submission.
//!
//! With `backfill=true` a job may overtake if that does not delay the first one in the queue (EASY backfilling,
//! Lifka 1995: the first job holds a reservation for the time at which enough running jobs will have ended). Run times
//! are known here, so reservations are kept.
//!
//! ```text
//! 4 GPUs; a asks for 3, b for 2, c for 1, in that order, all submitted at 0
//! backfill=false   a aaa    b waits, and c behind it
//! backfill=true    a aaa c  c overtakes: b could not have started anyway
//! ```

use elastiplan_engine::{Action, JobView, Policy, View};
use elastiplan_model::order::sort_by_number;

use crate::parameters::{Entry, Parameter, Parameters};
use crate::shared::arrivals::{Arrivals, gpus_rigid};

const BACKFILL: Parameter =
    Parameter::flag("backfill", "A job may overtake if it does not delay the job at the head of the queue", false);

/// The entry in the registry.
pub const ENTRY: Entry = Entry {
    name: "fixed",
    summary: "First come, first served, on the GPUs each job asked for",
    source: "The rigid baseline of all five papers; backfilling after Lifka 1995 (EASY)",
    is_elastic: false,
    parameters: &[BACKFILL],
};

pub(crate) fn build(parameters: &Parameters) -> Box<dyn Policy> {
    Box::new(Fixed { backfill: parameters.flag(&BACKFILL), arrivals: Arrivals::default() })
}

#[derive(Clone)]
struct Fixed {
    backfill: bool,
    arrivals: Arrivals,
}

impl Policy for Fixed {
    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        let gpus = job.bound.gpus_requested;
        let ahead = view.waiting().take_while(|other| other.id != job.id).count();
        Some(match (job.gpus, ahead) {
            (1.., _) => format!("Has the {gpus} it asked for until it is done"),
            (0, 0) => format!("Next in line: asks for {gpus}, {} free", view.gpus_free()),
            (0, ahead) => format!("Asks for {gpus}; {ahead} in line before it"),
        })
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        self.arrivals.admit(view, |job| job.bound.gpus_requested, actions);
        let most = view.gpus_most();
        let mut free = view.gpus_free();
        let mut started: Vec<JobView<'_>> = Vec::new();
        let mut queue = view.waiting().filter(|job| gpus_rigid(job, most) <= most);
        while let Some(job) = queue.next() {
            let gpus = gpus_rigid(&job, most);
            if gpus <= free {
                free -= gpus;
                started.push(job);
                actions.push(Action::Allocate { job: job.id, gpus });
            } else {
                // Without a free GPU nothing can overtake, and looking at a long queue costs time.
                if self.backfill && free > 0 {
                    let reservation = Reservation::for_first(&job, view, &started, free);
                    backfill(queue, reservation, view, free, actions);
                }
                return;
            }
        }
    }
}

/// The reservation of the first job in the queue.
struct Reservation {
    /// The latest start of that job.
    start_s: f64,
    /// GPUs that will be free beside it at that time.
    gpus_beside: u32,
}

impl Reservation {
    fn for_first(first: &JobView<'_>, view: &View<'_>, started: &[JobView<'_>], free: u32) -> Self {
        let (now_s, most) = (view.time_s(), view.gpus_most());
        let mut ends: Vec<(f64, u32)> = view
            .running()
            .map(|job| (now_s + job.samples_left / job.curve.samples_per_s(job.gpus), job.gpus))
            .collect();
        ends.extend(started.iter().map(|job| (now_s + run_time_s(job, most), gpus_rigid(job, most))));
        sort_by_number(&mut ends, |(end_s, _)| *end_s);
        let needed = gpus_rigid(first, most);
        let mut gpus = free;
        let mut start_s = f64::INFINITY;
        for (end_s, released) in ends {
            if gpus >= needed && end_s > start_s {
                break;
            }
            gpus += released;
            start_s = end_s;
        }
        Self { start_s, gpus_beside: gpus.saturating_sub(needed) }
    }
}

fn run_time_s(job: &JobView<'_>, gpus_most: u32) -> f64 {
    job.samples_left / job.curve.samples_per_s(gpus_rigid(job, gpus_most))
}

fn backfill<'a>(
    queue: impl Iterator<Item = JobView<'a>>,
    mut reservation: Reservation,
    view: &View<'_>,
    mut free: u32,
    actions: &mut Vec<Action>,
) {
    let (now_s, most) = (view.time_s(), view.gpus_most());
    for job in queue {
        let gpus = gpus_rigid(&job, most);
        if gpus > free {
            continue;
        }
        let ends_before = now_s + run_time_s(&job, most) <= reservation.start_s;
        if !ends_before && gpus > reservation.gpus_beside {
            continue;
        }
        if !ends_before {
            reservation.gpus_beside -= gpus;
        }
        free -= gpus;
        actions.push(Action::Allocate { job: job.id, gpus });
        if free == 0 {
            return;
        }
    }
}
