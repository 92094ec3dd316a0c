//! The genetic algorithm of section 4.2.1.

use std::cmp::Ordering;

use elastiplan_model::order::sort_by;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::breeding::{Breeding, bring_forth, repair};
use super::{Placement, PlacementSearch, Problem};

/// A population of different placements, which bring forth others; a round is a generation.
///
/// Each child has two parents, each the fitter of two that were drawn. The fittest of parents and children live on.
#[derive(Clone, Debug)]
pub struct Genetic<'a> {
    problem: &'a Problem,
    breeding: Breeding,
    size: usize,
    /// With their values, the fittest first; never empty.
    population: Vec<(f64, Placement)>,
    random: ChaCha8Rng,
}

impl<'a> Genetic<'a> {
    /// Starts from what is held now, from nothing, and from `start` (the last population, with its rows in the order of
    /// these jobs), which is repaired where it must be.
    pub fn new(problem: &'a Problem, start: &[Placement], breeding: Breeding, size: usize, seed: u64) -> Self {
        let (jobs, nodes) = (problem.jobs.len(), problem.node_gpus.len());
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut first = vec![problem.current(), Placement::empty(jobs, nodes)];
        for placement in start {
            let mut placement = Placement::from_rows(nodes, (0..jobs).map(|job| placement.row(job)));
            repair(problem, &mut placement, breeding, &mut random);
            first.push(placement);
        }
        let mut search = Self { problem, breeding, size: size.max(2), population: Vec::new(), random };
        search.live_on(first);
        search
    }

    /// All that live, the fittest first: where the next search may start.
    pub fn population(&self) -> impl Iterator<Item = &Placement> {
        self.population.iter().map(|(_, placement)| placement)
    }

    fn live_on(&mut self, children: Vec<Placement>) {
        let problem = self.problem;
        self.population.extend(children.into_iter().map(|child| (problem.value(&child), child)));
        let order = |a: &(f64, Placement), b: &(f64, Placement)| -> Ordering {
            b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1))
        };
        sort_by(&mut self.population, order);
        self.population.dedup_by(|b, a| a.0 == b.0 && a.1 == b.1);
        self.population.truncate(self.size);
    }

    /// The fitter of two that are drawn: they are in order, so that the place decides.
    fn parent(&mut self) -> usize {
        let count = self.population.len() as u32;
        self.random.random_range(0..count).min(self.random.random_range(0..count)) as usize
    }

    fn child(&mut self) -> Placement {
        let (mother, father) = (self.parent(), self.parent());
        let parents = [&self.population[mother].1, &self.population[father].1];
        bring_forth(self.problem, parents, self.breeding, &mut self.random)
    }
}

impl PlacementSearch for Genetic<'_> {
    fn advance(&mut self, rounds: u32) {
        if self.problem.jobs.is_empty() || self.problem.node_gpus.is_empty() {
            return;
        }
        for _ in 0..rounds {
            let children = (0..self.size).map(|_| self.child()).collect();
            self.live_on(children);
        }
    }

    fn best(&self) -> &Placement {
        &self.population[0].1
    }

    fn fitness(&self) -> f64 {
        self.problem.fitness_of(self.population[0].0)
    }
}
