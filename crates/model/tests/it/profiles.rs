//! Measured profiles: what was measured comes back, and between measurements times lie on straight lines.

use std::collections::BTreeMap;
use std::sync::Arc;

use elastiplan_model::{
    BatchLimits, Configuration, Curve, CurveKey, Efficiency, Gradients, Profile, ProfileError, ProfileStep, Split,
    Stage, StepTimes,
};
use proptest::prelude::*;

fn times(batch_per_gpu: f64, step_s: f64) -> StepTimes {
    StepTimes { batch_per_gpu, step_s, sync_s: step_s / 4.0 }
}

fn step_s(profile: &Profile, shape: &[u32], batch_per_gpu: f64) -> f64 {
    profile.step(shape, batch_per_gpu).unwrap().step_s
}

fn spread_s(profile: &Profile, nodes: u32, gpus: u32) -> f64 {
    profile.spread_step(nodes, gpus, 8.0).unwrap().step_s
}

#[test]
fn nodes_form_a_ring() {
    let at = |shape: &[u32], step_s| ProfileStep::at(shape, times(8.0, step_s));
    let profile = Profile::new([at(&[1, 2, 3], 5.0), at(&[1, 3, 2], 6.0), at(&[3, 1, 2], 7.0)]).unwrap();
    for shape in [[1, 2, 3], [2, 3, 1], [3, 1, 2]] {
        assert_eq!(step_s(&profile, &shape, 8.0), 5.0);
    }
    assert_eq!(step_s(&profile, &[2, 1, 3], 8.0), 6.0);
    assert_eq!(profile.extent(), (2, 0));
}

#[test]
fn what_was_not_measured_by_placement_takes_the_mean() {
    let steps = [
        ProfileStep::at(&[1, 3], times(8.0, 5.0)),
        ProfileStep::at(&[1, 3], times(16.0, 9.0)),
        ProfileStep::at(&[2, 2], times(8.0, 7.0)),
        ProfileStep::spread(4, 8, times(8.0, 10.0)),
    ];
    let profile = Profile::new(steps).unwrap();
    // Both placements were measured with 8 samples, only one of them with 16.
    assert_eq!(step_s(&profile, &[2, 2], 16.0), 9.0);
    assert_eq!(spread_s(&profile, 2, 4), 6.0);
    // On 3 nodes, halfway between 4 GPUs on 2 nodes and 8 on 4.
    assert_eq!(step_s(&profile, &[1, 2, 3], 8.0), 8.0);
    assert_eq!((profile.extent(), profile.gpus_max(), profile.gpus_per_node()), ((2, 1), 8, 3));
    assert_eq!(profile.step(&[4, 5], 8.0), None);
    assert_eq!(profile.step(&[], 8.0), None);
    assert_eq!(profile.step(&[1, 0], 8.0), None);
}

