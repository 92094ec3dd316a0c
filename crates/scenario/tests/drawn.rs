//! What jobs lack is drawn: by the seed, for each job by itself, and noted.

#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.

use std::collections::BTreeMap;

use elastiplan_model::{
    Assumption, Cluster, Curve, CurveKey, Curves, Diagnostic, Job, JobId, ModelId, Trace, Work, Workload,
};
use elastiplan_scenario::fields::Field;
use elastiplan_scenario::{Conditions, Scenario};
use proptest::prelude::*;

/// A job of the model without a name that takes an hour on two GPUs.
fn job(name: String, submit_s: f64) -> Job {
    Job {
        name,
        source_row: 0,
        submit_s,
        model: ModelId(0),
        batch_global: None,
        batch_range: None,
        gpus_requested: 2,
        gpus_min: None,
        gpus_max: None,
        work: Work::DurationOnRequested(3600.0),
        deadline_s: None,
        user: None,
        rescale: None,
        priority: None,
    }
}

fn curves() -> Curves {
    let curve = |(model, batch_global): (&str, Option<u32>)| {
        Curve::new(CurveKey { model: model.into(), batch_global }, [(1, 10.0), (2, 19.0), (4, 30.0)]).unwrap()
    };
    [("bert", Some(64)), ("bert", Some(128)), ("vgg", None)].into_iter().map(curve).collect()
}

/// So many jobs, a minute apart, with fields of the scenario set by their texts.
fn scenario(jobs: Vec<Job>, fields: &[(&str, &str)]) -> Scenario {
    let trace = Trace::new(vec![Trace::NO_MODEL.into(), "bert".into()], jobs).unwrap();
    let mut scenario = Scenario::new(trace, curves(), Cluster::new(4, 4).unwrap());
    for (key, text) in [("conditions.law", "linear")].iter().chain(fields) {
        let field = Field::named(key).unwrap();
        field.set(&mut scenario, field.parse(text).unwrap()).unwrap();
    }
    scenario.validate().unwrap();
    scenario
}

fn jobs(count: usize) -> Vec<Job> {
    (0..count).map(|at| job(format!("job-{at}"), 60.0 * at as f64)).collect()
}

fn bound(jobs: Vec<Job>, fields: &[(&str, &str)]) -> (Workload, Vec<Diagnostic>) {
    scenario(jobs, fields).workload()
}

/// Time from submission to deadline, in run times of an hour.
fn tightness(workload: &Workload) -> Vec<f64> {
    workload.trace().jobs().iter().map(|job| (job.deadline_s.unwrap() - job.submit_s) / 3600.0).collect()
}

#[test]
fn texts_are_read_and_written() {
    let check = |key: &str, text: &str, expected: Option<&str>| {
        let read = Field::named(key).unwrap().parse(text).ok().map(|value| value.to_string());
        assert_eq!(read.as_deref(), expected, "{text}");
    };
    check("conditions.deadline_tightness", "0.5..1.5", Some("0.5..1.5"));
    check("conditions.deadline_tightness", " 2 .. 2.0", Some("2"));
    check("conditions.deadline_tightness", "1.2", Some("1.2"));
    for wrong in ["", "2..1", "0..1", "1..1e9", "nan..2", "1..", "1..2..3", "one"] {
        check("conditions.deadline_tightness", wrong, None);
    }
    check("conditions.model_mix", "curves", Some("curves"));
    check("conditions.model_mix", "resnet50:3,bert", Some("resnet50:3,bert"));
    check("conditions.model_mix", "facebook:opt:0.5", Some("facebook:opt:0.5"));
    for wrong in ["", "bert:0", "bert:-1", "bert:x", ",bert", "bert:1,,vgg:1", "bert:inf", &"b".repeat(129)] {
        check("conditions.model_mix", wrong, None);
    }
    check("conditions.users", "40", Some("40"));
    check("conditions.users", "zipf:40", Some("zipf:40"));
    for wrong in ["", "0", "10001", "zipf:", "zipf:1.5", "equal:3"] {
        check("conditions.users", wrong, None);
    }
}

