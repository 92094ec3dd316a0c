//! Goodput and the best batch size.

use elastiplan_model::ThroughputModel;
use elastiplan_solvers::goodput::{BatchSearch, Goodput, KnownSteps, golden_section};
use proptest::prelude::*;
use serde_json::Value;

use crate::data_pack::folder;

/// The 120 profiles with what the artifact made of them.
pub fn vectors() -> Option<Vec<Value>> {
    let text = std::fs::read_to_string(folder("pollux")?.join("oracle/agent-vectors.json")).unwrap();
    Some(serde_json::from_str(&text).unwrap())
}

pub fn whole(value: &Value) -> u32 {
    u32::try_from(value.as_u64().unwrap()).unwrap()
}

/// The artifact's goodput function, with its own parameters.
pub fn of(vector: &Value) -> Goodput {
    let parameter = |name: &str| vector["fit"][name].as_f64().unwrap();
    let names = ["alpha_c", "beta_c", "alpha_n", "beta_n", "alpha_r", "beta_r", "gamma"];
    let empty = ThroughputModel {
        gradient_s: 0.0,
        gradient_s_per_sample: 0.0,
        local_sync_s: 0.0,
        local_sync_s_per_gpu: 0.0,
        node_sync_s: 0.0,
        node_sync_s_per_gpu: 0.0,
        overlap: 1.0,
        batch_per_gpu_max: whole(&vector["max_local_bsz"]),
        gpus_per_node: 4,
        gpus_max: 64,
    };
    let batch_base = whole(&vector["init_batch_size"]);
    Goodput {
        times: empty.with_parameters(names.map(parameter)),
        noise_scale: f64::from(batch_base) * vector["grad_var"].as_f64().unwrap()
            / vector["grad_sqr"].as_f64().unwrap(),
        batch_base,
        batch_max: whole(&vector["max_batch_size"]),
        batch_per_gpu_min: whole(&vector["min_local_bsz"]),
        passes_alone: 2,
    }
}

#[test]
fn batches_and_goodput_are_those_of_the_artifact() {
    let Some(vectors) = vectors() else { return };
    let (mut all, mut same) = (0, 0);
    for vector in &vectors {
        let goodput = of(vector);
        for expected in vector["optimize"].as_array().unwrap() {
            let (nodes, gpus) = (whole(&expected["num_nodes"]), whole(&expected["num_replicas"]));
            // The artifact counts in steps of the base batch; its table in samples.
            let theirs = expected["goodput"].as_f64().unwrap();
            let found = goodput.best_batch(gpus, nodes, BatchSearch::Grid);
            let best = goodput.best_batch(gpus, nodes, BatchSearch::GoldenSection);
            let split = (whole(&expected["atomic_bsz"]), whole(&expected["accum_steps"]) + 1);
            all += 1;
            let Some(found) = found else {
                assert!(theirs == 0.0, "{} on {gpus}: none, expected {expected}", vector["app"]);
                same += 1;
                continue;
            };
            same += usize::from((found.batch_per_gpu, found.passes) == split);
            assert!((found.samples_per_s / theirs - 1.0).abs() < 1e-6, "{found:?}, expected {expected}");
            // The grid may round above the largest batch; all that is below it, golden section finds.
            if found.batch_per_gpu * found.passes * gpus <= goodput.batch_max {
                assert!(best.unwrap().samples_per_s >= found.samples_per_s * (1.0 - 1e-12), "{best:?} {found:?}");
            }
        }
    }
    println!("{same} of {all} batches are those of the artifact");
    assert_eq!(same, all);
}

/// Throughput times efficiency (eq. 6), in samples of the base batch a second.
pub fn samples_per_s(goodput: &Goodput, gpus: u32, nodes: u32, batch_per_gpu: u32, passes: u32) -> f64 {
    let (per_gpu, passes) = (f64::from(batch_per_gpu), f64::from(passes));
    let batch = per_gpu * passes * f64::from(gpus);
    goodput.efficiency(batch) * batch / goodput.times.step_s(gpus, nodes, per_gpu, passes)
}

