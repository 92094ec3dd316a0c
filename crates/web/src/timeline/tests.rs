//! Bands and orders of the timelines against whole runs.

use std::sync::Arc;

use elastiplan_compare::{Jobs, Query};
use elastiplan_engine::Run;
use elastiplan_metrics::EQUAL_WITHIN_S;
use elastiplan_model::{JobId, Trace};
use elastiplan_scenario::{Scenario, sample};
use elastiplan_scene::{Banding, ModelSlots, Rows, StackBy};

use super::obey::first_greatest;

/// The sample, every third job of which has no user, the others one of two.
fn with_users() -> Scenario {
    let mut scenario = sample::scenario(sample::SEED);
    let trace = &scenario.trace;
    let jobs = trace.jobs().iter().cloned().enumerate().map(|(nth, mut job)| {
        job.user = [None, Some("ann b".to_string()), Some("bob".to_string())].into_iter().nth(nth % 3).flatten();
        job
    });
    scenario.trace = Arc::new(Trace::new(trace.models().to_vec(), jobs.collect()).unwrap());
    scenario
}

fn run_of(scenario: &Scenario, policy: &str) -> Run {
    let workload = scenario.workload().0;
    elastiplan_planner::run(scenario, &workload, &policy.parse().unwrap()).unwrap().run
}

/// What a click on a band searches for are the jobs of that band, and no others.
#[test]
fn the_query_of_a_band_finds_exactly_its_jobs() {
    let scenario = with_users();
    let workload = scenario.workload().0;
    let runs = [run_of(&scenario, "fixed"), run_of(&scenario, "elastic-dp")];
    let (trace, slots) = (workload.trace(), ModelSlots::new(workload.trace()));
    let rows = Rows::by_submission(trace);
    let mut names = Vec::new();
    for by in StackBy::ALL {
        let banding = Banding::new(trace, &slots, by, &[&runs[0], &runs[1]], rows.jobs());
        for (run, badge) in runs.iter().zip(["A", "B"]) {
            for (at, band) in banding.bands().iter().enumerate() {
                let query: Query = band.query(badge).parse().unwrap();
                let found = query.find(&Jobs::new(&workload, &[Some(&runs[0]), Some(&runs[1])], EQUAL_WITHIN_S));
                let of_band = |job: &JobId| banding.band_of(*job, run, trace) == Some(at);
                let expected: Vec<JobId> = rows.jobs().iter().copied().filter(of_band).collect();
                assert_eq!(found, expected, "{} under {badge}: {}", band.name, band.query(badge));
                names.push(band.name.clone());
            }
        }
    }
    assert!(names.iter().any(|name| name == "no user") && names.iter().any(|name| name == "ann b"), "{names:?}");
}

#[test]
fn the_worst_queue_is_the_first_of_the_longest() {
    let check = |values: &[u32], expected: Option<(usize, u32)>| assert_eq!(first_greatest(values), expected);
    check(&[0, 3, 5, 5, 2], Some((2, 5)));
    check(&[4], Some((0, 4)));
    check(&[], None);
}
