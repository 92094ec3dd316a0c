//! Scenario documents: read, written, resolved; and the errors of bad ones.

use std::sync::Arc;

use elastiplan_documents::{CurveSource, Document, DocumentError, JobSource, Resolved};
use elastiplan_model::{Availability, Cluster, Topology};
use elastiplan_planner::{advice, run};
use elastiplan_scenario::fields::{self, FIELDS, Field};
use elastiplan_scenario::{Scenario, sample};
use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The least that a document says.
fn least() -> Value {
    json!({
        "elastiplan": 1,
        "jobs": { "sample": {} },
        "curves": { "sample": {} },
        "cluster": { "nodes": 16, "gpus_per_node": 8 },
        "policies": ["fixed"]
    })
}

/// The document with one field set; `place` is a JSON pointer.
pub(crate) fn with(place: &str, value: Value) -> String {
    let mut document = least();
    let (parent, key) = place.rsplit_once('/').unwrap();
    document.pointer_mut(parent).unwrap()[key] = value;
    document.to_string()
}

fn error(text: &str) -> String {
    Document::parse(text).unwrap_err().to_string()
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&error(text));
}

fn resolve(text: &str) -> Result<Resolved, DocumentError> {
    let jobs = "job_id,submit_s,model,gpus,samples\na,5,bert,2,1000\nb,9,bert,two,1000\n";
    let curves = "model,gpus,samples_per_s\nbert,1,10\nbert,2,19\n";
    let log = "node,start_s,end_s\nx,100,200\ny,100,\n";
    let file = move |name: &str| match name {
        "jobs.csv" => Some(jobs.into()),
        "curves.csv" => Some(curves.into()),
        "log.csv" => Some(log.into()),
        _ => None,
    };
    Document::parse(text).unwrap().resolve(&file)
}

