//! The built-in sample: 48 jobs that train seven ImageNet models on 16 nodes with 8 GPUs each.
//!
//! The curves are those of Table 2 in Liu et al., "BFTrainer: Low-Cost Training of Neural Networks on Unfillable
//! Supercomputer Nodes": samples per second on 1 to 64 workers. A worker there is a node; here it is a GPU, which is
//! the sample's one assumption. The jobs are drawn: Poisson arrivals, GPU requests in powers of two, lognormal
//! durations, and a deadline for five in six.

use elastiplan_model::{Cluster, Curve, CurveKey, Curves, Job, ModelId, Trace, Work};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::draws::{exponential, standard_normal};
use crate::{Conditions, Scenario};

/// The seed of the sample as it is shown first.
pub const SEED: u64 = 3;
/// The title of the sample.
pub const NAME: &str = "BFTrainer mix, 48 jobs";
/// The assumption of the sample.
pub const ASSUMPTION: &str = "1 worker = 1 GPU";

const JOBS: usize = 48;
const MEAN_GAP_S: f64 = 330.0;

const GPUS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Thousands of samples per second on each of [`GPUS`]: BFTrainer, Table 2.
const MODELS: [(&str, [f64; 7]); 7] = [
    ("AlexNet", [7.1, 13.1, 21.1, 40.5, 74.0, 130.8, 202.1]),
    ("ResNet18", [5.2, 10.6, 20.4, 39.6, 78.0, 144.8, 262.7]),
    ("MnasNet", [3.2, 6.0, 11.5, 23.1, 43.9, 83.5, 160.5]),
    ("MobileNets", [3.0, 5.9, 11.4, 22.0, 42.5, 82.3, 155.2]),
    ("ShuffleNet", [2.8, 5.3, 10.0, 20.4, 38.9, 74.1, 145.1]),
    ("VGG-16", [1.2, 2.4, 4.7, 9.3, 18.3, 36.2, 70.2]),
    ("DenseNet", [1.0, 2.0, 3.8, 7.6, 15.0, 28.8, 57.8]),
];

/// The GPUs that jobs ask for, as often as they stand here.
const REQUESTS: [u32; 8] = [4, 4, 8, 8, 16, 16, 32, 64];

/// The sample, drawn with `seed`.
pub fn scenario(seed: u64) -> Scenario {
    let cluster = Cluster::new(16, 8).unwrap_or_else(|_| unreachable!("16 nodes of 8 GPUs are a cluster"));
    let conditions = Conditions { seed, ..Conditions::default() };
    Scenario { conditions, ..Scenario::new(trace(seed), curves(), cluster) }
}

/// The seven curves.
pub fn curves() -> Curves {
    let curve = |(model, thousands): &(&str, [f64; 7])| {
        let key = CurveKey { model: (*model).into(), batch_global: None };
        Curve::new(key, GPUS.into_iter().zip(thousands.map(|thousand| thousand * 1000.0))).ok()
    };
    MODELS.iter().filter_map(curve).collect()
}

/// The 48 jobs.
pub fn trace(seed: u64) -> Trace {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut submit_s = 0.0;
    let mut jobs = Vec::with_capacity(JOBS);
    for number in 0..JOBS {
        if number > 0 {
            submit_s += MEAN_GAP_S * exponential(&mut rng);
        }
        jobs.push(draw_job(&mut rng, number, submit_s));
    }
    let models = MODELS.iter().map(|(name, _)| (*name).into()).collect();
    Trace::new(models, jobs).unwrap_or_else(|error| unreachable!("drawn jobs are in range: {error}"))
}

fn draw_job(rng: &mut ChaCha8Rng, number: usize, submit_s: f64) -> Job {
    let submit_s = submit_s.round();
    let model = rng.random_range(0..MODELS.len() as u32);
    let gpus_requested = REQUESTS.get(rng.random_range(0..REQUESTS.len() as u32) as usize).copied().unwrap_or(8);
    // Half last less than 33 minutes, one in six more than 80.
    let duration_s = (2000.0 * libm::exp(0.9 * standard_normal(rng))).clamp(120.0, 10800.0).round();
    let slack = rng.random_range(1.1..2.0);
    let has_deadline = rng.random_bool(5.0 / 6.0);
    let name = MODELS.get(model as usize).map_or("job", |(name, _)| name).to_lowercase();
    Job {
        name: format!("{name}-{}", number + 1),
        source_row: 0,
        submit_s,
        model: ModelId(model),
        batch_global: None,
        gpus_requested,
        gpus_min: None,
        gpus_max: None,
        work: Work::DurationOnRequested(duration_s),
        deadline_s: has_deadline.then(|| (submit_s + slack * duration_s).round()),
        user: None,
        rescale: None,
        batch_range: None,
        priority: None,
    }
}
