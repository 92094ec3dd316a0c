//! Decisions that `bftrainer` and `modelarts` keep: the run is the same as without keeping them, and every job gets what
//! the optimum of the program gives it.

use elastiplan_engine::{Simulation, Step};
use elastiplan_model::Cluster;
use elastiplan_policies::{
    PolicySpec,
    decision::{Decision, ProgramError},
};
use elastiplan_scenario::Conditions;
use proptest::prelude::*;

use crate::properties::{rough_settings, workload};

const SPECS: [&str; 6] = [
    "bftrainer[max_trainers=3]",
    "bftrainer[objective=scaling-efficiency,t_fwd_s=30]",
    "bftrainer[objective=weighted,replayer=true]",
    "bftrainer[t_fwd_s=600]",
    "modelarts[interval_s=20]",
    "modelarts[interval_s=7,horizon=3,powers_of_two=false]",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn decisions_are_the_optima_of_their_programs(
        workload in workload(), settings in rough_settings(), gpus in 1..4_u32, spec in 0..SPECS.len(),
    ) {
        let spec: PolicySpec = SPECS[spec].parse().unwrap();
        let start = |policy| {
            let (cluster, settings) = (Cluster::new(3, gpus).unwrap(), Conditions { until_s: Some(900.0), ..settings.clone() });
            Simulation::new(&workload, cluster, settings, spec.to_string(), policy).unwrap()
        };
        let mut watched = start(spec.build_keeping_decisions(settings.seed).unwrap());
        // Of several decisions at one time the last.
        let mut decisions: Vec<Decision> = Vec::new();
        while watched.step().unwrap() == Step::More {
            let Some(decision) = Decision::last_of(&watched) else { continue };
            decisions.pop_if(|before| before.time_s == decision.time_s);
            decisions.push(decision.clone());
        }
        let run = watched.record();
        prop_assert_eq!(&run, &start(spec.build(settings.seed).unwrap()).run_to_end().unwrap());
        for decision in decisions {
            let (value, units) = decision.best();
            for ((job, _), units) in decision.jobs.iter().zip(&units) {
                let now = run.spans.of(*job).find(|span| (span.start_s..span.end_s).contains(&decision.time_s));
                prop_assert!(now.is_none_or(|span| span.gpus == *units), "{:?}, {:?}, {:?}", job, now, decision);
            }
            for node_by_node in [false, true] {
                match decision.program(node_by_node) {
                    Ok(program) => prop_assert!((program.optimum() - value).abs() <= 1e-6 * value.abs().max(1.0)),
                    // Changes that cost more the larger the job gets are not in the paper; nor is a decision with no room.
                    Err(ProgramError::Horizon(_)) => prop_assert!(units.iter().all(|units| *units == 0)),
                    Err(_) => prop_assert!(node_by_node && settings.rescale_per_doubling_s > 0.0),
                }
            }
        }
    }
}

#[test]
fn others_decide_by_no_program() {
    assert!("equal-share".parse::<PolicySpec>().unwrap().build_keeping_decisions(0).is_none());
}
