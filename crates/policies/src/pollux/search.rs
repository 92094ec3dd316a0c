//! The search for an allocation, from round to round (Pollux, section 4.2.1).

use std::collections::BTreeMap;

use elastiplan_model::JobId;
use elastiplan_solvers::placement_search::{
    Breeding, Exchange, Genetic, Mean, Placement, PlacementSearch, Problem, Restart, SearchJob,
};

/// The state of the search from round to round.
#[derive(Clone)]
pub(super) struct Search {
    /// Operators and size of the population; `None` to exchange jobs instead.
    genetic: Option<(Breeding, usize)>,
    rounds: u32,
    seed: u64,
    decisions: u64,
    /// The last population, by job. Jobs that arrived since then have no row.
    population: Vec<BTreeMap<JobId, Vec<u16>>>,
}

impl Search {
    pub fn new(genetic: Option<(Breeding, usize)>, rounds: u32, seed: u64) -> Self {
        Self { genetic, rounds, seed, decisions: 0, population: Vec::new() }
    }

    /// A row for each of the jobs of the problem, which `ids` name in their order.
    pub fn best(&mut self, problem: &Problem, ids: &[JobId]) -> Vec<Vec<u16>> {
        let seed = self.seed.wrapping_add(self.decisions);
        self.decisions += 1;
        let found = match self.genetic {
            Some((breeding, size)) => self.breed(problem, ids, breeding, size, seed),
            None => {
                let mut search = Exchange::new(problem, &[], seed);
                search.advance(self.rounds);
                search.best().clone()
            }
        };
        (0..ids.len()).map(|job| found.row(job).to_vec()).collect()
    }

    /// The utility of so many nodes (eq. 17): the sum of speed-ups over all GPUs, if all jobs started again.
    pub fn utility(&self, jobs: &[SearchJob], nodes: u32, gpus_per_node: u16, mean: Mean) -> f64 {
        let count = nodes as usize;
        let anew = |job: &SearchJob| SearchJob {
            current: vec![0; count],
            restart: Restart { factor: 1.0, minus: 0.0 },
            ..job.clone()
        };
        let Ok(problem) = Problem::new(&vec![gpus_per_node; count], jobs.iter().map(anew).collect(), mean, false)
        else {
            return 0.0;
        };
        let mut search = Exchange::new(&problem, &[], self.seed);
        search.advance(self.rounds);
        let speedup = |(at, job): (usize, &SearchJob)| {
            let row = search.best().row(at);
            let gpus: usize = row.iter().map(|gpus| usize::from(*gpus)).sum();
            let spread = row.iter().filter(|gpus| **gpus > 0).count() > 1;
            let list = if spread { &job.on_several } else { &job.on_one_node };
            list.get(gpus).copied().unwrap_or(0.0)
        };
        let total: f64 = jobs.iter().enumerate().map(speedup).sum();
        total / (f64::from(nodes) * f64::from(gpus_per_node)).max(1.0)
    }

    fn breed(&mut self, problem: &Problem, ids: &[JobId], breeding: Breeding, size: usize, seed: u64) -> Placement {
        let nodes = problem.nodes();
        let none = vec![0; nodes];
        let placed = |rows: &BTreeMap<JobId, Vec<u16>>| {
            Placement::from_rows(nodes, ids.iter().map(|id| rows.get(id).unwrap_or(&none).as_slice()))
        };
        let start: Vec<Placement> = self.population.iter().map(placed).collect();
        let mut search = Genetic::new(problem, &start, breeding, size, seed);
        search.advance(self.rounds);
        let rows = |placement: &Placement| {
            (0..).zip(ids).map(|(at, id)| (*id, placement.row(at).to_vec())).collect::<BTreeMap<_, _>>()
        };
        self.population = search.population().map(rows).collect();
        search.best().clone()
    }
}
