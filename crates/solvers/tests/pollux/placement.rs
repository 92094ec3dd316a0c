//! The searches for placements.

use elastiplan_solvers::placement_search::{
    Exchange, Genetic, Mean, POPULATION, Placement, PlacementSearch, Problem, Restart, SearchJob,
};
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

#[test]
fn the_artifacts_instances() {
    let Some(folder) = folder("pollux") else { return };
    let text = std::fs::read_to_string(folder.join("oracle/ga-instances.json")).unwrap();
    let instances: Vec<Value> = serde_json::from_str(&text).unwrap();
    for instance in &instances {
        let count = whole(&instance["num_jobs"]);
        for (from_empty, runs) in [(false, "artifact_runs"), (true, "artifact_runs_from_empty")] {
            let Some(runs) = instance[runs].as_array() else { continue };
            let theirs = runs.iter().map(|run| run["fitness"].as_f64().unwrap()).fold(0.0, f64::max);
            let (problem, base) = problem(instance, from_empty);
            if !from_empty {
                let kept = instance["keep_current_fitness"].as_f64().unwrap();
                assert!((problem.fitness(&base) / kept - 1.0).abs() < 1e-6, "{} {kept}", problem.fitness(&base));
            }
            let began = std::time::Instant::now();
            let mut genetic = Genetic::new(&problem, &[], POPULATION, 1);
            genetic.advance(100);
            let genetic_ms = began.elapsed().as_secs_f64() * 1e3;
            println!("{count} jobs{}: artifact {theirs:.5}, bound {:.5}", if from_empty { ", from empty" } else { "" }, problem.fitness_bound());
            println!("    genetic {:.5} in {genetic_ms:.1} ms", genetic.fitness());
            let began = std::time::Instant::now();
            let mut exchange = Exchange::new(&problem, &[], 1);
            print!("    exchange {:.5} after {:.2} ms", exchange.fitness(), began.elapsed().as_secs_f64() * 1e3);
            for rounds in [1, 9, 20, 70] {
                exchange.advance(rounds);
                print!(", {:.5} after {:.1} ms", exchange.fitness(), began.elapsed().as_secs_f64() * 1e3);
            }
            println!();
            assert!(problem.allows(exchange.best()) && problem.allows(genetic.best()));
            assert!((problem.fitness(exchange.best()) - exchange.fitness()).abs() < 1e-9);
            assert!(exchange.fitness() >= theirs * (1.0 - 1e-9), "{count} {from_empty}");
        }
    }
}
