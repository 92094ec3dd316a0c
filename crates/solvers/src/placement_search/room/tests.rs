use rand::{RngExt, SeedableRng};

use super::*;
use crate::placement_search::{Mean, Restart, SearchJob, bound, extent};

/// The best offer, way by way and node by node, from nothing but the placement.
fn offer_naive(problem: &Problem, placement: &Placement, job: usize, charge: Charge, keeps: bool) -> Option<Offer> {
    let (jobs, nodes) = (problem.jobs.len(), problem.node_gpus.len());
    let valued = &problem.jobs[job];
    let row = placement.row(job);
    let others = || (0..jobs).filter(|other| *other != job);
    let available = |node: usize| {
        let used: u16 = others().map(|other| placement.row(other)[node]).sum();
        usize::from(problem.node_gpus[node] - used)
    };
    let is_open = |node: usize| {
        !problem.apart || !others().any(|other| extent(placement.row(other)).1 > 1 && placement.row(other)[node] > 0)
    };
    let now = valued.value(row);
    let held = extent(row).0;
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
    let fits = |node: usize| {
        let gpus = usize::from(valued.current[node]);
        gpus == 0 || (gpus <= available(node) && (valued.nodes_current < 2 || is_open(node)))
    };
    if keeps && valued.gpus_current <= valued.gpus_max && (0..nodes).all(fits) {
        consider(Way::Keep, valued.gpus_current, valued.kept);
    }
    let largest = (0..nodes).map(available).max().unwrap_or(0);
    for gpus in 0..=valued.gpus_max.min(largest) {
        consider(Way::One(gpus), gpus, valued.one[gpus]);
    }
    let open: Vec<usize> = (0..nodes).filter(|node| is_open(*node) && available(*node) > 0).map(available).collect();
    let together = if open.len() > 1 { open.iter().sum() } else { 0 };
    for gpus in 2..=valued.gpus_max.min(together) {
        consider(Way::Several(gpus), gpus, valued.several[gpus]);
    }
    best
}

fn any_problem(random: &mut ChaCha8Rng) -> Problem {
    let nodes = random.random_range(1..6usize);
    let node_gpus: Vec<u16> = (0..nodes).map(|_| random.random_range(0..6u16)).collect();
    let mut speedups = |count: usize| (0..count).map(|_| f64::from(random.random_range(0..6u32))).collect::<Vec<_>>();
    let lists: Vec<[Vec<f64>; 2]> = (0..6).map(|at| [speedups(1 + at), speedups(9)]).collect();
    let mut free = node_gpus.clone();
    let job = |[on_one_node, on_several]: [Vec<f64>; 2]| {
        let hold = |free: &mut u16| {
            let held = if random.random_range(0..3u32) == 0 { random.random_range(0..=*free) } else { 0 };
            *free -= held;
            held
        };
        let current = free.iter_mut().map(hold).collect();
        SearchJob { current, weight: 1.0, on_one_node, on_several, restart: Restart { factor: 1.0, minus: 0.25 } }
    };
    let jobs = lists.into_iter().map(job).collect();
    Problem::new(&node_gpus, jobs, Mean::WEIGHTED, free.len().is_multiple_of(2)).unwrap()
}

