//! Taking a few jobs off and putting them back better.

use elastiplan_model::order::sort_by_rank;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::room::{Charge, Room, Saved, Way};
use super::scores::Scores;
use super::{Placement, PlacementSearch, Problem, bound};

/// Exchanges in a round, as a generation of the genetic search has children.
const EXCHANGES: u32 = 100;
/// No more jobs than this are taken off at a time.
const JOBS_MAX: usize = 10;

/// An exchange may lose this part of what is missing to the bound, and no more than so many jobs' shares of it.
const TOLERANCE_MAX: f64 = 0.1;
const TOLERANCE_JOBS: f64 = 1.0;

/// Starts from the best numbers of GPUs, as if it did not matter where they are, and from what is held now; then takes
/// some jobs off, all of a few nodes or any few, and gives their GPUs to the jobs that gain most by them, until nothing better
/// is found, or the bound is met.
#[derive(Clone, Debug)]
pub struct Exchange<'a> {
    problem: &'a Problem,
    room: Room<'a>,
    value: f64,
    best: Placement,
    best_value: f64,
    bound: f64,
    exchanges: u32,
    random: ChaCha8Rng,
    taken: Vec<usize>,
    saved: Saved,
    scores: Scores,
    /// Jobs that have moved since `best` was noted, more than once if they moved more often.
    moved: Vec<usize>,
}

/// The order in which free GPUs are given to jobs.
struct Manner {
    charge: Charge,
    /// Offers are disturbed by up to this part of themselves.
    disturbed: f64,
    /// Whether the nodes are random.
    scattered: bool,
    /// Whether jobs may offer to stay where they are now.
    keeps: bool,
}

impl<'a> Exchange<'a> {
    /// Starts from those of `start` that are allowed, too.
    pub fn new(problem: &'a Problem, start: &[Placement], seed: u64) -> Self {
        let (bound, counts) = bound::counts(problem);
        let now = problem.room_of_current();
        let value = now.total();
        let mut search = Self {
            problem,
            room: now.clone(),
            value,
            best: Placement::empty(0, 0),
            best_value: value,
            bound,
            exchanges: 0,
            random: ChaCha8Rng::seed_from_u64(seed),
            taken: Vec::new(),
            saved: Saved::default(),
            scores: Scores::default(),
            moved: Vec::new(),
        };
        let mut best = now.clone();
        let mut first = vec![now];
        if !counts.is_empty() {
            first.push(by_counts(problem, &counts));
        }
        first.push(Room::empty(problem));
        let allowed = start.iter().filter(|placement| problem.allows(placement));
        first.extend(allowed.map(|placement| Room::new(problem, placement)));
        for room in first {
            search.room = room;
            search.taken.clear();
            search.taken.extend(0..problem.jobs.len());
            search.give(&Manner { charge: Charge::ByGpu, disturbed: 0.0, scattered: false, keeps: true });
            let value = search.room.total();
            if value > search.best_value {
                search.best_value = value;
                best.clone_from(&search.room);
            }
        }
        search.best = best.placement();
        search.room = best;
        search.value = search.best_value;
        search
    }

    /// Whether nothing can be better.
    pub fn is_optimal(&self) -> bool {
        self.best_value >= self.bound - 1e-12 * self.bound.abs()
    }

    fn note(&mut self) {
        if self.value > self.best_value {
            self.best_value = self.value;
            for job in self.moved.drain(..) {
                self.room.write_row(job, &mut self.best);
            }
        }
    }

    fn draw(&mut self, count: usize) -> usize {
        if count > 1 { self.random.random_range(0..count as u32) as usize } else { 0 }
    }

    fn take(&mut self, job: usize) {
        if self.taken.len() < JOBS_MAX && !self.taken.contains(&job) {
            self.taken.push(job);
        }
    }

    /// All jobs on a node.
    fn take_node(&mut self, node: usize) {
        for at in 0..self.room.jobs_on(node).len() {
            if let Some(job) = self.room.jobs_on(node).get(at) {
                self.take(*job as usize);
            }
        }
    }

    /// Chooses the jobs to be taken off; the first that comes back where it is now, if that is the point.
    fn choose(&mut self) -> Option<usize> {
        let (jobs, nodes) = (self.problem.jobs.len(), self.problem.node_gpus.len());
        self.taken.clear();
        let back = match self.draw(4) {
            0 => {
                for _ in 0..1 + self.draw(3) {
                    let node = self.draw(nodes);
                    self.take_node(node);
                }
                None
            }
            1 => {
                // A job that moved, and the jobs on its former nodes.
                let problem = self.problem;
                let job = self.draw(jobs);
                let current = &problem.jobs[job].places;
                self.take(job);
                if !current.is_empty() && self.room.places(job) != current {
                    for (node, _) in current {
                        self.take_node(*node);
                    }
                }
                Some(job)
            }
            _ => None,
        };
        let many = self.draw(8) == 0;
        for _ in 0..1 + self.draw(if many { JOBS_MAX } else { 4 }) {
            let job = self.draw(jobs);
            self.take(job);
        }
        back
    }

