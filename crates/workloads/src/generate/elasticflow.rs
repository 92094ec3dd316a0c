//! `elasticflow`: the synthetic workload of ElasticFlow's public artifact.
//!
//! Gu et al., "ElasticFlow: An Elastic Serverless Training Platform for Distributed Deep Learning", ASPLOS 2023: its
//! `trace_generator/generate_trace.py` draws the jobs of Figures 9 and 11, and section 6.1 says how deadlines come
//! about. Arrivals are a Poisson process; durations are log-uniform in two ranges, one in five in the longer; most jobs
//! ask for one GPU; models and batch sizes are those of [`A100`], each as likely; a deadline is the duration on the GPUs
//! asked for, times a factor, after submission. Times are whole seconds, rounded down, as there. `elasticflow-t4` is
//! the same with the models of [`T4`], which Figure 8a is about.
//!
//! The random numbers are not those of Python: the distributions are the same, the jobs are others.

use elastiplan_model::{Job, ModelId, Trace, Work, limits};
use rand::{Rng, RngExt};

use super::{Conflict, Generator, JOBS_MAX, Method, Parameter, Values, common, job, pick, rare, stream, trace};
use crate::published::{A100, Published, T4};
use elastiplan_scenario::draws::exponential;

pub(super) const OF_A100: Generator = Generator {
    name: "elasticflow",
    summary: "Poisson arrivals, log-uniform durations, mostly single GPUs, deadlines by tightness",
    source: "ElasticFlow, sections 6.1 and 6.4, and the generator in its artifact",
    curves: A100.name,
    parameters: PARAMETERS,
    check,
    method: Method::ElasticFlowA100,
};

pub(super) const OF_T4: Generator = Generator {
    name: "elasticflow-t4",
    summary: "As elasticflow, with models that were measured on T4 GPUs",
    source: "ElasticFlow, section 6.3, Figure 8a, and the generator in its artifact",
    curves: T4.name,
    parameters: PARAMETERS,
    check,
    method: Method::ElasticFlowT4,
};

const PARAMETERS: &[Parameter] = &[
    common("jobs", "Jobs", "How many jobs", 1000.0, 1.0, JOBS_MAX).whole(),
    common("interarrival_s", "Mean gap, s", "Mean seconds between two submissions", 1500.0, 0.0, 100_000.0),
    common("tightness_min", "Tightest deadline", "Deadline over duration, at least", 0.5, 0.01, 100.0),
    common("tightness_max", "Loosest deadline", "Deadline over duration, at most", 1.5, 0.01, 100.0),
    common("best_effort_share", "Best-effort share", "Share of jobs without a deadline", 0.0, 0.0, 1.0),
    rare("long_share", "Share of long jobs", "Share of jobs in the range of long durations", 0.2, 1.0),
    rare("short_from", "Short jobs from 10^", "Short jobs last at least 10 to this in minutes", 1.0, 5.0),
    rare("short_to", "Short jobs to 10^", "Short jobs last at most 10 to this in minutes", 2.5, 5.0),
    rare("long_from", "Long jobs from 10^", "Long jobs last at least 10 to this in minutes", 2.5, 5.0),
    rare("long_to", "Long jobs to 10^", "Long jobs last at most 10 to this in minutes", 4.0, 5.0),
    rare("gpus_1", "Jobs on 1 GPU", "Jobs that ask for 1 GPU, in proportion to the others", 0.83, 1000.0),
    rare("gpus_2", "Jobs on 2 GPUs", "Jobs that ask for 2 GPUs, in proportion to the others", 0.03, 1000.0),
    rare("gpus_4", "Jobs on 4 GPUs", "Jobs that ask for 4 GPUs, in proportion to the others", 0.03, 1000.0),
    rare("gpus_8", "Jobs on 8 GPUs", "Jobs that ask for 8 GPUs, in proportion to the others", 0.10, 1000.0),
    rare("gpus_16", "Jobs on 16 GPUs", "Jobs that ask for 16 GPUs, in proportion to the others", 0.01, 1000.0),
];

/// What jobs ask for, with the parameters that say how often.
const GPUS: [(u32, &str); 5] = [(1, "gpus_1"), (2, "gpus_2"), (4, "gpus_4"), (8, "gpus_8"), (16, "gpus_16")];

fn check(values: &Values<'_>) -> Option<Conflict> {
    let ranges = [("tightness_min", "tightness_max"), ("short_from", "short_to"), ("long_from", "long_to")];
    let turned = ranges.into_iter().find(|(least, most)| values.get(most) < values.get(least));
    if let Some((least, most)) = turned {
        return Some(Conflict { parameter: most, rule: format!("at least {least}, which is {}", values.get(least)) });
    }
    let asks = GPUS.iter().any(|(_, share)| values.get(share) > 0.0);
    (!asks).then(|| Conflict { parameter: "gpus_1", rule: "above 0, as one of gpus_1 to gpus_16 has to be".into() })
}

pub(super) fn draw(table: &Published, values: &Values<'_>, seed: u64) -> Trace {
    let mut arrivals = stream(seed, 0);
    let mut durations = stream(seed, 1);
    let mut requests = stream(seed, 2);
    let mut templates = stream(seed, 3);
    let mut deadlines = stream(seed, 4);
    let mut best_effort = stream(seed, 5);
    let models = table.models();
    let count = values.get("jobs") as usize;
    let mut jobs: Vec<Job> = Vec::with_capacity(count);
    let mut time_s = 0.0;
    for number in 0..count {
        if number > 0 {
            time_s += values.get("interarrival_s") * exponential(&mut arrivals);
        }
        let submit_s = f64::min(time_s, limits::TIME_MAX_S).floor();
        let duration_s = duration_s(values, &mut durations);
        let template = table.rows.get(templates.random_range(0..table.rows.len() as u32) as usize);
        let (name, batch) = template.map_or(("", 0), |row| (row.model, row.batch_global));
        let model = models.iter().position(|known| *known == name).unwrap_or_default() as u32;
        // Drawn for every job, so that the share of best effort changes nobody else's deadline.
        let tightness = within(values, "tightness_min", "tightness_max", &mut deadlines);
        let has_deadline = best_effort.random::<f64>() >= values.get("best_effort_share");
        let deadline_s = (submit_s + (tightness * duration_s).floor()).min(limits::TIME_MAX_S);
        let gpus = gpus(values, &mut requests);
        jobs.push(Job {
            batch_global: Some(batch),
            deadline_s: has_deadline.then_some(deadline_s),
            ..job(
                format!("{name}-{}", number + 1),
                submit_s,
                ModelId(model),
                gpus,
                Work::DurationOnRequested(duration_s),
            )
        });
    }
    trace(models, jobs)
}

/// Seconds on the GPUs that the job asks for.
fn duration_s(values: &Values<'_>, random: &mut impl Rng) -> f64 {
    let is_long = random.random::<f64>() < values.get("long_share");
    let (from, to) = if is_long { ("long_from", "long_to") } else { ("short_from", "short_to") };
    (60.0 * libm::pow(10.0, within(values, from, to, random))).floor()
}

fn within(values: &Values<'_>, least: &str, most: &str, random: &mut impl Rng) -> f64 {
    let (least, most) = (values.get(least), values.get(most));
    least + (most - least) * random.random::<f64>()
}

fn gpus(values: &Values<'_>, random: &mut impl Rng) -> u32 {
    let shares = GPUS.into_iter().map(|(gpus, share)| (gpus, values.get(share)));
    pick(shares, random.random()).unwrap_or(1)
}
