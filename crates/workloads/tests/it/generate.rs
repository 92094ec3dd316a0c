//! Generated jobs: what they are drawn from, and that they come back the same.

use elastiplan_documents::Document;
use elastiplan_formats::export::write_jobs;
use elastiplan_formats::{Options, Source, import};
use elastiplan_model::{Job, Trace, Work};
use elastiplan_scenario::{Scenario, sample};
use elastiplan_workloads::generate::{GENERATORS, GeneratorSpec};
use elastiplan_workloads::published::{PUBLISHED, Published};
use proptest::prelude::*;

fn spec(text: &str) -> GeneratorSpec {
    text.parse().unwrap()
}

fn duration_s(job: &Job) -> f64 {
    let Work::DurationOnRequested(seconds) = job.work else { unreachable!("generators draw durations") };
    seconds
}

fn share(trace: &Trace, of: impl Fn(&Job) -> bool) -> f64 {
    trace.jobs().iter().filter(|job| of(job)).count() as f64 / trace.jobs().len() as f64
}

/// With 20,000 jobs, a share of a half is off by 0.0035 in one of three draws; by four times that in none that is tried.
fn is_near(found: f64, wanted: f64) -> bool {
    let deviation = (wanted * (1.0 - wanted) / 20_000.0).sqrt();
    (found - wanted).abs() <= 4.5 * deviation
}

#[test]
fn the_artifact_s_distributions_come_out() {
    let trace = spec("elasticflow[jobs=20000,best_effort_share=0.3]").trace(7);
    for (gpus, wanted) in [(1, 0.83), (2, 0.03), (4, 0.03), (8, 0.1), (16, 0.01)] {
        let found = share(&trace, |job| job.gpus_requested == gpus);
        assert!(is_near(found, wanted), "{gpus} GPUs: {found}");
    }
    let found = share(&trace, |job| job.deadline_s.is_none());
    assert!(is_near(found, 0.3), "best effort: {found}");
    // Log-uniform: halves of the exponents are as likely.
    let exponent = |job: &Job| libm::log10(duration_s(job) / 60.0);
    for (below, wanted) in [(1.75, 0.4), (2.5, 0.8), (3.25, 0.9)] {
        let found = share(&trace, |job| exponent(job) < below);
        assert!(is_near(found, wanted), "below 10^{below} minutes: {found}");
    }
    let table = Published::named("elasticflow-a100").unwrap();
    for row in table.rows {
        let is_row = |job: &Job| trace.model_name(job.model) == row.model && job.batch_global == Some(row.batch_global);
        let found = share(&trace, is_row);
        assert!(is_near(found, 1.0 / table.rows.len() as f64), "{row:?}: {found}");
    }
    // Gaps are exponential: a share of 1/e is longer than the mean.
    let gaps: Vec<f64> = trace.jobs().windows(2).map(|pair| pair[1].submit_s - pair[0].submit_s).collect();
    let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
    assert!((mean - 1500.0).abs() < 4.5 * 1500.0 / 20_000_f64.sqrt(), "{mean}");
    let longer = gaps.iter().filter(|gap| **gap > 1500.0).count() as f64 / gaps.len() as f64;
    assert!(is_near(longer, libm::exp(-1.0)), "{longer}");
    let tightness = |job: &Job| Some((job.deadline_s? - job.submit_s) / duration_s(job));
    let tight: Vec<f64> = trace.jobs().iter().filter_map(tightness).collect();
    assert!(tight.iter().all(|factor| (0.49..=1.5).contains(factor)));
    let mean = tight.iter().sum::<f64>() / tight.len() as f64;
    assert!((mean - 1.0).abs() < 0.01, "{mean}");
}

