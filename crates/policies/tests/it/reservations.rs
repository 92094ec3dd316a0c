//! The promise of `fixed[backfill=true]`: the first job in the queue starts no later than if no job overtook it.

use std::collections::BTreeMap;

use elastiplan_engine::{Action, JobView, Policy, Simulation, View};
use elastiplan_model::{Cluster, JobId, Workload};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Conditions;
use proptest::prelude::*;

use crate::properties::workload;

/// Lets the policy decide, and keeps it to its promises.
#[derive(Clone)]
struct Promised {
    policy: Box<dyn Policy>,
    /// For each job that was first in the queue: when it should start at the latest.
    latest_s: BTreeMap<JobId, f64>,
}

impl Policy for Promised {
    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        self.policy.decide(view, actions);
        let named = |job: &JobView<'_>| {
            actions.iter().any(|action| match *action {
                Action::Allocate { job: named, .. } | Action::Drop { job: named } => named == job.id,
                _ => false,
            })
        };
        for job in view.waiting().filter(|job| named(job)) {
            let latest_s = self.latest_s.get(&job.id).copied().unwrap_or(f64::INFINITY);
            assert!(view.time_s() <= latest_s * (1.0 + 1e-9), "{} starts after {latest_s}", job.job.name);
        }
        let Some(first) = view.waiting().find(|job| !named(job)) else { return };
        let before_it = view.waiting().take_while(|job| job.id != first.id);
        let before_it = before_it.filter(|job| job.bound.gpus_requested <= view.gpus_total());
        let mut ends: Vec<(f64, u32)> = view
            .running()
            .chain(before_it)
            .map(|job| {
                let gpus = job.bound.gpus_requested;
                (view.time_s() + job.samples_left / job.curve.samples_per_s(gpus), gpus)
            })
            .collect();
        ends.sort_by(|a, b| b.0.total_cmp(&a.0));
        // From the last end backwards: at which is it the first time that too many are still held?
        let mut held = 0;
        let room = view.gpus_total() - first.bound.gpus_requested;
        let too_many = ends.iter().find(|(_, gpus)| {
            held += gpus;
            held > room
        });
        let start_s = too_many.map_or(view.time_s(), |(end_s, _)| *end_s);
        self.latest_s.entry(first.id).or_insert(start_s);
    }
}

fn check(workload: &Workload, gpus_total: u32) {
    let policy = "fixed[backfill=true]".parse::<PolicySpec>().unwrap().build(0).unwrap();
    let promised = Promised { policy, latest_s: BTreeMap::new() };
    let cluster = Cluster::new(1, gpus_total).unwrap();
    let simulation = Simulation::new(workload, cluster, Conditions::default(), "promised", Box::new(promised)).unwrap();
    simulation.run_to_end().unwrap_or_else(|error| panic!("{error}"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn the_first_job_in_the_queue_starts_as_early_as_without_overtaking(workload in workload(), gpus_total in 2..12u32) {
        check(&workload, gpus_total);
    }
}