/// The row of a job that goes a way, node by node, from nothing but the placement; `None` if there is no room.
fn row_naive(
    problem: &Problem,
    placement: &Placement,
    job: usize,
    way: Way,
    chance: Option<&mut ChaCha8Rng>,
) -> Option<Vec<u16>> {
    let (jobs, nodes) = (problem.jobs.len(), problem.node_gpus.len());
    let others = || (0..jobs).filter(|other| *other != job);
    let available =
        |node: &usize| problem.node_gpus[*node] - others().map(|other| placement.row(other)[*node]).sum::<u16>();
    let is_open = |node: &usize| {
        !problem.apart || !others().any(|other| extent(placement.row(other)).1 > 1 && placement.row(other)[*node] > 0)
    };
    let mut row = vec![0; nodes];
    match way {
        Way::Keep => return None,
        Way::One(gpus) => {
            let fitting: Vec<usize> = (0..nodes).filter(|node| usize::from(available(node)) >= gpus).collect();
            let node = match chance {
                None => fitting.iter().copied().min_by_key(available)?,
                Some(_) if fitting.is_empty() => return None,
                Some(random) => fitting[random.random_range(0..fitting.len() as u32) as usize],
            };
            row[node] = gpus as u16;
        }
        Way::Several(gpus) => {
            let mut open: Vec<usize> = (0..nodes).filter(|node| available(node) > 0 && is_open(node)).collect();
            let together: usize = open.iter().map(|node| usize::from(available(node))).sum();
            if open.len() < 2 || together < gpus || gpus < 2 {
                return None;
            }
            let mut left = gpus;
            match chance {
                // The emptiest first; the rest on the last of those that have it and are fullest.
                None => {
                    sort_by_rank(&mut open, |node| u64::from(u16::MAX - available(node)) << 32 | *node as u64);
                    for (at, node) in open.iter().enumerate() {
                        let all = usize::from(available(node));
                        if at > 0 && all >= left {
                            let rest = open[at..].iter().rev().find(|node| usize::from(available(node)) >= left);
                            row[*rest.unwrap()] = left as u16;
                            break;
                        }
                        row[*node] = all.min(if at == 0 { gpus - 1 } else { left }) as u16;
                        left -= usize::from(row[*node]);
                    }
                }
                Some(random) => {
                    for last in (1..open.len()).rev() {
                        open.swap(last, random.random_range(0..=last as u32) as usize);
                    }
                    for (at, node) in open.iter().enumerate() {
                        let most = usize::from(available(node)).min(if at == 0 { gpus - 1 } else { left });
                        if most > 0 {
                            row[*node] = random.random_range(1..=most as u16);
                            left -= usize::from(row[*node]);
                        }
                    }
                    for node in &open {
                        let more = usize::from(available(node) - row[*node]).min(left);
                        row[*node] += more as u16;
                        left -= more;
                    }
                }
            }
        }
    }
    Some(row)
}

/// Sends a job a way, on the best nodes or on random ones, and compares where it is then.
fn go_and_compare(room: &mut Room<'_>, job: usize, way: Way, chance: Option<&mut ChaCha8Rng>) {
    let before = room.placement();
    let mut same_chance = chance.as_deref().cloned();
    let expected = row_naive(room.problem, &before, job, way, same_chance.as_mut());
    let is_there = match chance {
        None => room.go(job, way, None),
        Some(random) => {
            let is_there = room.go(job, way, Some(random));
            assert_eq!(Some(&*random), same_chance.as_ref());
            is_there
        }
    };
    if way != Way::Keep {
        assert_eq!(is_there, expected.is_some());
        assert_eq!(room.placement().row(job), expected.unwrap_or(before.row(job).to_vec()), "{way:?}");
    }
}

/// The books are the same, order included.
fn assert_same(room: &Room<'_>, other: &Room<'_>) {
    assert_eq!((&room.rows, &room.on_node, &room.gpus), (&other.rows, &other.on_node, &other.gpus));
    assert_eq!((&room.levels, &room.values), (&other.levels, &other.values));
}

#[test]
fn what_was_saved_is_there_again() {
    for seed in 0..400 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let problem = any_problem(&mut random);
        let jobs = problem.jobs.len();
        let mut room = Room::empty(&problem);
        let mut saved = Saved::default();
        for _ in 0..20 {
            let taken: Vec<usize> = (0..jobs).filter(|_| random.random_range(0..2u32) == 0).collect();
            let before = room.clone();
            room.save(&taken, &mut saved);
            for &job in taken.iter().chain(&taken) {
                match (random.random_range(0..3u32), room.offer(job, Charge::ByGpu, true)) {
                    (0, _) => room.remove(job),
                    (1, Some(offer)) => drop(room.go(job, offer.way, Some(&mut random))),
                    (_, Some(offer)) => drop(room.go(job, offer.way, None)),
                    _ => {}
                }
            }
            if random.random_range(0..2u32) == 0 {
                room.go_back(&taken, &saved);
                assert_eq!(room.placement(), before.placement(), "seed {seed}");
                assert_same(&room, &before);
                for job in 0..jobs {
                    assert_eq!(room.offer(job, Charge::ByRoot, false), before.offer(job, Charge::ByRoot, false));
                }
            }
        }
    }
}

