//! The outcomes that are there.

use std::collections::BTreeMap;

use elastiplan_metrics::MetricInfo;

use crate::{Outcome, Unit};

/// Outcomes by their units.
#[derive(Clone, Debug, Default)]
pub struct Results {
    outcomes: BTreeMap<Unit, Outcome>,
}

/// Two outcomes of one unit that differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict(pub Unit);

/// The values of a metric at a point, in the order of seeds, up to the first seed that is not there yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// A value for each seed; `None` where the run failed or the metric does not apply to it.
    pub values: Vec<Option<f64>>,
}

impl Sample {
    /// All values, if each seed has one.
    pub fn complete(&self) -> Option<Vec<f64>> {
        self.values.iter().copied().collect()
    }

    /// Those that are there.
    pub fn known(&self) -> Vec<f64> {
        self.values.iter().copied().flatten().collect()
    }
}

impl Results {
    /// Keeps an outcome. One that is there already has to be the same.
    pub fn add(&mut self, unit: Unit, outcome: Outcome) -> Result<(), Conflict> {
        match self.outcomes.get(&unit) {
            Some(known) if *known != outcome => Err(Conflict(unit)),
            Some(_) => Ok(()),
            None => {
                self.outcomes.insert(unit, outcome);
                Ok(())
            }
        }
    }

    /// The outcome of a unit.
    pub fn get(&self, unit: Unit) -> Option<&Outcome> {
        self.outcomes.get(&unit)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// All of them, in the order of points, policies and seeds.
    pub fn iter(&self) -> impl Iterator<Item = (Unit, &Outcome)> {
        self.outcomes.iter().map(|(&unit, outcome)| (unit, outcome))
    }

    /// The outcomes of a point from a place among the seeds on, up to the first that is not there yet.
    pub fn of_point(&self, point: u32, policy: u32, seeds: std::ops::Range<usize>) -> Vec<&Outcome> {
        let unit = |seed: usize| Unit { point, policy, seed: seed as u32 };
        seeds.map_while(|seed| self.outcomes.get(&unit(seed))).collect()
    }
}

/// A metric of outcomes.
pub fn sample(outcomes: &[&Outcome], metric: &MetricInfo) -> Sample {
    let value = |outcome: &&Outcome| outcome.metrics().and_then(metric.value).filter(|value| value.is_finite());
    Sample { values: outcomes.iter().map(value).collect() }
}