#[test]
fn between_numbers_of_nodes_gpus_stay_as_many() {
    let spread = |nodes, gpus, step_s| ProfileStep::spread(nodes, gpus, times(8.0, step_s));
    let steps = [
        spread(2, 2, 1.0),
        spread(2, 4, 2.0),
        spread(2, 8, 3.0),
        spread(4, 4, 10.0),
        spread(4, 8, 11.0),
        spread(4, 16, 13.0),
    ];
    let profile = Profile::new(steps).unwrap();
    assert_eq!(spread_s(&profile, 3, 8), (3.0 + 11.0) / 2.0);
    assert_eq!(spread_s(&profile, 3, 6), (2.5 + 10.5) / 2.0);
    // Fewer than were measured on 4 nodes: from 2 GPUs on 2 nodes to 4 on 4. More than on 2 nodes: from 8 to 16.
    assert_eq!(spread_s(&profile, 3, 3), (1.0 + 10.0) / 2.0);
    assert_eq!(spread_s(&profile, 3, 12), (3.0 + 13.0) / 2.0);
    assert_eq!(spread_s(&profile, 3, 10), (3.0 + 12.0) / 2.0);
    // Beyond all that was measured, the outermost.
    assert_eq!((spread_s(&profile, 1, 2), spread_s(&profile, 9, 16)), (1.0, 13.0));
    assert_eq!(spread_s(&profile, 3, 16), (3.0 + 13.0) / 2.0);
    assert_eq!(spread_s(&profile, 3, 1), (1.0 + 10.0) / 2.0);
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let wrong = |step: ProfileStep| Profile::new([step]).unwrap_err();
    let good = times(8.0, 1.0);
    assert_eq!(Profile::new([]).unwrap_err(), ProfileError::Empty);
    let gpus = |gpus, nodes| ProfileError::Gpus { gpus, nodes };
    assert_eq!(wrong(ProfileStep::at(&[1, 0], good)), gpus(1, 2));
    assert_eq!(wrong(ProfileStep::at(&[], good)), gpus(0, 0));
    assert_eq!(wrong(ProfileStep::at(&[u32::MAX, 2], good)), gpus(u32::MAX, 2));
    assert_eq!(wrong(ProfileStep::spread(3, 2, good)), gpus(2, 3));
    assert_eq!(wrong(ProfileStep::spread(3, 4097, good)), gpus(4097, 3));
    assert_eq!(wrong(ProfileStep { gpus: 5, ..ProfileStep::at(&[1, 2], good) }), gpus(5, 2));
    for (batch_per_gpu, step_s, sync_s) in [(0.5, 1.0, 0.0), (8.0, 0.0, 0.0), (8.0, 1.0, 1.0), (8.0, 1.0, -0.1)] {
        let error = wrong(ProfileStep::at(&[1], StepTimes { batch_per_gpu, step_s, sync_s }));
        assert!(matches!(error, ProfileError::Times { .. }), "{error}");
    }
    assert!(matches!(wrong(ProfileStep::at(&[1], times(8.0, f64::NAN))), ProfileError::Times { .. }));
}

/// Samples on a GPU that profiles are made with.
const BATCHES: [f64; 4] = [4.0, 7.0, 12.0, 30.0];

/// By placement, and by nodes and GPUs.
type Measured = (BTreeMap<Vec<u32>, BTreeMap<u32, f64>>, BTreeMap<(u32, u32), BTreeMap<u32, f64>>);

fn measured() -> impl Strategy<Value = Measured> {
    let shape = prop::collection::vec(1..=4_u32, 1..=3).prop_map(|shape| Profile::first_rotation(&shape));
    let count = (1..=9_u32, 0..=20_u32).prop_map(|(nodes, more)| (nodes, nodes + more));
    // Sixteenths are read back as they were written.
    let step_s = (2..144_u32).prop_map(|sixteenths| f64::from(sixteenths) / 16.0);
    let steps = move || prop::collection::btree_map(0..4_u32, step_s.clone(), 1..=4);
    (prop::collection::btree_map(shape, steps(), 1..12), prop::collection::btree_map(count, steps(), 0..9))
}

fn steps_of(measured: &Measured) -> Vec<ProfileStep> {
    let times = |(batch, step_s): (&u32, &f64)| times(BATCHES[*batch as usize], *step_s);
    let shapes =
        measured.0.iter().flat_map(|(shape, steps)| steps.iter().map(|one| ProfileStep::at(shape, times(one))));
    let counts = measured
        .1
        .iter()
        .flat_map(|(&(nodes, gpus), steps)| steps.iter().map(move |one| ProfileStep::spread(nodes, gpus, times(one))));
    shapes.chain(counts).collect()
}

