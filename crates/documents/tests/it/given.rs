//! Curves that stand in a document as objects: they come back the same, and what is wrong with them is named.

use elastiplan_documents::{CurveSource, Document};
use elastiplan_model::{
    Cluster, Curve, CurveKey, CurvePoint, Curves, Efficiency, Job, Law, ModelId, PowerLaw, Trace, Work,
};
use elastiplan_scenario::Scenario;
use expect_test::expect;
use serde_json::{Value, json};

use crate::document::with;

pub(crate) fn key(model: &str, batch_global: Option<u32>) -> CurveKey {
    CurveKey { model: model.into(), batch_global }
}

pub(crate) fn point((gpus, samples_per_s): (u32, f64)) -> CurvePoint {
    CurvePoint { gpus, samples_per_s }
}

/// The scenario of curves with two jobs for each, and its document.
pub(crate) fn documented(curves: Curves) -> (Scenario, Document) {
    let models: Vec<String> = curves.models().into_iter().map(String::from).collect();
    let job = |(at, curve): (usize, &Curve)| Job {
        name: format!("job {at}"),
        source_row: 0,
        submit_s: 10.0 * at as f64,
        model: ModelId(models.iter().position(|model| *model == curve.key().model).unwrap() as u32),
        batch_global: curve.key().batch_global,
        gpus_requested: curve.gpus_smallest(),
        gpus_min: None,
        gpus_max: None,
        work: Work::Samples(100.0 * curve.points()[0].samples_per_s),
        deadline_s: None,
        user: None,
        rescale: None,
        batch_range: None,
        priority: None,
    };
    let jobs = curves.as_slice().iter().chain(curves.as_slice()).enumerate().map(job).collect();
    let trace = Trace::new(models, jobs).unwrap();
    let scenario = Scenario::new(trace, curves, Cluster::new(4, 4).unwrap());
    let document = Document::of("", &scenario, vec!["equal-share".parse().unwrap()]);
    (scenario, document)
}

/// Curves as they stand in a document, and read back from it.
fn there_and_back(curves: &Curves) -> (CurveSource, Curves) {
    let (_, document) = documented(curves.clone());
    let read = Document::parse(&document.to_json()).unwrap();
    assert_eq!(read, document);
    (document.curves, Curves::clone(&read.resolve(&|_| None).unwrap().scenario.curves))
}

#[test]
fn a_table_is_preferred_where_it_says_everything() {
    let check = |curve: Curve, is_table: bool| {
        let curves: Curves = [curve].into_iter().collect();
        let (source, back) = there_and_back(&curves);
        assert_eq!((matches!(source, CurveSource::Inline(_)), &back), (is_table, &curves), "{source:?}");
    };
    let measured = || Curve::new(key("m", Some(64)), [(1, 10.0), (2, 19.5)]).unwrap();
    check(measured(), true);
    check(measured().ending_at_last_point(), true);
    check(measured().with_spread(vec![point((2, 17.0))]).unwrap(), true);
    check(Curve::by_nodes(key("m", None), [(1, point((4, 40.0))), (2, point((4, 31.0)))]).unwrap(), true);
    let efficiency = Efficiency::of_noise(64, [(1.0, 100.0)]);
    check(measured().with_efficiency(efficiency).unwrap(), false);
    check(
        Curve::from_law(key("m", None), Law::Power(PowerLaw { samples_per_s: 9.0, factor: 0.8, gpus_max: 4 })).unwrap(),
        false,
    );
    // No row can stand behind the largest number of GPUs that a table may hold.
    check(Curve::new(key("m", None), [(65_536, 1.0)]).unwrap(), true);
    check(Curve::new(key("m", None), [(65_536, 1.0)]).unwrap().ending_at_last_point(), false);
    check(Curve::new(key(" m", None), [(1, 1.0)]).unwrap(), false);
}

