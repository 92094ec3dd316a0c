//! A placement with what is free, and the ways to put a job into it.

use elastiplan_model::order::sort_by_rank;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::node_levels::NodeLevels;
use super::{Placement, Places, Problem, Valued};

/// Rows that are all allowed, what they leave free and what they are worth.
#[derive(Clone, Debug)]
pub(super) struct Room<'a> {
    problem: &'a Problem,
    levels: NodeLevels,
    /// Where each job is: in order of nodes.
    rows: Vec<Places>,
    /// Jobs on each node, in order.
    on_node: Vec<Vec<u32>>,
    /// GPUs of each job.
    gpus: Vec<usize>,
    values: Vec<f64>,
    /// Nodes that are open, with what they have: kept for its memory.
    open: Vec<(u16, usize)>,
    /// A row in the making: kept for its memory.
    making: Places,
}

/// What some jobs had: to go back to.
#[derive(Clone, Debug, Default)]
pub(super) struct Saved {
    /// Rows, one after the other.
    places: Places,
    /// The number of places and the value of each.
    jobs: Vec<(usize, f64)>,
}

/// The best ways of a job without GPUs, by the most GPUs that it could have: number of GPUs and score.
#[derive(Clone, Debug)]
pub(super) struct Ways {
    one: Vec<Option<(usize, f64)>>,
    several: Vec<Option<(usize, f64)>>,
}

/// Where a job would go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Way {
    /// Where it is now.
    Keep,
    /// So many GPUs on one node.
    One(usize),
    /// So many GPUs on several nodes.
    Several(usize),
}

/// A way that raises a job's value, and by how much for each GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Offer {
    pub way: Way,
    pub score: f64,
}

/// How offers are compared: by what they bring for each further GPU, by what they bring, or between the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Charge {
    ByGpu,
    ByRoot,
    Nothing,
}

impl Charge {
    /// The score of a way, by what it adds to the value and how many GPUs it takes beyond those that are held.
    fn score(self, added: f64, gpus: usize, held: usize) -> f64 {
        match self {
            Charge::ByGpu => added / further(gpus, held),
            Charge::ByRoot => added / f64::sqrt(further(gpus, held)),
            Charge::Nothing => added,
        }
    }

    /// False only if such a way has no larger score than `score`: seen by a product, which is faster than a quotient,
    /// and less exact.
    fn may_beat(self, score: f64, added: f64, gpus: usize, held: usize) -> bool {
        const SURELY_LESS: f64 = 1.0 - 1e-12;
        /// Products that are smaller have fewer digits.
        const EXACT_MIN: f64 = 1e-280;
        let charged = match self {
            Charge::ByGpu => score * further(gpus, held),
            Charge::ByRoot => score * f64::sqrt(further(gpus, held)),
            Charge::Nothing => score,
        };
        added >= charged * SURELY_LESS || charged < EXACT_MIN
    }
}

/// For how many GPUs beyond those that are held a way is charged.
fn further(gpus: usize, held: usize) -> f64 {
    if gpus > held { (gpus - held) as f64 } else { FREE_OF_CHARGE }
}

/// A way that takes no further GPU is worth as much as one that takes this part of one.
const FREE_OF_CHARGE: f64 = 1e-3;

impl<'a> Room<'a> {
    /// Without GPUs for any job.
    pub fn empty(problem: &'a Problem) -> Self {
        let jobs = problem.jobs.len();
        Self {
            problem,
            levels: NodeLevels::new(&problem.node_gpus, problem.apart),
            rows: vec![Vec::new(); jobs],
            on_node: vec![Vec::new(); problem.node_gpus.len()],
            gpus: vec![0; jobs],
            values: problem.jobs.iter().map(|job| job.none).collect(),
            open: Vec::new(),
            making: Vec::new(),
        }
    }

    /// From a placement that is allowed.
    pub fn new(problem: &'a Problem, placement: &Placement) -> Self {
        let mut room = Self::empty(problem);
        for job in 0..problem.jobs.len() {
            room.restore(job, &places_of(placement.row(job)));
        }
        room
    }

    pub fn placement(&self) -> Placement {
        let mut placement = Placement::empty(self.rows.len(), self.levels.nodes());
        for job in 0..self.rows.len() {
            self.write_row(job, &mut placement);
        }
        placement
    }

    /// Writes a job's row into a placement of all jobs.
    pub fn write_row(&self, job: usize, placement: &mut Placement) {
        let row = placement.row_mut(job);
        row.fill(0);
        for &(node, gpus) in &self.rows[job] {
            row[node] = gpus;
        }
    }

    /// The nodes of a job, in order, with its GPUs there.
    pub fn places(&self, job: usize) -> &Places {
        &self.rows[job]
    }

    /// The jobs on a node, in order.
    pub fn jobs_on(&self, node: usize) -> &[u32] {
        &self.on_node[node]
    }

