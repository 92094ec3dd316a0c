//! What goes wrong, drawn from the seed: nodes that fail, jobs with bugs, users who change their minds, estimates that
//! are off.
//!
//! Every job and every node has a stream of random numbers of its own. So two policies with one seed meet the same
//! failures, and a job has the same fate whatever happens to the others.

use elastiplan_model::{Curve, JobId, limits};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// What goes wrong, and how often. By default nothing does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Faults {
    /// Mean time between the failures of one node, in seconds; failures come at random (exponentially distributed).
    pub node_mtbf_s: Option<f64>,
    /// How long a failed node is away, in seconds.
    pub node_repair_s: f64,
    /// Share of jobs that have a bug, 0 to 1.
    pub bug_share: f64,
    /// A job with a bug dies after at most so many seconds of training (uniformly distributed).
    pub bug_within_s: f64,
    /// Share of jobs that their users cancel, 0 to 1, when a part of the work is done (uniformly distributed).
    pub cancel_share: f64,
    /// How far the work left that a policy is told may be off, as a share (0.1: up to 10% too much or too little).
    pub estimate_error: f64,
    /// How far the speeds that a policy is told may be off, as a share, each measured point by itself.
    pub profiling_noise: f64,
}

impl Faults {
    /// Whether nothing goes wrong.
    pub fn is_none(&self) -> bool {
        *self == Self { node_repair_s: self.node_repair_s, bug_within_s: self.bug_within_s, ..Self::default() }
    }

    /// The first value that is out of range, by its name, with its rule.
    pub(crate) fn out_of_range(&self) -> Option<(&'static str, f64, &'static str)> {
        let share = |value: f64| (0.0..=1.0).contains(&value);
        let seconds = |value: f64| (0.0..=limits::TIME_MAX_S).contains(&value);
        let checks: [Check; 7] = [
            ("node_mtbf_s", self.node_mtbf_s.unwrap_or(1.0), "at least 1 s", |v: f64| (1.0..=1e11).contains(&v)),
            ("node_repair_s", self.node_repair_s, "at least 1 s where nodes fail", |v: f64| (0.0..=1e11).contains(&v)),
            ("bug_share", self.bug_share, "a number from 0 to 1", share),
            ("bug_within_s", self.bug_within_s, "a number of seconds from 0 to 1e11", seconds),
            ("cancel_share", self.cancel_share, "a number from 0 to 1", share),
            ("estimate_error", self.estimate_error, "a number from 0 to 0.99", |v: f64| (0.0..=0.99).contains(&v)),
            ("profiling_noise", self.profiling_noise, "a number from 0 to 0.99", |v: f64| (0.0..=0.99).contains(&v)),
        ];
        let too_short = self.node_mtbf_s.is_some() && self.node_repair_s < 1.0;
        let wrong = |(name, value, _, holds): &Check| !holds(*value) || (*name == "node_repair_s" && too_short);
        checks.into_iter().find(wrong).map(|(name, value, rule, _)| (name, value, rule))
    }

    /// What awaits a job, whoever schedules it.
    pub(crate) fn fate(&self, seed: u64, job: JobId) -> Fate {
        let mut random = stream(seed, JOBS + u64::from(job.0));
        // All numbers are drawn, whether they are needed or not: a share that is changed changes nothing else.
        let draws: [f64; 5] = std::array::from_fn(|_| random.random());
        let [bug, bug_at, cancel, cancel_at, estimate] = draws;
        Fate {
            dies_after_s: (bug < self.bug_share).then_some(bug_at * self.bug_within_s),
            cancelled_with_left: (cancel < self.cancel_share).then_some(cancel_at),
            estimate_factor: 1.0 + self.estimate_error * (2.0 * estimate - 1.0),
        }
    }

    /// The curve as a profiler with noise would have measured it.
    pub(crate) fn profiled(&self, seed: u64, index: usize, curve: &Curve) -> Curve {
        let mut random = stream(seed, CURVES + index as u64);
        curve.disturbed(|| 1.0 + self.profiling_noise * (2.0 * random.random::<f64>() - 1.0))
    }

    /// The failures of one node, one after the other.
    pub(crate) fn failures_of(&self, seed: u64, node: u32) -> Option<Failures> {
        let mtbf_s = self.node_mtbf_s?;
        Some(Failures { random: stream(seed, NODES + u64::from(node)), mtbf_s, repair_s: self.node_repair_s })
    }
}

/// A value by its name, with its rule in words and as a function.
type Check = (&'static str, f64, &'static str, fn(f64) -> bool);

/// What awaits one job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fate {
    /// It dies after so many seconds of training.
    pub dies_after_s: Option<f64>,
    /// Its user cancels it when this share of the work is left.
    pub cancelled_with_left: Option<f64>,
    /// What a policy is told about the work left is the truth times this.
    pub estimate_factor: f64,
}

/// When one node fails.
#[derive(Clone, Debug)]
pub(crate) struct Failures {
    random: ChaCha8Rng,
    mtbf_s: f64,
    repair_s: f64,
}

impl Failures {
    /// The next failure of a node that works from `time_s` on, and when it is back.
    pub fn next(&mut self, time_s: f64) -> (f64, f64) {
        let fails_s = time_s - self.mtbf_s * libm::log(1.0 - self.random.random::<f64>());
        (fails_s, fails_s + self.repair_s)
    }
}

const JOBS: u64 = 1 << 40;
const NODES: u64 = 2 << 40;
const CURVES: u64 = 3 << 40;

fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    random
}
