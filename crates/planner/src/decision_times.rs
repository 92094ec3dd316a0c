//! How long a policy takes to decide. Engine and policies know no clock: whoever runs them lends one.

use std::cell::RefCell;
use std::rc::Rc;

use elastiplan_engine::{Action, Cadence, Charging, JobView, OnLoss, Policy, View};
use serde::{Deserialize, Serialize};

/// Decisions are kept one by one up to so many; then neighbours are put together, two by two, and again.
const KEPT_MAX: usize = 65_536;

/// How long decisions took, as measured: not part of what a run is, and different every time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DecisionTimes {
    /// When, in seconds on the clock of the trace; rising.
    pub time_s: Vec<f64>,
    /// The longest decision from then until the next row, in milliseconds.
    pub longest_ms: Vec<f32>,
    /// How many decisions there were.
    pub count: u64,
    /// How long they took together, in milliseconds.
    pub total_ms: f64,
    /// Decisions for each row, while it is being filled.
    per_row: u64,
}

impl DecisionTimes {
    fn add(&mut self, time_s: f64, took_ms: f64) {
        let begins_row = self.count.is_multiple_of(self.per_row.max(1)) && self.time_s.last() != Some(&time_s);
        self.count += 1;
        self.total_ms += took_ms;
        match self.longest_ms.last_mut().filter(|_| !begins_row) {
            Some(longest_ms) => *longest_ms = longest_ms.max(took_ms as f32),
            None => {
                self.time_s.push(time_s);
                self.longest_ms.push(took_ms as f32);
            }
        }
        if self.time_s.len() > KEPT_MAX {
            self.halve();
        }
    }

    fn halve(&mut self) {
        self.per_row = self.per_row.max(1) * 2;
        self.time_s = self.time_s.iter().copied().step_by(2).collect();
        self.longest_ms = self.longest_ms.chunks(2).map(|pair| pair.iter().copied().fold(0.0, f32::max)).collect();
    }
}

/// Where a policy that is timed leaves its times, so that they can be read while it runs.
pub type TimesShared = Rc<RefCell<DecisionTimes>>;

/// A policy that decides what another decides, and notes how long that takes.
#[derive(Clone)]
pub(crate) struct Timed {
    pub(crate) policy: Box<dyn Policy>,
    pub(crate) clock_ms: fn() -> f64,
    pub(crate) times: TimesShared,
}

impl Policy for Timed {
    fn cadence(&self) -> Cadence {
        self.policy.cadence()
    }

    fn on_loss(&self) -> OnLoss {
        self.policy.on_loss()
    }

    fn charging(&self) -> Charging {
        self.policy.charging()
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let begin_ms = (self.clock_ms)();
        self.policy.decide(view, actions);
        self.times.borrow_mut().add(view.time_s(), (self.clock_ms)() - begin_ms);
    }

    fn explain(&self, view: &View<'_>, job: &JobView<'_>) -> Option<String> {
        self.policy.explain(view, job)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_decisions_the_longest_of_neighbours_are_kept() {
        let mut times = DecisionTimes::default();
        for at in 0..200_000 {
            times.add(f64::from(at), if at == 77_777 { 50.0 } else { 1.0 });
        }
        assert_eq!((times.count, times.total_ms), (200_000, 200_049.0));
        assert!(times.time_s.len() <= KEPT_MAX && times.time_s.len() == times.longest_ms.len());
        assert!(times.time_s.is_sorted());
        let row = times.time_s.partition_point(|&time_s| time_s <= 77_777.0) - 1;
        assert_eq!((times.longest_ms[row], times.longest_ms.iter().copied().reduce(f32::max)), (50.0, Some(50.0)));
    }

    #[test]
    fn decisions_at_one_time_are_one_row() {
        let mut times = DecisionTimes::default();
        for (time_s, took_ms) in [(0.0, 1.0), (0.0, 3.0), (5.0, 2.0)] {
            times.add(time_s, took_ms);
        }
        assert_eq!((times.time_s, times.longest_ms, times.count), (vec![0.0, 5.0], vec![3.0, 2.0], 3));
    }
}
