//! `ibm`: the benchmarks of IBM's elastic scaling.
//!
//! Saxena et al., "Effective Elastic Scaling of Deep Learning Workloads", section IV-A. Jobs are of the four categories of
//! Table I, each as likely, or all of one. Arrivals are a Poisson process. Its rate is so many times the rate at which a
//! single GPU completes jobs, on average over the categories: `high_gpus` is what the paper calls k_max there, and a
//! quarter of it is low. A bursty benchmark alternates between the two every `phase_minutes`.
//!
//! Every job may have any batch size of its category, and has one of them that is drawn: what a user would have asked for,
//! and what policies that do not choose train with.

use elastiplan_model::{Job, ModelId, Trace, Work, limits};
use rand::{Rng, RngExt};

use super::{Conflict, Generator, JOBS_MAX, Method, Values, common, job, rare, stream, trace};
use crate::published::{IBM, PublishedScaling};
use elastiplan_scenario::draws::exponential;

pub(super) const IBM_BENCHMARK: Generator = Generator {
    name: "ibm",
    summary: "Jobs that may have several batch sizes, of four categories; arrivals are low, high or come in bursts",
    source: "IBM elastic scaling, section IV-A and Table I",
    curves: IBM.name,
    parameters: &[
        common(
            "category",
            "Category",
            "0: all, each as likely; 1: compute bound, 2: communication bound, 3: balanced, 4: not elastic",
            0.0,
            0.0,
            4.0,
        )
        .whole(),
        common("minutes", "Arrivals, min", "Minutes in which jobs arrive", 240.0, 1.0, 100_000.0),
        common(
            "high_gpus",
            "High arrivals, GPUs",
            "Jobs arrive as fast as so many GPUs complete them, one job on each, while arrivals are high",
            40.0,
            0.01,
            100_000.0,
        ),
        common("low_gpus", "Low arrivals, GPUs", "The same while arrivals are low", 10.0, 0.0, 100_000.0),
        common(
            "phase_minutes",
            "Phase, min",
            "Arrivals are high for so long and then low for as long; 0: always high",
            0.0,
            0.0,
            100_000.0,
        ),
        rare(
            "job_minutes",
            "Length of a job, min",
            "On one GPU; 0: 16, 21, 41 and 27 minutes by category, as in section IV-G",
            0.0,
            100_000.0,
        ),
    ],
    check,
    method: Method::Ibm,
};

fn check(values: &Values<'_>) -> Option<Conflict> {
    let phase = values.get("phase_minutes");
    if phase > 0.0 && phase < 1.0 {
        return Some(Conflict { parameter: "phase_minutes", rule: "0, or at least 1".into() });
    }
    let (jobs, most) = (expected_jobs(values), JOBS_MAX);
    (jobs > most).then(|| Conflict {
        parameter: "minutes",
        rule: format!("so short that about {most} jobs arrive at most: it would be {jobs:.0}"),
    })
}

/// How many jobs arrive on average if arrivals are always high.
fn expected_jobs(values: &Values<'_>) -> f64 {
    values.get("minutes") * values.get("high_gpus").max(values.get("low_gpus")) / mean_minutes(values)
}

/// What a job takes on one GPU, on average over the categories.
fn mean_minutes(values: &Values<'_>) -> f64 {
    let lengths = IBM.scalings.iter().map(|category| length_minutes(values, category));
    lengths.sum::<f64>() / IBM.scalings.len() as f64
}

fn length_minutes(values: &Values<'_>, category: &PublishedScaling) -> f64 {
    let same = values.get("job_minutes");
    if same > 0.0 { same } else { category.single_gpu_minutes }
}

pub(super) fn draw(values: &Values<'_>, seed: u64) -> Trace {
    let submissions = submissions(values, &mut stream(seed, 0));
    let (mut of_category, mut of_batch) = (stream(seed, 1), stream(seed, 2));
    let drawn = (1..).zip(submissions).filter_map(|(number, submit_s): (u32, f64)| {
        let any = of_category.random_range(0..IBM.scalings.len() as u32);
        let index = match values.get("category") as u32 {
            0 => any,
            category => category - 1,
        };
        let category = IBM.scalings.get(index as usize)?;
        let range = category.batches;
        let batch_global = range.least + (of_batch.random::<f64>() * f64::from(range.most - range.least + 1)) as u32;
        let samples = length_minutes(values, category) * 60.0 * category.samples_per_s_single();
        let gpus = category.gpus_needed(batch_global);
        let name = format!("{}-{number}", category.model);
        let plain = job(name, submit_s, ModelId(index), gpus, Work::Samples(samples.round()));
        let has_choice = range.least < range.most;
        Some(Job {
            batch_global: Some(batch_global.min(range.most)),
            batch_range: has_choice.then_some(range),
            gpus_max: (!has_choice).then_some(gpus),
            ..plain
        })
    });
    trace(IBM.models(), drawn.collect())
}

/// A Poisson process whose rate changes from phase to phase: seconds, rising.
fn submissions(values: &Values<'_>, random: &mut impl Rng) -> Vec<f64> {
    let end_s = values.get("minutes") * 60.0;
    let phase_s = match values.get("phase_minutes") * 60.0 {
        phase_s if phase_s > 0.0 => phase_s,
        _ => end_s,
    };
    let per_s = |gpus: f64| gpus / (mean_minutes(values) * 60.0);
    let rates = [per_s(values.get("high_gpus")), per_s(values.get("low_gpus"))];
    let mut times = Vec::new();
    let (mut phase, mut time_s) = (0_u32, 0.0);
    let mut until_next = exponential(random);
    while time_s < end_s && times.len() < JOBS_MAX as usize {
        let rate = rates.get(phase as usize % rates.len()).copied().unwrap_or_default();
        let phase_end_s = (f64::from(phase + 1) * phase_s).min(end_s);
        let expected = rate * (phase_end_s - time_s);
        if until_next <= expected {
            time_s += until_next / rate;
            times.push(time_s.min(limits::TIME_MAX_S));
            until_next = exponential(random);
        } else {
            until_next -= expected;
            (time_s, phase) = (phase_end_s, phase + 1);
        }
    }
    times
}
