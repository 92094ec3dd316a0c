//! GPUs and batch sizes of the models, by the rule of the paper.

use std::collections::BTreeSet;

use elastiplan_workloads::generate::GeneratorSpec;
use elastiplan_workloads::published::POLLUX;

/// What tuned jobs ask for: (model, GPUs, batch size).
fn tuned() -> BTreeSet<(String, u32, u32)> {
    let spec: GeneratorSpec = "pollux[jobs=4000,bert_share=0.5]".parse().unwrap();
    let trace = spec.trace(1);
    let jobs = trace.jobs().iter();
    jobs.map(|job| (trace.model_name(job.model).to_string(), job.gpus_requested, job.batch_global.unwrap())).collect()
}

#[test]
fn tuned_jobs_ask_for_what_the_artifact_s_ask_for() {
    let ours = tuned();
    let theirs = [
        ("bert", vec![(6, 384), (8, 384), (12, 384), (16, 384)]),
        ("cifar10", vec![(6, 2048), (8, 2048), (12, 4096), (16, 4096)]),
        ("deepspeech2", vec![(6, 320), (8, 320), (12, 640)]),
        ("imagenet", vec![(24, 3200), (32, 6400), (48, 6400)]),
        ("ncf", vec![(1, 32_768)]),
        ("yolov3", vec![(4, 64)]),
    ];
    let theirs: BTreeSet<(String, u32, u32)> = theirs
        .into_iter()
        .flat_map(|(model, all)| all.into_iter().map(move |(gpus, batch)| (model.to_string(), gpus, batch)))
        .collect();
    println!("only here: {:?}", ours.difference(&theirs).collect::<Vec<_>>());
    println!("only there: {:?}", theirs.difference(&ours).collect::<Vec<_>>());
    assert_eq!(ours.intersection(&theirs).count(), 14);
    assert_eq!((ours.len(), theirs.len()), (15, 16));
}

/// The rule once more, with every batch size and a training told epoch by epoch.
#[test]
fn tuned_jobs_have_half_to_four_fifths_of_the_ideal_speed_up() {
    for (name, gpus, batch) in tuned() {
        let model = POLLUX.formulas.iter().find(|model| model.model == name).unwrap();
        let seconds = |gpus: u32, batch: u32| {
            let passes = (f64::from(batch) / f64::from(gpus * model.times.batch_per_gpu_max)).ceil().max(1.0);
            let nodes = if gpus > 4 { 2 } else { 1 };
            let step_s = model.times.step_s(gpus, nodes, f64::from(batch) / f64::from(gpus) / passes, passes);
            let (mut start, mut steps) = (0.0, 0.0);
            for (until, noise) in model.stages {
                let worth = (noise + f64::from(model.batch_base)) / (noise + f64::from(batch));
                steps += (until - start) * model.samples_total / f64::from(batch) / worth;
                start = *until;
            }
            steps * step_s
        };
        let fits = |gpus: u32| model.batches().filter(move |batch| batch / gpus >= model.batch_per_gpu_min);
        let best = |gpus: u32| fits(gpus).map(|batch| seconds(gpus, batch)).fold(f64::INFINITY, f64::min);
        assert_eq!(best(gpus), seconds(gpus, batch), "{name}");
        let share = best(1) / best(gpus) / f64::from(gpus);
        println!("{name} on {gpus} GPUs at {batch}: {share:.2} of the ideal, {:.2} h", best(gpus) / 3600.0);
        assert!(gpus == 1 || (0.5..=0.8).contains(&share), "{name} on {gpus}: {share}");
    }
}