#[test]
fn deadlines_are_drawn_between_factors_of_the_run_time() {
    let (workload, found) = bound(jobs(2000), &[("conditions.deadline_tightness", "0.5..1.5")]);
    let drawn = tightness(&workload);
    assert!(drawn.iter().all(|factor| (0.5..1.5).contains(factor)));
    let tenths = |from: f64| drawn.iter().filter(|factor| (from..from + 0.1).contains(*factor)).count();
    assert!((0..10).map(|at| tenths(0.5 + 0.1 * f64::from(at))).all(|count| (140..260).contains(&count)));
    assert_eq!(workload.jobs_assuming(Assumption::Deadline), 2000);
    assert_eq!(workload.assumed_in_words(JobId(0)), "speed by linear; deadline drawn");
    let short = drawn.iter().filter(|factor| **factor < 1.0).count();
    let told = found.iter().find(|found| found.place.column.as_deref() == Some("deadline_s")).unwrap();
    assert_eq!(told.count, 2000);
    assert_eq!(
        told.outcome,
        format!(
            "Drawn for 2,000 jobs: 0.5..1.5 times the run time on the GPUs requested, with seed 0. {} need more GPUs than \
             they ask for to meet it",
            elastiplan_text::format::count(short as u64)
        )
    );
    // One factor is that of all.
    let (workload, _) = bound(jobs(3), &[("conditions.deadline_tightness", "2")]);
    assert_eq!(tightness(&workload), [2.0; 3]);
}

#[test]
fn deadlines_of_the_trace_stay() {
    let mut jobs = jobs(2);
    jobs[1].deadline_s = Some(77.0);
    let (workload, found) = bound(jobs, &[("conditions.deadline_tightness", "1")]);
    let deadlines: Vec<Option<f64>> = workload.trace().jobs().iter().map(|job| job.deadline_s).collect();
    assert_eq!(deadlines, [Some(3600.0), Some(77.0)]);
    assert_eq!(workload.assumed_in_words(JobId(1)), "speed by linear");
    assert_eq!(found.iter().find(|found| found.place.column.as_deref() == Some("deadline_s")).unwrap().count, 1);
}

/// As if the deadlines stood in the trace: more work leaves them where they are, the factor of deadlines moves them.
#[test]
fn what_ifs_treat_drawn_deadlines_as_given_ones() {
    let drawn = |fields: &[(&str, &str)]| {
        let tight = [("conditions.deadline_tightness", "0.5..1.5")];
        tightness(&bound(jobs(50), &[&tight, fields].concat()).0)
    };
    let check = |fields: &[(&str, &str)], times: f64| {
        for (changed, plain) in drawn(fields).iter().zip(drawn(&[])) {
            assert!((changed - plain * times).abs() < 1e-9, "{fields:?}: {changed} is not {times} × {plain}");
        }
    };
    check(&[("what_if.work", "3")], 1.0);
    check(&[("what_if.deadline_slack", "2")], 2.0);
    check(&[("what_if.arrival_rate", "4")], 1.0);
    check(&[("conditions.law", "amdahl:0.5")], 1.0);
    assert_ne!(drawn(&[("seed", "1")]), drawn(&[]));
}

#[test]
fn models_are_drawn_by_their_weights_with_a_batch_size_that_was_measured() {
    let mut named = jobs(4000);
    named[0].model = ModelId(1);
    named[0].batch_global = Some(64);
    let count = |mix: &str| {
        let (workload, _) = bound(named.clone(), &[("conditions.model_mix", mix)]);
        assert!(!workload.jobs()[0].assumed.has(Assumption::Model), "it has a model");
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (id, _) in workload.trace().iter().skip(1) {
            assert!(workload.jobs()[id.index()].assumed.has(Assumption::Model));
            *counts.entry(workload.curve_of(id).unwrap().key().to_string()).or_default() += 1;
        }
        counts
    };
    let check = |mix: &str, expected: &[(&str, f64)]| {
        let counts = count(mix);
        assert_eq!(counts.len(), expected.len(), "{mix}: {counts:?}");
        for (key, share) in expected {
            let (drawn, expected) = (counts[*key] as f64, 3999.0 * share);
            // Four deviations.
            assert!((drawn - expected).abs() < 4.0 * (expected * (1.0 - share)).sqrt(), "{mix}: {key} {drawn}");
        }
    };
    check("curves", &[("bert at batch 64", 1.0 / 3.0), ("bert at batch 128", 1.0 / 3.0), ("vgg", 1.0 / 3.0)]);
    check("bert:1,vgg:3", &[("bert at batch 64", 0.125), ("bert at batch 128", 0.125), ("vgg", 0.75)]);
    check("vgg,new:0.25", &[("vgg", 0.8), ("new by linear", 0.2)]);
}

#[test]
fn without_curves_there_is_nothing_to_draw_models_from() {
    let mut scenario = scenario(jobs(3), &[("conditions.model_mix", "curves")]);
    scenario.curves = Default::default();
    let (workload, found) = scenario.workload();
    assert_eq!(workload.jobs_assuming(Assumption::Model), 0);
    assert!(found.iter().any(|found| found.outcome == "No model is drawn for 3 jobs"), "{found:?}");
}