    pub fn value(&self, job: usize) -> f64 {
        self.values[job]
    }

    pub fn total(&self) -> f64 {
        self.values.iter().sum()
    }

    /// Books places for a job that has none.
    fn book(&mut self, job: usize, places: &[(usize, u16)]) {
        let is_spread = places.len() > 1;
        let mut gpus = 0;
        for &(node, here) in places {
            gpus += usize::from(here);
            self.levels.take(node, here, is_spread);
            let jobs = &mut self.on_node[node];
            let at = jobs.iter().position(|other| *other as usize > job).unwrap_or(jobs.len());
            jobs.insert(at, job as u32);
        }
        self.rows[job].extend_from_slice(places);
        self.gpus[job] = gpus;
        self.values[job] = self.problem.jobs[job].value_at(places, gpus);
    }

    /// Takes a job's row off the books, and empties it. What it is worth then is not booked.
    fn clear(&mut self, job: usize) {
        let is_spread = self.rows[job].len() > 1;
        for &(node, here) in &self.rows[job] {
            self.levels.release(node, here, is_spread);
            self.on_node[node].retain(|other| *other as usize != job);
        }
        self.rows[job].clear();
        self.gpus[job] = 0;
    }

    pub fn remove(&mut self, job: usize) {
        self.clear(job);
        self.values[job] = self.problem.jobs[job].none;
    }

    /// Saves what these jobs have.
    pub fn save(&self, jobs: &[usize], saved: &mut Saved) {
        saved.places.clear();
        saved.jobs.clear();
        for &job in jobs {
            saved.places.extend_from_slice(&self.rows[job]);
            saved.jobs.push((self.rows[job].len(), self.values[job]));
        }
    }

    /// Goes back to what was saved of these jobs; no other has moved since.
    pub fn go_back(&mut self, jobs: &[usize], saved: &Saved) {
        for &job in jobs {
            self.clear(job);
        }
        let mut left = saved.places.as_slice();
        for (&job, &(count, value)) in jobs.iter().zip(&saved.jobs) {
            let (places, others) = left.split_at(count.min(left.len()));
            left = others;
            self.book(job, places);
            self.values[job] = value;
        }
    }

    /// Puts a row back that was allowed.
    pub fn restore(&mut self, job: usize, places: &[(usize, u16)]) {
        self.clear(job);
        self.book(job, places);
    }

    /// GPUs on a node that a job could have, its own included.
    fn available(&self, job: usize, node: usize) -> u16 {
        let own = self.rows[job].iter().find(|(place, _)| *place == node).map_or(0, |(_, gpus)| *gpus);
        self.levels.free(node) + own
    }

    /// Whether a job on several nodes could be on this one.
    fn open(&self, job: usize, node: usize) -> bool {
        let places = &self.rows[job];
        self.levels.is_open(node, places.len() > 1 && places.iter().any(|(place, _)| *place == node))
    }

    fn can_keep(&self, job: usize) -> bool {
        let valued = &self.problem.jobs[job];
        let fits = |&(node, gpus): &(usize, u16)| {
            gpus <= self.available(job, node) && (valued.nodes_current < 2 || self.open(job, node))
        };
        valued.gpus_current <= valued.gpus_max && valued.places.iter().all(fits)
    }

    /// Puts a job where it is now, if that is possible.
    pub fn keep(&mut self, job: usize) -> bool {
        let possible = self.can_keep(job);
        if possible {
            let problem = self.problem;
            self.restore(job, &problem.jobs[job].places);
        }
        possible
    }

    /// The way that raises a job's value most for what it is charged; where it is now only if it may keep that.
    pub fn offer(&self, job: usize, charge: Charge, keeps: bool) -> Option<Offer> {
        let problem = self.problem;
        let valued = &problem.jobs[job];
        let (held, now) = (self.gpus[job], self.values[job]);
        let reach = self.levels.reach(&self.rows[job]);
        let mut best: Option<Offer> = None;
        let consider = |best: &mut Option<Offer>, way, score: f64| {
            if best.is_none_or(|best| score > best.score) {
                *best = Some(Offer { way, score });
            }
        };
        let best_score = |best: &Option<Offer>| best.map_or(0.0, |best| best.score);
        if keeps && valued.kept > now && self.can_keep(job) {
            consider(&mut best, Way::Keep, charge.score(valued.kept - now, valued.gpus_current, held));
        }
        let one_max = valued.gpus_max.min(reach.largest);
        let several_max = valued.gpus_max.min(if reach.open.nodes > 1 { reach.open.gpus } else { 0 });
        if held == 0 {
            let [by_gpu, by_root, nothing] = &valued.ways;
            let ways = match charge {
                Charge::ByGpu => by_gpu,
                Charge::ByRoot => by_root,
                Charge::Nothing => nothing,
            };
            let ways = ways.get_or_init(|| Ways::from_nothing(valued, charge));
            if let Some((gpus, score)) = ways.one[one_max] {
                consider(&mut best, Way::One(gpus), score);
            }
            if let Some((gpus, score)) = ways.several[several_max] {
                consider(&mut best, Way::Several(gpus), score);
            }
            return best;
        }
        let lists =
            [(&valued.one, &valued.one_upto, one_max, 0), (&valued.several, &valued.several_upto, several_max, 2)];
        for (list, (values, upto, gpus_max, gpus_min)) in lists.into_iter().enumerate() {
            let most = upto[gpus_max];
            if most <= now {
                continue;
            }
            // On fewer GPUs nothing is worth more than it has.
            let first = upto.partition_point(|most| *most <= now).max(gpus_min);
            for (gpus, &value) in values[..=gpus_max].iter().enumerate().skip(first) {
                // What is charged rises with the GPUs: nothing that follows has a larger score.
                if !charge.may_beat(best_score(&best), most - now, gpus, held) {
                    break;
                }
                if value > now && charge.may_beat(best_score(&best), value - now, gpus, held) {
                    let way = if list == 0 { Way::One(gpus) } else { Way::Several(gpus) };
                    consider(&mut best, way, charge.score(value - now, gpus, held));
                }
            }
        }
        best
    }

