//! A placement with what is free, and the ways to put a job into it.

use std::cell::Cell;

use elastiplan_model::order::sort_by_rank;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{Placement, Problem, Valued, extent};

/// Rows that are all allowed, what they leave free and what they are worth.
#[derive(Clone, Debug)]
pub(super) struct Room<'a> {
    problem: &'a Problem,
    placement: Placement,
    free: Vec<u16>,
    /// Jobs on several nodes that are on this one.
    spread: Vec<u16>,
    /// GPUs and nodes of each job.
    extents: Vec<(usize, usize)>,
    values: Vec<f64>,
    /// What a job without GPUs could have, until something is booked.
    idle: Cell<Option<Extent>>,
    /// Nodes that are open, with what they have: kept for its memory.
    open: Vec<(u16, usize)>,
}

/// What some jobs had, and what was free: to go back to.
#[derive(Clone, Debug, Default)]
pub(super) struct Saved {
    free: Vec<u16>,
    spread: Vec<u16>,
    /// Rows, one after the other.
    rows: Vec<u16>,
    /// GPUs and nodes, and values.
    jobs: Vec<((usize, usize), f64)>,
}

/// GPUs that a job could have.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    /// On one node.
    largest: usize,
    /// On all nodes that are open to a job on several, and the number of these.
    together: usize,
    nodes: usize,
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
    /// From a placement that is allowed.
    pub fn new(problem: &'a Problem, placement: Placement) -> Self {
        let jobs = problem.jobs.len();
        let mut room = Self {
            problem,
            free: problem.node_gpus.clone(),
            spread: vec![0; problem.node_gpus.len()],
            extents: vec![(0, 0); jobs],
            values: vec![0.0; jobs],
            idle: Cell::new(None),
            open: Vec::new(),
            placement,
        };
        for job in 0..jobs {
            room.book(job);
        }
        room
    }

    pub fn into_placement(self) -> Placement {
        self.placement
    }

    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    pub fn row(&self, job: usize) -> &[u16] {
        self.placement.row(job)
    }

    pub fn value(&self, job: usize) -> f64 {
        self.values[job]
    }

    pub fn total(&self) -> f64 {
        self.values.iter().sum()
    }

    /// Books a job's row.
    fn book(&mut self, job: usize) {
        let row = self.placement.row(job);
        let (gpus, nodes) = extent(row);
        let spread = u16::from(nodes > 1);
        if gpus > 0 {
            for ((free, on_node), here) in self.free.iter_mut().zip(&mut self.spread).zip(row) {
                *free = free.saturating_sub(*here);
                *on_node += spread * u16::from(*here > 0);
            }
            self.idle.set(None);
        }
        self.extents[job] = (gpus, nodes);
        self.values[job] = self.problem.jobs[job].value_of(row, gpus, nodes);
    }

    /// Takes a job's row off the books, and empties it. What it is worth then is not booked.
    fn clear(&mut self, job: usize) {
        let (gpus, nodes) = self.extents[job];
        if gpus == 0 {
            return;
        }
        let spread = u16::from(nodes > 1);
        let row = self.placement.row_mut(job);
        for ((free, on_node), here) in self.free.iter_mut().zip(&mut self.spread).zip(&mut *row) {
            *free += *here;
            *on_node -= spread * u16::from(*here > 0);
        }
        row.fill(0);
        self.idle.set(None);
    }

    pub fn remove(&mut self, job: usize) {
        self.clear(job);
        self.extents[job] = (0, 0);
        self.values[job] = self.problem.jobs[job].none;
    }

    /// Saves what these jobs have, and what is free.
    pub fn save(&self, jobs: &[usize], saved: &mut Saved) {
        saved.free.clone_from(&self.free);
        saved.spread.clone_from(&self.spread);
        saved.rows.clear();
        saved.jobs.clear();
        for &job in jobs {
            saved.rows.extend_from_slice(self.placement.row(job));
            saved.jobs.push((self.extents[job], self.values[job]));
        }
    }

    /// Goes back to what was saved of these jobs; no other has moved since.
    pub fn go_back(&mut self, jobs: &[usize], saved: &Saved) {
        self.free.copy_from_slice(&saved.free);
        self.spread.copy_from_slice(&saved.spread);
        let rows = saved.rows.chunks_exact(self.free.len().max(1));
        for ((&job, row), &(extent, value)) in jobs.iter().zip(rows).zip(&saved.jobs) {
            self.placement.row_mut(job).copy_from_slice(row);
            (self.extents[job], self.values[job]) = (extent, value);
        }
        self.idle.set(None);
    }

    /// Puts a row back that was allowed.
    pub fn restore(&mut self, job: usize, row: &[u16]) {
        self.clear(job);
        self.placement.row_mut(job).copy_from_slice(row);
        self.book(job);
    }

    /// GPUs on a node that a job could have, its own included.
    fn available(&self, job: usize, node: usize) -> u16 {
        self.free[node] + self.placement.row(job)[node]
    }

    /// Whether a job on several nodes could be on this one.
    fn open(&self, job: usize, node: usize) -> bool {
        let own = u16::from(self.extents[job].1 > 1 && self.placement.row(job)[node] > 0);
        !self.problem.apart || self.spread[node] == own
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
            self.restore(job, &problem.jobs[job].current);
        }
        possible
    }

    /// What a job could have.
    fn within_reach(&self, job: usize) -> Extent {
        let nothing_held = self.extents[job].0 == 0;
        if let Some(idle) = self.idle.get().filter(|_| nothing_held) {
            return idle;
        }
        let is_spread = u16::from(self.extents[job].1 > 1);
        let (mut largest, mut together, mut nodes) = (0_u16, 0_u32, 0_u32);
        // All bits where jobs on several nodes are kept apart.
        let apart = u16::from(self.problem.apart).wrapping_neg();
        for ((&free, &on_node), &here) in self.free.iter().zip(&self.spread).zip(self.placement.row(job)) {
            let available = free + here;
            largest = largest.max(available);
            // Without a branch, since which nodes are open follows no pattern.
            let is_open = (on_node ^ (is_spread & u16::from(here > 0))) & apart == 0;
            together += u32::from(available) * u32::from(is_open);
            nodes += u32::from(is_open & (available > 0));
        }
        let reach = Extent { largest: usize::from(largest), together: together as usize, nodes: nodes as usize };
        if nothing_held {
            self.idle.set(Some(reach));
        }
        reach
    }

    /// The way that raises a job's value most for what it is charged; where it is now only if it may keep that.
    pub fn offer(&self, job: usize, charge: Charge, keeps: bool) -> Option<Offer> {
        let problem = self.problem;
        let valued = &problem.jobs[job];
        let (held, now) = (self.extents[job].0, self.values[job]);
        let reach = self.within_reach(job);
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
        let several_max = valued.gpus_max.min(if reach.nodes > 1 { reach.together } else { 0 });
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
        if valued.one_upto[one_max] > now {
            for (gpus, &value) in valued.one[..=one_max].iter().enumerate() {
                if value > now && charge.may_beat(best_score(&best), value - now, gpus, held) {
                    consider(&mut best, Way::One(gpus), charge.score(value - now, gpus, held));
                }
            }
        }
        if valued.several_upto[several_max] > now {
            for (gpus, &value) in valued.several[..=several_max].iter().enumerate().skip(2) {
                if value > now && charge.may_beat(best_score(&best), value - now, gpus, held) {
                    consider(&mut best, Way::Several(gpus), charge.score(value - now, gpus, held));
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
        let available = self.free.iter().zip(self.placement.row(job)).map(|(free, here)| usize::from(free + here));
        let mut fitting = available.enumerate().filter(|(_, available)| *available >= gpus);
        let node = match chance {
            // The fullest node: what is left together elsewhere is worth more.
            None => {
                let mut fullest: Option<(usize, usize)> = None;
                for (node, available) in fitting {
                    if fullest.is_none_or(|(_, least)| available < least) {
                        fullest = Some((node, available));
                    }
                    if available == gpus {
                        break;
                    }
                }
                fullest
            }
            Some(random) => {
                let count = fitting.clone().count() as u32;
                if count == 0 { None } else { fitting.nth(random.random_range(0..count) as usize) }
            }
        };
        let Some((node, _)) = node else { return false };
        self.clear(job);
        let problem = self.problem;
        let valued = &problem.jobs[job];
        let here = gpus as u16;
        self.placement.row_mut(job)[node] = here;
        self.free[node] = self.free[node].saturating_sub(here);
        self.idle.set(None);
        self.extents[job] = (gpus, usize::from(gpus > 0));
        let is_kept = match valued.places.as_slice() {
            [] => gpus == 0,
            [only] => *only == (node, here),
            _ => false,
        };
        self.values[job] = if is_kept { valued.kept } else { valued.moved(gpus, 1) };
        true
    }

    fn put_on_several(&mut self, job: usize, gpus: usize, chance: Option<&mut ChaCha8Rng>) -> bool {
        let mut open = std::mem::take(&mut self.open);
        open.clear();
        let is_spread = u16::from(self.extents[job].1 > 1);
        let mut together = 0;
        let nodes = self.free.iter().zip(&self.spread).zip(self.placement.row(job)).enumerate();
        for (node, ((&free, &on_node), &here)) in nodes {
            let (available, own) = (free + here, is_spread * u16::from(here > 0));
            if available > 0 && (!self.problem.apart || on_node == own) {
                together += usize::from(available);
                open.push((available, node));
            }
        }
        let is_possible = open.len() >= 2 && together >= gpus && gpus >= 2;
        if is_possible {
            self.clear(job);
            let row = self.placement.row_mut(job);
            match chance {
                None => fill(row, &mut open, gpus),
                Some(random) => scatter(row, &mut open, gpus, random),
            }
            self.book(job);
        }
        self.open = open;
        is_possible
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

/// The emptiest nodes first, so that they are few; the rest on the fullest node that has it. There are at least two,
/// with at least so many GPUs together.
fn fill(row: &mut [u16], open: &mut [(u16, usize)], gpus: usize) {
    sort_by_rank(open, |(available, node)| u64::from(u16::MAX - *available) << 32 | *node as u64);
    let mut left = gpus;
    for at in 0..open.len() {
        let (available, node) = open[at];
        if at > 0 && usize::from(available) >= left {
            let rest = open[at..].iter().rev().find(|(available, _)| usize::from(*available) >= left);
            row[rest.map_or(node, |(_, node)| *node)] = left as u16;
            return;
        }
        // All on one node would not be several.
        let here = usize::from(available).min(if at == 0 { gpus - 1 } else { left });
        row[node] = here as u16;
        left -= here;
    }
}

/// On nodes in random order, of each a random part of what it has, and then what is still missing.
fn scatter(row: &mut [u16], open: &mut [(u16, usize)], gpus: usize, random: &mut ChaCha8Rng) {
    for last in (1..open.len()).rev() {
        open.swap(last, random.random_range(0..=last as u32) as usize);
    }
    let mut left = gpus;
    for (at, (available, node)) in open.iter_mut().enumerate() {
        let most = usize::from(*available).min(if at == 0 { gpus - 1 } else { left });
        if most > 0 {
            let here = random.random_range(1..=most as u16);
            row[*node] = here;
            *available -= here;
            left -= usize::from(here);
        }
    }
    for (available, node) in open.iter() {
        let here = usize::from(*available).min(left);
        row[*node] += here as u16;
        left -= here;
    }
}

#[cfg(test)]
mod tests;