#[test]
fn batch_sizes_follow_from_the_own_one() {
    let mut all = jobs(3);
    (all[0].model, all[0].batch_global) = (ModelId(1), Some(64));
    (all[1].model, all[1].batch_global) = (ModelId(1), Some(128));
    let (workload, found) = bound(all, &[("conditions.batch_range", "0.75..2")]);
    let ranges = workload.trace().jobs().iter().map(|job| job.batch_range.map(|range| (range.least, range.most)));
    assert_eq!(ranges.collect::<Vec<_>>(), [Some((48, 128)), Some((96, 256)), None]);
    assert_eq!(workload.jobs_assuming(Assumption::Batches), 2);
    assert!(found.iter().any(|found| found.outcome == "0.75..2 times the batch size of its own is assumed for 2 jobs"));
}

/// Zipf's law by counting, against its definition.
#[test]
fn users_are_drawn_as_often_as_the_law_says() {
    let check = |text: &str, weight: fn(usize) -> f64| {
        let mut named = jobs(6000);
        named[5].user = Some("ada".into());
        let (workload, _) = bound(named, &[("conditions.users", text)]);
        assert_eq!(workload.trace().jobs()[5].user.as_deref(), Some("ada"));
        let total: f64 = (1..=4).map(weight).sum();
        for number in 1..=4 {
            let name = format!("user-{number}");
            let drawn = workload.trace().jobs().iter().filter(|job| job.user.as_deref() == Some(&*name)).count() as f64;
            let share = weight(number) / total;
            let expected = 5999.0 * share;
            assert!((drawn - expected).abs() < 4.0 * (expected * (1.0 - share)).sqrt(), "{text}: {name} {drawn}");
        }
    };
    check("4", |_| 1.0);
    check("zipf:4", |number| 1.0 / number as f64);
}

/// The same numbers on every machine: a change of these breaks digests of scenarios with drawn deadlines.
#[test]
fn draws_are_the_same_to_the_bit() {
    let fields = [("conditions.deadline_tightness", "0.5..1.5"), ("conditions.model_mix", "curves"), ("seed", "7")];
    let (workload, _) = bound(jobs(3), &fields);
    let words = workload.trace().iter().map(|(id, job)| {
        let key = workload.curve_of(id).unwrap().key().to_string();
        format!("{key} {:016x}", job.deadline_s.unwrap().to_bits())
    });
    let expected = [
        "bert at batch 64 409c4b72b45e7c4f",
        "bert at batch 128 40b1d1dc3bf3f9c8",
        "bert at batch 128 40a69112f1e2ae6d",
    ];
    assert_eq!(words.collect::<Vec<_>>(), expected);
}

#[test]
fn the_seed_matters_to_binding_only_where_something_is_drawn() {
    let with =
        |seed, fields: &[(&str, &str)]| Conditions { seed, ..scenario(jobs(1), fields).conditions }.job_factors();
    let check = |fields: &[(&str, &str)], is_same: bool| {
        assert_eq!(with(1, fields) == with(2, fields), is_same, "{fields:?}");
    };
    check(&[], true);
    check(&[("conditions.batch_range", "1..2")], true);
    check(&[("conditions.deadline_tightness", "1..2")], false);
    check(&[("conditions.model_mix", "vgg")], false);
    check(&[("conditions.users", "3")], false);
}

proptest! {
    /// Whatever the other jobs are, a job gets the same deadline, model and user.
    #[test]
    fn other_jobs_change_nothing(
        names in prop::collection::btree_set("[a-z]{1,6}", 2..20), kept in prop::collection::vec(any::<bool>(), 20),
        seed in any::<u64>(),
    ) {
        let all: Vec<Job> = names.into_iter().enumerate().map(|(at, name)| job(name, at as f64)).collect();
        let fields = [
            ("conditions.deadline_tightness", "0.5..8"), ("conditions.model_mix", "bert:2,vgg:1,new"),
            ("conditions.users", "zipf:5"), ("conditions.batch_range", "0.5..2"),
        ];
        let drawn = |jobs: Vec<Job>| {
            let mut scenario = scenario(jobs, &fields);
            scenario.conditions.seed = seed;
            let workload = scenario.workload().0;
            let facts = workload.trace().iter().map(|(id, job)| {
                let (model, batch) = (workload.trace().model_name(job.model).to_string(), job.batch_global);
                (job.name.clone(), (model, batch, job.deadline_s, job.user.clone(), workload.assumed_in_words(id)))
            });
            facts.collect::<BTreeMap<_, _>>()
        };
        let of_all = drawn(all.clone());
        prop_assert_eq!(of_all.len(), all.len());
        let some: Vec<Job> = all.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(job, _)| job).collect();
        for (name, facts) in drawn(some) {
            prop_assert_eq!(&of_all[&name], &facts);
        }
    }
}