proptest! {
    #[test]
    fn what_was_measured_comes_back(measured in measured(), by in 0..3_usize) {
        let profile = Profile::new(steps_of(&measured)).unwrap();
        for (shape, steps) in &measured.0 {
            let mut turned = shape.clone();
            turned.rotate_left(by % shape.len());
            for (batch, step) in steps {
                let batch = BATCHES[*batch as usize];
                prop_assert_eq!(profile.step(&turned, batch).unwrap(), times(batch, *step));
            }
            // Between neighbours on the line, by hand.
            let known: Vec<(f64, f64)> = steps.iter().map(|(batch, s)| (BATCHES[*batch as usize], *s)).collect();
            for pair in known.windows(2) {
                let ((low, from), (high, to)) = (pair[0], pair[1]);
                let middle = from + (to - from) * (low + 1.0 - low) / (high - low);
                prop_assert!((step_s(&profile, shape, low + 1.0) - middle).abs() <= 1e-12);
            }
        }
        for ((nodes, gpus), steps) in &measured.1 {
            let by_shape = measured.0.keys().any(|s| (s.len() as u32, s.iter().sum::<u32>()) == (*nodes, *gpus));
            for (batch, step) in steps.iter().filter(|_| !by_shape) {
                let batch = BATCHES[*batch as usize];
                prop_assert_eq!(profile.spread_step(*nodes, *gpus, batch).unwrap(), times(batch, *step));
            }
        }
    }

    #[test]
    fn a_profile_is_made_again_of_its_steps(measured in measured(), limits in (1..40_u32, 1..40_u32), alone in 0..3_u32) {
        let steps = steps_of(&measured);
        let profile = Profile::new(steps.clone()).unwrap();
        prop_assert_eq!(&Profile::new(profile.steps()).unwrap(), &profile);
        prop_assert_eq!(&Profile::new(steps.into_iter().rev()).unwrap(), &profile);
        let profile = profile.with_batch_per_gpu(limits.0, limits.1).with_passes_alone(alone);
        let stored = serde_json::to_string(&profile).unwrap();
        prop_assert_eq!(serde_json::from_str::<Profile>(&stored).unwrap(), profile);
    }

    #[test]
    fn a_plane_is_found_again(a in 0.5..2.0_f64, b in 0.0..0.1_f64, c in 0.0..0.1_f64, d in 0.0..0.1_f64) {
        // Times that grow evenly with nodes, GPUs and samples: straight lines between some are right everywhere.
        let plane = |nodes: f64, gpus: f64, batch| a + b * nodes + c * gpus + d * batch;
        let on = |nodes: u32| (nodes..=4 * nodes).step_by(nodes as usize).map(move |gpus| (nodes, gpus));
        let points = [1, 2, 5, 9].into_iter().flat_map(on).flat_map(|at| BATCHES.map(|batch| (at, batch)));
        let steps = points.map(|((nodes, gpus), batch)| {
            ProfileStep::spread(nodes, gpus, times(batch, plane(f64::from(nodes), f64::from(gpus), batch)))
        });
        let profile = Profile::new(steps).unwrap();
        for nodes in 1..=9_u32 {
            for gpus in nodes..=4 * nodes {
                for batch in 4..=30 {
                    let batch = f64::from(batch);
                    let found = profile.spread_step(nodes, gpus, batch).unwrap().step_s;
                    let expected = plane(f64::from(nodes), f64::from(gpus), batch);
                    prop_assert!((found - expected).abs() <= 1e-12, "{} {} {} {} {}", nodes, gpus, batch, found, expected);
                }
            }
        }
    }

    #[test]
    fn times_change_little_from_node_to_node(measured in measured(), nodes in 1..10_u32, gpus in 1..25_u32, batch in 1..50_u32) {
        // No placement and no number of nodes leads out of what was measured.
        let profile = Profile::new(steps_of(&measured)).unwrap();
        let all = || profile.steps().map(|step| step.times.step_s);
        let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
        let beyond = (f64::from(batch) / BATCHES[0]).max(1.0);
        let found = profile.spread_step(nodes, gpus, f64::from(batch)).unwrap();
        prop_assert!(found.step_s >= least * (1.0 - 1e-12) && found.step_s <= most * beyond * (1.0 + 1e-12));
        prop_assert!(found.sync_s >= 0.0 && found.sync_s < found.step_s);
    }
}

