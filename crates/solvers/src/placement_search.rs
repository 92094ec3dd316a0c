//! Which jobs get how many GPUs on which nodes, so that a mean of their speed-ups is largest (Pollux, section 4.2).
//!
//! A job's speed-up depends on how many GPUs it has and on whether they are on one node or on several, which is all
//! that Pollux's model knows. A job whose row of GPUs changes pays for a restart. If jobs on several nodes disturb each
//! other, no node has more than one of them.
//!
//! Whatever the mean, the best rows are those with the largest sum of one value for each job. Two searches look for
//! them, round by round, so that the caller may stop at any time: [`Genetic`], which is the paper's, and [`Exchange`],
//! which finds better rows sooner.
//!
//! ```
//! use elastiplan_solvers::placement_search::{Exchange, Mean, PlacementSearch, Problem, Restart, SearchJob};
//!
//! let job = |current: [u16; 2]| SearchJob {
//!     current: current.to_vec(),
//!     weight: 1.0,
//!     on_one_node: vec![0.0, 1.0, 1.9, 2.7, 3.4],
//!     on_several: vec![0.0, 0.0, 1.4, 2.0, 2.6, 3.2, 3.7, 4.2, 4.6],
//!     restart: Restart { factor: 1.0, minus: 0.25 },
//! };
//! let problem = Problem::new(&[4, 4], vec![job([3, 0]), job([0, 0])], Mean::WEIGHTED, true).expect("sound");
//! let mut search = Exchange::new(&problem, &[], 1);
//! search.advance(50);
//! // A fourth GPU is worth 0.7 to the first, of which its restart costs 0.25.
//! assert_eq!(search.best().row(0), [4, 0]);
//! assert_eq!(search.best().row(1), [0, 4]);
//! ```

mod bound;
mod breeding;
mod exchange;
mod genetic;
mod node_levels;
mod room;
mod scores;

use std::cell::OnceCell;

use thiserror::Error;

pub use breeding::Breeding;
pub use exchange::Exchange;
pub use genetic::Genetic;

/// A job as a search sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchJob {
    /// GPUs held now, on each node.
    pub current: Vec<u16>,
    /// How much it counts; above 0.
    pub weight: f64,
    /// Speed-up by GPUs on one node, from 0 GPUs on. As many GPUs as the longer of the two lists says are allowed; what
    /// the other does not say is 0.
    pub on_one_node: Vec<f64>,
    /// Speed-up by GPUs on several nodes, from 0 GPUs on.
    pub on_several: Vec<f64>,
    /// What a change costs.
    pub restart: Restart,
}

/// What becomes of the speed-up of a job whose row changes: times `factor` (the artifact), less `minus` (the paper).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restart {
    /// From 0 to 1.
    pub factor: f64,
    /// From 0 on.
    pub minus: f64,
}

/// Which mean: (sum of weight x (speed-up + offset)^power / sum of weights)^(1 / power).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// 1 in the paper, -1 in the artifact; 0 stands for the geometric mean.
    pub power: f64,
    /// Above 0 unless the power is: without it, a job without GPUs would decide alone.
    pub offset: f64,
}

impl Mean {
    /// The paper's (eq. 14).
    pub const WEIGHTED: Self = Self { power: 1.0, offset: 0.0 };
    /// The artifact's.
    pub const HARMONIC: Self = Self { power: -1.0, offset: 1e-3 };

    /// What is added up: larger for a larger speed-up.
    fn value(&self, speedup: f64) -> f64 {
        let base = speedup.max(0.0) + self.offset;
        let value = match self.power {
            1.0 => speedup + self.offset,
            -1.0 => -1.0 / base,
            0.0 => libm::log(base),
            power if power > 0.0 => libm::pow(base, power),
            power => -libm::pow(base, power),
        };
        value.clamp(-VALUE_MAX, VALUE_MAX)
    }

    /// The mean, from the mean of values.
    fn of(&self, value: f64) -> f64 {
        match self.power {
            1.0 => value,
            -1.0 => -1.0 / value,
            0.0 => libm::exp(value),
            power if power > 0.0 => libm::pow(value, 1.0 / power),
            power => libm::pow(-value, 1.0 / power),
        }
    }
}

/// Weights and speed-ups are not larger, and neither are sums of values.
const NUMBER_MAX: f64 = 1e12;
const VALUE_MAX: f64 = 1e200;

/// Weights of jobs by the GPU time that they have had (eq. 16).
pub fn weight(gpu_seconds: f64, threshold_gpu_seconds: f64, decay: f64) -> f64 {
    match gpu_seconds > threshold_gpu_seconds {
        true => libm::pow(threshold_gpu_seconds / gpu_seconds, decay),
        false => 1.0,
    }
}

