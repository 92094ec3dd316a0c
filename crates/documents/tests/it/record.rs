//! The record: read back as it was written, and what damaged ones give.

use std::collections::BTreeSet;
use std::sync::Arc;

use elastiplan_documents::record::{RecordError, VERSION, read, write};
use elastiplan_model::{
    Availability, BatchRange, Curve, CurveKey, Curves, Efficiency, Job, Law, Origin, Prices, RescaleSeconds,
    ScalingTimes, Topology, Trace,
};
use elastiplan_planner::PolicyRun;
use elastiplan_scenario::Cloud;
use elastiplan_scenario::{Scenario, sample};
use expect_test::expect_file;
use proptest::prelude::*;
use serde_json::Value;

use crate::run_all;

/// A scenario in which everything optional is there.
fn full() -> (Scenario, Vec<PolicyRun>) {
    let mut scenario = sample::scenario(5);
    let log = vec![("a".into(), vec![(0.0, Some(900.0))]), ("b".into(), vec![(10.0, None)])];
    let conditions = &mut scenario.conditions;
    conditions.availability = Some(Arc::new(Availability::from_intervals(log, 4000.0).unwrap()));
    conditions.checkpoint_interval_s = Some(600.0);
    conditions.rescale_by_model.insert("AlexNet".into(), RescaleSeconds { up_s: 5.0, down_s: 3.0 });
    conditions.faults.node_mtbf_s = Some(40_000.0);
    conditions.faults.node_repair_s = 600.0;
    conditions.price_per_gpu_hour = Some(1.5);
    conditions.prices = Some(Arc::new(Prices::new([(0.0, 2.0), (3600.0, 1.5)]).unwrap()));
    let efficiency = Efficiency::of_noise(32, [(0.5, 200.0), (1.0, 900.0)]);
    let worth_less = |curve: &Curve| curve.clone().with_efficiency(efficiency.clone()).unwrap();
    scenario.curves = scenario.curves.as_slice().iter().map(worth_less).collect::<Curves>().into();
    let jobs = scenario.trace.jobs().iter().map(|job| Job { batch_global: Some(256), ..job.clone() }).collect();
    scenario.trace = Trace::new(scenario.trace.models().to_vec(), jobs).unwrap().into();
    let (runs, _) = run_all(&scenario, &["fixed", "equal-share"]);
    // What would change the run, but has a shape.
    scenario.conditions.price_per_gpu_hour = Some(1.5);
    scenario.conditions.law = Some(elastiplan_model::SpeedupLaw::Like("bert".parse().unwrap()));
    scenario.conditions.deadline_tightness = "0.5..1.5".parse().ok();
    scenario.conditions.model_mix = "bert:3,vgg:1".parse().ok();
    scenario.conditions.batch_range = "0.5..4".parse().ok();
    scenario.conditions.users = "zipf:40".parse().ok();
    scenario.conditions.cloud =
        Some(Cloud { nodes_start: 1, nodes_min: 1, provisioning_s: 60.0, price_per_gpu_hour: 2.0 });
    let topology = Topology { gpus_per_socket: 4, nodes_per_rack: 8, speed: [1.0, 0.95, 0.9, 0.7] };
    scenario.cluster = scenario.cluster.with_topology(topology).unwrap();
    let times = ScalingTimes {
        processing_s: vec![(8.0, 1.0)],
        all_reduce_s: vec![(2, 0.1)],
        all_reduce_estimated: vec![(2, Origin::Assumed)],
    };
    let key = CurveKey { model: "by times".into(), batch_global: Some(8) };
    let by_times = Curve::from_law(key, Law::Scaling(times)).unwrap();
    scenario.curves = scenario.curves.as_slice().iter().cloned().chain([by_times]).collect::<Curves>().into();
    let batch_range = Some(BatchRange { least: 64, most: 512 });
    let job = |job: &Job| Job { batch_range, priority: Some(2.0), ..job.clone() };
    scenario.trace =
        Trace::new(scenario.trace.models().to_vec(), scenario.trace.jobs().iter().map(job).collect()).unwrap().into();
    (scenario, runs)
}

fn bytes() -> Vec<u8> {
    let scenario = sample::scenario(5);
    write(&scenario, &run_all(&scenario, &["fixed", "equal-share"]).0).unwrap()
}

