//! Speeds that depend on more than the number of GPUs.

use elastiplan_model::{
    BatchRange, Cluster, ClusterError, Configuration, Curve, CurveKey, CurvePoint, Curves, Efficiency, Job, Law,
    ModelId, PowerLaw, RescaleSeconds, ScalingTimes, ThroughputModel, Topology, Trace, Work, Workload,
};
use proptest::prelude::*;

fn key(batch_global: Option<u32>) -> CurveKey {
    CurveKey { model: "m".into(), batch_global }
}

fn point(gpus: u32, samples_per_s: f64) -> CurvePoint {
    CurvePoint { gpus, samples_per_s }
}

/// The speed on so many GPUs and nodes; packed if `nodes` is what nodes of 4 GPUs need.
fn speed(curve: &Curve, gpus: u32, nodes: u32) -> f64 {
    let packed = nodes == gpus.div_ceil(4);
    curve.samples_per_s_in(&Configuration { gpus, nodes, packed, batch_global: None, shape: &[] })
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * b.abs()
}

#[test]
fn where_only_the_number_counts_places_do_not() {
    let curve = Curve::new(key(None), [(1, 10.0), (4, 30.0)]).unwrap();
    assert_eq!((speed(&curve, 4, 1), speed(&curve, 4, 4), speed(&curve, 9, 9)), (30.0, 30.0, 30.0));
}

#[test]
fn gpus_on_more_nodes_than_needed_have_a_speed_of_their_own() {
    let curve = Curve::new(key(None), [(1, 10.0), (2, 20.0), (4, 40.0)]).unwrap();
    let curve = curve.with_spread(vec![point(2, 15.0), point(4, 25.0)]).unwrap();
    assert_eq!((speed(&curve, 4, 1), speed(&curve, 4, 2), speed(&curve, 4, 4)), (40.0, 25.0, 25.0));
    assert_eq!(speed(&curve, 3, 2), 20.0);
    // One GPU is packed wherever it is; what was not measured apart is as fast as packed.
    assert_eq!(speed(&curve, 1, 1), 10.0);
    assert_eq!(curve.samples_per_s(4), 40.0);
}

#[test]
fn between_measured_numbers_of_nodes_speed_lies_on_the_line() {
    let rows =
        [(1, point(1, 10.0)), (1, point(4, 40.0)), (2, point(4, 30.0)), (4, point(4, 10.0)), (4, point(8, 50.0))];
    let curve = Curve::by_nodes(key(None), rows).unwrap();
    assert_eq!([1, 2, 3, 4, 5].map(|nodes| speed(&curve, 4, nodes)), [40.0, 30.0, 20.0, 10.0, 10.0]);
    assert_eq!(curve.samples_per_s(4), 40.0); // as few nodes as were measured
    assert_eq!(curve.samples_per_s(8), 50.0);
    assert_eq!(speed(&curve, 6, 4), 30.0); // halfway between 4 and 8 GPUs on 4 nodes
    let wrong = Curve::by_nodes(key(None), [(3, point(2, 1.0))]).unwrap_err();
    assert_eq!(wrong.to_string(), "m: 2 GPUs cannot be on 3 nodes");
}

#[test]
fn a_power_law_loses_a_fifth_with_every_doubling() {
    let law = Law::Power(PowerLaw { samples_per_s: 10.0, factor: 0.8, gpus_max: 16 });
    let curve = Curve::from_law(key(None), law).unwrap();
    for (gpus, expected) in [(1, 10.0), (2, 16.0), (4, 25.6), (8, 40.96), (16, 65.536)] {
        assert!(close(curve.samples_per_s(gpus), expected), "{gpus}");
    }
    assert_eq!((curve.samples_per_s(17), curve.points().len()), (0.0, 16));
}

/// 64 samples: 1 s a GPU at 32 samples, 3 s at 64; an all-reduce takes 1 s on 2 GPUs and 2 s on 4.
#[test]
fn scaling_times_add_processing_and_all_reduce() {
    let times = ScalingTimes {
        processing_s: vec![(16.0, 0.5), (32.0, 1.0), (64.0, 3.0)],
        all_reduce_s: vec![(2, 1.0), (4, 2.0)],
        ..ScalingTimes::default()
    };
    let curve = Curve::from_law(key(Some(64)), Law::Scaling(times.clone())).unwrap();
    assert_eq!([1, 2, 4].map(|gpus| curve.samples_per_s(gpus)), [64.0 / 3.0, 64.0 / 2.0, 64.0 / 2.5]);
    // Samples are whole: of three GPUs one has 22.
    assert_eq!(curve.samples_per_s(3), 64.0 / (0.5 + 6.0 / 16.0 * 0.5 + 1.5));
    // 256 samples do not fit on one or two GPUs.
    let large = Curve::from_law(key(Some(256)), Law::Scaling(times)).unwrap();
    assert_eq!([1, 2, 4].map(|gpus| large.samples_per_s(gpus)), [0.0, 0.0, 256.0 / 5.0]);
}

