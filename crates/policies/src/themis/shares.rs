//! Shares of time that make the largest ratio of finish times as small as can be, and the rounds that follow from them.

use std::collections::BTreeMap;

use elastiplan_engine::{Action, JobView, View};
use elastiplan_model::{JobId, order};
use elastiplan_solvers::{Taker, fair_shares};

use crate::shared::arrivals::{Arrivals, gpus_rigid, rigid_jobs};
use crate::shared::settling::Start;

/// The state of all jobs from one round to the next.
#[derive(Clone, Default)]
pub(crate) struct TimeShares {
    standings: BTreeMap<JobId, Standing>,
    arrivals: Arrivals,
}

/// The state of one job from one round to the next.
#[derive(Clone, Copy, Default)]
pub(crate) struct Standing {
    /// Work left and speed on an equal share alone, in the last round.
    last: Option<(f64, f64)>,
    /// Duration of the work until the last round on an equal share alone.
    alone: f64,
    /// Rounds in which it ran.
    pub rounds: u32,
    /// The share of time that it was given in the last round.
    pub share: f64,
    start: Start,
}

impl TimeShares {
    /// Updates the jobs of the cluster. Returns those that can run, in order of submission, and whether a job arrived
    /// or ended.
    pub fn update_jobs<'a>(&mut self, view: &View<'a>, actions: &mut Vec<Action>) -> (Vec<JobView<'a>>, bool) {
        let arrived = !self.arrivals.admit(view, |job| job.bound.gpus_requested, actions).is_empty();
        let jobs = rigid_jobs(view);
        let known = self.standings.len();
        self.standings.retain(|id, _| jobs.binary_search_by_key(id, |job| job.id).is_ok());
        (jobs, arrived || self.standings.len() < known)
    }

    /// Brings the jobs to the round at `now_s` and computes their shares. `speed_alone` is the speed of a job alone on
    /// an equal share of the cluster, of the part of its GPUs in that share and its speed on all of them.
    pub fn share_time(
        &mut self,
        jobs: &[JobView<'_>],
        view: &View<'_>,
        now_s: f64,
        speed_alone: impl Fn(f64, f64) -> f64,
    ) {
        let (most, total) = (view.gpus_most(), view.gpus_total());
        let equal_share = f64::from(total.div_ceil(jobs.len().max(1) as u32).max(1));
        let mut takers = Vec::with_capacity(jobs.len());
        for job in jobs {
            let gpus = gpus_rigid(job, most);
            let speed = job.curve.samples_per_s(gpus);
            let speed_alone = speed_alone((equal_share / f64::from(gpus)).min(1.0), speed);
            let new = || Standing { start: Start::of(job, view.time_s()), ..Standing::default() };
            let standing = self.standings.entry(job.id).or_insert_with(new);
            if let Some((left, speed)) = standing.last.replace((job.samples_left, speed_alone)) {
                standing.alone += (left - job.samples_left) / speed;
            }
            takers.push(Taker {
                waited: (now_s - job.job.submit_s).max(0.0),
                needed: job.samples_left / speed,
                alone: standing.alone + job.samples_left / speed_alone,
                units: f64::from(gpus),
            });
        }
        let shares = fair_shares(&takers, f64::from(total));
        for (standing, share) in self.standings.values_mut().zip(shares) {
            standing.share = share;
        }
    }

    /// Runs every job that fits, from the highest priority down.
    pub fn fill(
        &mut self,
        jobs: &[JobView<'_>],
        view: &View<'_>,
        priority: impl Fn(&Standing) -> f64,
        actions: &mut Vec<Action>,
    ) {
        let (mut free, most, now_s) = (view.gpus_total(), view.gpus_most(), view.time_s());
        let mut ranked: Vec<(&JobView<'_>, u32, bool, u128)> = Vec::with_capacity(jobs.len());
        for (job, standing) in jobs.iter().zip(self.standings.values_mut()) {
            let gpus = gpus_rigid(job, most);
            let stays = job.gpus == gpus && standing.start.is_settling(job, now_s);
            let rank = order::wide_rank(priority(standing), order::rising_bits(standing.share));
            ranked.push((job, gpus, stays, !rank));
        }
        order::sort_by_wide_rank(&mut ranked, |(.., rank)| *rank);
        let that_stay = |stays: bool| ranked.iter().filter(move |ranked| ranked.2 == stays);
        for (job, gpus, ..) in that_stay(true).chain(that_stay(false)) {
            let runs = *gpus <= free;
            let gpus = if runs { *gpus } else { 0 };
            free -= gpus;
            let Some(standing) = self.standings.get_mut(&job.id) else { continue };
            standing.rounds += u32::from(runs);
            if gpus != job.gpus {
                standing.start = Start::of(job, now_s);
                actions.push(Action::Allocate { job: job.id, gpus });
            }
        }
    }

    /// Explains the present allocation of a job.
    pub fn explain(&self, job: &JobView<'_>) -> Option<String> {
        let Some(standing) = self.standings.get(&job.id) else { return Some("Waits for the next round".into()) };
        let percent = (standing.share * 100.0).round();
        let has = if job.gpus > 0 { "Runs" } else { "Waits" };
        let rounds = if standing.rounds == 1 { "round" } else { "rounds" };
        Some(format!(
            "{has}: fair would be {percent}% of the time from now on, and it had {} {rounds}",
            standing.rounds
        ))
    }
}
