//! A placement with what is free, and the ways to put a job into it.

use elastiplan_model::order::sort_by_rank;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{Placement, Problem, extent};

/// Rows that are all allowed, what they leave free and what they are worth.
#[derive(Clone, Debug)]
pub(super) struct Room<'a> {
    problem: &'a Problem,
    placement: Placement,
    free: Vec<u16>,
    /// Jobs on several nodes that are on this one.
    spread: Vec<u32>,
    /// GPUs and nodes of each job.
    extents: Vec<(usize, usize)>,
    values: Vec<f64>,
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
            placement,
        };
        for job in 0..jobs {
            room.count(job, true);
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

    /// Books a job's row, or takes it off the books.
    fn count(&mut self, job: usize, books: bool) {
        let row = self.placement.row(job);
        let (gpus, nodes) = extent(row);
        for (node, &here) in row.iter().enumerate().filter(|(_, here)| **here > 0) {
            let spread = u32::from(nodes > 1);
            if books {
                self.free[node] = self.free[node].saturating_sub(here);
                self.spread[node] += spread;
            } else {
                self.free[node] += here;
                self.spread[node] -= spread;
            }
        }
        if books {
            self.extents[job] = (gpus, nodes);
            self.values[job] = self.problem.jobs[job].value(row);
        }
    }

    pub fn remove(&mut self, job: usize) {
        self.count(job, false);
        self.placement.row_mut(job).fill(0);
        self.extents[job] = (0, 0);
        self.values[job] = self.problem.jobs[job].value(self.placement.row(job));
    }

    /// Puts a row back that was allowed.
    pub fn restore(&mut self, job: usize, row: &[u16]) {
        self.count(job, false);
        self.placement.row_mut(job).copy_from_slice(row);
        self.count(job, true);
    }

    /// GPUs on a node that a job could have, its own included.
    fn available(&self, job: usize, node: usize) -> u16 {
        self.free[node] + self.placement.row(job)[node]
    }

    /// Whether a job on several nodes could be on this one.
    fn open(&self, job: usize, node: usize) -> bool {
        let own = u32::from(self.extents[job].1 > 1 && self.placement.row(job)[node] > 0);
        !self.problem.apart || self.spread[node] == own
    }

    fn can_keep(&self, job: usize) -> bool {
        let valued = &self.problem.jobs[job];
        let fits = |(node, &gpus): (usize, &u16)| {
            gpus == 0 || (gpus <= self.available(job, node) && (valued.nodes_current < 2 || self.open(job, node)))
        };
        valued.gpus_current <= valued.gpus_max && valued.current.iter().enumerate().all(fits)
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

    /// The way that raises a job's value most for what it is charged; where it is now only if it may keep that.
    pub fn offer(&self, job: usize, charge: Charge, keeps: bool) -> Option<Offer> {
        let valued = &self.problem.jobs[job];
        let (held, now) = (self.extents[job].0, self.values[job]);
        let (mut largest, mut together, mut nodes) = (0, 0, 0);
        for node in 0..self.free.len() {
            let available = usize::from(self.available(job, node));
            largest = largest.max(available);
            if available > 0 && self.open(job, node) {
                together += available;
                nodes += 1;
            }
        }
        let mut best: Option<Offer> = None;
        let mut consider = |way, gpus: usize, value: f64| {
            let further = if gpus > held { (gpus - held) as f64 } else { FREE_OF_CHARGE };
            let score = match charge {
                Charge::ByGpu => (value - now) / further,
                Charge::ByRoot => (value - now) / f64::sqrt(further),
                Charge::Nothing => value - now,
            };
            if value > now && best.is_none_or(|best| score > best.score) {
                best = Some(Offer { way, score });
            }
        };
        if keeps && self.can_keep(job) {
            consider(Way::Keep, valued.gpus_current, valued.kept);
        }
        let spread_max = if nodes > 1 { together } else { 0 };
        for gpus in 0..=valued.gpus_max.min(largest) {
            consider(Way::One(gpus), gpus, valued.one[gpus]);
        }
        for gpus in 2..=valued.gpus_max.min(spread_max) {
            consider(Way::Several(gpus), gpus, valued.several[gpus]);
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
        let nodes = 0..self.free.len();
        let mut fitting = nodes.filter(|node| usize::from(self.available(job, *node)) >= gpus);
        let node = match chance {
            // The fullest node: what is left together elsewhere is worth more.
            None => fitting.min_by_key(|node| self.available(job, *node)),
            Some(random) => {
                let count = fitting.clone().count() as u32;
                if count == 0 { None } else { fitting.nth(random.random_range(0..count) as usize) }
            }
        };
        let Some(node) = node else { return false };
        self.count(job, false);
        let row = self.placement.row_mut(job);
        row.fill(0);
        row[node] = gpus as u16;
        self.count(job, true);
        true
    }

    fn put_on_several(&mut self, job: usize, gpus: usize, chance: Option<&mut ChaCha8Rng>) -> bool {
        let mut open: Vec<(u16, usize)> = (0..self.free.len())
            .filter(|node| self.open(job, *node))
            .map(|node| (self.available(job, node), node))
            .filter(|(available, _)| *available > 0)
            .collect();
        let together: usize = open.iter().map(|(available, _)| usize::from(*available)).sum();
        if open.len() < 2 || together < gpus || gpus < 2 {
            return false;
        }
        self.count(job, false);
        let row = self.placement.row_mut(job);
        row.fill(0);
        match chance {
            None => fill(row, &mut open, gpus),
            Some(random) => scatter(row, &mut open, gpus, random),
        }
        self.count(job, true);
        true
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