#[test]
fn curves_are_written_so_that_a_person_can_read_them() {
    let power =
        Curve::from_law(key("gpt", None), Law::Power(PowerLaw { samples_per_s: 100.0, factor: 0.8, gpus_max: 8 }));
    let measured = Curve::new(key("bert", Some(64)), [(1, 386.0)]).unwrap().ending_at_last_point();
    let efficiency = Efficiency::of_noise(32, [(0.5, 400.0), (1.0, 1600.0)]);
    let (source, _) =
        there_and_back(&[power.unwrap(), measured.with_efficiency(efficiency).unwrap()].into_iter().collect());
    expect![[r#"
        {
          "given": [
            {
              "model": "bert",
              "batch_global": 64,
              "measured": {
                "points": [
                  {
                    "gpus": 1,
                    "samples_per_s": 386.0
                  }
                ],
                "runs_beyond": false
              },
              "efficiency": {
                "batch_base": 32,
                "stages": [
                  {
                    "until_share": 0.5,
                    "noise_samples": 400.0
                  },
                  {
                    "until_share": 1.0,
                    "noise_samples": 1600.0
                  }
                ]
              }
            },
            {
              "model": "gpt",
              "power": {
                "samples_per_s": 100.0,
                "factor": 0.8,
                "gpus_max": 8
              }
            }
          ]
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&source).unwrap());
}

#[test]
fn step_times_are_written_so_that_a_person_can_read_them() {
    let given = json!({ "given": [good("steps")] });
    let document = Document::parse(&with("/curves", given)).unwrap();
    let curves = document.resolve(&|_| None).unwrap().scenario.curves;
    let text = documented(Curves::clone(&curves)).1.to_json();
    let (_, from) = text.split_once("\"curves\": ").unwrap();
    let (given, _) = from.split_once("\n  \"cluster\"").unwrap();
    expect![[r#"
        {
            "given": [
              {
                "model": "steps",
                "batch_global": 64,
                "steps": {
                  "batch_per_gpu_min": 4,
                  "batch_per_gpu_max": 32,
                  "passes_alone": 2,
                  "placements": [
                    {
                      "gpus_on_nodes": [1],
                      "times": [
                        [4.0, 0.5, 0.0],
                        [32.0, 1.5, 0.25]
                      ]
                    },
                    {
                      "gpus_on_nodes": [1, 2],
                      "times": [
                        [4.0, 0.75, 0.25],
                        [32.0, 2.0, 0.5]
                      ]
                    }
                  ],
                  "counts": [
                    {
                      "nodes": 4,
                      "gpus": 6,
                      "times": [
                        [4.0, 1.0, 0.5],
                        [32.0, 2.5, 0.75]
                      ]
                    }
                  ]
                },
                "efficiency": {
                  "batch_base": 32,
                  "stages": [
                    {
                      "until_share": 0.5,
                      "noise_samples": 400.0
                    },
                    {
                      "until_share": 1.0,
                      "gradients": [
                        [32, 2.5, 800.0, 10.0],
                        [64, 0.0, 900.0, null]
                      ]
                    }
                  ]
                }
              }
            ]
          },"#]]
    .assert_eq(given);
}

/// A good curve of every kind.
fn good(kind: &str) -> Value {
    let speed = match kind {
        "measured" => {
            let point = |gpus: u32| json!({ "gpus": gpus, "samples_per_s": 10 * gpus });
            json!({ "points": [point(2), point(1), point(4)], "spread": [point(4), point(2)] })
        }
        "by_nodes" => {
            let point = |gpus: u32, nodes: u32| json!({ "gpus": gpus, "nodes": nodes, "samples_per_s": 10 * gpus });
            json!({ "points": [point(4, 2), point(4, 1)], "runs_beyond": false })
        }
        "power" => json!({ "samples_per_s": 10, "factor": 0.8, "gpus_max": 8 }),
        "scaling" => json!({
            "processing": [{ "samples_per_gpu": 16, "time_s": 0.5 }, { "samples_per_gpu": 64, "time_s": 2 }],
            "all_reduce": [{ "gpus": 2, "time_s": 0.1 }, { "gpus": 4, "time_s": 0.15 }]
        }),
        "steps" => json!({
            "batch_per_gpu_min": 4, "batch_per_gpu_max": 32, "passes_alone": 2,
            "placements": [
                { "gpus_on_nodes": [1], "times": [[4, 0.5, 0], [32, 1.5, 0.25]] },
                { "gpus_on_nodes": [1, 2], "times": [[4, 0.75, 0.25], [32, 2, 0.5]] }
            ],
            "counts": [{ "nodes": 4, "gpus": 6, "times": [[4, 1, 0.5], [32, 2.5, 0.75]] }]
        }),
        _ => json!({
            "gradient_s": 0.5, "gradient_s_per_sample": 0.25, "local_sync_s": 1, "local_sync_s_per_gpu": 0.5,
            "node_sync_s": 3, "node_sync_s_per_gpu": 1, "overlap": 1.5, "batch_per_gpu_max": 8, "gpus_per_node": 4,
            "gpus_max": 16
        }),
    };
    let gradients = json!([[32, 2.5, 800, 10], [64, 0, 900]]);
    let last = match kind {
        "steps" => json!({ "until_share": 1, "gradients": gradients }),
        _ => json!({ "until_share": 1, "noise_samples": 1600 }),
    };
    let stages = json!([{ "until_share": 0.5, "noise_samples": 400 }, last]);
    let mut curve = json!({ "model": kind, "batch_global": 64, "efficiency": { "batch_base": 32, "stages": stages } });
    curve[kind] = speed;
    curve
}

pub(crate) const KINDS: [&str; 6] = ["measured", "by_nodes", "power", "scaling", "throughput", "steps"];

/// A document with a good curve of every kind.
pub(crate) fn document() -> Value {
    let curves = KINDS.iter().map(|kind| good(kind)).collect::<Vec<_>>();
    serde_json::from_str(&with("/curves", json!({ "given": curves }))).unwrap()
}

#[test]
fn every_kind_is_read() {
    let resolved = Document::parse(&document().to_string()).unwrap().resolve(&|_| None).unwrap();
    assert_eq!(resolved.scenario.curves.as_slice().len(), KINDS.len());
    assert_eq!(resolved.diagnostics, []);
}

/// Checks the message about the list when one field of the good document is another; `null` takes it away.
fn check(place: &str, value: Value, expected: &str) {
    let mut document = document();
    let (parent, field) = place.rsplit_once('/').unwrap();
    match document["curves"]["given"].pointer_mut(parent).unwrap() {
        Value::Array(list) => list[field.parse::<usize>().unwrap()] = value,
        object if value.is_null() => drop(object.as_object_mut().unwrap().remove(field)),
        object => object[field] = value,
    }
    let error = Document::parse(&document.to_string()).unwrap_err().to_string();
    assert_eq!(error.replace("curves.given", ""), expected);
}

#[test]
fn a_curve_has_one_speed_and_stands_there_once() {
    check(
        "/2/power",
        Value::Null,
        "line 1, [2]: a curve needs one of measured, by_nodes, power, scaling, throughput, steps; there is none",
    );
    check(
        "/2/measured",
        good("measured")["measured"].clone(),
        "line 1, [2]: a curve needs one of measured, by_nodes, power, scaling, throughput, steps; there are measured and power",
    );
    check("/1", good("measured"), "[1]: measured at batch 64 is not a model and batch size that stands there once");
    check("/1/model", json!(""), "[1].model: an empty text is not the name of a model");
    check("/1/batch_global", json!(0), "[1].batch_global: 0 is not a whole number from 1 to 2^30");
    check(
        "/1/batch",
        json!(64),
        "line 1, [1].batch: unknown field `batch`, expected one of `model`, `batch_global`, `measured`, `by_nodes`, `power`, `scaling`, `throughput`, `steps`, `efficiency`",
    );
    check("/1/model", Value::Null, "line 1, [1]: missing field `model`");
    let none = with("/curves", json!({ "given": [] }));
    let expected = "curves.given: an empty list is not a list with at least one curve";
    assert_eq!(Document::parse(&none).unwrap_err().to_string(), expected);
}

#[test]
fn points_that_cannot_be_are_named() {
    check("/0/measured/points", json!([]), "[0].measured.points: an empty list is not a list with at least one point");
    check(
        "/0/measured/points/1/gpus",
        json!(0),
        "[0].measured.points[1].gpus: 0 is not a whole number from 1 to 65,536",
    );
    check(
        "/0/measured/points/1/gpus",
        json!(2),
        "[0].measured.points[1].gpus: 2 is not a number of GPUs that stands there once",
    );
    check(
        "/0/measured/points/1/gpus",
        json!(1.5),
        "line 1, [0].measured.points[1].gpus: invalid type: floating point `1.5`, expected u32",
    );
    check(
        "/0/measured/points/2/samples_per_s",
        json!(0),
        "[0].measured.points[2].samples_per_s: 0 is not a number above 0, at most 1e18; where the model does not run there is no point",
    );
    check(
        "/0/measured/points/2/samples_per_s",
        json!(1e300),
        "[0].measured.points[2].samples_per_s: 1e300 is not a number above 0, at most 1e18; where the model does not run there is no point",
    );
    check(
        "/0/measured/points/2/nodes",
        json!(2),
        "line 1, [0].measured.points[2].nodes: unknown field `nodes`, expected `gpus` or `samples_per_s`",
    );
    check("/0/measured/spread", json!([]), "[0].measured.spread: an empty list is not a list with at least one point");
    check(
        "/0/measured/spread/0/gpus",
        json!(65_537),
        "[0].measured.spread[0].gpus: 65537 is not a whole number from 1 to 65,536",
    );
    check("/1/by_nodes/points", json!([]), "[1].by_nodes.points: an empty list is not a list with at least one point");
    check(
        "/1/by_nodes/points/0/nodes",
        json!(5),
        "[1].by_nodes.points[0].nodes: 5 is not a whole number from 1 to the number of GPUs",
    );
    check(
        "/1/by_nodes/points/1/nodes",
        json!(2),
        "[1].by_nodes.points[1].nodes: 2 is not a number of nodes that stands there once for these GPUs",
    );
    check(
        "/1/by_nodes/points/1/samples_per_s",
        json!(-1),
        "[1].by_nodes.points[1].samples_per_s: -1 is not a number above 0, at most 1e18; where the model does not run there is no point",
    );
}

#[test]
fn formulas_that_mean_nothing_are_named() {
    check("/2/power/samples_per_s", json!(0), "[2].power.samples_per_s: 0 is not a number above 0, at most 1e18");
    check(
        "/2/power/samples_per_s",
        json!(1e18),
        "[2].power: power at batch 64 on 2 GPUs: 1600000000000000000 samples/s must be above 0 and at most 1e18",
    );
    check("/2/power/factor", json!(0.4), "[2].power.factor: 0.4 is not a number from 0.5 to 1");
    check("/2/power/gpus_max", json!(5000), "[2].power.gpus_max: 5000 is not a whole number from 1 to 4,096");
    check(
        "/2/power/runs_beyond",
        json!(true),
        "line 1, [2].power.runs_beyond: unknown field `runs_beyond`, expected one of `samples_per_s`, `factor`, `gpus_max`",
    );
    check(
        "/3/batch_global",
        Value::Null,
        "[3].batch_global: a missing value is not a batch size, which this formula needs",
    );
    check(
        "/3/batch_global",
        json!(512),
        "[3].scaling.processing[1].samples_per_gpu: 64 is not enough for a batch of 512 on 4 GPUs",
    );
    check(
        "/3/scaling/processing",
        json!([]),
        "[3].scaling.processing: an empty list is not a list with at least one time",
    );
    check(
        "/3/scaling/processing/1/samples_per_gpu",
        json!(16),
        "[3].scaling.processing[1].samples_per_gpu: 16 is not more than in the entry before it",
    );
    check(
        "/3/scaling/processing/0/time_s",
        json!(0),
        "[3].scaling.processing[0].time_s: 0 is not a number above 0, at most 1e18",
    );
    check(
        "/3/scaling/all_reduce/1/gpus",
        json!(1),
        "[3].scaling.all_reduce[1].gpus: 1 is not more than in the entry before it",
    );
    check(
        "/3/scaling/all_reduce/0/time_s",
        json!(-0.5),
        "[3].scaling.all_reduce[0].time_s: -0.5 is not a number of seconds from 0 to 1e9",
    );
    check(
        "/4/batch_global",
        Value::Null,
        "[4].batch_global: a missing value is not a batch size, which this formula needs",
    );
    check(
        "/4/throughput/gradient_s",
        json!(-1),
        "[4].throughput.gradient_s: -1 is not a number of seconds from 0 to 1e9",
    );
    check("/4/throughput/overlap", json!(0.5), "[4].throughput.overlap: 0.5 is not a number from 1 to 10");
    check(
        "/4/throughput/batch_per_gpu_max",
        json!(0),
        "[4].throughput.batch_per_gpu_max: 0 is not a whole number from 1",
    );
    check("/4/throughput/gpus_max", Value::Null, "line 1, [4].throughput: missing field `gpus_max`");
    check(
        "/4/throughput/node_sync_s_per_gpu",
        json!(2e9),
        "[4].throughput.node_sync_s_per_gpu: 2000000000 is not a number of seconds from 0 to 1e9",
    );
}

#[test]
fn step_times_that_mean_nothing_are_named() {
    let good = good("steps")["steps"].clone();
    check(
        "/5/efficiency",
        Value::Null,
        "[5].efficiency: a missing value is not an efficiency, which step times need: its batch_base at least",
    );
    check("/5/steps", json!({}), "[5].steps.placements: an empty list is not a list with at least one placement");
    check(
        "/5/steps/batch_per_gpu_min",
        json!(3),
        "[5].steps.batch_per_gpu_min: 3 is not from 4 to 32, as was measured",
    );
    check(
        "/5/steps/batch_per_gpu_max",
        json!(33),
        "[5].steps.batch_per_gpu_max: 33 is not from 4 to 32, as was measured",
    );
    let mut crossed = good.clone();
    (crossed["batch_per_gpu_min"], crossed["batch_per_gpu_max"]) = (json!(9), json!(8));
    check("/5/steps", crossed, "[5].steps.batch_per_gpu_max: 8 is not at least batch_per_gpu_min");
    check("/5/steps/passes_alone", json!(0), "[5].steps.passes_alone: 0 is not a whole number from 1");
    check(
        "/5/steps/placements/1/gpus_on_nodes",
        json!([]),
        "[5].steps.placements[1].gpus_on_nodes: an empty list is not a list with at least one node",
    );
    check(
        "/5/steps/placements/1/gpus_on_nodes",
        json!([1, 0]),
        "[5].steps.placements[1].gpus_on_nodes[1]: 0 is not a whole number from 1",
    );
    check(
        "/5/steps/placements/1/gpus_on_nodes",
        json!([1, 4096]),
        "[5].steps.placements[1].gpus_on_nodes[1]: 4096 is not as few as make at most 4,096 together",
    );
    check(
        "/5/steps/placements/1/gpus_on_nodes",
        json!(vec![1; 65]),
        "[5].steps.placements[1].gpus_on_nodes: 65 nodes is not a list of at most 64 nodes",
    );
    check(
        "/5/steps/placements/0/gpus_on_nodes",
        json!([2, 1]),
        "[5].steps.placements[1].gpus_on_nodes: [1, 2] is not a placement that stands there once, however it is rotated",
    );
    check(
        "/5/steps/placements/0/times",
        json!([]),
        "[5].steps.placements[0].times: an empty list is not a list with at least one step",
    );
    check(
        "/5/steps/placements/0/times/1",
        json!([4, 1, 0]),
        "[5].steps.placements[0].times[1][0]: 4 is not more than in the entry before it",
    );
    check(
        "/5/steps/placements/0/times/0/0",
        json!(0.5),
        "[5].steps.placements[0].times[0][0]: 0.5 is not a number from 1 to 2^30",
    );
    check(
        "/5/steps/placements/0/times/0/1",
        json!(0),
        "[5].steps.placements[0].times[0][1]: 0 is not a number of seconds above 0, at most 1e9",
    );
    check(
        "/5/steps/placements/0/times/0/2",
        json!(0.5),
        "[5].steps.placements[0].times[0][2]: 0.5 is not a number of seconds of 0 or more, less than the step",
    );
    check(
        "/5/steps/placements/0/times/0",
        json!([4, 1]),
        "line 1, [5].steps.placements[0].times[0]: invalid length 2, expected an array of length 3",
    );
    check(
        "/5/steps/counts/0/nodes",
        json!(7),
        "[5].steps.counts[0].nodes: 7 is not a whole number from 1 to the number of GPUs",
    );
    check(
        "/5/steps/counts/0/gpus",
        json!(4097),
        "[5].steps.counts[0].gpus: 4097 is not a whole number from 1 to 4,096",
    );
    let twice = json!({ "nodes": 2, "gpus": 3, "times": [[4, 1, 0.5]] });
    check(
        "/5/steps/counts/0",
        twice,
        "[5].steps.counts[0].nodes: 2 is not a number of nodes that stands there once for these GPUs, by placement or by count",
    );
    check("/5/batch_global", json!(3), "[5].steps: steps at batch 3: does not run on any number of GPUs");
}

#[test]
fn gradients_that_mean_nothing_are_named() {
    let at = |rest: &str| format!("/5/efficiency/stages/1/gradients{rest}");
    let message = |rest: &str| format!("[5].efficiency.stages[1].{rest}");
    let check = |place: &str, value: Value, expected: &str| check(&at(place), value, &message(expected));
    check("", json!([]), "gradients: an empty list is not a list with at least one batch size");
    check("", Value::Null, "noise_samples: a missing value is not noise_samples or gradients, one of them");
    check("/1/0", json!(32), "gradients[1][0]: 32 is not more than in the entry before it");
    check("/0/0", json!(0), "gradients[0][0]: 0 is not a whole number from 1 to 2^30");
    check("/0/1", json!(-1), "gradients[0][1]: -1 is not a number of 0 or more");
    check("/0/2", json!(-1), "gradients[0][2]: -1 is not a number of 0 or more");
    check("/1/2", json!(0), "gradients[1][2]: 0 is not above 0, which it must be where the gradient is 0");
    check("/0/3", json!(1e19), "gradients[0][3]: 10000000000000000000 is not a number from 0 to 1e18");
    let both = json!({ "until_share": 1, "noise_samples": 1, "gradients": [[32, 1, 1]] });
    self::check(
        "/5/efficiency/stages/1",
        both,
        "[5].efficiency.stages[1].gradients: a second value is not noise_samples or gradients, one of them",
    );
}

#[test]
fn efficiencies_that_mean_nothing_are_named() {
    check("/0/efficiency/batch_base", json!(0), "[0].efficiency.batch_base: 0 is not a whole number from 1 to 2^30");
    check(
        "/0/efficiency/stages/0/until_share",
        json!(1.5),
        "[0].efficiency.stages[0].until_share: 1.5 is not a number from 0 to 1",
    );
    check(
        "/0/efficiency/stages/1/until_share",
        json!(0.5),
        "[0].efficiency.stages[1].until_share: 0.5 is not more than in the entry before it",
    );
    check(
        "/0/efficiency/stages/1/noise_samples",
        json!(-1),
        "[0].efficiency.stages[1].noise_samples: -1 is not a number from 0 to 1e18",
    );
}
