//! The genetic algorithm of section 4.2.1.

use std::cmp::Ordering;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Placement, PlacementSearch, Problem, extent};

/// How many placements live on from generation to generation (section 5.1).
pub const POPULATION: usize = 100;

/// A population of different placements, which bring forth others; a round is a generation.
///
/// A child takes each job's row from either of two parents, each the fitter of two that were drawn. With probability
/// 1 / nodes every number of GPUs mutates to any from 0 to what the node has. Then the child is repaired: jobs leave
/// nodes, or lose GPUs there, by chance until everything is allowed. The fittest of parents and children live on.
#[derive(Clone, Debug)]
pub struct Genetic<'a> {
    problem: &'a Problem,
    population: Vec<(f64, Placement)>,
    random: ChaCha8Rng,
    size: usize,
}

impl<'a> Genetic<'a> {
    /// Starts from what is held now, from nothing, and from `start` (the last population, with its rows in the order of
    /// these jobs), which is repaired where it must be.
    pub fn new(problem: &'a Problem, start: &[Placement], size: usize, seed: u64) -> Self {
        let (jobs, nodes) = (problem.jobs.len(), problem.node_gpus.len());
        let mut search =
            Self { problem, population: Vec::new(), random: ChaCha8Rng::seed_from_u64(seed), size: size.max(2) };
        let mut first = vec![problem.current(), Placement::empty(jobs, nodes)];
        for placement in start {
            let mut placement = Placement::from_rows(nodes, (0..jobs).map(|job| placement.row(job)));
            search.repair(&mut placement);
            first.push(placement);
        }
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
        self.population.sort_by(order);
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
        let mut child = self.population[mother].1.clone();
        for job in 0..child.jobs() {
            if self.random.random::<bool>() {
                child.row_mut(job).copy_from_slice(self.population[father].1.row(job));
            }
        }
        self.mutate(&mut child);
        self.repair(&mut child);
        child
    }

    fn mutate(&mut self, child: &mut Placement) {
        let nodes = child.nodes;
        let none = libm::log(1.0 - 1.0 / nodes as f64);
        let mut at = 0usize;
        loop {
            // How many numbers are passed over until the next that mutates: one draw instead of one for each.
            let draw = 1.0 - self.random.random::<f64>();
            let over = if nodes > 1 { libm::floor(libm::log(draw) / none) } else { 0.0 };
            if over >= (child.gpus.len() - at) as f64 {
                return;
            }
            at += over as usize;
            child.gpus[at] = self.random.random_range(0..=self.problem.node_gpus[at % nodes]);
            at += 1;
            if at >= child.gpus.len() {
                return;
            }
        }
    }

    fn repair(&mut self, child: &mut Placement) {
        let nodes = child.nodes;
        let mut holders: Vec<usize> = Vec::new();
        let mut spans: Vec<usize> = Vec::with_capacity(child.jobs());
        for (job, valued) in self.problem.jobs.iter().enumerate() {
            let (mut gpus, mut span) = extent(child.row(job));
            while gpus > valued.gpus_max {
                let row = child.row_mut(job);
                holders.clear();
                holders.extend((0..nodes).filter(|node| row[*node] > 0));
                let node = holders[self.random.random_range(0..holders.len() as u32) as usize];
                row[node] -= 1;
                gpus -= 1;
                span -= usize::from(row[node] == 0);
            }
            spans.push(span);
        }
        if self.problem.apart {
            for node in 0..nodes {
                holders.clear();
                holders.extend((0..spans.len()).filter(|job| spans[*job] > 1 && child.gpus[job * nodes + node] > 0));
                while holders.len() > 1 {
                    let job = holders.swap_remove(self.random.random_range(0..holders.len() as u32) as usize);
                    child.gpus[job * nodes + node] = 0;
                    spans[job] -= 1;
                }
            }
        }
        for node in 0..nodes {
            holders.clear();
            holders.extend((0..spans.len()).filter(|job| child.gpus[job * nodes + node] > 0));
            let mut used: usize = holders.iter().map(|job| usize::from(child.gpus[job * nodes + node])).sum();
            while used > usize::from(self.problem.node_gpus[node]) {
                let at = self.random.random_range(0..holders.len() as u32) as usize;
                let here = &mut child.gpus[holders[at] * nodes + node];
                *here -= 1;
                used -= 1;
                if *here == 0 {
                    holders.swap_remove(at);
                }
            }
        }
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
