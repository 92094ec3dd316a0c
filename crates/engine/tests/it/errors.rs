//! The errors that end a run, with their texts.

use elastiplan_engine::{Action, Policy, RunError, RunErrorKind, Simulation, Step, View};
use elastiplan_model::JobId;
use elastiplan_scenario::Conditions;
use expect_test::{Expect, expect};

use crate::{check, drawing};

#[test]
fn more_gpus_than_the_cluster_has() {
    check(
        "
        a work=8
        b at=2 work=3
        0: a=3
        2: b=2
        ",
        expect![[r#"
            a 33?
            b   ?
            ! script failed at 2 s deciding for job b: 5 GPUs would be held, the cluster has 4
        "#]],
    );
}

#[test]
fn far_more_gpus_than_the_cluster_has() {
    check(
        "
        a work=8
        b work=8
        0: a=4294967295 b=4294967295
        ",
        expect![[r#"
            a ?
            b ?
            ! script failed at 0 s deciding for job b: 8589934590 GPUs would be held, the cluster has 4
        "#]],
    );
}

#[test]
fn two_actions_for_one_job() {
    check(
        "
        a work=8
        0: a=1 a=2
        ",
        expect![[r#"
            a ?
            ! script failed at 0 s deciding for job a: two actions for one job
        "#]],
    );
}

#[test]
fn a_job_that_is_not_submitted_yet() {
    check(
        "
        a work=8
        b at=2 work=8
        0: b=1
        ",
        expect![[r#"
            a ?
            b   ?
            ! script failed at 0 s deciding for job b: the job is not in the cluster
        "#]],
    );
}

#[test]
fn a_job_that_has_ended() {
    check(
        "
        a work=3
        0: a=1
        3: a=1
        ",
        expect![[r#"
            a 111
            ! script failed at 3 s deciding for job a: the job is not in the cluster
        "#]],
    );
}

#[test]
fn a_job_that_does_not_exist() {
    check(
        "
        a work=3
        0: 7=1
        ",
        expect![[r#"
            a ?
            ! script failed at 0 s deciding for job number 7: the job is not in the cluster
        "#]],
    );
}

#[test]
fn dropping_a_job_that_started() {
    check(
        "
        a work=8
        b at=2 work=8
        0: a=1
        2: a=drop
        ",
        expect![[r#"
            a 11?
            b   ?
            ! script failed at 2 s deciding for job a: only a job that never started can be dropped
        "#]],
    );
}

#[test]
fn dropping_a_job_that_was_preempted() {
    check(
        "
        a work=8
        b at=2 work=8
        c at=3 work=8
        0: a=1
        2: a=0
        3: a=drop
        ",
        expect![[r#"
            a 11-?
            b   .?
            c    ?
            ! script failed at 3 s deciding for job a: only a job that never started can be dropped
        "#]],
    );
}

#[test]
fn gpus_on_which_the_model_does_not_run() {
    check(
        "
        curve m 2:1 3:2 end
        a curve=m work=8
        0: a=4
        ",
        expect![[r#"
            a ?
            ! script failed at 0 s deciding for job a: it does not run on 4 GPUs
        "#]],
    );
    check(
        "
        curve m 2:1 3:2 end
        a curve=m work=8
        0: a=1
        ",
        expect![[r#"
            a ?
            ! script failed at 0 s deciding for job a: it does not run on 1 GPU
        "#]],
    );
}

#[test]
fn fewer_gpus_than_the_job_runs_on() {
    check(
        "
        a work=8 min=2
        0: a=1
        ",
        expect![[r#"
            a ?
            ! script failed at 0 s deciding for job a: it does not run on 1 GPU
        "#]],
    );
}

#[test]
fn a_refused_answer_takes_no_effect_and_the_run_stays_failed() {
    let case = drawing::parse("a work=8\n 0: a=1 9=1");
    let policy = crate::Script::new(&case.other_lines, &case.workload);
    let simulation = Simulation::new(&case.workload, case.cluster, case.settings, "script", Box::new(policy));
    let mut simulation = simulation.unwrap();
    let error = simulation.step().unwrap_err();
    assert_eq!(simulation.step().unwrap_err(), error);
    assert_eq!(simulation.record().jobs.start_s, [None]);
    assert!(!simulation.record().finished);
}

#[test]
fn settings() {
    let check = |settings: Conditions, expected: Expect| {
        let case = drawing::parse("a work=1");
        let policy = crate::Script::new(&[], &case.workload);
        let made = Simulation::new(&case.workload, case.cluster, settings, "script", Box::new(policy));
        expected.assert_eq(&made.err().map_or("accepted".into(), |error| error.to_string()));
    };
    let rescale = |rescale_cost_s: f64| Conditions::with_rescale_cost_s(rescale_cost_s);
    check(Conditions::default(), expect!["accepted"]);
    check(rescale(31_536_000.0), expect!["accepted"]);
    check(rescale(-1.0), expect!["rescale cost: -1 is not a number of seconds from 0 to 31,536,000"]);
    check(rescale(31_536_001.0), expect!["rescale cost: 31536001 is not a number of seconds from 0 to 31,536,000"]);
    check(rescale(f64::NAN), expect!["rescale cost: NaN is not a number of seconds from 0 to 31,536,000"]);
    let until = |until_s: f64| Conditions { until_s: Some(until_s), ..Conditions::default() };
    check(until(0.0), expect!["accepted"]);
    check(until(-1.0), expect!["time to stop: -1 is not a number of seconds from 0 to 1e12"]);
    check(until(f64::INFINITY), expect!["time to stop: inf is not a number of seconds from 0 to 1e12"]);
    check(until(f64::NAN), expect!["time to stop: NaN is not a number of seconds from 0 to 1e12"]);
}

#[test]
fn stepping_on_after_the_end_changes_nothing() {
    let case = drawing::parse("a work=3\n 0: a=1");
    let policy = crate::Script::new(&case.other_lines, &case.workload);
    let simulation = Simulation::new(&case.workload, case.cluster, case.settings, "script", Box::new(policy));
    let mut simulation = simulation.unwrap();
    while simulation.step().unwrap() == Step::More {}
    let run = simulation.record();
    assert_eq!(simulation.step(), Ok(Step::Finished));
    assert_eq!(simulation.record(), run);
}

#[test]
fn places_that_cannot_be() {
    let answer = |answer: &str, expected: Expect| {
        let case = format!("2 x 2 GPUs\nnode 0-\nnode 5-\na work=8\n{answer}");
        check(&case, expected);
    };
    answer(
        "0: a=1:1",
        expect![[r#"
        a ?
        ! script failed at 0 s deciding for job a: node 1 is not there
    "#]],
    );
    answer(
        "0: a=2:1",
        expect![[r#"
        a ?
        ! script failed at 0 s deciding for job a: node 2 is not there
    "#]],
    );
    answer(
        "0: a=0:1,0:1",
        expect![[r#"
        a ?
        ! script failed at 0 s deciding for job a: node 0 is named twice
    "#]],
    );
    answer(
        "0: a=0:3",
        expect![[r#"
        a ?
        ! script failed at 0 s deciding for job a: node 0 has 2 GPUs, not 3
    "#]],
    );
    answer(
        "0: a=0:0",
        expect![[r#"
        a ?
        ! script failed at 0 s deciding for job a: node 0 has 2 GPUs, not 0
    "#]],
    );
    answer(
        "b work=2\n0: a=0:2 b=0:1",
        expect![[r#"
        a ?
        b ?
        ! script failed at 0 s deciding for job b: 3 GPUs would be held, the cluster has 2
    "#]],
    );
    answer(
        "b at=6 work=2\n0: a=0:2\n6: b=0:1",
        expect![[r#"
        a 2222
        b       11
    "#]],
    );
}

#[test]
fn other_answers_that_cannot_be() {
    let answer = |answer: &str, expected: Expect| {
        let case = format!("a work=8\n{answer}");
        check(&case, expected);
    };
    answer(
        "0: cluster=3",
        expect![[r#"
        a ?
        ! script failed at 0 s deciding for the cluster: its size is fixed
    "#]],
    );
    answer(
        "1 x 1 GPUs\ncloud 1 of 3 after 1\n0: cluster=4",
        expect![[r#"
        a ?
        ! script failed at 0 s deciding for the cluster: 4 nodes is not from 0 to 3
    "#]],
    );
    answer(
        "0: wake=0",
        expect![[r#"
        a ?
        ! script failed at 0 s deciding for when to be asked: 0 s is not later than now
    "#]],
    );
    answer(
        "0: wake=NaN",
        expect![[r#"
        a ?
        ! script failed at 0 s deciding for when to be asked: NaN s is not later than now
    "#]],
    );
    answer(
        "0: wake=1e13",
        expect![[r#"
        a ?
        ! script failed at 0 s deciding for when to be asked: 10000000000000 s is not later than now
    "#]],
    );
    answer(
        "0: a=batch64",
        expect![[r#"
        a ?
        ! script failed at 0 s deciding for job a: there is no curve for batch size 64
    "#]],
    );
    answer(
        "0: a=batch0",
        expect![[r#"
        a ?
        ! script failed at 0 s deciding for job a: there is no curve for batch size 0
    "#]],
    );
    answer(
        "0: 7=admit",
        expect![[r#"
        a ?
        ! script failed at 0 s deciding for job number 7: the job is not in the cluster
    "#]],
    );
    answer(
        "0: 7=batch3",
        expect![[r#"
        a ?
        ! script failed at 0 s deciding for job number 7: the job is not in the cluster
    "#]],
    );
}

/// The error that ends a case.
fn error_of(case: &str) -> RunError {
    let case = drawing::parse(case);
    let policy = crate::Script::new(&case.other_lines, &case.workload);
    let simulation = Simulation::new(&case.workload, case.cluster, case.settings, "script", Box::new(policy));
    simulation.unwrap().run_to_end().unwrap_err()
}

#[test]
fn errors_carry_kind_policy_job_and_time() {
    let kind = |answer: &str| error_of(&format!("curve m 1:1 2:2 4:3 end\na work=8 curve=m\nb work=8\n{answer}")).kind;
    assert_eq!(kind("0: 7=1"), RunErrorKind::JobNotPresent);
    assert_eq!(kind("0: a=1 a=2"), RunErrorKind::TwoActions);
    assert_eq!(kind("0: a=batch8 a=batch8"), RunErrorKind::TwoBatchSizes);
    assert_eq!(kind("0: a=1\n8: b=1\n16: b=drop"), RunErrorKind::JobNotPresent);
    assert_eq!(kind("c at=1 work=1\n0: a=1\n1: a=drop"), RunErrorKind::DropAfterStart);
    assert_eq!(kind("0: a=batch64"), RunErrorKind::NoCurve { batch_global: 64 });
    assert_eq!(kind("0: a=5"), RunErrorKind::UnsupportedGpus { gpus: 5 });
    assert_eq!(kind("0: a=4 b=1"), RunErrorKind::TooManyGpus { requested: 5, present: 4 });
    assert_eq!(kind("0: a=3:1"), RunErrorKind::NodeAbsent { node: 3 });
    assert_eq!(kind("0: a=0:1,0:1"), RunErrorKind::NodeNamedTwice { node: 0 });
    assert_eq!(kind("0: a=0:9"), RunErrorKind::NodeSize { node: 0, gpus_per_node: 4, requested: 9 });
    assert_eq!(kind("0: cluster=3"), RunErrorKind::FixedCluster);
    assert_eq!(
        kind("1 x 4 GPUs\ncloud 1 of 3 after 1\n0: cluster=4"),
        RunErrorKind::ClusterSize { nodes: 4, least: 0, most: 3 }
    );
    assert_eq!(kind("0: wake=0"), RunErrorKind::WakeNotLater { wake_s: 0.0 });
    let crowded = "2 x 2 GPUs\na work=8\nb at=1 work=8\n0: a=0:2\n1: b=0:1";
    assert_eq!(error_of(crowded).kind, RunErrorKind::NodeOccupied { node: 0, available: 0 });

    let RunError { policy, job, job_name, time_s, .. } = error_of(crowded);
    assert_eq!((policy.as_str(), job, job_name.as_deref(), time_s), ("script", Some(JobId(1)), Some("b"), 1.0));
    let RunError { job, job_name, .. } = error_of("a work=8\n0: 7=1");
    assert_eq!((job, job_name), (Some(JobId(7)), None));
    assert_eq!(error_of("a work=8\n0: cluster=3").job, None);
}

/// Leaves a remark about a job that does not exist.
#[derive(Clone)]
struct Premature;

impl Policy for Premature {
    fn decide(&mut self, _view: &View<'_>, actions: &mut Vec<Action>) {
        actions.push(Action::Remark { job: JobId(1), text: "early".into() });
    }
}

#[test]
fn a_remark_before_submission_is_an_error_of_its_own() {
    let case = drawing::parse("a work=8\nb at=3 work=8");
    let simulation = Simulation::new(&case.workload, case.cluster, case.settings, "early", Box::new(Premature));
    let error = simulation.unwrap().run_to_end().unwrap_err();
    assert_eq!((error.kind, error.job_name.as_deref()), (RunErrorKind::RemarkBeforeSubmission, Some("b")));
}
