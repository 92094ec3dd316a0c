//! Jobs and traces: what each value must be.

use elastiplan_model::{Job, JobId, ModelId, Trace, Work, limits};
use expect_test::{Expect, expect};
use proptest::prelude::*;

use crate::plain_job;

/// What is wrong with a job after a change.
fn check(change: impl FnOnce(&mut Job), expected: Expect) {
    let mut job = plain_job("a");
    change(&mut job);
    expected.assert_eq(&job.validate().map_or_else(|error| error.to_string(), |()| "accepted".into()));
}

#[test]
fn values_of_a_job() {
    check(|_| {}, expect!["accepted"]);
    check(|job| job.name = String::new(), expect!["job without a name: job_id must be not empty"]);
    check(|job| job.submit_s = -1.0, expect!["job a: submit_s must be a number of seconds from 0 to 1e11"]);
    check(|job| job.submit_s = f64::NAN, expect!["job a: submit_s must be a number of seconds from 0 to 1e11"]);
    check(|job| job.submit_s = limits::TIME_MAX_S, expect!["accepted"]);
    check(
        |job| job.submit_s = 1.1 * limits::TIME_MAX_S,
        expect!["job a: submit_s must be a number of seconds from 0 to 1e11"],
    );
    check(|job| job.gpus_requested = 0, expect!["job a: gpus must be a whole number from 1 to 65,536"]);
    check(|job| job.gpus_requested = limits::GPUS_MAX, expect!["accepted"]);
    check(
        |job| job.gpus_requested = limits::GPUS_MAX + 1,
        expect!["job a: gpus must be a whole number from 1 to 65,536"],
    );
    check(|job| job.gpus_min = Some(0), expect!["job a: gpus_min must be a whole number from 1 to 65,536"]);
    check(|job| job.gpus_max = Some(0), expect!["job a: gpus_max must be a whole number from 1 to 65,536"]);
    check(|job| (job.gpus_min, job.gpus_max) = (Some(4), Some(2)), expect!["job a: gpus_min must be at most gpus_max"]);
    check(|job| (job.gpus_min, job.gpus_max) = (Some(4), Some(4)), expect!["accepted"]);
    check(|job| job.batch_global = Some(0), expect!["job a: batch_global must be a whole number from 1 to 2^30"]);
    check(
        |job| job.batch_global = Some(limits::BATCH_MAX + 1),
        expect!["job a: batch_global must be a whole number from 1 to 2^30"],
    );
    check(|job| job.work = Work::Samples(0.0), expect!["job a: work must be above 0 and at most 1e18"]);
    check(|job| job.work = Work::Iterations(-1.0), expect!["job a: work must be above 0 and at most 1e18"]);
    check(
        |job| job.work = Work::DurationOnRequested(f64::NAN),
        expect!["job a: work must be above 0 and at most 1e18"],
    );
    check(|job| job.work = Work::Samples(limits::WORK_MAX), expect!["accepted"]);
    check(|job| job.work = Work::Samples(f64::INFINITY), expect!["job a: work must be above 0 and at most 1e18"]);
    check(|job| job.deadline_s = Some(-1.0), expect!["job a: deadline_s must be a number of seconds from 0 to 1e11"]);
    check(|job| job.deadline_s = Some(0.0), expect!["accepted"]);
}

/// The jobs in order, or what is wrong with the trace; and whether storage keeps it.
fn check_trace(jobs: &[(&str, f64, u32)], expected: Expect) {
    let job = |&(name, submit_s, model): &(&str, f64, u32)| Job { submit_s, model: ModelId(model), ..plain_job(name) };
    let trace = Trace::new(vec!["bert".into(), "vgg".into()], jobs.iter().map(job).collect());
    if let Ok(trace) = &trace {
        let stored = serde_json::to_string(trace).unwrap();
        assert_eq!(serde_json::from_str::<Trace>(&stored).unwrap(), *trace);
    }
    let names = |trace: Trace| trace.jobs().iter().map(|job| job.name.clone()).collect::<Vec<_>>().join(" ");
    expected.assert_eq(&trace.map_or_else(|error| error.to_string(), names));
}

#[test]
fn jobs_stand_in_order_of_submission_and_keep_the_order_of_the_file() {
    check_trace(&[("b", 5.0, 0), ("c", 0.0, 1), ("a", 5.0, 0), ("d", 0.0, 0)], expect!["c d b a"]);
    check_trace(&[], expect![[""]]);
}

#[test]
fn jobs_that_make_no_trace() {
    check_trace(&[("a", 0.0, 0), ("b", 0.0, 0), ("a", 1.0, 0)], expect!["job a is there twice: names must be unique"]);
    check_trace(&[("a", 0.0, 2)], expect!["job a trains model number 2, but only 2 models are listed"]);
    check_trace(&[("a", -1.0, 0)], expect!["job a: submit_s must be a number of seconds from 0 to 1e11"]);
}

#[test]
fn a_stored_trace_is_checked_when_it_is_read() {
    let trace = Trace::new(vec!["bert".into()], vec![plain_job("a"), plain_job("b")]).unwrap();
    let stored = serde_json::to_string(&trace).unwrap().replace(r#""name":"b""#, r#""name":"a""#);
    let error = serde_json::from_str::<Trace>(&stored).unwrap_err();
    expect!["job a is there twice: names must be unique"].assert_eq(&error.to_string());
}

#[test]
fn a_part_of_a_trace() {
    let jobs = ["a", "b", "c"].map(plain_job).to_vec();
    let trace = Trace::new(vec!["bert".into()], jobs).unwrap();
    let part = trace.filtered(|id, job| id != JobId(1) && job.name != "c");
    assert_eq!((part.jobs().len(), part.models()), (1, trace.models()));
    assert_eq!(part.model_name(ModelId(0)), "bert");
    assert_eq!(part.model_name(ModelId(7)), "");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn a_name_that_is_there_twice_is_found(
        mut names in prop::collection::vec("[ab]{1,4}", 0..20),
        are_in_order in any::<bool>(),
    ) {
        // As the names of numbered rows stand.
        #[allow(clippy::disallowed_methods)]
        if are_in_order {
            names.sort_by_key(|name| (name.len(), name.clone()));
        }
        let jobs = names.iter().map(|name| plain_job(name)).collect();
        let mut distinct = names.clone();
        #[allow(clippy::disallowed_methods)]
        distinct.sort();
        distinct.dedup();
        prop_assert_eq!(Trace::new(vec!["m".into()], jobs).is_ok(), distinct.len() == names.len());
    }
}
