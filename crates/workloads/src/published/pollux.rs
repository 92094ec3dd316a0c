//! The models of Pollux's evaluation.
//!
//! Qiao et al., "Pollux: Co-adaptive Cluster Scheduling for Goodput-Optimized Deep Learning", OSDI 2021, Table 1, with
//! BERT, which only its public artifact (`osdi21-artifact` of petuum/adaptdl) has. That artifact holds what was measured
//! on nodes of 4 T4 GPUs; the figures here are fits to it: `crates/workloads/tests/pollux` makes them again where the
//! measurements are at hand, and says how far off they are.

use elastiplan_model::ThroughputModel;

use super::{Published, PublishedModel};

/// The six models of Pollux's evaluation on T4 GPUs, by formula. Parameters are rounded to four digits, noise scales to
/// three.
pub const POLLUX: Published = Published {
    name: "pollux-t4",
    summary: "6 models by formula for any batch size, on 1 to 64 T4 GPUs in nodes of 4",
    source: "Pollux (Qiao et al., OSDI 2021), fitted to the measurements of the public artifact",
    rows: &[],
    formulas: &[
        PublishedModel {
            model: "imagenet",
            times: times([0.06411, 0.004481, 0.2996, 0.006638, 0.07688, 0.000519, 2.473], 200, 64),
            batch_base: 200,
            batch_max: 12_800,
            batch_per_gpu_min: 20,
            samples_total: 115_305_119.0,
            stages: &[
                (0.01111, 824.0),
                (0.02222, 2280.0),
                (0.03333, 4640.0),
                (0.05556, 6650.0),
                (0.1, 8580.0),
                (0.1667, 10_200.0),
                (0.3333, 11_500.0),
                (0.4333, 53_800.0),
                (0.6667, 38_600.0),
                (1.0, 185_000.0),
            ],
        },
        PublishedModel {
            model: "yolov3",
            times: times([0.2387, 0.01499, 0.8066, 0.01047, 0.1459, 0.02304, 1.222], 8, 64),
            batch_base: 8,
            batch_max: 512,
            batch_per_gpu_min: 4,
            samples_total: 827_552.0,
            stages: &[
                (0.02, 0.346),
                (0.06, 171.0),
                (0.1, 274.0),
                (0.18, 351.0),
                (0.32, 408.0),
                (0.48, 507.0),
                (0.6, 649.0),
                (0.72, 882.0),
                (0.8, 1220.0),
                (1.0, 1770.0),
            ],
        },
        PublishedModel {
            model: "deepspeech2",
            times: times([0.3111, 0.02384, 0.4871, 0.009819, 0.08399, 0.001364, 1.413], 80, 64),
            batch_base: 20,
            batch_max: 640,
            batch_per_gpu_min: 10,
            samples_total: 570_720.0,
            stages: &[
                (0.0125, 12.3),
                (0.025, 45.2),
                (0.03752, 133.0),
                (0.05001, 230.0),
                (0.07503, 390.0),
                (0.1, 630.0),
                (0.1625, 1020.0),
                (0.2375, 1920.0),
                (0.425, 4650.0),
                (1.0, 51_400.0),
            ],
        },
        PublishedModel {
            model: "cifar10",
            times: times([0.01742, 0.0007008, 0.1221, 0.002642, 0.03285, 0.0008749, 2.073], 1024, 64),
            batch_base: 128,
            batch_max: 4096,
            batch_per_gpu_min: 32,
            samples_total: 5_000_052.0,
            stages: &[
                (0.01, 95.3),
                (0.03, 439.0),
                (0.05002, 873.0),
                (0.08, 1630.0),
                (0.13, 2720.0),
                (0.2, 4530.0),
                (0.31, 6530.0),
                (0.45, 10_200.0),
                (0.61, 20_500.0),
                (1.0, 88_500.0),
            ],
        },
        // On one GPU only, as in the artifact: measured speeds on more are at most 1.2 times as high.
        PublishedModel {
            model: "ncf",
            times: times([0.007382, 4.589e-7, 0.0, 0.0, 0.0, 0.0, 1.0], 32_768, 1),
            batch_base: 256,
            batch_max: 32_768,
            batch_per_gpu_min: 32,
            samples_total: 49_708_544.0,
            stages: &[(0.1, 152_000.0), (0.4, 1_500_000.0), (1.0, 3_280_000.0)],
        },
        PublishedModel {
            model: "bert",
            times: times([0.1719, 0.05861, 1.386, 0.009431, 0.2842, 0.009622, 1.902], 12, 64),
            batch_base: 12,
            batch_max: 384,
            batch_per_gpu_min: 4,
            samples_total: 177_288.0,
            stages: &[(0.5, 7650.0), (1.0, 14_400.0)],
        },
    ],
    powers: &[],
    scalings: &[],
};

/// Parameters in the order of [`ThroughputModel::parameters`], the most samples that fit on a GPU at a time, and the
/// most GPUs.
const fn times(parameters: [f64; 7], batch_per_gpu_max: u32, gpus_max: u32) -> ThroughputModel {
    let [gradient_s, gradient_s_per_sample, node_sync_s, node_sync_s_per_gpu, ..] = parameters;
    let [.., local_sync_s, local_sync_s_per_gpu, overlap] = parameters;
    ThroughputModel {
        gradient_s,
        gradient_s_per_sample,
        local_sync_s,
        local_sync_s_per_gpu,
        node_sync_s,
        node_sync_s_per_gpu,
        overlap,
        batch_per_gpu_max,
        gpus_per_node: 4,
        gpus_max,
    }
}