/// GPUs of every job on every node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Placement {
    nodes: usize,
    gpus: Vec<u16>,
}

impl Placement {
    /// A placement without GPUs for any job.
    pub fn empty(jobs: usize, nodes: usize) -> Self {
        Self { nodes, gpus: vec![0; jobs * nodes] }
    }

    /// From one row for each job; rows are cut or filled up to the number of nodes.
    pub fn from_rows<'a>(nodes: usize, rows: impl IntoIterator<Item = &'a [u16]>) -> Self {
        let mut gpus = Vec::new();
        for row in rows {
            gpus.extend(row.iter().copied().chain(std::iter::repeat(0)).take(nodes));
        }
        Self { nodes, gpus }
    }

    /// GPUs of a job on each node; nothing for a job that is not there.
    pub fn row(&self, job: usize) -> &[u16] {
        self.gpus.get(job * self.nodes..(job + 1) * self.nodes).unwrap_or_default()
    }

    fn row_mut(&mut self, job: usize) -> &mut [u16] {
        self.gpus.get_mut(job * self.nodes..(job + 1) * self.nodes).unwrap_or_default()
    }

    /// The number of jobs.
    pub fn jobs(&self) -> usize {
        self.gpus.len().checked_div(self.nodes).unwrap_or(0)
    }
}

/// The nodes of a job, in order, with its GPUs there.
type Places = Vec<(usize, u16)>;

/// How many GPUs a row has, and on how many nodes.
fn extent(row: &[u16]) -> (usize, usize) {
    row.iter().fold((0, 0), |(gpus, nodes), &here| (gpus + usize::from(here), nodes + usize::from(here > 0)))
}

/// The reason why a problem is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ProblemError {
    /// A job whose current row is not as long as there are nodes.
    #[error("job {0}: a row has one number of GPUs for each node")]
    Row(usize),
    /// A weight, speed-up or restart that is no number from 0 to 1e12.
    #[error("job {0}: weights must be above 0, speed-ups from 0 on, all at most 1e12, a restart's factor from 0 to 1")]
    Job(usize),
    /// A mean that a job without GPUs would decide alone.
    #[error("the offset must be finite and from 0 on, and above 0 unless the power is")]
    Mean,
}

/// Nodes, jobs and what is wanted of them.
#[derive(Clone, Debug)]
pub struct Problem {
    node_gpus: Vec<u16>,
    jobs: Vec<Valued>,
    mean: Mean,
    weights: f64,
    apart: bool,
}

/// A job with the values of what it may get, weights included.
#[derive(Clone, Debug)]
struct Valued {
    current: Vec<u16>,
    gpus_current: usize,
    nodes_current: usize,
    gpus_max: usize,
    /// By GPUs, for a row that is not the current one.
    one: Vec<f64>,
    several: Vec<f64>,
    /// The largest of these on so many GPUs or fewer.
    one_upto: Vec<f64>,
    several_upto: Vec<f64>,
    kept: f64,
    /// Without GPUs.
    none: f64,
    /// The nodes that are held now, with GPUs on each.
    places: Places,
    /// The best ways from nothing, once they are needed: by GPU, by root and for nothing.
    ways: [OnceCell<room::Ways>; 3],
}

impl Problem {
    /// `apart`: whether at most one job on several nodes may be on a node.
    pub fn new(node_gpus: &[u16], jobs: Vec<SearchJob>, mean: Mean, apart: bool) -> Result<Self, ProblemError> {
        let sound = mean.power.is_finite() && mean.offset >= 0.0 && mean.offset.is_finite();
        if !sound || (mean.power <= 0.0 && mean.offset == 0.0) {
            return Err(ProblemError::Mean);
        }
        let total: usize = node_gpus.iter().map(|gpus| usize::from(*gpus)).sum();
        let mut valued = Vec::with_capacity(jobs.len());
        let mut weights = 0.0;
        for (at, job) in jobs.into_iter().enumerate() {
            if job.current.len() != node_gpus.len() {
                return Err(ProblemError::Row(at));
            }
            let number = |value: &f64| (0.0..=NUMBER_MAX).contains(value);
            let speedups = job.on_one_node.iter().chain(&job.on_several).all(number);
            let restart = (0.0..=1.0).contains(&job.restart.factor) && number(&job.restart.minus);
            if !(speedups && restart && job.weight > 0.0 && number(&job.weight)) {
                return Err(ProblemError::Job(at));
            }
            weights += job.weight;
            valued.push(Valued::new(job, &mean, total));
        }
        Ok(Self { node_gpus: node_gpus.to_vec(), jobs: valued, mean, weights, apart })
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.node_gpus.len()
    }

    /// The mean of the speed-ups, restarts included: what is to be as large as possible; 0 without jobs.
    pub fn fitness(&self, placement: &Placement) -> f64 {
        self.fitness_of(self.value(placement))
    }

