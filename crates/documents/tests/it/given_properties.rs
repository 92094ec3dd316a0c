//! Curves as objects, whatever they are: they come back the same, and no mistake goes without its place.

use std::collections::BTreeMap;
use std::sync::Arc;

use elastiplan_documents::Document;
use elastiplan_model::{
    Curve, Curves, Efficiency, Gradients, Law, Origin, PowerLaw, Profile, ProfileStep, ScalingTimes, Stage, StepTimes,
    ThroughputModel,
};
use elastiplan_planner::run;
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Scenario;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::given::{KINDS, document, documented, key, point};

/// Speeds and times from very small to very large, and the borders of every rule.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(0.5), Just(1.0), Just(10.0), Just(1e9), Just(1e18), 0.0..2.0_f64, -1.0..1e19_f64]
}

/// What a curve is made of.
#[derive(Clone, Debug)]
enum Kind {
    Measured(BTreeMap<u32, f64>, Option<BTreeMap<u32, f64>>, bool),
    ByNodes(BTreeMap<(u32, u32), f64>, bool),
    Law(Law),
    Steps(Vec<ProfileStep>, (u32, u32), u32),
}

fn kind() -> impl Strategy<Value = Kind> {
    let gpus = || prop_oneof![4 => 1..=16_u32, 1 => 1..=65_536_u32];
    let speed = || 1e-3..1e9_f64;
    let points = move || prop::collection::btree_map(gpus(), speed(), 1..6);
    let on_nodes = gpus().prop_flat_map(|gpus| (Just(gpus), 1..=gpus));
    prop_oneof![
        (points(), prop::option::of(points()), any::<bool>())
            .prop_map(|(own, spread, on)| Kind::Measured(own, spread, on)),
        (prop::collection::btree_map(on_nodes, speed(), 1..9), any::<bool>())
            .prop_map(|(rows, on)| Kind::ByNodes(rows, on)),
        (speed(), 0.5..=1.0_f64, 1..=40_u32).prop_map(|(samples_per_s, factor, gpus_max)| Kind::Law(Law::Power(
            PowerLaw { samples_per_s, factor, gpus_max }
        ))),
        scaling().prop_map(Kind::Law),
        throughput().prop_map(Kind::Law),
        steps(),
    ]
}

/// Every batch of the generated curves fits.
fn scaling() -> impl Strategy<Value = Law> {
    let processing = prop::collection::btree_map(1..4096_u32, 1e-3..10.0_f64, 0..4);
    let origin = prop::option::of(prop::sample::select(&Origin::ALL[1..]));
    let all_reduce = prop::collection::btree_map(1..40_u32, (0.0..10.0_f64, origin), 0..4);
    (processing, 1e-3..10.0_f64, all_reduce).prop_map(|(processing, last_s, all_reduce)| {
        let halves = processing.into_iter().map(|(samples, time_s)| (f64::from(samples) / 2.0, time_s));
        let processing_s = halves.chain([(4096.0, last_s)]).collect();
        Law::Scaling(ScalingTimes {
            processing_s,
            all_reduce_s: all_reduce.iter().map(|(gpus, (time_s, _))| (*gpus, *time_s)).collect(),
            all_reduce_estimated: all_reduce
                .iter()
                .filter_map(|(gpus, (_, origin))| Some((*gpus, (*origin)?)))
                .collect(),
        })
    })
}

fn throughput() -> impl Strategy<Value = Law> {
    let time_s = || prop_oneof![Just(0.0), 1e-6..2.0_f64];
    let counts = (1..600_u32, 1..=8_u32, 1..=40_u32);
    (time_s(), 1e-6..2.0_f64, [time_s(), time_s(), time_s(), time_s()], 1.0..=10.0_f64, counts).prop_map(
        |(gradient_s, gradient_s_per_sample, sync, overlap, (batch_per_gpu_max, gpus_per_node, gpus_max))| {
            let [local_sync_s, local_sync_s_per_gpu, node_sync_s, node_sync_s_per_gpu] = sync;
            Law::Throughput(ThroughputModel {
                gradient_s,
                gradient_s_per_sample,
                local_sync_s,
                local_sync_s_per_gpu,
                node_sync_s,
                node_sync_s_per_gpu,
                overlap,
                batch_per_gpu_max,
                gpus_per_node,
                gpus_max,
            })
        },
    )
}

