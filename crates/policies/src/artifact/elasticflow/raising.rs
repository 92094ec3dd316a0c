//! How the artifact gives away free GPUs: a level at a time, to the job whose GPU time grows most.

use elastiplan_model::order::sort_by_number;
use elastiplan_solvers::{Clock, FreeGpus, Grounds, Level, Plan, Stretch, minimum_share_after};

use super::entry::Entry;

/// A step up.
struct Raise {
    level: Level,
    plan: Plan,
    counted: f64,
    grounds: Grounds,
}

/// A job with its next step up.
struct Rated {
    entry: Entry,
    /// None if there is no further level, or not so many GPUs are left.
    raise: Option<Raise>,
    /// GPU-seconds that the step costs, for each GPU added. A job on its last level keeps the rating that brought it
    /// there.
    rating: f64,
}

/// The GPUs that are free.
struct Raising {
    now_s: f64,
    clock: Clock,
    left: u32,
    free: FreeGpus,
    /// The stretches of time in which the last step changed that.
    changed: Vec<Stretch>,
    /// Memory for what would be free without one of the jobs.
    without: FreeGpus,
}

/// Gives away the `left` GPUs. The resulting order of the jobs determines where they are placed.
pub(super) fn raise(entries: &mut Vec<Entry>, now_s: f64, left: u32, free: FreeGpus, clock: Clock) {
    if left == 0 {
        return;
    }
    let without = free.clone();
    let mut raising = Raising { now_s, clock, left, free, changed: Vec::new(), without };
    let rated = |entry| Rated { entry, raise: None, rating: f64::NEG_INFINITY };
    let mut all: Vec<Rated> = entries.drain(..).map(rated).collect();
    loop {
        all.iter_mut().for_each(|rated| raising.rate(rated));
        sort_by_number(&mut all, |rated| -rated.rating);
        let best = all.iter_mut().find_map(|rated| Some((&mut rated.entry, rated.raise.take()?)));
        let Some((entry, raise)) = best else { break };
        raising.take(entry, raise);
    }
    entries.extend(all.into_iter().map(|rated| rated.entry));
}

impl Raising {
    /// Rates the next step of a job, again if what the rating was computed from has changed.
    fn rate(&mut self, Rated { entry, raise, rating }: &mut Rated) {
        let known = raise.take();
        let Some(level) = entry.next_level() else { return };
        let added = level.gpus - entry.gpus;
        if added > self.left {
            *rating = f64::NEG_INFINITY;
            return;
        }
        let standing = known.filter(|known| known.grounds.hold(&self.free, &entry.plan, &self.changed));
        *raise = Some(standing.unwrap_or_else(|| {
            let raise = self.plan(entry, level);
            let costs = || (raise.counted - entry.counted) / f64::from(added);
            *rating = if entry.gpus == 0 { f64::INFINITY } else { costs() };
            raise
        }));
    }

    fn plan(&mut self, entry: &Entry, level: Level) -> Raise {
        let Self { now_s, clock, free, without, .. } = self;
        without.clone_from(free);
        without.give_back(&entry.plan);
        let (plan, grounds) = entry.with_demand(|demand| minimum_share_after(without, *now_s, level, demand, *clock));
        let at_once = without.next_after(*now_s).is_none_or(|change_s| plan.release_s <= change_s);
        if at_once {
            return Raise { level, counted: plan.gpu_seconds(), plan, grounds };
        }
        let before_s = clock.aligned(*now_s, entry.deadline_s);
        let counted = plan.gpu_seconds_to_change(without, before_s);
        let grounds = grounds.and_from(plan.release_s, before_s);
        Raise { level, plan, counted, grounds }
    }

    fn take(&mut self, entry: &mut Entry, Raise { level, plan, counted, .. }: Raise) {
        self.free.give_back(&entry.plan);
        let reserved = self.free.reserve(&plan);
        let nothing = Plan { steps: Vec::new(), end_s: self.now_s, release_s: self.now_s };
        self.changed.clear();
        self.changed.extend(entry.plan.differences(if reserved { &plan } else { &nothing }, self.now_s));
        self.left -= level.gpus - entry.gpus;
        entry.gpus = level.gpus;
        (entry.real_end_s, entry.end_s) = (plan.end_s, plan.release_s);
        (entry.plan, entry.counted) = (plan, counted);
    }
}
