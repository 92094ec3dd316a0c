//! What IBM's elastic scaling runs on: a model for each of its four categories of jobs.
//!
//! Saxena et al., "Effective Elastic Scaling of Deep Learning Workloads", prints no times. They follow from what it does
//! print, with the reasons in docs/fidelity.md:
//!
//! - Table I: weights and batch sizes. The most samples on a GPU are 32 for category 1, the last of Table II.
//! - Table II: the scaling factors .86, 1.06, 1.3, 1.45, 1.66 of category 1 on 2 GPUs with 8, 11, 16, 22, 32 samples
//!   each. From the last follows the all-reduce on the two GPUs of a node, from the others the processing times, all as
//!   multiples of the time for 32 samples.
//! - Section IV-D: 160 samples on 5 GPUs are 1.6 times as fast as 32 on 2, which is 1.6 x 1.3. From that follows the
//!   all-reduce on 5 GPUs. Rings are assumed for the others: 2 (k - 1) / k of the weights over the slowest link. That link
//!   is the 10 Gb/s Ethernet of section IV, which sets the scale: 32 samples take 87.5 ms.
//! - Section IV-E: the best scaling factor at the smallest batch is 1.3 for category 1 and 1.3 times that of category 2,
//!   which is 1: 16 samples are processed at the rate of 128.

use elastiplan_model::BatchRange;

use super::{Published, PublishedScaling};

/// The categories of jobs of Table I on P100 GPUs, two a node.
pub const IBM: Published = Published {
    name: "ibm-p100",
    summary: "4 models by processing and all-reduce times for any batch size, on 1 to 10 P100 GPUs in nodes of 2",
    source: "IBM elastic scaling, Tables I and II, sections IV and IV-D, with rings over 10 Gb/s",
    rows: &[],
    formulas: &[],
    powers: &[],
    scalings: &[
        PublishedScaling {
            model: "resnet50",
            batches: BatchRange { least: 32, most: 256 },
            processing_s: &[(8.0, 0.03295), (11.0, 0.03883), (16.0, 0.04939), (22.0, 0.06505), (32.0, 0.0875)],
            all_reduce_s: &all_reduce(24.0),
            all_reduce_told: &[2, 5],
            single_gpu_minutes: 16.0,
        },
        PublishedScaling {
            model: "alexnet",
            batches: BatchRange { least: 16, most: 256 },
            processing_s: &[(1.0, 0.0003), (128.0, 0.0384)],
            all_reduce_s: &all_reduce(58.0),
            all_reduce_told: &[],
            single_gpu_minutes: 21.0,
        },
        PublishedScaling {
            model: "vgg11_bn",
            batches: BatchRange { least: 16, most: 1024 },
            processing_s: &[(16.0, 0.01), (128.0, 0.04)],
            all_reduce_s: &all_reduce(10.0),
            all_reduce_told: &[],
            single_gpu_minutes: 41.0,
        },
        // One batch size and one point: on more GPUs it is never faster.
        PublishedScaling {
            model: "alexnet-food101",
            batches: BatchRange { least: 128, most: 128 },
            processing_s: &[(128.0, 0.25)],
            all_reduce_s: &all_reduce(58.0),
            all_reduce_told: &[],
            single_gpu_minutes: 27.0,
        },
    ],
};

/// The most GPUs for one job.
const GPUS_MAX: usize = 10;
/// Of 4 bytes each, over 10 Gb/s.
const S_PER_MILLION_WEIGHTS: f64 = 4e6 / 1.25e9;
/// On the two GPUs of a node: .01792 s with 24 million weights.
const S_PER_MILLION_WEIGHTS_IN_NODE: f64 = 0.01792 / 24.0;

/// Seconds of an all-reduce of so many weights on 2 GPUs, which are on one node, and on each number above.
#[allow(clippy::indexing_slicing)] // When it is built: an index beyond the end would be told then.
const fn all_reduce(millions: f64) -> [(u32, f64); GPUS_MAX - 1] {
    let mut times = [(2, S_PER_MILLION_WEIGHTS_IN_NODE * millions); GPUS_MAX - 1];
    let mut at = 1;
    while at < times.len() {
        let gpus = at as u32 + 2;
        times[at] = (gpus, 2.0 * (gpus - 1) as f64 / gpus as f64 * S_PER_MILLION_WEIGHTS * millions);
        at += 1;
    }
    times
}