fn steps() -> impl Strategy<Value = Kind> {
    let times = prop::collection::btree_map(1..200_u32, (1e-3..10.0_f64, 0.0..0.9_f64), 1..4);
    let shape = prop::collection::vec(1..=4_u32, 1..=3);
    let count = (1..=6_u32, 0..=12_u32).prop_map(|(nodes, more)| (nodes, nodes + more));
    let place = prop_oneof![shape.prop_map(|shape| (Some(shape), (0, 0))), count.prop_map(|count| (None, count))];
    let measured = prop::collection::vec((place, times), 1..8);
    (measured, 1..200_u32, 1..200_u32, 1..4_u32).prop_map(|(measured, least, most, alone)| {
        let one = |(shape, (nodes, gpus)): &(Option<Vec<u32>>, (u32, u32)), batch: u32, (step_s, share): (f64, f64)| {
            let times = StepTimes { batch_per_gpu: f64::from(batch), step_s, sync_s: step_s * share };
            match shape {
                Some(shape) => ProfileStep::at(shape, times),
                None => ProfileStep::spread(*nodes, *gpus, times),
            }
        };
        let all = measured.into_iter().flat_map(|(place, times)| {
            times.into_iter().map(move |(batch, times)| one(&place, batch, times)).collect::<Vec<_>>()
        });
        Kind::Steps(all.collect(), (least.min(most), least.max(most)), alone)
    })
}

/// A stage with nothing but noise, or with gradients at some batch sizes.
fn stage() -> impl Strategy<Value = Vec<Gradients>> {
    let part = || prop_oneof![Just(0.0), 0.0..1e9_f64];
    let measured = (part(), 1e-3..1e12_f64, prop::option::of(0.0..1e9_f64));
    prop::collection::btree_map(1..=4096_u32, measured, 1..4).prop_map(|measured| {
        let one = |(batch, (square, variance, steps))| Gradients { batch, square, variance, steps };
        measured.into_iter().map(one).collect()
    })
}

fn measured_efficiency() -> impl Strategy<Value = Efficiency> {
    let stages = prop::collection::btree_map(0..=100_u32, stage(), 0..4);
    let most = prop::option::of(0..4096_u32);
    (1..=4096_u32, most, prop::option::of(1.0..1e12_f64), stages).prop_map(|(base, more, samples_total, stages)| {
        let stages =
            stages.into_iter().map(|(percent, gradients)| Stage { until: f64::from(percent) / 100.0, gradients });
        let batch_max = more.map(|more| base + more);
        Efficiency { batch_base: base, batch_max, samples_total, stages: stages.collect() }
    })
}

fn efficiency() -> impl Strategy<Value = Efficiency> {
    let stages = prop::collection::btree_map(0..=100_u32, prop_oneof![Just(0.0), 0.0..1e6_f64], 0..4);
    (1..=4096_u32, stages).prop_map(|(batch_base, stages)| {
        Efficiency::of_noise(batch_base, stages.into_iter().map(|(percent, noise)| (f64::from(percent) / 100.0, noise)))
    })
}

