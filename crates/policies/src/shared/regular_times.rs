//! What ModelArts does between its decisions: idle nodes start jobs of the queue, the first job on as many as it can
//! use, then the next.
//!
//! ```text
//! decisions at 0 and 5; a ends at 2 and leaves 4 GPUs; b, which waits, makes use of 3 at most, c is next
//! a 44        b   333        c   111
//! ```

use elastiplan_engine::{Action, JobView, View};

use crate::parameters::{Parameter, YEAR_S};

/// The interval of the two allocators of ModelArts.
pub(crate) const INTERVAL: Parameter = Parameter::number(
    "interval_s",
    "Seconds between decisions, which are also the length of a step",
    300.0,
    1.0..=YEAR_S,
);

/// The most GPUs that the two allocators of ModelArts give to a job.
pub(crate) const GPUS_MAX: Parameter = Parameter::count("gpus_max", "The most GPUs for one job", 16.0, 1.0..=65_536.0);

/// The numbers of GPUs that a job may have.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    /// The most for one job.
    pub most: u32,
    /// Only 1, 2, 4, 8 ...
    pub powers_of_two: bool,
}

impl Sizes {
    /// The fewest that a job may have: a power of two, unless it runs on none that the cluster can have.
    pub fn least(&self, job: &JobView<'_>, view: &View<'_>) -> u32 {
        let least = job.bound.gpus_min.max(1);
        let power = if self.powers_of_two { least.checked_next_power_of_two() } else { None };
        power.filter(|power| *power <= job.bound.gpus_max.min(view.gpus_most())).unwrap_or(least)
    }

    /// The most that a job may have of so many; 0 if that is too few.
    pub fn most_of(&self, job: &JobView<'_>, view: &View<'_>, gpus: u32) -> u32 {
        let least = self.least(job, view);
        let most = gpus.min(job.bound.gpus_max).min(self.most.max(least));
        let power = most.checked_ilog2().filter(|_| self.powers_of_two).map_or(most, |log2| 1 << log2);
        if most < least { 0 } else { power.max(least) }
    }

    /// All numbers that a job may have, rising.
    pub fn all(&self, job: &JobView<'_>, view: &View<'_>) -> impl Iterator<Item = u32> {
        let (least, most, powers_of_two) =
            (self.least(job, view), self.most_of(job, view, u32::MAX), self.powers_of_two);
        let next = move |gpus: &u32| if powers_of_two { gpus.checked_mul(2) } else { gpus.checked_add(1) };
        std::iter::successors(Some(least), next).take_while(move |gpus| *gpus <= most)
    }
}

/// Waiting jobs in order of submission, without those that can never start and are about to be dropped.
pub(crate) fn queue<'a>(view: &View<'a>) -> impl Iterator<Item = JobView<'a>> {
    let most = view.gpus_most();
    view.waiting().filter(move |job| job.started || job.bound.gpus_min <= most)
}

/// Starts waiting jobs in order of submission, each on as many free GPUs as it may have, up to the first for which too
/// few are left. Returns the GPUs that are still free.
pub(crate) fn fill(view: &View<'_>, sizes: &Sizes, actions: &mut Vec<Action>) -> u32 {
    let mut free = view.gpus_free();
    for job in queue(view) {
        let gpus = sizes.most_of(&job, view, free);
        if gpus == 0 {
            break;
        }
        free -= gpus;
        actions.push(Action::Allocate { job: job.id, gpus });
    }
    free
}
