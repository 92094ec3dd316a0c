//! The search for an allocation, from round to round (Pollux, section 4.2.1).

use std::collections::BTreeMap;

use elastiplan_model::JobId;
use elastiplan_solvers::placement_search::{
    Breeding, Exchange, Genetic, POPULATION, Placement, PlacementSearch, Problem,
};

/// What is kept from one round to the next.
#[derive(Clone)]
pub(super) struct Search {
    genetic: bool,
    breeding: Breeding,
    rounds: u32,
    seed: u64,
    decisions: u64,
    /// The last population, by job: what a job that came since then has nothing of.
    population: Vec<BTreeMap<JobId, Vec<u16>>>,
}

impl Search {
    pub fn new(genetic: bool, breeding: Breeding, rounds: u32, seed: u64) -> Self {
        Self { genetic, breeding, rounds, seed, decisions: 0, population: Vec::new() }
    }

    /// A row for each of the jobs of the problem, which `ids` name in their order.
    pub fn best(&mut self, problem: &Problem, ids: &[JobId]) -> Vec<Vec<u16>> {
        let seed = self.seed.wrapping_add(self.decisions);
        self.decisions += 1;
        let found = match self.genetic {
            true => self.breed(problem, ids, seed),
            false => {
                let mut search = Exchange::new(problem, &[], seed);
                search.advance(self.rounds);
                search.best().clone()
            }
        };
        (0..ids.len()).map(|job| found.row(job).to_vec()).collect()
    }

    fn breed(&mut self, problem: &Problem, ids: &[JobId], seed: u64) -> Placement {
        let nodes = problem.nodes();
        let none = vec![0; nodes];
        let placed = |rows: &BTreeMap<JobId, Vec<u16>>| {
            Placement::from_rows(nodes, ids.iter().map(|id| rows.get(id).unwrap_or(&none).as_slice()))
        };
        let start: Vec<Placement> = self.population.iter().map(placed).collect();
        let mut search = Genetic::new(problem, &start, self.breeding, POPULATION, seed);
        search.advance(self.rounds);
        let rows = |placement: &Placement| {
            (0..).zip(ids).map(|(at, id)| (*id, placement.row(at).to_vec())).collect::<BTreeMap<_, _>>()
        };
        self.population = search.population().map(rows).collect();
        search.best().clone()
    }
}