/// The largest goodput by trying every batch.
fn best_naive(goodput: &Goodput, gpus: u32, nodes: u32) -> Option<f64> {
    let mut best: Option<f64> = None;
    for passes in 1..=goodput.batch_max.max(goodput.passes_alone) {
        for per_gpu in goodput.batch_per_gpu_min.max(1)..=goodput.times.batch_per_gpu_max {
            let batch = per_gpu * passes * gpus;
            // As few passes as there is room for; several where the noise has to be measured on one GPU.
            let fewest = (per_gpu * passes).div_ceil(goodput.times.batch_per_gpu_max);
            let alone = if gpus == 1 && batch > goodput.batch_base { goodput.passes_alone } else { 1 };
            let size = goodput.batch_base..=goodput.batch_max;
            if passes != fewest.max(alone) || !size.contains(&batch) {
                continue;
            }
            let value = samples_per_s(goodput, gpus, nodes, per_gpu, passes);
            best = Some(best.map_or(value, |best| best.max(value)));
        }
    }
    best
}

fn any_goodput() -> impl Strategy<Value = Goodput> {
    let times = (0.0..2.0f64, 0.001..0.5f64, 0.0..2.0f64, 0.0..0.2f64, 0.0..4.0f64, 0.0..0.4f64, 1.0..10.0f64);
    let batches = (1..12u32, 1..30u32, 1..20u32, 0..200u32, 1..4u32);
    (times, batches, -1.0..4.0f64).prop_map(|(times, (low, span, base, more, alone), noise)| {
        let times = ThroughputModel {
            gradient_s: times.0,
            gradient_s_per_sample: times.1,
            local_sync_s: times.2,
            local_sync_s_per_gpu: times.3,
            node_sync_s: times.4,
            node_sync_s_per_gpu: times.5,
            overlap: times.6,
            batch_per_gpu_max: low + span,
            gpus_per_node: 4,
            gpus_max: 64,
        };
        Goodput {
            times,
            noise_scale: libm::pow(10.0, noise),
            batch_base: base,
            batch_max: base + more,
            batch_per_gpu_min: low,
            passes_alone: alone,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn no_batch_is_better_than_the_one_found(goodput in any_goodput(), gpus in 1..12u32, spread: bool) {
        let nodes = if spread { gpus } else { 1 };
        let found = goodput.best_batch(gpus, nodes, BatchSearch::GoldenSection);
        let naive = best_naive(&goodput, gpus, nodes);
        prop_assert_eq!(found.is_some(), naive.is_some());
        if let (Some(found), Some(naive)) = (found, naive) {
            prop_assert!(found.samples_per_s >= naive * (1.0 - 1e-12), "{:?}, {}", found, naive);
            prop_assert!(found.batch_per_gpu * found.passes * gpus <= goodput.batch_max);
        }
    }

    #[test]
    fn what_is_known_of_steps_changes_nothing(goodput in any_goodput(), noises in proptest::collection::vec(-1.0..4.0f64, 1..6)) {
        let mut known = KnownSteps::default();
        for noise in noises {
            let goodput = Goodput { noise_scale: libm::pow(10.0, noise), ..goodput };
            for (gpus, nodes) in (1..9).flat_map(|gpus| [(gpus, 1), (gpus, 2)]) {
                for search in [BatchSearch::GoldenSection, BatchSearch::Grid] {
                    let anew = goodput.best_batch(gpus, nodes, search);
                    prop_assert_eq!(goodput.best_batch_knowing(gpus, nodes, search, &mut known), anew);
                }
            }
        }
    }

    #[test]
    fn golden_section_finds_the_peak(low in 0..50u32, span in 0..500u32, peak in 0..600u32, steep in 0.1..9.0f64) {
        let value = |at: u32| match at <= peak {
            true => f64::from(at),
            false => f64::from(peak) - steep * f64::from(at - peak),
        };
        prop_assert_eq!(golden_section(low, low + span, value), peak.clamp(low, low + span));
    }
}
