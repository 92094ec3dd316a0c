//! How many GPUs are left over, as time goes on.

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
#[derive(Clone, Debug, PartialEq)]
pub struct FreeGpus {
    steps: Vec<Step>,
}

impl FreeGpus {
    /// The same number for ever.
    pub fn new(from_s: f64, gpus: u32) -> Self {
        Self { steps: vec![Step { from_s, gpus }] }
    }

    /// From steps in order of time, at least one; `None` if they are not.
    pub fn from_steps(steps: Vec<Step>) -> Option<Self> {
        let ordered = steps.is_sorted_by(|a, b| a.from_s < b.from_s);
        (ordered && !steps.is_empty()).then_some(Self { steps })
    }

    /// When the number changes, and to what.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// How many are free at a time; before the first step, none.
    pub fn at(&self, time_s: f64) -> u32 {
        let next = self.steps.partition_point(|step| step.from_s <= time_s);
        next.checked_sub(1).and_then(|at| self.steps.get(at)).map_or(0, |step| step.gpus)
    }

    /// The first change after a time.
    pub fn next_after(&self, time_s: f64) -> Option<f64> {
        let next = self.steps.partition_point(|step| step.from_s <= time_s);
        self.steps.get(next).map(|step| step.from_s)
    }

    /// Takes away what a plan holds; false, and nothing is taken, if at some time there is not enough.
    pub fn reserve(&mut self, plan: &Plan) -> bool {
        self.split_at(plan);
        let fits = self.held_by(plan).all(|(step, gpus)| gpus <= step.gpus);
        if fits {
            self.held_by(plan).for_each(|(step, gpus)| step.gpus -= gpus);
        }
        self.merge();
        fits
    }

    /// Gives back what was reserved.
    pub fn give_back(&mut self, plan: &Plan) {
        self.split_at(plan);
        self.held_by(plan).for_each(|(step, gpus)| step.gpus += gpus);
        self.merge();
    }

    /// The steps during which a plan holds GPUs, with how many; all its changes are steps.
    fn held_by(&mut self, plan: &Plan) -> impl Iterator<Item = (&mut Step, u32)> {
        let from_s = plan.steps.first().map_or(f64::INFINITY, |first| first.from_s);
        let first = self.steps.partition_point(|step| step.from_s < from_s);
        let last = self.steps.partition_point(|step| step.from_s < plan.release_s).max(first);
        let mut changes = plan.steps.iter().peekable();
        let mut gpus = 0;
        self.steps.get_mut(first..last).unwrap_or_default().iter_mut().map(move |step| {
            while let Some(change) = changes.next_if(|change| change.from_s <= step.from_s) {
                gpus = change.gpus;
            }
            (step, gpus)
        })
    }

    /// Makes steps of the times at which a plan changes.
    fn split_at(&mut self, plan: &Plan) {
        for time_s in plan.steps.iter().map(|step| step.from_s).chain([plan.release_s]) {
            let next = self.steps.partition_point(|step| step.from_s < time_s);
            let known = self.steps.get(next).is_some_and(|step| step.from_s == time_s);
            if let (false, Some(before)) = (known, next.checked_sub(1)) {
                let gpus = self.steps.get(before).map_or(0, |step| step.gpus);
                self.steps.insert(next, Step { from_s: time_s, gpus });
            }
        }
    }

    fn merge(&mut self) {
        self.steps.dedup_by(|later, earlier| later.gpus == earlier.gpus);
    }
}