#[test]
fn what_is_written_is_read() {
    let (scenario, runs) = full();
    let record = read(&write(&scenario, &runs).unwrap()).unwrap();
    assert_eq!(record.scenario, scenario);
    assert_eq!(record.runs, runs);
}

#[test]
fn other_files_are_refused() {
    let good = bytes();
    assert_eq!(read(b""), Err(RecordError::Foreign));
    assert_eq!(read(b"job_id,submit_s\n"), Err(RecordError::Foreign));
    assert_eq!(read(&good[..5]), Err(RecordError::Truncated(5)));
    assert_eq!(read(&good[..19]), Err(RecordError::Truncated(19)));
    assert_eq!(read(&good[..25]), Err(RecordError::Truncated(25)));
    assert_eq!(read(&good[..good.len() - 1]), Err(RecordError::Checksum));
    assert_eq!(read(&[good.as_slice(), b"\n"].concat()), Err(RecordError::Checksum));
    let mut newer = good.clone();
    newer[18..20].copy_from_slice(&(VERSION + 1).to_le_bytes());
    assert_eq!(read(&newer), Err(RecordError::Newer { found: VERSION + 1 }));
    newer[18..20].copy_from_slice(&0_u16.to_le_bytes());
    assert_eq!(read(&newer), Err(RecordError::Older { found: 0 }));
    let message = RecordError::Newer { found: 9 }.to_string();
    assert_eq!(message, format!("the record has version 9, this build reads {VERSION}: use a newer build"));
}

#[test]
fn a_run_must_have_its_digest() {
    let scenario = sample::scenario(5);
    let mut runs = run_all(&scenario, &["fixed"]).0;
    runs[0].run.spans.gpus[0] += 1;
    let error = read(&write(&scenario, &runs).unwrap()).unwrap_err();
    let expected = "the record cannot be read: the run of fixed does not have its digest; run the scenario again";
    assert_eq!(error.to_string(), expected);
}

/// The fields that are stored. Where this list changes, the version must rise: older records do not fit any more.
#[test]
fn the_shape_belongs_to_the_version() {
    let (scenario, runs) = full();
    let mut fields = BTreeSet::new();
    list_fields("scenario", &serde_json::to_value(&scenario).unwrap(), &mut fields);
    for run in &runs {
        list_fields("runs", &serde_json::to_value(run).unwrap(), &mut fields);
    }
    let list: String = fields.into_iter().map(|field| field + "\n").collect();
    expect_file!["../record_shape.txt"].assert_eq(&format!("version {VERSION}\n{list}"));
}

/// A few hundred curves and models by name say nothing about the shape: lists and maps are taken together.
fn list_fields(path: &str, value: &Value, fields: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| list_fields(&format!("{path}.{key}"), value, fields)),
        Value::Array(list) => list.iter().for_each(|value| list_fields(&format!("{path}[]"), value, fields)),
        Value::Null => {}
        Value::Bool(_) => drop(fields.insert(format!("{path}: flag"))),
        Value::Number(_) => drop(fields.insert(format!("{path}: number"))),
        Value::String(_) => drop(fields.insert(format!("{path}: text"))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Every flipped byte is found by the checksum or in the head.
    #[test]
    fn a_flipped_byte_is_found(at in any::<prop::sample::Index>(), with in 1_u8..) {
        let mut bytes = bytes_once();
        let at = at.index(bytes.len());
        bytes[at] ^= with;
        prop_assert!(read(&bytes).is_err());
    }

    #[test]
    fn a_cut_is_found(at in any::<prop::sample::Index>()) {
        let bytes = bytes_once();
        prop_assert!(read(&bytes[..at.index(bytes.len())]).is_err());
    }

    /// Somebody who makes the checksum fit gets an error or a record, but no panic.
    #[test]
    fn contents_with_a_good_checksum_do_not_panic(
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = bytes_once();
        if let Some(cut) = cut {
            bytes.truncate(28 + cut.index(bytes.len() - 28));
        }
        for (at, with) in flips {
            let count = bytes.len() - 28;
            if count > 0 {
                bytes[28 + at.index(count)] = with;
            }
        }
        let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[28..]).to_le_bytes();
        bytes[20..28].copy_from_slice(&checksum);
        let _ = read(&bytes);
    }
}

fn bytes_once() -> Vec<u8> {
    static BYTES: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
    BYTES.get_or_init(bytes).clone()
}