fn made((model, batch, kind, efficiency): (String, Option<u32>, Kind, Option<Efficiency>)) -> Curve {
    let points = |points: BTreeMap<u32, f64>| points.into_iter().map(point).collect::<Vec<_>>();
    let curve = match kind {
        Kind::Measured(own, spread, beyond) => {
            let curve = Curve::new(key(&model, batch), own).unwrap();
            let curve = spread.into_iter().fold(curve, |curve, spread| curve.with_spread(points(spread)).unwrap());
            if beyond { curve } else { curve.ending_at_last_point() }
        }
        Kind::ByNodes(rows, beyond) => {
            let rows = rows.into_iter().map(|((gpus, nodes), speed)| (nodes, point((gpus, speed))));
            let curve = Curve::by_nodes(key(&model, batch), rows).unwrap();
            if beyond { curve } else { curve.ending_at_last_point() }
        }
        // A formula of the batch size needs one.
        Kind::Law(law) => Curve::from_law(key(&model, Some(batch.unwrap_or(64))), law).unwrap(),
        Kind::Steps(steps, (least, most), alone) => {
            let profile = Profile::new(steps).unwrap().with_batch_per_gpu(least, most).with_passes_alone(alone);
            let efficiency = efficiency.unwrap_or(Efficiency::of_noise(8, []));
            // At some batch size it runs on some number of GPUs.
            let least = profile.batch_per_gpu().0;
            let profile = Arc::new(profile);
            let curve = Curve::from_profile(key(&model, batch), profile.clone(), efficiency.clone());
            return curve.unwrap_or_else(|_| {
                let efficiency = Efficiency { batch_base: least, batch_max: None, ..efficiency };
                Curve::from_profile(key(&model, None), profile, efficiency).unwrap()
            });
        }
    };
    efficiency.into_iter().fold(curve, |curve, efficiency| curve.with_efficiency(efficiency).unwrap())
}

pub fn curves() -> impl Strategy<Value = Curves> {
    let curve = (
        "[a-c]|a, \"b\"",
        prop::option::of(1..=4096_u32),
        kind(),
        prop::option::of(prop_oneof![efficiency(), measured_efficiency()]),
    );
    prop::collection::vec(curve.prop_map(made), 1..5).prop_map(|curves| curves.into_iter().collect())
}

proptest! {
    #[test]
    fn curves_of_all_kinds_come_back_and_run_to_the_same_digest(curves in curves()) {
        let (scenario, document) = documented(curves);
        let read = Document::parse(&document.to_json()).unwrap();
        prop_assert_eq!(&read, &document);
        let back = read.resolve(&|_| None).unwrap();
        prop_assert_eq!(&back.scenario.curves, &scenario.curves);
        let digest = |scenario: &Scenario, policy: &PolicySpec| {
            run(scenario, &scenario.workload().0, policy).map(|run| run.digest).map_err(|error| error.to_string())
        };
        for policy in ["fixed", "equal-share"] {
            let policy = policy.parse().unwrap();
            prop_assert_eq!(digest(&back.scenario, &policy), digest(&scenario, &policy));
        }
    }

    /// Whatever is refused is refused with its place, down to the field.
    #[test]
    fn a_number_that_cannot_be_is_named(curve in 0..KINDS.len(), field in any::<prop::sample::Index>(), value in number()) {
        let mut document = document();
        let mut places = Vec::new();
        places_of(&document["curves"]["given"][curve][KINDS[curve]], "", &mut places);
        let place = field.get(&places);
        let at = document["curves"]["given"][curve][KINDS[curve]].pointer_mut(place).unwrap();
        *at = if at.is_u64() && value.fract() == 0.0 && value >= 0.0 { json!(value as u64) } else { json!(value) };
        if let Err(error) = Document::parse(&document.to_string()) {
            let error = error.to_string();
            let start = format!("curves.given[{curve}].{}", KINDS[curve]);
            let (place, message) = error.trim_start_matches("line 1, ").split_once(": ").unwrap();
            // A speed that follows from several fields is no single one's fault.
            let is_deep = place.len() > start.len() || message.contains("samples/s must be above 0");
            prop_assert!(place.starts_with(&start) && is_deep, "{}", error);
        }
    }
}

/// Pointers to all numbers.
fn places_of(value: &Value, at: &str, places: &mut Vec<String>) {
    match value {
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(index, entry)| places_of(entry, &format!("{at}/{index}"), places));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(name, entry)| places_of(entry, &format!("{at}/{name}"), places))
        }
        Value::Number(_) => places.push(at.into()),
        _ => {}
    }
}
