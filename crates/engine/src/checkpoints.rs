//! Checkpoints of a simulation, from which any time of the run is reached fast.

use crate::{RunError, Simulation, Step};

/// A simulation with checkpoints. A time is reached by stepping from the last checkpoint before it.
///
/// Checkpoints are equally many steps apart. When there are too many, every second one is dropped, so that there are
/// always between half of `count` and `count` of them, from the first step to the last, however long the run.
///
/// ```text
/// count 4, after   4 steps   0 1 2 3
///                  8 steps   0   2   4   6
/// ```
#[derive(Clone)]
pub struct Checkpoints<'a> {
    now: Simulation<'a>,
    kept: Vec<Simulation<'a>>,
    count: usize,
    /// Steps from checkpoint to checkpoint.
    every: u64,
    steps: u64,
}

impl<'a> Checkpoints<'a> {
    /// A simulation to be continued with up to `count` (at least 2) checkpoints.
    pub fn new(simulation: Simulation<'a>, count: usize) -> Self {
        let kept = vec![simulation.clone()];
        Self { now: simulation, kept, count: count.max(2), every: 1, steps: 0 }
    }

    /// Steps as [`Simulation::step`] does.
    pub fn step(&mut self) -> Result<Step, RunError> {
        let step = self.now.step()?;
        self.steps += 1;
        if step == Step::More && self.steps.is_multiple_of(self.every) {
            if self.kept.len() == self.count {
                let mut at = 0;
                self.kept.retain(|_| {
                    at += 1;
                    at % 2 == 1
                });
                self.every *= 2;
            }
            if self.steps.is_multiple_of(self.every) {
                self.kept.push(self.now.clone());
            }
        }
        Ok(step)
    }

    /// The simulation at its last step.
    pub fn now(&self) -> &Simulation<'a> {
        &self.now
    }

    /// Number of checkpoints.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether there is no checkpoint: never.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The simulation after everything up to `time_s`, at most up to the last step. Continued, it repeats the run; with
    /// another policy or other costs, it shows what would have happened.
    pub fn at(&self, time_s: f64) -> Result<Simulation<'a>, RunError> {
        let after = self.kept.partition_point(|kept| kept.progress().time_s <= time_s);
        let last = self.kept.get(after.saturating_sub(1)).unwrap_or(&self.now);
        let mut simulation = last.clone();
        while simulation.next_s().is_some_and(|next_s| next_s <= time_s && next_s <= self.now.progress().time_s) {
            simulation.step()?;
        }
        Ok(simulation)
    }
}
