//! The number of free GPUs over time.

use std::ops::Range;

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
    /// When the number changes, in order of time; not empty.
    starts_s: Vec<f64>,
    /// The number from each of these times on: another one than before it.
    gpus: Vec<u32>,
}

impl Clone for FreeGpus {
    fn clone(&self) -> Self {
        Self { starts_s: self.starts_s.clone(), gpus: self.gpus.clone() }
    }

    /// Trying many plans copies into the same memory.
    fn clone_from(&mut self, other: &Self) {
        self.starts_s.clone_from(&other.starts_s);
        self.gpus.clone_from(&other.gpus);
    }
}

impl FreeGpus {
    /// A constant number of free GPUs.
    pub fn new(from_s: f64, gpus: u32) -> Self {
        Self { starts_s: vec![from_s], gpus: vec![gpus] }
    }

    /// From steps in order of time, at least one; `None` if they are not. Those that change nothing are left out.
    pub fn from_steps(mut steps: Vec<Step>) -> Option<Self> {
        let ordered = steps.is_sorted_by(|a, b| a.from_s < b.from_s);
        steps.dedup_by_key(|step| step.gpus);
        let (starts_s, gpus) = steps.iter().map(|step| (step.from_s, step.gpus)).unzip();
        (ordered && !steps.is_empty()).then_some(Self { starts_s, gpus })
    }

    /// When the number changes, and to what.
    pub fn steps(&self) -> Vec<Step> {
        let rows = self.starts_s.iter().zip(&self.gpus);
        rows.map(|(from_s, gpus)| Step { from_s: *from_s, gpus: *gpus }).collect()
    }

    /// When the number changes, and the number from each of these times on.
    pub(super) fn columns(&self) -> (&[f64], &[u32]) {
        (&self.starts_s, &self.gpus)
    }

    /// The number of free GPUs at a time; 0 before the first step.
    pub fn at(&self, time_s: f64) -> u32 {
        let next = self.starts_s.partition_point(|start_s| *start_s <= time_s);
        next.checked_sub(1).and_then(|at| self.gpus.get(at)).copied().unwrap_or(0)
    }

    /// The first change after a time.
    pub fn next_after(&self, time_s: f64) -> Option<f64> {
        let next = self.starts_s.partition_point(|start_s| *start_s <= time_s);
        self.starts_s.get(next).copied()
    }

    /// The first change at a time or after it.
    pub(super) fn next_from(&self, time_s: f64) -> Option<f64> {
        self.starts_s.get(self.starts_s.partition_point(|start_s| *start_s < time_s)).copied()
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
        let Some(short) = plan.holdings().position(|held| !self.take(&held)) else { return true };
        plan.holdings().take(short).for_each(|held| self.add(&held));
        false
    }

    /// Whether what a plan holds is free.
    pub fn fits(&self, plan: &Plan) -> bool {
        plan.holdings().all(|held| self.is_free(&held, self.steps_of(&held)))
    }

    /// Gives back what was reserved.
    pub fn give_back(&mut self, plan: &Plan) {
        plan.holdings().for_each(|held| self.add(&held));
    }

    fn take(&mut self, held: &Holding) -> bool {
        let steps = self.steps_of(held);
        let fits = self.is_free(held, steps.clone());
        if fits {
            self.change(held, steps, |gpus| *gpus = gpus.saturating_sub(held.gpus));
        }
        fits
    }

    fn add(&mut self, held: &Holding) {
        self.change(held, self.steps_of(held), |gpus| *gpus = gpus.saturating_add(held.gpus));
    }

    /// The steps while GPUs are held; the first and the last may reach beyond.
    fn steps_of(&self, held: &Holding) -> Range<usize> {
        let first = self.starts_s.partition_point(|start_s| *start_s <= held.from_s).saturating_sub(1);
        let later = self.starts_s.get(first..).unwrap_or_default();
        first..first + later.partition_point(|start_s| *start_s < held.until_s)
    }

    fn is_free(&self, held: &Holding, steps: Range<usize>) -> bool {
        let gpus = self.gpus.get(steps).unwrap_or_default();
        gpus.iter().fold(u32::MAX, |least, gpus| least.min(*gpus)) >= held.gpus
    }

    /// Changes the number in the steps while GPUs are held, always by as many.
    fn change(&mut self, held: &Holding, steps: Range<usize>, change: impl Fn(&mut u32)) {
        let Range { start: mut first, mut end } = steps;
        if self.starts_s.get(end) != Some(&held.until_s)
            && let Some(gpus) = end.checked_sub(1).and_then(|last| self.gpus.get(last)).copied()
        {
            self.starts_s.insert(end, held.until_s);
            self.gpus.insert(end, gpus);
        }
        if self.starts_s.get(first).is_some_and(|start_s| *start_s < held.from_s)
            && let Some(gpus) = self.gpus.get(first).copied()
        {
            (first, end) = (first + 1, end + 1);
            self.starts_s.insert(first, held.from_s);
            self.gpus.insert(first, gpus);
        }
        self.gpus.get_mut(first..end).unwrap_or_default().iter_mut().for_each(change);
        // Everywhere else the number before and after is still different by as much as it was.
        self.merge_at(end);
        self.merge_at(first);
    }

    /// Takes a step out if it changes nothing.
    fn merge_at(&mut self, at: usize) {
        let before = at.checked_sub(1).and_then(|before| self.gpus.get(before));
        if before.is_some_and(|before| self.gpus.get(at) == Some(before)) {
            self.starts_s.remove(at);
            self.gpus.remove(at);
        }
    }
}