    /// Whether no node has more than its GPUs, no job more than it may, and no node several jobs that must be apart.
    pub fn allows(&self, placement: &Placement) -> bool {
        if placement.nodes != self.node_gpus.len() || placement.jobs() != self.jobs.len() {
            return false;
        }
        let mut used = vec![0usize; self.node_gpus.len()];
        let mut spread = vec![0u32; self.node_gpus.len()];
        for (at, job) in self.jobs.iter().enumerate() {
            let row = placement.row(at);
            let (gpus, nodes) = extent(row);
            if gpus > job.gpus_max {
                return false;
            }
            for (node, &here) in row.iter().enumerate() {
                used[node] += usize::from(here);
                spread[node] += u32::from(here > 0 && nodes > 1);
            }
        }
        let fits = used.iter().zip(&self.node_gpus).all(|(used, gpus)| *used <= usize::from(*gpus));
        fits && (!self.apart || spread.iter().all(|jobs| *jobs <= 1))
    }

    /// No placement has a larger fitness: what could be reached if all GPUs were on nodes that are just right.
    pub fn fitness_bound(&self) -> f64 {
        self.fitness_of(bound::counts(self).0)
    }

    /// What is held now, as far as it is allowed; jobs come first that are named first.
    pub fn current(&self) -> Placement {
        self.room_of_current().placement()
    }

    fn room_of_current(&self) -> room::Room<'_> {
        let mut room = room::Room::empty(self);
        for job in 0..self.jobs.len() {
            room.keep(job);
        }
        room
    }

    fn value(&self, placement: &Placement) -> f64 {
        self.jobs.iter().enumerate().map(|(at, job)| job.value(placement.row(at))).sum()
    }

    fn fitness_of(&self, value: f64) -> f64 {
        if self.jobs.is_empty() { 0.0 } else { self.mean.of(value / self.weights) }
    }
}

impl Valued {
    fn new(job: SearchJob, mean: &Mean, total: usize) -> Self {
        let gpus_max = job.on_one_node.len().max(job.on_several.len()).saturating_sub(1).min(total);
        let (gpus_current, nodes_current) = extent(&job.current);
        let worth = |list: &[f64], gpus: usize| list.get(gpus).copied().unwrap_or(0.0);
        let changed = |list: &[f64]| -> Vec<f64> {
            let moved = |gpus| worth(list, gpus) * job.restart.factor - job.restart.minus;
            (0..=gpus_max).map(|gpus| job.weight * mean.value(moved(gpus))).collect()
        };
        let list = if nodes_current > 1 { &job.on_several } else { &job.on_one_node };
        let kept = job.weight * mean.value(worth(list, gpus_current));
        let (one, several) = (changed(&job.on_one_node), changed(&job.on_several));
        let none = if gpus_current == 0 { kept } else { one.first().copied().unwrap_or(f64::NEG_INFINITY) };
        Self {
            places: room::places_of(&job.current),
            ways: Default::default(),
            gpus_current,
            nodes_current,
            gpus_max,
            one_upto: largest_upto(&one),
            several_upto: largest_upto(&several),
            one,
            several,
            kept,
            none,
            current: job.current,
        }
    }

    fn value(&self, row: &[u16]) -> f64 {
        let (gpus, nodes) = extent(row);
        self.value_of(row, gpus, nodes)
    }

    /// The value of a row that has so many GPUs on so many nodes.
    fn value_of(&self, row: &[u16], gpus: usize, nodes: usize) -> f64 {
        if gpus == self.gpus_current && row == self.current {
            return self.kept;
        }
        self.moved(gpus, nodes)
    }

    /// The same, of a row by its places.
    fn value_at(&self, places: &[(usize, u16)], gpus: usize) -> f64 {
        if places == self.places {
            return self.kept;
        }
        self.moved(gpus, places.len())
    }

    /// The value of a row that is not the current one.
    fn moved(&self, gpus: usize, nodes: usize) -> f64 {
        let list = if nodes > 1 { &self.several } else { &self.one };
        list.get(gpus).copied().unwrap_or(f64::NEG_INFINITY)
    }
}

/// The largest value up to each.
fn largest_upto(values: &[f64]) -> Vec<f64> {
    let raise = |most: &mut f64, value: &f64| {
        *most = most.max(*value);
        Some(*most)
    };
    values.iter().scan(f64::NEG_INFINITY, raise).collect()
}

/// A search that can be stopped after any round.
pub trait PlacementSearch {
    /// Searches on for so many rounds.
    fn advance(&mut self, rounds: u32);
    /// The best placement so far.
    fn best(&self) -> &Placement;
    /// Its fitness.
    fn fitness(&self) -> f64;
}
