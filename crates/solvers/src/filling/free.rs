//! The number of free GPUs over time.

use super::plan::Holding;
use super::{Plan, Step};

/// GPUs that no plan has reserved: from each time on, until the next; the last number holds for ever.
///
/// ```
/// use elastiplan_solvers::{FreeGpus, Plan, Step};
///
/// let mut free = FreeGpus::new(0.0, 4);
/// let plan = Plan { steps: vec![Step { from_s: 10.0, gpus: 3 }], end_s: 20.0, release_s: 20.0 };
/// assert!(free.reserve(&plan));
/// assert_eq!((free.at(0.0), free.at(10.0), free.at(20.0)), (4, 1, 4));
/// ```
#[derive(Debug, PartialEq)]
pub struct FreeGpus {
    /// Each with another number than the one before it.
    steps: Vec<Step>,
}

impl Clone for FreeGpus {
    fn clone(&self) -> Self {
        Self { steps: self.steps.clone() }
    }

    /// Trying many plans copies into the same memory.
    fn clone_from(&mut self, other: &Self) {
        self.steps.clone_from(&other.steps);
    }
}

impl FreeGpus {
    /// A constant number of free GPUs.
    pub fn new(from_s: f64, gpus: u32) -> Self {
        Self { steps: vec![Step { from_s, gpus }] }
    }

    /// From steps in order of time, at least one; `None` if they are not. Those that change nothing are left out.
    pub fn from_steps(mut steps: Vec<Step>) -> Option<Self> {
        let ordered = steps.is_sorted_by(|a, b| a.from_s < b.from_s);
        steps.dedup_by_key(|step| step.gpus);
        (ordered && !steps.is_empty()).then_some(Self { steps })
    }

    /// When the number changes, and to what.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The number of free GPUs at a time; 0 before the first step.
    pub fn at(&self, time_s: f64) -> u32 {
        let next = self.steps.partition_point(|step| step.from_s <= time_s);
        next.checked_sub(1).and_then(|at| self.steps.get(at)).map_or(0, |step| step.gpus)
    }

    /// The first change after a time.
    pub fn next_after(&self, time_s: f64) -> Option<f64> {
        let next = self.steps.partition_point(|step| step.from_s <= time_s);
        self.steps.get(next).map(|step| step.from_s)
    }

    /// The same if a plan were given back.
    pub fn next_after_without(&self, time_s: f64, plan: &Plan) -> Option<f64> {
        let (ours, theirs) = (self.next_after(time_s), plan.next_after(time_s));
        let next_s = ours.into_iter().chain(theirs).min_by(f64::total_cmp)?;
        let free_at = |time_s: f64| self.at(time_s) + plan.gpus_at(time_s);
        // What one takes at the moment when the other gives it back does not change.
        let changes = ours != theirs || free_at(next_s) != free_at(time_s);
        if changes { Some(next_s) } else { self.next_after_without(next_s, plan) }
    }

    /// Takes away what a plan holds; false, and nothing is taken, if at some time there is not enough.
    pub fn reserve(&mut self, plan: &Plan) -> bool {
        let mut is_short = |held: &Holding| !self.change(held, |gpus| gpus.checked_sub(held.gpus));
        let Some(short) = plan.holdings().position(|held| is_short(&held)) else { return true };
        plan.holdings().take(short).for_each(|held| self.add(&held));
        false
    }

    /// Gives back what was reserved.
    pub fn give_back(&mut self, plan: &Plan) {
        plan.holdings().for_each(|held| self.add(&held));
    }

    fn add(&mut self, held: &Holding) {
        self.change(held, |gpus| gpus.checked_add(held.gpus));
    }

    /// Changes the number while GPUs are held; false, and nothing is changed, if at some time that cannot be.
    fn change(&mut self, held: &Holding, to: impl Fn(u32) -> Option<u32>) -> bool {
        let first = self.split_at(held.from_s);
        let end = self.split_at(held.until_s);
        let steps = self.steps.get_mut(first..end).unwrap_or_default();
        let can_be = steps.iter().all(|step| to(step.gpus).is_some());
        if can_be {
            steps.iter_mut().for_each(|step| step.gpus = to(step.gpus).unwrap_or(step.gpus));
        }
        // Everywhere else the number before and after is still different by as much as it was.
        self.merge_at(end);
        self.merge_at(first);
        can_be
    }

    /// The first step from a time on, which begins then, unless all do later.
    fn split_at(&mut self, time_s: f64) -> usize {
        let next = self.steps.partition_point(|step| step.from_s < time_s);
        let known = self.steps.get(next).is_some_and(|step| step.from_s == time_s);
        let before = next.checked_sub(1).and_then(|before| self.steps.get(before));
        if let (false, Some(gpus)) = (known, before.map(|step| step.gpus)) {
            self.steps.insert(next, Step { from_s: time_s, gpus });
        }
        next
    }

    /// Takes a step out if it changes nothing.
    fn merge_at(&mut self, at: usize) {
        let before = at.checked_sub(1).and_then(|before| self.steps.get(before));
        let changes = before.zip(self.steps.get(at)).is_none_or(|(before, step)| before.gpus != step.gpus);
        if !changes {
            self.steps.remove(at);
        }
    }
}