    /// Moves a job, to random nodes if there is `chance`; as before where there is no room.
    pub fn go(&mut self, job: usize, way: Way, chance: Option<&mut ChaCha8Rng>) -> bool {
        match way {
            Way::Keep => self.keep(job),
            Way::One(gpus) => self.put_on_one(job, gpus, chance),
            Way::Several(gpus) => self.put_on_several(job, gpus, chance),
        }
    }

    fn put_on_one(&mut self, job: usize, gpus: usize, chance: Option<&mut ChaCha8Rng>) -> bool {
        if self.levels.nodes() == 0 || self.levels.reach(&self.rows[job]).largest < gpus {
            return false;
        }
        self.clear(job);
        let node = match chance {
            // The fullest node: what is left together elsewhere is worth more.
            None => self.levels.fullest(gpus),
            Some(random) => self.levels.nth(gpus, random.random_range(0..self.levels.count(gpus))),
        };
        let place = node.map(|node| (node, gpus as u16)).filter(|_| gpus > 0);
        self.book(job, place.as_slice());
        true
    }

    fn put_on_several(&mut self, job: usize, gpus: usize, chance: Option<&mut ChaCha8Rng>) -> bool {
        let open = self.levels.reach(&self.rows[job]).open;
        if open.nodes < 2 || open.gpus < gpus || gpus < 2 {
            return false;
        }
        self.clear(job);
        let mut row = std::mem::take(&mut self.making);
        row.clear();
        match chance {
            None => self.levels.fill(gpus, &mut row),
            Some(random) => {
                self.levels.open_nodes(&mut self.open);
                scatter(&mut row, &mut self.open, gpus, random);
            }
        }
        // Few, and mostly in order.
        sort_by_rank(&mut row, |(node, _)| *node as u64);
        self.book(job, &row);
        self.making = row;
        true
    }
}

impl Ways {
    fn from_nothing(valued: &Valued, charge: Charge) -> Self {
        let best = |values: &[f64], least: usize| {
            let mut best: Option<(usize, f64)> = None;
            let mut upto = |(gpus, &value): (usize, &f64)| {
                if gpus >= least && value > valued.none {
                    let score = charge.score(value - valued.none, gpus, 0);
                    if best.is_none_or(|(_, most)| score > most) {
                        best = Some((gpus, score));
                    }
                }
                best
            };
            values.iter().enumerate().map(&mut upto).collect()
        };
        Self { one: best(&valued.one, 0), several: best(&valued.several, 2) }
    }
}

/// The places of a row.
pub(super) fn places_of(row: &[u16]) -> Places {
    row.iter().copied().enumerate().filter(|(_, gpus)| *gpus > 0).collect()
}

/// Places on nodes in random order, of each a random part of what it has, and then what is still missing.
fn scatter(places: &mut Places, open: &mut [(u16, usize)], gpus: usize, random: &mut ChaCha8Rng) {
    for last in (1..open.len()).rev() {
        open.swap(last, random.random_range(0..=last as u32) as usize);
    }
    let mut left = gpus;
    for (at, (available, node)) in open.iter_mut().enumerate() {
        let most = usize::from(*available).min(if at == 0 { gpus - 1 } else { left });
        if most == 0 {
            break;
        }
        let here = random.random_range(1..=most as u16);
        places.push((*node, here));
        *available -= here;
        left -= usize::from(here);
    }
    for ((available, _), (_, here)) in open.iter().zip(places) {
        let more = usize::from(*available).min(left);
        *here += more as u16;
        left -= more;
    }
}

#[cfg(test)]
mod tests;
