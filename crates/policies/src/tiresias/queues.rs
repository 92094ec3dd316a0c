//! Queues of jobs by the GPU time that they have had.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use elastiplan_engine::{JobView, View};
use elastiplan_model::JobId;
use elastiplan_model::order::{sort_by_key, sort_by_rank};

use crate::shared::arrivals::gpus_rigid;

/// How much below its limit GPU time may be to count as there: the clock has only so many digits.
const TOLERANCE_GPU_S: f64 = 1e-6;

/// The latest time at which a decision is asked for: longer limits are as good as none.
pub(crate) const ALARM_MAX_S: f64 = 1e12;

/// Whether GPU time has reached a limit.
pub(crate) fn has_reached(gpu_seconds: f64, limit_gpu_s: f64) -> bool {
    gpu_seconds + TOLERANCE_GPU_S >= limit_gpu_s
}

/// The GPUs for a job that is served: a job that another policy started keeps those that it holds.
pub(super) fn gpus_served(job: &JobView<'_>, view: &View<'_>) -> u32 {
    if job.gpus > 0 { job.gpus } else { gpus_rigid(job, view.gpus_most()) }
}

/// Three queues, each in order of service.
#[derive(Clone)]
pub(crate) struct Queues {
    /// The GPU time at which a job leaves the first and the second queue.
    limits_gpu_s: [f64; 2],
    queues: [Vec<JobId>; 3],
}

impl Queues {
    pub fn new(limits_gpu_s: [f64; 2]) -> Self {
        Self { limits_gpu_s, queues: Default::default() }
    }

    /// Removes jobs that have ended, and adds jobs to the first queue.
    pub fn update(&mut self, view: &View<'_>, arrived: &[JobView<'_>]) {
        for queue in &mut self.queues {
            queue.retain(|job| view.job(*job).is_some());
        }
        let [first, ..] = &mut self.queues;
        first.extend(arrived.iter().map(|job| job.id));
    }

    /// Moves jobs that have had enough from queue `number` to the end of the next, the widest first.
    pub fn move_down(&mut self, view: &View<'_>, number: usize, has_had_enough: impl Fn(&JobView<'_>, f64) -> bool) {
        let Some(limit_gpu_s) = self.limits_gpu_s.get(number).copied() else { return };
        let Some([queue, next]) = self.queues.get_mut(number..number + 2) else { return };
        let is_over = |job: &JobId| view.job(*job).is_some_and(|job| has_had_enough(&job, limit_gpu_s));
        let (mut down, stay) = std::mem::take(queue).into_iter().partition::<Vec<JobId>, _>(is_over);
        sort_by_key(&mut down, |job| (Reverse(view.job(*job).map_or(0, |job| job.bound.gpus_requested)), *job));
        *queue = stay;
        next.extend(down);
    }

    /// Puts each queue in order of submission.
    pub fn sort_by_submission(&mut self) {
        for queue in &mut self.queues {
            sort_by_rank(queue, |job| job.0.into());
        }
    }

    /// The GPUs of every job, in order of service: all that it requested while so many are free, or none. Within a
    /// queue, jobs that do not fit move behind those that run.
    pub fn serve<'a>(&mut self, view: &View<'a>) -> Vec<(JobView<'a>, u32)> {
        let mut free = view.gpus_total();
        let mut wanted = Vec::new();
        for queue in &mut self.queues {
            let mut passed_over = Vec::new();
            queue.retain(|id| {
                let Some(job) = view.job(*id) else { return false };
                let gpus = gpus_served(&job, view);
                let runs = gpus <= free;
                let gpus = if runs { gpus } else { 0 };
                free -= gpus;
                wanted.push((job, gpus));
                if !runs {
                    passed_over.push(*id);
                }
                runs
            });
            queue.extend(passed_over);
        }
        wanted
    }

    /// When the first of the `running` jobs will have reached the limit of its queue; infinite if none will. `left_s`
    /// is how long a job takes to reach a limit.
    pub fn next_limit_s(
        &self,
        view: &View<'_>,
        running: &BTreeSet<JobId>,
        left_s: impl Fn(&JobView<'_>, f64) -> f64,
    ) -> f64 {
        let mut next_s = f64::INFINITY;
        for (queue, limit_gpu_s) in self.queues.iter().zip(self.limits_gpu_s) {
            for job in queue.iter().filter(|job| running.contains(job)).filter_map(|job| view.job(*job)) {
                next_s = next_s.min(view.time_s() + left_s(&job, limit_gpu_s).max(0.0));
            }
        }
        next_s
    }

    /// Explains the present allocation of a job.
    pub fn explain(&self, job: &JobView<'_>) -> Option<String> {
        let (queue, place) = self.queues.iter().enumerate().find_map(|(number, queue)| {
            let place = queue.iter().position(|other| *other == job.id)?;
            Some((number + 1, place))
        })?;
        let had = job.gpu_seconds().round();
        let ahead = self.queues.iter().take(queue - 1).map(Vec::len).sum::<usize>() + place;
        Some(match job.gpus {
            0 => format!(
                "Waits in queue {queue} for {}, {ahead} before it: has had {had} GPU-seconds",
                job.bound.gpus_requested
            ),
            gpus => format!("Runs on the {gpus} it asked for, from queue {queue}: has had {had} GPU-seconds"),
        })
    }
}
