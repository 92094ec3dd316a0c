//! Single seeds in which more made it worse.
//!
//! Where a node more makes it worse in one week and better in the next, means hardly show it ([`crate::Worse`]). Of one
//! seed it is plain: nothing else was changed.

use elastiplan_metrics::MetricInfo;

use crate::worse::{SEEN, loss};
use crate::{Results, Study, Unit};

/// The seeds of a policy in which some point is worse than its neighbour, along one line of the axis.
#[derive(Clone, Copy)]
pub struct Reversal {
    /// The policy, by its place.
    pub policy: u32,
    /// What is worse.
    pub metric: &'static MetricInfo,
    /// Seeds in which some point is worse than its neighbour.
    pub seeds_reversed: u32,
    /// Seeds that all points of the line have.
    pub seeds: u32,
    /// The point at which it is worst in one of them.
    pub point: u32,
    /// Its neighbour, which has less of what helps.
    pub neighbour: u32,
    /// The place of that seed.
    pub worst_seed: u32,
    /// The metric there.
    pub value: f64,
    /// The metric at the neighbour.
    pub neighbour_value: f64,
}

impl Reversal {
    /// The run at the point in the seed in which it is worst.
    pub fn unit(&self) -> Unit {
        Unit { point: self.point, policy: self.policy, seed: self.worst_seed }
    }

    /// The run at the neighbour with the same seed.
    pub fn neighbour_unit(&self) -> Unit {
        Unit { point: self.neighbour, ..self.unit() }
    }
}

impl Study {
    /// For each policy and line, the seeds in which some point is worse than its neighbour; by the metrics of the goals, or
    /// by mean completion. Lines without such a seed are left out, and so are runs whose times are of other jobs.
    pub fn reversals(&self, results: &Results) -> Vec<Reversal> {
        let lines = self.neighbours();
        let of = |(policy, pairs): &(u32, Vec<(u32, u32)>)| {
            let metrics = self.metrics_asked().into_iter();
            metrics.filter_map(|metric| self.reversal(results, *policy, pairs, metric)).collect::<Vec<_>>()
        };
        lines.iter().flat_map(of).collect()
    }

    fn reversal(
        &self,
        results: &Results,
        policy: u32,
        pairs: &[(u32, u32)],
        metric: &'static MetricInfo,
    ) -> Option<Reversal> {
        let all = pairs.iter().flat_map(|&(point, neighbour)| [point, neighbour]);
        let drawn = all.map(|point| self.outcomes(results, point, policy, 0..self.seeds.most()).len());
        let seeds = drawn.min()?;
        let mut reversed = 0;
        let mut worst: Option<(f64, Reversal)> = None;
        for seed in 0..seeds as u32 {
            let mut is_reversed = false;
            for &(point, neighbour) in pairs {
                let outcome = |point| results.get(self.canonical(Unit { point, policy, seed }));
                let Some((here, there)) = outcome(point).zip(outcome(neighbour)) else { continue };
                let Some((lost, value, neighbour_value)) = loss(here, there, metric) else { continue };
                if lost < SEEN {
                    continue;
                }
                is_reversed = true;
                if worst.as_ref().is_none_or(|(most, _)| lost > *most) {
                    let (seeds_reversed, seeds, worst_seed) = (0, seeds as u32, seed);
                    let found = Reversal {
                        policy,
                        metric,
                        seeds_reversed,
                        seeds,
                        point,
                        neighbour,
                        worst_seed,
                        value,
                        neighbour_value,
                    };
                    worst = Some((lost, found));
                }
            }
            reversed += u32::from(is_reversed);
        }
        worst.map(|(_, found)| Reversal { seeds_reversed: reversed, ..found })
    }
}
