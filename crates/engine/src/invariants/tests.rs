//! Broken invariants: what becomes of a run.

use elastiplan_model::{Cluster, Curve, CurveKey, Curves, Job, ModelId, Trace, Work, Workload};
use elastiplan_scenario::Conditions;

use super::*;
use crate::{Action, Policy, RunErrorKind, Simulation, Step, View};

/// Gives each waiting job 1 GPU.
#[derive(Clone)]
struct OneEach;

impl Policy for OneEach {
    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        actions.extend(view.waiting().map(|job| Action::Allocate { job: job.id, gpus: 1 }));
    }
}

/// Two jobs, a second apart.
fn workload() -> Workload {
    let key = CurveKey { model: "m".into(), batch_global: None };
    let curves = Curves::from_iter([Curve::new(key, [(1, 1.0), (2, 2.0)]).unwrap()]);
    let job = |name: &str, submit_s: f64| Job {
        name: name.into(),
        source_row: 0,
        submit_s,
        model: ModelId(0),
        batch_global: None,
        gpus_requested: 1,
        gpus_min: None,
        gpus_max: None,
        work: Work::Samples(5.0),
        deadline_s: None,
        user: None,
        rescale: None,
        batch_range: None,
        priority: None,
    };
    let trace = Trace::new(vec!["m".into()], vec![job("a", 0.0), job("b", 1.0)]).unwrap();
    Workload::bind(&trace, &curves).0
}

fn simulation(workload: &Workload) -> Simulation<'_> {
    let cluster = Cluster::new(1, 4).unwrap();
    Simulation::new(workload, cluster, Conditions::default(), "one-each", Box::new(OneEach)).unwrap()
}

#[test]
fn a_broken_invariant_ends_the_run_after_the_step() {
    let workload = workload();
    let mut simulation = simulation(&workload);
    assert_eq!(simulation.step(), Ok(Step::More));
    // A node that was never there cannot leave.
    simulation.places.invariants.never_panic = true;
    simulation.places.remove_node(7);
    let error = simulation.step().unwrap_err();
    let RunErrorKind::Internal { place, expected } = &error.kind else { panic!("{error:?}") };
    assert!(place.contains("places.rs:"), "{place}");
    assert_eq!(expected, "a node that is present");
    assert_eq!(
        error.to_string(),
        format!(
            "one-each failed at 1 s: internal error at {place}: a node that is present expected. This is a defect of the \
             simulator: please report it, with the scenario"
        )
    );
    assert_eq!(simulation.step().unwrap_err(), error, "the run stays failed");
    assert_eq!(simulation.record().jobs.start_s, [Some(0.0), Some(1.0)], "what was recorded stands");
}

#[test]
fn errors_of_broken_invariants_name_the_job() {
    let workload = workload();
    let mut simulation = simulation(&workload);
    simulation.invariants.never_panic = true;
    simulation.invariants.check(false, "a good curve", Some(JobId(1)));
    simulation.invariants.check(false, "a later one", Some(JobId(0)));
    let error = simulation.step().unwrap_err();
    assert_eq!((error.job, error.job_name.as_deref()), (Some(JobId(1)), Some("b")), "the first one counts");
    assert!(error.to_string().starts_with("one-each failed at 0 s for job b: internal error at "), "{error}");
}

#[test]
#[should_panic(expected = "broken invariant of the engine: a known node expected")]
#[cfg(debug_assertions)]
fn debug_builds_panic() {
    let _ = Invariants::default().require::<u32>(None, "a known node", None);
}

#[test]
fn an_invariant_that_holds_is_passed_on() {
    let invariants = Invariants::default();
    assert_eq!(invariants.require(Some(3), "a number", None), Some(3));
    assert!(invariants.check(true, "the truth", None));
    assert_eq!(invariants.first_broken(), None);
}
