//! `bftrainer`: the Trainers of BFTrainer's experiments.
//!
//! Liu et al., "BFTrainer: Low-Cost Training of Neural Networks on Unfillable Supercomputer Nodes", sections 4.2, 5.1 and
//! 5.2: 1,000 Trainers, each 100 epochs of ImageNet, which are 130 million samples, on 1 to 64 nodes; all of one model for
//! a search of hyperparameters, or the models of Table 2 in turn; submitted as a Poisson process. The gaps of 36 s are
//! those of the public replayer's job files, where they are all alike.

use elastiplan_model::{Job, ModelId, Trace, Work, limits};

use super::{Conflict, Generator, JOBS_MAX, Method, Values, common, job, rare, stream, trace};
use crate::published::SUMMIT;
use elastiplan_scenario::draws::exponential;

pub(super) const BFTRAINER: Generator = Generator {
    name: "bftrainer",
    summary: "Elastic Trainers of one model or of seven in turn, 100 epochs of ImageNet each",
    source: "BFTrainer, sections 4.2, 5.1 and 5.2",
    curves: SUMMIT.name,
    parameters: &[
        common("jobs", "Trainers", "How many Trainers", 1000.0, 1.0, JOBS_MAX).whole(),
        common(
            "model",
            "Model",
            "0: the models of Table 2 in turn; 1 to 7: only this one of them, AlexNet, ResNet18, MnasNet, \
                 MobileNets, ShuffleNet, VGG-16, DenseNet",
            0.0,
            0.0,
            7.0,
        )
        .whole(),
        common("interarrival_s", "Mean gap, s", "Mean seconds between two submissions", 36.0, 0.0, 100_000.0),
        rare("epochs", "Epochs", "Epochs of ImageNet, of 1.3 million samples each", 100.0, 10_000.0).at_least(0.01),
        rare("nodes_max", "Most nodes", "A Trainer runs on at most so many", 64.0, 4608.0).whole().at_least(1.0),
    ],
    check,
    method: Method::BfTrainer,
};

/// Samples of one epoch of ImageNet, as the paper counts: 130 million in 100.
const SAMPLES_PER_EPOCH: f64 = 1.3e6;

fn check(_: &Values<'_>) -> Option<Conflict> {
    None
}

pub(super) fn draw(values: &Values<'_>, seed: u64) -> Trace {
    let mut arrivals = stream(seed, 0);
    let all = SUMMIT.models();
    let only = (values.get("model") as usize).checked_sub(1).and_then(|at| all.get(at).copied());
    let models = only.map_or(all, |model| vec![model]);
    let mut jobs: Vec<Job> = Vec::new();
    let mut time_s = 0.0;
    for number in 0..values.get("jobs") as u32 {
        if number > 0 {
            time_s += values.get("interarrival_s") * exponential(&mut arrivals);
        }
        let model = number % models.len().max(1) as u32;
        let name = models.get(model as usize).copied().unwrap_or_default();
        let work = Work::Samples(values.get("epochs") * SAMPLES_PER_EPOCH);
        let submit_s = f64::min(time_s, limits::TIME_MAX_S).floor();
        let gpus_max = Some(values.get("nodes_max") as u32);
        let plain = job(format!("{name}-{}", number + 1), submit_s, ModelId(model), 1, work);
        jobs.push(Job { gpus_min: Some(1), gpus_max, ..plain });
    }
    trace(models, jobs)
}
