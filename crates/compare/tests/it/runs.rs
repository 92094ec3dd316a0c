//! Runs to compare.

use elastiplan_engine::{Run, Simulation, Step};
use elastiplan_model::{Cluster, Workload};
use elastiplan_planner::run;
use elastiplan_scenario::Conditions;
use elastiplan_scenario::sample;
use proptest::prelude::*;

use crate::gamble::{Gambler, gambler, settings, workload};

/// The sample under these policies.
pub fn sampled(policies: &[&str]) -> (Vec<Run>, Workload) {
    let scenario = sample::scenario(sample::SEED);
    let (workload, _) = scenario.workload();
    let of_policy = |policy: &&str| run(&scenario, &workload, &policy.parse().unwrap()).unwrap().run;
    (policies.iter().map(of_policy).collect(), workload)
}

/// A random workload under `policies` random policies; some runs are records on the way.
pub fn random(policies: usize) -> impl Strategy<Value = (Vec<Run>, Workload)> {
    let steps = prop::option::weighted(0.2, 0..40_usize);
    let gamblers = prop::collection::vec((gambler(), steps), policies);
    (workload(), settings(), 1..5_u32, gamblers).prop_map(|(workload, settings, gpus, gamblers)| {
        let runs = gamblers.into_iter().map(|(gambler, steps)| gambled(&workload, &settings, gpus, gambler, steps));
        (runs.collect(), workload)
    })
}

fn gambled(workload: &Workload, settings: &Conditions, gpus: u32, gambler: Gambler, steps: Option<usize>) -> Run {
    let cluster = Cluster::new(3, gpus).unwrap();
    let mut simulation = Simulation::new(workload, cluster, settings.clone(), "gambler", Box::new(gambler)).unwrap();
    let Some(steps) = steps else { return simulation.run_to_end().unwrap() };
    for _ in 0..steps {
        if simulation.step().unwrap() == Step::Finished {
            break;
        }
    }
    simulation.record()
}

/// As the comparison wants them.
pub fn there(runs: &[Run]) -> Vec<Option<&Run>> {
    runs.iter().map(Some).collect()
}
