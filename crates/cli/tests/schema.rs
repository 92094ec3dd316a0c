//! The JSON Schema of scenario documents: it is what the types say, takes every document that there is, and refuses
//! nothing that the reader takes.
#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.

#[path = "../../../tests/samples.rs"]
mod samples;

use std::path::Path;
use std::sync::LazyLock;

use elastiplan_documents::{Document, PRESETS};
use elastiplan_formats::{Options, Source, import};
use elastiplan_model::{Cluster, Curves};
use elastiplan_scenario::fields::{Access, FIELDS};
use elastiplan_scenario::{Scenario, sample};
use elastiplan_workloads::generate::GENERATORS;
use elastiplan_workloads::published::PUBLISHED;
use expect_test::expect_file;
use jsonschema::Validator;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

/// What is changed in many ways.
static DOCUMENTS: LazyLock<Vec<Value>> =
    LazyLock::new(|| presets().map(|(_, document)| document).chain([small()]).collect());
static SCHEMA: LazyLock<Validator> = LazyLock::new(|| jsonschema::draft202012::new(&Document::schema()).unwrap());

fn reads(document: &Value) -> bool {
    Document::parse(&document.to_string()).is_ok()
}

/// Checks that schema and reader take a document.
fn check_taken(name: &str, document: &Value) {
    let errors: Vec<String> =
        SCHEMA.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert_eq!(errors, Vec::<String>::new(), "{name}");
    assert!(reads(document), "{name}: {:?}", Document::parse(&document.to_string()));
}

/// Checks that schema and reader refuse a document.
fn check_refused(name: &str, document: &Value) {
    assert_eq!((SCHEMA.is_valid(document), reads(document)), (false, false), "{name}");
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The presets as they are written, with their names.
fn presets() -> impl Iterator<Item = (&'static str, Value)> {
    PRESETS.iter().map(|preset| (preset.name, parsed(preset.json)))
}

/// A small document with curves of every kind.
fn small() -> Value {
    let curve = |name: &str| Document::of("", &of_curves(published(name)), policies()).to_json();
    let mut document = parsed(&curve("pollux-t4"));
    for name in ["ibm-p100", "modelarts"] {
        let more = parsed(&curve(name))["curves"]["given"].as_array().unwrap()[0].clone();
        document["curves"]["given"].as_array_mut().unwrap().push(more);
    }
    document["forks"] = json!(["at=2d4h nodes=20"]);
    document["conditions"]["cloud"] =
        json!({ "nodes_start": 2, "nodes_min": 1, "provisioning_s": 60, "price_per_gpu_hour": 2.5 });
    document["conditions"]["prices"] = json!({ "drawn": { "mean": 2 } });
    document["conditions"]["rescale_by_model"] = json!({ "bert": { "up_s": 40, "down_s": 10 } });
    let goal = json!({ "metric": "deadline_satisfactory_ratio", "at_least": 0.9 });
    document["study"] = json!({
        "axes": { "cluster.nodes": { "from": 8, "to": 64, "times": 2 }, "what_if.work": [1, 2] },
        "seeds": { "at_least": 5, "at_most": 20 }, "goals": [goal], "find": { "smallest": "cluster.nodes" },
    });
    document
}

fn policies() -> Vec<elastiplan_policies::PolicySpec> {
    vec!["fixed".parse().unwrap(), "elastic-dp[delta_s=300]".parse().unwrap()]
}

fn published(name: &str) -> Curves {
    PUBLISHED.iter().find(|table| table.name == name).unwrap().curves()
}

fn of_curves(curves: Curves) -> Scenario {
    Scenario::new(sample::trace(1).filtered(|id, _| id.0 < 2), curves, Cluster::new(4, 8).unwrap())
}

/// `UPDATE_EXPECT=1 cargo test -p elastiplan-cli --test schema` writes it.
#[test]
fn the_schema_in_the_docs_is_that_of_the_types() {
    let schema = Document::schema();
    assert!(jsonschema::meta::is_valid(&schema));
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    expect_file!["../../../docs/scenario.schema.json"].assert_eq(&text);
    let printed = std::process::Command::new(env!("CARGO_BIN_EXE_elastiplan")).arg("schema").output().unwrap();
    assert_eq!(String::from_utf8(printed.stdout).unwrap(), text);
}

#[test]
fn every_preset_is_taken_as_it_stands_and_written_out() {
    for preset in PRESETS {
        check_taken(preset.name, &parsed(preset.json));
        check_taken(preset.name, &parsed(&preset.document().unwrap().to_json()));
    }
}

#[test]
fn documents_of_the_docs_are_taken() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        for block in text.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap()) {
            let Ok(document) = serde_json::from_str::<Value>(block) else { continue };
            if document.get("elastiplan").is_some() {
                check_taken(&file.display().to_string(), &document);
                count += 1;
            }
        }
    }
    assert!(count >= 2, "{count} documents");
}

