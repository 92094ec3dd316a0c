//! Random policies on clusters whose nodes join and leave, with all faults: the metrics of what comes
//! out against the slow computation.

use elastiplan_engine::{Simulation, Step};
use elastiplan_model::Cluster;
use proptest::prelude::*;

use crate::gamble::{gambler, settings, workload};
use crate::naive_metrics::{assert_bounds_hold, assert_metrics_are_naive};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) })]

    #[test]
    fn metrics_equal_a_second_computation(
        workload in workload(), gambler in gambler(), settings in settings(), gpus in 1..5_u32, steps in 0..60_usize,
    ) {
        let cluster = Cluster::new(3, gpus).unwrap();
        let mut simulation = Simulation::new(&workload, cluster, settings, "gambler", Box::new(gambler)).unwrap();
        // The record on the way, and at the end.
        for _ in 0..steps {
            if simulation.step().unwrap() == Step::Finished {
                break;
            }
        }
        assert_metrics_are_naive(&simulation.record(), &workload);
        let run = simulation.run_to_end().unwrap();
        assert_metrics_are_naive(&run, &workload);
        assert_bounds_hold(&run, &workload);
    }
}