    /// Gives free GPUs to the jobs that were removed, the highest offer first.
    fn give(&mut self, manner: &Manner) {
        let &Manner { charge, disturbed, scattered, keeps } = manner;
        let mut factors = [1.0; JOBS_MAX];
        if disturbed > 0.0 {
            for factor in factors.iter_mut().take(self.taken.len()) {
                *factor = 1.0 - disturbed * self.random.random::<f64>();
            }
        }
        self.scores.reset(self.taken.len(), f64::INFINITY);
        loop {
            let (at, score, second) = self.scores.highest();
            if score == f64::NEG_INFINITY {
                return;
            }
            let job = self.taken[at];
            // Offers are from when more was free; only the highest has to be made again.
            let Some(offer) = self.room.offer(job, charge, keeps) else {
                self.scores.set(at, f64::NEG_INFINITY);
                continue;
            };
            let again = offer.score * factors.get(at).copied().unwrap_or(1.0);
            self.scores.set(at, again);
            if again < second && again < score {
                continue;
            }
            if !self.room.go(job, offer.way, scattered.then_some(&mut self.random)) {
                self.scores.set(at, f64::NEG_INFINITY);
            }
        }
    }

    /// Puts one of those that were taken anywhere, before the others are asked: what no sequence of best offers finds.
    fn lead(&mut self) {
        let at = self.draw(self.taken.len());
        let job = self.taken[at];
        let largest = self.problem.node_gpus.iter().copied().max().map_or(0, usize::from);
        let (gpus_max, several) = (self.problem.jobs[job].gpus_max, self.draw(2) == 0);
        let gpus = 1 + self.draw(if several { gpus_max } else { gpus_max.min(largest) });
        let way = if several { Way::Several(gpus) } else { Way::One(gpus) };
        if gpus <= gpus_max {
            self.room.go(job, way, Some(&mut self.random));
        }
    }

    fn exchange(&mut self) {
        let back = self.choose();
        let before: f64 = self.taken.iter().map(|job| self.room.value(*job)).sum();
        self.room.save(&self.taken, &mut self.saved);
        for at in 0..self.taken.len() {
            self.room.remove(self.taken[at]);
        }
        if let Some(job) = back {
            self.room.keep(job);
        }
        // Half of the time, jobs on their former nodes stay there, if they can.
        let stay = self.draw(2) == 0;
        for at in 0..self.taken.len() {
            if stay && self.draw(2) == 0 {
                self.room.keep(self.taken[at]);
            }
        }
        if self.draw(4) == 0 {
            self.lead();
        }
        let disturbed = [0.0, 0.3, 0.9][self.draw(3)];
        let charge = [Charge::ByGpu, Charge::ByGpu, Charge::ByRoot, Charge::Nothing][self.draw(4)];
        let scattered = self.draw(4) == 0;
        let keeps = stay || self.draw(4) > 0;
        self.give(&Manner { charge, disturbed, scattered, keeps });
        let after: f64 = self.taken.iter().map(|job| self.room.value(*job)).sum();
        if after >= before - self.tolerance() {
            self.value += after - before;
            self.moved.extend_from_slice(&self.taken);
            if self.value > self.best_value {
                // Added up anew, so that differences do not gather what is rounded.
                self.value = self.room.total();
                self.note();
            }
            return;
        }
        self.room.go_back(&self.taken, &self.saved);
    }

    /// By how much an exchange may be for the worse: less and less for a while, then nothing, then anew.
    fn tolerance(&self) -> f64 {
        const CYCLE: u32 = 1000;
        let phase = f64::from(self.exchanges % CYCLE) / f64::from(CYCLE);
        // A bound that is far away says little.
        let gap = (self.bound - self.best_value).min(0.05 * self.best_value.abs());
        let part = (TOLERANCE_JOBS / self.problem.jobs.len() as f64).min(TOLERANCE_MAX);
        part * gap * (1.0 - 2.0 * phase).max(0.0)
    }
}

/// As many GPUs for each job as it should have, on whatever nodes have room: those that stay first, then those that
/// need several nodes, then the large before the small.
fn by_counts<'a>(problem: &'a Problem, counts: &[usize]) -> Room<'a> {
    let mut room = Room::empty(problem);
    let largest = problem.node_gpus.iter().copied().max().map_or(0, usize::from);
    let mut others: Vec<(usize, usize)> = Vec::new();
    for (job, &gpus) in counts.iter().enumerate() {
        let valued = &problem.jobs[job];
        let stays = gpus == valued.gpus_current && gpus > 0;
        if !(stays && room.keep(job)) && gpus > 0 {
            others.push((gpus, job));
        }
    }
    // The largest first; those of one size are in order of jobs already.
    sort_by_rank(&mut others, |(gpus, _)| u64::MAX - *gpus as u64);
    for (gpus, job) in others {
        if gpus > largest || !room.go(job, Way::One(gpus), None) {
            room.go(job, Way::Several(gpus), None);
        }
    }
    room
}

impl PlacementSearch for Exchange<'_> {
    fn advance(&mut self, rounds: u32) {
        if self.problem.jobs.is_empty() || self.problem.node_gpus.is_empty() {
            return;
        }
        for _ in 0..u64::from(rounds) * u64::from(EXCHANGES) {
            if self.is_optimal() {
                return;
            }
            self.exchange();
            self.exchanges = self.exchanges.wrapping_add(1);
        }
    }

    fn best(&self) -> &Placement {
        &self.best
    }

    fn fitness(&self) -> f64 {
        self.problem.fitness_of(self.best_value)
    }
}
