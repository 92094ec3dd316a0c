//! Which runs are wanted now.
//!
//! A coarse picture first: five values of each axis, three seeds. Then all points, then all seeds of the first look; then
//! more seeds where the question is open; then fresh seeds for the answer, since the smallest of many sizes that seemed to
//! suffice may have been lucky.

use elastiplan_statistics::feasibility::Feasibility;
use elastiplan_statistics::{Precision, Width};

use crate::report::{Confirmation, estimated};
use crate::{Results, Seeds, Study, Unit};

/// Seeds of the first picture, which also tell whether seeds make a difference.
pub(crate) const SEEDS_EARLY: usize = 3;

impl Study {
    /// The runs that are wanted and not there, the most urgent first. None: all is known.
    pub fn next(&self, results: &Results) -> Vec<Unit> {
        let first = self.looks.seeds().first().copied().unwrap_or(1);
        let early = first.min(SEEDS_EARLY);
        let (order, coarse) = &self.order;
        let (coarse, rest) = order.split_at_checked(*coarse).unwrap_or((order, &[]));
        let mut wanted = Wanted { study: self, results, units: Vec::new() };
        wanted.add(coarse, 0..early);
        wanted.add(rest, 0..early);
        if wanted.units.is_empty() {
            wanted.add(order, early..first);
        }
        if wanted.units.is_empty() {
            wanted.add_open();
        }
        if wanted.units.is_empty() {
            wanted.add_fresh();
        }
        wanted.units
    }
}

struct Wanted<'a> {
    study: &'a Study,
    results: &'a Results,
    units: Vec<Unit>,
}

impl Wanted<'_> {
    /// These seeds of these points, one seed after the other: curves first, then their bands.
    fn add(&mut self, points: &[usize], seeds: std::ops::Range<usize>) {
        for seed in seeds {
            for &point in points {
                for policy in 0..self.study.policies.len() {
                    self.add_unit(Unit { point: point as u32, policy: policy as u32, seed: seed as u32 });
                }
            }
        }
    }

    fn add_unit(&mut self, unit: Unit) {
        let is_own = self.study.is_own(unit);
        let is_needed =
            || (unit.seed as usize) < SEEDS_EARLY || self.study.draws_differ(self.results, unit.point, unit.policy);
        if is_own && self.results.get(unit).is_none() && is_needed() {
            self.units.push(unit);
        }
    }

    /// More seeds for points whose question is open.
    fn add_open(&mut self) {
        let (order, _) = &self.study.order;
        for &point in order {
            for policy in 0..self.study.policies.len() {
                let unit = Unit { point: point as u32, policy: policy as u32, seed: 0 };
                if self.study.is_own(unit)
                    && let Some((from, to)) = self.study.more_seeds(self.results, unit)
                {
                    (from..to).for_each(|seed| self.add_unit(Unit { seed: seed as u32, ..unit }));
                }
            }
        }
    }

    /// Fresh seeds for what is to be confirmed.
    fn add_fresh(&mut self) {
        for answer in self.study.answers(self.results) {
            if let Confirmation::Wanted { point, seeds } = answer.confirmation {
                for seed in seeds {
                    let unit = Unit { point, policy: answer.policy as u32, seed: seed as u32 };
                    self.add_unit(self.study.canonical(unit));
                }
            }
        }
    }
}

impl Study {
    /// The places of the seeds that a point is to have next; `None` if it has enough.
    fn more_seeds(&self, results: &Results, unit: Unit) -> Option<(usize, usize)> {
        let outcomes = self.outcomes(results, unit.point, unit.policy, 0..self.seeds.most());
        let drawn = outcomes.len();
        // Seeds cannot decide where a run failed or has no value.
        if self.gap(results, unit.point, unit.policy).is_some() {
            return None;
        }
        if !self.goals.is_empty() {
            let is_open = self.judge(results, unit.point, unit.policy) == Feasibility::Open;
            return self.looks.next(drawn).filter(|_| is_open).map(|next| (drawn, next));
        }
        let Seeds::Until { half_width: Some(width), at_least, .. } = self.seeds else { return None };
        let (metric, is_share) = estimated(self)?;
        let values = crate::results::sample(&outcomes, metric).complete()?;
        let width = if is_share { Width::Absolute(width) } else { Width::OfMean(width) };
        let precision = Precision { at_least: at_least as usize, ..Precision::new(width) };
        let is_open = precision.enough(&values).is_none() && drawn < self.seeds.most();
        is_open.then(|| (drawn, (drawn + 5).min(self.seeds.most())))
    }
}
