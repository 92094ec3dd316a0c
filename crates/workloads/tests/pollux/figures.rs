//! The figures of the six models: made again from the measurements, and how far they are off.
//!
//! `cargo test -p elastiplan-scenario --test pollux figures -- --nocapture` prints them.

use elastiplan_solvers::fit::{FitRules, Measured, fit};
use elastiplan_workloads::published::{POLLUX, PublishedModel};

use crate::pack::{self, Pack};
use crate::stages;

/// What was measured where the model is used.
fn pack(model: &PublishedModel) -> Option<Pack> {
    let mut pack = pack::read(model.model, model.times.batch_per_gpu_max)?;
    pack.times.retain(|row| row.gpus <= model.times.gpus_max);
    Some(pack)
}

fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits - 1).parse().unwrap()
}

#[test]
fn figures_are_what_the_measurements_come_to() {
    for model in POLLUX.formulas {
        let Some(pack) = pack(model) else { return };
        let fitted = fit(&pack.times, &FitRules::ARTIFACT, None).unwrap();
        // What was never tried is as good as nothing.
        let figure = |parameter: f64| if parameter < 2e-8 { 0.0 } else { rounded(parameter, 4) };
        let parameters = fitted.map(figure);
        let samples = (pack.targets().last().unwrap() * f64::from(model.batch_base)).round();
        let stages = stages::derive(&pack, model.batch_base);
        let stages: Vec<(f64, f64)> =
            stages.into_iter().map(|(until, noise)| (rounded(until, 4), rounded(noise, 3))).collect();
        println!("{}: times {parameters:?}, samples {samples}, stages {stages:?}", model.model);
        assert_eq!(model.times.parameters(), parameters, "{}", model.model);
        assert_eq!(model.samples_total, samples, "{}", model.model);
        assert_eq!(model.stages, stages, "{}", model.model);
        let batches: Vec<u32> = pack.trainings.iter().map(|training| training.batch).collect();
        assert_eq!(model.batches().collect::<Vec<_>>(), batches, "{}", model.model);
        let per_gpu = pack.times.iter().map(|row| row.batch_per_gpu);
        assert_eq!(per_gpu.fold(f64::INFINITY, f64::min), f64::from(model.batch_per_gpu_min), "{}", model.model);
    }
}

/// The value below which a share of all lie.
fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

#[test]
fn figures_of_speed_are_near_the_measured_ones() {
    let mut all = Vec::new();
    for model in POLLUX.formulas {
        let Some(pack) = pack(model) else { return };
        let off = |row: &Measured| {
            let step_s = model.times.step_s(row.gpus, row.nodes, row.batch_per_gpu, 1.0);
            (row.step_s / step_s - 1.0).abs()
        };
        let off: Vec<f64> = pack.times.iter().map(off).collect();
        let (median, most) = (quantile(&off, 0.5), quantile(&off, 0.95));
        println!("{}: {} speeds, off by {median:.3} (median), {most:.3} (95 %)", model.model, off.len());
        assert!(median < 0.08 && most < 0.27, "{}: {median} {most}", model.model);
        all.extend(off);
    }
    println!("all: {} speeds, {:.3}, {:.3}", all.len(), quantile(&all, 0.5), quantile(&all, 0.95));
}

#[test]
fn figures_of_efficiency_are_near_the_measured_ones() {
    for model in POLLUX.formulas {
        let Some(pack) = pack(model) else { return };
        let (ends, base) = (pack.targets(), f64::from(model.batch_base));
        let total = ends.last().unwrap();
        for training in &pack.trainings {
            let batch = f64::from(training.batch);
            let samples = model.samples(training.batch) / model.samples_total;
            let mut start = 0.0;
            let mut theirs = 0.0;
            for (epoch, end) in training.epochs.iter().zip(&ends) {
                theirs += (end - start) / total / epoch.worth(batch / base);
                start = *end;
            }
            let last = training.epochs.last().unwrap();
            let taken = last.steps * batch / (last.progress * base);
            println!(
                "{} at {batch}: {samples:.3} times the samples; by every epoch {theirs:.3}; taken {taken:.3}",
                model.model
            );
            assert!((samples / theirs - 1.0).abs() < 0.05, "{} at {batch}: {samples} {theirs}", model.model);
        }
    }
}