fn model() -> ThroughputModel {
    ThroughputModel {
        gradient_s: 0.5,
        gradient_s_per_sample: 0.25,
        local_sync_s: 1.0,
        local_sync_s_per_gpu: 0.5,
        node_sync_s: 3.0,
        node_sync_s_per_gpu: 1.0,
        overlap: 1.0,
        batch_per_gpu_max: 8,
        gpus_per_node: 4,
        gpus_max: 16,
    }
}

#[test]
fn the_throughput_model_of_pollux() {
    let curve = Curve::from_law(key(Some(8)), Law::Throughput(model())).unwrap();
    // 8 samples on one GPU: 0.5 + 8 x 0.25; on two: 0.5 + 4 x 0.25 and 1 s of synchronisation.
    assert!(close(curve.samples_per_s(1), 8.0 / 2.5));
    assert!(close(speed(&curve, 2, 1), 8.0 / 2.5));
    assert!(close(speed(&curve, 2, 2), 8.0 / 4.5));
    assert!(close(speed(&curve, 4, 1), 8.0 / (1.0 + 2.0)));
    // More than a node has: between nodes.
    assert!(close(curve.samples_per_s(8), 8.0 / (0.75 + 9.0)));
    // Where computing and synchronising overlap, the root of the sum of squares.
    let overlapped = Curve::from_law(key(Some(8)), Law::Throughput(ThroughputModel { overlap: 2.0, ..model() }));
    assert!(close(overlapped.unwrap().samples_per_s(2), 8.0 / (1.5f64 * 1.5 + 1.0).sqrt()));
}

#[test]
fn what_does_not_fit_is_done_in_several_passes_and_other_batches_are_possible() {
    let curve = Curve::from_law(key(Some(8)), Law::Throughput(model())).unwrap();
    let at = |batch| {
        curve.samples_per_s_in(&Configuration {
            gpus: 1,
            nodes: 1,
            packed: true,
            batch_global: Some(batch),
            shape: &[],
        })
    };
    assert!(close(at(16), 16.0 / 5.0)); // two passes of 8
    assert!(close(at(20), 20.0 / (3.0 * (0.5 + 20.0 / 3.0 * 0.25))));
    assert!(close(at(4), 4.0 / 1.5));
}

#[test]
fn formulas_that_mean_nothing_are_refused() {
    let check = |law, expected: &str| {
        assert_eq!(Curve::from_law(key(Some(8)), law).unwrap_err().to_string().replace(" at batch 8", ""), expected);
    };
    let power = |samples_per_s, factor, gpus_max| Law::Power(PowerLaw { samples_per_s, factor, gpus_max });
    check(power(1.0, 0.8, 0), "m: a formula is for 1 to 4,096 GPUs");
    check(power(0.0, 0.8, 4), "m: speed must be above 0, the factor from 0.5 to 1");
    check(power(1.0, f64::NAN, 4), "m: speed must be above 0, the factor from 0.5 to 1");
    let none = ScalingTimes { processing_s: vec![], all_reduce_s: vec![(2, 1.0)], ..ScalingTimes::default() };
    check(Law::Scaling(none), "m: measured batches and GPUs must rise, with times above 0");
    let times = "m: times must be from 0 to 1e9 s and not all 0, the overlap from 1 to 10";
    check(Law::Throughput(ThroughputModel { overlap: 0.5, ..model() }), times);
    check(Law::Throughput(ThroughputModel { gradient_s: f64::NAN, ..model() }), times);
    // Without a batch size such a formula gives no speed.
    let curve = Curve::from_law(key(None), Law::Throughput(model()));
    assert_eq!(curve.unwrap_err().to_string(), "m: no measured point");
}

#[test]
fn samples_are_worth_less_in_larger_batches_and_more_as_training_goes_on() {
    let efficiency = Efficiency::of_noise(8, [(0.5, 0.0), (1.0, 24.0)]);
    // 8 of 16 samples: half of it until half is done.
    assert_eq!(efficiency.at(16, 100.0, 100.0), (0.5, 50.0));
    assert_eq!(efficiency.at(16, 51.0, 100.0), (0.5, 50.0));
    assert_eq!(efficiency.at(16, 50.0, 100.0), (0.8, 0.0));
    assert_eq!(efficiency.at(8, 100.0, 100.0).0, 1.0);
    let curve = || Curve::new(key(None), [(1, 1.0)]).unwrap();
    let falling = Efficiency::of_noise(8, [(0.5, 1.0), (0.2, 1.0)]);
    let rule = "m: stages of efficiency must rise from 0 to 1, with gradients or noise at batch sizes that rise";
    assert_eq!(curve().with_efficiency(falling).unwrap_err().to_string(), rule);
}