/// Training times of ModelArts' jobs in minutes, if they trained on one node.
fn training_minutes(trace: &Trace) -> Vec<f64> {
    let minutes = |job: &Job| match job.work {
        Work::Samples(seconds) => seconds / 60.0,
        _ => unreachable!("a sample is a second on one node"),
    };
    trace.jobs().iter().map(minutes).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn training_times_of_modelarts_have_the_means_of_section_5_1() {
    for seed in 0..50 {
        let long = spec("modelarts[nodes_trained=1]").trace(seed);
        let minutes = training_minutes(&long);
        assert_eq!(minutes.len(), 447);
        // Work is in whole seconds.
        assert!((mean(&minutes) - 232.6).abs() < 0.02, "{}", mean(&minutes));
        assert!(minutes.iter().all(|minutes| *minutes >= 5.0));
        let all = spec("modelarts[jobs=1252,short_share=0.643,nodes_trained=1]").trace(seed);
        let minutes = training_minutes(&all);
        assert_eq!(minutes.iter().filter(|minutes| **minutes < 5.0).count(), 1252 - 447);
        assert!((mean(&minutes) - 84.3).abs() < 0.5, "{}", mean(&minutes));
        for trace in [long, all] {
            let times: Vec<f64> = trace.jobs().iter().map(|job| job.submit_s).collect();
            assert_eq!((times.first(), times.last()), (Some(&0.0), Some(&178_920.0)));
        }
    }
}

#[test]
fn long_training_times_of_modelarts_are_log_normal() {
    for spread in [0.5, 1.0] {
        let trace = spec(&format!("modelarts[nodes_trained=1,jobs=20000,spread={spread}]")).trace(1);
        let logarithms: Vec<f64> = training_minutes(&trace).iter().map(|minutes| libm::log(minutes - 5.0)).collect();
        let middle = mean(&logarithms);
        let squares: Vec<f64> = logarithms.iter().map(|value| (value - middle) * (value - middle)).collect();
        assert!((libm::sqrt(mean(&squares)) - spread).abs() < 0.03, "{spread}: {}", mean(&squares));
        let within = logarithms.iter().filter(|value| (*value - middle).abs() < spread).count() as f64 / 20_000.0;
        assert!(is_near(within, 0.6827), "{spread}: {within}");
    }
}

#[test]
fn work_of_modelarts_is_what_the_nodes_do_in_the_training_time() {
    let one = training_minutes(&spec("modelarts[nodes_trained=1]").trace(4));
    let four = training_minutes(&spec("modelarts[nodes_trained=4]").trace(4));
    for (one, four) in one.iter().zip(&four) {
        // Four nodes are 4 x 0.8 x 0.8 times as fast as one; work is in whole seconds.
        assert!((four - 2.56 * one).abs() <= 2.56 / 60.0, "{one} {four}");
    }
}

#[test]
fn submissions_of_modelarts_may_swing_over_the_day() {
    // The first is at 14:25:41; from 8:00 to 20:00 there are 1 + 2 / pi times as many as on average.
    let by_day = |job: &Job| (28_800.0..72_000.0).contains(&((job.submit_s + 51_941.0) % 86_400.0));
    let found = |swing: f64| {
        let text = format!("modelarts[jobs=20000,hours=48,daily_swing={swing}]");
        share(&spec(&text).trace(2), by_day)
    };
    assert!(is_near(found(0.0), 0.5), "{}", found(0.0));
    assert!(is_near(found(1.0), 0.5 + std::f64::consts::FRAC_1_PI), "{}", found(1.0));
}

#[test]
fn what_is_asked_of_one_quantity_leaves_the_others_as_they_are() {
    let before = spec("elasticflow[jobs=300]").trace(1);
    let after = spec("elasticflow[jobs=200,tightness_min=1.5,tightness_max=1.5,best_effort_share=0.5]").trace(1);
    for (before, after) in before.jobs().iter().zip(after.jobs()) {
        let deadline_s = after.deadline_s.map(|_| after.submit_s + (1.5 * duration_s(after)).floor());
        assert_eq!(*after, Job { deadline_s, ..before.clone() });
    }
}

#[test]
fn values_that_cannot_be_are_told_by_name() {
    let error = |text: &str| text.parse::<GeneratorSpec>().unwrap_err().to_string();
    assert_eq!(error("elasticflow[jobs=0]"), "jobs: 0 is not a whole number from 1 to 1000000");
    assert_eq!(error("elasticflow[jobs=1.5]"), "jobs: 1.5 is not a whole number from 1 to 1000000");
    assert_eq!(error("elasticflow[jobs=many]"), "jobs: many is not a number");
    assert_eq!(error("elasticflow[jobs=1,jobs=2]"), "jobs is given twice");
    assert_eq!(error("elasticflow[jobs=NaN]"), "jobs: NaN is not a whole number from 1 to 1000000");
    let turned = error("elasticflow[tightness_min=1,tightness_max=0.5]");
    assert_eq!(turned, "tightness_max: 0.5 is not at least tightness_min, which is 1");
    let none = error("elasticflow[gpus_1=0,gpus_2=0,gpus_4=0,gpus_8=0,gpus_16=0]");
    assert_eq!(none, "gpus_1: 0 is not above 0, as one of gpus_1 to gpus_16 has to be");
    assert!(error("elasticflow[size=1]").starts_with("elasticflow has no parameter size. It has: jobs, "));
    assert_eq!(
        error("philly"),
        "philly is not a generator. There are: elasticflow, elasticflow-t4, pollux, bftrainer, modelarts, ibm"
    );
    let asked = error("modelarts[nodes_requested=8,nodes_max=4]");
    assert_eq!(asked, "nodes_requested: 8 is not at most nodes_max, which is 4");
    for text in ["", "[", "elasticflow[jobs=1", "elasticflow[jobs]"] {
        assert!(error(text).ends_with("write a generator as name or name[parameter=value,...]"), "{text}");
    }
}

#[test]
fn every_generator_draws_jobs_that_its_curves_fit() {
    for generator in GENERATORS {
        let curves = Published::named(generator.curves).unwrap().curves();
        let cluster = sample::scenario(1).cluster;
        let spec = GeneratorSpec::of(generator);
        let (workload, found) = Scenario::new(spec.trace(3), curves, cluster).workload();
        assert_eq!(found, [], "{}", generator.name);
        assert_eq!(workload.jobs().len(), spec.trace(3).jobs().len());
        if spec.value("jobs").is_some() {
            assert_eq!(workload.jobs().len(), spec.jobs());
        }
    }
}

#[test]
fn published_curves_are_whole() {
    let counts: Vec<usize> = PUBLISHED.iter().map(|table| table.curves().as_slice().len()).collect();
    let models = |table: &Published| table.formulas.len() + table.powers.len() + table.scalings.len();
    let wanted = PUBLISHED.iter().map(|table| table.rows.len() + models(table));
    assert_eq!(counts, wanted.collect::<Vec<_>>());
    assert_eq!(counts, [14, 9, 6, 7, 1, 4]);
    let curves = Published::named("elasticflow-a100").unwrap().curves();
    let of = |model: &str, batch| {
        let key =
            |curve: &&elastiplan_model::Curve| curve.key().model == model && curve.key().batch_global == Some(batch);
        curves.as_slice().iter().find(key).unwrap()
    };
    assert_eq!(of("resnet50", 256).samples_per_s(8), 10.38 * 256.0);
    let ends = of("deepspeech2", 32);
    assert_eq!((ends.gpus_largest(), ends.runs_beyond()), (32, false));
    let curves = Published::named("modelarts").unwrap().curves();
    let speeds = [1, 2, 4, 8, 16].map(|nodes| curves.as_slice()[0].samples_per_s(nodes));
    for (speed, wanted) in speeds.iter().zip([1.0, 1.6, 2.56, 4.096, 6.5536]) {
        assert!((speed - wanted).abs() < 1e-9, "{speeds:?}");
    }
}

fn document(jobs: &str) -> Result<Document, String> {
    let text = format!(
        r#"{{ "elastiplan": 1, "jobs": {{ "generated": {jobs} }}, "curves": {{ "published": "elasticflow-a100" }},
        "cluster": {{ "nodes": 2, "gpus_per_node": 8 }}, "policies": ["fixed"], "seeds": [4, 5] }}"#
    );
    Document::parse(&text).map_err(|error| error.to_string())
}