#[test]
fn the_best_counts_are_those_of_a_naive_computation_to_the_bit() {
    for seed in 0..2000 {
        let problem = any_problem(&mut ChaCha8Rng::seed_from_u64(seed));
        assert_eq!(bound::counts(&problem), counts_naive(&problem), "seed {seed}");
    }
}

/// The largest sum of values where it does not matter where GPUs are, and the numbers of GPUs that have it; of equals,
/// later jobs have the fewest: number of GPUs by number of GPUs.
fn counts_naive(problem: &Problem) -> (f64, Vec<usize>) {
    let total: usize = problem.node_gpus.iter().map(|gpus| usize::from(*gpus)).sum();
    let largest = problem.node_gpus.iter().copied().max().map_or(0, usize::from);
    let several = problem.node_gpus.iter().filter(|gpus| **gpus > 0).count() > 1;
    let mut best = vec![(0.0, Vec::new()); total + 1];
    for job in &problem.jobs {
        let upto = |most: usize| {
            let mut reached: Option<(f64, Vec<usize>)> = None;
            for gpus in 0..=job.gpus_max.min(most) {
                let mut value = f64::NEG_INFINITY;
                if gpus <= largest {
                    value = value.max(job.one[gpus]);
                }
                if several && gpus > 1 {
                    value = value.max(job.several[gpus]);
                }
                if gpus == job.gpus_current {
                    value = value.max(job.kept);
                }
                let (before, counts) = &best[most - gpus];
                if reached.as_ref().is_none_or(|(sum, _)| before + value > *sum) {
                    reached = Some((before + value, [counts.as_slice(), &[gpus]].concat()));
                }
            }
            reached.unwrap()
        };
        best = (0..=total).map(upto).collect();
    }
    best[total].clone()
}

#[test]
fn offers_and_books_are_those_of_the_placement() {
    for seed in 0..400 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let problem = any_problem(&mut random);
        let jobs = problem.jobs.len();
        let mut room = Room::empty(&problem);
        let mut saved: Option<(usize, Places)> = None;
        for _ in 0..60 {
            let job = random.random_range(0..jobs as u32) as usize;
            let charge = [Charge::ByGpu, Charge::ByRoot, Charge::Nothing][random.random_range(0..3u32) as usize];
            let keeps = random.random_range(0..2u32) == 0;
            let offer = room.offer(job, charge, keeps);
            assert_eq!(offer, offer_naive(&problem, &room.placement(), job, charge, keeps), "seed {seed}");
            match (random.random_range(0..5u32), offer) {
                (0, _) => {
                    saved = Some((job, room.places(job).clone()));
                    room.remove(job);
                }
                (1, _) => drop(room.keep(job)),
                (2, Some(offer)) => go_and_compare(&mut room, job, offer.way, Some(&mut random)),
                (3, _) => {
                    if let Some((job, row)) = saved.take() {
                        // What was taken may have gone to others.
                        room.remove(job);
                        let fits = row.iter().all(|(node, gpus)| *gpus <= room.levels.free(*node));
                        if fits && row.len() < 2 {
                            room.restore(job, &row);
                        }
                    }
                }
                (_, Some(offer)) if keeps => go_and_compare(&mut room, job, offer.way, None),
                _ => {
                    let gpus = random.random_range(0..=problem.jobs[job].gpus_max);
                    let way = if random.random_range(0..3u32) > 0 { Way::Several(gpus) } else { Way::One(gpus) };
                    go_and_compare(&mut room, job, way, keeps.then_some(&mut random));
                }
            }
            assert_same(&room, &Room::new(&problem, &room.placement()));
            assert!(problem.allows(&room.placement()), "seed {seed}");
        }
    }
}
