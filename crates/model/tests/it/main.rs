//! Curves, jobs, and binding one to the other: what is accepted, and the findings about the rest.
#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.

mod availability;
mod bind;
mod clusters;
mod curves;
mod prices;
mod profiles;
mod scalability;
mod scaling_advice;
mod speeds;
mod speedups;
mod traces;

use std::fmt::Write;

use elastiplan_model::{
    BatchRange, Cluster, Curve, CurveKey, Curves, Diagnostic, Job, Law, ModelId, ScalingTimes, Severity, SpeedupLaw,
    Trace, Work, Workload,
};
use expect_test::Expect;

/// Binds the jobs to the curves, and compares what comes of it: a line for each job, then one for each diagnostic.
///
/// ```text
/// 4 nodes of 8                                        also checked against this cluster
/// curve bert/64 1:10 2:18 end                         samples/s on 1 and 2 GPUs; `end`: it runs on no more
/// curve vgg/64 times 16:0.1 64:0.3 reduce 2:0.05      processing by samples on a GPU, all-reduce by GPUs
/// a row=2 model=bert/64 gpus=2 min=1 max=4 samples=9  or iterations=9, or seconds=9
/// b model=vgg batches=16..256                         may have any of these batch sizes
/// law amdahl:0.1                                      for jobs without a curve
/// ```
fn check(input: &str, expected: Expect) {
    let mut cluster = None;
    let mut at_once = None;
    let mut law: Option<SpeedupLaw> = None;
    let mut models = Vec::new();
    let mut curves = Vec::new();
    let mut jobs = Vec::new();
    for line in input.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["law", text] => law = Some(text.parse().unwrap()),
            ["curve", name, ..] => curves.push(curve(name, &words[2..])),
            [nodes, "at", "once"] => at_once = Some(nodes.parse().unwrap()),
            [nodes, "nodes", "of", gpus] => {
                cluster = Some(Cluster::new(nodes.parse().unwrap(), gpus.parse().unwrap()).unwrap());
            }
            _ => jobs.push(job(words[0], &words[1..], &mut models)),
        }
    }
    let trace = Trace::new(models, jobs).unwrap();
    let curves = Curves::from_iter(curves);
    let gpus_total = cluster.map_or(1, |cluster: Cluster| cluster.gpus_total());
    let (workload, mut found) = match law {
        None => Workload::bind(&trace, &curves),
        Some(law) => Workload::bind_assuming(&trace, &curves, law, gpus_total),
    };
    let against = |cluster: &Cluster| workload.check_against(cluster, at_once.unwrap_or(cluster.nodes()));
    found.extend(cluster.iter().flat_map(against));
    expected.assert_eq(&as_text(&workload, &found));
}

fn as_text(workload: &Workload, found: &[Diagnostic]) -> String {
    let mut text = String::new();
    for (job, bound) in workload.trace().jobs().iter().zip(workload.jobs()) {
        let (gpus, min, max) = (bound.gpus_requested, bound.gpus_min, bound.gpus_max);
        write!(text, "= {}: {gpus} of {min} to {max} GPUs, {} samples", job.name, bound.samples).unwrap();
        if let Some(range) = bound.batches {
            let own = workload.curves()[bound.curve as usize].key().batch_global.unwrap();
            let (least, most, gpus_least) = (range.least, range.most, bound.gpus_least);
            write!(text, ", batch {own} or from {least} to {most}, {gpus_least} GPUs at least").unwrap();
        }
        text.push('\n');
    }
    for diagnostic in found {
        let sign = match diagnostic.severity {
            Severity::Info => 'i',
            Severity::Warning => '!',
            Severity::Error => 'x',
        };
        writeln!(text, "{sign} {diagnostic}").unwrap();
    }
    text
}

fn curve(name: &str, words: &[&str]) -> Curve {
    let pairs = words.iter().filter_map(|word| word.split_once(':'));
    let points = pairs.map(|(gpus, speed)| (gpus.parse().unwrap(), speed.parse().unwrap()));
    let (model, batch_global) = name_and_batch(name);
    if let ["times", times @ ..] = words {
        let (processing, all_reduce) = times.split_at(times.iter().position(|word| *word == "reduce").unwrap());
        fn pairs<N: std::str::FromStr<Err: std::fmt::Debug>>(words: &[&str]) -> Vec<(N, f64)> {
            let pairs = words.iter().filter_map(|word| word.split_once(':'));
            pairs.map(|(at, time_s)| (at.parse().unwrap(), time_s.parse().unwrap())).collect()
        }
        let times = ScalingTimes {
            processing_s: pairs(processing),
            all_reduce_s: pairs(all_reduce),
            ..ScalingTimes::default()
        };
        return Curve::from_law(CurveKey { model, batch_global }, Law::Scaling(times)).unwrap();
    }
    let curve = Curve::new(CurveKey { model, batch_global }, points).unwrap();
    if words.last() == Some(&"end") { curve.ending_at_last_point() } else { curve }
}

fn name_and_batch(name: &str) -> (String, Option<u32>) {
    match name.split_once('/') {
        Some((name, batch)) => (name.into(), Some(batch.parse().unwrap())),
        None => (name.into(), None),
    }
}

fn job(name: &str, words: &[&str], models: &mut Vec<String>) -> Job {
    let mut job = plain_job(name);
    for word in words {
        let (what, value) = word.split_once('=').unwrap();
        let number = || value.parse::<u32>().unwrap();
        match what {
            "row" => job.source_row = u64::from(number()),
            "at" => job.submit_s = f64::from(number()),
            "gpus" => job.gpus_requested = number(),
            "min" => job.gpus_min = Some(number()),
            "max" => job.gpus_max = Some(number()),
            "batches" => {
                let (least, most) = value.split_once("..").unwrap();
                job.batch_range = Some(BatchRange { least: least.parse().unwrap(), most: most.parse().unwrap() });
            }
            "samples" => job.work = Work::Samples(f64::from(number())),
            "iterations" => job.work = Work::Iterations(f64::from(number())),
            "seconds" => job.work = Work::DurationOnRequested(f64::from(number())),
            "model" => {
                let (model, batch_global) = name_and_batch(value);
                job.batch_global = batch_global;
                let at = models.iter().position(|known| *known == model).unwrap_or(models.len());
                if at == models.len() {
                    models.push(model);
                }
                job.model = ModelId(at as u32);
            }
            other => panic!("a job has no {other}"),
        }
    }
    job
}

/// One sample on one GPU.
fn plain_job(name: &str) -> Job {
    Job {
        name: name.into(),
        source_row: 0,
        submit_s: 0.0,
        model: ModelId(0),
        batch_global: None,
        gpus_requested: 1,
        gpus_min: None,
        gpus_max: None,
        work: Work::Samples(1.0),
        deadline_s: None,
        user: None,
        rescale: None,
        batch_range: None,
        priority: None,
    }
}
