//! `modelarts`: jobs like those of ModelArts' simulation.
//!
//! Hu et al., "An Optimal Resource Allocator of Elastic Training for Deep Learning Jobs on Cloud", section 5.1, tells of
//! 1,252 jobs in 49 h 41 min 38 s, of which 447 trained for 5 minutes or more, and the mean training times of both.
//! Everything between is a choice, for which docs/fidelity.md has reasons: arrivals are a Poisson process; training times
//! from 5 minutes on are log-normal beyond these 5 minutes, shorter ones log-uniform. Of every draw, long jobs have the
//! mean that is asked for, not only on average over draws.
//!
//! Training took its time on nodes of which the paper does not say how many. `nodes_trained` says it here: the work is
//! what so many nodes do in that time.

use elastiplan_model::{Job, ModelId, Trace, Work, order};
use rand::{Rng, RngExt};

use super::{Conflict, Generator, JOBS_MAX, Method, Values, common, job, rare, stream, trace};
use crate::published::MODELARTS;
use elastiplan_scenario::draws::standard_normal;

pub(super) const MODELARTS_JOBS: Generator = Generator {
    name: "modelarts",
    summary: "Elastic jobs on 1 to 16 nodes over two days, log-normal training times",
    source: "ModelArts, section 5.1",
    curves: MODELARTS.name,
    parameters: &[
        common("jobs", "Jobs", "How many jobs", 447.0, 1.0, JOBS_MAX).whole(),
        common("hours", "Period, h", "Hours between the first submission and the last", 49.7, 0.0, 10_000.0),
        common(
            "mean_minutes",
            "Mean training, min",
            "Mean training time of jobs of 5 minutes or more, in minutes",
            232.6,
            6.0,
            50_000.0,
        ),
        common("short_share", "Short jobs", "Share of jobs that train for less than 5 minutes", 0.0, 0.0, 1.0),
        common(
            "nodes_trained",
            "Nodes of the training time",
            "The work of a job is what so many nodes do in its training time",
            3.0,
            1.0,
            16.0,
        )
        .whole(),
        rare(
            "spread",
            "Spread of long jobs",
            "Deviation of the logarithm of what long jobs train beyond 5 minutes",
            1.0,
            3.0,
        ),
        rare(
            "daily_swing",
            "Swing over the day",
            "Submissions at 14:00 are so much more frequent than on average, as a share, and at 2:00 so much less",
            0.0,
            1.0,
        ),
        rare("nodes_requested", "Nodes asked for", "What policies that do not scale give a job", 1.0, 16.0)
            .whole()
            .at_least(1.0),
        rare("nodes_max", "Most nodes", "A job runs on at most so many", 16.0, 16.0).whole().at_least(1.0),
    ],
    check,
    method: Method::ModelArts,
};

/// What section 5.1 tells the short jobs from the others by, in minutes.
const SHORT_MINUTES: f64 = 5.0;
/// Log-uniform from here to 5 minutes has a mean of 1.95, with which that of all 1,252 jobs is the paper's 84.3.
const SHORTEST_MINUTES: f64 = 0.5;
/// The clock at the first submission, 14:25:41, in seconds of the day.
const CLOCK_START_S: f64 = 51_941.0;
/// When most jobs are submitted, if it depends on the hour.
const CLOCK_PEAK_S: f64 = 50_400.0;
const DAY_S: f64 = 86_400.0;

fn check(values: &Values<'_>) -> Option<Conflict> {
    let (asked, most) = (values.get("nodes_requested"), values.get("nodes_max"));
    (asked > most)
        .then(|| Conflict { parameter: "nodes_requested", rule: format!("at most nodes_max, which is {most}") })
}

pub(super) fn draw(values: &Values<'_>, seed: u64) -> Trace {
    let count = values.get("jobs") as usize;
    let submissions = submissions(values, count, &mut stream(seed, 0));
    let minutes = training_minutes(values, count, &mut stream(seed, 1));
    let models: Vec<&str> = MODELARTS.models();
    let name = models.first().copied().unwrap_or_default();
    let nodes_trained = values.get("nodes_trained") as u32;
    let samples_per_s = MODELARTS.powers.first().map_or(1.0, |power| power.samples_per_s(nodes_trained));
    let gpus_max = Some(values.get("nodes_max") as u32);
    let drawn = (1..).zip(submissions.into_iter().zip(minutes)).map(|(number, (submit_s, minutes)): (u32, _)| {
        let work = Work::Samples((minutes * 60.0 * samples_per_s).floor());
        let asked = values.get("nodes_requested") as u32;
        let plain = job(format!("{name}-{number}"), submit_s, ModelId(0), asked, work);
        Job { gpus_min: Some(1), gpus_max, ..plain }
    });
    trace(models, drawn.collect())
}

/// A Poisson process of which the number, the first and the last are known: whole seconds, rising.
fn submissions(values: &Values<'_>, count: usize, random: &mut impl Rng) -> Vec<f64> {
    let period_s = values.get("hours") * 3600.0;
    let swing = values.get("daily_swing");
    let between = (2..count).map(|_| time_s(random.random(), period_s, swing));
    let ends = [0.0, period_s].into_iter().take(count);
    let mut times: Vec<f64> = ends.chain(between).map(f64::floor).collect();
    order::sort_by_number(&mut times, |time_s| *time_s);
    times
}

/// The time before which a share of `at` (from 0 to 1) of all submissions is expected.
fn time_s(at: f64, period_s: f64, swing: f64) -> f64 {
    // Submissions expected before a time, in those of a second on average: the integral of
    // 1 + swing x cos(2 pi (clock - peak) / day).
    let phase = |time_s: f64| std::f64::consts::TAU * (CLOCK_START_S + time_s - CLOCK_PEAK_S) / DAY_S;
    let day_share = DAY_S / std::f64::consts::TAU;
    let before = |time_s: f64| time_s + swing * day_share * (libm::sin(phase(time_s)) - libm::sin(phase(0.0)));
    let wanted = at * before(period_s);
    // It rises: halve where it may be until a second is far larger than what is left.
    let (mut low, mut high) = (0.0, period_s);
    for _ in 0..48 {
        let middle = (low + high) / 2.0;
        if before(middle) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Training times, short and long ones in a random order.
fn training_minutes(values: &Values<'_>, count: usize, random: &mut impl Rng) -> Vec<f64> {
    let short = libm::round(count as f64 * values.get("short_share")) as usize;
    let beyond: Vec<f64> = (short..count).map(|_| libm::exp(values.get("spread") * standard_normal(random))).collect();
    let scale = (values.get("mean_minutes") - SHORT_MINUTES) * beyond.len() as f64 / beyond.iter().sum::<f64>();
    let mut minutes: Vec<f64> = beyond.into_iter().map(|beyond| SHORT_MINUTES + beyond * scale).collect();
    let span = libm::log(SHORT_MINUTES / SHORTEST_MINUTES);
    minutes.extend((0..short).map(|_| SHORTEST_MINUTES * libm::exp(span * random.random::<f64>())));
    for last in (1..count).rev() {
        minutes.swap(last, random.random_range(0..=last as u32) as usize);
    }
    minutes
}