#[test]
fn scenarios_of_every_source_generator_and_curve_are_taken() {
    check_taken("small", &small());
    for table in PUBLISHED {
        let mut document = parsed(&Document::of("", &of_curves(table.curves()), policies()).to_json());
        check_taken(table.name, &document);
        document["curves"] = json!({ "published": table.name });
        check_taken(table.name, &document);
    }
    for generator in GENERATORS {
        let parameters =
            generator.parameters.iter().map(|parameter| (parameter.name.to_string(), json!(parameter.default)));
        let mut generated: serde_json::Map<String, Value> = parameters.collect();
        generated.insert("generator".into(), generator.name.into());
        let mut document = small();
        document["jobs"] = json!({ "generated": generated });
        check_taken(generator.name, &document);
    }
    for files in samples::samples() {
        let sources = files.iter().map(|(path, bytes)| Source::from_bytes(path, bytes)).collect();
        let found = import(sources, &Options::default(), &mut |_| {});
        let nodes = found.availability.as_ref().map_or(1, |log| log.nodes());
        let trace = found.trace.unwrap_or_else(|| sample::trace(1));
        let mut scenario = Scenario::new(trace, found.curves, Cluster::new(nodes, 8).unwrap());
        scenario.conditions.availability = found.availability.map(Into::into);
        check_taken(&files[0].0, &parsed(&Document::of("", &scenario, policies()).to_json()));
    }
}

#[test]
fn a_document_may_name_its_schema() {
    let mut document = small();
    document["$schema"] = "scenario.schema.json".into();
    check_taken("with $schema", &document);
    let written = Document::parse(&document.to_string()).unwrap().to_json();
    assert_eq!(parsed(&written)["$schema"], "scenario.schema.json");
    document["$schema"] = json!(1);
    check_refused("$schema is a number", &document);
}

/// Objects whose members have names of their own: models, and axes of a study.
const OPEN: [&str; 2] = ["rescale_by_model", "axes"];

/// Pointers to all values below a value.
fn places(value: &Value, at: &str, places: &mut Vec<String>) {
    places.push(at.into());
    match value {
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(index, entry)| self::places(entry, &format!("{at}/{index}"), places));
        }
        Value::Object(members) => members.iter().for_each(|(name, entry)| {
            self::places(entry, &format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), places);
        }),
        _ => {}
    }
}

fn all_places(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    places(document, "", &mut found);
    found
}

#[test]
fn an_unknown_field_is_refused_wherever_it_stands() {
    for (name, document) in presets().chain([("small", small())]) {
        for place in all_places(&document) {
            let is_open = OPEN.iter().any(|open| place.ends_with(open));
            let mut changed = document.clone();
            let Some(Value::Object(members)) = changed.pointer_mut(&place).filter(|_| !is_open) else { continue };
            members.insert("unknown_field".into(), json!(1));
            check_refused(&format!("{name}{place}"), &changed);
        }
    }
}

#[test]
fn a_value_of_another_type_is_refused_wherever_it_stands() {
    for (name, document) in presets().chain([("small", small())]) {
        for place in all_places(&document) {
            let mut changed = document.clone();
            let value = changed.pointer_mut(&place).unwrap();
            *value = if value.is_object() || value.is_array() { json!("text") } else { json!({ "an": ["object"] }) };
            check_refused(&format!("{name}{place}"), &changed);
        }
    }
}

/// At the ends of each range, and just beyond them.
#[test]
fn ranges_are_those_of_the_table_of_fields() {
    for field in FIELDS {
        let (Access::Number { range, .. } | Access::Optional { range, .. }) = field.access else { continue };
        let step = |value: f64| value.abs().max(1e-3) * 1e-9;
        let values = [range.min - step(range.min), range.min, range.min + step(range.min)];
        let values = values.into_iter().chain([range.max - step(range.max), range.max, range.max + step(range.max)]);
        for value in values {
            let mut document = small();
            let (section, name) = field.place();
            *document.pointer_mut(&format!("/{}/{name}", section.replace('.', "/"))).unwrap() = json!(value);
            assert_eq!(SCHEMA.is_valid(&document), range.contains(value), "{}: {value}", field.key);
            // Some values go only with others: a repair time with nodes that fail.
            assert!(range.contains(value) || !reads(&document), "{}: {value}", field.key);
        }
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let numbers = prop_oneof![Just(0.0), Just(1.0), Just(-1.0), Just(0.5), Just(1e9), Just(1e300), -10.0..100.0_f64];
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        numbers.prop_map(|number| if number.fract() == 0.0 && number.abs() < 1e15 {
            json!(number as i64)
        } else {
            json!(number)
        }),
        prop::sample::select(vec!["", "keep", "days", "measured", "fixed", "1"]).prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
        Just(json!([1, 2])),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// What the schema refuses, the reader refuses. Only in place of an object the reader takes a list of its members, too.
    #[test]
    fn the_schema_is_no_stricter_than_the_reader(which in any::<Index>(), place in any::<Index>(), value in any_value(), removes in any::<bool>()) {
        let mut document = which.get(&DOCUMENTS).clone();
        let places = all_places(&document);
        let place = place.get(&places);
        match place.rsplit_once('/') {
            Some((parent, name)) if removes && document.pointer(parent).unwrap().is_object() => {
                document.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(name);
            }
            _ => {
                let old = document.pointer_mut(place).unwrap();
                prop_assume!(!(old.is_object() && value.is_array()));
                *old = value;
            }
        }
        prop_assert!(SCHEMA.is_valid(&document) || !reads(&document), "{place}: {:?}", SCHEMA.iter_errors(&document).map(|error| error.to_string()).collect::<Vec<_>>());
    }
}