#[test]
fn what_is_missing_has_a_value() {
    let document = Document::parse(&least().to_string()).unwrap();
    expect![[r#"
        {
          "elastiplan": 1,
          "title": "",
          "jobs": {
            "sample": {
              "seed": null
            }
          },
          "curves": {
            "sample": {}
          },
          "cluster": {
            "nodes": 16,
            "gpus_per_node": 8
          },
          "what_if": {
            "rescale_cost_s": 30.0,
            "arrival_rate": 1.0,
            "deadline_slack": 1.0,
            "work": 1.0
          },
          "conditions": {
            "rescale_down_s": null,
            "rescale_by_model": {},
            "rescale_per_doubling_s": 0.0,
            "start_delay_s": 0.0,
            "checkpoint_interval_s": null,
            "placement": "keep",
            "faults": {
              "node_mtbf_s": null,
              "node_repair_s": 0.0,
              "bug_share": 0.0,
              "bug_within_s": 0.0,
              "cancel_share": 0.0,
              "estimate_error": 0.0,
              "profiling_noise": 0.0
            },
            "interference_slowdown": 0.0,
            "cloud": null,
            "prices": null,
            "price_per_gpu_hour": null,
            "until_s": null,
            "law": null,
            "deadline_tightness": null,
            "model_mix": null,
            "batch_range": null,
            "users": null
          },
          "policies": [
            "fixed"
          ],
          "seeds": [0]
        }
    "#]]
    .assert_eq(&document.to_json());
    assert_eq!(Document::parse(&document.to_json()), Ok(document));
}

#[test]
fn texts_that_are_no_scenario_are_refused() {
    check("", expect!["line 1, column 0: not JSON: EOF while parsing a value"]);
    check("{\n  \"elastiplan\": 1,\n}", expect!["line 3, column 1: not JSON: trailing comma"]);
    check("[1]", expect![[r#"not a scenario: those are an object with "elastiplan": 1"#]]);
    check("{\"jobs\": {}}", expect![[r#"not a scenario: those are an object with "elastiplan": 1"#]]);
    check(
        &with("/elastiplan", json!(2)),
        expect!["the scenario has version 2, this build reads up to 1: use a newer build"],
    );
    check(&with("/elastiplan", json!(0)), expect![[r#""elastiplan": 0 is not a version of scenarios: write 1"#]]);
    check(&with("/elastiplan", json!("1")), expect![[r#""elastiplan": "1" is not a version of scenarios: write 1"#]]);
}

#[test]
fn unknown_and_missing_fields_are_named_with_their_place() {
    check(
        &with("/polices", json!([])),
        expect![
            "line 1, polices: unknown field `polices`, expected one of `elastiplan`, `title`, `about`, `source`, `jobs`, `curves`, `cluster`, `availability`, `files`, `what_if`, `conditions`, `forks`, `policies`, `seeds`, `paper`, `study`, `$schema`"
        ],
    );
    check(
        &with("/study", json!({ "axes": { "cluster.nodes": { "from": 9, "to": 3 } } })),
        expect!["study.axes.cluster.nodes: from 9 to 3 is not a range from the smaller to the larger number"],
    );
    check(
        &with("/study", json!({ "axes": { "cluster.nodes": [] }, "goal": [] })),
        expect![
            "line 1, study.goal: unknown field `goal`, expected one of `axes`, `seeds`, `draws`, `goals`, `find`, `time_budget_s`"
        ],
    );
    check(
        &with("/cluster/racks", json!(2)),
        expect!["line 1, cluster.racks: unknown field `racks`, expected one of `nodes`, `gpus_per_node`, `topology`"],
    );
    check(
        &with("/jobs", json!({ "sample": { "sead": 1 } })),
        expect!["line 1, jobs.sample.sead: unknown field `sead`, expected `seed`"],
    );
    check(
        &with("/jobs", json!({ "poisson": {} })),
        expect![
            "line 1, jobs.poisson: unknown field `poisson`, expected one of `sample`, `generated`, `file`, `inline`, `map`"
        ],
    );
    check(
        &with("/curves", json!({ "sample": { "seed": 1 } })),
        expect!["line 1, curves.sample.seed: unknown field `seed`, there are no fields"],
    );
    check(
        &with("/conditions", json!({ "faults": { "node_mtbf": 1 } })),
        expect![
            "line 1, conditions.faults.node_mtbf: unknown field `node_mtbf`, expected one of `node_mtbf_s`, `node_repair_s`, `bug_share`, `bug_within_s`, `cancel_share`, `estimate_error`, `profiling_noise`"
        ],
    );
    check(
        &with("/conditions", json!({ "placement": "greedy" })),
        expect![
            "line 1, conditions.placement: unknown variant `greedy`, expected one of `keep`, `pack`, `spread`, `buddy`"
        ],
    );
    check(
        &with("/conditions", json!({ "cloud": { "nodes_start": 1 } })),
        expect!["line 1, conditions.cloud: missing field `nodes_min`"],
    );
    check(
        &with("/what_if", json!({ "seed": 1 })),
        expect![
            "line 1, what_if.seed: unknown field `seed`, expected one of `rescale_cost_s`, `arrival_rate`, `deadline_slack`, `work`"
        ],
    );
    check(
        &with("/policies", json!(["fixed", "greedy"])),
        expect![
            "line 1, policies[1]: greedy is not a policy. There are: fixed, shortest-first, equal-share, bftrainer, modelarts, modelarts-greedy, elastic-dp, elasticflow, edf, tiresias, optimus, pollux, gandiva, themis, chronus, throughput-autoscaling, spot"
        ],
    );
    check(&with("/cluster", json!({ "nodes": 16 })), expect!["line 1, cluster: missing field `gpus_per_node`"]);
    check(
        &with("/cluster/nodes", json!("16")),
        expect![[r#"line 1, cluster.nodes: invalid type: string "16", expected u32"#]],
    );
    check(&with("/seeds", json!([-1])), expect!["line 1, seeds[0]: invalid value: integer `-1`, expected u64"]);
}

#[test]
fn values_out_of_range_are_named() {
    check(
        &with("/cluster/nodes", json!(0)),
        expect!["cluster.nodes: there are no nodes; say how many are always there, or give an availability log"],
    );
    check(
        &with("/cluster/gpus_per_node", json!(65)),
        expect!["cluster: GPUs per node: 65 is not a whole number from 1 to 64"],
    );
    check(
        &with("/what_if", json!({ "arrival_rate": 0 })),
        expect!["what_if: arrival rate: 0 is not a number from 0.01 to 100"],
    );
    check(
        &with("/conditions", json!({ "start_delay_s": -1 })),
        expect!["conditions.start_delay_s: -1 is not a number of seconds from 0 to 31,536,000"],
    );
    check(
        &with("/conditions", json!({ "interference_slowdown": 1 })),
        expect!["conditions: interference_slowdown: 1 is not a number from 0 to below 1"],
    );
    check(
        &with("/conditions", json!({ "faults": { "bug_share": 2 } })),
        expect!["conditions: bug_share: 2 is not a number from 0 to 1"],
    );
    check(
        &with("/conditions", json!({ "until_s": -2 })),
        expect!["conditions: time to stop: -2 is not a number of seconds from 0 to 1e12"],
    );
    check(&with("/policies", json!([])), expect!["policies: an empty list is not a list with at least one policy"]);
    check(
        &with("/policies", json!(["fixed", "fixed[backfill=true]", "fixed"])),
        expect!["policies[2]: fixed is not a policy that stands there once"],
    );
    check(&with("/seeds", json!([1, 2, 1])), expect!["seeds[2]: 1 is not a seed that stands there once"]);
}

#[test]
fn files_are_read_and_their_findings_are_kept() {
    let mut document = least();
    document["jobs"] = json!({ "file": "jobs.csv" });
    document["curves"] = json!({ "files": ["curves.csv"] });
    document["availability"] = json!({ "file": "log.csv" });
    document["cluster"] = json!({ "gpus_per_node": 4 });
    let resolved = resolve(&document.to_string()).unwrap();
    assert_eq!(resolved.scenario.trace.jobs().len(), 1);
    assert_eq!(resolved.scenario.cluster, Cluster::new(2, 4).unwrap());
    let findings = resolved.diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert!(
        findings.contains(
            &"jobs.csv, row 3, gpus: two. Whole number from 1 to 65,536. Row left out. Write a number".into()
        )
    );
    let advice =
        advice(&resolved.scenario, &resolved.policies).iter().map(|advice| format!("{advice}\n")).collect::<String>();
    expect![[r#"
        Availability log with 2 nodes. It is moved by -95 s to begin with the jobs, at 5 s, and lasts 100 s. After its end nodes stay as they are
    "#]].assert_eq(&advice);
}

#[test]
fn nodes_of_the_log_come_in_addition() {
    let mut document = least();
    document["availability"] = json!({ "file": "log.csv" });
    assert_eq!(resolve(&document.to_string()).unwrap().scenario.cluster.nodes(), 18);
}

#[test]
fn files_that_are_missing_or_hold_something_else_are_named() {
    let error = |place: &str, value: Value| resolve(&with(place, value)).unwrap_err().to_string();
    let missing = error("/jobs", json!({ "file": "other.csv" }));
    expect!["jobs.file: the file other.csv is not there; files are looked up beside the scenario"].assert_eq(&missing);
    let swapped = error("/jobs", json!({ "file": "curves.csv" }));
    expect!["jobs.file: no job trace in curves.csv: Plain throughput curves: 1 curve, 2 points; 2 rows read"]
        .assert_eq(&swapped);
    let empty = error("/curves", json!({ "files": [] }));
    expect!["curves.files: no throughput curves in an empty list"].assert_eq(&empty);
    let text = error("/availability", json!({ "inline": "nothing" }));
    expect!["availability.inline: no availability log in availability.inline: Not used. This is not a table"]
        .assert_eq(&text);
}

#[test]
fn drawn_jobs_follow_the_seed_unless_they_have_their_own() {
    let resolved = resolve(&with("/seeds", json!([3, 4]))).unwrap();
    assert_eq!(resolved.scenario, sample::scenario(3));
    assert_eq!(resolved.with_seed(4), sample::scenario(4));
    let mut document = Document::parse(&with("/jobs", json!({ "sample": { "seed": 3 } }))).unwrap();
    document.seeds = vec![3, 4];
    let resolved = document.resolve(&|_| None).unwrap();
    assert_eq!(*resolved.with_seed(4).trace, sample::trace(3));
    assert_eq!(resolved.with_seed(4).conditions.seed, 4);
}

#[test]
fn a_scenario_goes_round_with_its_data() {
    let mut scenario = sample::scenario(3);
    let log = vec![("a".into(), vec![(0.0, Some(0.1 + 0.2))]), ("b".into(), vec![(10.0, None)])];
    scenario.conditions.availability = Some(Arc::new(Availability::from_intervals(log, 4000.0).unwrap()));
    let topology = Topology { gpus_per_socket: 4, nodes_per_rack: 8, speed: [1.0, 0.95, 0.9, 0.7] };
    scenario.cluster = scenario.cluster.with_topology(topology).unwrap();
    scenario.conditions.arrival_rate = 1.0 / 3.0;
    scenario.conditions.faults.bug_share = 0.1;
    let policies = vec!["equal-share".parse().unwrap()];
    let text = Document::of("Mine", &scenario, policies.clone()).to_json();
    let document = Document::parse(&text).unwrap();
    assert!(matches!(document.jobs, JobSource::Inline(_)));
    let back = document.resolve(&|_| None).unwrap();
    let digest = |scenario: &Scenario| run(scenario, &scenario.workload().0, &policies[0]).unwrap().digest;
    assert_eq!(digest(&back.scenario), digest(&scenario));
    let Scenario { cluster, conditions, curves, .. } = back.scenario;
    assert_eq!((cluster, conditions, curves), (scenario.cluster, scenario.conditions, scenario.curves));
}

/// The section and name of a field as a JSON object.
fn section(field: &Field, value: Value) -> String {
    match field.place() {
        ("conditions.faults", "node_mtbf_s") => {
            with("/conditions", json!({ "faults": { "node_mtbf_s": value, "node_repair_s": 60 } }))
        }
        ("conditions.faults", name) => with("/conditions", json!({ "faults": { name: value } })),
        (section @ "cluster", name) => {
            let mut cluster = json!({ "nodes": 2, "gpus_per_node": 4 });
            cluster[name] = value;
            with(&format!("/{section}"), cluster)
        }
        (section, name) => with(&format!("/{section}"), json!({ name: value })),
    }
}

#[test]
fn every_field_is_read_written_and_checked() {
    for field in FIELDS.iter().filter(|field| field.key != "seed") {
        let example = field.example();
        let value = match example {
            fields::Value::Number(value) => json!(value),
            fields::Value::Whole(value) => json!(value),
            other => json!(other.to_string()),
        };
        let document = Document::parse(&section(field, value)).unwrap();
        let read = document.resolve(&|_| None).unwrap().scenario;
        assert_eq!(field.get(&read), example, "{}", field.key);
        assert_eq!(Document::parse(&document.to_json()), Ok(document));
        let pointer = format!("/{}", field.key.replace('.', "/"));
        let written: Value = serde_json::from_str(&Document::parse(&least().to_string()).unwrap().to_json()).unwrap();
        assert!(written.pointer(&pointer).is_some(), "{pointer} is not written");
        // Machines are checked when they are made.
        if example.number().is_some() && !field.access.is_of_cluster() {
            let error = error(&section(field, json!(-1.5e13)));
            let expected = format!("{}: -15000000000000 is not {}", field.name, field.access.rule());
            assert!(error.ends_with(&expected), "{error}");
        }
    }
}

#[test]
fn every_field_is_in_the_docs() {
    let docs = include_str!("../../../../docs/scenarios.md");
    for field in FIELDS.iter().filter(|field| field.key != "seed") {
        let (_, name) = field.place();
        assert!(docs.contains(&format!("`{name}`")), "{name} has no row in docs/scenarios.md");
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in ".{0,80}") {
        let _ = Document::parse(&text);
    }

    /// A document with a piece cut out or put in.
    #[test]
    fn no_damaged_document_panics(at in any::<prop::sample::Index>(), piece in "[\\[\\]{}\":,0-9a-z]{0,3}", cut in 0_usize..4) {
        let text = elastiplan_documents::PRESETS[3].json;
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let (from, to) = (at.index(starts.len()), (at.index(starts.len()) + cut).min(starts.len() - 1));
        let damaged = [&text[..starts[from]], &piece, &text[starts[to]..]].concat();
        if let Ok(document) = Document::parse(&damaged) {
            let _ = document.resolve(&|_| None);
        }
    }
}

/// The JSON blocks of docs/scenarios.md.
fn examples() -> Vec<&'static str> {
    let text = include_str!("../../../../docs/scenarios.md");
    text.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// The first example is a good document, and runs.
#[test]
fn the_example_in_the_docs_runs() {
    let document = Document::parse(examples()[0]).unwrap();
    assert_eq!(Document::parse(&document.to_json()), Ok(document.clone()));
    let resolved = document.resolve(&|_| None).unwrap();
    let (workload, _) = resolved.scenario.workload();
    for policy in &resolved.policies {
        let metrics = run(&resolved.scenario, &workload, policy).unwrap().summary.metrics;
        assert_eq!(metrics.jobs_completed, 2, "{policy}");
    }
}

#[test]
fn tables_by_a_mapping_are_read_and_written() {
    let jobs =
        json!({ "inline": "id,at,took,n\na,5,60,2\nb,9,0,2\n", "map": "submit_s=at duration_s=took min gpus=n" });
    let mut document: Value = serde_json::from_str(&with("/jobs", jobs.clone())).unwrap();
    document["curves"] = json!({ "none": {} });
    document["conditions"] = json!({ "law": "linear" });
    let document = Document::parse(&document.to_string()).unwrap();
    assert_eq!(Document::parse(&document.to_json()), Ok(document.clone()));
    let scenario = document.resolve(&|_| None).unwrap().scenario;
    let (workload, _) = scenario.workload();
    assert_eq!(workload.jobs().iter().map(|job| job.samples).collect::<Vec<_>>(), [7200.0]);
    // With its data inside, it is the same scenario, without curves as well.
    let written = Document::of("", &scenario, document.policies.clone());
    let again = Document::parse(&written.to_json()).unwrap().resolve(&|_| None).unwrap().scenario;
    assert_eq!((&again.trace.jobs()[0].work, &again.curves), (&scenario.trace.jobs()[0].work, &scenario.curves));

    let wrong = with("/jobs", json!({ "inline": "a,b\n1,2\n", "map": "gpu=b" }));
    check(&wrong, expect!["line 1, jobs.map: the mapping, letter 1, gpu: there is no such field; did you mean gpus?"]);
    check(
        &with("/jobs", json!({ "sample": {}, "map": "gpus=b" })),
        expect!["line 1, jobs: a mapping is for a table: map stands beside file or inline"],
    );
    check(
        &with("/jobs", json!({ "file": "a", "inline": "b" })),
        expect!["line 1, jobs: one of sample, generated, file and inline is needed"],
    );
}

/// The second one is jobs that are drawn.
#[test]
fn the_generated_jobs_in_the_docs_are_drawn() {
    let jobs: Value = serde_json::from_str(examples()[1]).unwrap();
    let document = Document::parse(&with("/jobs", jobs)).unwrap();
    assert_eq!(document.resolve(&|_| None).unwrap().scenario.trace.jobs().len(), 200);
}

/// The third one is idle nodes that are drawn.
#[test]
fn the_idle_nodes_in_the_docs_are_drawn() {
    let document = |text: &str| Document::parse(&with("/availability", serde_json::from_str(text).unwrap()));
    let log = document(examples()[2]).unwrap().resolve(&|_| None).unwrap().scenario.conditions.availability.unwrap();
    assert_eq!((log.nodes(), log.end_s()), (395, 4.0 * 86_400.0));
    let error = document(r#"{ "idle_nodes": { "days": 61 } }"#).unwrap_err().to_string();
    assert_eq!(error, "availability.idle_nodes.days: 61 is not 0.01 to 60");
}

/// The fourth one is curves of all kinds, which come back as they stand there.
#[test]
fn the_curves_in_the_docs_are_good() {
    let curves: Value = serde_json::from_str(examples()[3]).unwrap();
    let document = Document::parse(&with("/curves", curves)).unwrap();
    let curves = document.resolve(&|_| None).unwrap().scenario.curves;
    assert_eq!(curves.models(), ["bert", "gpt", "ncf", "resnet18", "resnet50", "vgg16"]);
    let scenario = Scenario { curves, ..sample::scenario(3) };
    let written = Document::parse(&Document::of("", &scenario, document.policies).to_json()).unwrap();
    assert!(matches!(written.curves, CurveSource::Given(_)));
    assert_eq!(written.resolve(&|_| None).unwrap().scenario.curves, scenario.curves);
}

/// Two are prices: from a table, and drawn.
#[test]
fn the_prices_in_the_docs_are_good() {
    let of_prices = examples().into_iter().filter(|example| example.starts_with("{ \"prices\":"));
    let [table, drawn] = of_prices.collect::<Vec<_>>()[..] else { panic!("two examples of prices") };
    let steps = |text: &str| {
        let document = Document::parse(&with("/conditions", serde_json::from_str(text).unwrap())).unwrap();
        document.resolve(&|_| None).unwrap().scenario.conditions.prices.unwrap().steps().count()
    };
    assert_eq!((steps(table), steps(drawn)), (2, 5 * 24));
}

#[test]
fn forks_are_read_checked_and_written() {
    let with = |forks: &str| SMALL_FORKED.replace("FORKS", forks);
    let document = Document::parse(&with(r#""at=1h nodes=20", "at=2h policy=tiresias""#)).unwrap();
    let resolved = document.resolve(&|_| None).unwrap();
    let forks: Vec<String> = resolved.scenario.conditions.forks.iter().map(ToString::to_string).collect();
    assert_eq!(forks, ["at=1h nodes=20", "at=2h policy=tiresias"]);
    assert_eq!(Document::parse(&document.to_json()).unwrap(), document);
    assert_eq!(Document::of("", &resolved.scenario, document.policies.clone()).forks, document.forks);
    let error = |forks: &str| Document::parse(&with(forks)).unwrap_err().to_string();
    for (forks, expected) in [
        (r#""nodes=20""#, "forks[0]: nodes=20: write at=TIME, then the change"),
        (r#""at=1h nodes=20", "at=soon nodes=2""#, "forks[1]: soon is not a time"),
        (r#""at=1h policy=tiresia""#, "forks[0]"),
        ("5", "forks[0]"),
    ] {
        let error = error(forks);
        assert!(error.contains(expected), "{error}");
    }
}

const SMALL_FORKED: &str = r#"{
    "elastiplan": 1, "jobs": { "sample": { "seed": 3 } }, "curves": { "sample": {} },
    "cluster": { "nodes": 16, "gpus_per_node": 8 }, "forks": [FORKS], "policies": ["elastic-dp"]
}"#;