#[test]
fn a_noisy_profile_keeps_the_shape() {
    let curve = Curve::new(key(None), [(1, 10.0), (4, 40.0)]).unwrap();
    let curve = curve.with_spread(vec![point(4, 20.0)]).unwrap();
    let mut factors = [1.5, 1.0, 0.5].into_iter();
    let noisy = curve.disturbed(|| factors.next().unwrap());
    assert_eq!((speed(&noisy, 4, 2), noisy.samples_per_s(1), noisy.samples_per_s(4)), (30.0, 10.0, 20.0));
}

#[test]
fn work_in_every_unit_becomes_samples() {
    let curve = Curve::new(key(None), [(1, 10.0), (2, 15.0)]).unwrap();
    let samples = |work| {
        let job = Job {
            name: "a".into(),
            source_row: 0,
            submit_s: 0.0,
            model: ModelId(0),
            batch_global: Some(5),
            gpus_requested: 2,
            gpus_min: None,
            gpus_max: None,
            work,
            deadline_s: None,
            user: None,
            rescale: Some(RescaleSeconds { up_s: 1.0, down_s: 2.0 }),
            batch_range: None,
            priority: None,
        };
        let trace = Trace::new(vec!["m".into()], vec![job])?;
        Ok::<_, elastiplan_model::TraceError>(
            Workload::bind(&trace, &Curves::from_iter([curve.clone()])).0.jobs()[0].samples,
        )
    };
    assert_eq!(samples(Work::Samples(7.0)), Ok(7.0));
    assert_eq!(samples(Work::Iterations(7.0)), Ok(35.0));
    assert_eq!(samples(Work::DurationOnRequested(7.0)), Ok(105.0));
    assert_eq!(samples(Work::GpuSeconds(7.0)), Ok(52.5));
    assert_eq!(samples(Work::Epochs { epochs: 7.0, samples_each: 3.0 }), Ok(21.0));
    assert!(samples(Work::Epochs { epochs: 7.0, samples_each: 0.0 }).is_err());
}

#[test]
fn a_topology_must_have_something_on_every_level() {
    let cluster = Cluster::new(2, 4).unwrap();
    let topology = Topology { gpus_per_socket: 2, nodes_per_rack: 1, speed: [1.0, 0.9, 0.8, 0.7] };
    assert_eq!(cluster.with_topology(topology).unwrap().topology(), Some(&topology));
    let check = |topology| assert_eq!(cluster.with_topology(topology), Err(ClusterError::Topology));
    check(Topology { gpus_per_socket: 0, ..topology });
    check(Topology { nodes_per_rack: 0, ..topology });
    check(Topology { speed: [1.0, 0.9, 0.8, f64::NAN], ..topology });
    check(Topology { speed: [1.0, 0.9, 0.8, 1.1], ..topology });
}

#[test]
fn parameters_are_put_back_where_they_were() {
    let parameters = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
    let other = model().with_parameters(parameters);
    assert_eq!((other.parameters(), other.with_parameters(model().parameters())), (parameters, model()));
    assert_eq!([other.gradient_s, other.node_sync_s, other.local_sync_s, other.overlap], [1.0, 3.0, 5.0, 7.0]);
    assert_eq!(
        (other.pass_s(10.0), other.sync_s(4, 1), other.sync_s(4, 2), other.sync_s(1, 1)),
        (21.0, 17.0, 11.0, 0.0)
    );
    assert!(close(model().step_s(4, 1, 2.0, 3.0), 2.0 * 1.0 + 3.0));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    /// Eq. 2 by trying every batch size of the range.
    #[test]
    fn the_best_batch_size_is_as_fast_as_any(
        steps in prop::collection::vec((1..40u32, 0.01..3.0f64), 1..6),
        all_reduce in prop::collection::vec(0.0..4.0f64, 1..6),
        (least, span) in (1..200u32, 0..400u32),
        gpus in 1..12u32,
    ) {
        let mut samples = 0;
        let processing_s = steps.into_iter().map(|(step, time_s)| {
            samples += step;
            (f64::from(samples), time_s)
        });
        let all_reduce_s = (2..).step_by(2).zip(all_reduce).collect();
        let times = ScalingTimes { processing_s: processing_s.collect(), all_reduce_s, ..ScalingTimes::default() };
        let range = BatchRange { least, most: least + span };
        let naive = (range.least..=range.most).map(|batch| times.samples_per_s(gpus, batch)).fold(0.0, f64::max);
        match times.best_batch(range, gpus) {
            Some(best) => {
                prop_assert!(range.contains(best.batch_global));
                prop_assert_eq!(best.samples_per_s, times.samples_per_s(gpus, best.batch_global));
                prop_assert!(best.samples_per_s >= naive * (1.0 - 1e-12), "{:?} for {}", best, naive);
            }
            None => prop_assert_eq!(naive, 0.0),
        }
    }
}
