//! `equal-share[share=replayer]`: the heuristic in the published replayer of BFTrainer.
//!
//! A job gets nothing where the equal share, rounded down, is not above its minimum. GPUs left over go to the first
//! jobs, up to their maxima; with fewer than two GPUs a job the first job takes all that it can use. It decides only
//! when nodes join or leave, and changes are charged in samples.

use elastiplan_engine::{Action, Charging, JobView, OnLoss, Policy, View};

use super::idle_pool::IdlePool;
use crate::shared::trainers::Trainers;

/// Equal shares rounded down, and the rest to the first jobs.
#[derive(Clone)]
pub(crate) struct ReplayedShare {
    trainers: Trainers,
    pool: IdlePool,
}

impl ReplayedShare {
    /// At most `jobs_max` jobs at a time.
    pub fn new(jobs_max: u32) -> Self {
        Self { trainers: Trainers::new(jobs_max), pool: IdlePool::default() }
    }
}

impl Policy for ReplayedShare {
    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        let sharing = view.running().count();
        if let Some(reason) = self.trainers.reason_outside(job.id) {
            return Some(reason);
        }
        Some(match job.gpus {
            0 => "Waits: an equal share is not above its minimum, and those before it take the rest".into(),
            _ => format!("{} GPUs shared by {sharing} since nodes last came or went", view.gpus_total()),
        })
    }

    fn on_loss(&self) -> OnLoss {
        OnLoss::Shrink
    }

    fn charging(&self) -> Charging {
        Charging::Work
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        if !self.pool.is_due(view, actions) {
            return;
        }
        let jobs = self.trainers.admit(view, actions);
        let shares = replayed_shares(&jobs, view.gpus_total());
        let changed: Vec<_> = jobs.into_iter().zip(shares).filter(|(job, gpus)| *gpus != job.gpus).collect();
        self.pool.place(view, &changed, actions);
    }
}

/// The equal share where it is above the minimum, otherwise nothing; then the rest to the first jobs that run on it.
fn replayed_shares(jobs: &[JobView<'_>], total: u32) -> Vec<u32> {
    let each = total.checked_div(jobs.len() as u32).unwrap_or(0);
    let share = |job: &JobView<'_>| if each > job.bound.gpus_min { each.min(job.bound.gpus_max) } else { 0 };
    let mut left = total.saturating_sub(jobs.iter().map(share).sum());
    let with_rest = |job: &JobView<'_>| {
        let gpus = job.bound.gpus_max.min(share(job) + left);
        let gpus = if gpus < job.bound.gpus_min { 0 } else { gpus };
        left -= gpus.saturating_sub(share(job));
        gpus
    };
    jobs.iter().map(with_rest).collect()
}
