//! Jobs in order of their deadlines, each on as many of the remaining GPUs as it can use.

use elastiplan_engine::{Action, JobView, View};
use elastiplan_model::order::sort_by_wide_rank;

use super::plan::Planned;
use crate::shared::arrivals::Arrivals;
use crate::shared::due::Due;

/// The most GPUs that a job is given on a cluster of so many; 0 if it cannot run there.
pub(crate) type Widest = fn(&JobView<'_>, u32) -> u32;

/// The jobs of the cluster, with or without admission control.
#[derive(Clone)]
pub(crate) struct Queue {
    admission: bool,
    widest: Widest,
    arrivals: Arrivals,
}

impl Queue {
    pub fn new(admission: bool, widest: Widest) -> Self {
        Self { admission, widest, arrivals: Arrivals::default() }
    }

    /// The GPUs that each job is to hold, in order of deadlines. With admission control, jobs that arrived are admitted
    /// one by one if `all_in_time` accepts the plans of all jobs, in order of deadlines, and dropped otherwise.
    pub fn serve<'a>(
        &mut self,
        view: &View<'a>,
        all_in_time: impl Fn(&[(Due, Planned)]) -> bool,
        actions: &mut Vec<Action>,
    ) -> Vec<(JobView<'a>, u32)> {
        let met = self.arrivals.clone();
        let arrived = self.arrivals.admit(view, |job| job.bound.gpus_min, actions);
        let can_run = |job: &JobView<'_>| job.started || job.bound.gpus_min <= view.gpus_most();
        let mut jobs: Vec<JobView<'_>> = view.running().chain(view.waiting()).filter(can_run).collect();
        if self.admission {
            // Jobs that have started, or that another policy has admitted, need no test.
            let is_in = |job: &JobView<'_>| met.has_met(job.id) || job.started || job.admitted();
            jobs.retain(is_in);
            self.admit(view, &mut jobs, arrived.into_iter().filter(|job| !is_in(job)), all_in_time, actions);
        }
        sort_by_wide_rank(&mut jobs, |job| Due::of(job).rank());
        let total = view.gpus_total();
        let mut free = total;
        let give = |job: JobView<'a>| {
            let gpus = largest_level(&job, (self.widest)(&job, total).min(free));
            free -= gpus;
            (job, gpus)
        };
        jobs.into_iter().map(give).collect()
    }

    /// Adds a job of `new` to `jobs` if all deadlines are met with it, and drops it otherwise.
    fn admit<'a>(
        &self,
        view: &View<'a>,
        jobs: &mut Vec<JobView<'a>>,
        new: impl Iterator<Item = JobView<'a>>,
        all_in_time: impl Fn(&[(Due, Planned)]) -> bool,
        actions: &mut Vec<Action>,
    ) {
        let mut plans: Vec<(Due, Planned)> = jobs.iter().map(|job| (Due::of(job), self.planned(job, view))).collect();
        sort_by_wide_rank(&mut plans, |(due, _)| due.rank());
        for job in new {
            let due = Due::of(&job);
            let at = plans.partition_point(|(other, _)| *other < due);
            plans.insert(at, (due, self.planned(&job, view)));
            if all_in_time(&plans) {
                actions.push(Action::Admit { job: job.id });
                jobs.push(job);
            } else {
                plans.remove(at);
                actions.push(Action::Drop { job: job.id });
            }
        }
    }

    fn planned(&self, job: &JobView<'_>, view: &View<'_>) -> Planned {
        let widest = (self.widest)(job, view.gpus_total());
        let speeds = levels(job).take_while(|gpus| *gpus <= widest).map(|gpus| (gpus, job.curve.samples_per_s(gpus)));
        Planned {
            deadline_s: Due::of(job).deadline_s.0,
            samples_left: job.samples_left,
            ready_s: view.time_s() + job.rescale_left_s(),
            speeds: speeds.collect(),
        }
    }
}

/// Explains the present allocation of a job.
pub(crate) fn explain(view: &View<'_>, job: &JobView<'_>, widest: Widest) -> String {
    let earlier = |other: &JobView<'_>| Due::of(other) < Due::of(job);
    let ahead = view.running().chain(view.waiting()).filter(earlier).count();
    let ahead = match (ahead, job.job.deadline_s) {
        (0, _) => "no job comes before it".into(),
        (ahead, Some(_)) => format!("{ahead} with an earlier deadline before it"),
        (ahead, None) => format!("no deadline of its own, and {ahead} before it"),
    };
    match (job.gpus, widest(job, view.gpus_total())) {
        (0, _) => format!("Waits: {ahead}"),
        (gpus, widest) if gpus >= widest => format!("Has the {gpus} it can use; {ahead}"),
        (gpus, widest) => format!("Has {gpus} of the {widest} it can use; {ahead}"),
    }
}

/// The numbers of GPUs that a job may get: the fewest that it runs on, and all measured ones.
pub(crate) fn levels<'a>(job: &JobView<'a>) -> impl Iterator<Item = u32> + use<'a> {
    let (least, most) = (job.bound.gpus_min, job.bound.gpus_max);
    let measured = job.curve.points().iter().map(|point| point.gpus);
    std::iter::once(least).chain(measured.filter(move |gpus| (least + 1..=most).contains(gpus)))
}

/// The largest of these numbers that is at most `most`; 0 if there is none.
pub(crate) fn largest_level(job: &JobView<'_>, most: u32) -> u32 {
    levels(job).take_while(|gpus| *gpus <= most).last().unwrap_or(0)
}
