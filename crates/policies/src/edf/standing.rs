//! Jobs that stay in order of their deadlines from decision to decision, so that a job that cannot start costs nothing.

use std::collections::{BTreeMap, BTreeSet, btree_set};

use elastiplan_engine::{Action, JobView, View};
use elastiplan_model::order::sort_by_wide_rank;

use super::queue::{Widest, largest_level};
use crate::shared::arrivals::Arrivals;
use crate::shared::due::Due;

/// Jobs with the GPUs that each is to hold.
type Wanted<'a> = Vec<(JobView<'a>, u32)>;

/// The jobs of the cluster without admission control: what [`Queue`](super::queue::Queue) gives them, in time that
/// grows with the jobs that get GPUs or lose them instead of with all that wait.
#[derive(Clone, Default)]
pub(super) struct Standing {
    arrivals: Arrivals,
    /// By the fewest GPUs on which they run. Jobs that have ended are removed when their turn comes.
    by_gpus_min: BTreeMap<u32, BTreeSet<Due>>,
}

impl Standing {
    /// The GPUs that jobs are to hold, in order of deadlines: of all jobs that get some, and of those that lose all.
    pub fn serve<'a>(&mut self, view: &View<'a>, widest: Widest, actions: &mut Vec<Action>) -> Wanted<'a> {
        for job in self.arrivals.admit(view, |job| job.bound.gpus_min, actions) {
            self.by_gpus_min.entry(job.bound.gpus_min).or_default().insert(Due::of(&job));
        }
        let (mut served, ended) = self.give(view, widest);
        for (gpus_min, due) in ended {
            if let Some(jobs) = self.by_gpus_min.get_mut(&gpus_min) {
                jobs.remove(&due);
            }
        }
        self.by_gpus_min.retain(|_, jobs| !jobs.is_empty());
        let holders: BTreeSet<_> = served.iter().map(|(job, _)| job.id).collect();
        let stopped = view.running().filter(|job| !holders.contains(&job.id));
        served.extend(stopped.map(|job| (job, 0)));
        sort_by_wide_rank(&mut served, |(job, _)| Due::of(job).rank());
        served
    }

    /// Gives GPUs to jobs in order of deadlines. Also returns the jobs found to have ended, with the fewest GPUs on
    /// which they ran.
    fn give<'a>(&self, view: &View<'a>, widest: Widest) -> (Wanted<'a>, Vec<(u32, Due)>) {
        let total = view.gpus_total();
        let mut free = total;
        let (mut served, mut ended) = (Vec::new(), Vec::new());
        let first = self.by_gpus_min.iter().filter_map(|(gpus_min, jobs)| next_turn(*gpus_min, jobs.iter()));
        let mut turns: BTreeMap<Due, Turn<'_>> = first.collect();
        while let Some((due, Turn { gpus_min, later })) = turns.pop_first() {
            // What is free only falls: of these jobs, none starts later in this decision.
            if gpus_min > free {
                continue;
            }
            turns.extend(next_turn(gpus_min, later));
            let Some(job) = view.job(due.job) else {
                ended.push((gpus_min, due));
                continue;
            };
            let gpus = largest_level(&job, widest(&job, total).min(free));
            free -= gpus;
            served.push((job, gpus));
        }
        (served, ended)
    }
}

/// The jobs that run on the same fewest GPUs, without those that had their turn.
struct Turn<'q> {
    gpus_min: u32,
    later: btree_set::Iter<'q, Due>,
}

fn next_turn(gpus_min: u32, mut jobs: btree_set::Iter<'_, Due>) -> Option<(Due, Turn<'_>)> {
    jobs.next().map(|due| (*due, Turn { gpus_min, later: jobs }))
}
