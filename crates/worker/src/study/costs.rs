//! How long runs take, going by those that were made.

use std::collections::BTreeMap;

use elastiplan_study::Unit;

/// Sums of milliseconds with their counts.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    ms: f64,
    runs: u32,
}

impl Mean {
    fn add(&mut self, ms: f64) {
        self.ms += ms;
        self.runs += 1;
    }

    fn value(&self) -> Option<f64> {
        (self.runs > 0).then(|| self.ms / f64::from(self.runs))
    }
}

/// How long the runs of a study take.
#[derive(Debug, Default)]
pub struct Costs {
    all: Mean,
    by_policy: BTreeMap<u32, Mean>,
    by_point: BTreeMap<(u32, u32), Mean>,
}

impl Costs {
    /// Adds a run that took so many milliseconds.
    pub fn add(&mut self, unit: Unit, ms: f64) {
        self.all.add(ms);
        self.by_policy.entry(unit.policy).or_default().add(ms);
        self.by_point.entry((unit.policy, unit.point)).or_default().add(ms);
    }

    /// About how many milliseconds a run takes: the mean at its point, else of its policy, else of all; `None` before the
    /// first run.
    pub fn expected_ms(&self, unit: Unit) -> Option<f64> {
        let of_point = self.by_point.get(&(unit.policy, unit.point)).and_then(Mean::value);
        let of_policy = || self.by_policy.get(&unit.policy).and_then(Mean::value);
        of_point.or_else(of_policy).or_else(|| self.all.value())
    }
}
