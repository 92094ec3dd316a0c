//! Clusters in a cloud, which policies size themselves.

use elastiplan_engine::Simulation;
use elastiplan_model::{
    Cluster, Curve, CurveKey, Curves, Efficiency, Job, JobId, Law, ModelId, ThroughputModel, Trace, Work, Workload,
};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::{Cloud, Conditions};
use expect_test::expect;
use proptest::prelude::*;

use crate::{check, properties};

#[test]
fn the_cluster_grows_at_once_to_where_further_nodes_are_not_used_well() {
    check(
        "
        policy throughput-autoscaling
        2 GPUs
        cloud 1 of 8 after 3
        curve m 1:1 2:2 4:3.5 6:4 8:4.25 16:4.5
        a work=50 curve=m
        nodes
        ",
        // Utility 1, 0.875, 0.67, 0.53 on 1, 2, 3, 4 nodes.
        expect![[r#"
            a 22266666666666
            0.0 aaaaaaaaaaaaaa
            0.1 aaaaaaaaaaaaaa
            1.0 ...aaaaaaaaaaa
            1.1 ...aaaaaaaaaaa
            2.0 ...aaaaaaaaaaa
            2.1 ...aaaaaaaaaaa
            3.0 ..............
            3.1 ..............
            4.0 ..............
            4.1 ..............
            5.0 ..............
            5.1 ..............
            6.0 ..............
            6.1 ..............
            7.0 ..............
            7.1 ..............
        "#]],
    );
}

#[test]
fn nodes_are_given_back_when_fewer_are_used_well() {
    check(
        "
        policy throughput-autoscaling
        2 GPUs
        cloud 2 of 4 after 2
        rescale 1
        curve m 1:1 2:1.5 4:2
        a work=25 curve=m
        b work=15 curve=m
        nodes
        ",
        // Together: utility 0.75, 0.58, 0.5 on 2, 3, 4 nodes. a alone: 0.75, 0.5, 0.33 on 1, 2, 3.
        expect![[r#"
            a 22~44444444444
            b 2222222222
            0.0 aaaaaaaaaaaaaa
            0.1 aaaaaaaaaaaaaa
            1.0 bbbbbbbbbb....
            1.1 bbbbbbbbbb....
            2.0 ..aaaaaaaaaaaa
            2.1 ..aaaaaaaaaaaa
            3.0 ..............
            3.1 ..............
        "#]],
    );
}

#[test]
fn the_first_job_in_line_gets_the_nodes_that_it_needs() {
    check(
        "
        policy throughput-autoscaling[low_utility=1,high_utility=1]
        2 GPUs
        cloud 0 of 3 after 2
        curve m 6:3
        a work=6 max=1
        b work=9 curve=m
        ",
        expect![[r#"
            a ..111111
            b ..........666
        "#]],
    );
}

#[test]
fn a_cluster_of_a_fixed_size_is_used_as_it_is() {
    check(
        "
        policy throughput-autoscaling
        2 x 2 GPUs
        curve m 1:1 2:2 4:3
        a work=7 curve=m
        b at=1 work=8 max=2
        nodes
        ",
        expect![[r#"
            a 422
            b  2222
            0.0 aaa..
            0.1 aaa..
            1.0 abbbb
            1.1 abbbb
        "#]],
    );
}

/// A model for batches of 32 to 2048, at most 64 samples on a GPU.
fn law(overlap: f64, node_sync_s: f64) -> Curve {
    let model = ThroughputModel {
        gradient_s: 0.05,
        gradient_s_per_sample: 0.005,
        local_sync_s: 0.02,
        local_sync_s_per_gpu: 0.002,
        node_sync_s,
        node_sync_s_per_gpu: 0.01,
        overlap,
        batch_per_gpu_max: 64,
        gpus_per_node: 4,
        gpus_max: 32,
    };
    let key = CurveKey { model: "m".into(), batch_global: Some(32) };
    let efficiency = Efficiency::of_noise(32, [(0.5, 50.0), (1.0, 500.0)]);
    let efficiency = Efficiency { batch_max: Some(2048), ..efficiency };
    Curve::from_law(key, Law::Throughput(model)).unwrap().with_efficiency(efficiency).unwrap()
}

fn workload(curve: Curve, jobs: &[(f64, f64, Option<u32>)]) -> Workload {
    let job = |(number, (submit_s, samples, gpus_min)): (usize, &(f64, f64, Option<u32>))| Job {
        name: number.to_string(),
        source_row: 0,
        submit_s: *submit_s,
        model: ModelId(0),
        batch_global: Some(32),
        gpus_requested: 1,
        gpus_min: *gpus_min,
        gpus_max: None,
        work: Work::Samples(*samples),
        deadline_s: None,
        user: None,
        rescale: None,
        batch_range: None,
        priority: None,
    };
    let trace = Trace::new(vec!["m".into()], jobs.iter().enumerate().map(job).collect()).unwrap();
    Workload::bind(&trace, &Curves::from_iter([curve])).0
}

/// Figure 10: out to many nodes and a large batch at once, and no change until the end.
#[test]
fn the_batch_grows_with_the_nodes_and_both_stay() {
    let workload = workload(law(1.0, 0.1), &[(0.0, 1e6, None)]);
    let cloud = Cloud { nodes_start: 1, nodes_min: 1, provisioning_s: 100.0, price_per_gpu_hour: 1.0 };
    let settings = Conditions { cloud: Some(cloud), ..Conditions::default() };
    let policy: PolicySpec = "throughput-autoscaling".parse().unwrap();
    let cluster = Cluster::new(8, 4).unwrap();
    let simulation = Simulation::new(&workload, cluster, settings, policy.to_string(), policy.build(0).unwrap());
    let run = simulation.unwrap().run_to_end().unwrap();
    let sizes = &run.batch_sizes;
    let chosen: Vec<(f64, u32)> = sizes.time_s.iter().copied().zip(sizes.batch_global.iter().copied()).collect();
    let spans: Vec<(f64, u32)> = run.spans.of(JobId(0)).map(|span| (span.start_s, span.gpus)).collect();
    expect![[r#"
        [(0.0, 256), (100.0, 1024)]
        [(0.0, 4), (100.0, 16), (130.0, 16), (3895.2799918697665, 16)]"#]]
    .assert_eq(&format!("{chosen:?}\n{spans:?}"));
}

fn cloud() -> impl Strategy<Value = Cloud> {
    (0..6u32, 0..3u32, prop_oneof![Just(0.0), 0.0..60.0f64]).prop_map(|(nodes_start, nodes_min, provisioning_s)| {
        Cloud { nodes_start, nodes_min, provisioning_s, price_per_gpu_hour: 1.0 }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) })]

    /// Whatever happens to nodes, ordered or not: every run is sound and no job is forgotten.
    #[test]
    fn every_run_in_a_cloud_is_sound(
        utilities in (0.0..1.0f64, 0.0..1.0f64), cloud in cloud(), settings in properties::rough_settings(),
        gpus in 1..6u32, of_law in (any::<bool>(), 1.0..4.0f64, 0.0..2.0f64),
        jobs in prop::collection::vec((0.0..300.0f64, 1.0..30000.0f64, prop::option::of(1..7u32)), 0..10),
        detailed in properties::detailed_workload(),
    ) {
        let (low, high) = utilities;
        let policy = format!("throughput-autoscaling[low_utility={low:.2},high_utility={high:.2}]").parse().unwrap();
        let settings = Conditions { cloud: Some(cloud), availability: None, ..settings };
        let workload = match of_law {
            (true, overlap, node_sync_s) => workload(law(overlap, node_sync_s), &jobs),
            _ => detailed,
        };
        properties::check(&policy, &workload, Cluster::new(6, gpus).unwrap(), &settings, 7);
    }
}