fn limits() -> BatchLimits {
    BatchLimits { base: 12, most: 384, per_gpu_least: 4, per_gpu_most: 12, passes_alone: 2, gpus_most: 96 }
}

#[test]
fn batches_are_split_into_as_few_passes_as_fit() {
    let split = |gpus, batch| limits().split(gpus, batch).map(|split| (split.batch_per_gpu, split.passes));
    assert_eq!(split(1, 12), Some((12, 1)));
    // More than the base on a single GPU: twice, so that noise can be measured.
    assert_eq!(split(1, 13), Some((7, 2)));
    assert_eq!(split(2, 24), Some((12, 1)));
    assert_eq!(split(2, 25), Some((7, 2)));
    assert_eq!(split(8, 384), Some((12, 4)));
    // 384 on 7 GPUs are 5 passes of 11, and no sample more.
    assert_eq!(split(7, 384), Some((10, 5)));
    assert_eq!(split(64, 384), Some((6, 1)));
    assert_eq!((split(4, 12), split(0, 12), split(1, 0)), (None, None, None));
}

#[test]
fn a_curve_of_a_profile_says_what_its_steps_say() {
    let steps = [
        ProfileStep::at(&[1], times(4.0, 0.4)),
        ProfileStep::at(&[1], times(12.0, 1.0)),
        ProfileStep::at(&[2], times(4.0, 0.5)),
        ProfileStep::at(&[2], times(12.0, 1.2)),
        ProfileStep::at(&[1, 1], times(4.0, 0.8)),
        ProfileStep::at(&[1, 1], times(12.0, 1.6)),
    ];
    let profile = Arc::new(Profile::new(steps).unwrap().with_passes_alone(2));
    let gradients = |batch, square| Gradients { batch, square, variance: 12.0, steps: Some(f64::from(batch)) };
    let stage = Stage { until: 1.0, gradients: vec![gradients(12, 1.0), gradients(24, 0.0)] };
    let efficiency =
        Efficiency { batch_base: 12, batch_max: Some(24), samples_total: Some(120.0), stages: vec![stage] };
    let key = CurveKey { model: "bert".into(), batch_global: None };
    let curve = Curve::from_profile(key, profile, efficiency).unwrap();
    let on = |shape: &[u32], batch_global: u32| {
        let gpus = shape.iter().sum();
        let configuration = Configuration { gpus, nodes: shape.len() as u32, shape, ..Configuration::default() };
        curve.samples_per_s_in(&Configuration { batch_global: Some(batch_global), ..configuration })
    };
    assert_eq!(on(&[1], 12), 12.0);
    assert_eq!(on(&[2], 24), 24.0 / 1.2);
    assert_eq!(on(&[1, 1], 24), 24.0 / 1.6);
    // Two passes of 12: the second is computed without synchronising.
    assert_eq!(on(&[1], 24), 24.0 / (1.0 + 0.75));
    assert_eq!(curve.at_batch(24).unwrap().samples_per_s(2), 24.0 / 1.2);
    assert_eq!(curve.at_batch(3), None);
    assert_eq!(curve.batch_limits(), Some(BatchLimits { most: 24, gpus_most: 2, ..limits() }));
    assert_eq!(limits().split(1, 24), Some(Split { batch_per_gpu: 12, passes: 2 }));
    // Noise 12 at the base, and nothing but noise at twice the base; between them both parts lie on lines.
    let efficiency = curve.efficiency().unwrap();
    assert_eq!((efficiency.at(12, 5.0, 120.0).0, efficiency.at(24, 5.0, 120.0).0), (1.0, 1.0));
    let between = efficiency.gradients(18, 5.0, 120.0).unwrap();
    assert_eq!((between.square, between.variance, between.noise_scale(), between.steps), (0.5, 12.0, 24.0, Some(18.0)));
}
