//! The searches for placements.

use elastiplan_solvers::placement_search::{
    Breeding, Exchange, Genetic, Mean, Placement, PlacementSearch, Problem, ProblemError, Restart, SearchJob, weight,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

use crate::data_pack::folder;
use crate::goodput::whole;

/// The artifact multiplies speed-ups relative to the fair share by nodes / GPUs.
fn problem(instance: &Value, from_empty: bool) -> (Problem, Placement) {
    let nodes = whole(&instance["nodes"]) as usize;
    let per_node = whole(&instance["gpus_per_node"]);
    let scale = 1.0 / f64::from(per_node);
    let row = |job: &Value| {
        let mut row = vec![0u16; nodes];
        for node in job["base_allocation"].as_array().unwrap() {
            row[whole(node) as usize] += 1;
        }
        row
    };
    let jobs = instance["jobs"].as_array().unwrap();
    let search_job = |job: &Value| {
        let gpus_max = whole(&job["max_replicas"]) as usize;
        let mut lists = [vec![0.0; gpus_max + 1], vec![0.0; gpus_max + 1]];
        for entry in job["speedup_vs_fair"].as_array().unwrap() {
            let (several, gpus) = (whole(&entry[0]) > 1, whole(&entry[1]) as usize);
            lists[usize::from(several)][gpus] = entry[2].as_f64().unwrap() * scale;
        }
        let [on_one_node, on_several] = lists;
        let (age, restarts) = (job["age"].as_f64().unwrap(), job["num_restarts"].as_f64().unwrap());
        let factor = (age - 30.0 * restarts).max(0.0) / (age + 30.0);
        let current = if from_empty { vec![0; nodes] } else { row(job) };
        SearchJob { current, weight: 1.0, on_one_node, on_several, restart: Restart { factor, minus: 0.0 } }
    };
    let rows: Vec<Vec<u16>> = jobs.iter().map(row).collect();
    let problem =
        Problem::new(&vec![per_node as u16; nodes], jobs.iter().map(search_job).collect(), Mean::HARMONIC, true);
    (problem.unwrap(), Placement::from_rows(nodes, rows.iter().map(Vec::as_slice)))
}

/// Every instance, from what is held and from nothing: its name, the artifact's best fitness, and the problem.
fn instances() -> Vec<(String, f64, Problem)> {
    let Some(folder) = folder("pollux") else { return Vec::new() };
    let text = std::fs::read_to_string(folder.join("oracle/ga-instances.json")).unwrap();
    let instances: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut all = Vec::new();
    for instance in &instances {
        for (from_empty, runs) in [(false, "artifact_runs"), (true, "artifact_runs_from_empty")] {
            let Some(runs) = instance[runs].as_array() else { continue };
            let theirs = runs.iter().map(|run| run["fitness"].as_f64().unwrap()).fold(0.0, f64::max);
            let (problem, base) = problem(instance, from_empty);
            if !from_empty {
                let kept = instance["keep_current_fitness"].as_f64().unwrap();
                assert!((problem.fitness(&base) / kept - 1.0).abs() < 1e-6, "{} {kept}", problem.fitness(&base));
            }
            let from = if from_empty { ", from nothing" } else { "" };
            all.push((format!("{} jobs{from}", instance["num_jobs"]), theirs, problem));
        }
    }
    all
}

#[test]
fn no_worse_than_the_artifact() {
    for (name, theirs, problem) in instances() {
        // The artifact's 100 generations of 100 are 100 rounds.
        let mut exchange = Exchange::new(&problem, &[], 1);
        exchange.advance(10);
        println!("{name}: {:.5}, artifact {theirs:.5}, bound {:.5}", exchange.fitness(), problem.fitness_bound());
        assert!(problem.allows(exchange.best()));
        assert!((problem.fitness(exchange.best()) - exchange.fitness()).abs() < 1e-9);
        assert!(exchange.fitness() >= theirs * (1.0 - 1e-9), "{name}");
    }
}

/// The largest fitness, by trying every placement.
fn best_naive(problem: &Problem, node_gpus: &[u16], jobs: usize) -> f64 {
    fn place(problem: &Problem, gpus: &[u16], at: usize, rows: &mut [Vec<u16>], left: &mut [u16], best: &mut f64) {
        let nodes = gpus.len();
        if at == rows.len() * nodes {
            let placement = Placement::from_rows(nodes, rows.iter().map(Vec::as_slice));
            if problem.allows(&placement) {
                *best = best.max(problem.fitness(&placement));
            }
            return;
        }
        let (job, node) = (at / nodes, at % nodes);
        let most = left[node];
        for here in 0..=most {
            rows[job][node] = here;
            left[node] = most - here;
            place(problem, gpus, at + 1, rows, left, best);
        }
        rows[job][node] = 0;
        left[node] = most;
    }
    let (mut best, mut rows) = (f64::NEG_INFINITY, vec![vec![0; node_gpus.len()]; jobs]);
    place(problem, node_gpus, 0, &mut rows, &mut node_gpus.to_vec(), &mut best);
    best
}

#[derive(Clone, Debug)]
struct Tiny {
    node_gpus: Vec<u16>,
    jobs: Vec<SearchJob>,
    mean: Mean,
    apart: bool,
}

fn any_tiny() -> impl Strategy<Value = Tiny> {
    let nodes =
        prop::sample::select(vec![vec![2, 2, 2], vec![3, 3], vec![4, 2], vec![1, 1, 1, 1], vec![4], vec![2, 1, 3]]);
    let speedups = || prop::collection::vec(0.0..2.0f64, 0..7);
    let job = (
        prop::collection::vec(0..4u16, 4),
        0.1..2.0f64,
        speedups(),
        speedups(),
        0.0..1.0f64,
        any::<bool>(),
        any::<bool>(),
    );
    let mean = prop::sample::select(vec![
        Mean::WEIGHTED,
        Mean::HARMONIC,
        Mean { power: 0.0, offset: 0.1 },
        Mean { power: 0.5, offset: 0.0 },
        Mean { power: -2.0, offset: 0.01 },
    ]);
    (nodes, prop::collection::vec(job, 1..4), mean, any::<bool>()).prop_map(|(node_gpus, jobs, mean, apart)| {
        let mut left = node_gpus.clone();
        let mut search_jobs = Vec::new();
        for (wanted, weight, mut one, mut several, factor, runs, rising) in jobs {
            let mut current = vec![0; node_gpus.len()];
            for (node, here) in current.iter_mut().enumerate().filter(|_| runs) {
                *here = wanted[node].min(left[node]);
                left[node] -= *here;
            }
            for list in [&mut one, &mut several].into_iter().filter(|list| !list.is_empty()) {
                list[0] = 0.0;
                if rising {
                    // Most speed-ups rise with the GPUs.
                    #[allow(clippy::disallowed_methods)]
                    list.sort_by(f64::total_cmp);
                }
            }
            let restart = Restart { factor, minus: 0.25 * (1.0 - factor) };
            search_jobs.push(SearchJob { current, weight, on_one_node: one, on_several: several, restart });
        }
        Tiny { node_gpus, jobs: search_jobs, mean, apart }
    })
}

#[test]
fn how_far_from_the_optimum() {
    const CASES: u32 = 2000;
    let mut runner = TestRunner::new_with_rng(
        Config { failure_persistence: None, ..Config::default() },
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    let (mut exact, mut exact_genetic, mut worst, mut below_genetic) = (0, 0, 0.0f64, 0);
    for case in 0..CASES {
        let tiny = any_tiny().new_tree(&mut runner).unwrap().current();
        let jobs = tiny.jobs.len();
        let problem = Problem::new(&tiny.node_gpus, tiny.jobs.clone(), tiny.mean, tiny.apart).unwrap();
        let best = best_naive(&problem, &tiny.node_gpus, jobs);
        let mut exchange = Exchange::new(&problem, &[], 1);
        exchange.advance(30);
        let breeding = [Breeding::Paper, Breeding::Artifact][case as usize % 2];
        let mut genetic = Genetic::new(&problem, &[], breeding, 30, 1);
        genetic.advance(30);
        for search in [&exchange as &dyn PlacementSearch, &genetic] {
            assert!(problem.allows(search.best()), "{tiny:?} {:?}", search.best());
            assert!((problem.fitness(search.best()) - search.fitness()).abs() < 1e-9, "{tiny:?}");
            assert!(search.fitness() <= best + 1e-9, "{tiny:?}");
        }
        assert!(problem.fitness_bound() >= best - 1e-9, "{tiny:?}");
        let tolerance = 1e-9 * best.abs().max(1e-3);
        exact += u32::from(exchange.fitness() >= best - tolerance);
        exact_genetic += u32::from(genetic.fitness() >= best - tolerance);
        if exchange.fitness() < genetic.fitness() - tolerance {
            below_genetic += 1;
            println!(
                "{} below {}, {tiny:?} {:?} {:?}",
                exchange.fitness(),
                genetic.fitness(),
                exchange.best(),
                genetic.best()
            );
        }
        worst = worst.max((best - exchange.fitness()) / best.abs().max(1e-3));
    }
    println!(
        "optimal: exchange {exact}, genetic {exact_genetic} of {CASES}; exchange at worst {worst:.4} below, {below_genetic} below genetic"
    );
    assert_eq!(below_genetic, 0);
}

#[test]
fn searches_go_on_as_if_they_had_not_been_stopped() {
    let mut runner = TestRunner::new_with_rng(
        Config { failure_persistence: None, ..Config::default() },
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    for _ in 0..100 {
        let tiny = any_tiny().new_tree(&mut runner).unwrap().current();
        let problem = Problem::new(&tiny.node_gpus, tiny.jobs, tiny.mean, tiny.apart).unwrap();
        let mut whole: [Box<dyn PlacementSearch + '_>; 2] =
            [Box::new(Exchange::new(&problem, &[], 3)), Box::new(Genetic::new(&problem, &[], Breeding::Paper, 20, 3))];
        let mut sliced: [Box<dyn PlacementSearch + '_>; 2] =
            [Box::new(Exchange::new(&problem, &[], 3)), Box::new(Genetic::new(&problem, &[], Breeding::Paper, 20, 3))];
        for (whole, sliced) in whole.iter_mut().zip(&mut sliced) {
            whole.advance(6);
            let mut before = f64::NEG_INFINITY;
            for _ in 0..3 {
                sliced.advance(2);
                assert!(sliced.fitness() >= before);
                before = sliced.fitness();
            }
            assert_eq!((whole.best(), whole.fitness()), (sliced.best(), sliced.fitness()));
            assert!(whole.fitness() >= problem.fitness(&problem.current()) - 1e-12);
        }
    }
}

#[test]
fn a_population_lives_on_with_other_jobs_and_nodes() {
    let job = |current: Vec<u16>| SearchJob {
        current,
        weight: 1.0,
        on_one_node: (0..=4).map(f64::from).collect(),
        on_several: (0..=8).map(|gpus| 0.9 * f64::from(gpus)).collect(),
        restart: Restart { factor: 1.0, minus: 0.25 },
    };
    let before = Problem::new(&[4, 4, 4], vec![job(vec![4, 0, 0]), job(vec![0; 3])], Mean::WEIGHTED, true).unwrap();
    let mut search = Genetic::new(&before, &[], Breeding::Paper, 30, 1);
    search.advance(20);
    let population: Vec<Placement> = search.population().cloned().collect();
    assert!(population.len() > 10 && population.iter().all(|placement| before.allows(placement)));
    let after = Problem::new(&[2, 4], vec![job(vec![0; 2]); 3], Mean::WEIGHTED, true).unwrap();
    for breeding in [Breeding::Paper, Breeding::Artifact] {
        let search = Genetic::new(&after, &population, breeding, 30, 1);
        assert!(search.population().all(|placement| after.allows(placement)));
    }
}

#[test]
fn what_cannot_be_searched_is_refused_or_empty() {
    let job = SearchJob {
        current: vec![0],
        weight: 1.0,
        on_one_node: vec![0.0, 1.0],
        on_several: Vec::new(),
        restart: Restart { factor: 1.0, minus: 0.0 },
    };
    let refused = |job: SearchJob, mean| Problem::new(&[1], vec![job], mean, true).unwrap_err();
    let no_row = SearchJob { current: Vec::new(), ..job.clone() };
    assert_eq!(refused(no_row, Mean::WEIGHTED), ProblemError::Row(0));
    assert_eq!(refused(SearchJob { weight: 0.0, ..job.clone() }, Mean::WEIGHTED), ProblemError::Job(0));
    let not_a_number = SearchJob { on_one_node: vec![f64::NAN], ..job.clone() };
    assert_eq!(refused(not_a_number, Mean::WEIGHTED), ProblemError::Job(0));
    assert_eq!(refused(job.clone(), Mean { power: -1.0, offset: 0.0 }), ProblemError::Mean);

    let nowhere = SearchJob { current: Vec::new(), ..job };
    for (nodes, jobs) in [(vec![], vec![]), (vec![], vec![nowhere]), (vec![4], vec![])] {
        let problem = Problem::new(&nodes, jobs, Mean::HARMONIC, true).unwrap();
        let mut exchange = Exchange::new(&problem, &[], 1);
        let mut genetic = Genetic::new(&problem, &[], Breeding::Paper, 10, 1);
        exchange.advance(2);
        genetic.advance(2);
        assert_eq!(exchange.fitness(), genetic.fitness());
    }
}

#[test]
fn weights_fall_beyond_the_threshold() {
    assert_eq!([0.0, 14_400.0].map(|gpu_seconds| weight(gpu_seconds, 14_400.0, 0.5)), [1.0, 1.0]);
    assert_eq!(weight(57_600.0, 14_400.0, 0.5), 0.5);
    assert_eq!(weight(57_600.0, 14_400.0, 0.0), 1.0);
}
