//! How children are made from two placements, and what is done to them until they are allowed.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{Placement, Problem, extent};

/// Whose operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Breeding {
    /// Every job's row comes from either parent; every number of GPUs mutates with probability 1 / nodes, to any from 0
    /// to what the node has; random jobs leave nodes, or lose GPUs there, until everything is allowed.
    #[default]
    Paper,
    /// The first jobs' rows come from one parent and the others' from the other; rows go back to what is held now, some
    /// numbers become 0, others grow where GPUs are free; where there are too many, the jobs named first stay.
    Artifact,
}

/// How often the artifact mixes its parents' rows at all.
const CROSSOVER: f64 = 0.9;
/// How often the artifact puts a row back, thins one out, and takes a number of such a row.
const RESET: f64 = 0.1;

pub(super) fn bring_forth(
    problem: &Problem,
    [mother, father]: [&Placement; 2],
    breeding: Breeding,
    random: &mut ChaCha8Rng,
) -> Placement {
    let mut child = mother.clone();
    match breeding {
        Breeding::Paper => {
            for job in 0..child.jobs() {
                if random.random::<bool>() {
                    child.row_mut(job).copy_from_slice(father.row(job));
                }
            }
            mutate_anything(problem, &mut child, random);
        }
        Breeding::Artifact => {
            if random.random::<f64>() < CROSSOVER {
                let cut = random.random_range(0..=child.jobs() as u32) as usize;
                for job in 0..cut {
                    child.row_mut(job).copy_from_slice(father.row(job));
                }
            }
            mutate_rows(problem, &mut child, random);
        }
    }
    repair(problem, &mut child, breeding, random);
    child
}

fn mutate_anything(problem: &Problem, child: &mut Placement, random: &mut ChaCha8Rng) {
    let nodes = child.nodes;
    let none = libm::log(1.0 - 1.0 / nodes as f64);
    let mut at = 0;
    while at < child.gpus.len() {
        // How many numbers are passed over until the next that mutates: one draw instead of one for each.
        let draw = 1.0 - random.random::<f64>();
        let over = if nodes > 1 { libm::floor(libm::log(draw) / none) } else { 0.0 };
        if over >= (child.gpus.len() - at) as f64 {
            return;
        }
        at += over as usize;
        child.gpus[at] = random.random_range(0..=problem.node_gpus[at % nodes]);
        at += 1;
    }
}

fn mutate_rows(problem: &Problem, child: &mut Placement, random: &mut ChaCha8Rng) {
    let (jobs, nodes) = (child.jobs(), child.nodes);
    let mut used = vec![0usize; nodes];
    let mut holders = vec![0u32; nodes];
    for (job, valued) in problem.jobs.iter().enumerate() {
        let row = child.row_mut(job);
        if random.random::<f64>() < RESET {
            row.copy_from_slice(&valued.current);
        }
        if random.random::<f64>() < RESET {
            for here in row.iter_mut().filter(|here| **here > 0) {
                if random.random::<f64>() < RESET {
                    *here = 0;
                }
            }
        }
        for (node, &here) in row.iter().enumerate() {
            used[node] += usize::from(here);
            holders[node] += u32::from(here > 0);
        }
    }
    let by_job = 1.0 / jobs as f64;
    for node in (0..nodes).filter(|node| used[*node] < usize::from(problem.node_gpus[*node])) {
        for job in 0..jobs {
            let here = &mut child.gpus[job * nodes + node];
            let by_node = if *here > 0 { 1.0 / f64::from(holders[node]) } else { 0.0 };
            if random.random::<f64>() < by_job + by_node - by_job * by_node {
                *here = random.random_range(*here..=problem.node_gpus[node].max(*here));
            }
        }
    }
}

/// Repairs a placement until it is allowed. Jobs that leave a node or lose GPUs are random, or come after those that
/// stay.
pub(super) fn repair(problem: &Problem, child: &mut Placement, breeding: Breeding, random: &mut ChaCha8Rng) {
    let nodes = child.nodes;
    let mut holders: Vec<usize> = Vec::new();
    let mut spans: Vec<usize> = Vec::with_capacity(child.jobs());
    let (mut used, mut spread) = (vec![0usize; nodes], vec![0usize; nodes]);
    let draw = |random: &mut ChaCha8Rng, count: usize| random.random_range(0..count as u32) as usize;
    for (job, valued) in problem.jobs.iter().enumerate() {
        let row = child.row_mut(job);
        let (mut gpus, mut span) = extent(row);
        while gpus > valued.gpus_max {
            holders.clear();
            holders.extend((0..nodes).filter(|node| row[*node] > 0));
            let node = holders[draw(random, holders.len())];
            row[node] -= 1;
            gpus -= 1;
            span -= usize::from(row[node] == 0);
        }
        for (node, &here) in row.iter().enumerate().filter(|(_, here)| **here > 0) {
            used[node] += usize::from(here);
            spread[node] += usize::from(span > 1);
        }
        spans.push(span);
    }
    let pick = |random: &mut ChaCha8Rng, count: usize| match breeding {
        Breeding::Paper => draw(random, count),
        Breeding::Artifact => count - 1,
    };
    // A job that has left a node may be on one only, so that fewer are to be kept apart than were counted.
    for node in (0..nodes).filter(|node| problem.apart && spread[*node] > 1) {
        holders.clear();
        holders.extend((0..spans.len()).filter(|job| spans[*job] > 1 && child.gpus[job * nodes + node] > 0));
        while holders.len() > 1 {
            let job = holders.swap_remove(pick(random, holders.len()));
            used[node] -= usize::from(child.gpus[job * nodes + node]);
            child.gpus[job * nodes + node] = 0;
            spans[job] -= 1;
        }
    }
    for node in (0..nodes).filter(|node| used[*node] > usize::from(problem.node_gpus[*node])) {
        holders.clear();
        holders.extend((0..spans.len()).filter(|job| child.gpus[job * nodes + node] > 0));
        let mut over = used[node] - usize::from(problem.node_gpus[node]);
        while over > 0 {
            let at = pick(random, holders.len());
            let here = &mut child.gpus[holders[at] * nodes + node];
            *here -= 1;
            over -= 1;
            if *here == 0 {
                holders.swap_remove(at);
            }
        }
    }
}