#[test]
fn documents_draw_jobs_with_their_seeds() {
    let asked = spec("elasticflow[jobs=10]");
    let drawn = document(r#"{ "generator": "elasticflow", "jobs": 10 }"#).unwrap();
    assert_eq!(Document::parse(&drawn.to_json()), Ok(drawn.clone()));
    let resolved = drawn.resolve(&|_| None).unwrap();
    assert_eq!(*resolved.scenario.trace, asked.trace(4));
    assert_eq!(*resolved.with_seed(5).trace, asked.trace(5));
    let own = document(r#"{ "generator": "elasticflow", "jobs": 10, "seed": 9 }"#).unwrap();
    let resolved = own.resolve(&|_| None).unwrap();
    assert_eq!(*resolved.with_seed(5).trace, asked.trace(9));
}

#[test]
fn documents_name_what_cannot_be_drawn() {
    let error = |jobs: &str| document(jobs).unwrap_err();
    let jobs = error(r#"{ "generator": "elasticflow", "jobs": 0 }"#);
    assert!(jobs.ends_with("jobs.generated: jobs: 0 is not a whole number from 1 to 1000000"), "{jobs}");
    let unknown = error(r#"{ "generator": "elasticflow", "size": 1 }"#);
    assert!(unknown.contains("elasticflow has no parameter size. It has: jobs, "), "{unknown}");
    let generator = error(r#"{ "generator": "philly" }"#);
    assert!(generator.contains("philly is not a generator. There are: elasticflow"), "{generator}");
    let text = error(r#"{ "generator": "elasticflow", "jobs": "many" }"#);
    assert!(text.contains("jobs.generated"), "{text}");
    let text = r#"{ "elastiplan": 1, "jobs": { "sample": {} }, "curves": { "published": "v100" },
        "cluster": { "nodes": 1, "gpus_per_node": 1 }, "policies": ["fixed"] }"#;
    let curves = Document::parse(text).unwrap_err().to_string();
    assert!(curves.contains("curves.published: v100 is not a table of curves that is built in"), "{curves}");
}

fn any_spec() -> impl Strategy<Value = GeneratorSpec> {
    let values = (1_u32..60, 0.0..5000.0, 0.01..2.0, 0.0..3.0, 0.0..=1.0, 0.0..=1.0);
    values.prop_map(|(jobs, gap, tightness, more, best_effort, long)| {
        let tightest = tightness + more;
        spec(&format!(
            "elasticflow[jobs={jobs},interarrival_s={gap},tightness_min={tightness},tightness_max={tightest},\
             best_effort_share={best_effort},long_share={long}]"
        ))
    })
}

proptest! {
    #[test]
    fn the_same_seed_draws_the_same_jobs(spec in any_spec(), seed: u64) {
        prop_assert_eq!(spec.trace(seed), spec.trace(seed));
        prop_assert_eq!(spec.to_string().parse::<GeneratorSpec>().unwrap(), spec);
    }

    #[test]
    fn jobs_come_back_from_their_table(spec in any_spec(), seed: u64) {
        let trace = spec.trace(seed);
        let table = write_jobs(&trace);
        let read = import(vec![Source::from_bytes("jobs.csv", &table)], &Options::default(), &mut |_| {});
        let read = read.trace.unwrap();
        prop_assert_eq!(read.jobs().len(), trace.jobs().len());
        for (read_job, job) in read.jobs().iter().zip(trace.jobs()) {
            prop_assert_eq!(read.model_name(read_job.model), trace.model_name(job.model));
            let same = Job { source_row: 0, model: job.model, ..read_job.clone() };
            prop_assert_eq!(&same, job);
        }
    }
}
